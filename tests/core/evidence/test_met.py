"""What the compiled walk remembers of elements, seen through walks: it must never tell of another element."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.core.evidence import walk as module
from scrapy_stemmer.core.evidence.memo import MAX_KNOWN
from scrapy_stemmer.core.evidence.outline import Outline, Shape
from scrapy_stemmer.core.evidence.paths import ROOT, PathTree
from scrapy_stemmer.core.evidence.places import Place, Places
from scrapy_stemmer.core.evidence.walk import Reader, Tree, tree_of
from tests.core.evidence.made import made_pages

pytestmark = pytest.mark.skipif(module._walk is None, reason="there was no C compiler")

ALL = (1 << 64) - 1

TELLING = (0, 1, 0xFF, 1 << 63, 0xFFFFFFFF, ALL)
"""Bits of hashes that count: of the first few, most elements have the same."""


def remembering(most: int, telling: int) -> tuple[Reader, Places]:
    """Both that remember so much."""
    reader, places = Reader(), Places(PathTree(), None)
    reader.met, places.met = module.Met(most, telling), module.Met(most, telling)
    return reader, places


def read(root: etree._Element, reader: Reader, places: Places | None) -> tuple[Outline, list[Place]]:
    walk = tree_of(root).walk(reader, places).whole()
    return walk.outline(None), walk.places  # type: ignore[arg-type]


def check(root: etree._Element, reader: Reader, places: Places) -> None:
    """Shapes are those that Python tells, and places those that the site has for them."""
    outline, found = read(root, reader, places)
    expected = Tree(root).walk(Reader()).whole().outline(outline.head)
    assert outline == expected
    for one, other in zip(found, places.of(expected), strict=True):
        assert one is other
    assert read(root, reader, None)[0] == expected


def page_of(values: list[tuple[str, str]]) -> etree._Element:
    """A page of elements that have an attribute each."""
    body = etree.fromstring("<body/>")
    for name, value in values:
        etree.SubElement(body, "div").set(name, value)
    return body


class TestElements:
    """Each is told from all others."""

    @given(made_pages(), st.sampled_from(TELLING), st.sampled_from((1, 2, 7, MAX_KNOWN)))
    def test_whatever_their_hashes_are(self, html: str, telling: int, most: int) -> None:
        reader, places = remembering(most, telling)
        for _ in range(2):
            check(parse(html), reader, places)
            assert reader.met is not None
            assert len(reader.met) <= most
            assert len(places.met) <= most  # type: ignore[arg-type]

    def test_by_walks_that_take_turns(self) -> None:
        """They lend from each other what they work with, but for what has grown too large."""
        reader = Reader()
        long, short = (parse(f"<p class={size}>{'rain ' * size}<p>é") for size in (400_000, 3))
        for _ in range(2):
            walks = [(root, tree_of(root).walk(reader)) for root in (long, short, long)]
            for root, walk in walks:
                expected = Tree(root).walk(Reader()).whole().outline(None)  # type: ignore[arg-type]
                assert walk.whole().outline(None) == expected  # type: ignore[arg-type]
                assert walk.whole().outline(None) == expected  # type: ignore[arg-type]

    @pytest.mark.parametrize("telling", TELLING)
    def test_of_many_names(self, telling: int) -> None:
        reader, places = remembering(MAX_KNOWN, telling)
        for _ in range(2):
            check(parse("".join(f"<div class=a{n}><p id=b{n % 7}>x</p></div>" for n in range(300))), reader, places)

    def test_by_each_attribute(self) -> None:
        names = ("class", "id", "role", "style", "hidden", "title", "{urn:a}class", "{urn:a}id")
        values = ("", "a", "display:none", "A")
        reader, places = remembering(MAX_KNOWN, ALL)
        for _ in range(2):
            check(page_of([(name, value) for name in names for value in values]), reader, places)

    def test_by_names_of_each_length(self) -> None:
        """Keys are compared in whole words; those of very long names are not remembered."""
        sizes = (*range(40), 900, 1_000, 1_020, 1_100, 5_000)
        values = [(name, letter * size + end) for size in sizes for name, letter, end in
                  (("class", "a", ""), ("class", "b", ""), ("id", "a", ""), ("class", "a", "b"))]  # fmt: skip
        reader, places = remembering(MAX_KNOWN, ALL)
        for _ in range(2):
            check(page_of(values), reader, places)
        assert reader.met is not None
        assert 0 < len(reader.met) < len({*values})

    def test_texts_of_one_attribute_are_not_those_of_two(self) -> None:
        body = etree.fromstring("<body/>")
        for attributes in ({"class": "a", "id": "b"}, {"class": "ab"}, {"id": "ab"}, {"id": "a", "role": "b"}, {}):
            etree.SubElement(body, "p").attrib.update(attributes)
            etree.SubElement(body, "x-y").attrib.update(attributes)
        etree.SubElement(body, "x-ya")
        reader, places = remembering(MAX_KNOWN, ALL)
        for _ in range(2):
            check(body, reader, places)

    def test_by_names_that_are_not_known_beforehand(self) -> None:
        root = etree.fromstring(
            "<html><body><x-a/><x-aa/><x-a-long-name/><o:p xmlns:o='u'/><d:div xmlns:d='urn:d'/><d:div xmlns:d='u'/>"
            "<body/><div/><h1/><svg xmlns='http://www.w3.org/2000/svg'/><e xmlns=''/></body></html>"
        )
        reader, places = remembering(MAX_KNOWN, ALL)
        for _ in range(2):
            check(root, reader, places)
            for element in root.iter():
                check(element, reader, places)

    def test_by_entities_in_their_names(self) -> None:
        xml = "<!DOCTYPE html [<!ENTITY e 'a b'>]><body><p class='x&e;'/><p class='xa b'/><p id='&e;'/></body>"
        reader, places = remembering(MAX_KNOWN, ALL)
        for resolve in (True, False):
            check(etree.fromstring(xml, etree.XMLParser(resolve_entities=resolve)), reader, places)

    def test_that_were_met_are_the_same_objects(self) -> None:
        reader, places = remembering(MAX_KNOWN, ALL)
        html = "<div class=a><p>x</p></div>"
        one, other = (read(parse(html), reader, places)[0].shapes for _ in range(2))
        assert all(first is second for first, second in zip(one, other, strict=True))


class TestWhatIsKept:
    HTML = "<div id=a><div id=b><p>x</p></div><ul><li>y</li></ul></div>"

    def test_of_some_shapes(self) -> None:
        reader, places = remembering(MAX_KNOWN, ALL)
        shapes = read(parse(self.HTML), reader, places)[0].shapes
        kept = reader.knowing({shapes[1], Shape("nav")})
        assert reader.met is not None
        assert (len(reader.met), kept.met and len(kept.met)) == (len(shapes), 1)
        again = read(parse(self.HTML), kept, None)[0].shapes
        assert again[1] is shapes[1]
        assert again == shapes
        assert again[2] is not shapes[2]

    def test_no_place_that_was_forgotten(self) -> None:
        reader, places = Reader(), Places(PathTree(), None)
        found = read(parse(self.HTML), reader, places)[1]
        places.keep({found[2].path}, {ROOT, found[1].path})
        for _ in range(2):
            check(parse(self.HTML), reader, places)
        again = read(parse(self.HTML), reader, places)[1]
        assert [one is other for one, other in zip(found, again, strict=True)] == [True] * 4 + [False] * 2

    def test_no_place_of_another_site(self) -> None:
        """Whose places stand where those of the first one stood in memory."""
        reader = Reader()
        for names in (None, frozenset({"#a"}), frozenset[str](), frozenset({"#b"})) * 5:
            places = Places(PathTree(), names)
            for _ in range(2):
                check(parse(self.HTML), reader, places)
            del places

    def test_nothing_once_the_site_is_gone(self) -> None:
        class Note(float):
            """A number that can be told to be gone."""

        gc.disable()
        reader, places = Reader(), Places(PathTree(), None)
        found = read(parse(self.HTML), reader, places)[1]
        for place in found:
            place.base = Note(1.0)
        notes = [weakref.ref(place.base) for place in found if place.base is not None]
        del place, found
        assert all(note() is not None for note in notes)
        del places
        assert [note() for note in notes] == [None] * 6
        gc.enable()

    def test_deep_places_are_let_go_of(self) -> None:
        root = etree.fromstring("<body/>")
        last = root
        for _ in range(15_000):
            last = etree.SubElement(last, "div")
        for most in (MAX_KNOWN, 10):
            reader, places = remembering(most, ALL)
            assert len(read(root, reader, places)[1]) == 15_001
            del reader, places


class TestWalksAtOnce:
    HTML = "".join(f"<div class=c{n}><p>text {n} <a>link</a></p></div>" for n in range(100))

    def test_in_threads(self) -> None:
        reader, places = remembering(50, ALL)
        root = parse(self.HTML)
        expected = Tree(root).walk(Reader()).whole().outline(tree_of(root).head)

        def go(_: int) -> tuple[bool, list[str]]:
            outline, found = read(parse(self.HTML), reader, places)
            return outline.blocks == expected.blocks, [place.tag for place in found]

        with ThreadPoolExecutor(8) as pool:
            for same, tags in pool.map(go, range(40)):
                assert same
                assert tags == [shape.tag for shape in expected.shapes]

    def test_within_each_other(self) -> None:
        """Only one has the memory that walks lend from each other."""
        reader = Reader()
        inner: list[Outline] = []

        class Nested(Places):
            def below(self, above: Place, shape: Shape) -> Place:
                inner.append(read(parse("<p class=n>inner <b>text</b></p>"), reader, None)[0])
                return super().below(above, shape)

        root = parse(self.HTML)
        outline = read(root, reader, Nested(PathTree(), None))[0]
        assert outline == Tree(root).walk(Reader()).whole().outline(outline.head)
        assert {found.blocks[0].text for found in inner} == {"inner text"}

    def test_after_a_huge_one(self) -> None:
        reader = Reader()
        for text in ("a " * 2_000_000, "a"):
            assert read(parse(f"<p>{text}</p>"), reader, None)[0].blocks[0].text == text.strip()

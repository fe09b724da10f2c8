"""The walk over a tree, in Python and compiled: both tell the same."""

from __future__ import annotations

import sys
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from lxml import html as lxml_html

from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.core.evidence import walk as module
from scrapy_stemmer.core.evidence.head import Head
from scrapy_stemmer.core.evidence.memo import MAX_KNOWN
from scrapy_stemmer.core.evidence.outline import (
    BLOCKS,
    CUTTERS,
    INLINE,
    LONG_TEXT,
    UNREAD,
    UNSEEN_NAMES,
    Shape,
    TextBlock,
    words_of,
)
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.core.evidence.places import Place, Places
from scrapy_stemmer.core.evidence.walk import Reader, Tree, outline_of, tree_of
from tests.core.evidence.made import made_pages

compiled = pytest.mark.skipif(module._walk is None, reason="there was no C compiler")

TAGS = sorted({*BLOCKS, *CUTTERS, *INLINE, *UNREAD, "a", "h1", "time", "svg", "title", "meta", "text", "x-card", "o:p"})

SPACES = " \t\n\r\x0b\x0c\x1c\x1f\x85\xa0\u1680\u2000\u2005\u200a\u200b\u2028\u2029\u202f\u205f\u3000"

TEXTS = st.text(alphabet=f"aZ09_.-{{{SPACES}éßİΣσςK日本한\U0001d7ce\U00010400٣²ªⅫ\u0301", max_size=12)
"""Texts that XML may hold once its forbidden characters are left out."""

ARTICLE = '{"@type": "NewsArticle"}'

ODD = (
    " ",
    "  ",
    "\n",
    " \n ",
    "\x1f",
    "\x00",
    "\x7f",
    "\x80",
    "\x85",
    "\xa0",
    "é",
    "\u2019",
    "\u2003",
    "日",
    "\U0001f327",
    "A",
)

LONG = st.text(alphabet=f"aZ09_.-{SPACES}éİΣ日K\U0001d7ce٣", min_size=80, max_size=320)

WRAPPED = st.text(alphabet="aB. \n\t\r\u2019\xa0", min_size=80, max_size=320)

VALUES = st.sampled_from(
    (
        "",
        " ",
        "a",
        "b a  b",
        "é",
        "sr-only",
        "x SR-Only",
        "x\u00a0sr-only",
        "aoK-hidden",
        "sr-only-not",
        "std-ref",
        "s",
        "a\x0bSR-only\r",
        "display:none",
        "DISPLAY \n:\t none",
        "d\u0131splay: none",
        "visibility:hidden; color: red",
        "color:navy",
        "article",
        "og:title",
        "OG:Type",
        "application/ld+json",
        "navigation",
        "Main",
    )
)

ATTRIBUTES = st.dictionaries(
    st.sampled_from(("class", "id", "role", "style", "hidden", "name", "property", "content", "type", "{urn:a}class")),
    VALUES,
    max_size=3,
)


def allowed(text: str) -> str:
    """A text without what XML does not take."""
    return "".join(char for char in text if char in "\t\n\r" or ord(char) >= 32)


@st.composite
def elements(draw: st.DrawFn) -> etree._Element:
    """A tree of any elements, made by hand: comments, entities, namespaces, texts and tails everywhere."""
    root = draw(st.sampled_from((etree.Element, lxml_html.Element)))("html")
    known = [root]
    for _ in range(draw(st.integers(0, 24))):
        parent = known[draw(st.integers(0, len(known) - 1))]
        child = draw(st.sampled_from(("element", "element", "element", "comment", "pi", "entity", "namespace")))
        match child:
            case "comment":
                made: etree._Element = etree.Comment(allowed(draw(TEXTS)).replace("-", ""))
            case "pi":
                made = etree.ProcessingInstruction("php", "echo")
            case "entity":
                made = etree.Entity("nbsp")
            case "namespace":
                made = etree.Element(draw(st.sampled_from(("{urn:a}div", "{http://x-y/}p", "{urn:a}h1", "{urn:a}br"))))
            case _:
                made = parse(f"<{draw(st.sampled_from(TAGS))}>")
                made = next((one for one in made.iter() if one.tag not in ("html", "body", "head", "p")), made)
                made = etree.Element(made.tag) if ":" not in str(made.tag) else made
        if isinstance(made.tag, str):
            for name, value in draw(ATTRIBUTES).items():
                made.set(name, allowed(value))
            made.text = draw(st.none() | st.sampled_from(("", ARTICLE)) | TEXTS.map(allowed))
            known.append(made)
        made.tail = draw(st.none() | TEXTS.map(allowed))
        parent.append(made)
    return root


def seen(tree: Any, root: etree._Element, **options: Any) -> tuple[object, ...]:
    """All that is told of a tree."""
    places = Places(PathTree(), frozenset({".a", "#a"}))
    reader = Reader(**options)
    walk = tree.walk(reader, places).whole()
    outline = walk.outline(tree.head.now)
    stretches = tree.walk(reader, noting=True).whole().stretches_of(outline.blocks)
    return outline, [place.path for place in walk.places], stretches, along(tree, {1, 4}, {0, 2, 3})


def along(tree: Any, targets: set[int], ways: set[int]) -> tuple[object, ...]:
    """What is told along a route, at first and once it is known."""
    known = Places(PathTree([(-1, "body"), (0, "div"), (0, "p"), (2, "ul"), (3, "li")]), frozenset({".a"}))
    trail = module.Trail()
    found = []
    for _ in range(2):
        walk = tree.walk(Reader(), known).along(targets, ways, trail)
        found.append((walk.outline(tree.head.now), [place.path for place in walk.places]))
    outline = found[1][0]
    noted = tree.walk(Reader(), known, noting=True).along(targets, ways, trail)
    assert found[0] == found[1]
    return *found, noted.stretches_of(outline.blocks)


def check(root: etree._Element) -> None:
    """Both walks tell the same."""
    other, expected = tree_of(root), Tree(root)
    assert not isinstance(other, Tree)
    assert other.head.now == expected.head.now
    assert seen(tree_of(root), root) == seen(expected, root)
    assert along(tree_of(root), {1, 4}, {0, 2, 3}) == along(expected, {1, 4}, {0, 2, 3})


@compiled
class TestCompiled:
    @given(elements())
    def test_any_tree(self, root: etree._Element) -> None:
        check(root)

    @given(made_pages())
    def test_pages(self, html: str) -> None:
        check(parse(html))
        check(lxml_html.fromstring(html))

    @given(st.text(alphabet="<>/abdivphspn123 =\"'&;é日!-[]", max_size=300))
    def test_any_markup(self, html: str) -> None:
        check(parse(f"<body>{html}"))

    @pytest.mark.parametrize(
        "xml",
        [
            "<html><body><p>a<![CDATA[ b ]]>c<b/> <![CDATA[d]]></p></body></html>",
            "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>a</p></body></html>",
            "<html><body xmlns:svg='urn:svg'><svg:div>a<svg:time>b</svg:time></svg:div><time>c</time></body></html>",
            "<!DOCTYPE html [<!ENTITY e 'text'>]><html><body><p class='a&e;b' id='&e;'>a &e; b</p></body></html>",
            "<!DOCTYPE html><html><body><p>a</p></body></html>",
            "<div>a <body>b</body> <body>c</body></div>",
            "<time>5 May <b>2024</b></time>",
            "<body><body>inner</body>outer</body>",
            "<html><head><title>Rain</title><meta name='' property='og:title' content='A'/></head></html>",
            "<svg><g><title>Icon</title></g></svg>",
            "<html><h1>a</h1><body><div><h1>b<h1>c</h1></h1></div><script><h1>d</h1></script></body></html>",
            '<html><script type=\'application/ld+json\'>{"@type": "NewsArticle"}</script></html>',
            "<html><meta property='title' content='A'/><body><p><meta name='og:title' content='B'/></p></body></html>",
            "<body><p><b class='sr-only'><title>A</title></b></p><nav><title>B</title></nav><title>C</title></body>",
            "<html><body/><p><title>A</title></p><meta name='og:type' content='article'/></html>",
            "<meta name='og:type' content='article'><meta name='title' content='A'/></meta>",
            "<title>A</title>",
            "<p/>",
        ],
    )
    @pytest.mark.parametrize("resolve", [False, True])
    def test_xml(self, xml: str, resolve: bool) -> None:
        root = etree.fromstring(xml, etree.XMLParser(resolve_entities=resolve, strip_cdata=False))
        check(root)
        for element in root.iter():
            if isinstance(element.tag, str):
                check(element)

    def test_trees_with_included_parts(self, tmp_path: Any) -> None:
        (tmp_path / "part.xml").write_text("<p>part</p>")
        (tmp_path / "part.txt").write_text(" text ")
        (tmp_path / "page.xml").write_text(
            "<html xmlns:x='http://www.w3.org/2001/XInclude'><body>a <x:include href='part.xml'/> b "
            "<x:include href='part.txt' parse='text'/> c <b>d</b><x:include href='part.txt' parse='text'/>"
            "</body></html>"
        )
        tree = etree.parse(tmp_path / "page.xml")
        tree.xinclude()
        check(tree.getroot())

    def test_attributes_that_only_a_document_type_gives_are_left_to_python(self) -> None:
        xml = "<!DOCTYPE html [<!ATTLIST p class CDATA 'sr-only'>]><html><body><p>a</p></body></html>"
        assert isinstance(tree_of(etree.fromstring(xml)), Tree)

    def test_what_is_no_element_is_left_to_python(self) -> None:
        for root in (etree.Comment("a"), etree.ProcessingInstruction("a", "b"), etree.Entity("a")):
            assert isinstance(tree_of(root), Tree)

    @pytest.mark.parametrize("tag", ["div", "b", "a", "x-y"])
    def test_10_000_nested_elements(self, tag: str) -> None:
        root = parse("<body><h1>a</h1></body>")
        last = root[0]
        for _ in range(10_000):
            last = etree.SubElement(last, tag)
        last.text = "deep"
        tree = tree_of(root)
        assert tree.walk(Reader()).whole().outline(tree.head).blocks[-1].text == "deep"
        places = Places(PathTree(), None)
        assert tree.walk(Reader(), places).along({-2}, {0}, module.Trail()).outline(tree.head).blocks[0].text == "a"

    def test_many_names(self) -> None:
        """More than the walk keeps the kinds of."""
        root = parse("<body>" + "".join(f"<x{n}>a</x{n}><y-{n}>b</y-{n}>" for n in range(2_000)))
        check(root)

    def test_texts_that_end_before_anything(self) -> None:
        """One node or several, before an element, a comment, an entity, and at the end; in each kind of element."""
        made = (
            lambda: etree.Element("b"),
            lambda: etree.Element("p"),
            lambda: etree.Comment("c"),
            lambda: etree.Entity("amp"),
            lambda: etree.ProcessingInstruction("php"),
        )
        for tag in ("p", "b", "a", "time", "br", "style", "h1", "meta", "svg", "x-y"):
            for first in made:
                for second in made:
                    for text in (None, "", " ", "\xa0", " \u2003", "x", " x "):
                        root = etree.fromstring("<body><p>before <b>it</b></p></body>")
                        top = etree.SubElement(root[0], tag)
                        top.text = text
                        for make in (first, second):
                            child = make()
                            child.tail = text
                            top.append(child)
                        top.tail = text
                        check(root)

    def test_elements_of_nothing_but_a_text(self) -> None:
        for tag in TAGS:
            for text in ("", " ", "\xa0", "\u2003 ", "x", " \u2003x", "{{ x }}"):
                for around in ("p", "b", "a", "time", "x-y"):
                    root = etree.fromstring(f"<body>a<{around}/>b</body>")
                    one, other = etree.SubElement(root[0], "i"), etree.SubElement(root[0], "i")
                    for element in (one, other):
                        element.tag = tag if ":" not in tag else "{urn:o}p"
                        element.text = text
                    one.tail = text
                    check(root)

    def test_names_that_change_between_walks_over_a_tree(self) -> None:
        """What is remembered of names goes with the names, whichever element has them, and whichever thread made it."""
        root = parse("<body><div>a</div><b>b</b><x-y>c</x-y><style>d</style></body>")
        tree = tree_of(root)
        made: list[etree._Element] = []
        thread = Thread(target=lambda: made.append(parse("<body><new-one>e</new-one><q>f</q><div>g</div></body>")))
        thread.start()
        thread.join()
        for tags in (("div", "b", "x-y", "style"), ("b", "style", "div", "z-z"), ("x-y", "u", "b", "div")):
            for element, tag in zip(root[0], tags, strict=False):
                element.tag = tag
            assert tree.walk(Reader()).whole().outline(None).blocks == outline_of(root).blocks
            assert outline_of(root).blocks == Tree(root).walk(Reader()).whole().outline(Head()).blocks
            root[0].extend(list(made[0][0])[:1])
        other = parse("<html/>")
        other.append(root)
        del root[0][0]
        assert (
            tree.walk(Reader()).whole().outline(None).blocks == Tree(root).walk(Reader()).whole().outline(Head()).blocks
        )

    def test_what_is_remembered_has_an_end(self) -> None:
        reader = Reader()
        trail = module.Trail()
        known = Places(PathTree(), frozenset())
        for start in range(0, 2 * MAX_KNOWN, 5_000):
            tree = tree_of(parse("".join(f"<p class=x{n}>" for n in range(start, start + 5_000))))
            tree.walk(reader, known).along({-2}, {0}, trail)
            assert len(reader.met) <= MAX_KNOWN
            assert len(known.met) <= MAX_KNOWN
            assert len(trail.met) <= MAX_KNOWN

    def test_a_tree_is_let_go_of(self) -> None:
        root = parse("<p>a <b>b</b></p>")
        before = sys.getrefcount(root)
        tree = tree_of(root)
        walk = tree.walk(Reader(), noting=True).whole()
        del tree, walk
        assert sys.getrefcount(root) == before

    def test_there_is_none_without_a_tree(self) -> None:
        """Not even where the constructor is passed by: nothing would stand where C looks."""
        for made in (module._walk.Tree, module._walk.Walk):
            with pytest.raises(TypeError):
                made.__new__(made)

    def test_the_head_is_read_with_the_page(self) -> None:
        """Whatever becomes of the tree then."""
        tree = tree_of(root := parse("<title>A</title><body><nav><meta name='og:type' content='article'></nav>"))
        tree.walk(Reader(), Places(PathTree(), None)).along({-2}, {0}, module.Trail())
        root.clear()
        assert (tree.head.title, tree.head.is_article) == ("A", True)

    def test_no_way_without_places(self) -> None:
        tree = tree_of(parse("<p>a</p>"))
        with pytest.raises(ValueError, match="places"):
            tree.walk(Reader()).along({0}, {1}, module.Trail())

    def test_a_body_that_was_taken_out(self) -> None:
        """A walk that was made before looks for the body anew, and a second time over it tells the same."""
        root = lxml_html.document_fromstring("<p>a</p>")
        tree = tree_of(root)
        walk = tree.walk(Reader())
        root.remove(root[0])
        root.append(lxml_html.fragment_fromstring("<div>b</div>"))
        for _ in range(2):
            outline = walk.whole().outline(tree.head)
            assert [(block.text, block.start) for block in outline.blocks] == [("b", 0)]
            assert len(outline.shapes) == 2

    def test_what_a_walk_that_failed_left_is_forgotten(self) -> None:
        """An error amid a page, here of what remembers shapes, leaves elements that may be gone the next time."""
        root = parse("<body><div><p>a<p style='display:none' id=b>b</div>")

        class Failing(Places):
            fails = True

            def below(self, above: Place, shape: Shape) -> Place:
                if self.fails:
                    raise TypeError("Fails.")
                return super().below(above, shape)

        reader, known = Reader(), Failing(PathTree(), None)
        walk = tree_of(root).walk(reader, known)
        with pytest.raises(TypeError):
            walk.whole()
        known.fails = False
        root.remove(root[0])
        assert walk.along({-2}, {0}, module.Trail()).outline(None).blocks == []

    def test_blocks_of_elsewhere(self) -> None:
        """Numbers of stretches that the page does not have."""
        walk = tree_of(parse("<p>a</p>")).walk(Reader(), noting=True).whole()
        block = TextBlock(0, "", 1, 1, 0, -(2**40), 2**40, False, False)
        assert [len(found) for found in walk.stretches_of([block])] == [1]
        assert walk.html_of([block]) == "<p>a</p>"


@compiled
class TestMeasured:
    """What is measured of texts."""

    def check(self, text: str) -> None:
        assert module._walk.measured(text) == words_of(text)

    @given(st.lists(TEXTS | LONG | WRAPPED, max_size=3).map(" ".join))
    def test_made_texts(self, text: str) -> None:
        self.check(text)

    @given(st.text(max_size=300).filter(lambda text: not any("\ud800" <= char <= "\udfff" for char in text)))
    def test_any_text(self, text: str) -> None:
        self.check(text)

    def test_each_character(self) -> None:
        for code in (*range(0x3100), *range(0xA640, 0xAB70), *range(0xF900, 0x10500), *range(0x1D400, 0x1D800)):
            if not 0xD800 <= code <= 0xDFFF:
                self.check(f"a {chr(code)} bcd2{chr(code)}")
                if chr(code).isalnum() and code % 9 == 0:
                    self.check(f"{chr(code) * 34}a1")
                    self.check(f"A {chr(code) * 100}")

    @pytest.mark.parametrize("size", [1, 98, 99, 100, 127, 128, 129, 255, 256, 257, 1000])
    def test_lengths(self, size: int) -> None:
        for text in ("a" * size, "1" * size, "a." * size, "é" * size, "日" * size, "İ" * size, "aΣ" * size):
            self.check(text)
            self.check(" \n".join(text))

    @pytest.mark.parametrize("size", [*range(7, 18), 31, 32, 33])
    @pytest.mark.parametrize("around", ["", "a" * (LONG_TEXT - 8), ". b" * LONG_TEXT])
    def test_each_character_at_each_place_of_a_stride(self, size: int, around: str) -> None:
        """Texts are looked at sixteen bytes at a time, but for those that are not plain ASCII."""
        for odd in (*ODD, *(first + second for first in ODD for second in (" ", "\n", "\u2019", "\u3000"))):
            for place in range(size + 1):
                inner = "abcdefghijklmnopq7rstuvwxyz012345"[:size]
                text = inner[:place] + odd + inner[place:]
                self.check(text + around)
                self.check(around + text)

    @given(st.text(alphabet="aB_ .7", max_size=LONG_TEXT) | st.text(alphabet="aB_ .7é\u2019日٣", max_size=LONG_TEXT))
    def test_words_and_numbers(self, text: str) -> None:
        self.check(text)

    def test_numbers_across_the_ends_of_strides(self) -> None:
        for place in range(34):
            for number in (
                "1",
                "1.2",
                "12, 345 6",
                "1234567890123456789",
                "1" + " " * 20 + "2",
                "1_2",
                "7é8",
                "7\u20198",
            ):
                for rest in ("", "b", " bcd", ".bcde 7"):
                    self.check("a" * place + number + rest)
                    self.check("-" * place + number + rest)

    @pytest.mark.parametrize("size", range(1, 50))
    def test_runs_of_white_space(self, size: int) -> None:
        """Across the ends of strides, at the beginning, at the end and within, of short texts and of long ones."""
        for run in (
            " " * size,
            "\n" + " " * size,
            "\n" * size,
            " \t" * size,
            " " * size + "\u2003",
            " " * size + "\x1c",
        ):
            for place in range(18):
                for text in ("a" * place + run + "b", "é" + "a" * place + run + "b" * LONG_TEXT):
                    self.check(text)
                    self.check(text + run)
                    self.check(run + text + "7")

    @pytest.mark.parametrize("char", ["a", "A", "7", "_", "\u2019", "é", "É", "Σ", "İ", "日", "\U0001d7ce"])
    def test_texts_that_are_nearly_long(self, char: str) -> None:
        for count in range(LONG_TEXT - 3, LONG_TEXT + 4):
            for other in ("", ".", " . ", " \n ", "\xa0", "a", "\u2019", "日", "Σ", "İ"):
                self.check(char * (count - 1) + other)
                self.check(other + "A 12, b" + char * (count - 5))

    @pytest.mark.parametrize("mark", [".", "—", "\U0001f327", "\u0301", "\x00", "\x7f", "\u200b"])
    def test_long_texts_without_words(self, mark: str) -> None:
        for text in (mark * LONG_TEXT, f"{mark} " * LONG_TEXT, f"{mark}\u2003\n" * LONG_TEXT):
            assert words_of(text) is None
            for added in ("", "a", "é", "日"):
                self.check(text + added)
                self.check(added + text)

    def test_how_many_bytes_a_character_takes(self) -> None:
        """CJK characters count three times from so many bytes a character on, in whatever case the others are."""
        for count in range(3, 60):
            for other in ("a", "Ａ", "É", "K", "a b"):
                self.check("日" * 6 + other * count + "." * LONG_TEXT)

    @pytest.mark.parametrize("size", [2**16 - 1, 2**16, 2**16 + 1, 2**21 + 1])
    def test_huge_texts(self, size: int) -> None:
        for text in ("a" * size, "a" + " " * size + "b", "a\n" * (size // 2), "é" + "\u2003" * size + "7"):
            self.check(text)


@pytest.mark.usefixtures("both_walks")
def test_names_that_hide_are_told_whatever_stands_around_them() -> None:
    for name in UNSEEN_NAMES:
        root = parse(f"<p>a <span class='x {name.upper()} y'>b</span></p>")
        assert [block.text for block in Reader().outline(root).blocks] == ["a"]


@pytest.mark.usefixtures("both_walks")
def test_names_like_those_that_hide_do_not() -> None:
    near = {name[:size] for name in UNSEEN_NAMES for size in range(1, len(name))} - UNSEEN_NAMES
    near |= {name[:place] + "q" + name[place + 1 :] for name in UNSEEN_NAMES for place in range(len(name))}
    near |= {f"{name}{name}" for name in UNSEEN_NAMES} | {f"{name}-{'y' * 60}" for name in UNSEEN_NAMES}
    for value in (*near, "std std-ref", "s", "", "u- s\tr-only", "xr-only", "s\N{KELVIN SIGN}-only"):
        root = parse(f"<p>a <span class='{value}'>b</span></p>")
        assert [block.text for block in Reader().outline(root).blocks] == ["a b"]

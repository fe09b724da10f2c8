"""Where elements stand, what is known of their places, and when that is forgotten."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given

from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.core.evidence.classes import Profile
from scrapy_stemmer.core.evidence.head import Head
from scrapy_stemmer.core.evidence.names import Hint
from scrapy_stemmer.core.evidence.outline import Outline, Shape
from scrapy_stemmer.core.evidence.paths import ROOT, PathTree
from scrapy_stemmer.core.evidence.places import MAX_DEPTH, Place, Places, Within
from scrapy_stemmer.core.evidence.walk import outline_of
from tests.core.evidence.made import outline
from tests.strategies import markup


def places_of(html: str, names: frozenset[str] | None = None) -> list[Place]:
    return Places(PathTree(), names).of(outline(html))


def by_text(html: str) -> dict[str, Place]:
    """The place of each text."""
    page = outline(html)
    places = Places(PathTree(), None).of(page)
    return {block.text: places[block.node] for block in page.blocks}


def test_each_element_of_a_page_has_a_place() -> None:
    body, div, first, second = places_of("<div id=a><p>x</p><p>y</p></div>")
    assert (body.above, body.tag, body.path, body.depth) == (None, "body", ROOT, 0)
    assert (div.above, div.tag, div.depth) == (body, "div", 1)
    assert first is second
    assert (first.above, first.depth) == (div, 2)


def test_pages_share_places() -> None:
    places = Places(PathTree(), None)
    one, other = (places.of(outline(f"<div><p>{text}</p></div>")) for text in ("x", "y"))
    assert one == other
    assert len(places) == 3


def test_places_of_one_path_differ_in_names_that_do_not_count() -> None:
    _, first, second = places_of("<p class=x>a</p><p class='y share'>b</p>", frozenset())
    assert first is not second
    assert first.path == second.path
    assert (first.own_hints, second.own_hints) == (0, Hint.SOCIAL)


def test_bodies_share_a_place_whatever_their_names() -> None:
    places = Places(PathTree(), None)
    (one,), (other,) = (places.of(outline(f"<body class={name}>x</body>")) for name in ("a", "b"))
    assert one is other
    assert one.path == ROOT


class TestShared:
    """Elements of which the same is told share a place, and all in them do."""

    def test_where_pages_name_elements_after_themselves(self) -> None:
        places = Places(PathTree(), frozenset({".story"}))
        pages = [
            places.of(outline(f"<body id=page-{n}><div class='story post-{n}'><p id=p{n}>x</p></div></body>"))
            for n in range(3)
        ]
        assert len({tuple(map(id, page)) for page in pages}) == 1

    def test_each_element_is_counted_for_they_are_all_remembered(self) -> None:
        places = Places(PathTree(), frozenset())
        for number in range(3):
            places.of(outline(f"<div id=a{number}><p>x</p></div>"))
        assert len(places) == 1 + 3 + 1

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("<div class=story>x</div>", "<div>x</div>"),
            ("<div>x</div>", "<section>x</section>"),
            ("<div>x</div>", "<div class=share>x</div>"),
            ("<div>x</div>", "<div role=main>x</div>"),
            ("<div>x</div>", "<div role=search>x</div>"),
            ("<div>x</div>", "<div hidden>x</div>"),
        ],
    )
    def test_not_where_anything_tells_them_apart(self, one: str, other: str) -> None:
        places = Places(PathTree(), frozenset({".story"}))
        assert places.of(outline(one))[1] is not places.of(outline(other))[1]

    def test_whatever_role_says_nothing(self) -> None:
        places = Places(PathTree(), frozenset())
        assert places.of(outline("<div>x</div>"))[1] is places.of(outline("<div role=group>x</div>"))[1]

    def test_after_others_were_forgotten(self) -> None:
        places = Places(PathTree(), frozenset())
        body, div, inner, _ = places.of(outline("<div id=a1><p>x</p></div><ul>y</ul>"))
        places.of(outline("<div id=a2><p>x</p></div>"))
        met = places.keep({div.path}, {body.path})
        assert len(places) == 1 + 2 + 1
        assert {shape.id for shape in met} == {"", "a1", "a2"}
        assert places.of(outline("<div id=a3><p id=b>x</p></div>")) == [body, div, inner]


SITE = """<body><nav class=menu><ul><li>a</li></ul></nav><div role=main><div class=share><p>b</p></div></div>
<div role=complementary><p>c</p></div><div class=comments><div><div><div>d</div></div></div></div></body>"""


def test_names_and_roles_around_a_block() -> None:
    found = by_text(SITE)
    assert found["a"].in_chrome
    assert found["a"].within == Within.NAV | Within.LIST
    assert found["b"].within == Within.MAIN
    assert (found["b"].hinted, found["b"].hinted_near) == (1, True)
    assert found["c"].in_boilerplate_role
    assert not found["b"].in_boilerplate_role
    assert (found["d"].hinted, found["d"].hinted_near) == (1, False)


def test_near_is_an_element_and_two_around_it() -> None:
    found = places_of("<div class=share><div><div><p>x</p></div></div></div>")
    assert [place.hinted_near for place in found] == [False, True, True, True, False]


@pytest.mark.parametrize(
    ("tag", "within"),
    [
        ("main", Within.MAIN),
        ("article", Within.ARTICLE),
        ("nav", Within.NAV),
        ("aside", Within.ASIDE),
        ("footer", Within.FOOTER),
        ("header", Within.HEADER),
        ("figure", Within.FIGURE),
        ("figcaption", Within.FIGCAPTION),
        ("form", Within.FORM),
        ("ul", Within.LIST),
        ("ol", Within.LIST),
        ("dl", Within.LIST),
    ],
)
def test_elements_that_a_block_stands_in(tag: str, within: int) -> None:
    assert by_text(f"<{tag}><div>x</div></{tag}>")["x"].within == within


def test_the_names_of_the_body_say_nothing() -> None:
    (body,) = places_of("<body class='share menu' role=navigation>x</body>")
    assert (body.hinted, body.hinted_near, body.in_chrome, body.in_boilerplate_role) == (0, False, False, False)


def test_elements_deeper_than_any_real_page_s_share_a_path() -> None:
    page = outline("<div>" * 300 + "deep" + "</div>" * 300)
    paths = PathTree()
    places = Places(paths, None).of(page)
    assert len(places) == 301
    assert len(paths) == MAX_DEPTH
    assert places[-1].path == places[MAX_DEPTH].path == MAX_DEPTH - 1
    assert places[-1].depth == 300


def test_what_blocks_there_are_like_is_not_known_before_they_are_weighed() -> None:
    found = places_of("<p>a</p><div><p>b</p></div>")
    assert {(place.profile, place.level, place.base) for place in found} == {(Profile(), -1, None)}


def test_20_000_nested_elements() -> None:
    shapes = [Shape("body"), *[Shape("div")] * 20_000]
    places = Places(PathTree(), None).of(Outline(shapes, range(-1, 20_000), [], Head()))
    assert places[-1].depth == 20_000


class TestPathBelow:
    """The path of an element, without its place."""

    def test_of_a_path_that_is_known(self) -> None:
        """Whether its place is known or not: two places may be of one path."""
        paths = PathTree([(-1, "body"), (0, "div.story")])
        places = Places(paths, frozenset({".story"}))
        body = places.body(Shape("body"))
        assert places.path_below(body, Shape("div", classes=("story", "x"))) == 1
        assert len(places) == 1
        assert places.below(body, Shape("div", classes=("story", "x"))).path == 1
        assert places.path_below(body, Shape("div", classes=("story", "x"))) == 1

    def test_of_any_other_there_is_none_and_none_is_made(self) -> None:
        paths = PathTree()
        places = Places(paths, frozenset())
        assert places.path_below(places.body(Shape("body")), Shape("div")) is None
        assert (len(paths), len(places)) == (1, 1)

    def test_of_elements_deeper_than_any_real_page_s_it_is_that_around_them(self) -> None:
        places = Places(PathTree(), frozenset())
        place = places.body(Shape("body"))
        for depth in range(1, MAX_DEPTH + 5):
            assert places.path_below(place, Shape("div")) == (None if depth < MAX_DEPTH else place.path)
            place = places.below(place, Shape("div"))

    @given(markup())
    def test_it_is_that_of_the_place(self, drawn: tuple[str, str]) -> None:
        page = outline_of(parse(f"<body>{drawn[0]}</body>"))
        known = Places(PathTree(), None)
        known.of(page)
        places = Places(known.paths, None)
        found: list[Place] = []
        for shape, parent in zip(page.shapes, page.parents, strict=True):
            path = ROOT if parent < 0 else places.path_below(found[parent], shape)
            found.append(places.body(shape) if parent < 0 else places.below(found[parent], shape))
            assert path == found[-1].path


def test_threads_share_places() -> None:
    """Each path has one number, and each element one place, whoever comes first."""
    pages = [outline("".join(f"<div class=a{'x' * n}><p>x</p><dl>y</dl></div>" for n in range(200)))] * 8
    paths = PathTree()
    places = Places(paths, None)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(places.of, pages))
    assert all(one == found[0] for one in found)
    assert len(set(paths.rows)) == len(paths) == 601


@given(markup())
def test_places_say_of_any_page_what_its_elements_do(drawn: tuple[str, str]) -> None:
    page = outline_of(parse(f"<body>{drawn[0]}</body>"))
    paths = PathTree()
    places = Places(paths, None).of(page)
    for place, shape, parent in zip(places, page.shapes, page.parents, strict=True):
        assert place.tag == shape.tag == paths.tag(place.path)
        if parent >= 0:
            assert place.above is places[parent]
            assert paths.parent(place.path) == places[parent].path
            assert place.within & places[parent].within == places[parent].within


class TestKeep:
    """What a learned pattern keeps of the places of its sample."""

    HTML = "<nav><ul><li>Home</li></ul></nav><div id=a><div id=b><p>x</p></div><aside>y</aside></div>"

    def kept(self) -> tuple[Places, dict[str, Place], set[Shape]]:
        places, page = Places(PathTree(), None), outline(self.HTML)
        of_page = {shape.id or shape.tag: place for shape, place in zip(page.shapes, places.of(page), strict=True)}
        for place in of_page.values():
            place.base = 1.0
        return places, of_page, places.keep({of_page["b"].path}, {ROOT, of_page["a"].path})

    def test_what_leads_to_the_targets_and_what_lies_in_them(self) -> None:
        places, of_page, _ = self.kept()
        assert list(of_page["body"].below.values()) == [of_page["a"]]
        assert list(of_page["a"].below.values()) == [of_page["b"]]
        assert list(of_page["b"].below.values()) == [of_page["p"]]
        assert len(places) == 4

    def test_profiles_are_looked_up_again(self) -> None:
        _, of_page, _ = self.kept()
        assert [of_page[name].base for name in ("body", "a", "b", "p")] == [None] * 4

    def test_the_elements_beside_the_ways_are_told_too(self) -> None:
        """They are met on each page, and passed by."""
        shapes = self.kept()[2]
        assert sorted(shape.id or shape.tag for shape in shapes) == ["a", "aside", "b", "body", "nav", "p"]

    def test_what_was_forgotten_is_found_again_under_the_same_path(self) -> None:
        places, of_page, _ = self.kept()
        page = outline(self.HTML)
        again = {shape.id or shape.tag: place for shape, place in zip(page.shapes, places.of(page), strict=True)}
        assert {name: place.path for name, place in again.items()} == {n: p.path for n, p in of_page.items()}
        assert again["b"] is of_page["b"]
        assert again["li"] is not of_page["li"]


@pytest.fixture
def without_collection() -> Iterator[None]:
    """What is gone is gone by itself."""
    gc.disable()
    yield
    gc.enable()


class Note(float):
    """A number that can be told to be gone."""


@pytest.mark.usefixtures("without_collection")
class TestGone:
    """Places refer to each other, and are gone with their site without help of the garbage collector."""

    def notes(self, places: list[Place]) -> list[weakref.ref[Note]]:
        """Something that goes with each place."""
        notes = [Note(number) for number in range(len(places))]
        for place, note in zip(places, notes, strict=True):
            place.base = note
        return [weakref.ref(note) for note in notes]

    def test_with_their_site(self) -> None:
        names = frozenset({".story"})
        site, known = Places(PathTree(), names), weakref.ref(names)
        notes = self.notes(site.of(outline("<div class=story><ul><li>x</ul></div><p>y")))
        assert all(note() is not None for note in notes)
        del site, names
        assert [note() for note in notes] == [None] * 5
        assert known() is None

    def test_but_for_those_of_a_page_in_hand(self) -> None:
        site = Places(PathTree(), None)
        places = site.of(outline("<div><p>x</p></div>"))
        del site
        assert [place.tag for place in places] == ["body", "div", "p"]
        assert places[2].above is places[1]

    def test_when_they_are_forgotten(self) -> None:
        site = Places(PathTree(), None)
        body, div, inner, other = site.of(outline("<div><p>x</p></div><ul>y</ul>"))
        notes = self.notes([div, inner, other])
        target = other.path
        del div, inner, other
        site.keep({target}, {body.path})
        assert [note() is None for note in notes[:2]] == [True, True]
        assert [place.path for place in body.below.values()] == [target]

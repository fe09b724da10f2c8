"""Where on a page its text lies."""

from __future__ import annotations

import pytest

from scrapy_stemmer.core.evidence.model import Reading
from scrapy_stemmer.core.evidence.paths import ROOT, PathTree
from scrapy_stemmer.core.evidence.region import (
    COMMON,
    around_text,
    climbed,
    dominant_paths,
    element_values,
    further_regions,
    own_unit_of,
    region_by_complement,
    region_by_vote,
    region_mass,
    unit_of,
    value_of,
    votes_of,
)
from scrapy_stemmer.core.evidence.sums import ElementSums, element_sums
from tests.core.evidence.made import TOPICS, prose, reading, site, story

PAGE = f"<body><nav>Home</nav><div id=a><div id=b><p>{prose('rain', 1)}</p><p>{prose('snow', 2)}</p></div></div></body>"


def paths_and_values(html: str = PAGE) -> tuple[Reading, ElementSums]:
    found = reading(html)
    return found, element_values(found.outline, found.evidence, 1.0)


def test_the_value_of_an_element_is_that_of_its_blocks() -> None:
    found, values = paths_and_values()
    assert values[0] == pytest.approx(sum(value_of(one, 1.0) for one in found.evidence))
    text = next(one for one in found.evidence if one.tag == "p")
    assert value_of(text, 1.0) == pytest.approx((text.odds - 1.0 + unit_of(text)) * text.mass)
    assert value_of(text, text.odds + 1.0) == 0.0


def test_a_page_votes_for_what_holds_its_text() -> None:
    found, values = paths_and_values()
    votes = {
        found.paths.text(path): vote for path, vote in votes_of(values.highest, values.by_path(found.places)).items()
    }
    assert votes["body/div#a/div#b"] == 1.0
    assert votes["body/div#a"] == 1.0
    assert 0.9 < votes["body"] < 1.0
    assert "body/nav" not in votes


def test_a_page_without_any_value_does_not_vote() -> None:
    assert votes_of(-1.0, {ROOT: -1.0}) == {}


def region(found: Reading, values: ElementSums, votes: dict[int, float]) -> str:
    return found.paths.text(region_by_vote(found.paths, found.places, values, values.by_path(found.places), votes))


def test_of_the_paths_with_nearly_the_most_votes_the_deepest_wins() -> None:
    found, values = paths_and_values()
    names = {found.paths.text(path): path for path in range(len(found.paths))}
    a, b = names["body/div#a"], names["body/div#a/div#b"]
    assert region(found, values, {ROOT: 5.0, a: 5.0, b: 4.2}) == "body/div#a/div#b"
    assert region(found, values, {ROOT: 5.0, a: 5.0, b: 3.9}) == "body/div#a"


def test_votes_for_a_path_without_text_here_do_not_count() -> None:
    found, values = paths_and_values()
    nav = next(place.path for place in found.places if place.tag == "nav")
    assert region(found, values, {nav: 9.0, ROOT: 1.0}) == "body"


def test_without_votes_the_page_s_best_element_is_taken() -> None:
    found, values = paths_and_values()
    assert region(found, values, {}).startswith("body")
    assert region(found, element_sums(found.outline.parents), {}) == "body"


def test_a_region_is_no_piece_of_text() -> None:
    paths = PathTree()
    table = paths.child(paths.child(paths.child(ROOT, "div"), "section"), "table")
    cell = paths.child(paths.child(paths.child(table, "tbody"), "tr.odd"), "td#x")
    assert around_text(paths, cell) == table
    assert around_text(paths, paths.child(ROOT, "p")) == ROOT


def test_climbing_stops_below_the_body() -> None:
    paths = PathTree()
    a = paths.child(ROOT, "a-a")
    b = paths.child(a, "b-b")
    c = paths.child(b, "c-c")
    assert climbed(paths, c, {c: 100.0, b: 105.0, a: 130.0, ROOT: 900.0}) == a
    assert climbed(paths, c, {c: 100.0, b: 105.0, a: 109.0}) == c


def units(html: str) -> dict[str, tuple[float, float]]:
    return {found.block.text: (unit_of(found), own_unit_of(found)) for found in reading(html).evidence}


def test_the_plainest_evidence() -> None:
    found = units(
        "<p>free</p><nav>nav</nav><footer>footer</footer><aside>aside</aside><div role=search>role</div>"
        "<div class=menu>menu</div><div class=comment>comment</div><div class=teaser><a>teaser</a></div>"
        "<div hidden>hidden</div>"
    )
    assert found == {
        "free": (1.0, 1.0),
        "nav": (-1.0, -1.0),
        "footer": (-1.0, -1.0),
        "aside": (1.0, -1.0),
        "role": (-1.0, -1.0),
        "menu": (-0.5, -0.5),
        "comment": (0.3, 1.0),
        "teaser": (0.2, 1.0),
        "hidden": (-1.0, -1.0),
    }


def test_text_that_returns_on_few_pages_is_a_page_s_own_only_where_it_is_no_article() -> None:
    pages = [story(topic) for topic in (*TOPICS, "festival")]
    pages[1] = pages[1].replace("</div>", "<p>Stay inside, they said.</p></div>")
    pages[2] = pages[2].replace("</div>", "<p>Stay inside, they said.</p></div>")
    found = reading(pages[1], site(pages)).evidence
    twice = next(one for one in found if one.block.text == "Stay inside, they said.")
    assert (twice.repeated, twice.repeated_share) == (True, 2 / 7)
    assert (unit_of(twice), own_unit_of(twice)) == (-1.0, 1.0)


def test_of_two_parts_of_a_page_s_text_neither_is_all_of_it() -> None:
    found = reading(f"<main><div id=a><p>{prose('rain', 1)}</p></div><div id=b><p>{prose('snow', 2)}</p></div></main>")
    path, _ = region_by_complement(found.paths, found.outline, found.places, found.evidence, is_open=False)
    assert found.paths.text(path) == "body/main"


@pytest.mark.parametrize("is_open", [False, True])
def test_the_deepest_element_with_nearly_all_own_text(is_open: bool) -> None:
    found = reading(PAGE)
    path, value = region_by_complement(found.paths, found.outline, found.places, found.evidence, is_open=is_open)
    assert found.paths.text(path) == "body/div#a/div#b"
    assert value == sum(one.mass for one in found.evidence if one.tag == "p")


def test_further_regions_have_half_of_the_votes_and_stand_apart() -> None:
    paths = PathTree()
    first, second, third = (paths.child(0, f"div.{name}") for name in ("a", "b", "c"))
    text = paths.child(second, "p")
    sums = {0: 900.0, first: 400.0, second: 300.0, text: 300.0, third: 200.0}
    votes = {first: 3.0, second: 1.5, text: 1.5, third: 1.4}
    assert further_regions(paths, first, sums, votes) == [second]
    assert further_regions(paths, first, {**sums, second: 100.0, text: 100.0}, votes) == []
    assert further_regions(paths, 0, sums, votes) == []
    assert further_regions(paths, first, sums, {}) == []
    assert further_regions(paths, third, sums, {**votes, third: 3.0}) == [first, second]


def test_the_weights_of_a_region_by_place() -> None:
    pages = [story(topic, inside=f"<p>{prose('rain', 1)} <a href=/>all of it</a></p>") for topic in TOPICS]
    found = reading(story("festival", inside="<p>They <a href=/>came</a></p>"), site(pages))
    for blocks in (found.evidence, []):
        mass = region_mass(blocks, 0.5)
        assert mass.weight == sum(one.block.weight for one in blocks)
        assert mass.own == sum(one.block.weight for one in blocks if not one.repeated)
        assert mass.linked == sum(one.block.anchor_weight for one in blocks if not one.repeated)
        assert set(mass.places) == {one.place for one in blocks}
        for place, of_place in mass.places.items():
            assert of_place.text == sum(one.block.weight for one in blocks if one.place is place and one.odds > 0.5)
            assert of_place.own == sum(one.mass for one in blocks if one.place is place and one.repeated_share < COMMON)


def test_dominant_paths_have_a_good_share_of_the_text() -> None:
    found = reading(story("storm", inside="<ul><li>rain</li></ul>"), site())
    dominant = dominant_paths(region_mass(found.evidence, 0.0))
    assert {found.paths.text(path) for path in dominant} == {"body/div.story/p"}
    assert dominant_paths(region_mass(found.evidence, 99.0)) == frozenset()

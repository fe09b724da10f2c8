"""The log-odds of a block by itself: what each piece of evidence adds."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from scrapy_stemmer.core.evidence.classes import LONG, Profile
from scrapy_stemmer.core.evidence.names import Hint
from scrapy_stemmer.core.evidence.outline import TextBlock
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.core.evidence.prior import (
    MAX_DEPTH,
    PRIOR,
    Evidence,
    Place,
    Within,
    clipped,
    is_hinted_near,
    places_of,
    prior_of,
)
from tests.core.evidence.made import outline, reading


def evidence(
    weight: int = 40,
    *,
    tag: str = "div",
    links: int = 0,
    marks: int = 0,
    repeated: float = 0.0,
    within: int = 0,
    profile: Profile | None = None,
) -> Evidence:
    block = TextBlock(0, "x" * weight, "x" * weight, weight, links, marks)
    place = Place(0, within, 0, 0, False, False)
    return Evidence(block, place, tag, bool(repeated), repeated, False, profile or Profile())


def added(found: Evidence) -> float:
    """What a block has more than a plain one of the same weight."""
    return prior_of(found) - prior_of(evidence(found.block.weight))


def test_a_block_of_one_letter_has_the_bias_alone() -> None:
    assert prior_of(evidence(1)) == PRIOR.bias


def test_longer_blocks_are_likelier_text() -> None:
    odds = [prior_of(evidence(weight)) for weight in (1, 5, 20, 59, LONG, 500)]
    assert odds == sorted(odds)


def test_what_speaks_for_a_block() -> None:
    assert added(evidence(tag="p")) == pytest.approx(1.1)
    assert added(evidence(tag="pre")) == pytest.approx(0.5)
    assert added(evidence(marks=4)) == pytest.approx(0.04)
    assert added(evidence(within=Within.MAIN | Within.ARTICLE)) == pytest.approx(0.6)


def test_what_speaks_against_it() -> None:
    assert added(evidence(links=20)) == pytest.approx(-0.4)
    assert added(evidence(repeated=0.5)) == pytest.approx(-1.7 - 0.75 - 1.4 * 40 / 60)
    assert added(evidence(within=Within.FIGURE)) == pytest.approx(-2.3)
    assert added(evidence(profile=Profile(static=1.0, link=1.0))) == pytest.approx(-2.1)


def test_repeated_text_counts_more_the_longer_it_is_up_to_a_point() -> None:
    short, long, longer = (added(evidence(weight, repeated=0.5)) for weight in (6, LONG, 10 * LONG))
    assert short > long == pytest.approx(longer)


@pytest.mark.parametrize("within", [2**bit for bit in range(9)])
def test_each_element_around_a_block_counts_once(within: int) -> None:
    assert added(evidence(within=within)) != 0.0
    assert added(evidence(within=within | Within.LIST)) == added(evidence(within=within))


SITE = """<body><nav class=menu><ul><li>a</li></ul></nav><div role=main><div class=share><p>b</p></div></div>
<div role=complementary><p>c</p></div><div class=comments><div><div><div>d</div></div></div></div></body>"""


def test_names_and_roles_around_a_block_count() -> None:
    found = {block.block.text: block for block in reading(SITE).evidence}
    assert found["a"].place.in_chrome
    assert found["a"].place.within == Within.NAV | Within.LIST
    assert found["b"].place.within == Within.MAIN
    assert (found["b"].place.hinted, found["b"].hinted_near) == (1, True)
    assert found["c"].place.in_boilerplate_role
    assert (found["d"].place.hinted, found["d"].hinted_near) == (1, False)


def test_names_count_by_how_near_they_are() -> None:
    place = Place(0, 0, 0, 1, False, False)
    far = replace(evidence(), place=place)
    near = replace(far, hinted_near=True)
    itself = replace(near, place=replace(place, own_hints=Hint.SOCIAL))
    assert [added(found) for found in (far, near, itself)] == pytest.approx([-1.0, -2.0, -2.8])
    assert added(replace(far, place=replace(place, hinted=3))) == added(replace(far, place=replace(place, hinted=9)))


def test_every_weight_is_used() -> None:
    """All measures of this block are positive, so that no weight can be changed without effect."""
    place = Place(0, 2**9 - 1, Hint.SOCIAL, 1, True, True)
    profile = Profile(0.5, 0.5, 0.5)
    by_tag = [
        replace(evidence(LONG, tag=tag, links=9, marks=3, repeated=0.5), place=place, profile=profile, hinted_near=True)
        for tag in ("p", "pre")
    ]
    for field in fields(PRIOR):
        other = replace(PRIOR, **{field.name: getattr(PRIOR, field.name) + 1.0})
        assert any(prior_of(found, other) > prior_of(found) for found in by_tag), field.name


def test_near_is_an_element_and_two_around_it() -> None:
    page = outline("<div class=share><div><div><p>x</p></div></div></div>")
    places = places_of(page, PathTree(), [(node.tag, Hint.SOCIAL * ("share" in node.classes)) for node in page.nodes])
    assert [is_hinted_near(page, places, node) for node in range(5)] == [False, True, True, True, False]


def test_elements_deeper_than_any_real_page_s_share_a_path() -> None:
    page = outline("<div>" * 300 + "deep" + "</div>" * 300)
    paths = PathTree()
    places = places_of(page, paths, [(node.tag, 0) for node in page.nodes])
    assert len(page.nodes) == 301
    assert len(paths) == MAX_DEPTH
    assert places[-1].path == places[MAX_DEPTH].path == MAX_DEPTH - 1


@pytest.mark.parametrize(("value", "result"), [(9.0, 4.0), (-9.0, -4.0), (1.5, 1.5)])
def test_clipped(value: float, result: float) -> None:
    assert clipped(value) == result


def test_measures_of_a_block() -> None:
    assert evidence(40, links=10).link == 0.25
    assert (evidence(40).mass, evidence(900).mass) == (40, 300)

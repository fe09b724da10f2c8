"""The log-odds of a block by itself: what each piece of evidence adds."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from scrapy_stemmer.core.evidence.classes import LONG, Profile
from scrapy_stemmer.core.evidence.names import Hint
from scrapy_stemmer.core.evidence.outline import Shape, TextBlock
from scrapy_stemmer.core.evidence.places import Place, Within
from scrapy_stemmer.core.evidence.prior import (
    PRIOR,
    Evidence,
    block_odds,
    clipped,
    place_odds,
    prior_of,
    with_class,
)


def a_place(tag: str = "div", **known: object) -> Place:
    """A place in the body, with some of what is known of it set."""
    found = Place(Place(None, Shape("body"), 0, 0), Shape(tag), 1, 0)
    for name, value in known.items():
        setattr(found, name, value)
    return found


def evidence(
    weight: int = 40, *, links: int = 0, repeated: float = 0.0, place: Place | None = None, **known: object
) -> Evidence:
    """A block of a weight; ``known`` is of its place."""
    block = TextBlock(0, "x" * weight, weight, 0, links, 0, 0, False, False)
    return Evidence(block, place or a_place(**known), repeated)  # type: ignore[arg-type]


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
    assert added(evidence(within=Within.MAIN | Within.ARTICLE)) == pytest.approx(0.6)


def test_what_speaks_against_it() -> None:
    assert added(evidence(links=20)) == pytest.approx(-0.4)
    assert added(evidence(repeated=0.5)) == pytest.approx(-1.7 - 0.75 - 1.4 * 40 / 60)
    assert added(evidence(within=Within.FIGURE)) == pytest.approx(-2.3)
    assert added(evidence(profile=Profile(static_share=1.0, link_share=1.0))) == pytest.approx(-2.1)


def test_repeated_text_counts_more_the_longer_it_is_up_to_a_point() -> None:
    short, long, longer = (added(evidence(weight, repeated=0.5)) for weight in (6, LONG, 10 * LONG))
    assert short > long == pytest.approx(longer)


@pytest.mark.parametrize("within", [2**bit for bit in range(9)])
def test_each_element_around_a_block_counts_once(within: int) -> None:
    assert added(evidence(within=within)) != 0.0
    assert added(evidence(within=within | Within.LIST)) == added(evidence(within=within))


def test_names_count_by_how_near_they_are() -> None:
    far = evidence(hinted=1)
    near = evidence(hinted=1, hinted_near=True)
    itself = evidence(hinted=1, hinted_near=True, own_hints=Hint.SOCIAL)
    assert [added(found) for found in (far, near, itself)] == pytest.approx([-1.0, -2.0, -2.8])
    assert added(evidence(hinted=3)) == added(evidence(hinted=9))


@pytest.mark.parametrize("hint", [Hint.SUBTITLE, Hint.REVIEW, Hint.HIDDEN])
def test_names_that_are_not_against_a_block_as_such(hint: int) -> None:
    assert added(evidence(own_hints=hint)) == 0.0


def rich(tag: str) -> Evidence:
    """A block of which all measures are positive."""
    return evidence(
        LONG,
        links=9,
        repeated=0.5,
        tag=tag,
        within=2**9 - 1,
        own_hints=Hint.SOCIAL,
        hinted=1,
        hinted_near=True,
        in_boilerplate_role=True,
        profile=Profile(0.5, 0.5, 0.5),
    )


def test_every_weight_is_used() -> None:
    """No weight can be changed without effect."""
    for field in fields(PRIOR):
        other = replace(PRIOR, **{field.name: getattr(PRIOR, field.name) + 1.0})
        assert any(prior_of(found, other) > prior_of(found) for found in map(rich, ("p", "pre"))), field.name


def test_a_prior_is_the_odds_of_the_place_and_those_of_the_block() -> None:
    found = rich("p")
    assert prior_of(found) == place_odds(found.place) + block_odds(found.block, 0.5)
    assert place_odds(found.place) == prior_of(evidence(1, place=found.place))
    assert block_odds(found.block, 0.0) > block_odds(found.block, 0.5)


@pytest.mark.parametrize(
    ("prior", "worth", "odds"),
    [(1.0, None, 1.0), (9.0, None, 4.0), (1.0, 2.0, 1.5), (9.0, 2.0, 3.0), (-9.0, 0.0, -2.0)],
)
def test_half_of_the_odds_are_the_class_s(prior: float, worth: float | None, odds: float) -> None:
    assert with_class(prior, worth) == odds


@pytest.mark.parametrize(("value", "result"), [(9.0, 4.0), (-9.0, -4.0), (1.5, 1.5)])
def test_clipped(value: float, result: float) -> None:
    assert clipped(value) == result


def test_measures_of_a_block() -> None:
    assert evidence(40, links=10).link == 0.25
    assert (evidence(40).mass, evidence(900).mass) == (40, 300)


def test_a_block_says_of_its_place() -> None:
    found = evidence(tag="p", path=7, profile=Profile(0.5))
    assert (found.tag, found.path, found.profile) == ("p", 7, Profile(0.5))


@pytest.mark.parametrize(("share", "repeated"), [(0.0, False), (0.01, True), (1.0, True)])
def test_a_block_that_some_other_pages_have_is_repeated(share: float, repeated: bool) -> None:
    assert evidence(repeated=share).repeated is repeated

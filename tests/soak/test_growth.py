"""Growth of time with a page's size, by construct and output: the short form of the soak."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.soak import growth
from tests.soak.growth import CONSTRUCTS, MORE, OUTPUTS, Growth, Seconds, grown
from tests.soak.hostile import PAGES

SIZES = 2_000, 20_000
"""Characters of pages: few for speed; the allowance for noise is larger in turn."""

PARTS = 4

LEARNED = (
    "classes",
    "headings",
    "nested quotes",
    "table",
    "tables of two cells",
    "unique blocks",
)
"""Constructs whose sites are learned and reported on here, which takes ten times as long as stripping."""


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """Read models and compile expressions, once and untimed."""
    growth.time_page(PAGES["table"](1_000), Seconds())


@pytest.mark.parametrize("part", range(PARTS))
def test_time_grows_with_the_page_in_each_output(part: int) -> None:
    names = sorted({*PAGES, *MORE})[part::PARTS]
    assert not [str(each) for name in names for each in grown(name, SIZES, is_learned=False)]


@pytest.mark.parametrize("name", LEARNED)
def test_time_of_learning_and_reporting_grows_with_the_pages(name: str) -> None:
    assert not [str(each) for each in grown(name, SIZES)]


@pytest.mark.parametrize("output", ["text", "html"])
def test_what_grows_faster_is_found(output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A quadratic loop over elements is too fast a growth."""

    def timed(html: str, seconds: Seconds, **_: bool) -> None:
        seconds.of |= dict.fromkeys(OUTPUTS, 0.03 * len(html) / SIZES[1]) | {"parse": 0}
        seconds.of[output] = 0.03 * (len(html) / SIZES[1]) ** 2

    monkeypatch.setattr(growth, "time_page", timed)
    assert [each.output for each in grown("table", SIZES)] == [output]


def outputs() -> Iterator[str]:
    """Yield the timed outputs of a page."""
    seconds = Seconds()
    growth.time_page(PAGES["table"](1_000), seconds)
    yield from seconds.of


def test_all_outputs_are_timed() -> None:
    assert sorted(outputs()) == sorted(OUTPUTS)


def test_elements_are_constructs_too() -> None:
    assert {"hr side by side", "td in each other", "b open", "footer empty", *PAGES, *MORE} <= CONSTRUCTS.keys()


def test_a_growth_is_bad_above_the_bound_unless_it_is_over_at_once() -> None:
    assert Growth("a", "text", 0.1, 2.6).is_bad
    assert not Growth("a", "text", 0.1, 2.4).is_bad
    assert not Growth("a", "text", 0.0001, 0.01).is_bad
    assert not Growth("a", "parse", 0.1, 2.6).is_bad

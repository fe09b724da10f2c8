"""No construct of a page takes time that grows faster than the page, in whatever output: the short form of the soak."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.soak import growth
from tests.soak.growth import CONSTRUCTS, MORE, OUTPUTS, Growth, Seconds, grown
from tests.soak.hostile import PAGES

SIZES = 4_000, 40_000
"""Characters of pages: few, so that this is quick; the allowance for noise is larger in turn."""

PARTS = 6


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """Read models and compile expressions, once and untimed."""
    growth.time_page(PAGES["table"](1_000), Seconds())


@pytest.mark.parametrize("part", range(PARTS))
def test_time_grows_with_the_page_in_each_output(part: int) -> None:
    found = {name: grown(name, SIZES) for name in sorted({*PAGES, *MORE})[part::PARTS]}
    assert not any(found.values()), "\n".join(str(each) for bad in found.values() for each in bad)


@pytest.mark.parametrize("output", ["text", "html"])
def test_what_grows_faster_is_found(output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A quadratic loop of an eighth of a microsecond a step is one."""

    def timed(html: str, seconds: Seconds, **_: bool) -> None:
        seconds.of[output] = 0.001 + 0.125e-6 * (len(html) / 40) ** 2

    monkeypatch.setattr(growth, "time_page", timed)
    assert [each.output for each in grown("table", SIZES)] == [output]


def outputs() -> Iterator[str]:
    """Yield the outputs that were timed of a page."""
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

"""Growth of time with a page's size, by construct and output: the short form of the soak."""

from __future__ import annotations

import pytest

from tests.soak import growth
from tests.soak.growth import PARSES, grown
from tests.soak.hostile import PAGES

SIZES = 2_000, 20_000
"""Characters of pages: few for speed; the allowance for noise is larger in turn."""

PARTS = 4

LEARNED = ("classes", "headings", "nested quotes", "table", "tables of two cells", "unique blocks")
"""Constructs whose sites are learned and reported on here, which takes ten times as long as stripping."""


@pytest.mark.parametrize("part", range(PARTS))
def test_time_grows_with_the_page_in_each_output(part: int) -> None:
    assert not [str(each) for name in sorted(PAGES)[part::PARTS] for each in grown(name, SIZES, is_learned=False)]


@pytest.mark.parametrize("name", LEARNED)
def test_time_of_learning_and_reporting_grows_with_the_pages(name: str) -> None:
    assert not [str(each) for each in grown(name, SIZES)]


@pytest.mark.parametrize("output", ["text", "html"])
def test_a_quadratic_output_is_found(output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def seconds_of(html: str, times: int, *, is_learned: bool) -> dict[str, float]:
        share = len(html) / SIZES[1]
        return dict.fromkeys(PARSES, 0.03 * share) | {output: 0.03 * share**2}

    monkeypatch.setattr(growth, "seconds_of", seconds_of)
    assert [each.output for each in grown("table", SIZES)] == [output]

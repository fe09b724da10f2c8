"""Pages below each other: sums over many at once are what a walk over each page would give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules.table import Table
from tests.learners.rules.made import facts
from tests.strategies import markup

PAGES = st.lists(markup(3).map(lambda made: f"<div>{made[0]}</div><p>end</p>"), min_size=1, max_size=3)


def line(parents: list[int], element: int) -> list[int]:
    """An element and those around it."""
    found = []
    while element >= 0:
        found.append(element)
        element = parents[element]
    return found


@given(PAGES, st.randoms(use_true_random=False))
def test_sums_over_elements_are_those_of_the_blocks_in_them(htmls: list[str], random: object) -> None:
    table = Table(facts(htmls)[0])
    values = np.array([random.randint(-9, 9) for _ in range(table.blocks)], float)  # type: ignore[attr-defined]
    parents = table.parent.tolist()
    naive = [0.0] * len(parents)
    for element, value in zip(table.element.tolist(), values, strict=True):
        for around in line(parents, element):
            naive[around] += value
    assert table.below(values).tolist() == pytest.approx(naive)


@given(PAGES)
def test_ends_depths_and_bodies(htmls: list[str]) -> None:
    table = Table(facts(htmls)[0])
    parents, ends, depths = table.parent.tolist(), table.end.tolist(), table.depth.tolist()
    for element in range(len(parents)):
        inside = [other for other in range(len(parents)) if element in line(parents, other)]
        assert inside == list(range(element, ends[element]))
        assert depths[element] == len(line(parents, element)) - 1
    bodies = table.first_element[:-1].tolist()
    assert [element for element, parent in enumerate(parents) if parent < 0] == bodies
    assert table.first_block[-1] == table.blocks


@given(PAGES, st.randoms(use_true_random=False))
def test_the_highest_value_around_leaves_bodies_out(htmls: list[str], random: object) -> None:
    table = Table(facts(htmls)[0])
    parents = table.parent.tolist()
    values = [random.choice([0.1, 0.5, 0.9, np.nan]) for _ in parents]  # type: ignore[attr-defined]
    expected = []
    for element in range(len(parents)):
        around = [np.nan_to_num(values[other]) for other in line(parents, element) if parents[other] >= 0]
        expected.append(max([0.0, *around]))
    assert table.highest_around(np.array(values)).tolist() == expected


def test_what_stands_above_a_body_is_the_body() -> None:
    table = Table(facts(["<p>One</p>", "<div><p>Two</p></div>"])[0])
    assert table.above(np.array([0, 1, 2, 3, 4])).tolist() == [0, 0, 2, 2, 3]


def test_sums_by_page_count_pages_without_blocks_too() -> None:
    table = Table(facts(["<p>One</p><p>Two</p>", "<p></p>", "<p>Three</p>"])[0])
    assert table.by_page(np.ones(table.blocks)).tolist() == [2, 0, 1]


def test_no_pages_and_no_blocks() -> None:
    for htmls in ([], ["<p></p>"]):
        table = Table(facts(htmls)[0])
        assert table.blocks == 0
        assert table.below(np.zeros(0)).sum() == 0

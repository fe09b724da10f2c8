"""What the elements of a page are worth: lists in pure Python, numbers of C where they are compiled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.core.evidence import sums as module
from scrapy_stemmer.core.evidence.paths import ROOT
from scrapy_stemmer.core.evidence.places import Place
from scrapy_stemmer.core.evidence.sums import ElementSums, element_sums

MODULES = [
    pytest.param(False, id="pure"),
    pytest.param(True, id="compiled", marks=pytest.mark.skipif(module._sums is None, reason="no C compiler")),
]

PARENTS = [-1, 0, 0, 2, 2]
"""A body with an element beside one that holds two others."""


@pytest.fixture(params=MODULES)
def compiled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """With numbers of C and without, where there are such."""
    if not request.param:
        monkeypatch.setattr(module, "_sums", None)
    return bool(request.param)


def summed(values: list[float], parents: list[int] = PARENTS) -> ElementSums:
    sums = element_sums(parents)
    for element, value in enumerate(values):
        sums.add(element, value)
    sums.sum_up()
    return sums


def test_values_add_up_from_the_leaves_to_the_body(compiled: bool) -> None:
    sums = summed([0.0, 1.0, 0.0, 10.0, -100.0])
    assert (type(sums) is ElementSums) != compiled
    assert [sums[element] for element in range(len(sums))] == [-89.0, 1.0, -90.0, 10.0, -100.0]
    assert (sums.best, sums.highest) == (3, 10.0)


def test_blocks_of_one_element_are_added(compiled: bool) -> None:
    sums = element_sums(PARENTS)
    sums.add(1, 2.0)
    sums.add(1, 3.0)
    assert sums[1] == 5.0
    with pytest.raises(IndexError):
        sums.add(5, 1.0)
    with pytest.raises(IndexError):
        sums[5]


def test_of_equal_sums_the_first_is_the_best(compiled: bool) -> None:
    assert summed([-3.0, 1.0, 0.0, 1.0, 0.0]).best == 1
    assert summed([-9.0, -1.0, -1.0, -1.0, -1.0]).best == 1
    assert summed([0.0]).best == 0


@pytest.mark.parametrize(
    ("least", "deepest"),
    [
        pytest.param(2.0, 4, id="the deepest, of two that with more"),
        pytest.param(7.0, 2, id="of those with so much"),
        pytest.param(9.5, 0, id="here it is the body"),
        pytest.param(99.0, 0, id="none has so much"),
    ],
)
def test_the_deepest_with_so_much(compiled: bool, least: float, deepest: int) -> None:
    assert summed([0.0, 1.0, 0.0, 4.0, 5.0]).deepest(least) == deepest


def test_of_two_alike_the_first_is_the_deepest(compiled: bool) -> None:
    assert summed([0.0, 0.0, 0.0, 4.0, 4.0]).deepest(4.0) == 3


def places_of(paths: list[int]) -> list[Place]:
    """Places of these paths; nothing else is asked of them."""
    made = []
    for path in paths:
        place = Place.__new__(Place)
        place.path = path
        made.append(place)
    return made


def test_elements_of_one_path_are_taken_together(compiled: bool) -> None:
    by_path = summed([0.0, 1.0, 0.0, 10.0, -100.0]).by_path(places_of([0, 7, 3, 5, 5]))
    assert list(by_path.items()) == [(0, -89.0), (7, 1.0), (3, -90.0), (5, -90.0)]


def test_there_is_a_place_for_each_element(compiled: bool) -> None:
    for paths in ([0], [0, 1, 2, 3, 4, 5]):
        with pytest.raises(ValueError, match=r"places|argument"):
            summed([]).by_path(places_of(paths))


PAGES = st.lists(st.tuples(st.integers(0, 10**6), st.floats(-1e6, 1e6), st.integers(ROOT, 40)), min_size=1, max_size=60)


@pytest.mark.skipif(module._sums is None, reason="no C compiler")
@given(PAGES, st.floats(0, 1e6))
def test_numbers_of_c_say_what_lists_do(page: list[tuple[int, float, int]], least: float) -> None:
    parents = [-1, *(number % index for index, (number, _, _) in enumerate(page[1:], 1))]
    places = places_of([path for _, _, path in page])
    pure = ElementSums(parents)
    compiled = element_sums(parents)
    for sums in (pure, compiled):
        for element, (_, value, _) in enumerate(page):
            sums.add(element, value)
        sums.sum_up()
    assert [compiled[element] for element in range(len(compiled))] == [pure[element] for element in range(len(pure))]
    assert (compiled.best, compiled.highest) == (pure.best, pure.highest)
    assert compiled.deepest(least) == pure.deepest(least)
    assert list(compiled.by_path(places).items()) == list(pure.by_path(places).items())

"""Steps of a page's elements on the paths of its site."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.rules.site.columns import Signatures
from scrapy_stemmer.learners.rules.site.paths import Component, Paths, Steps
from tests.learners.rules.made import columns


@pytest.fixture
def paths() -> Paths:
    made = Paths()
    made.child(-1, Component("body"))
    return made


def test_each_component_is_asked_for_once(paths: Paths) -> None:
    steps, asked = Steps(paths.tree), list[int]()

    def component(number: int) -> Component:
        asked.append(number)
        return Component(f"x{number}")

    page = columns("<div><p>a</p></div><div><p>b</p><ul></ul></div><p>c</p>")
    for _ in range(2):
        steps.place_page(page, component)
        assert page.paths == [0, 1, 2, 1, 2, 3, 4]
    assert asked == [1, 2, 3]
    assert steps.count == 4


def test_many_steps_are_known(paths: Paths) -> None:
    signatures, steps = Signatures(), Steps(paths.tree)
    page = columns("".join(f"<div id=a{number}></div>" for number in range(5_000)), signatures)
    steps.place_page(page, lambda number: Component(f"x{number}"))
    assert page.paths == list(range(5_001))

    def fail(number: int) -> Component:
        raise AssertionError(number)

    steps.place_page(page, fail)
    assert page.paths == list(range(5_001))
    assert steps.count == 5_000


def test_an_error_of_a_component_is_passed_on(paths: Paths) -> None:
    def fail(number: int) -> Component:
        raise ZeroDivisionError(number)

    with pytest.raises(ZeroDivisionError):
        Steps(paths.tree).place_page(columns("<p>a"), fail)

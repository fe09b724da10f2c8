"""Native loops over the elements and blocks of a page, compared with plain Python."""

from __future__ import annotations

from array import array

import pytest

from scrapy_stemmer._engine.page import ReadPage
from scrapy_stemmer.learners.rules.columns import Columns, leads_on
from scrapy_stemmer.learners.rules.paths import Component, Paths, Steps
from scrapy_stemmer.learners.rules.products import _NAMES, _SIGNS, PRICE, is_price, prices_in, with_currency


class TestSteps:
    @pytest.fixture
    def paths(self) -> Paths:
        made = Paths()
        made.child(-1, Component("body"))
        return made

    def test_each_component_is_asked_for_once(self, paths: Paths) -> None:
        steps, asked = Steps(paths.tree), list[int]()

        def component(number: int) -> Component:
            asked.append(number)
            return Component(f"x{number % 5}")

        parents, signatures = [-1, 0, 0, 1, 2, 0], [9, 5, 5, 6, 6, 0]
        assert steps.place(parents, signatures, component) == [0, 1, 1, 2, 2, 1]
        assert steps.place(array("i", parents), array("i", signatures), component) == [0, 1, 1, 2, 2, 1]
        assert asked == [5, 6, 0]
        assert steps.count == 3

    def test_many_steps_are_known(self, paths: Paths) -> None:
        size, steps = 5_000, Steps(paths.tree)
        parents, signatures = [-1, *(number // 99 for number in range(size))], list(range(size + 1))
        first = steps.place(parents, signatures, lambda number: Component(f"x{number}"))
        assert first == [0, *range(1, size + 1)]

        def fail(number: int) -> Component:
            raise AssertionError(number)

        assert steps.place(parents, signatures, fail) == first
        assert steps.count == size

    def test_an_error_of_a_component_is_passed_on(self, paths: Paths) -> None:
        with pytest.raises(ZeroDivisionError):
            Steps(paths.tree).place([-1, 0], [0, 1], lambda number: 1 // 0)

    def test_a_page_without_elements_has_its_body(self, paths: Paths) -> None:
        assert Steps(paths.tree).place([], [], max) == [0]

    def test_columns_of_other_lengths_are_refused(self, paths: Paths) -> None:
        with pytest.raises(ValueError, match="for each element"):
            Steps(paths.tree).place([-1, 0], [0], max)


@pytest.mark.parametrize("name", [*_NAMES, *sorted(_SIGNS)])
def test_no_price_is_passed_over_in_haste(name: str) -> None:
    texts = [f"{name} 12.50", f"12,50 {name}", f"from {name.lower()}12", f"x{name} 7", f"12 {name}x", f"{name} and 3"]
    assert [is_price(text) for text in texts] == [PRICE.search(text) is not None for text in texts]
    assert prices_in(["no number", *texts])[:2] == [1, 2]
    numbers = [0] * len(texts)
    page = ReadPage(Columns([-1], [0], [], numbers, texts, numbers, numbers, [], [], [], [0], []))
    assert with_currency(page) == with_currency(texts)


OWN = "https://a.org/x/y"


@pytest.mark.parametrize(
    ("addresses", "is_sure"),
    [
        (["/a", "/b", "c", "../d"], True),
        (["https://a.org/a", "http://www.a.org/b", "/c", "/d"], True),
        (["/a", "/b", "/c", "/c", "/c#d", "#e"], False),
        (["/a", "/b", "/c", "https://b.org/d", "//b.org/e", "mailto:f"], False),
        (["/a", "/b", "/c", "/cdn-cgi/d", "/x/y", "y", " /e"], False),
    ],
)
def test_links_to_pages_of_the_site(addresses: list[str], is_sure: bool) -> None:
    links = [(0, address) for address in addresses]
    page = ReadPage(Columns([], [], [], [], [], [], [], [], links, [], [0], []))
    assert leads_on(links, OWN, "a.org", 3) is leads_on(page, OWN, "a.org", 3) is is_sure
    assert not leads_on(links, OWN, "", 3)
    assert leads_on([(1, "http://\ud800/a")], OWN, "\ud800", 0), "half a character of a feed counts as one"

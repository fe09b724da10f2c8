"""Native loops over the elements and blocks of a page, compared with plain Python."""

from __future__ import annotations

from array import array

import pytest

from scrapy_stemmer.learners.rules.columns import Columns, leads_on
from scrapy_stemmer.learners.rules.paths import Steps
from scrapy_stemmer.learners.rules.products import _NAMES, _SIGNS, PRICE, is_price, prices_in, with_currency
from scrapy_stemmer.learners.rules.site import page_of


class TestSteps:
    def test_each_step_is_asked_for_once(self) -> None:
        steps, asked = Steps(), list[tuple[int, int]]()

        def step(path: int, number: int) -> int:
            asked.append((path, number))
            return len(asked)

        parents, signatures = [-1, 0, 0, 1, 2], [9, 5, 5, 6, 6]
        assert steps.place(parents, signatures, step) == [0, 1, 1, 2, 2]
        assert steps.place(array("i", parents), array("i", signatures), step) == [0, 1, 1, 2, 2]
        assert asked == [(0, 5), (1, 6)]
        assert steps.count == 2

    def test_many_steps_are_known(self) -> None:
        size, steps = 5_000, Steps()
        parents, signatures = [-1, *(number // 3 for number in range(size))], list(range(size + 1))
        first = steps.place(parents, signatures, lambda path, number: number)
        assert first == [0, *range(1, size + 1)]

        def fail(path: int, number: int) -> int:
            raise AssertionError((path, number))

        assert steps.place(parents, signatures, fail) == first
        assert steps.count == size

    def test_an_error_of_a_step_is_passed_on(self) -> None:
        with pytest.raises(ZeroDivisionError):
            Steps().place([-1, 0], [0, 1], lambda path, number: 1 // 0)

    def test_a_page_without_elements_has_its_body(self) -> None:
        assert Steps().place([], [], max) == [0]

    def test_columns_of_other_lengths_are_refused(self) -> None:
        with pytest.raises(ValueError, match="for each element"):
            Steps().place([-1, 0], [0], max)


@pytest.mark.parametrize("name", [*_NAMES, *sorted(_SIGNS)])
def test_no_price_is_passed_over_in_haste(name: str) -> None:
    texts = [f"{name} 12.50", f"12,50 {name}", f"from {name.lower()}12", f"x{name} 7", f"12 {name}x", f"{name} and 3"]
    assert [is_price(text) for text in texts] == [PRICE.search(text) is not None for text in texts]
    assert prices_in(["no number", *texts])[:2] == [1, 2]
    numbers = [0] * len(texts)
    page = page_of(Columns([-1], [0], [], numbers, texts, numbers, numbers, [], [], [], [0], []))
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
    page = page_of(Columns([], [], [], [], [], [], [], [], links, [], [0], []))
    assert leads_on(links, OWN, "a.org", 3) is leads_on(page, OWN, "a.org", 3) is is_sure
    assert not leads_on(links, OWN, "", 3)

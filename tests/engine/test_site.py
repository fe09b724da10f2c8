"""Native loops over the blocks of a page, compared with plain Python."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from itertools import compress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules.columns import (
    Signature,
    SignatureList,
    any_is,
    any_marked,
    leads_on,
    overrated,
    text_key,
)
from scrapy_stemmer.learners.rules.confidence import expected_f1
from scrapy_stemmer.learners.rules.decide import begun_by_digits, decided, outside_links, probable
from scrapy_stemmer.learners.rules.doubles import said_again
from scrapy_stemmer.learners.rules.page import are_of_text, known_share
from scrapy_stemmer.learners.rules.paths import MASK, Steps
from scrapy_stemmer.learners.rules.products import (
    _NAMES,
    _SIGNS,
    CODES,
    MAX_PRICE,
    PRICE,
    is_price,
    prices_in,
    with_currency,
)

ODDS = st.sampled_from([-3.0, -1.0, 0.0, 0.4, 2.5, 30.0])
BLOCK = st.tuples(st.sampled_from(["a", "b", "7 c", "٣", "é"]), ODDS, st.booleans(), st.integers(0, 400))
BLOCKS = st.lists(BLOCK, max_size=12)
as_columns = pytest.mark.parametrize("column", [list, lambda values: array("i", values)], ids=["list", "array"])
Column = Callable[[Sequence[int]], Sequence[int]]


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


@as_columns
def test_decided(column: Column) -> None:
    deciding, rule_odds, is_decided = [-1, 0, 1], [2.0, -3.0, -1.0], [False, True, True]
    found = decided(column([0, 1, 2, 1]), column([5, 10, 20, 40]), [0, 1, 2], deciding, rule_odds, is_decided)
    assert found == ([0, 1, 2, 1], [-1, 0, 1, 0], [-1.0, 2.0, -3.0, 2.0], [0], 75, 50, 5)


@as_columns
@given(BLOCKS, st.floats(0, 1))
def test_of_any_blocks(column: Column, blocks: list[tuple[str, float, bool, int]], cut: float) -> None:
    texts, odds, is_text, sizes = map(list, zip(*blocks, strict=True)) if blocks else ([], [], [], [])
    lengths, linked = column(sizes), column([size // 2 for size in sizes])
    kept = [index for index, is_kept in enumerate(is_text) if is_kept]
    assert probable(odds, cut) == [1 / (1 + math.exp(-odd)) > cut for odd in odds]
    assert begun_by_digits(texts) == [index for index, text in enumerate(texts) if text[0].isdigit()]
    assert outside_links(kept, lengths, linked) == sum(lengths[index] - linked[index] for index in kept)
    assert are_of_text(kept, lengths, linked, 0.45) == all(linked[i] < 0.45 * lengths[i] for i in kept)
    able = with_currency(texts, MAX_PRICE, CODES)
    assert [index for index, text in enumerate(texts) if is_price(text)] == prices_in(texts, able)
    firsts = {text: index for index, text in reversed(list(enumerate(texts))) if is_text[index]}
    again = [index for index in kept if firsts[texts[index]] != index]
    assert said_again(texts, lengths, is_text) == sum(lengths[index] for index in again)
    parts = [length / (1 + math.exp(-odd)) for length, odd in zip(lengths, odds, strict=True)]
    right = sum(compress(parts, is_text))
    f1 = 2 * right / (sum(compress(lengths, is_text)) + sum(parts)) if right else 0.0
    assert expected_f1(odds, is_text, lengths) == pytest.approx(f1, rel=1e-12)


def test_only_paths_that_nobody_knows_of_are_asked_for() -> None:
    asked = []

    def is_known(path: int) -> bool:
        asked.append(path)
        return True

    assert known_share([0, 1, 3], [0, 1, 0, 2], [10, 30, 90, 60], [True, False, None], is_known) == 0.7
    assert asked == [2]
    assert known_share([], [], [], [], is_known) == 0.0


@pytest.mark.parametrize("name", [*_NAMES, *sorted(_SIGNS)])
def test_no_price_is_passed_over_in_haste(name: str) -> None:
    texts = [f"{name} 12.50", f"12,50 {name}", f"from {name.lower()}12", f"x{name} 7", f"12 {name}x", f"{name} and 3"]
    assert [is_price(text) for text in texts] == [PRICE.search(text) is not None for text in texts]
    assert prices_in(["no number", *texts])[:2] == [1, 2]


SIGNATURES = [Signature("p"), Signature("td"), Signature("div", "", "box"), Signature("td", "x")]


def test_any_signature_is_asked_once() -> None:
    asked: list[Signature] = []

    def is_cell(signature: Signature) -> bool:
        asked.append(signature)
        return signature.tag == "td"

    known = SignatureList(SIGNATURES[:2])
    assert any_is(known, [0, 1], is_cell)
    assert not any_is(known, [0, 0], is_cell)
    known += SIGNATURES[2:]
    assert any_is(known, [0, 3], is_cell)
    assert asked == SIGNATURES
    assert any_is(SIGNATURES, [0, 3], is_cell)
    assert not any_is(SIGNATURES, [2], is_cell)
    with pytest.raises(ValueError, match="for each number"):
        any_marked([2], b"..")


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
    assert leads_on(links, OWN, "a.org", 3) is is_sure
    assert not leads_on(links, OWN, "", 3)


def test_odds_of_known_texts_are_bounded() -> None:
    texts = ["Menu", "Rain", "menu", "Snow"]
    known = {text_key("Menu") & MASK, text_key("Snow") & MASK}
    found = overrated([3.0, 3.0, 0.5, 0.5], texts, [0, 1, 2, 3], [4, 4, 4, 4], [0, 0, 0, 4], known, MASK, 1.0, 0.0, 0.9)
    assert found == {0: 1.0, 3: 0.0}

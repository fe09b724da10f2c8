"""The page in native arrays, and decisions on its blocks, compared with plain Python."""

from __future__ import annotations

import math
from itertools import compress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules.decide.decide import verdicts_of
from scrapy_stemmer.learners.rules.site.columns import text_key
from scrapy_stemmer.learners.rules.site.paths import MASK
from tests.learners.rules.made import columns, of_texts

ODDS = st.sampled_from([-3.0, -1.0, 0.0, 0.4, 2.5, 30.0])
TEXTS = st.sampled_from(["a", "b", "7 c", "12 3", "٣", "é", "a\u00ad", "Menu", "Read more: b"])
BLOCK = st.tuples(TEXTS, ODDS, st.booleans())
BLOCKS = st.lists(BLOCK, max_size=12)

PAGE = columns("<menu><a href=/a>Menu</a></menu><p>|</p><h1><time>Rain é</time><br><a href=/\u00e9>f</a>ell</h1>")


def test_a_page_as_read() -> None:
    assert (PAGE.parents, PAGE.elements, PAGE.texts) == ([-1, 0, 0, 0], [1, 3, 3], ["Menu", "Rain é", "fell"])
    assert (PAGE.lengths, PAGE.linked, PAGE.times) == ([4, 5, 4], [4, 0, 1], [False, True, False])
    assert PAGE.links == [(0, "/a"), (2, "/é")]
    assert [list(PAGE.pieces_of(block)) for block in range(len(PAGE))] == [[4], [10], [14, 15]]
    other = PAGE.renumbered({0: 2, 1: 0, 2: 1, 3: 3})
    assert (other.signatures, other.texts, other.links) == ([2, 0, 1, 3], PAGE.texts, PAGE.links)
    with pytest.raises(IndexError):
        PAGE.text(3)


def test_signs_stand_beside_blocks() -> None:
    run = PAGE.signs[0]
    assert PAGE.signs_beside([0, 1]) == [(run, 3)]
    assert PAGE.signs_beside([0]) == [(run, 1)]
    assert PAGE.signs_beside([1, 2]) == [(run, 2)]
    assert PAGE.signs_beside([2]) == []


@given(BLOCKS, st.floats(0, 1))
def test_of_any_blocks(blocks: list[tuple[str, float, bool]], cut: float) -> None:
    texts, odds, is_text = map(list, zip(*blocks, strict=True)) if blocks else ([], [], [])
    page = of_texts(texts, [len(text) // 2 for text in texts])
    lengths, linked = page.lengths, page.linked
    page.site_paths[0].rule = 0
    found = verdicts_of(page, [1.0, -1.0])
    assert (found.total, found.sure, found.unsure) == (sum(lengths),) * 3
    for block, odd in enumerate(odds):
        found.set(block, False, odd, block % 3 - 1)
    found.cut(cut)
    assert found.is_text == [1 / (1 + math.exp(-odd)) > cut for odd in odds]
    for block, odd in enumerate(odds):
        found.set(block, is_text[block], odd, block % 3 - 1)
    kept = [index for index, is_kept in enumerate(is_text) if is_kept]
    assert (found.kept, found.is_text, found.odds) == (kept, is_text, odds)
    assert found.outside_links() == sum(lengths[index] - linked[index] for index in kept)
    numbers = [index for index, text in enumerate(texts) if text.replace(" ", "").isdigit()]
    page.site_paths[0].near_code = 1
    assert page.numbers_alone() == numbers
    assert page.keys() == list(map(text_key, texts))
    firsts = {text: index for index, text in reversed(list(enumerate(texts))) if is_text[index]}
    again = [index for index in kept if firsts[texts[index]] != index]
    assert found.said_again() == sum(lengths[index] for index in again)
    parts = [length / (1 + math.exp(-odd)) for length, odd in zip(lengths, odds, strict=True)]
    right = sum(compress(parts, is_text))
    f1 = 2 * right / (sum(compress(lengths, is_text)) + sum(parts)) if right else 0.0
    assert found.expected_f1(False, (), 1.0, 0.0, 0.9) == pytest.approx(f1, rel=1e-12)
    assert found.linked_beside(2) == [i for i in kept if linked[i] and lengths[i] - linked[i] <= 2]


def test_odds_of_known_texts_are_bounded_unless_a_rule_by_hand_decides() -> None:
    page = of_texts(["Menu", "Rain", "menu", "Snow"], [0, 0, 0, 4])
    page.count_pages({text_key("Menu") & MASK: 2, text_key("Snow") & MASK: 3})
    found, bounded = (verdicts_of(page, [0.0]) for _ in range(2))
    for block, (odds, bound) in enumerate(zip([3.0, 3.0, 0.5, 0.5], [1.0, 3.0, 0.5, 0.0], strict=True)):
        found.set(block, True, odds, 7)
        bounded.set(block, True, bound, 7)
    assert found.expected_f1(True, (), 1.0, 0.0, 0.9) == bounded.expected_f1(False, (), 1.0, 0.0, 0.9)
    assert found.expected_f1(True, {7}, 1.0, 0.0, 0.9) == found.expected_f1(False, (), 1.0, 0.0, 0.9)


def test_only_paths_that_nobody_knows_of_are_asked_for() -> None:
    asked = []

    def is_known(path: int) -> bool:
        asked.append(path)
        return True

    page = of_texts(["a"])
    found = verdicts_of(page, [2.0])
    found.cut(0.5)
    assert [found.known_share(is_known) for _ in range(2)] == [1.0, 1.0]
    assert asked == [0]
    page.site_paths[0].is_known = False
    assert found.known_share(is_known) == 0.0
    assert verdicts_of(of_texts([]), [2.0]).known_share(is_known) == 0.0


LIMITED = (0.02, 0.1, 60)


@pytest.mark.parametrize(
    ("texts", "odds", "near_code", "is_final"),
    [
        (["a b", "c"], [2.0, 2.0], 0, True),
        (["a b", "c"], [-2.0, 2.0], 0, False),  # hardly any text is kept
        (["c" * 70, "c" * 70], [2.0, 2.0], 0, False),
        (["1", "2"], [2.0, 2.0], 0, False),
        (["1", "a"], [2.0, 2.0], 0, True),
        (["1", "a"], [2.0, 2.0], 1, False),
    ],
)
def test_pages_with_nothing_to_correct(texts: list[str], odds: list[float], near_code: int, is_final: bool) -> None:
    page = of_texts(texts)
    path = page.site_paths[0]
    path.rule, path.near_code, path.is_decided = 0, near_code, True
    found = verdicts_of(page, odds)
    assert found.are_final(0.5, -1, LIMITED) is is_final
    assert found.is_text == [odds[0] > 0] * len(texts)
    path.is_decided = False
    assert not verdicts_of(page, odds).are_final(0.5, -1, LIMITED)
    path.rule, path.is_decided = -1, True
    assert not verdicts_of(page, odds).are_final(0.5, -1, LIMITED)

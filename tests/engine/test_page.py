"""The page in native arrays, and decisions on its blocks, compared with plain Python."""

from __future__ import annotations

import math
from itertools import compress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer._engine.page import ReadPage
from scrapy_stemmer.learners.rules.columns import (
    Columns,
    Signs,
    blocks_within,
    text_key,
)
from scrapy_stemmer.learners.rules.decide import verdicts_of
from scrapy_stemmer.learners.rules.mending import MORE_BEGINS
from scrapy_stemmer.learners.rules.paths import MASK
from scrapy_stemmer.writing.plain_text import line_text

ODDS = st.sampled_from([-3.0, -1.0, 0.0, 0.4, 2.5, 30.0])
TEXTS = st.sampled_from(["a", "b", "7 c", "12 3", "٣", "é", "a\u00ad", "Menu", "Read more: b"])
BLOCK = st.tuples(TEXTS, ODDS, st.booleans(), st.integers(0, 400))
BLOCKS = st.lists(BLOCK, max_size=12)

COLUMNS = Columns(
    parents=[-1, 0, 1, 0],
    signatures=[0, 1, 1, 2],
    numbers=[0, 2, 3, 9],
    elements=[1, 2, 2],
    texts=["Menu", "Rain é", "fell"],
    lengths=[4, 5, 4],
    linked=[4, 0, 1],
    times=[False, True, False],
    links=[(0, "/a"), (2, "/é")],
    spaced=[False, False, True],
    ends=[0, 1, 3, 4],
    pieces=[2, 4, 5, 7],
    signs=[Signs(1, 3, [8, 9], "|", is_spaced=False)],
)


def of_blocks(texts: list[str], lengths: list[int], linked: list[int]) -> Columns:
    """Return columns with an element for each block."""
    count = len(texts)
    elements = list(range(1, count + 1))
    return Columns([-1, *[0] * count], [0] * (count + 1), [], elements, texts, lengths, linked, [], [], [], [0], [])


def test_columns_are_kept() -> None:
    page = ReadPage(COLUMNS)
    for name in Columns._fields[:-1]:
        assert list(getattr(page, name)) == list(getattr(COLUMNS, name)), name
    assert list(map(Signs._make, page.signs)) == list(COLUMNS.signs)
    assert [list(page.pieces_of(block)) for block in range(len(page))] == [[2], [4, 5], [7]]
    other = page.renumbered({0: 2, 1: 0, 2: 1})
    assert (other.signatures, other.texts, other.links) == ([2, 0, 0, 1], page.texts, page.links)


@pytest.mark.parametrize(
    "wrong",
    [
        {"parents": [-1, 1, 1, 0]},
        {"elements": [1, 2, 4]},
        {"signatures": [0]},
        {"lengths": [1]},
    ],
)
def test_columns_that_fit_no_tree_are_refused(wrong: dict[str, list[int]]) -> None:
    with pytest.raises(ValueError, match="wanted"):
        ReadPage(COLUMNS._replace(**wrong))
    with pytest.raises(IndexError):
        ReadPage(COLUMNS).text(3)


def test_lines_of_a_heading_are_one_name() -> None:
    page = ReadPage(COLUMNS)
    assert [page.named_text(block, [True]) for block in range(3)] == ["Menu", "Rain é fell", ""]
    assert [page.line_end(block, [True]) for block in range(3)] == [1, 3, 3]
    assert [page.line_end(block, [False]) for block in range(3)] == [1, 2, 3]
    assert page.named([5], [True]) == [(5, 0), (5, 1)]
    assert page.named([-1], [True]) == []
    assert page.heading_of("Rain é fell", [True]) == 1
    assert page.heading_of("Rain é", [True]) is None


def test_signs_stand_beside_blocks() -> None:
    page = ReadPage(COLUMNS)
    run = page.signs[0]
    assert page.signs_beside([0, 1]) == [(run, 3)]
    assert page.signs_beside([0]) == [(run, 1)]
    assert page.signs_beside([1, 2]) == [(run, 2)]
    assert page.signs_beside([2]) == []


def test_blocks_that_are_lines_are_written() -> None:
    page = ReadPage(COLUMNS)
    assert page.lines([0, 1], [False]) == "Menu\nRain é"
    assert page.lines([0, 1], [True]) is page.lines([2], [False]) is None


@given(BLOCKS, st.floats(0, 1))
def test_of_any_blocks(blocks: list[tuple[str, float, bool, int]], cut: float) -> None:
    texts, odds, is_text, lengths = map(list, zip(*blocks, strict=True)) if blocks else ([], [], [], [])
    linked = [size // 2 for size in lengths]
    page = ReadPage(of_blocks(texts, lengths, linked))
    found = verdicts_of(page, [0], [1.0, -1.0], [False])
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
    assert found.is_plain(0.45) == all(linked[i] < 0.45 * lengths[i] for i in kept or range(len(texts)))
    numbers = [index for index, text in enumerate(texts) if text.replace(" ", "").isdigit()]
    assert page.numbers_alone([1]) == numbers
    assert page.keys() == list(map(text_key, texts))
    firsts = {text: index for index, text in reversed(list(enumerate(texts))) if is_text[index]}
    again = [index for index in kept if firsts[texts[index]] != index]
    assert found.said_again() == sum(lengths[index] for index in again)
    parts = [length / (1 + math.exp(-odd)) for length, odd in zip(lengths, odds, strict=True)]
    right = sum(compress(parts, is_text))
    f1 = 2 * right / (sum(compress(lengths, is_text)) + sum(parts)) if right else 0.0
    assert found.expected_f1(None, (), 1.0, 0.0, 0.9) == pytest.approx(f1, rel=1e-12)
    assert page.lines(kept, [False]) == "\n".join(line_text(texts[index]) for index in kept)
    parted = [i for i in kept if linked[i] and lengths[i] - linked[i] <= 60 and ":" in texts[i]]
    assert found.linked_beside(60, MORE_BEGINS) == parted


def test_odds_of_known_texts_are_bounded_unless_a_rule_by_hand_decides() -> None:
    texts, known = ["Menu", "Rain", "menu", "Snow"], {text_key("Menu") & MASK, text_key("Snow") & MASK}
    page = ReadPage(of_blocks(texts, [4] * 4, [0, 0, 0, 4]))
    found, bounded = (verdicts_of(page, [-1], [0.0], [False]) for _ in range(2))
    for block, (odds, bound) in enumerate(zip([3.0, 3.0, 0.5, 0.5], [1.0, 3.0, 0.5, 0.0], strict=True)):
        found.set(block, True, odds, 7)
        bounded.set(block, True, bound, 7)
    assert found.expected_f1(known, (), 1.0, 0.0, 0.9) == bounded.expected_f1(None, (), 1.0, 0.0, 0.9)
    assert found.expected_f1(known, {7}, 1.0, 0.0, 0.9) == found.expected_f1(None, (), 1.0, 0.0, 0.9)


def test_only_paths_that_nobody_knows_of_are_asked_for() -> None:
    asked = []

    def is_known(path: int) -> bool:
        asked.append(path)
        return True

    found = verdicts_of(ReadPage(of_blocks(["a"], [10], [0])), [1], [2.0, 2.0, 2.0], [False])
    found.cut(0.5)
    assert found.known_share([None], is_known) == 1.0
    assert found.known_share([False], is_known) == 0.0
    assert asked == [0]
    assert verdicts_of(ReadPage(of_blocks([], [], [])), [1], [2.0], [False]).known_share([None], is_known) == 0.0


@given(BLOCKS, st.lists(st.integers(0, 12), max_size=12))
def test_elements_with_repeated_texts(blocks: list[tuple[str, float, bool, int]], parents: list[int]) -> None:
    texts, lengths = [text for text, *_ in blocks], [length for *_, length in blocks]
    above = [-1, *(min(parent, index) for index, parent in enumerate(parents))]
    elements = sorted(min(index, len(above) - 1) for index in range(len(texts)))
    size = len(above)
    columns = Columns(above, [0] * size, [], elements, texts, lengths, [0] * len(texts), [], [], [], [0], [])
    page = ReadPage(columns)
    firsts = [texts.index(text) for text in texts]
    assert page.firsts() == firsts
    assert page.within() == blocks_within(columns)
    found = [
        (parent, 0, first, end, sum(lengths[first:end]))
        for parent, first, end in zip(above, *blocks_within(columns), strict=True)
        if first < end and texts.count(texts[first]) > 1 and sum(lengths[first:end]) >= 60
    ]
    assert page.repeated(firsts, 60) == found
    with pytest.raises(ValueError, match="first block"):
        page.repeated([*firsts, 0], 60)


LIMITED = (0.02, 0.1, 60, MORE_BEGINS, 60)


@pytest.mark.parametrize(
    ("texts", "linked", "odds", "marks", "is_final"),
    [
        (["a b", "c"], 0, [2.0, 2.0], [0], True),
        (["a b", "c"], 0, [-2.0, 2.0], [0], False),  # hardly any text is kept
        (["c" * 70, "c" * 70], 0, [2.0, 2.0], [0], False),
        (["Read more: b"], 12, [2.0, 2.0], [0], False),
        (["1", "2"], 0, [2.0, 2.0], [0], False),
        (["1", "a"], 0, [2.0, 2.0], [0], True),
        (["1", "a"], 0, [2.0, 2.0], [1], False),
        (["a"], 0, [2.0, 2.0], [6], False),
    ],
)
def test_pages_with_nothing_to_correct(
    texts: list[str], linked: int, odds: list[float], marks: list[int], is_final: bool
) -> None:
    page = ReadPage(of_blocks(texts, [len(text) for text in texts], [linked] * len(texts)))
    found = verdicts_of(page, [0], odds, [True])
    assert found.are_final(0.5, [True], marks, -1, LIMITED) is is_final
    assert found.is_text == [odds[0] > 0] * len(texts)
    assert not verdicts_of(page, [-1], odds, [True]).are_final(0.5, [True], marks, -1, LIMITED)
    assert not verdicts_of(page, [0], odds, [False]).are_final(0.5, [False], marks, -1, LIMITED)


@pytest.mark.parametrize(
    ("text", "is_garbled"), [("a", False), ("\x01", True), ("\ue000", True), ("\x80", True), ("é", False)]
)
def test_control_characters_are_noticed_at_the_beginning(text: str, is_garbled: bool) -> None:
    page = ReadPage(of_blocks(["abc", text], [3, 1], [0, 0]))
    assert page.may_be_garbled(2, 5) is is_garbled
    assert not page.may_be_garbled(1, 5)


def of_signatures(*numbers: int) -> Columns:
    return Columns([-1, 0][: len(numbers)], list(numbers), [], [], [], [], [], [], [], [], [0], [])


def test_marked_elements_and_blocks() -> None:
    read = ReadPage(of_signatures(0, 3)._replace(elements=[0, 1], texts=["a", "b"], lengths=[1, 1], linked=[0, 0]))
    assert (read.marked_elements([2, 0, 0, 5], 4), read.marked_blocks([2, 0, 0, 5], 4)) == ([1], [1])
    assert (read.marked_elements([2, 0, 0, 4], 3), read.marked_blocks([0, 0, 0, 4], 3)) == ([0], [])
    assert (read.any_marked([2, 0, 0, 4], 3), read.any_marked([2, 3, 3, 4], 1)) == (True, False)
    for marked in (read.any_marked, read.marked_elements, read.marked_blocks):
        with pytest.raises(ValueError, match="for each number"):
            marked([0, 0], 1)

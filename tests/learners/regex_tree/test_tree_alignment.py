"""Which items inside two elements stand for each other."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.regex_tree import tree_alignment
from scrapy_stemmer.learners.regex_tree.template_tree import CHOICE, GROUP, TEXT, Item
from scrapy_stemmer.learners.regex_tree.tree_alignment import align, best_alternatives


def items(names: str) -> list[Item]:
    return [Item(name) for name in names]


def aligned(first: list[Item], second: list[Item]) -> list[tuple[str, str]]:
    return [(a.name if a else "-", b.name if b else "-") for a, b in align(first, second)]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "", ""),
        ("", "A", "-A"),
        ("ABC", "ABC", "AA BB CC"),
        ("ABC", "AC", "AA B- CC"),
        ("AXB", "AYB", "AA X- -Y BB"),
        ("AB", "BA", "A- BB -A"),
        ("AAB", "AB", "AA A- BB"),
    ],
)
def test_names_in_order(first: str, second: str, expected: str) -> None:
    found = " ".join(a + b for a, b in aligned(items(first), items(second)))
    assert found == expected


def test_the_more_similar_item_is_taken() -> None:
    menu, story = Item("div", [Item("ul")]), Item("div", [Item("h1"), Item("p")])
    pairs = align([menu, story], [Item("div", [Item("h1"), Item("p")])])
    assert [(a is story, b is not None) for a, b in pairs] == [(False, False), (True, True)]


def test_a_run_is_grouped_when_the_other_side_has_it_as_a_group() -> None:
    group = Item(GROUP, items("AB"), star=True)
    assert aligned([group, *items("C")], items("ABC")) == [("()", "()"), ("C", "C")]
    assert aligned([group], items("CAB")) == [("-", "C"), ("()", "()")]


def test_groups_made_in_vain_are_taken_apart() -> None:
    group = Item(GROUP, items("AB"), star=True)
    assert aligned([group], items("ABCAB")) == [("()", "()"), ("-", "C"), ("-", "A"), ("-", "B")]


def test_very_long_sequences_are_aligned_by_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_alignment, "MAX_CELLS", 5)
    assert aligned(items("ABAC"), items("BAD")) == [("A", "-"), ("B", "B"), ("A", "A"), ("C", "-"), ("-", "D")]


def test_each_alternative_is_taken_once() -> None:
    choice = Item(CHOICE, [Item("p", [Item(TEXT)]), Item("ul")])
    other = Item(CHOICE, [Item("ul"), Item("ul"), Item("p")])
    pairs = [(known.name if known else None, new.name) for known, new in best_alternatives(choice, other)]
    assert pairs == [("ul", "ul"), (None, "ul"), ("p", "p")]

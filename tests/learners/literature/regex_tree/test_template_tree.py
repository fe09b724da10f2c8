"""Items of templates: how alike they are, and how they are written."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.literature.regex_tree import template_tree
from scrapy_stemmer.learners.literature.regex_tree.template_tree import (
    CHOICE,
    GROUP,
    TEXT_ITEM,
    Item,
    align,
    best_alternatives,
    item_similarity,
)
from tests.learners.literature.regex_tree.expressions import expression


def item(name: str, *kids: Item, marks: str = "", star: bool = False, optional: bool = False) -> Item:
    return Item(name, list(kids), marks=frozenset(marks.split()), star=star, optional=optional)


def text() -> Item:
    return item(TEXT_ITEM)


def link() -> Item:
    return item("a", text())


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param(item("p"), item("p"), 1.0, id="equal"),
        pytest.param(item("p", text()), item("div", text()), 0.0, id="other names"),
        # ul, ul/li, ul/li/#text against ul, ul/li, ul/li/img: two of three on either side.
        pytest.param(item("ul", item("li", text())), item("ul", item("li", item("img"))), 4 / 6, id="Dice"),
        pytest.param(item("ul", item("li"), item("li")), item("ul", item("li")), 4 / 5, id="repeats count"),
        pytest.param(
            item("a", item("b", item("c", item("d")))), item("a", item("b", item("c"))), 1.0, id="three levels"
        ),
        pytest.param(item("div", marks="x"), item("div", marks="y"), 2 / 4, id="class names"),
        pytest.param(item("p", text()), item("p", text(), link(), text()), 1.0, id="a link within text"),
        pytest.param(item("p", item("hr", optional=True)), item("p"), 1.0, id="what may be absent"),
        pytest.param(item(CHOICE, item("p"), item("ul")), item("ul"), 1.0, id="the best alternative"),
        pytest.param(item(GROUP, item("dt"), item("dd")), item("dd"), 0.5, id="a part of a group"),
        pytest.param(item(CHOICE), item("ul"), 0.0, id="a choice of nothing"),
        pytest.param(item(GROUP), item("ul"), 0.0, id="a group of nothing"),
    ],
)
def test_similarity(first: Item, second: Item, expected: float) -> None:
    assert item_similarity(first, second) == pytest.approx(expected)
    assert item_similarity(second, first) == pytest.approx(expected)


def test_equal_structures_have_one_shape() -> None:
    first, second, other = item("p", link()), item("p", link()), item("p", text())
    assert first.shape == second.shape != other.shape
    second.kids.append(text())
    second.changed()
    assert first.shape != second.shape


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([item("A"), item("B")], "AB"),
        ([item("A", star=True), item("B", optional=True)], "A*B?"),
        ([item("A", star=True, optional=True)], "(A*)?"),
        ([item(GROUP, item("A"), item("B"), star=True)], "(AB)*"),
        ([item(CHOICE, item("A", star=True), item(GROUP, item("B"), item("C")))], "(A*|(BC))"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_expression(items: list[Item], expected: str) -> None:
    assert expression(items) == expected


# Items that correspond inside two elements


def items(names: str) -> list[Item]:
    return [Item(name) for name in names]


def aligned(first: list[Item], second: list[Item]) -> list[tuple[str, str]]:
    names = []
    for ours, theirs, pair in align(first, second):
        names += [(item.name, "-") for item in ours] + [("-", item.name) for item in theirs]
        names += [(pair[0].name, pair[1].name)] if pair else []
    return names


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
    names = " ".join(a + b for a, b in aligned(items(first), items(second)))
    assert names == expected


def test_the_more_similar_item_is_taken() -> None:
    menu, story = Item("div", [Item("ul")]), Item("div", [Item("h1"), Item("p")])
    first, last = align([menu, story], [Item("div", [Item("h1"), Item("p")])])
    assert (first[0], first[1]) == ([menu], [])
    assert first[2] is not None
    assert first[2][0] is story
    assert last == ([], [], None)


def test_a_run_is_grouped_when_the_other_side_has_it_as_a_group() -> None:
    group = Item(GROUP, items("AB"), star=True)
    assert aligned([group, *items("C")], items("ABC")) == [("()", "()"), ("C", "C")]
    assert aligned([group], items("CAB")) == [("-", "C"), ("()", "()")]


def test_groups_made_in_vain_are_taken_apart() -> None:
    group = Item(GROUP, items("AB"), star=True)
    assert aligned([group], items("ABCAB")) == [("()", "()"), ("-", "C"), ("-", "A"), ("-", "B")]


def test_very_long_sequences_are_aligned_by_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template_tree, "MAX_TREE_CELLS", 5)
    assert aligned(items("ABAC"), items("BAD")) == [("A", "-"), ("B", "B"), ("A", "A"), ("C", "-"), ("-", "D")]


def test_each_alternative_is_taken_once() -> None:
    choice = Item(CHOICE, [Item("p", [Item(TEXT_ITEM)]), Item("ul")])
    other = Item(CHOICE, [Item("ul"), Item("ul"), Item("p")])
    pairs = [(known.name if known else None, new.name) for known, new in best_alternatives(choice, other)]
    assert pairs == [("ul", "ul"), (None, "ul"), ("p", "p")]

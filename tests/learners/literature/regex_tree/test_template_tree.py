"""Items of templates: how alike they are, and how they are written."""

from __future__ import annotations

from scrapy_stemmer.learners.literature.regex_tree.template_tree import (
    GROUP,
    Item,
    align,
)


def item(name: str, *kids: Item, marks: str = "", star: bool = False, optional: bool = False) -> Item:
    return Item(name, list(kids), marks=frozenset(marks.split()), star=star, optional=optional)


# Items that correspond inside two elements


def items(names: str) -> list[Item]:
    return [Item(name) for name in names]


def aligned(first: list[Item], second: list[Item]) -> list[tuple[str, str]]:
    names = []
    for ours, theirs, pair in align(first, second):
        names += [(item.name, "-") for item in ours] + [("-", item.name) for item in theirs]
        names += [(pair[0].name, pair[1].name)] if pair else []
    return names


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

"""Templates as regular expressions over names, to be compared."""

from __future__ import annotations

from collections.abc import Iterable

from scrapy_stemmer.learners.literature.regex_tree.template_tree import CHOICE, GROUP, Item


def expression(items: Iterable[Item]) -> str:
    """Return a sequence of items as a regular expression, without the contents of elements."""
    return "".join(_written(item) for item in items)


def _written(item: Item) -> str:
    if item.name == GROUP:
        text = f"({expression(item.kids)})"
    elif item.name == CHOICE:
        text = f"({'|'.join(_written(kid) for kid in item.kids)})"
    else:
        text = item.name
    if item.star and item.optional:
        return f"({text}*)?"
    return text + ("*" if item.star else "") + ("?" if item.optional else "")

"""Elements by their attributes, and what is right in them."""

from __future__ import annotations

from typing import Any

from lxml import etree

from scrapy_stemmer.page.elements import element_key


def inside_in_python(element: etree._Element, unread: frozenset[str]) -> list[Any]:
    """What is right in an element: the text at its start, "" without any, then texts that are not white space, and
    elements with their names.

    :param unread: names of elements that are left out.
    """
    found: list[Any] = [_shown(element.text)]
    for child in element:
        if isinstance(child.tag, str) and child.tag not in unread:
            found.append((child, element_key(child)))
        if not isinstance(child, etree._Entity) and (text := _shown(child.tail)):
            found.append(text)
    return found


def _shown(text: str | None) -> str:
    return "" if not text or text.isspace() else text


def having_in_python(root: etree._Element, name: str, part: str = "", tag: str = "*") -> list[etree._Element]:
    """The elements of a tree, its root among them, that have an attribute.

    :param part: what its value has in it.
    :param tag: what they are called; any where it is ``*``.
    """
    return [each for each in root.iter(tag) if (value := each.get(name)) is not None and part in value]

"""Elements by attributes, and their texts and children."""

from __future__ import annotations

from typing import Any

from lxml import etree

from scrapy_stemmer.page.elements import element_key


def inside_in_python(element: etree._Element, unread: frozenset[str]) -> list[Any]:
    """Return the leading text of an element or "", further texts, and child elements with their names.

    :param unread: names of elements to leave out.
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
    """Return the elements of a tree with an attribute, the root included.

    :param part: part of the value.
    :param tag: name of the elements; ``*`` for any.
    """
    return [each for each in root.iter(tag) if (value := each.get(name)) is not None and part in value]

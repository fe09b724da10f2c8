"""Fields named by the user: values on a page found by CSS or XPath."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from lxml import etree

from scrapy_stemmer.fields.products import PRODUCT_FIELDS, product_value
from scrapy_stemmer.fields.selecting import SelectorError
from scrapy_stemmer.fields.texts import clean_text
from scrapy_stemmer.page.elements import first_chars
from scrapy_stemmer.page.lazily import short_cache

OWN, AT, ATTRIBUTE, ALL = "field", "at", "attribute", "all"  # parts of a rule in a pattern file
OWN_PARTS = (OWN, AT, ATTRIBUTE, ALL, "after")

RESERVED = frozenset(
    "changed confidence error fields headings html images kind markdown matched pattern reason similarity source "
    "sources stemmer sub_text text title url".split()
)
"""Names of results beside the fields."""

MAX_NAME = 50  # characters of a name
MAX_VALUES = 1_000  # values of a field on a page
MAX_TEXTS = 5_000  # texts read of an element
MAX_CHARS = 10_000  # characters of a value
MAX_XPATH_ELEMENTS = 10_000
"""Elements of a page on which XPath is tried, at most: its time may grow with their square."""

Found = Iterable["etree._Element | str"]


def check_name(name: str, others: Iterable[str]) -> None:
    """Raise ValueError unless a name is suitable for a user's field; ``others`` are fields with rules already."""
    if not (name.isidentifier() and len(name) <= MAX_NAME):
        raise ValueError(f"{name!r} can't name a field: use letters, digits and _, at most {MAX_NAME}")
    if name in others:
        raise ValueError(f'{name!r} has rules of its own, such as {{"{name}": ".{name}"}}')
    if name in RESERVED or name.startswith("stemmer_"):
        raise ValueError(f"{name!r} is the name of another result: choose another one")


def is_xpath(selector: str) -> bool:
    return selector.lstrip().startswith(("/", "(", "./"))


@short_cache(1024)
def xpath_finder(expression: str) -> Callable[[etree._Element], Found]:
    """Return a function that finds the elements, attributes or texts of XPath in a tree.

    :raises ValueError: for invalid XPath.
    """
    try:
        find: Any = etree.XPath(expression, smart_strings=False)
        found = find(etree.Element("html"))
    except etree.XPathError as error:
        raise ValueError(f"{expression!r} is no XPath: {error}") from error
    kind = "namespace" if isinstance(found, list) else type(found).__name__
    if not isinstance(found, list) or (found and not any(map(_is_value, found))):
        raise ValueError(f"{expression!r} finds a {kind}, but must find elements, attributes or texts")

    def found_in(root: etree._Element) -> Found:
        if next(islice(root.iter(), MAX_XPATH_ELEMENTS, None), None) is not None:
            raise SelectorError(f"{expression!r} is not tried on a page of more than 10,000 elements: use CSS")
        return filter(_is_value, find(root))

    return found_in


def _is_value(found: Any) -> bool:
    """Return False for a namespace, which lxml gives as a pair."""
    return isinstance(found, etree._Element | str)


def text_of(found: etree._Element | str, attribute: str = "") -> str:
    """Return the text of an element without scripts, or the value of ``attribute``."""
    if isinstance(found, str):
        return clean_text(found[:MAX_CHARS])
    if attribute:
        return clean_text((found.get(attribute) or "")[:MAX_CHARS])
    return clean_text(first_chars(_texts(found), MAX_CHARS, MAX_TEXTS))


def _texts(element: etree._Element) -> Iterable[str]:
    skipped = {"script", "style", "template", "noscript"}
    for event, each in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        if event == "start" and each.tag not in skipped:
            yield f"{'' if each.tag in _INLINE else ' '}{each.text or ''}"
        elif event != "start" and each is not element:
            yield f"{'' if each.tag in _INLINE else ' '}{each.tail or ''}"


_INLINE = frozenset("a abbr b bdi big cite code data em font i ins mark small span strong sub sup time u wbr".split())
_BEHIND = re.compile(r"[\s:：]*")


def in_usual_form(name: str, text: str) -> str:
    """Return the value of a field: of a product's price a number, of another name the text."""
    return product_value(name, text) if name in PRODUCT_FIELDS else text


def behind(label: str, text: str) -> str:
    """Return the text behind a label, or "" without the label."""
    _, found, rest = text.partition(label)
    return _BEHIND.sub("", rest, count=1) if found else ""

"""What a page's metadata say that it is about: its titles and descriptions.

After Zhou & Sun, section 5, and their program.
"""

from __future__ import annotations

from lxml import etree

from scrapy_stemmer.core.text import collapse

HINTS = frozenset(f"{prefix}{name}" for prefix in ("", "og:", "twitter:") for name in ("title", "description"))
"""Names of the ``meta`` elements that are read, beside the ``title`` element."""

NAMED_BY = ("name", "property", "itemprop")
"""Attributes that name a ``meta`` element; sites mix them up."""


def hints_of(root: etree._Element) -> list[str]:
    """The titles and descriptions of a page, in order, repeats kept: they count as often as they are given."""
    found = []
    for element in root.iter("title", "meta"):
        text = _title(element) if element.tag == "title" else _content(element)
        if text:
            found.append(text)
    return found


def _title(element: etree._Element) -> str:
    """The text of the page's title; none for the titles of drawings."""
    parent = element.getparent()
    return collapse(element.text or "") if parent is not None and parent.tag in ("head", "html", "body") else ""


def _content(meta: etree._Element) -> str:
    names = {meta.get(attribute, "").strip().lower() for attribute in NAMED_BY}
    return collapse(meta.get("content", "")) if names & HINTS else ""

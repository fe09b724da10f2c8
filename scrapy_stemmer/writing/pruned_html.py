"""The kept part of a tree as standalone HTML or Markdown; ``_engine.prune`` decides how each element is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lxml import etree

from scrapy_stemmer._engine import native

pruned_html: Callable[..., str] = native("prune.pruned_html")
"""Return HTML of the deepest element around all pieces, with only kept texts, links and images; "" without pieces.

``pruned_html(root, pieces, url="", body=None, has_formulas=True)`` does not change the tree. Pieces of kept text, in
any order, are elements, each with a flag for its tail. With a body they are numbers: twice the number of an element
within, and one more for a tail; then icons are left out. Addresses are made absolute by the URL of the page; "" leaves
addresses unchanged. Significant white space is kept. Code, images, tasks and formulas are written anew.
"""


def holders_of(pieces: Iterable[tuple[etree._Element, bool]]) -> tuple[set[etree._Element], set[etree._Element]]:
    """Return the elements with pieces of text as their own or as tails of children, and these with all ancestors."""
    around = (element.getparent() if is_tail else element for element, is_tail in pieces)
    with_text = {each for each in around if each is not None}
    holders: set[etree._Element] = set()
    for each in with_text:
        holder: etree._Element | None = each
        while holder is not None and holder not in holders:
            holders.add(holder)
            holder = holder.getparent()
    return with_text, holders

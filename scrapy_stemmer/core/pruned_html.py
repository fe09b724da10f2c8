"""The kept part of a tree as HTML that stands alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lxml import etree

from scrapy_stemmer._native import native
from scrapy_stemmer.core.text import UNWANTED

PRIVATE = "\ue000"  # the first of the characters that only fonts of icons know


def is_icon(text: str) -> bool:
    """Whether a text is nothing but a character that only a font of icons knows."""
    return len(text) == 1 and PRIVATE <= text <= "\uf8ff"


pruned_html: Callable[..., str] = native("prune.pruned_html")
"""HTML of the deepest element around all pieces, with only those texts, links and images kept; ``""`` without any.

``pruned_html(root, pieces, url="", has_formulas=True)``: the tree is not changed. The pieces are where the text to keep
stands, each an element and whether its tail is meant, in any order. Addresses are made absolute by the URL of the page;
"" leaves them as they are. White space is the source's where it counts. Code, images and formulas are written anew, see
:mod:`scrapy_stemmer.core.rewriting`.
"""

pruned_pieces: Callable[..., str] = native("prune.pruned_pieces")
"""The same for pieces by their numbers: ``pruned_pieces(root, body, pieces, url="", has_formulas=True)``.

Each is twice the number of its element by the order of a body's tree, and one more where it is the tail. Those that are
icons are left out.
"""


def clean_html(html: str) -> str:
    """HTML without characters that none may hold. Parsers take carriage returns for new lines."""
    return UNWANTED.sub("", html).replace("\r", "&#13;")


def holders_of(pieces: Iterable[tuple[etree._Element, bool]]) -> tuple[set[etree._Element], set[etree._Element]]:
    """The elements that have pieces of text as their own, or as tails of children, and these with all around them."""
    around = (element.getparent() if is_tail else element for element, is_tail in pieces)
    with_text = {each for each in around if each is not None}
    holders: set[etree._Element] = set()
    for each in with_text:
        holder: etree._Element | None = each
        while holder is not None and holder not in holders:
            holders.add(holder)
            holder = holder.getparent()
    return with_text, holders

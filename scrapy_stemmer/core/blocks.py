"""Layout blocks, the runs of text of a page: the roles that these have, and the elements that matter."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Any, NamedTuple

from lxml import etree


class Role(StrEnum):
    """What a block is on its page."""

    TITLE = "title"
    SUBTITLE = "subtitle"
    MAIN = "main"
    TABLE = "table"
    CODE = "code"
    CAPTION = "caption"
    BYLINE = "byline"
    COMMENT = "comment"
    RELATED = "related"
    SUB = "sub"
    TEMPLATE = "template"


MAIN_ROLES = frozenset({Role.MAIN, Role.SUBTITLE, Role.TABLE, Role.CODE})
"""The main text: running text, and what belongs to it."""

TEXT_ROLES = MAIN_ROLES | {Role.TITLE}
"""What makes up the text of a page by default: the title where the page shows it, and the main text."""

SUB_ROLES = frozenset({Role.SUB, Role.CAPTION, Role.BYLINE, Role.COMMENT, Role.RELATED})
"""What varies from page to page and is not main text; :attr:`Role.SUB` is what has no name of its own."""


class PageKind(StrEnum):
    """What a page is there for."""

    CONTENT = "content"
    LIST = "list"
    ERROR = "error"
    CONSENT = "consent"


class Reason(StrEnum):
    """Why a page, or an item, has no text. ``docs/reasons.md`` explains each."""

    OPTED_OUT = "opted_out"
    REJECTED = "rejected"
    NO_PAGE = "no_page"
    NOT_HTML = "not_html"
    BINARY = "binary"
    TOO_LARGE = "too_large"
    TOO_COMPLEX = "too_complex"
    FRAMES = "frames"
    EMPTY = "empty"
    NO_MAIN_TEXT = "no_main_text"
    ERROR = "error"
    CONSENT = "consent"
    LOW_CONFIDENCE = "low_confidence"
    UNMATCHED = "unmatched"
    FAILED = "failed"


SIGNIFICANT = frozenset(
    "title p h1 h2 h3 h4 h5 h6 tr td th dt dd li ul ol dl dir menu pre div center font span blockquote table "
    "address".split()
)
"""Elements that cut blocks and stand in paths (the original's list)."""

HTML5 = frozenset("section article main nav header footer aside figure figcaption details summary".split())
"""Elements newer than Webstemmer; the original doesn't know them."""

MARKS = frozenset("\u00b6#\u00a7\u25c6\u221e\u2693\ufe0e\ufe0f\u200b\u200c\u200d\u2060\ufeff\U0001f517")
"""Characters that links of headings to themselves have for a text; private ones, of icon fonts, are such too."""

MAX_MARK = 80
"""Characters of such a text at most, with its white space."""

MAX_INSIDE = 8
"""Elements in such a link at most."""


class Piece(NamedTuple):
    """Where a piece of a block's text stands: an element's ``text``, or its ``tail``."""

    element: etree._Element
    is_tail: bool


@dataclass(frozen=True, slots=True)
class Component:
    """An element as a part of paths: its name, and those of its attributes that count by name, with their values."""

    tag: str
    attributes: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class LayoutBlock:
    """A run of text between two block boundaries.

    :param path: the feature, the last three significant elements as ``tag:attr=value`` joined by ``/``.
    :param text: the text with white space collapsed.
    :param sig: its letters and digits only, lower-cased.
    :param weight: length of ``sig`` in characters.
    :param weight_noanchor: the part of ``weight`` that stands outside links.
    :param components: the elements of the path.
    :param pieces: where the text stands in the tree, in order.
    """

    path: str
    text: str
    sig: str
    weight: int
    weight_noanchor: int
    components: tuple[Component, ...] = field(default=(), compare=False, repr=False)
    pieces: tuple[Piece, ...] = field(default=(), compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """For a copy, or another process: all but its place in the tree."""
        return type(self), (self.path, self.text, self.sig, self.weight, self.weight_noanchor, self.components)


def is_permalink(link: etree._Element) -> bool:
    """Whether a link leads to a part of a page and says nothing else: all of its text is a mark such as ``¶``."""
    if "#" not in (link.get("href") or ""):
        return False
    inside = list(islice(link.iter(), MAX_INSIDE + 2))
    texts = [each.text or "" for each in inside if isinstance(each.tag, str)]
    tails = [each.tail or "" for each in inside[1:]]
    return len(inside) <= MAX_INSIDE + 1 and is_mark("".join(texts + tails))


def is_mark(text: str) -> bool:
    """Whether a text is a mark, and white space."""
    mark = "".join(text.split())
    is_short = 0 < len(text) <= MAX_MARK
    return is_short and bool(mark) and all(each in MARKS or "\ue000" <= each <= "\uf8ff" for each in mark)


# What HTML made of a part of a page keeps, and how it writes it

KEPT_ATTRIBUTES = frozenset(
    {"alt", "title", "lang", "dir", "colspan", "rowspan", "scope", "start", "reversed", "value", "datetime"}
)
"""Attributes that carry content, and stay as they are; classes, styles and handlers are dropped."""

WITHOUT_TEXT = frozenset({"img", "br", "hr", "picture", "wbr"})
"""Elements that are kept without text of their own, when they stand among kept text or in one of these."""

VOID = frozenset("area base basefont bgsound br col embed frame hr img input link meta param source track wbr".split())
"""Elements that have no end tag. Old parsers put what follows into some of these, and there it is written too."""

RAW = frozenset("style script xmp iframe noembed noframes noscript plaintext".split())
"""Elements in which browsers see no markup, or no escaped characters."""

BLOCK_LEVEL = (
    SIGNIFICANT.difference({"font", "span"})
    | HTML5
    | frozenset("body caption dialog fieldset form hgroup hr legend search tbody tfoot thead".split())
)
"""Elements that browsers begin a line at, and end one."""

OTHER_NAME = "span"
"""Stands for :data:`RAW` elements and drawings, and for names, such as ``o:p``, that not every parser knows for one."""

OTHER_NAMES = {"html": "div", "body": "div", "svg": OTHER_NAME, **dict.fromkeys(RAW, OTHER_NAME)}
"""Other names for elements."""

NAME = re.compile("[A-Za-z][A-Za-z0-9._-]*")
"""A name that every parser knows for one."""

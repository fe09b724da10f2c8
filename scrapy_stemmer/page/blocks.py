"""Layout blocks, or runs of text; names of roles, of kinds of pages, and of reasons for no text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from lxml import etree


class Role(StrEnum):
    """Role of a block on a page."""

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


MAIN_ROLES = frozenset({Role.MAIN, Role.SUBTITLE, Role.TABLE, Role.CODE})  # roles of the main text

TEXT_ROLES = MAIN_ROLES | {Role.TITLE}
"""Roles of the text of a page by default: the title on the page, and the main text."""

SUB_ROLES = frozenset({Role.SUB, Role.CAPTION, Role.BYLINE, Role.COMMENT, Role.RELATED})
"""Roles of text that varies from page to page and is not main text; :attr:`Role.SUB` is unnamed."""


class PageKind(StrEnum):
    """Purpose of a page."""

    CONTENT = "content"
    LIST = "list"
    ERROR = "error"
    CONSENT = "consent"


class Reason(StrEnum):
    """Reason of a page, or an item, without text. ``docs/reasons.md`` explains each."""

    OPTED_OUT = "opted_out"
    REJECTED = "rejected"
    NO_PAGE = "no_page"
    SEVERAL_ITEMS = "several_items"
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


NAMING_ATTRIBUTES = frozenset({"id", "class"})  # attributes with names given by the makers of the site


TreePlace = tuple[etree._Element, bool]


def holder_of(piece: TreePlace) -> etree._Element:
    element, is_tail = piece
    parent = element.getparent() if is_tail else None
    return element if parent is None else parent


class Piece(NamedTuple):
    """Place of a piece of text: the ``text`` of an element, or its ``tail``."""

    element: etree._Element
    is_tail: bool

    @property
    def text(self) -> str:
        return (self.element.tail if self.is_tail else self.element.text) or ""

    @property
    def holder(self) -> etree._Element:
        return holder_of(self)


@dataclass(frozen=True, slots=True)
class PathComponent:
    """Element of a path, with the values of its naming attributes."""

    tag: str
    attributes: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class LayoutBlock:
    """Run of text between two block boundaries.

    :param path: the feature, made of the last three significant elements around; see :func:`path_of`.
    :param text: the text with white space collapsed.
    :param sig: letters and digits of the text, lower-cased.
    :param weight: length of ``sig`` in characters.
    :param weight_noanchor: the part of ``weight`` outside links.
    :param components: the elements of the path.
    :param pieces: places of the text in the tree, in order.
    """

    path: str
    text: str
    sig: str
    weight: int
    weight_noanchor: int
    components: tuple[PathComponent, ...] = field(default=(), compare=False, repr=False)
    pieces: tuple[Piece, ...] = field(default=(), compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out the place in the tree of a copy or a pickle."""
        return type(self), (self.path, self.text, self.sig, self.weight, self.weight_noanchor, self.components)


def path_of(components: Sequence[PathComponent], vocabulary: frozenset[str] | None = None) -> str:
    """Return the feature of a block, ``tag:name=value…`` of each element of its path.

    :param vocabulary: the identifiers and class names to keep; ``None`` for all.
    """
    parts = []
    for component in components:
        part = component.tag
        for name, values in component.attributes:
            kept = [v for v in values if vocabulary is None or name not in NAMING_ATTRIBUTES or v in vocabulary]
            part += f":{name}={' '.join(kept)}" if kept else ""
        parts.append(part)
    return "/".join(parts)

"""Layout blocks, the runs of text of a page: what they are, and what pages are; why a page has no text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
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


NAMING = frozenset({"id", "class"})  # attributes whose values are names given by the site's makers


class Piece(NamedTuple):
    """Where a piece of a block's text stands: an element's ``text``, or its ``tail``."""

    element: etree._Element
    is_tail: bool

    @property
    def text(self) -> str:
        """The text as it stands there."""
        return (self.element.tail if self.is_tail else self.element.text) or ""

    @property
    def holder(self) -> etree._Element:
        """The element that holds the text."""
        above = self.element.getparent() if self.is_tail else None
        return self.element if above is None else above


@dataclass(frozen=True, slots=True)
class Component:
    """An element as a part of paths: its name, and those of its attributes that count by name, with their values."""

    tag: str
    attributes: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class LayoutBlock:
    """A run of text between two block boundaries.

    :param path: the feature, the last three significant elements around; see :func:`path_of`.
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


def path_of(components: Sequence[Component], vocabulary: frozenset[str] | None = None) -> str:
    """The path of a block, its feature: ``tag:name=value…`` of each element.

    :param vocabulary: the identifiers and class names to keep; ``None`` for all.
    """
    parts = []
    for component in components:
        part = component.tag
        for name, values in component.attributes:
            kept = [v for v in values if vocabulary is None or name not in NAMING or v in vocabulary]
            part += f":{name}={' '.join(kept)}" if kept else ""
        parts.append(part)
    return "/".join(parts)

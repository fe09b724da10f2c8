"""A page as columns: shown block-level elements, text blocks and keys of texts.

:mod:`scrapy_stemmer._engine.read` fills the columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import accumulate, compress, count, islice
from operator import eq
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from lxml import etree

from scrapy_stemmer._engine import native
from scrapy_stemmer.page.elements import (
    BLOCK_ENDS,
    BLOCKS,
    HIDDEN_STYLE,
    INLINE_CUSTOM,
    SILENT_SVG,
    UNREAD,
)

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

MAX_NAME = 200  # characters read of a class name
MAX_NAMES = 1000  # characters read of all names in an attribute
MOSTLY_LINKS = 0.9  # share of text in links above which a block is a link


class Signature(NamedTuple):
    """Tag and attributes of a block-level element, short enough to be remembered."""

    tag: str  # ``body`` for the outermost
    id: str = ""
    classes: str = ""  # shortened by :func:`short_names`, like ``id`` and ``role``
    role: str = ""  # ARIA role
    hidden: bool = False  # hidden by an attribute, and not shown by a click (:func:`unfolds`)


class Signatures(list[Signature]):
    """Signatures by number, in order of appearance."""

    def __init__(self, signatures: Iterable[Signature] = ()) -> None:
        super().__init__(signatures)
        self._numbers = {signature: number for number, signature in enumerate(self)}
        self.by_bytes: dict[bytes, int] = {}  # numbers by the bytes of a signature, for the native walk
        self.traits: list[int] = []  # see :func:`scrapy_stemmer.learners.rules.site.hints.traits_in`
        self.chars = 0  # characters of the added names, as text and as bytes

    def number_of(self, signature: Signature) -> int:
        """Return the number of a signature, and add a new one."""
        number = self._numbers.setdefault(signature, len(self))
        if number == len(self):
            self.append(signature)
            self.chars += 2 * (len(signature.id) + len(signature.classes))
        return number


class Signs(NamedTuple):
    """A run of text without letters and digits, outside all blocks."""

    before: int  # number of the next block
    element: int  # number of the element around
    pieces: list[int]
    text: str  # white space collapsed
    is_spaced: bool  # True if a style keeps white space


def short_names(value: str) -> str:
    """Return an attribute without names over :data:`MAX_NAME`, cut to :data:`MAX_NAMES` characters."""
    if len(value) <= MAX_NAMES:
        return value
    names = [name for name in value.split() if len(name) <= MAX_NAME]
    sizes = accumulate(len(name) + 1 for name in names)
    return " ".join(name for name, size in zip(names, sizes, strict=True) if size <= MAX_NAMES)


def named_texts(columns: ReadPage, is_heading: Callable[[int], bool]) -> list[str]:
    """Return the texts of blocks as possible titles: a heading's first line gets the text of all lines, the rest ""."""
    elements, texts = columns.elements, columns.texts
    others = [at for at in compress(count(1), map(eq, elements, islice(elements, 1, None))) if is_heading(at)]
    if not others:
        return texts
    found = list(texts)
    for at in reversed(others):
        found[at - 1] += f" {found[at]}"
        found[at] = ""
    return found


# Kinds of elements

KIND_INLINE, KIND_BLOCK, KIND_UNREAD, KIND_CUTTER, KIND_LINK, KIND_DRAWING, KIND_CUSTOM = range(1, 8)
"""Kinds of elements in the walk over a tree."""

ELEMENT_KINDS = {
    **dict.fromkeys(BLOCKS, KIND_BLOCK),
    **dict.fromkeys(BLOCK_ENDS, KIND_CUTTER),
    **dict.fromkeys(UNREAD | SILENT_SVG, KIND_UNREAD),
    **dict.fromkeys(INLINE_CUSTOM, KIND_INLINE),
    "a": KIND_LINK,
    "svg": KIND_DRAWING,
}
"""Kinds of elements by name.

Further elements are inline. With a hyphen in the name they are custom, except parts of MathJax formulas.
"""


def element_kind(name: str) -> int:
    if not name:
        return KIND_UNREAD
    return ELEMENT_KINDS.get(name) or (KIND_CUSTOM if "-" in name and not name.startswith("mjx-") else KIND_INLINE)


def hides(style: str) -> bool:
    return HIDDEN_STYLE.search(style) is not None


_LENGTH = r"\s*:\s*(?:0+(?:\.\d*)?|\.\d+)(?:px|pt|%)?\s*(?:[!;]|$)"  # below 1
_CONCEALING = re.compile(
    rf"(?<![\w-])(?:opacity\s*:\s*(?:0+(?:\.0*)?|\.0+)%?\s*(?:[!;]|$)|font-size{_LENGTH}|color\s*:\s*transparent|"
    r"(?:left|right|top|text-indent|margin-left|margin-top)\s*:\s*-(?:\d{4}|[5-9]\d\d|\d{3}(?:r?em|v[wh]|%))|"
    r"clip\s*:\s*rect\(\s*[01](?:px)?[\s,]|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)|"
    r"transform\s*:[^;]{0,99}(?:scale(?:3d|[xy])?\(\s*0(?:\.0+)?\s*[,)]|translate(?:3d|[xy])?\(\s*-\d{4}))",
    re.IGNORECASE,
)
_WITHOUT_SIZE = re.compile(rf"(?<![\w-])(?:max-)?(?:height|width)(?:{_LENGTH}|\s*:\s*1px)", re.IGNORECASE)
_CUT = re.compile(r"overflow(?:-[xy])?\s*:\s*(?:hidden|clip)", re.IGNORECASE)
_MOVING = re.compile(
    r"transition|animation|will-change|filter\s*:|translate(?:3d|[xyz])?\((?!\s*-\d{4})|matrix|background",
    re.IGNORECASE,
)


def conceals(style: str) -> bool:
    """Return True if a style keeps an element from sight though not from the layout: transparent, of no size, or off
    the screen; not at the start of a movement."""
    if _WITHOUT_SIZE.search(style) is not None and _CUT.search(style) is not None:
        return True
    return _CONCEALING.search(style) is not None and _MOVING.search(style) is None


def is_true(value: str) -> bool:
    """Return True for an ARIA attribute's ``true``."""
    return value.strip().lower() == "true"


def unfolds(role: str, hidden: str, is_labelled: bool) -> bool:
    """Return True if a click shows a hidden element: the panel of a tab or an accordion, with a label."""
    role = role.strip().lower()
    return hidden.strip().lower() == "until-found" or role == "tabpanel" or (is_labelled and role in ("", "region"))


body_of: Callable[[etree._Element], etree._Element] = native("shown.body_of")
"""Return the element around a tree's text. Without ``body``, libxml2 puts the page into ``head``."""


# Keys of texts

text_key: Callable[[str], int] = native("page.text_key")
"""Return a 32-bit hash of a text: equal for ``5 minutes ago`` and ``17 Minutes ago``, not for ``5`` and ``17``."""


def exact_key(text: str) -> int:
    return crc32(text.lower().encode("utf-8", "surrogatepass"))

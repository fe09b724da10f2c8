"""A page's block-level elements and the texts in them: what the evidence learner reads of a page.

Unlike :mod:`scrapy_stemmer.core.blocks`, which keeps to Webstemmer's list of elements, this knows today's: every
block-level element of HTML, and every custom element.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.evidence.head import AnyHead
from scrapy_stemmer.core.hashing import short_hash
from scrapy_stemmer.core.text import CJK, significant

UNREAD = frozenset(
    "style script option noscript template iframe head select textarea button input object audio video canvas "
    "datalist map".split()
)
"""Elements whose text is no text of the page."""

SILENT_SVG = frozenset("title desc defs metadata symbol lineargradient filter clippath".split())
"""Elements of a drawing that are never shown."""

BLOCKS = frozenset(
    "address blockquote center dd dir div dl dt h1 h2 h3 h4 h5 h6 li menu ol p pre ul table caption tbody thead "
    "tfoot tr td th section article main header footer nav aside svg figure figcaption form fieldset legend "
    "details summary body hgroup search dialog".split()
)
"""Block-level elements; custom elements, whose names have a hyphen, count too."""

HEADLINE = "h1"
"""The element of a page's title."""

TIME = "time"
"""The element of dates and times of day."""

CUTTERS = frozenset({"br", "hr"})
"""Elements that end a block."""

UNSEEN_NAMES = frozenset(
    "visually-hidden visuallyhidden u-visually-hidden sr-only screen-reader-text screen-reader-only screenreader "
    "aok-hidden a11y-hidden assistive-text".split()
)
"""Class names of text that is meant for screen readers only, as the common style sheets name it."""

CJK_WEIGHT = 3
"""A CJK character says as much as three letters of an alphabet: a word of such a language has one or two."""

MIN_LETTERS = 4
"""Texts with so many letters are the same whatever their numbers."""

LONG_TEXT = 100
"""Texts of so many characters, white space left out, are measured and compared as they are: that is quicker."""

LETTERS = 0.97
"""Share of letters and digits in running text without white space, as measured on the project's page sets."""

MANY_BYTES = 1.2
"""Texts of so many bytes a character in UTF-8 are looked through for CJK characters."""

BRACES = "{{"
"""The mark of a template that a script was to fill."""

_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CJK = re.compile(f"[{CJK}]")
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\w")


Stretch = tuple[etree._Element, bool]
"""Where a stretch of text stands: an element, and whether it is its tail; equal to a :class:`Piece` of blocks."""


class Shape:
    """A block-level element by itself. It does not change.

    :param tag: its name.
    :param id: its identifier, or "".
    :param classes: its class names, sorted, each once.
    :param role: its ARIA role in lower case, or "".
    :param hidden: whether an attribute says that it is not shown.
    """

    __slots__ = ("_hash", "classes", "hidden", "id", "role", "tag")

    tag: str
    id: str
    classes: tuple[str, ...]
    role: str
    hidden: bool
    _hash: int

    def __init__(
        self,
        tag: str,
        id: str = "",  # noqa: A002 - the name of the attribute
        classes: tuple[str, ...] = (),
        role: str = "",
        hidden: bool = False,
    ) -> None:
        _describe(self, tag, id, classes, role, hidden)

    def __hash__(self) -> int:
        """The same as that of its fields, which is looked up for each element of each page."""
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Shape) and self._fields() == other._fields()

    def __repr__(self) -> str:
        names = ("tag", "id", "classes", "role", "hidden")
        return f"Shape({', '.join(f'{name}={value!r}' for name, value in zip(names, self._fields(), strict=True))})"

    def _fields(self) -> tuple[str, str, tuple[str, ...], str, bool]:
        return self.tag, self.id, self.classes, self.role, self.hidden


def _describe(shape: Shape, tag: str, id: str, classes: tuple[str, ...], role: str, hidden: bool) -> None:  # noqa: A002
    shape.tag = tag
    shape.id = id
    shape.classes = classes
    shape.role = role
    shape.hidden = hidden
    shape._hash = hash((tag, id, classes, role, hidden))


class Words(NamedTuple):
    """A text, and what is measured of it.

    :param text: the text, white space collapsed.
    :param weight: number of its letters and digits, CJK characters counting three times.
    :param hash: of a long text (see :data:`LONG_TEXT`) as it is, white space collapsed; of a shorter one whatever its
        white space, its case, its punctuation and its numbers.
    """

    text: str
    weight: int
    hash: int


@dataclass(frozen=True)
class TextBlock:
    """A run of text with the same innermost block-level element.

    :param node: index of that element.
    :param text: see :class:`Words`; also the next two.
    :param anchor_weight: the part of the weight that stands in links.
    :param start: number of the stretch of text that it begins with, among all that were read of the page; those count
        too that end in no block. :meth:`scrapy_stemmer.core.evidence.walk.Reader.stretches`
        tells where they stand.
    :param end: number of the stretch behind its last one.
    :param has_time: whether there is a ``time`` element with text of its own in it.
    :param has_braces: whether there are :data:`BRACES` in it; not told of a block without its text.
    """

    __slots__ = ("anchor_weight", "end", "has_braces", "has_time", "hash", "node", "start", "text", "weight")

    node: int
    text: str
    weight: int
    hash: int
    anchor_weight: int
    start: int
    end: int
    has_time: bool
    has_braces: bool


@dataclass(frozen=True)
class Outline:
    """A page as the evidence learner sees it.

    :param shapes: its block-level elements in document order, the body first.
    :param parents: for each of them the index of the one around it, -1 for the body.
    :param blocks: its texts in order.
    :param head: what its head says.
    """

    __slots__ = ("blocks", "head", "parents", "shapes")

    shapes: Sequence[Shape]
    parents: Sequence[int]
    blocks: Sequence[TextBlock]
    head: AnyHead


def words_of(raw: str) -> Words | None:
    """What is measured of a text; ``None`` when it has neither letters nor digits."""
    parts = raw.split()
    text, compact = " ".join(parts), "".join(parts)
    sig = _significant(compact)
    if not sig:
        return None
    return Words(text, weight_of(sig), short_hash(text) if len(compact) >= LONG_TEXT else _hash(sig))


def _significant(compact: str) -> str:
    """The letters and digits of a text without white space, lower-cased; all of a long one, as it is."""
    if len(compact) < LONG_TEXT or not _WORD.search(compact):
        return significant(compact)
    return compact


def weight_of(sig: str) -> int:
    """The weight of a significant text, or of a long text without its white space.

    Of a long one, whose punctuation is not removed, :data:`LETTERS` is taken for the share of letters and digits.
    CJK characters count more in texts of more than :data:`MANY_BYTES`, in whatever case they are.
    """
    count = len(sig)
    if not sig.isascii() and len(sig.encode("utf-8", "surrogatepass")) > MANY_BYTES * count:
        count += (CJK_WEIGHT - 1) * len(_CJK.findall(sig))
    return count if len(sig) < LONG_TEXT else int(LETTERS * count)


def _hash(sig: str) -> int:
    """A hash of a short block's significant text, the same for ``5 minutes ago`` and ``17 minutes ago``.

    Numbers alone keep their digits: the cells of a table are not one text.
    """
    if len(sig) >= LONG_TEXT or sig.isalpha():
        return short_hash(sig)
    without = _DIGITS.sub("0", sig)
    return short_hash(without if len(without) - without.count("0") >= MIN_LETTERS else sig)


class Kind:
    """What an element is to the walk."""

    UNKNOWN = 0
    INLINE = 1
    BLOCK = 2
    UNREAD = 3
    CUTTER = 4
    LINK = 5


INLINE = frozenset(
    "abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark math nobr path picture q rp rt "
    "ruby s samp slot small source span strike strong sub sup time tt u use var wbr".split()
)
"""Common elements within lines; any other one without a hyphen in its name is taken for one too."""

KINDS = {
    **dict.fromkeys(INLINE, Kind.INLINE),
    **dict.fromkeys(BLOCKS, Kind.BLOCK),
    **dict.fromkeys(CUTTERS | {"text"}, Kind.CUTTER),
    **dict.fromkeys(UNREAD | SILENT_SVG, Kind.UNREAD),
    "a": Kind.LINK,
}


def kind_of(tag: object) -> int:
    """The kind of an element by its name; comments and processing instructions, which have none, are not read."""
    if not isinstance(tag, str):
        return Kind.UNREAD
    return KINDS.get(tag) or (Kind.BLOCK if "-" in tag else Kind.INLINE)


def anchor_weight_of(linked: str, length: int, weight: int) -> int:
    """The weight of the linked part of a text.

    :param length: of the raw text.
    """
    if len(linked) == length:
        return weight
    return min(weight, weight_of(_significant("".join(linked.split()))))


def shape_of(key: tuple[object, str | None, str | None, str | None, str | None, str | None]) -> Shape:
    """The shape of an element of a name, and of values of ``class``, ``id``, ``role``, ``style`` and ``hidden``."""
    tag, classes, identifier, role, style, hidden = key
    is_hidden = hidden is not None or bool(style and hides(style))
    return shape_by(str(tag), classes, identifier, role, is_hidden)


def shape_by(tag: str, classes: str | None, identifier: str | None, role: str | None, hidden: bool) -> Shape:
    """The same by what is told of it; compiled, it is made without the detour over Python's arguments."""
    shape = Shape.__new__(Shape)
    _describe(shape, tag, identifier or "", _names_in(classes), role.lower() if role else "", hidden)
    return shape


def _names_in(classes: str | None) -> tuple[str, ...]:
    """The class names in a value of ``class``, sorted, each once."""
    if not classes:
        return ()
    names = classes.split()
    names.sort()
    for index in range(1, len(names)):
        if names[index] == names[index - 1]:
            return tuple(sorted(set(names)))
    return tuple(names)


def hides(style: str) -> bool:
    """Whether a value of ``style`` takes an element out of sight."""
    return _HIDDEN_STYLE.search(style) is not None


def is_unseen(key: tuple[str | None, str | None]) -> bool:
    """Whether values of ``class`` and ``style`` take an element out of sight."""
    classes, style = key
    if style and hides(style):
        return True
    return bool(classes) and not UNSEEN_NAMES.isdisjoint((classes or "").lower().split())

"""A page as columns of numbers and texts: its block-level elements, the text in them, and the keys of texts.

:mod:`scrapy_stemmer._engine.read` reads them off the nodes of libxml2; ``tests/reference/columns.py`` does in Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, MutableSequence, Sequence
from functools import lru_cache
from itertools import accumulate, compress, count, islice
from operator import eq
from typing import NamedTuple
from zlib import crc32

from lxml import etree

from scrapy_stemmer.page.elements import (
    BLOCK_ENDS,
    BLOCKS,
    HEADINGS,
    HIDDEN_FORMULA,
    HIDDEN_STYLE,
    INLINE_CUSTOM,
    MAX_INSIDE,
    SILENT_SVG,
    UNREAD,
    UNSEEN_NAMES,
)

MAX_NAME = 200  # characters of a class name that are read
MAX_NAMES = 1000  # characters that are read of all names of an element together
MOSTLY_LINKS = 0.9  # a block with this share of its text in links is a link


class Signature(NamedTuple):
    """A block-level element by itself."""

    tag: str  # its name, ``body`` for the outermost
    id: str = ""  # its identifier, or ""
    # its class attribute, or ""; of very long ones what :func:`short_names` leaves, of ``id`` and ``role`` too
    classes: str = ""
    role: str = ""  # its ARIA role, or ""
    hidden: bool = False  # whether an attribute says that it is not shown, and no click :func:`unfolds` it


class Signatures(dict[Signature, int]):
    """Numbers of signatures, in the order in which they were met."""

    def __init__(self) -> None:
        super().__init__()
        # the same by the bytes that they are made from, of those that the native walk has met
        self.by_bytes: dict[bytes, int] = {}


class Signs(NamedTuple):
    """A run of text without letters and digits, which is no block."""

    before: int  # the number of the block that it stands before
    element: int  # the number of its element
    pieces: list[int]  # its pieces
    text: str  # itself, white space collapsed
    is_spaced: bool  # whether the style of an element around it keeps white space


class Columns(NamedTuple):
    """What was read of a page. Elements are block-level elements in document order, the body first. A block is a run of
    text with the same innermost block-level element."""

    parents: MutableSequence[int]  # for each element the number of the one around it, -1 for the body
    signatures: MutableSequence[int]  # for each element the number of its signature
    numbers: MutableSequence[int]  # for each element its number by the order of the tree. See :func:`elements_at`
    elements: MutableSequence[int]  # for each block the number of its element
    texts: list[str]  # for each block its text, white space collapsed
    lengths: MutableSequence[int]  # for each block the number of its characters, white space left out
    linked: MutableSequence[int]  # for each block the number of its characters in links, white space left out
    times: list[bool]  # for each block whether a ``time`` element is in it
    # for each link with an address the number of the block that it begins in or before, and the address
    links: list[tuple[int, str]]
    spaced: list[bool]  # for each block whether the style of an element around its first piece keeps white space
    ends: list[int]  # 0, and for each block the number of the piece behind its last one
    # for each piece of the blocks' texts twice the number of the element whose text or tail it is, by the order of the
    # tree, and 1 more where it is the tail
    pieces: list[int]
    signs: Sequence[Signs] = ()  # the runs of text that are no blocks


def short_names(value: str) -> str:
    """The names in an attribute of an element that count: nobody writes names of more than :data:`MAX_NAME` characters,
    nor more than :data:`MAX_NAMES` characters of them; what hostile pages have of that is left out."""
    if len(value) <= MAX_NAMES:
        return value
    names = [name for name in value.split() if len(name) <= MAX_NAME]
    sizes = accumulate(len(name) + 1 for name in names)
    return " ".join(name for name, size in zip(names, sizes, strict=True) if size <= MAX_NAMES)


def named_texts(columns: Columns, is_heading: Callable[[int], bool]) -> list[str]:
    """For each block what it would call the page: its text; but of the lines of one heading the first has the text of
    all of them, the others have none."""
    elements, texts = columns.elements, columns.texts
    others = [at for at in compress(count(1), map(eq, elements, islice(elements, 1, None))) if is_heading(at)]
    if not others:
        return texts
    found = list(texts)
    for at in reversed(others):
        found[at - 1] += f" {found[at]}"
        found[at] = ""
    return found


# What elements are to the walk over a tree

KIND_INLINE, KIND_BLOCK, KIND_UNREAD, KIND_CUTTER, KIND_LINK, KIND_DRAWING, KIND_CUSTOM = range(1, 8)
"""What an element is to the walk over a tree."""

ELEMENT_KINDS = {
    **dict.fromkeys(BLOCKS, KIND_BLOCK),
    **dict.fromkeys(BLOCK_ENDS, KIND_CUTTER),
    **dict.fromkeys(UNREAD | SILENT_SVG, KIND_UNREAD),
    **dict.fromkeys(INLINE_CUSTOM, KIND_INLINE),
    "a": KIND_LINK,
    "svg": KIND_DRAWING,
}
"""The kinds of elements by name; any other is within lines, or if it has a hyphen in its name one that scripts make
something of, but for the parts of formulas that MathJax makes."""

OF_LINES = HEADINGS | {"p"}  # elements that hold nothing but lines


def local_name(tag: object) -> str:
    """The name of an element without its namespace; "" for comments and processing instructions, which have none."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def element_kind(name: str) -> int:
    """The kind of an element by its local name."""
    if not name:
        return KIND_UNREAD
    return ELEMENT_KINDS.get(name) or (KIND_CUSTOM if "-" in name and not name.startswith("mjx-") else KIND_INLINE)


def hides(style: str) -> bool:
    """Whether a value of ``style`` takes an element out of sight."""
    return HIDDEN_STYLE.search(style) is not None


def unfolds(role: str, hidden: str, is_labelled: bool) -> bool:
    """Whether a click shows an element that is hidden: it is the panel of a tab or of an accordion. These name their
    label; so do dialogues and lists of choices, which have other roles."""
    role = role.strip().lower()
    return hidden.strip().lower() == "until-found" or role == "tabpanel" or (is_labelled and role in ("", "region"))


def is_unseen(classes: str | None, style: str | None) -> bool:
    """Whether an inline element of these attributes is not shown, or only read aloud; ``hidden`` hides it too."""
    if HIDDEN_FORMULA in (classes or ""):
        return False
    return hides(style or "") or not UNSEEN_NAMES.isdisjoint((classes or "").lower().split())


def kind_in_place(element: etree._Element, kind: int) -> int:
    """The kind of an element where it stands, by that of its name: of some it hangs on what is around and in them."""
    if kind == KIND_DRAWING:
        return KIND_UNREAD if is_line_icon(element) else KIND_BLOCK
    if kind == KIND_CUSTOM:
        return KIND_INLINE if is_in_line(element) else KIND_BLOCK
    return kind


def is_within_line(element: etree._Element) -> bool:
    """Whether an element is read as part of the line that it stands in."""
    return kind_in_place(element, element_kind(local_name(element.tag))) in (KIND_INLINE, KIND_LINK)


def is_behind_word(element: etree._Element) -> bool:
    """Whether text stands right before an element, in the same element as itself."""
    before, parent = element.getprevious(), element.getparent()
    text = before.tail if before is not None else None if parent is None else parent.text
    return bool((text or "").strip())


def is_line_icon(drawing: etree._Element) -> bool:
    """Whether a drawing stands in a sentence: between words, or at the end of a link as icons of links to other sites
    do."""
    if is_behind_word(drawing):
        behind = drawing.getnext()
        if (drawing.tail or "").strip() or (behind is not None and _formats(behind)):
            return True
    return ends_link(drawing)


def is_in_line(custom: etree._Element) -> bool:
    """Whether an element that scripts make something of stands within a line: in a paragraph or a heading, or behind a
    word, with nothing in it that begins a line. Others may be anything."""
    parent = custom.getparent()
    if not is_behind_word(custom) and (parent is None or local_name(parent.tag) not in OF_LINES):
        return False
    inside = list(islice(custom.iterdescendants(), MAX_INSIDE + 1))
    return len(inside) <= MAX_INSIDE and all(map(_formats, inside))


def _formats(element: etree._Element) -> bool:
    """Whether an element is one of those within lines, by its name alone."""
    return element_kind(local_name(element.tag)) in (KIND_INLINE, KIND_LINK)


def ends_link(drawing: etree._Element) -> bool:
    """Whether a drawing is the end of a link in a sentence."""
    each: etree._Element | None = drawing
    for _ in range(MAX_INSIDE):
        if each is None or each.getnext() is not None or (each.tail or "").strip():
            return False
        each = each.getparent()
        if each is not None and local_name(each.tag) == "a":
            return bool((each.tail or "").strip())
    return False


def body_of(root: etree._Element) -> etree._Element:
    """The element of a tree that holds its text, below ``html`` or any other. Where there is no ``body``, libxml2 has
    put all of the page into ``head``."""
    if local_name(root.tag) == "body":
        return root
    head = None
    for child in root.iterchildren("{*}body", "{*}head"):
        if local_name(child.tag) == "body":
            return child
        head = child
    return root if head is None or len(root) > 1 else head


# The walk


# Keys of texts

MIN_WORDS = 4  # a text with fewer characters beside its digits is told apart from others by its numbers
REMEMBERED = 60  # characters of a text whose key is remembered from page to page

_DIGITS = re.compile(r"\d+")

_ZEROS = bytes.maketrans(b"0123456789", b"0000000000")

OTHER_DIGITS = b"\xd9\xdb\xdf\xe0\xe1\xea\xef\xf0"  # what digits of other scripts than ours begin with in UTF-8


def text_key(text: str) -> int:
    """A 32-bit hash of a text: the same for ``5 minutes ago`` and ``17 Minutes ago``, not for ``5`` and ``17``."""
    return _key(text) if len(text) <= REMEMBERED else _key.__wrapped__(text)


@lru_cache(4096)  # each page of a site has the same menus
def _key(text: str) -> int:
    lower = text.lower()
    data = lower.encode("utf-8", "surrogatepass")
    if len(data) != len(lower) and len(data) != len(data.translate(None, OTHER_DIGITS)):
        without, runs = _DIGITS.subn("0", lower)
        if runs and len(text) - (len(lower) - len(without) + runs) < MIN_WORDS:
            without = lower
        return crc32(without.encode("utf-8", "surrogatepass"))
    # A tenth of the time.
    digits = len(data) - len(data.translate(None, b"0123456789"))
    if not digits or len(text) - digits < MIN_WORDS:
        return crc32(data)
    data = data.translate(_ZEROS)
    while b"00" in data:
        data = data.replace(b"00", b"0")
    return crc32(data)


def exact_key(text: str) -> int:
    """A 32-bit hash of a text, digits and all."""
    return crc32(text.lower().encode("utf-8", "surrogatepass"))

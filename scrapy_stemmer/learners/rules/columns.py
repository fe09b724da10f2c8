"""What elements are to a reader of pages, and what reading gives: a page as columns of numbers and texts."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

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

INLINE = frozenset(
    "abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark math nobr path picture q rp rt "
    "ruby s samp slot small source span strike strong sub sup time tt u use var wbr".split()
)
"""Common elements within lines; any other one without a hyphen in its name is taken for one too."""

CUTTERS = frozenset({"br", "hr", "text"})
"""Elements that end a block without beginning one."""

UNSEEN_NAMES = frozenset(
    "visually-hidden visuallyhidden u-visually-hidden sr-only screen-reader-text screen-reader-only screenreader "
    "aok-hidden a11y-hidden assistive-text".split()
)
"""Class names of inline text that is meant for screen readers only, as the common style sheets name it."""

MAX_NAME, MAX_NAMES = 200, 1000
"""Characters of a class name, and of all names of an element together, that are read."""

KIND_INLINE, KIND_BLOCK, KIND_UNREAD, KIND_CUTTER, KIND_LINK = 1, 2, 3, 4, 5
"""What an element is to the walk over a tree."""

KINDS = {
    **dict.fromkeys(INLINE, KIND_INLINE),
    **dict.fromkeys(BLOCKS, KIND_BLOCK),
    **dict.fromkeys(CUTTERS, KIND_CUTTER),
    **dict.fromkeys(UNREAD | SILENT_SVG, KIND_UNREAD),
    "a": KIND_LINK,
}
"""The kinds of elements by name."""

_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def local_name(tag: object) -> str:
    """The name of an element without its namespace; "" for comments and processing instructions, which have none."""
    if not isinstance(tag, str):
        return ""
    return tag.rpartition("}")[2] if tag.startswith("{") else tag


def kind_of(name: str) -> int:
    """The kind of an element by its local name."""
    if not name:
        return KIND_UNREAD
    return KINDS.get(name) or (KIND_BLOCK if "-" in name else KIND_INLINE)


def hides(style: str) -> bool:
    """Whether a value of ``style`` takes an element out of sight."""
    return _HIDDEN_STYLE.search(style) is not None


def is_unseen(classes: str | None, style: str | None) -> bool:
    """Whether an inline element of these attributes is not shown, or only read aloud."""
    if style and hides(style):
        return True
    return bool(classes) and not UNSEEN_NAMES.isdisjoint((classes or "").lower().split())


def short_names(value: str) -> str:
    """The names in an attribute of an element that count: nobody writes names of more than :data:`MAX_NAME` characters,
    nor more than :data:`MAX_NAMES` characters of them; what hostile pages have of that is left out."""
    if len(value) <= MAX_NAMES:
        return value
    found: list[str] = []
    size = 0
    for name in value.split():
        if len(name) > MAX_NAME:
            continue
        size += len(name) + 1
        if size > MAX_NAMES:
            break
        found.append(name)
    return " ".join(found)


def body_of(root: etree._Element) -> etree._Element:
    """The element of a tree that holds its text.

    :param root: ``html``, ``body`` or any other element. Where there is no ``body``, libxml2 has put all of the page
        into ``head``.
    """
    if local_name(root.tag) == "body":
        return root
    head = None
    for child in root:
        name = local_name(child.tag)
        if name == "body":
            return child
        if name == "head" and head is None:
            head = child
    return root if head is None or len(root) > 1 else head


class Signature(NamedTuple):
    """A block-level element by itself.

    :param tag: its name, ``body`` for the outermost.
    :param id: its identifier, or "".
    :param classes: its class attribute, or ""; of very long ones what :func:`short_names` leaves, of ``id``
        and ``role`` too.
    :param role: its ARIA role, or "".
    :param hidden: whether an attribute says that it is not shown.
    """

    tag: str
    id: str = ""
    classes: str = ""
    role: str = ""
    hidden: bool = False


Signatures = dict[Signature, int]
"""Numbers of signatures, in the order in which they were met."""


class Columns(NamedTuple):
    """What was read of a page. Elements are block-level elements in document order, the body first.

    A block is a run of text with the same innermost block-level element; a stretch is the text or tail of one element.

    :param parents: for each element the number of the one around it, -1 for the body.
    :param signatures: for each element the number of its signature.
    :param elements: for each block the number of its element.
    :param texts: for each block its text, white space collapsed.
    :param linked: for each block the number of its characters in links, white space left out.
    :param starts: for each block the number of the stretch that it begins with, among all that were read.
    :param ends: for each block the number of the stretch behind its last one.
    :param times: for each block whether a ``time`` element is in it.
    :param links: for each link with an address the number of the block that it begins in or before, and the address.
    :param stretches: for each stretch the element whose text or tail it is; empty where that was not asked for.
    :param tails: for each of these whether it is the tail.
    """

    parents: list[int]
    signatures: list[int]
    elements: list[int]
    texts: list[str]
    linked: list[int]
    starts: list[int]
    ends: list[int]
    times: list[bool]
    links: list[tuple[int, str]]
    stretches: list[etree._Element]
    tails: list[bool]

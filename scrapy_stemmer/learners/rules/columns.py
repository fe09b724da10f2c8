"""A page as columns of numbers and texts: what reading gives and everything else starts from."""

from __future__ import annotations

from typing import NamedTuple

from lxml import etree


class Signature(NamedTuple):
    """A block-level element by itself.

    :param tag: its name, ``body`` for the outermost.
    :param id: its identifier, or "".
    :param classes: its class attribute, or ""; of very long ones what :func:`.elements.short_names` leaves, of ``id``
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

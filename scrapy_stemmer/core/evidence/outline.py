"""A page's block-level elements and the texts in them: what the evidence learner reads of a page, in one walk.

Unlike :mod:`scrapy_stemmer.core.blocks`, which keeps to Webstemmer's list of elements, this knows today's: every
block-level element of HTML, and every custom element.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from scrapy_stemmer.core.blocks import Piece
from scrapy_stemmer.core.evidence.head import Head, head_of
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

CUTTERS = frozenset({"br", "hr"})
"""Elements that end a block."""

UNSEEN_NAMES = frozenset(
    "visually-hidden visuallyhidden u-visually-hidden sr-only screen-reader-text screen-reader-only screenreader "
    "aok-hidden a11y-hidden assistive-text".split()
)
"""Class names of text that is meant for screen readers only, as the common style sheets name it."""

CJK_WEIGHT = 3
"""A CJK character says as much as three letters of an alphabet: a word of such a language has one or two."""

_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_PUNCTUATION = re.compile(
    '[.,;:!?\u3001\u3002\uff0c\uff0e\uff01\uff1f\uff1b\uff1a\u2026\u201d"\u060c\u061b\u061f\u06d4\u0964]'
)
_CJK = re.compile(f"[{CJK}\u0e00-\u0e7f]")


@dataclass(frozen=True, slots=True)
class Node:
    """A block-level element.

    :param parent: index of the block-level element around it, -1 for the body.
    :param tag: its name.
    :param id: its identifier, or "".
    :param classes: its class names, sorted, each once.
    :param role: its ARIA role in lower case, or "".
    :param hidden: whether an attribute says that it is not shown.
    """

    parent: int
    tag: str
    id: str = ""
    classes: tuple[str, ...] = ()
    role: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A run of text with the same innermost block-level element.

    :param node: index of that element.
    :param text: the text, white space collapsed.
    :param sig: its letters and digits, lower-cased.
    :param weight: length of ``sig``, CJK characters counting three times.
    :param anchor_weight: the part of the weight that stands in links.
    :param punctuation: number of punctuation marks.
    :param pieces: where the text stands in the tree.
    """

    node: int
    text: str
    sig: str
    weight: int
    anchor_weight: int
    punctuation: int
    pieces: tuple[Piece, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Outline:
    """A page as the evidence learner sees it.

    :param nodes: its block-level elements in document order, the body first.
    :param blocks: its texts in order.
    :param head: what its head says.
    """

    nodes: tuple[Node, ...]
    blocks: tuple[TextBlock, ...]
    head: Head


def outline_of(root: etree._Element, *, with_pieces: bool = True) -> Outline:
    """The outline of a tree, which is not changed.

    :param root: ``html`` or ``body``; of a tree without ``body`` all is read.
    :param with_pieces: whether blocks know where in the tree they stand, which keeps the tree in memory.
    """
    body = root if root.tag == "body" else root.find("body")
    walk = _Walk(with_pieces=with_pieces)
    walk.run(root if body is None else body)
    return Outline(tuple(walk.nodes), tuple(walk.blocks), head_of(root))


def weight_of(sig: str) -> int:
    """The weight of a significant text."""
    return len(sig) if sig.isascii() else len(sig) + (CJK_WEIGHT - 1) * len(_CJK.findall(sig))


class _Walk:
    """One pass over a tree. The stack holds block-level elements; links are counted while they are open."""

    def __init__(self, *, with_pieces: bool) -> None:
        self._with_pieces = with_pieces
        self.nodes: list[Node] = []
        self.blocks: list[TextBlock] = []
        self._open = [-1]
        self._open_anchors = 0
        self._texts: list[str] = []
        self._linked: list[str] = []
        self._pieces: list[Piece] = []

    def run(self, body: etree._Element) -> None:
        walker = etree.iterwalk(body, events=("start", "end", "comment", "pi"))
        for event, element in walker:
            if event == "start":
                if element is not body and _is_unread(element):
                    walker.skip_subtree()
                else:
                    self._enter(element, is_body=element is body)
                continue
            if element is body:
                break
            if event == "end" and not _is_unread(element):
                self._leave(element)
            self._add(element.tail, element, is_tail=True)
        self._flush()

    def _enter(self, element: etree._Element, *, is_body: bool) -> None:
        tag = str(element.tag)
        if is_body or _is_block(tag):
            self._flush()
            self._open.append(len(self.nodes))
            self.nodes.append(_node(element, "body" if is_body else tag, self._open[-2]))
        elif tag in CUTTERS or tag == "text":
            self._flush()
        elif tag == "a":
            self._open_anchors += 1
        self._add(element.text, element, is_tail=False)

    def _leave(self, element: etree._Element) -> None:
        tag = str(element.tag)
        if _is_block(tag):
            self._flush()
            self._open.pop()
        elif tag == "a":
            self._open_anchors -= 1

    def _add(self, text: str | None, element: etree._Element, *, is_tail: bool) -> None:
        if not text:
            return
        self._texts.append(text)
        if self._open_anchors:
            self._linked.append(text)
        if self._with_pieces:
            self._pieces.append(Piece(element, is_tail))

    def _flush(self) -> None:
        if not self._texts:
            return
        text = " ".join("".join(self._texts).split())
        sig = significant(text)
        if sig:
            weight = weight_of(sig)
            linked = min(weight, weight_of(significant("".join(self._linked)))) if self._linked else 0
            marks = len(_PUNCTUATION.findall(text))
            block = TextBlock(self._open[-1], text, sig, weight, linked, marks, tuple(self._pieces))
            self.blocks.append(block)
        self._texts, self._linked, self._pieces = [], [], []


def _is_block(tag: str) -> bool:
    return tag in BLOCKS or "-" in tag


def _is_unread(element: etree._Element) -> bool:
    """Whether the text of an element, and of all in it, is no text of the page."""
    tag = element.tag
    if tag in UNREAD or tag in SILENT_SVG:
        return True
    return not _is_block(str(tag)) and _is_unseen(element)


def _is_unseen(element: etree._Element) -> bool:
    """Whether an inline element is not shown, or only read aloud."""
    if _HIDDEN_STYLE.search(element.get("style") or ""):
        return True
    return not UNSEEN_NAMES.isdisjoint((element.get("class") or "").lower().split())


def _node(element: etree._Element, tag: str, parent: int) -> Node:
    hidden = element.get("hidden") is not None or bool(_HIDDEN_STYLE.search(element.get("style") or ""))
    classes = tuple(sorted(set((element.get("class") or "").split())))
    return Node(parent, tag, element.get("id") or "", classes, (element.get("role") or "").lower(), hidden)

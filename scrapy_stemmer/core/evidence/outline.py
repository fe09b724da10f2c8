"""A page's block-level elements and the texts in them: what the evidence learner reads of a page, in one walk.

Unlike :mod:`scrapy_stemmer.core.blocks`, which keeps to Webstemmer's list of elements, this knows today's: every
block-level element of HTML, and every custom element.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from lxml import etree

from scrapy_stemmer.core.evidence.head import AnyHead, Head, head_of
from scrapy_stemmer.core.evidence.memo import MAX_KNOWN, Memo
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
"""Texts of so many characters are measured and compared with their punctuation and numbers: that is quicker."""

LETTERS = 0.97
"""Share of letters and digits in running text without white space, as measured on the project's page sets."""

MANY_BYTES = 1.2
"""Texts of so many bytes a character in UTF-8 are looked through for CJK characters."""

_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CJK = re.compile(f"[{CJK}]")
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\w")


Stretch = tuple[etree._Element, bool]
"""Where a stretch of text stands: an element, and whether it is its tail; equal to a :class:`Piece` of blocks."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A block-level element by itself.

    :param tag: its name.
    :param id: its identifier, or "".
    :param classes: its class names, sorted, each once.
    :param role: its ARIA role in lower case, or "".
    :param hidden: whether an attribute says that it is not shown.
    """

    tag: str
    id: str = ""
    classes: tuple[str, ...] = ()
    role: str = ""
    hidden: bool = False
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.tag, self.id, self.classes, self.role, self.hidden)))

    def __hash__(self) -> int:
        """The same as that of its fields, which is looked up for each element of each page."""
        return self._hash


class Words(NamedTuple):
    """A text, and what is measured of it.

    :param text: the text, white space collapsed.
    :param weight: number of its letters and digits, CJK characters counting three times.
    :param hash: of the text, whatever its white space, its case and, of a short one, its punctuation and numbers.
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
        too that end in no block. :meth:`Reader.stretches` tells where they stand.
    :param end: number of the stretch behind its last one.
    :param has_time: whether there is a ``time`` element with text of its own in it.
    """

    __slots__ = ("anchor_weight", "end", "has_time", "hash", "node", "start", "text", "weight")

    node: int
    text: str
    weight: int
    hash: int
    anchor_weight: int
    start: int
    end: int
    has_time: bool


@dataclass(frozen=True, slots=True)
class Outline:
    """A page as the evidence learner sees it.

    :param shapes: its block-level elements in document order, the body first.
    :param parents: for each of them the index of the one around it, -1 for the body.
    :param blocks: its texts in order.
    :param head: what its head says.
    """

    shapes: Sequence[Shape]
    parents: Sequence[int]
    blocks: Sequence[TextBlock]
    head: AnyHead = field(default_factory=Head)


class Reader:
    """Reads pages. It remembers the shapes of elements, of which a site has few.

    :param remember_texts: whether texts are remembered too, which pays for the pages of a sample: most of their
        texts return.
    :param keep_texts: whether blocks have their texts. Without, those have whose texts learning needs: headings.
    """

    def __init__(self, *, remember_texts: bool = False, keep_texts: bool = True) -> None:
        self.keep_texts = keep_texts
        self._shapes = Memo(_shape, MAX_KNOWN)
        self._texts = Memo(words_of, MAX_KNOWN) if remember_texts else None
        self._unseen = Memo(_is_unseen, MAX_KNOWN)

    def knowing(self, shapes: Set[Shape]) -> Reader:
        """A new reader, for whole texts, that knows some of the shapes."""
        reader = Reader()
        reader._shapes.update((key, shape) for key, shape in self._shapes.items() if shape in shapes)
        return reader

    def outline(self, root: etree._Element) -> Outline:
        """The outline of a tree, which is not changed.

        :param root: ``html`` or ``body``; of a tree without ``body`` all is read.
        """
        return self._whole(root, noting=False).outline(head_of(root))

    def stretches(self, root: etree._Element, blocks: Iterable[TextBlock]) -> list[Sequence[Stretch]]:
        """Where in a tree the texts of some blocks stand; see :meth:`Walk.stretches_of`.

        :param root: the tree that was read, which must not have been changed since.
        :param blocks: of its outline.
        """
        return self._whole(root, noting=True).stretches_of(blocks)

    def _whole(self, root: etree._Element, *, noting: bool) -> Walk:
        walk, body = Walk(self, noting=noting), body_of(root)
        walk.read(body, walk.enter(self.shape(body, "body"), -1))
        return walk

    def shape(self, element: etree._Element, tag: object) -> Shape:
        """The shape of an element.

        :param tag: its name; the outermost element counts as ``body``.
        """
        get = element.get
        return self._shapes[tag, get("class"), get("id"), get("role"), get("style"), get("hidden")]

    def words(self, raw: str) -> Words | None:
        """The words of a raw text; ``None`` when it has neither letters nor digits."""
        return words_of(raw) if self._texts is None else self._texts[raw]

    def hides(self, element: etree._Element) -> bool:
        """Whether an inline element is not shown, or only read aloud."""
        return self.is_unseen(element.get("class"), element.get("style"))

    def is_unseen(self, classes: str | None, style: str | None) -> bool:
        """Whether an inline element of these attributes is not shown, or only read aloud."""
        return self._unseen[classes, style]


def outline_of(root: etree._Element) -> Outline:
    """The outline of one tree; see :meth:`Reader.outline`."""
    return Reader().outline(root)


def body_of(root: etree._Element) -> etree._Element:
    """The body of a tree; of one without a body its root."""
    body = root if root.tag == "body" else root.find("body")
    return root if body is None else body


def words_of(raw: str) -> Words | None:
    """What is measured of a text; ``None`` when it has neither letters nor digits."""
    parts = raw.split()
    sig = _significant("".join(parts))
    return Words(" ".join(parts), weight_of(sig), _hash(sig)) if sig else None


def _significant(compact: str) -> str:
    """The letters and digits of a text without white space, lower-cased; a long one with its punctuation."""
    if len(compact) < LONG_TEXT or not _WORD.search(compact):
        return significant(compact)
    return compact.lower()


def weight_of(sig: str) -> int:
    """The weight of a significant text.

    Of a long one, whose punctuation is not removed, :data:`LETTERS` is taken for the share of letters and digits.
    """
    count = len(sig)
    if not sig.isascii() and len(sig.encode("utf-8", "surrogatepass")) > MANY_BYTES * count:
        count += (CJK_WEIGHT - 1) * len(_CJK.findall(sig))
    return count if len(sig) < LONG_TEXT else int(LETTERS * count)


def _hash(sig: str) -> int:
    """A hash of a block's significant text, the same for ``5 minutes ago`` and ``17 minutes ago``.

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


class Walk:
    """A walk over a tree, or over some parts of it, that notes block-level elements and texts.

    :param reader: what is remembered from page to page.
    :param noting: whether to note where stretches of text stand, and no blocks.
    """

    def __init__(self, reader: Reader, *, noting: bool = False) -> None:
        self._reader = reader
        self._noting = noting
        self._texts: list[str] = []
        self._linked: list[str] = []
        self._count = 0
        self._has_time = False
        self._stretches: list[Stretch] = []
        self.shapes: list[Shape] = []
        self.parents: list[int] = []
        self.blocks: list[TextBlock] = []

    def outline(self, head: AnyHead) -> Outline:
        """What was seen so far."""
        return Outline(self.shapes, self.parents, self.blocks, head)

    def stretches_of(self, blocks: Iterable[TextBlock]) -> list[Sequence[Stretch]]:
        """Where the texts of some blocks stand, of a walk that notes it.

        :param blocks: those that another walk found in the same parts of the tree.
        """
        return [self._stretches[block.start : block.end] for block in blocks]

    def enter(self, shape: Shape, parent: int) -> int:
        """Note a block-level element, and tell its index.

        :param parent: index of the one around it, -1 for the body.
        """
        self.shapes.append(shape)
        self.parents.append(parent)
        return len(self.parents) - 1

    def read(self, top: etree._Element, node: int, *, in_link: bool = False) -> None:  # noqa: C901 - one loop
        """Note all that is in a block-level element. White space before a text is left out.

        The stack holds the elements around the current one, each with its kind and those of its children that follow.
        This is one loop without calls, since most of the time of learning goes here.

        :param node: index of the element.
        :param in_link: whether it stands in a link.
        """
        reader, parents, kinds = self._reader, self.parents, cast("Mapping[object, int]", KINDS)
        texts, linked, flush = self._texts, self._linked, self._flush
        noted = self._stretches if self._noting else None
        links = int(in_link)
        text = top.text
        if text and not text.isspace():
            texts.append(text)
            self._has_time = top.tag == TIME
            if noted is not None:
                noted.append((top, False))
            if links:
                linked.append(text)
        stack = [(iter(top), top, Kind.BLOCK)]
        while stack:
            for child in stack[-1][0]:
                tag = child.tag
                kind = kinds.get(tag, 0) or kind_of(tag)
                if kind == Kind.BLOCK:
                    if texts:
                        flush(node)
                    node = self.enter(reader.shape(child, tag), node)
                elif kind != Kind.UNREAD:
                    classes, style = child.get("class"), child.get("style")
                    if (classes or style) and reader.is_unseen(classes, style):
                        kind = Kind.UNREAD
                    elif kind == Kind.LINK:
                        links += 1
                    elif kind == Kind.CUTTER and texts:
                        flush(node)
                if kind != Kind.UNREAD:
                    text = child.text
                    if text and (texts or not text.isspace()):
                        texts.append(text)
                        if tag == TIME:
                            self._has_time = True
                        if noted is not None:
                            noted.append((child, False))
                        if links:
                            linked.append(text)
                    if len(child):
                        stack.append((iter(child), child, kind))
                        break
                    if kind == Kind.BLOCK:
                        if texts:
                            flush(node)
                        node = parents[node]
                    elif kind == Kind.LINK:
                        links -= 1
                text = child.tail
                if text and (texts or not text.isspace()):
                    texts.append(text)
                    if noted is not None:
                        noted.append((child, True))
                    if links:
                        linked.append(text)
            else:
                _, element, kind = stack.pop()
                if kind == Kind.BLOCK:
                    if texts:
                        flush(node)
                    node = parents[node]
                elif kind == Kind.LINK:
                    links -= 1
                text = element.tail if stack else None
                if text and (texts or not text.isspace()):
                    texts.append(text)
                    if noted is not None:
                        noted.append((element, True))
                    if links:
                        linked.append(text)

    def _flush(self, node: int) -> None:
        """End the block that was being read."""
        texts, linked, start = self._texts, self._linked, self._count
        self._count = end = start + len(texts)
        if not self._noting:
            raw = texts[0] if len(texts) == 1 else "".join(texts)
            words = self._reader.words(raw)
            if words is not None:
                links = _anchor_weight("".join(linked), len(raw), words.weight) if linked else 0
                text = words.text if self._reader.keep_texts or self.shapes[node].tag == HEADLINE else ""
                self.blocks.append(TextBlock(node, text, words.weight, words.hash, links, start, end, self._has_time))
        texts.clear()
        self._has_time = False
        if linked:
            linked.clear()


def _anchor_weight(linked: str, length: int, weight: int) -> int:
    """The weight of the linked part of a text.

    :param length: of the raw text.
    """
    if len(linked) == length:
        return weight
    return min(weight, weight_of(_significant("".join(linked.split()))))


def _shape(key: tuple[object, str | None, str | None, str | None, str | None, str | None]) -> Shape:
    """The shape of an element of a name, and of values of ``class``, ``id``, ``role``, ``style`` and ``hidden``."""
    tag, classes, identifier, role, style, hidden = key
    is_hidden = hidden is not None or bool(style and _HIDDEN_STYLE.search(style))
    names = tuple(sorted(set(classes.split()))) if classes else ()
    return Shape(str(tag), identifier or "", names, (role or "").lower(), is_hidden)


def _is_unseen(key: tuple[str | None, str | None]) -> bool:
    """Whether values of ``class`` and ``style`` take an element out of sight."""
    classes, style = key
    if style and _HIDDEN_STYLE.search(style):
        return True
    return bool(classes) and not UNSEEN_NAMES.isdisjoint((classes or "").lower().split())

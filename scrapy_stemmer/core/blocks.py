"""Layout blocks: a page's tree cut into runs of text, the roles that these have, and the elements that matter.

After Webstemmer ("How it works", step 1, and its ``htmlparser3`` / ``layoutils``): the text of a page is cut wherever
a block-level element begins or ends; the feature of a block is the path of the elements that hold it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from typing import Any, NamedTuple

from lxml import etree

from scrapy_stemmer.core.text import collapse, significant


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
"""Elements newer than Webstemmer; significant with :attr:`BlockOptions.html5`, else as good as absent."""

CUTTERS = frozenset({"hr", "br"})
"""Elements that end a block without changing the path."""

IGNORED = frozenset({"style", "script", "option"})
"""Elements whose text the original never reads."""

INVISIBLE = frozenset({"svg", "template", "iframe", "object", "math", "canvas", "audio", "video"})
"""Elements newer than Webstemmer whose text a reader does not see as text."""

MARKS = frozenset("\u00b6#\u00a7\u25c6\u221e\u2693\ufe0e\ufe0f\u200b\u200c\u200d\u2060\ufeff\U0001f517")
"""Characters that links of headings to themselves have for a text; private ones, of icon fonts, are such too."""

MAX_MARK = 80
"""Characters of such a text at most, with its white space."""

MAX_INSIDE = 8
"""Elements in such a link at most."""

PATH_ATTRIBUTES = frozenset({"id", "class", "align", "valign", "rowspan", "colspan"})
"""Attributes that are part of a path's component."""

NAMING = frozenset({"id", "class"})
"""Of these, the attributes whose values are names given by the site's makers."""


class Piece(NamedTuple):
    """Where a piece of a block's text stands: an element's ``text``, or its ``tail``."""

    element: etree._Element
    is_tail: bool


@dataclass(frozen=True, slots=True)
class Component:
    """An element as a part of paths: its name, and its attributes of :data:`PATH_ATTRIBUTES` by name, with values."""

    tag: str
    attributes: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def names(self) -> set[str]:
        """Its identifiers and class names."""
        return {value for name, values in self.attributes if name in NAMING for value in values}


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

    def renamed(self, vocabulary: frozenset[str]) -> LayoutBlock:
        """The block, without its place in the tree, with only these identifiers and class names in its path."""
        return replace(self, path=path_of(self.components, vocabulary), pieces=())


def path_of(components: Sequence[Component], vocabulary: frozenset[str] | None) -> str:
    """The feature of a block within these elements: ``tag:name=value…`` of each.

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


@dataclass(frozen=True, slots=True)
class BlockOptions:
    """How a tree is cut into blocks.

    :param mangle: regular expression; attribute values are replaced by the concatenation of its matches
        (``-P`` of analyze.py). The default strips digits, so that ``post-17`` and ``post-18`` are one layout:
        three times as many real pages reach a common layout. ``None`` leaves values alone.
    :param html5: whether ``section``, ``article`` and the like count as block elements. Off by default: on 831
        pairs of real pages fewer reached the threshold with them.
    :param normalize_class: sort the class names of an element and drop repeats.
    :param min_chars: blocks with fewer significant characters are dropped. The original drops below 5.
    :param invisible: skip ``svg``, ``template`` and the like.
    :param vocabulary: the identifiers and class names that count; others are left out. Learners fill it with
        those that stand on at least two pages of a sample, which frees paths from names made for one page.
        ``None`` keeps all.
    :param ascii_values: replace non-ASCII characters of attribute values by ``?``, as the original.
    """

    mangle: str | None = "[^0-9]+"
    html5: bool = False
    normalize_class: bool = True
    min_chars: int = 1
    invisible: bool = True
    ascii_values: bool = False
    vocabulary: frozenset[str] | None = None


ORIGINAL_BLOCKS = BlockOptions(mangle=None, normalize_class=False, min_chars=5, invisible=False, ascii_values=True)
"""The choices of Webstemmer 0.7."""


def blocks_of(root: etree._Element, options: BlockOptions | None = None) -> list[LayoutBlock]:
    """The layout blocks of a tree, in document order. The tree is not changed.

    :raises re.error: when :attr:`BlockOptions.mangle` is not a regular expression.
    """
    walk = _Walk(options or BlockOptions())
    visit(root, walk.ignored, walk.enter, walk.leave, lambda element: walk.add(element.tail, element, True))
    walk.flush()
    return walk.blocks


class _Walk:
    """One pass over a tree: the path of open elements, and the text that waits for its block to end."""

    def __init__(self, options: BlockOptions) -> None:
        self.ignored = IGNORED | (INVISIBLE if options.invisible else {"svg"})
        self.blocks: list[LayoutBlock] = []
        self._options = options
        self._significant = SIGNIFICANT | HTML5 if options.html5 else SIGNIFICANT
        self._mangle = re.compile(options.mangle) if options.mangle is not None else None
        self._components: dict[tuple[Any, ...], Component] = {}
        self._path: list[Component] = []
        self._open_anchors = 0
        self._texts: list[str] = []
        self._outside_anchors: list[str] = []
        self._pieces: list[Piece] = []
        self._permalink: etree._Element | None = None

    def enter(self, element: etree._Element) -> None:
        tag = element.tag
        if tag in CUTTERS:
            self.flush()
        elif tag == "img":
            # An image of one letter at the start of a block is that block's first letter: a drop capital.
            letter = element.get("alt", "")
            if len(letter) == 1 and not "".join(self._texts).strip():
                self._texts.append(letter)
                self._outside_anchors.append(letter)
        elif tag == "a":
            self._open_anchors += 1
            if self._options.invisible and is_permalink(element):
                self._permalink = element
        elif tag in self._significant and (element.text or len(element)):  # with nothing inside it does not even cut
            self.flush()
            self._path.append(self._component(element))
        self.add(element.text, element, False)

    def leave(self, element: etree._Element) -> None:
        if element.tag == "a":
            self._open_anchors -= 1
            if element is self._permalink:
                self._permalink = None
        elif element.tag in self._significant and (element.text or len(element)):
            self.flush()
            self._path.pop()

    def _component(self, element: etree._Element) -> Component:
        """What an element is in paths, attributes in order of their names; a page repeats few of them many times."""
        attributes = [pair for pair in element.items() if pair[0] in PATH_ATTRIBUTES]
        key = (str(element.tag), *attributes)
        if key not in self._components:
            named = []
            for name, value in sorted(attributes):
                value = value.lower()
                if self._mangle is not None:
                    value = "".join(match.group() for match in self._mangle.finditer(value))
                if self._options.ascii_values:
                    value = value.encode("ascii", "replace").decode("ascii")
                is_sorted = name == "class" and self._options.normalize_class
                named.append((name, tuple(sorted(set(value.split()))) if is_sorted else (value,)))
            self._components[key] = Component(str(element.tag), tuple(named))
        return self._components[key]

    def add(self, text: str | None, element: etree._Element, is_tail: bool) -> None:
        if text and self._permalink is None:
            self._texts.append(text)
            self._pieces.append(Piece(element, is_tail))
            if not self._open_anchors:
                self._outside_anchors.append(text)

    def flush(self) -> None:
        if not self._texts:
            return
        text = "".join(self._texts)
        sig = significant(text)
        if len(sig) >= self._options.min_chars:
            outside = len(significant(" ".join(self._outside_anchors)))
            within = tuple(self._path[-3:])
            path = path_of(within, self._options.vocabulary)
            block = LayoutBlock(path, collapse(text), sig, len(sig), outside, within, tuple(self._pieces))
            self.blocks.append(block)
        self._texts, self._outside_anchors, self._pieces = [], [], []


Callback = Callable[[etree._Element], None]


def visit(root: etree._Element, ignored: Collection[str], enter: Callback, leave: Callback, tail: Callback) -> None:
    """Call back for each element of a tree, in document order, without recursion: real pages nest thousands deep.

    :param ignored: tags of elements that are passed over with all that they hold.
    :param enter: called where an element begins, as ``leave`` where it ends.
    :param tail: called for what may have text behind it: elements, those that are ignored too, comments and processing
        instructions; not for the root.
    """
    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        if event == "start":
            if element.tag in ignored:
                walker.skip_subtree()
            else:
                enter(element)
            continue
        if event == "end" and element.tag not in ignored:
            leave(element)
        if element is not root:
            tail(element)


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

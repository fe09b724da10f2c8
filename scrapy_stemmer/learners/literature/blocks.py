"""Layout blocks of a page's tree, after Webstemmer.

See "How it works", step 1, and Webstemmer's ``htmlparser3`` / ``layoutils``. Text is cut wherever a block-level element
begins or ends; a block's feature is the path of elements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from lxml import etree

from scrapy_stemmer.page.arguments import check, each_of
from scrapy_stemmer.page.blocks import LayoutBlock, PathComponent, Piece, path_of
from scrapy_stemmer.page.elements import MAX_INSIDE, SIGNIFICANT, is_mark, is_named_permalink
from scrapy_stemmer.page.text import collapse, significant
from scrapy_stemmer.patterns.expressions import MAX_SEARCHED

CUTTERS = frozenset({"hr", "br"})  # elements that end a block without changing the path
IGNORED_ELEMENTS = frozenset({"style", "script", "option"})  # elements whose text the original skips

INVISIBLE_ELEMENTS = frozenset({"svg", "template", "iframe", "object", "math", "canvas", "audio", "video"})
"""Elements newer than Webstemmer whose text is not shown as text."""

UNSEEN = IGNORED_ELEMENTS | INVISIBLE_ELEMENTS  # elements whose text belongs to no block

MIN_CHARS = 5  # least letters and digits of a block of the original

PATH_ATTRIBUTES = frozenset({"id", "class", "align", "valign", "rowspan", "colspan"})
"""Attributes included in a component of a path."""


def renamed(block: LayoutBlock, vocabulary: frozenset[str]) -> LayoutBlock:
    """Return a block without the place in the tree, and with only the identifiers and class names in ``vocabulary``
    in the path."""
    return replace(block, path=path_of(block.components, vocabulary), pieces=())


@dataclass(frozen=True, slots=True)
class BlockOptions:
    """Options for cutting a tree into blocks.

    :param mangle: regular expression. The concatenation of its matches in the first 2,083 characters replaces an
        attribute's value (``-P`` of analyze.py). The default strips digits, so that ``post-17`` and ``post-18`` are one
        layout.
    :param vocabulary: identifiers and class names kept in paths. Learners fill it with the names on two or more pages
        of a sample, so that names made for one page don't split paths.
    :param original: cut as Webstemmer 0.7 does: blocks of five characters or more, class names as they are written,
        ``?`` for non-ASCII characters of attribute values, and the text of newer elements that aren't shown as text.
    """

    mangle: str | None = "[^0-9]+"
    vocabulary: frozenset[str] | None = None
    original: bool = False

    def __post_init__(self) -> None:
        check("mangle", self.mangle, str | None, "a regular expression or None")
        check("original", self.original, bool, "True or False")
        if self.vocabulary is not None:
            list(each_of("vocabulary", self.vocabulary, str, "str"))

    def blocks_of(self, root: etree._Element) -> list[LayoutBlock]:
        walk = _Walk(self)
        visit(root, walk.ignored, walk.enter, walk.leave, lambda element: walk.add(element.tail, element, True))
        walk.flush()
        return walk.blocks


class _Walk:
    """One pass over a tree, with the path of open elements and the text of the unfinished block."""

    def __init__(self, options: BlockOptions) -> None:
        self.ignored = IGNORED_ELEMENTS | {"svg"} if options.original else UNSEEN
        self.blocks: list[LayoutBlock] = []
        self._options = options
        self._mangle = re.compile(options.mangle) if options.mangle is not None else None
        self._components: dict[tuple[Any, ...], PathComponent] = {}
        self._path: list[PathComponent] = []
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
            # An image of one letter at the start of a block is a drop capital.
            letter = element.get("alt", "")
            if len(letter) == 1 and not "".join(self._texts).strip():
                self._texts.append(letter)
                self._outside_anchors.append(letter)
        elif tag == "a":
            self._open_anchors += 1
            if not self._options.original and is_permalink(element):
                self._permalink = element
        elif tag in SIGNIFICANT and (element.text or len(element)):  # an empty element does not end a block
            self.flush()
            self._path.append(self._component(element))
        self.add(element.text, element, False)

    def leave(self, element: etree._Element) -> None:
        if element.tag == "a":
            self._open_anchors -= 1
            if element is self._permalink:
                self._permalink = None
        elif element.tag in SIGNIFICANT and (element.text or len(element)):
            self.flush()
            self._path.pop()

    def _component(self, element: etree._Element) -> PathComponent:
        """Return an element's component in paths, from a cache: a page repeats few components many times."""
        attributes = [pair for pair in element.items() if pair[0] in PATH_ATTRIBUTES]
        key = (str(element.tag), *attributes)
        if key not in self._components:
            named = []
            for name, value in sorted(attributes):
                value = value.lower()
                if self._mangle is not None:
                    value = "".join(match.group() for match in self._mangle.finditer(value[:MAX_SEARCHED]))
                values: tuple[str, ...] = (value,)
                if self._options.original:
                    values = (value.encode("ascii", "replace").decode("ascii"),)
                elif name == "class":
                    values = tuple(sorted(set(value.split())))
                named.append((name, values))
            self._components[key] = PathComponent(str(element.tag), tuple(named))
        return self._components[key]

    def add(self, text: str | None, element: etree._Element, is_tail: bool) -> None:
        if text and self._permalink is None:
            self._texts.append(text)
            self._pieces.append(Piece(element, is_tail))
            if not self._open_anchors:
                self._outside_anchors.append(text)

    def flush(self) -> None:
        text = "".join(self._texts)
        sig = significant(text)
        if self._pieces and len(sig) >= (MIN_CHARS if self._options.original else 1):
            outside = len(significant(" ".join(self._outside_anchors)))
            within = tuple(self._path[-3:])
            path = path_of(within, self._options.vocabulary)
            block = LayoutBlock(path, collapse(text), sig, len(sig), outside, within, tuple(self._pieces))
            self.blocks.append(block)
        self._texts, self._outside_anchors, self._pieces = [], [], []


Callback = Callable[[etree._Element], None]


def _pass(element: etree._Element) -> None:
    """Do nothing with an element."""


def visit(
    root: etree._Element, ignored: Collection[str], enter: Callback, leave: Callback = _pass, tail: Callback = _pass
) -> None:
    """Call back for each element of a tree in document order."""
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
    """Return True if a link leads to a part of a page and has no text but a mark, as ``¶``, or is a
    :func:`is_named_permalink`."""
    if "#" not in (link.get("href") or ""):
        return False
    inside = list(islice(link.iter(), MAX_INSIDE + 2))
    texts = [each.text or "" for each in inside if isinstance(each.tag, str)]
    tails = [each.tail or "" for each in inside[1:]]
    is_short = len(inside) <= MAX_INSIDE + 1
    return (is_short and is_mark("".join(texts + tails))) or is_named_permalink(link)

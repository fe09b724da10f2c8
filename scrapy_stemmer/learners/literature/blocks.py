"""Layout blocks of a page's tree, after Webstemmer, and their roles by noise confidence.

See "How it works", step 1, and Webstemmer's ``htmlparser3`` / ``layoutils``. Text is cut wherever a block-level element
begins or ends; a block's feature is the path of elements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from lxml import etree

from scrapy_stemmer.learners.literature.alignment import TextMatcher, dice
from scrapy_stemmer.page.arguments import check, check_count, each_of
from scrapy_stemmer.page.blocks import LayoutBlock, PathComponent, Piece, path_of
from scrapy_stemmer.page.elements import HTML5, SIGNIFICANT, is_permalink
from scrapy_stemmer.page.expressions import MAX_SEARCHED
from scrapy_stemmer.page.text import collapse, significant
from scrapy_stemmer.patterns.base import LabelledBlock, Role
from scrapy_stemmer.patterns.record import Between, Record

CUTTERS = frozenset({"hr", "br"})  # elements that end a block without changing the path
IGNORED_ELEMENTS = frozenset({"style", "script", "option"})  # elements whose text the original skips

INVISIBLE_ELEMENTS = frozenset({"svg", "template", "iframe", "object", "math", "canvas", "audio", "video"})
"""Elements newer than Webstemmer whose text is not shown as text."""

UNSEEN = IGNORED_ELEMENTS | INVISIBLE_ELEMENTS  # elements whose text belongs to no block

PATH_ATTRIBUTES = frozenset({"id", "class", "align", "valign", "rowspan", "colspan"})
"""Attributes included in a component of a path."""


def renamed(block: LayoutBlock, vocabulary: frozenset[str]) -> LayoutBlock:
    """Return a block without the place in the tree, and with only the identifiers and class names in ``vocabulary``
    in the path."""
    return replace(block, path=path_of(block.components, vocabulary), pieces=())


SITE_THRESHOLD = 0.1  # share of a page's text or paths that a pattern of a whole site must know to label the page
TEMPLATE_NOISE = 0.5  # noise confidence above which a block is template


@dataclass(frozen=True, slots=True)
class BlockOptions:
    """Options for cutting a tree into blocks.

    :param mangle: regular expression. The concatenation of its matches in the first 2,083 characters replaces an
        attribute's value (``-P`` of analyze.py). The default strips digits, so that ``post-17`` and ``post-18`` are one
        layout.
    :param html5: count ``section``, ``article`` and similar elements as block elements.
    :param vocabulary: identifiers and class names kept in paths. Learners fill it with the names on two or more pages
        of a sample, so that names made for one page don't split paths.
    :param ascii_values: replace non-ASCII characters of attribute values by ``?``, as the original does.
    """

    mangle: str | None = "[^0-9]+"
    html5: bool = False
    normalize_class: bool = True
    min_chars: Annotated[int, Between(0)] = 1
    invisible: bool = True
    ascii_values: bool = False
    vocabulary: frozenset[str] | None = None

    def __post_init__(self) -> None:
        check("mangle", self.mangle, str | None, "a regular expression or None")
        check_count("min_chars", self.min_chars)
        for flag in ("html5", "normalize_class", "invisible", "ascii_values"):
            check(flag, getattr(self, flag), bool, "True or False")
        if self.vocabulary is not None:
            list(each_of("vocabulary", self.vocabulary, str, "str"))

    def blocks_of(self, root: etree._Element) -> list[LayoutBlock]:
        walk = _Walk(self)
        visit(root, walk.ignored, walk.enter, walk.leave, lambda element: walk.add(element.tail, element, True))
        walk.flush()
        return walk.blocks


ORIGINAL_BLOCKS = BlockOptions(mangle=None, normalize_class=False, min_chars=5, invisible=False, ascii_values=True)
"""Choices of Webstemmer 0.7."""


class _Walk:
    """One pass over a tree, with the path of open elements and the text of the unfinished block."""

    def __init__(self, options: BlockOptions) -> None:
        self.ignored = IGNORED_ELEMENTS | (INVISIBLE_ELEMENTS if options.invisible else {"svg"})
        self.blocks: list[LayoutBlock] = []
        self._options = options
        self._significant = SIGNIFICANT | HTML5 if options.html5 else SIGNIFICANT
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
            if self._options.invisible and is_permalink(element):
                self._permalink = element
        elif tag in self._significant and (element.text or len(element)):  # an empty element does not end a block
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
                if self._options.ascii_values:
                    value = value.encode("ascii", "replace").decode("ascii")
                is_sorted = name == "class" and self._options.normalize_class
                named.append((name, tuple(sorted(set(value.split()))) if is_sorted else (value,)))
            self._components[key] = PathComponent(str(element.tag), tuple(named))
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


# Roles of blocks by their noise confidence, and hashes as texts

MIN_TITLE_DICE = 0.4  # least agreement with the ``title`` element, which usually holds the site's name too

_HASH = re.compile("[0-9a-f]{16}")


def read_hash(record: Record, field: str, text: str) -> int:
    if not _HASH.fullmatch(text):
        raise record.error(field, f"must be 16 hexadecimal digits, not {text!r}")
    return int(text, 16)


def mean_noise(parts: Iterable[tuple[float, float]], unknown: float = 0.0) -> float:
    size = noisy = 0.0
    for of_part, noise in parts:
        size += of_part
        noisy += of_part * noise
    return min(1.0, noisy / size) if size else unknown


def label_by_noise(
    blocks: Sequence[LayoutBlock],
    noise: Sequence[float],
    *,
    site_noise: Sequence[float] | None = None,
) -> tuple[LabelledBlock, ...]:
    """Give each block a role, for learners of noise confidences alone.

    A block with a noise confidence above ``TEMPLATE_NOISE`` is template, otherwise main text. The title is the
    non-template heading in best agreement with the ``title`` element, or else the ``title`` element.
    """
    known = noise if site_noise is None else site_noise
    title = next((index for index, block in enumerate(blocks) if block.path == "title"), None)
    if title is not None:
        matcher = TextMatcher()
        scored = [
            (dice(block.text, blocks[title].text, matcher), -index)
            for index, block in enumerate(blocks)
            if block.components and block.components[-1].tag in ("h1", "h2") and known[index] < 1.0
        ]
        best, position = max(scored, default=(0.0, 0))
        title = -position if best >= MIN_TITLE_DICE else title
    labelled = []
    for index, (block, confidence) in enumerate(zip(blocks, noise, strict=True)):
        role = Role.TEMPLATE if confidence > TEMPLATE_NOISE else Role.MAIN
        labelled.append(LabelledBlock(block, Role.TITLE if index == title else role, confidence))
    return tuple(labelled)

"""The walk over a page's tree."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Container, Mapping
from copy import deepcopy
from itertools import islice

from lxml import etree

from scrapy_stemmer.learners.rules.columns import (
    KIND_BLOCK,
    KIND_CUSTOM,
    KIND_CUTTER,
    KIND_DRAWING,
    KIND_INLINE,
    KIND_LINK,
    KIND_UNREAD,
    Columns,
    Signature,
    Signatures,
    Signs,
    element_kind,
    hides,
    is_unseen,
    short_names,
    unfolds,
)
from scrapy_stemmer.page.elements import HEADINGS, MAX_INSIDE, is_permalink, keeps_space

OF_LINES = HEADINGS | {"p"}  # elements with nothing but lines


def local_name(tag: object) -> str:
    """Return a tag without namespace, "" for comments and processing instructions."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def kind_in_place(element: etree._Element, kind: int) -> int:
    """Return the kind of an element in its place. Drawings and custom elements depend on neighbours and content."""
    if kind == KIND_DRAWING:
        return KIND_UNREAD if is_line_icon(element) else KIND_BLOCK
    if kind == KIND_CUSTOM:
        return KIND_INLINE if is_in_line(element) else KIND_BLOCK
    return kind


UNSEEN_NODES: tuple[object, ...] = (etree.Comment, etree.PI)  # nodes that end no line


def is_within_line(element: etree._Element) -> bool:
    return kind_in_place(element, element_kind(local_name(element.tag))) in (KIND_INLINE, KIND_LINK)


def is_behind_word(element: etree._Element) -> bool:
    before, parent = element.getprevious(), element.getparent()
    while before is not None and before.tag in UNSEEN_NODES:
        if (before.tail or "").strip():
            return True
        before = before.getprevious()
    text = before.tail if before is not None else None if parent is None else parent.text
    return bool((text or "").strip())


def _behind(element: etree._Element) -> tuple[str, etree._Element | None]:
    """Return the text behind an element and the next element, without comments and instructions."""
    text, behind = element.tail or "", element.getnext()
    while behind is not None and behind.tag in UNSEEN_NODES:
        text, behind = text + (behind.tail or ""), behind.getnext()
    return text.strip(), behind


def is_line_icon(drawing: etree._Element) -> bool:
    """Return True for a drawing in a sentence: between words, or as an icon at the end of a link."""
    if is_behind_word(drawing):
        text, behind = _behind(drawing)
        if text or (behind is not None and _formats(behind)):
            return True
    return ends_link(drawing)


def is_in_line(custom: etree._Element) -> bool:
    """Return True for a custom element in a paragraph, a heading or behind a word, and without blocks."""
    parent = custom.getparent()
    if not is_behind_word(custom) and (parent is None or local_name(parent.tag) not in OF_LINES):
        return False
    nodes = (node for node in custom.iterdescendants() if node.tag not in UNSEEN_NODES)
    inside = list(islice(nodes, MAX_INSIDE + 1))
    return len(inside) <= MAX_INSIDE and all(map(_formats, inside))


def _formats(element: etree._Element) -> bool:
    return element_kind(local_name(element.tag)) in (KIND_INLINE, KIND_LINK)


def ends_link(drawing: etree._Element) -> bool:
    each: etree._Element | None = drawing
    for _ in range(MAX_INSIDE):
        if each is None or _behind(each) != ("", None):
            return False
        each = each.getparent()
        if each is not None and local_name(each.tag) == "a":
            return bool(_behind(each)[0])
    return False


def read_in_python(
    body: etree._Element,
    signatures: Signatures,
    marked: Mapping[int, bool] | None = None,
    parted: Collection[etree._Element] = (),
) -> Columns:
    """Return the columns of an unchanged tree; the outermost element counts as ``body`` under any name.

    Signatures of new elements are added.

    :param marked: maps numbers of inline elements, in tree order, to True for blocks; inline elements
        without an entry are not read.
    :param parted: elements without a tail, after which a space is read.
    """
    if parted:
        numbers = [number for number, element in enumerate(body.iter()) if element in parted]
        body = deepcopy(body)
        elements = list(body.iter())
        for number in numbers:
            elements[number].tail = " "
    walk = _Walk(signatures, marked or {})
    walk.read(body)
    numbers, pieces = (array("i", each) for each in (walk.columns.numbers, walk.columns.pieces))
    return walk.columns._replace(numbers=numbers, pieces=pieces, signs=walk.signs)


def elements_at_in_python(body: etree._Element, numbers: Container[int]) -> dict[int, etree._Element]:
    """Return the elements at numbers of a tree, counting comments and instructions. Making a Python object takes as
    long as reading ten elements; so pieces of text have numbers."""
    return {number: element for number, element in enumerate(body.iter()) if number in numbers}


def _is_spaced(element: etree._Element) -> bool:
    style = element.get("style")
    return style is not None and keeps_space(style)


class _Walk:
    """A walk over a tree.

    :ivar node: the number of the current block-level element.
    :ivar number: of the latest element, by the order of the tree.
    :ivar texts: texts of the current block; :attr:`linked` counts their characters in links.
    """

    def __init__(self, signatures: Signatures, marked: Mapping[int, bool]) -> None:
        self.marked = marked
        self.columns = Columns([], [], [], [], [], [], [], [], [], [], [0], [])
        self.signs: list[Signs] = []
        self.signatures = signatures
        self.texts: list[str] = []
        self.node, self.number = -1, 0
        self.links = self.linked = 0
        self.has_time = self.is_spaced = False

    def read(self, top: etree._Element) -> None:
        """Read an element with its descendants. The stack holds the current element's ancestors, each with its kind,
        its number, and True where white space counts."""
        is_spaced = _is_spaced(top)
        self.enter(top, "body")
        self.add_text(top.text, 0, is_spaced)
        stack = [(iter(top), top, KIND_BLOCK, 0, is_spaced)]
        while stack:
            children, element, kind, number, is_spaced = stack[-1]
            for child in children:
                self.number += 1
                place = self.number
                is_inside_spaced = is_spaced or _is_spaced(child)
                inner = self.begin(child, is_inside_spaced)
                if inner != KIND_UNREAD:
                    stack.append((iter(child), child, inner, place, is_inside_spaced))
                    break
                self.number += sum(1 for _ in child.iterdescendants())
                self.add_text(child.tail, 2 * place + 1, is_spaced)
            else:
                stack.pop()
                if kind == KIND_BLOCK:
                    self.flush()
                    self.node = self.columns.parents[self.node]
                elif kind == KIND_LINK:
                    self.links -= 1
                if stack:
                    self.add_text(element.tail, 2 * number + 1, stack[-1][4])

    def begin(self, element: etree._Element, is_spaced: bool) -> int:
        """Read the start of an element with its text, and return its kind."""
        tag = local_name(element.tag)
        kind = kind_in_place(element, element_kind(tag))
        if self.number in self.marked:
            kind = KIND_BLOCK if self.marked[self.number] else KIND_UNREAD
        if kind == KIND_BLOCK:
            self.flush()
            self.enter(element, tag)
        elif kind != KIND_UNREAD:
            if element.get("hidden") is not None or is_unseen(element.get("class"), element.get("style")):
                return KIND_UNREAD
            if kind == KIND_LINK:
                href = element.get("href")
                if href and "#" in href and is_permalink(element):
                    return KIND_UNREAD
                self.links += 1
                if href:
                    self.columns.links.append((len(self.columns.elements), href))
            elif kind == KIND_CUTTER:
                self.flush()
        if kind != KIND_UNREAD and self.add_text(element.text, 2 * self.number, is_spaced) and tag == "time":
            self.has_time = True
        return kind

    def enter(self, element: etree._Element, tag: str) -> None:
        """Note a block-level element."""
        identifier, classes, role = [short_names(element.get(name) or "") for name in ("id", "class", "role")]
        hidden = element.get("hidden")
        is_hidden = hidden is not None or hides(element.get("style") or "")
        if is_hidden:
            is_hidden = not unfolds(role, hidden or "", element.get("aria-labelledby") is not None)
        signature = Signature(tag, identifier, classes, role, is_hidden)
        self.columns.signatures.append(self.signatures.setdefault(signature, len(self.signatures)))
        self.columns.numbers.append(self.number)
        self.columns.parents.append(self.node)
        self.node = len(self.columns.parents) - 1

    def add_text(self, text: str | None, piece: int, is_spaced: bool) -> bool:
        """Add a piece of text; return False for white space before a block's text."""
        if not text or not (self.texts or text.strip()):
            return False
        if not self.texts:
            self.is_spaced = is_spaced
        self.texts.append(text)
        if self.links:
            self.linked += sum(map(len, text.split()))
        self.columns.pieces.append(piece)
        return True

    def flush(self) -> None:
        """End the current block; without letters and digits it is dropped."""
        if not self.texts:
            return
        text, columns = " ".join("".join(self.texts).split()), self.columns
        if any(map(str.isalnum, text)):
            columns.elements.append(self.node)
            columns.texts.append(text)
            columns.lengths.append(len(text) - text.count(" "))
            columns.linked.append(self.linked)
            columns.times.append(self.has_time)
            columns.spaced.append(self.is_spaced)
            columns.ends.append(len(columns.pieces))
        else:
            pieces = columns.pieces[columns.ends[-1] :]
            self.signs.append(Signs(len(columns.texts), self.node, pieces, text, self.is_spaced))
            del columns.pieces[columns.ends[-1] :]
        self.texts.clear()
        self.linked = 0
        self.has_time = False


def body_of_in_python(root: etree._Element) -> etree._Element:
    """Return the element around a tree's text. Without ``body``, libxml2 puts the page into ``head``."""
    if local_name(root.tag) == "body":
        return root
    head = None
    for child in root.iterchildren("{*}body", "{*}head"):
        if local_name(child.tag) == "body":
            return child
        head = child
    return root if head is None or len(root) > 1 else head

"""The walk over a page's tree in plain Python: block-level elements and the texts in them, as columns of numbers.

:mod:`scrapy_stemmer._native.read` does the same on the nodes of libxml2; ``tests/native`` holds both to it.
"""

from __future__ import annotations

from lxml import etree

from scrapy_stemmer.learners.rules.columns import (
    KIND_BLOCK,
    KIND_CUTTER,
    KIND_LINK,
    KIND_UNREAD,
    KINDS,
    Columns,
    Signature,
    Signatures,
    hides,
    is_unseen,
    kind_of,
    local_name,
    short_names,
)


def read(body: etree._Element, signatures: Signatures, with_stretches: bool = False) -> Columns:
    """The columns of a tree, which is not changed.

    :param body: the element to read; it counts as ``body`` whatever its name.
    :param signatures: numbers of the signatures that are known; those of the tree are added.
    :param with_stretches: whether to note where each stretch of text stands.
    """
    walk = _Walk(signatures, with_stretches)
    walk.read(body)
    return walk.columns


class _Walk:
    """A walk over a tree."""

    def __init__(self, signatures: Signatures, with_stretches: bool) -> None:
        self.columns = Columns([], [], [], [], [], [], [], [], [], [], [])
        self._stretches = self.columns.stretches if with_stretches else None
        self._signatures = signatures
        self._texts: list[str] = []
        self._linked = 0
        self._count = 0
        self._has_time = False

    def _enter(self, element: etree._Element, tag: str, parent: int) -> int:
        """Note a block-level element, and return its number.

        :param parent: number of the one around it, -1 for the body.
        """
        get = element.get
        style = get("style")
        hidden = get("hidden") is not None or bool(style and hides(style))
        identifier, classes, role = [short_names(get(attribute) or "") for attribute in ("id", "class", "role")]
        signature = Signature(tag, identifier, classes, role, hidden)
        known = self._signatures
        self.columns.signatures.append(known.setdefault(signature, len(known)))
        self.columns.parents.append(parent)
        return len(self.columns.parents) - 1

    def _flush(self, node: int) -> None:
        """End the block that was being read."""
        texts, columns = self._texts, self.columns
        start = self._count
        self._count += len(texts)
        text = " ".join((texts[0] if len(texts) == 1 else "".join(texts)).split())
        if text and _has_word(text):
            columns.elements.append(node)
            columns.texts.append(text)
            columns.linked.append(self._linked)
            columns.starts.append(start)
            columns.ends.append(self._count)
            columns.times.append(self._has_time)
        texts.clear()
        self._linked = 0
        self._has_time = False

    def read(self, top: etree._Element) -> None:  # noqa: C901 - one loop without calls: reading is most of the time
        """Note all that is in an element. White space before a text is left out.

        The stack holds the elements around the current one, each with its kind and those of its children that follow.
        """
        texts, flush, columns, kinds = self._texts, self._flush, self.columns, KINDS
        parents, stretches = columns.parents, self._stretches
        node = self._enter(top, "body", -1)
        links = 0
        text = top.text
        if text and not text.isspace():
            texts.append(text)
            if stretches is not None:
                stretches.append(top)
                columns.tails.append(False)
        stack = [(iter(top), top, KIND_BLOCK)]
        while stack:
            for child in stack[-1][0]:
                tag = local_name(child.tag)
                kind = kinds.get(tag) or kind_of(tag)
                if kind == KIND_BLOCK:
                    if texts:
                        flush(node)
                    node = self._enter(child, tag, node)
                elif kind != KIND_UNREAD:
                    classes, style = child.get("class"), child.get("style")
                    if (classes or style) and is_unseen(classes, style):
                        kind = KIND_UNREAD
                    elif kind == KIND_LINK:
                        links += 1
                        href = child.get("href")
                        if href:
                            columns.links.append((len(columns.elements), href))
                    elif kind == KIND_CUTTER and texts:
                        flush(node)
                if kind != KIND_UNREAD:
                    text = child.text
                    if text and (texts or not text.isspace()):
                        texts.append(text)
                        if stretches is not None:
                            stretches.append(child)
                            columns.tails.append(False)
                        if tag == "time":
                            self._has_time = True
                        if links:
                            self._linked += _length(text)
                    if len(child):
                        stack.append((iter(child), child, kind))
                        break
                    if kind == KIND_BLOCK:
                        if texts:
                            flush(node)
                        node = parents[node]
                    elif kind == KIND_LINK:
                        links -= 1
                text = child.tail
                if text and (texts or not text.isspace()):
                    texts.append(text)
                    if stretches is not None:
                        stretches.append(child)
                        columns.tails.append(True)
                    if links:
                        self._linked += _length(text)
            else:
                _, element, kind = stack.pop()
                if kind == KIND_BLOCK:
                    if texts:
                        flush(node)
                    node = parents[node]
                elif kind == KIND_LINK:
                    links -= 1
                text = element.tail if stack else None
                if text and (texts or not text.isspace()):
                    texts.append(text)
                    if stretches is not None:
                        stretches.append(element)
                        columns.tails.append(True)
                    if links:
                        self._linked += _length(text)


def _length(text: str) -> int:
    """The number of characters of a text, white space left out."""
    return sum(map(len, text.split()))


def _has_word(text: str) -> bool:
    """Whether a text has a letter or a digit."""
    return any(map(str.isalnum, text))

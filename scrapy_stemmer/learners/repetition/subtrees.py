"""A page's tree as nodes with a hash each, equal where the subtrees below them are equal, and templates of these.

After both passes of the DOM-based system in D. Gibson, K. Punera, A. Tomkins, "The Volume and Evolution of Web Page
Templates" (WWW 2005). A node's hash covers its name, its attributes and all that it holds; runs of text are nodes too.
It is made from the hashes of the children, so that a page costs the same per node however deep it is. Nodes that return
on other pages are template nodes; siblings of them, with small gaps, are one template.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.blocks import IGNORED, INVISIBLE, Piece, visit
from scrapy_stemmer.core.text import collapse, tokens

UNSEEN = IGNORED | INVISIBLE
"""Elements that are left out with all that they hold; those whose text is in no block either."""

MAX_GAP_SIBLINGS = 1
"""Siblings that may stand between two template nodes of one template."""

MAX_GAP_CHARS = 40
"""Letters and digits that they may hold: a time, a counter, a name."""


class Node(NamedTuple):
    """An element or a run of text.

    :param parent: index of the element around it; -1 for children of the root.
    :param end: index of the first node after it and all that it holds.
    :param hash: the same for all subtrees that are alike.
    :param words: words that it holds.
    :param links: links that it holds, itself included.
    :param chars: letters and digits that it holds.
    :param text: the text of a run, white space collapsed; empty for elements.
    """

    parent: int
    end: int
    hash: int
    words: int = 0
    links: int = 0
    chars: int = 0
    text: str = ""


class Place(NamedTuple):
    """Where a piece of text is among the nodes, and its letters and digits."""

    node: int
    chars: int


@dataclass(frozen=True, eq=False, slots=True)
class Subtrees:
    """The nodes of a page.

    :param nodes: in document order. The root is none of them: a page as a whole is not compared.
    :param content: hash of all but the head; the same for two pages with the same body.
    :param places: the run of text that each piece belongs to.
    """

    nodes: list[Node]
    content: int
    places: Mapping[Piece, Place] = field(repr=False)


def subtrees_of(root: etree._Element, ignored: tuple[str, ...] = ()) -> Subtrees:
    """The nodes of a tree, which is not changed.

    Comments, :data:`UNSEEN` elements and white space make no difference to any hash, nor does the order of
    attributes.

    :param ignored: names of attributes that make none either; ``data-*`` stands for all that begin with
        ``data-``.
    """
    walk = _Walk(root, ignored)
    visit(root, UNSEEN, walk.enter, walk.leave, lambda element: walk.add(element.tail, Piece(element, True)))
    return Subtrees(walk.nodes, _number(_digest(walk.open[0].parts)), walk.places)


@dataclass(slots=True)
class _Open:
    """A node whose end has not been reached, and what it holds so far.

    :param parts: what its hash is made of: its own name and attributes, or text; the digests of its children.
    """

    index: int
    parts: list[bytes]
    words: int = 0
    links: int = 0
    chars: int = 0


class _Walk:
    """One pass over a tree: open elements, and the run of text that waits for its end."""

    def __init__(self, root: etree._Element, ignored: tuple[str, ...]) -> None:
        self.nodes: list[Node] = []
        self.places: dict[Piece, Place] = {}
        self.open = [_Open(-1, [])]
        self._root = root
        self._ignored = frozenset(ignored)
        self._prefixes = tuple(name.removesuffix("*") for name in ignored if name.endswith("*"))
        self._texts: list[tuple[Piece, str]] = []

    def enter(self, element: etree._Element) -> None:
        """Open an element, unless it is the root."""
        self._end_text()
        if element is not self._root:
            links = int(element.tag in ("a", "area") and "href" in element.attrib)
            self.open.append(_Open(len(self.nodes), [self._start_of(element)], links=links))
            self.nodes.append(_UNKNOWN)
        self.add(element.text, Piece(element, False))

    def leave(self, element: etree._Element) -> None:
        """Close an element, unless it is the root."""
        self._end_text()
        if element is not self._root:
            self._close(self.open.pop(), in_content=element.tag != "head")

    def add(self, text: str | None, piece: Piece) -> None:
        """Add to the run of text. It is in several pieces where a comment, or what is left out, stands in it."""
        if text and (self._texts or not text.isspace()):
            self._texts.append((piece, text))

    def _end_text(self) -> None:
        """Make a node of the text since the last element began or ended."""
        if not self._texts:
            return
        text = collapse("".join(text for _, text in self._texts))
        words = tokens(text)
        chars, index = sum(map(len, words)), len(self.nodes)
        self.nodes.append(_UNKNOWN)
        self._close(_Open(index, [b"\0", text.encode("utf-8", "surrogatepass")], len(words), 0, chars), text)
        for piece, part in self._texts:
            self.places[piece] = Place(index, chars if len(self._texts) == 1 else sum(map(len, tokens(part))))
        self._texts = []

    def _close(self, done: _Open, text: str = "", *, in_content: bool = True) -> None:
        digest, around = _digest(done.parts), self.open[-1]
        self.nodes[done.index] = Node(
            around.index, len(self.nodes), _number(digest), done.words, done.links, done.chars, text
        )
        around.parts += [digest] if in_content else []
        around.words += done.words
        around.links += done.links
        around.chars += done.chars

    def _start_of(self, element: etree._Element) -> bytes:
        """An element's name and attributes. Markup can't hold the zero that ends each; their number comes first."""
        parts = [str(element.tag)]
        for name, value in sorted(element.items()):
            if name not in self._ignored and not name.startswith(self._prefixes):
                parts += (name, collapse(value))
        return "\0".join([str(len(parts)), *parts, ""]).encode("utf-8", "surrogatepass")


_UNKNOWN = Node(-1, 0, 0)


def _digest(parts: Iterable[bytes]) -> bytes:
    return blake2b(b"".join(parts), digest_size=8).digest()


def _number(digest: bytes) -> int:
    return int.from_bytes(digest, "big")


@dataclass(frozen=True, slots=True)
class Template:
    """Template nodes that are siblings, with small gaps between them.

    :param nodes: indices of the template nodes, ascending.
    :param gaps: indices of their siblings between them that differ from page to page.
    """

    nodes: tuple[int, ...]
    gaps: tuple[int, ...] = ()


def template_nodes(nodes: Sequence[Node], returning: Collection[int]) -> list[int]:
    """The template nodes of a page, ascending: those that return and that no other template node holds.

    :param returning: hashes of subtrees that return on other pages.
    """
    found, index = [], 0
    while index < len(nodes):
        if nodes[index].hash in returning:
            found.append(index)
            index = nodes[index].end
        else:
            index += 1
    return found


def coalesce(
    nodes: Sequence[Node],
    template: Sequence[int],
    max_gap_siblings: int = MAX_GAP_SIBLINGS,
    max_gap_chars: int = MAX_GAP_CHARS,
) -> list[Template]:
    """The templates of a page in order: its template nodes, joined where only a small gap is between siblings.

    :param template: indices of the template nodes, ascending.
    """
    found: list[tuple[list[int], list[int]]] = []
    last_of: dict[int, tuple[list[int], list[int]]] = {}
    for index in template:
        parent = nodes[index].parent
        if parent in last_of:
            joined, gaps = last_of[parent]
            gap = list(islice(_siblings_between(nodes, joined[-1], index), max_gap_siblings + 1))
            if len(gap) <= max_gap_siblings and sum(nodes[sibling].chars for sibling in gap) <= max_gap_chars:
                joined.append(index)
                gaps.extend(gap)
                continue
        last_of[parent] = [index], []
        found.append(last_of[parent])
    return [Template(tuple(joined), tuple(gaps)) for joined, gaps in found]


def _siblings_between(nodes: Sequence[Node], first: int, second: int) -> Iterator[int]:
    index = nodes[first].end
    while index != second:
        yield index
        index = nodes[index].end


def texts_of(nodes: Sequence[Node], indices: Iterable[int]) -> Iterator[int]:
    """The runs of text that these nodes hold, or are, in order and each once."""
    reached = 0
    for index in sorted(indices):
        yield from (inside for inside in range(max(index, reached), nodes[index].end) if nodes[inside].text)
        reached = max(reached, nodes[index].end)

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
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.blocks import IGNORED, INVISIBLE, Piece, visit
from scrapy_stemmer.core.text import collapse, tokens

UNSEEN = IGNORED | INVISIBLE
"""Elements that are left out with all that they hold; those whose text is in no block either."""

LINKS = frozenset({"a", "area"})
"""Elements that are links when they have an ``href``."""

ANY = "*"
"""At the end of an ignored attribute's name: all attributes that begin so."""


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
    return _Walk(ignored).run(root)


@dataclass(slots=True)
class _Open:
    """An element whose end has not been reached."""

    index: int
    start: bytes
    digests: list[bytes] = field(default_factory=list)
    words: int = 0
    links: int = 0
    chars: int = 0


class _Walk:
    """One pass over a tree: open elements, and the run of text that waits for its end."""

    def __init__(self, ignored: tuple[str, ...]) -> None:
        self._ignored = frozenset(name for name in ignored if not name.endswith(ANY))
        self._prefixes = tuple(name.removesuffix(ANY) for name in ignored if name.endswith(ANY))
        self._starts: dict[tuple[str, tuple[tuple[str, str], ...]], bytes] = {}
        self._nodes: list[Node] = []
        self._places: dict[Piece, Place] = {}
        self._open: list[_Open] = []
        self._heads: set[bytes] = set()
        self._texts: list[str] = []
        self._pieces: list[Piece] = []

    def run(self, root: etree._Element) -> Subtrees:
        """The nodes below ``root``; iterative, since real pages nest thousands of elements deep."""
        page = _Open(-1, b"")
        self._open.append(page)
        visit(
            root,
            UNSEEN,
            lambda element: self._enter(element, is_root=element is root),
            lambda element: self._leave(element, is_root=element is root),
            lambda element: self._add(element.tail, element, is_tail=True),
        )
        body = b"".join(digest for digest in page.digests if digest not in self._heads)
        return Subtrees(self._nodes, _number(_digest(body)), self._places)

    def _enter(self, element: etree._Element, *, is_root: bool) -> None:
        self._end_text()
        if not is_root:
            opened = _Open(len(self._nodes), self._start(element))
            opened.links = int(element.tag in LINKS and "href" in element.attrib)
            self._open.append(opened)
            self._nodes.append(_UNKNOWN)
        self._add(element.text, element, is_tail=False)

    def _leave(self, element: etree._Element, *, is_root: bool) -> None:
        self._end_text()
        if is_root:
            return
        done = self._open.pop()
        digest = _digest(done.start + b"".join(done.digests))
        if element.tag == "head":
            self._heads.add(digest)
        self._nodes[done.index] = Node(
            self._open[-1].index, len(self._nodes), _number(digest), done.words, done.links, done.chars
        )
        self._count(digest, done.words, done.links, done.chars)

    def _count(self, digest: bytes, words: int, links: int, chars: int) -> None:
        around = self._open[-1]
        around.digests.append(digest)
        around.words += words
        around.links += links
        around.chars += chars

    def _add(self, text: str | None, element: etree._Element, *, is_tail: bool) -> None:
        if text and (self._texts or not text.isspace()):
            self._texts.append(text)
            self._pieces.append(Piece(element, is_tail))

    def _end_text(self) -> None:
        """Make a node of the text since the last element began or ended."""
        if not self._texts:
            return
        text = collapse("".join(self._texts))
        words = tokens(text)
        chars, index = sum(map(len, words)), len(self._nodes)
        digest = _digest(b"\0" + text.encode("utf-8", "surrogatepass"))
        self._nodes.append(Node(self._open[-1].index, index + 1, _number(digest), len(words), 0, chars, text))
        self._count(digest, len(words), 0, chars)
        self._place(index, chars)
        self._texts, self._pieces = [], []

    def _place(self, index: int, chars: int) -> None:
        """A run is in several pieces where a comment, or an element that is left out, stands in it."""
        if len(self._pieces) == 1:
            self._places[self._pieces[0]] = Place(index, chars)
            return
        for piece, text in zip(self._pieces, self._texts, strict=True):
            self._places[piece] = Place(index, sum(map(len, tokens(text))))

    def _start(self, element: etree._Element) -> bytes:
        """An element's name and attributes as bytes, remembered, since a page repeats few of them many times."""
        attributes = tuple(element.items())
        key = str(element.tag), attributes
        if key not in self._starts:
            self._starts[key] = self._written(*key)
        return self._starts[key]

    def _written(self, tag: str, attributes: Iterable[tuple[str, str]]) -> bytes:
        """Markup can't hold the zero that ends each part, and the number of parts comes first."""
        parts = [tag]
        for name, value in sorted(attributes):
            if name not in self._ignored and not name.startswith(self._prefixes):
                parts += (name, collapse(value))
        return "\0".join([str(len(parts)), *parts, ""]).encode("utf-8", "surrogatepass")


_UNKNOWN = Node(-1, 0, 0)


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=8).digest()


def _number(digest: bytes) -> int:
    return int.from_bytes(digest, "big")


MAX_GAP_SIBLINGS = 1
"""Siblings that may stand between two template nodes of one template."""

MAX_GAP_CHARS = 40
"""Letters and digits that they may hold: a time, a counter, a name."""


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
    last_of: dict[int, int] = {}
    found: list[tuple[list[int], list[int]]] = []
    for index in template:
        number = last_of.get(nodes[index].parent)
        gap = None if number is None else _gap(nodes, found[number][0][-1], index, max_gap_siblings)
        if number is None or gap is None or sum(nodes[sibling].chars for sibling in gap) > max_gap_chars:
            last_of[nodes[index].parent] = len(found)
            found.append(([index], []))
        else:
            found[number][0].append(index)
            found[number][1].extend(gap)
    return [Template(tuple(joined), tuple(gaps)) for joined, gaps in found]


def texts_of(nodes: Sequence[Node], indices: Iterable[int]) -> Iterator[int]:
    """The runs of text that these nodes hold, or are, in order and each once."""
    reached = 0
    for index in sorted(indices):
        yield from (inside for inside in range(max(index, reached), nodes[index].end) if nodes[inside].text)
        reached = max(reached, nodes[index].end)


def _gap(nodes: Sequence[Node], first: int, second: int, most: int) -> list[int] | None:
    """The siblings between two of them; ``None`` for more than ``most``."""
    between: list[int] = []
    index = nodes[first].end
    while index != second:
        if len(between) == most:
            return None
        between.append(index)
        index = nodes[index].end
    return between

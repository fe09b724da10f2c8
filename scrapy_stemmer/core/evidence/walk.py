"""The walk over a page's tree: what stands in it, and where on the site that is.

Where a C compiler was at hand, :mod:`scrapy_stemmer.core.evidence._walk` does the same on the nodes of libxml2, without
a Python object for each; this is the choice between them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain
from typing import Any, Self, cast

from lxml import etree

from scrapy_stemmer.core.evidence.head import AnyHead, LateHead, parts_of
from scrapy_stemmer.core.evidence.memo import MAX_KNOWN, Memo
from scrapy_stemmer.core.evidence.outline import (
    BRACES,
    HEADLINE,
    KINDS,
    TIME,
    Kind,
    Outline,
    Shape,
    Stretch,
    TextBlock,
    Words,
    anchor_weight_of,
    is_unseen,
    kind_of,
    shape_of,
    words_of,
)
from scrapy_stemmer.core.evidence.places import Place, Places
from scrapy_stemmer.core.prune import pruned_html

_walk: Any = None
Met: Any = None


class Reader:
    """Reads pages. It remembers the shapes of elements, of which a site has few.

    :param remember_texts: whether texts are remembered too, which pays for the pages of a sample: most of their
        texts return. The compiled walk measures a text as fast as it would be looked up.
    :param keep_texts: whether blocks have their texts. Without, those have whose texts learning needs: headings.
    :ivar met: what the compiled walk remembers of elements.
    """

    def __init__(self, *, remember_texts: bool = False, keep_texts: bool = True) -> None:
        self.keep_texts = keep_texts
        self.met = None if _walk is None else Met()
        self._shapes = Memo(shape_of, MAX_KNOWN)
        self._texts = Memo(words_of, MAX_KNOWN) if remember_texts else None
        self._unseen = Memo(is_unseen, MAX_KNOWN)

    def knowing(self, shapes: Set[Shape]) -> Reader:
        """A new reader, for whole texts, that knows some of the shapes."""
        reader = Reader()
        reader.met = None if self.met is None else self.met.knowing(shapes)
        reader._shapes.update((key, shape) for key, shape in self._shapes.items() if shape in shapes)
        return reader

    def outline(self, root: etree._Element) -> Outline:
        """The outline of a tree, which is not changed.

        :param root: ``html`` or ``body``; of a tree without ``body`` all is read.
        """
        tree = tree_of(root)
        return tree.walk(self).whole().outline(tree.head.now)

    def stretches(self, root: etree._Element, blocks: Iterable[TextBlock]) -> list[Sequence[Stretch]]:
        """Where in a tree the texts of some blocks stand; see :meth:`Walk.stretches_of`.

        :param root: the tree that was read, which must not have been changed since.
        :param blocks: of its outline.
        """
        return tree_of(root).walk(self, noting=True).whole().stretches_of(list(blocks))

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


class Tree:
    """A page's tree.

    :param root: ``html`` or ``body``; of a tree without ``body`` all is the body.
    :ivar root: the root.
    :ivar body: its body.
    :ivar head: what its head says.
    """

    def __init__(self, root: etree._Element) -> None:
        self.root = root
        body = root if root.tag == "body" else root.find("body")
        self.body = root if body is None else body
        self.head = LateHead(parts_of, root)

    def walk(self, reader: Reader, places: Places | None = None, *, noting: bool = False) -> Walk:
        """A walk over the tree; see :class:`Walk`."""
        return Walk(self, reader, places, noting=noting)

    @cached_property
    def holders(self) -> set[etree._Element]:
        """All elements around main headings."""
        found: set[etree._Element] = set()
        for element in self.body.iter(HEADLINE):
            for above in element.iterancestors():
                if above in found:
                    break
                found.add(above)
        return found


def tree_of(root: etree._Element) -> Tree:
    """The tree of a root, with the faster walk where there is one for it."""
    if _walk is not None:
        try:
            return _walk.Tree(root)  # type: ignore[no-any-return]
        except ValueError:
            # It is none that the faster walk can walk over.
            pass
    return Tree(root)


class Trail:
    """What is remembered of a way along some places from page to page, as long as those are.

    :ivar met: what the compiled walk remembers of elements beside it.
    """

    __slots__ = ("met",)

    def __init__(self) -> None:
        self.met = None if _walk is None else Met()


class Walk:
    """A walk over a tree, or over some parts of it, that notes block-level elements and texts.

    :param reader: what is remembered from page to page.
    :param known: the places of the site, where it is to be told where elements stand.
    :param noting: whether to note where stretches of text stand, and no blocks.
    :ivar places: where block-level elements stand.
    """

    def __init__(self, tree: Tree, reader: Reader, known: Places | None, *, noting: bool) -> None:
        self._tree = tree
        self._reader = reader
        self._known = known
        self._noting = noting
        self._texts: list[str] = []
        self._linked: list[str] = []
        self._count = 0
        self._has_time = False
        self._stretches: list[Stretch] = []
        self._shapes: list[Shape] = []
        self._parents: list[int] = []
        self._blocks: list[TextBlock] = []
        self.places: list[Place] = []

    def outline(self, head: AnyHead) -> Outline:
        """What was seen, on a page whose head says so."""
        return Outline(self._shapes, self._parents, self._blocks, head)

    def stretches_of(self, blocks: Sequence[TextBlock]) -> list[Sequence[Stretch]]:
        """Where the texts of some blocks stand, of a walk that notes it.

        :param blocks: those that another walk found in the same parts of the tree.
        """
        return [self._stretches[block.start : block.end] for block in blocks]

    def html_of(self, blocks: Sequence[TextBlock]) -> str:
        """The HTML of the texts of some blocks; see :meth:`stretches_of` and :func:`pruned_html`."""
        return pruned_html(self._tree.root, chain.from_iterable(self.stretches_of(blocks)))

    def whole(self) -> Self:
        """Read all of the body."""
        body = self._tree.body
        self._read(body, self._enter(self._reader.shape(body, "body"), -1))
        return self

    def along(self, targets: Collection[int], ways: Collection[int], trail: Trail) -> Self:
        """Read what is in some places, and main headings.

        :param targets: the paths of those places.
        :param ways: the paths that lead to them.
        :param trail: what is remembered of both from page to page.
        """
        reader, places, body, holders = self._reader, self.places, self._tree.body, self._tree.holders
        known = cast(Places, self._known)
        node = self._enter(reader.shape(body, "body"), -1)
        if places[node].path in targets:
            self._read(body, node)
            return self
        # Elements stay on the stack, since lxml looks for the nearest one in use around each that it lets go of.
        stack: list[tuple[etree._Element, Iterator[etree._Element], int, bool]] = [(body, iter(body), node, False)]
        while stack:
            _, children, node, in_link = stack[-1]
            for child in children:
                tag = child.tag
                kind = kind_of(tag)
                if kind == Kind.BLOCK:
                    shape = reader.shape(child, tag)
                    path = known.path_below(places[node], shape)
                    if path in targets or tag == HEADLINE:
                        self._read(child, self._enter(shape, node), in_link=in_link)
                    elif path in ways or child in holders:
                        stack.append((child, iter(child), self._enter(shape, node), in_link))
                        break
                elif kind != Kind.UNREAD and len(child) and not reader.hides(child):
                    stack.append((child, iter(child), node, in_link or kind == Kind.LINK))
                    break
            else:
                stack.pop()
        return self

    def _enter(self, shape: Shape, parent: int) -> int:
        """Note a block-level element, and tell its index.

        :param parent: index of the one around it, -1 for the body.
        """
        self._shapes.append(shape)
        self._parents.append(parent)
        if self._known is not None:
            known = self._known
            self.places.append(known.body(shape) if parent < 0 else known.below(self.places[parent], shape))
        return len(self._parents) - 1

    def _read(self, top: etree._Element, node: int, *, in_link: bool = False) -> None:  # noqa: C901 - one loop
        """Note all that is in a block-level element. White space before a text is left out.

        The stack holds the elements around the current one, each with its kind and those of its children that follow.
        This is one loop without calls, since most of the time of learning goes here.

        :param node: index of the element.
        :param in_link: whether it stands in a link.
        """
        reader, parents, kinds = self._reader, self._parents, cast("Mapping[object, int]", KINDS)
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
                    node = self._enter(reader.shape(child, tag), node)
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
                links = anchor_weight_of("".join(linked), len(raw), words.weight) if linked else 0
                text = words.text if self._reader.keep_texts or self._shapes[node].tag == HEADLINE else ""
                has = self._has_time, BRACES in text
                self._blocks.append(TextBlock(node, text, words.weight, words.hash, links, start, end, *has))
        texts.clear()
        self._has_time = False
        if linked:
            linked.clear()

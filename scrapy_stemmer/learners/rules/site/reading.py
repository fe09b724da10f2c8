"""Reading of pages as columns, with elements within lines that rules by hand select."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, takewhile
from typing import TYPE_CHECKING

from lxml import etree

from scrapy_stemmer._engine import native
from scrapy_stemmer.fields.dates import latest_day
from scrapy_stemmer.fields.learning import PageFields, page_fields
from scrapy_stemmer.fields.metadata import PageTree
from scrapy_stemmer.fields.rules import finder
from scrapy_stemmer.fields.texts import KnownElement
from scrapy_stemmer.learners.rules.site.columns import Signature, Signatures, body_of
from scrapy_stemmer.learners.rules.site.paths import Component, names_of
from scrapy_stemmer.learners.rules.site.rules import DROP, Rule
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.selectors import Selector, written
from scrapy_stemmer.page.shown import Head, ShownTree

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

read_page: Callable[..., ReadPage] = native("read.read_page")
"""Read a tree as arrays, without changing it: ``read_page(body, signatures, marked=None, parted=())``.

The outermost element counts as ``body``. Signatures of new elements are added. ``marked`` maps numbers of inline
elements, in tree order, to whether each is read as a block; inline elements without an entry are not read. A space is
read after the elements in ``parted``.
"""

elements_at: Callable[[etree._Element, Container[int]], dict[int, etree._Element]] = native("read.elements_at")
"""Return the elements with the given numbers in a tree, where comments count as well.

Only these become Python objects, each of which costs as much as ten elements read.
"""


@dataclass(frozen=True)
class SamplePage:
    url: str
    columns: ReadPage
    head: Head
    anchors: Sequence[str]  # texts of links to the page
    fields: PageFields | None = None  # evidence on its fields; ``None`` if not wanted
    code: frozenset[int] = frozenset()  # blocks that are a line of code each; ``bold`` likewise
    bold: frozenset[int] = frozenset()
    # signatures shared by the sample, indexed by the page's elements
    signatures: Signatures = field(default_factory=Signatures, repr=False, compare=False)


def sample_page(
    url: str,
    shown: ShownTree,
    signatures: Signatures,
    anchors: Sequence[str] = (),
    *,
    outside: KnownElement | None = None,
    failed: Failed | None = None,
) -> SamplePage:
    """Return a page of a sample. A page with an error in fields is noted as failed, and has no fields."""
    columns = read_page(body_of(shown.root), signatures)
    tree = PageTree(shown.root, url, shown.metadata)
    return SamplePage(
        url=url,
        columns=columns,
        head=shown.head,
        anchors=anchors,
        fields=_fields_of(tree, outside, columns, failed) if outside is not None else None,
        code=lines_of(INLINE_CODE, shown.root, columns.texts),
        bold=lines_of(BOLD, shown.root, columns.texts),
        signatures=signatures,
    )


Failed = list[tuple[str, Exception]]
"""URLs of pages whose fields cannot be read, with the reasons."""


def _fields_of(tree: PageTree, outside: KnownElement, columns: ReadPage, failed: Failed | None) -> PageFields | None:
    try:
        return page_fields(tree, latest_day(), outside, columns.texts)
    except Exception as error:  # one page must not keep its site from being learned
        if failed is None:
            raise
        failed.append((tree.url, error))
        return None


INLINE_CODE = ("code", "kbd", "samp", "tt")
BOLD = ("strong", "b")


def lines_of(tags: Sequence[str], root: etree._Element, texts: Sequence[str]) -> frozenset[int]:
    """Return the blocks of a single line in a single inline element, such as a line of code."""
    found: set[str] = set()
    for element in root.iter(*tags):
        around, behind = element.getparent(), element.tail or ""
        if around is None or around.tag in tags or element.getprevious() is not None or element.getnext() is not None:
            continue
        if next(element.iterdescendants(*tags), None) is not None:
            continue  # the text of elements in each other would be read for each
        if not (around.text or "").strip() and not any(map(str.isalnum, behind)):
            found.add(" ".join(f"{''.join(element.itertext())}{behind}".split()))
    return frozenset(number for number, text in enumerate(texts) if text in found) if found else frozenset()


def page_read(document: Document, signatures: Signatures, by_hand: Sequence[Rule] = ()) -> ReadPage:
    """Read a page, unless read before, and add the signatures of new elements.

    :param by_hand: rules that may ask for elements within lines.
    """
    kept, shown = document.kept(SamplePage), document.shown
    if by_hand and (marked := marked_within_lines(shown.tree, by_hand)):
        return read_page(body_of(shown.tree), signatures, marked, shown.parted)
    if kept is None:
        return read_page(body_of(shown.tree), signatures, None, shown.parted)
    if kept.signatures is signatures:
        return kept.columns
    by_number, there = list(kept.signatures), kept.columns.signatures
    own = {number: signatures.setdefault(by_number[number], len(signatures)) for number in dict.fromkeys(there)}
    return kept.columns.renumbered(own)


within_lines: Callable[[Iterable[etree._Element]], list[etree._Element]] = native("read.within_lines")
"""Return the elements of a tree that stand within lines: inline ones by name, custom ones by place and content."""


def marked_within_lines(root: etree._Element, rules: Sequence[Rule]) -> dict[int, bool]:
    """Return the elements within lines selected by rules by hand, by number: True for elements read as blocks.

    Dropped elements need no block. Paths have block-level elements alone.
    """
    within = _WithinLines(root, [rule.selector for rule in rules])
    decided = {element: rule for rule in rules for element in within.selected(rule.selector)}
    kept = [element for element, rule in decided.items() if rule.action != DROP]
    around: set[etree._Element] = set()
    for element in kept:
        around.update(list(takewhile(lambda each: each not in around, chain([element], element.iterancestors()))))
    in_lines = set(within_lines(around))
    lines = (takewhile(in_lines.__contains__, chain([element], element.iterancestors())) for element in kept)
    blocks = set(chain.from_iterable(lines))
    found = decided.keys() | blocks
    if not found:
        return {}  # nearly all pages
    return {number: element in blocks for number, element in enumerate(body_of(root).iter()) if element in found}


class _WithinLines:
    """The elements within lines of a page, each looked at once for all rules, and their paths."""

    def __init__(self, root: etree._Element, selectors: Iterable[Selector]) -> None:
        self._root = root
        marks = dict.fromkeys(mark for selector in selectors for mark in _marks(selector))
        self._bits = {mark: 1 << number for number, mark in enumerate(marks)}
        self._found: dict[str, list[etree._Element]] = {}  # by the last component
        self.parents: list[int] = []
        self.components: list[Component] = []
        self._on: list[int] = []  # by path, the bits of the marks on it
        self._paths: dict[etree._Element, int] = {}
        self._numbers: dict[tuple[int, Component], int] = {}

    def selected(self, selector: Selector) -> Iterator[etree._Element]:
        """Yield the elements of a selector.

        XPath of many components takes time that grows with the depth of a page for each of them.
        """
        last = selector.steps[-1]
        component = written(last.tag, sorted(last.names))
        if component not in self._found:
            self._found[component] = within_lines(finder(component)(self._root))
        if len(selector.steps) == 1:
            yield from self._found[component]
            return
        bits = sum(map(self._bits.__getitem__, _marks(selector)))
        matching: dict[int, bool] = {}
        for element in self._found[component]:
            path = self._path(element)
            if self._on[path] & bits == bits:
                if path not in matching:
                    matching[path] = selector.matches(self, path)
                if matching[path]:
                    yield element

    def _path(self, element: etree._Element) -> int:
        line: list[etree._Element] = []
        each: etree._Element | None = element
        while each is not None and each not in self._paths:
            line.append(each)
            each = each.getparent()
        path = -1 if each is None else self._paths[each]
        for each in reversed(line):
            path = self._paths[each] = self._path_within(path, each)
        return path

    def _path_within(self, outer: int, element: etree._Element) -> int:
        signature = Signature(str(element.tag), element.get("id", ""), element.get("class", ""))
        component = Component(signature.tag, names_of(signature))
        number = self._numbers.setdefault((outer, component), len(self.parents))
        if number == len(self.parents):
            self.parents.append(outer)
            self.components.append(component)
            on = self._on[outer] if outer >= 0 else 0
            for mark in (component.tag, *component.names):
                on |= self._bits.get(mark, 0)
            self._on.append(on)
        return number


def _marks(selector: Selector) -> set[str]:
    """Return the tags and names of a selector."""
    return {*selector.names, *(step.tag for step in selector.steps if step.tag)}

"""Reading of pages as columns, with elements within lines that rules by hand select."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, takewhile
from typing import TYPE_CHECKING

from lxml import etree

from scrapy_stemmer._engine import native
from scrapy_stemmer.fields.dates import latest_day
from scrapy_stemmer.fields.learning import PageFields, page_fields
from scrapy_stemmer.fields.metadata import PageTree
from scrapy_stemmer.fields.selecting import finder
from scrapy_stemmer.fields.texts import KnownElement
from scrapy_stemmer.learners.rules.site.columns import Signature, Signatures, body_of
from scrapy_stemmer.learners.rules.site.paths import Component, PathIndex, Paths, names_of
from scrapy_stemmer.learners.rules.site.rules import DROP, Rule
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.selectors import written
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
    own = {number: signatures.number_of(kept.signatures[number]) for number in dict.fromkeys(kept.columns.signatures)}
    return kept.columns.renumbered(own)


within_lines: Callable[[Iterable[etree._Element]], list[etree._Element]] = native("read.within_lines")
"""Return the elements of a tree that stand within lines: inline ones by name, custom ones by place and content."""


def marked_within_lines(root: etree._Element, rules: Sequence[Rule]) -> dict[int, bool]:
    """Return the elements within lines selected by rules by hand, by number: True for elements read as blocks.

    Dropped elements need no block. Paths have block-level elements alone.
    """
    decided = _decided_within_lines(root, rules)
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


def _decided_within_lines(root: etree._Element, rules: Sequence[Rule]) -> dict[etree._Element, Rule]:
    """Return the selected elements within lines, each with the last rule for it.

    XPath finds the last component of a selector alone: with several, its time grows with the depth of a page.
    """
    by_last: dict[str, list[etree._Element]] = {}
    for rule in rules:
        last = _last_of(rule)
        if last not in by_last:
            by_last[last] = within_lines(finder(last)(root))
    paths = Paths()
    placed: dict[etree._Element, int] = {}
    for element in {each for rule in rules if len(rule.selector.steps) > 1 for each in by_last[_last_of(rule)]}:
        _place(element, paths, placed)
    index, decided = PathIndex(paths), dict[etree._Element, Rule]()
    for rule in rules:
        elements = by_last[_last_of(rule)]
        if len(rule.selector.steps) > 1 and elements:
            matching = set(index.matching(rule.selector))
            elements = [each for each in elements if placed[each] in matching]
        decided.update(dict.fromkeys(elements, rule))
    return decided


def _last_of(rule: Rule) -> str:
    last = rule.selector.steps[-1]
    return written(last.tag, sorted(last.names))


def _place(element: etree._Element, paths: Paths, placed: dict[etree._Element, int]) -> None:
    """Note the paths, by all names, of an element and the elements around."""
    line = takewhile(lambda each: each not in placed, chain([element], element.iterancestors()))
    for each in reversed(list(line)):
        above, tag = each.getparent(), str(each.tag)
        names = names_of(Signature(tag, each.get("id", ""), each.get("class", "")))
        placed[each] = paths.child(-1 if above is None else placed[above], Component(tag, names))

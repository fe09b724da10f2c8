"""Pages of a sample as columns, and groups of copies."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lxml import etree

from scrapy_stemmer._engine import native
from scrapy_stemmer.fields.dates import latest_day
from scrapy_stemmer.fields.learning import PageFields, page_fields
from scrapy_stemmer.fields.metadata import PageTree
from scrapy_stemmer.fields.texts import KnownElement
from scrapy_stemmer.learners.rules.site.columns import Signatures, body_of
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

"""Pages of a sample as columns, and groups of copies."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lxml import etree

from scrapy_stemmer._engine import native
from scrapy_stemmer.fields.dates import latest_day
from scrapy_stemmer.fields.learning import PageFields, page_fields
from scrapy_stemmer.fields.metadata import PageTree
from scrapy_stemmer.fields.texts import KnownElement
from scrapy_stemmer.learners.rules.columns import Signatures, body_of
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


# Copies of a page
#
# One article under several addresses, its print version, or variants of a product: their texts return
# like template, so they count once. Near-copies are compared without the texts of nearly all pages.

NEARLY_ALL = 0.9  # share of pages with a template's texts
SHARED = 0.8  # share of their own text, outside links, in common between copies
ENOUGH_TEXT = 200  # characters of this text on both pages; with less, links count too, and nearly all is shared
COMPARED_TEXTS = 8  # longest texts of a page, at least one shared by copies
MAX_NEAR = 50  # groups of copies tried for each of these texts


def template_of(pages: Sequence[ReadPage]) -> set[str]:
    having = Counter(text for page in pages for text in set(page.texts))
    return {text for text, count in having.items() if count > 1 and count >= NEARLY_ALL * len(pages)}


def copies_in(pages: Sequence[ReadPage]) -> list[list[int]]:
    """Return the pages by number in groups of copies, each with its first page in front."""
    template = template_of(pages)
    own, plain = [], []
    for page in pages:
        outside = [max(0, length - linked) for length, linked in zip(page.lengths, page.linked, strict=True)]
        own.append(own_texts(page.texts, page.lengths, template))
        plain.append(own_texts(page.texts, outside, template))

    def are_copies(one: int, other: int) -> bool:
        if min(sum(plain[one].values()), sum(plain[other].values())) >= ENOUGH_TEXT:
            return shared(plain[one], plain[other]) >= SHARED
        return shared(own[one], own[other]) >= NEARLY_ALL

    return alike(own, are_copies)


def alike(pages: Sequence[Mapping[str, int]], are_alike: Callable[[int, int], bool]) -> list[list[int]]:
    groups: list[list[int]] = []
    by_text: defaultdict[str, list[list[int]]] = defaultdict(list)
    for number, texts in enumerate(pages):
        longest = sorted(texts, key=lambda text: (-texts[text], text))[:COMPARED_TEXTS] or [""]
        near = (group for text in longest for group in by_text[text][:MAX_NEAR])
        found = next((group for group in near if are_alike(group[0], number)), None)
        if found is None:
            found = []
            groups.append(found)
            for text in longest:
                by_text[text].append(found)
        found.append(number)
    return groups


def own_texts(texts: Sequence[str], weights: Sequence[int], template: set[str]) -> dict[str, int]:
    return {text: weight for text, weight in zip(texts, weights, strict=True) if text not in template and weight > 0}


def shared(first: Mapping[str, int], second: Mapping[str, int]) -> float:
    total = max(sum(first.values()), sum(second.values()))
    return sum(weight for text, weight in first.items() if text in second) / total if total else 1.0

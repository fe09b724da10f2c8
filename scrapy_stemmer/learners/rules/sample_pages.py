"""The pages of a sample, as they were read; which of them are copies of each other."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree

from scrapy_stemmer._engine import native
from scrapy_stemmer.fields.dates import latest_day
from scrapy_stemmer.fields.learning import PageFields, page_fields
from scrapy_stemmer.fields.metadata import PageTree
from scrapy_stemmer.fields.places import KnownElement
from scrapy_stemmer.learners.rules.columns import Columns, Signatures, body_of
from scrapy_stemmer.learners.rules.roles import Head, head_of
from scrapy_stemmer.page.shown import Shown

read: Callable[..., Columns] = native("read.read")
"""The columns of a tree: ``read(body, signatures, marked=None, apart=())``.

The tree is not changed; its outermost element counts as ``body`` whatever its name. The signatures of the tree are
added to those that are known. ``marked`` says for the numbers of some elements within lines, by the order of the tree,
whether each is read as a block-level one; the others of them are not read. Behind the elements in ``apart`` a space is
read.
"""

elements_at: Callable[[etree._Element, Container[int]], dict[int, etree._Element]] = native("read.elements_at")
"""The elements of some numbers in a tree; comments and the like count too.

An object of Python is made for each, which takes as long as to read ten elements; so pieces of text have numbers.
"""


@dataclass(frozen=True)
class SamplePage:
    """A page of a sample, as it was read."""

    url: str
    columns: Columns
    head: Head
    anchors: Sequence[str]  # texts of links to it
    fields: PageFields | None = None  # what it may say of its fields; ``None`` where these are not wanted
    # those of the sample, by whose numbers its elements have theirs
    signatures: Signatures = field(default_factory=Signatures, repr=False, compare=False)


def sample_page(
    url: str, shown: Shown, signatures: Signatures, anchors: Sequence[str] = (), *, outside: KnownElement | None = None
) -> SamplePage:
    """A page of a sample, whose tree is not kept; its signatures are added to those that are known. ``outside`` is what
    fields know of the elements of the site; ``None`` where the page's fields are not wanted."""
    columns = read(body_of(shown.root), signatures)
    tree = PageTree(shown.root, url, shown.said)
    return SamplePage(
        url=url,
        # What learning needs of it, numbers in four bytes each: a sample may have thousands of pages.
        columns=columns._replace(
            parents=array("i", columns.parents),
            signatures=array("i", columns.signatures),
            numbers=[],
            elements=array("i", columns.elements),
            lengths=array("i", columns.lengths),
            linked=array("i", columns.linked),
            spaced=[],
            ends=[],
            pieces=[],
            signs=[],
        ),
        head=head_of(shown.said),
        anchors=anchors,
        fields=page_fields(tree, latest_day(), outside, columns.texts) if outside is not None else None,
        signatures=signatures,
    )


# Which pages of a sample are copies of each other
#
# The same article under many addresses, its print version, variants of a product: their texts return as those of a
# template do, so they count once. Near-copies are told by what is not on nearly all pages: most of that they share.

NEARLY_ALL = 0.9  # texts of this share of the pages are template, whoever copies whom
SHARED = 0.8  # two pages are copies when they share this much of their own text outside links
ENOUGH_TEXT = 200  # both need so many characters of such text; with less, links count, and nearly all must be shared
COMPARED_TEXTS = 8  # two pages are compared only when they share one of their 8 longest texts
MAX_NEAR = 50  # at most 50 groups of copies are tried for each of these texts


def template_of(pages: Sequence[Columns]) -> set[str]:
    """The texts of nearly all pages."""
    having = Counter(text for page in pages for text in set(page.texts))
    return {text for text, count in having.items() if count > 1 and count >= NEARLY_ALL * len(pages)}


def copies_in(pages: Sequence[Columns]) -> list[list[int]]:
    """The numbers of all pages, in groups in order: the first page of each, then its copies. Texts are compared with
    their numbers: weather and results differ in nothing else."""
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
    """The numbers of pages, by their texts with weights, in groups: the first page of each, then those like it."""
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
    """The texts of a page that are not template, each with its weight."""
    return {text: weight for text, weight in zip(texts, weights, strict=True) if text not in template and weight > 0}


def shared(first: Mapping[str, int], second: Mapping[str, int]) -> float:
    """The share of the page with more text that both have."""
    total = max(sum(first.values()), sum(second.values()))
    return sum(weight for text, weight in first.items() if text in second) / total if total else 1.0

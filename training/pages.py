"""The pages to train on: read as the learner reads them, and labelled, a site at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.sets import GoldPage, find_sets
from scrapy_stemmer.core.document import Page, root_of
from scrapy_stemmer.learners.rules.read_py import Signature, Signatures
from scrapy_stemmer.learners.rules.reading import SamplePage, sample_page
from training.labels import Labels, labels_of


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page that was read, and what the gold text says of its blocks."""

    read: SamplePage
    labels: Labels


@dataclass(frozen=True, eq=False)
class Site:
    """The pages of a site.

    :param set_name: the set that it is in.
    :param signatures: of the elements of its pages.
    """

    set_name: str
    name: str
    signatures: tuple[Signature, ...]
    pages: tuple[LabelledPage, ...]


def read_sites(folder: Path) -> Iterator[Site]:
    """The sites of all sets of a folder, in the order of the sets' names and then of the files."""
    for found in find_sets(folder=folder):
        for name, pages in found.sites.items():
            yield labelled_site(found.name, name, pages)


def labelled_site(set_name: str, name: str, pages: Sequence[GoldPage]) -> Site:
    """A site of pages with gold text."""
    signatures: Signatures = {}
    labelled = tuple(labelled_page(page, signatures) for page in pages)
    return Site(set_name, name, tuple(signatures), labelled)


def labelled_page(page: GoldPage, signatures: Signatures) -> LabelledPage:
    """A page with gold text, read and labelled."""
    read = sample_page(page.url, root_of(Page(page.url, page.html)), signatures)
    return LabelledPage(read, labels_of(read.columns.texts, page.text, page.optional))

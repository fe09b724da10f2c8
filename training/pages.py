"""The pages to train on: read as the learner reads them, and labelled, a site at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.folds import brand_of
from benchmarks.labels import Labels, labels_of
from benchmarks.sets import ALONE, GoldPage, PageSet, find_sets, is_of_single_pages, set_files
from scrapy_stemmer.learners.rules.site.columns import Signature, Signatures
from scrapy_stemmer.learners.rules.site.reading import SamplePage, sample_page
from scrapy_stemmer.page.document import Document, Page

MEASURED = frozenset({"redesign", f"{ALONE}/chaos", f"{ALONE}/dragnet", f"{ALONE}/l3s"})
"""Sets that only measure, because their licences allow no more or because something must stay unseen."""


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page with the labels of its blocks by the gold text."""

    read: SamplePage
    labels: Labels


@dataclass(frozen=True, eq=False)
class Site:
    """The pages of a site."""

    set_name: str  # the page's set
    name: str
    brand: str  # the page's brand; see :func:`benchmarks.folds.brand_of`
    signatures: tuple[Signature, ...]  # of the elements of its pages
    pages: tuple[LabelledPage, ...]

    @property
    def is_alone(self) -> bool:
        """Return True for a page of a set of single pages."""
        return is_of_single_pages(self.set_name)


def read_sites(folder: Path) -> Iterator[Site]:
    """Yield the sites of all sets of a folder, in the order of the sets' names and then of the files.

    In sets of single pages each page with a gold text is a site of its own.
    """
    for page_set in training_sets(folder):
        for name, pages in sites_of(page_set).items():
            yield labelled_site(page_set.name, name, pages)


def sites_of(page_set: PageSet) -> dict[str, list[GoldPage]]:
    """The sites of a set; in one of single pages each page with a gold text."""
    if is_of_single_pages(page_set.name):
        return {f"{page.site} {page.id}": [page] for page in page_set.pages if page.text}
    return page_set.sites


def training_sets(folder: Path) -> Iterator[PageSet]:
    """Return the training sets of a folder, then the sets of single pages below, if any."""
    return (page_set for page_set in all_sets(folder) if page_set.name not in MEASURED)


def all_sets(folder: Path) -> Iterator[PageSet]:
    """Return the sets of a folder, then the sets of single pages below, if any."""
    yield from find_sets(folder=folder)
    yield from find_sets([ALONE], folder) if set_files(folder / ALONE) else ()


def labelled_site(set_name: str, name: str, pages: Sequence[GoldPage]) -> Site:
    """A site of pages with gold text."""
    signatures = Signatures()
    labelled = tuple(labelled_page(page, signatures) for page in pages)
    return Site(set_name, name, brand_of(pages), tuple(signatures), labelled)


def labelled_page(page: GoldPage, signatures: Signatures) -> LabelledPage:
    """A page with gold text, read and labelled."""
    read = sample_page(page.url, Document(Page(page.url, page.html)).shown, signatures)
    return LabelledPage(read, labels_of(read.columns.texts, page.text, page.optional))

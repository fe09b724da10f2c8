"""The pages to train on: read, measured and labelled, a site at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.sets import GoldPage, find_sets
from scrapy_stemmer.core.dom import root_of

from scrapy_stemmer.core.page import Page
from scrapy_stemmer.learners.rules.columns import Columns, Signature, Signatures
from scrapy_stemmer.learners.rules.elements import body_of
from scrapy_stemmer.learners.rules.read_py import read
from scrapy_stemmer.learners.rules.repeats import link_key
from scrapy_stemmer.learners.rules.texts import Measures, measures_of, title_keys
from training.labels import Labels, labels_of


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page that was read, and what the gold text says of its blocks.

    :param type: what sort of page it is, where the set says so.
    :param gold: the text that is wanted.
    :param optional: text that may be there or not.
    :param measures: for each block what is measured of its text.
    :param links: for each link the hash of where it leads.
    :param links_inside: for each link whether it leads to the same site.
    :param title_keys: keys of the texts that may be its title.
    """

    id: str
    url: str
    type: str | None
    gold: str
    optional: str
    columns: Columns
    measures: tuple[Measures, ...]
    links: tuple[int, ...]
    links_inside: tuple[bool, ...]
    is_article: bool
    title_keys: frozenset[int]
    labels: Labels

    @property
    def keys(self) -> list[int]:
        """For each block the hash of its text."""
        return [measures.key for measures in self.measures]

    @property
    def lengths(self) -> NDArray[np.float64]:
        """For each block its length."""
        return np.array([max(1, measures.length) for measures in self.measures], np.float64)


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
    """A page with gold text, read and labelled.

    :param signatures: of the pages of the site that were read before; those of this one are added.
    """
    root = root_of(Page(page.url, page.html))
    columns = read(body_of(root), signatures)
    head = parts_of(root)
    links = [link_key(page.url, href) for _, href in columns.links]
    return LabelledPage(
        id=page.id,
        url=page.url,
        type=page.type,
        gold=page.text,
        optional=page.optional,
        columns=columns,
        measures=tuple(map(measures_of, columns.texts)),
        links=tuple(key for key, _ in links),
        links_inside=tuple(inside for _, inside in links),
        is_article=says_article(head),
        title_keys=title_keys(titles_in(head).values()),
        labels=labels_of(columns.texts, page.text, page.optional),
    )

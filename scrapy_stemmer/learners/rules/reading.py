"""Reading pages: by the native reader where it is built for this version of lxml, else by the plain one."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from scrapy_stemmer._native import is_pure_wanted
from scrapy_stemmer.learners.rules.columns import Columns, Signatures, body_of
from scrapy_stemmer.learners.rules.repeats import LinkKeys
from scrapy_stemmer.learners.rules.texts import Measures, MeasuresOfPage
from scrapy_stemmer.learners.rules.titles import Head, head_of

__all__ = ["SamplePage", "SampleReader", "measures_of", "read"]

try:
    if is_pure_wanted():
        raise ImportError("plain Python is asked for")
    from scrapy_stemmer._native.measure import measures_of
    from scrapy_stemmer._native.read import read
except (ImportError, TypeError, ValueError):
    from scrapy_stemmer.learners.rules.read_py import read
    from scrapy_stemmer.learners.rules.texts import measures_in_python as measures_of


MAX_TEXTS = 10_000
"""Texts whose measures are remembered while a sample is read."""


@dataclass(frozen=True)
class SamplePage:
    """A page of a sample, read and measured.

    :param anchors: texts of links to it.
    :param links: for each link with an address its key, and whether it leads to the same site.
    """

    url: str
    columns: Columns
    measures: MeasuresOfPage
    head: Head
    anchors: Sequence[str]
    links: Sequence[tuple[int, bool]]

    @property
    def text_keys(self) -> Sequence[int]:
        """For each block the key of its text."""
        return self.measures.keys

    @property
    def link_keys(self) -> list[int]:
        """For each link its key."""
        return [key for key, _ in self.links]


class SampleReader:
    """Reads the pages of a sample; a text that returns soon is measured once."""

    def __init__(self) -> None:
        self.signatures: Signatures = {}
        self._measures: dict[str, Measures] = {}

    def read(self, url: str, root: etree._Element, anchors: Sequence[str] = ()) -> SamplePage:
        """A page of the sample; its tree is not kept."""
        columns = read(body_of(root), self.signatures)
        known = self._measures
        if len(known) > MAX_TEXTS:
            known.clear()
        measures = []
        for text in columns.texts:
            found = known.get(text)
            if found is None:
                found = known[text] = measures_of(text)
            measures.append(found)
        keys = LinkKeys(url)
        links = [keys.key(href) for _, href in columns.links]
        return SamplePage(url, _packed(columns), MeasuresOfPage(measures), head_of(root), anchors, links)


def _packed(columns: Columns) -> Columns:
    """What learning needs of a page, numbers in four bytes each."""
    return columns._replace(
        parents=array("i", columns.parents),
        signatures=array("i", columns.signatures),
        elements=array("i", columns.elements),
        linked=array("i", columns.linked),
        starts=array("i"),
        ends=array("i"),
    )

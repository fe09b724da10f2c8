"""Reading pages: by the native reader where it is built for this version of lxml, else by the plain one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from scrapy_stemmer._native import is_pure_wanted
from scrapy_stemmer.learners.rules.columns import Columns, Signatures, body_of
from scrapy_stemmer.learners.rules.repeats import LinkKeys
from scrapy_stemmer.learners.rules.texts import Measures
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


@dataclass(frozen=True)
class SamplePage:
    """A page of a sample, read and measured.

    :param anchors: texts of links to it.
    :param links: for each link with an address its key, and whether it leads to the same site.
    """

    url: str
    columns: Columns
    measures: Sequence[Measures]
    head: Head
    anchors: Sequence[str]
    links: Sequence[tuple[int, bool]]

    @property
    def text_keys(self) -> list[int]:
        """For each block the key of its text."""
        return [measures.key for measures in self.measures]

    @property
    def link_keys(self) -> list[int]:
        """For each link its key."""
        return [key for key, _ in self.links]


class SampleReader:
    """Reads the pages of a sample; a text that returns is measured once."""

    def __init__(self) -> None:
        self.signatures: Signatures = {}
        self._measures: dict[str, Measures] = {}

    def read(self, url: str, root: etree._Element, anchors: Sequence[str] = ()) -> SamplePage:
        """A page of the sample; its tree is not kept."""
        columns = read(body_of(root), self.signatures)
        known = self._measures
        measures = []
        for text in columns.texts:
            found = known.get(text)
            if found is None:
                found = known[text] = measures_of(text)
            measures.append(found)
        keys = LinkKeys(url)
        links = [keys.key(href) for _, href in columns.links]
        return SamplePage(url, columns, measures, head_of(root), anchors, links)

"""Trees of pages that were learned from, kept for the items that wait, whose pages would be parsed again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

KEPT_SITES = 2
"""So many sites have trees at a time: one whose items are let go, and one that is being learned."""


class Trees:
    """The trees of the sites learned last, by the number of the page in the spool.

    They are kept in the thread that learns, and taken by the crawl's own: a tree is in one's hands at a time.
    """

    def __init__(self) -> None:
        self._by_site: dict[str, dict[int, etree._Element]] = {}  # the site learned last is at the end

    def begin(self, site: str) -> None:
        """Make room for a site; the trees of the one learned before the last go."""
        self._by_site.pop(site, None)
        while len(self._by_site) >= KEPT_SITES:
            del self._by_site[next(iter(self._by_site))]
        self._by_site[site] = {}

    def keep(self, site: str, page: int, root: etree._Element) -> None:
        """Keep the tree of a page, if its site has not gone yet."""
        if site in self._by_site:
            self._by_site[site][page] = root

    def take(self, site: str, page: int | None) -> etree._Element | None:
        """The tree of a page, once; ``None`` when it is not there."""
        trees = self._by_site.get(site)
        return trees.pop(page, None) if trees and page is not None else None

    def drop(self, site: str) -> None:
        """No item waits for a site any more."""
        self._by_site.pop(site, None)

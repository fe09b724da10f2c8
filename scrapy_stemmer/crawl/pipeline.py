"""The item pipeline: strips the page of each item and writes the results into its fields."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import DropItem

from scrapy_stemmer.core.labels import PageKind
from scrapy_stemmer.core.page import Page
from scrapy_stemmer.crawl.config import Handling
from scrapy_stemmer.crawl.items import fields_of, has_room, is_item
from scrapy_stemmer.crawl.names import Skip, Stat
from scrapy_stemmer.crawl.pages import PageSource, own_html, own_url
from scrapy_stemmer.crawl.reporting import report
from scrapy_stemmer.crawl.results import CONTENTS, FLAGS, PageResults, is_sure
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.strip import Stripped

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger("scrapy_stemmer")

UNMATCHED: Mapping[str, Any] = dict.fromkeys(FLAGS) | {"matched": False, "similarity": 0.0}
"""The results for an item without a page, or one whose page could not be stripped."""


class StemmerPipeline:
    """Writes title, main text, sub text and HTML of an item's page into the item, and how well the page matched.

    No item waits here: Scrapy would stop taking responses. See the spider middleware.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._state = CrawlState.of(crawler)
        self._config = self._state.config
        self._stats = self._state.stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StemmerPipeline:
        """Called by Scrapy; raises as :meth:`StemmerSpiderMiddleware.from_crawler` does."""
        return cls(crawler)

    def process_item(self, item: Any, spider: Spider | None = None) -> Any:
        """Strip the item's page.

        :raises DropItem: when no pattern fits and STEMMER_UNMATCHED is ``drop``, or the confidence is too low and
            STEMMER_LOW_CONFIDENCE is.
        """
        source = self._state.registry.take(item)
        if not is_item(item):
            return item
        if source is not None and source.skip is Skip.OPTED_OUT:
            self._state.count_skip(Skip.OPTED_OUT)
            return item
        contents = self._writable(item, CONTENTS)
        page, results = self._results(item, source, contents)
        self._write(item, FLAGS, results)
        if page is None:
            return item
        if not results["matched"]:
            self._handle(item, page, self._config.unmatched, "No pattern fits {url} (STEMMER_UNMATCHED = 'drop')")
        elif not is_sure(results, self._config.min_confidence):
            self._stats.inc_value(Stat.ITEMS_UNSURE)
            confidence = results["confidence"]
            logger.debug("%s: confidence %.3f is below STEMMER_MIN_CONFIDENCE", page.url, confidence)
            message = f"Confidence {confidence:.2f} for {{url}} (STEMMER_LOW_CONFIDENCE = 'drop')"
            self._handle(item, page, self._config.low_confidence, message)
        else:
            self._write(item, contents, results)
            self._stats.inc_value(Stat.ITEMS_STRIPPED)
        return item

    def _results(
        self, item: Any, source: PageSource | None, contents: Sequence[str]
    ) -> tuple[Page | None, Mapping[str, Any]]:
        """The page of an item, if there is one to be stripped, and the results for it.

        :param contents: which of its contents the item is to have.
        """
        url = source.url if source is not None else ""
        try:
            own = own_html(item, self._config.html_field)
            page = self._page(source) if own is None else self._own_page(item, source, own)
            if page is None:
                return None, UNMATCHED
            url = page.url
            # The results for a page serve all its items.
            shared = source if own is None else None
            patterns, strip = self._state.strip(page, page.site if shared is None else shared.site)
            known = PageResults() if shared is None else shared.results(patterns)
            results = known.read(strip, contents, self._config.min_confidence)
            self._count(results)
        except Exception as error:
            report(self._stats, error, f"stripping {url} (its item passes unmatched)")
            return None, UNMATCHED
        if self._config.debug:
            numbers = (results["pattern"], results["similarity"], results["confidence"])
            logger.debug("%s: pattern %s, similarity %.3f, confidence %s", url, *numbers)
        return page, results

    def _own_page(self, item: Any, source: PageSource | None, html: str | bytes) -> Page | None:
        url = own_url(item, self._config.url_field) or (source.url if source else "")
        return Page(url, html) if self._accepts(url) else None

    def _page(self, source: PageSource | None) -> Page | None:
        if source is not None and source.skip is not None:
            self._state.count_skip(source.skip)
            return None
        page = source.page() if source is not None else None
        if page is None:
            self._stats.inc_value(Stat.NO_PAGE)
        return page

    def _accepts(self, url: str) -> bool:
        accepted = self._config.accepts(url)
        if not accepted:
            self._state.count_skip(Skip.REJECTED)
        return accepted

    def _count(self, results: Mapping[str, Any]) -> None:
        if not results["matched"]:
            self._stats.inc_value(Stat.ITEMS_UNMATCHED)
            return
        self._stats.inc_value(Stat.ITEMS_MATCHED)
        if results["kind"] is not None:
            self._stats.inc_value(Stat.KINDS + results["kind"])
        self._stats.inc_value(Stat.CHARS_OUT, len(results["text"]))

    def _handle(self, item: Any, page: Page, handling: Handling, why: str) -> None:
        """Do what the user wants with an item whose page could not be stripped, or not well.

        :param why: the reason for dropping it, with ``{url}`` for its page.
        """
        if handling == "drop":
            self._stats.inc_value(Stat.ITEMS_DROPPED)
            raise DropItem(why.format(url=page.url))
        if handling == "fallback" and self._config.fallback is not None:
            try:
                found = self._config.fallback(page)
                results = _contents_of(found)
                names = self._writable(item, results)
            except Exception as error:
                report(self._stats, error, f"calling STEMMER_FALLBACK for {page.url} (its item passes as it is)")
                return
            if found is not None:
                self._write(item, names, results)
                self._stats.inc_value(Stat.ITEMS_FALLBACK)

    def _write(self, item: Any, names: Iterable[str], results: Mapping[str, Any]) -> None:
        """Write results into the fields that are to have them."""
        fields = fields_of(item)
        targets = self._config.fields
        for name in names:
            value, target = results[name], targets.get(name)
            if target is None or (value is None and name not in FLAGS) or not has_room(fields, target):
                continue
            try:
                fields[target] = str(value) if isinstance(value, PageKind) else value
            except Exception as error:  # a frozen class, or a validator of the user's
                report(self._stats, error, f"writing the field {target!r} of a {type(item).__qualname__}")

    def _writable(self, item: Any, names: Iterable[str]) -> list[str]:
        """Which results an item is to have of those that are no flags: what the spider has found stays."""
        fields = fields_of(item)
        targets, overwrite, found = self._config.fields, self._config.overwrite, []
        for name in names:
            target = targets.get(name)
            if target is not None and has_room(fields, target) and (overwrite or fields.get(target) in (None, "")):
                found.append(name)
        return found


def _contents_of(found: Any) -> dict[str, Any]:
    if found is None:
        return {}
    if isinstance(found, Stripped):
        return {name: getattr(found, name) for name in CONTENTS}
    if isinstance(found, Mapping) and set(found) <= set(CONTENTS):
        return dict(found)
    raise TypeError(
        f"STEMMER_FALLBACK must return a Stripped, a dict with keys out of {', '.join(CONTENTS)}, or None, "
        f"not {found!r:.200}"
    )

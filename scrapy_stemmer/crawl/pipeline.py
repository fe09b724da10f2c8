"""The item pipeline: strips the page of each item and writes the results into its fields."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem

from scrapy_stemmer.core.labels import PageKind
from scrapy_stemmer.core.page import Page
from scrapy_stemmer.crawl.config import Handling
from scrapy_stemmer.crawl.names import Skip, Stat
from scrapy_stemmer.crawl.pages import PageSource, own_html, own_url
from scrapy_stemmer.crawl.reporting import report
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.strip import UNMATCHED, Stripped

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger("scrapy_stemmer")

FLAGS = ("matched", "pattern", "similarity", "kind", "confidence")
"""Results that are always written."""

CONTENTS = ("title", "text", "sub_text", "html")
"""Results that are written for pages that match, and don't replace what the spider has found."""


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
        if not ItemAdapter.is_item(item):
            return item
        if source is not None and source.skip is Skip.OPTED_OUT:
            self._state.count_skip(Skip.OPTED_OUT)
            return item
        page, stripped = self._stripped(item, source)
        self._write(item, FLAGS, partial(_flag_of, stripped))
        if page is None:
            return item
        if not stripped.matched:
            self._handle(item, page, self._config.unmatched, "No pattern fits {url} (STEMMER_UNMATCHED = 'drop')")
        elif self._is_unsure(page, stripped):
            message = f"Confidence {stripped.confidence:.2f} for {{url}} (STEMMER_LOW_CONFIDENCE = 'drop')"
            self._handle(item, page, self._config.low_confidence, message)
        else:
            self._write_contents(item, stripped)
        return item

    def _is_unsure(self, page: Page, stripped: Stripped) -> bool:
        """Whether the confidence in a page is below the user's; counted and logged."""
        if stripped.confidence is None or stripped.confidence >= self._config.min_confidence:
            return False
        self._stats.inc_value(Stat.ITEMS_UNSURE)
        logger.debug("%s: confidence %.3f is below STEMMER_MIN_CONFIDENCE", page.url, stripped.confidence)
        return True

    def _stripped(self, item: Any, source: PageSource | None) -> tuple[Page | None, Stripped]:
        """The page of an item, if there is one to be stripped, and what is left of it."""
        url = source.url if source is not None else ""
        try:
            page = self._page(item, source)
            if page is None:
                return None, UNMATCHED
            url = page.url
            # The results for a page serve all its items.
            shared = None if own_html(item, self._config.html_field) else source
            stripped = self._strip(page, shared)
            self._count(stripped)
        except Exception as error:
            report(self._stats, error, f"stripping {url} (its item passes unmatched)")
            return None, UNMATCHED
        if self._config.debug:
            numbers = (stripped.pattern, stripped.similarity, stripped.confidence)
            logger.debug("%s: pattern %s, similarity %.3f, confidence %s", url, *numbers)
        return page, stripped

    def _page(self, item: Any, source: PageSource | None) -> Page | None:
        if html := own_html(item, self._config.html_field):
            url = own_url(item, self._config.url_field) or (source.url if source else "")
            return Page(url, html) if self._accepts(url) else None
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

    def _strip(self, page: Page, source: PageSource | None) -> Stripped:
        patterns, strip = self._state.strip(page)
        if source is None:
            return strip()
        return source.stripped(patterns, strip)

    def _count(self, stripped: Stripped) -> None:
        if not stripped.matched:
            self._stats.inc_value(Stat.ITEMS_UNMATCHED)
            return
        self._stats.inc_value(Stat.ITEMS_MATCHED)
        if stripped.kind is not None:
            self._stats.inc_value(f"{Stat.KINDS}{stripped.kind}")
        self._stats.inc_value(Stat.CHARS_OUT, len(stripped.text))

    def _write_contents(self, item: Any, stripped: Stripped) -> None:
        self._write(item, CONTENTS, partial(getattr, stripped))
        self._stats.inc_value(Stat.ITEMS_STRIPPED)

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
            except Exception as error:
                report(self._stats, error, f"calling STEMMER_FALLBACK for {page.url} (its item passes as it is)")
                return
            if found is not None:
                self._write(item, results, results.__getitem__)
                self._stats.inc_value(Stat.ITEMS_FALLBACK)

    def _write(self, item: Any, names: Iterable[str], value_of: Callable[[str], Any]) -> None:
        """Write results into the fields that are to have them; only those results are made at all."""
        adapter = ItemAdapter(item)
        for name in names:
            target = self._config.fields.get(name)
            if target and self._may_write(adapter, name, target):
                value = value_of(name)
                if value is None and name not in FLAGS:
                    continue
                try:
                    adapter[target] = value
                except Exception as error:  # a frozen class, or a validator of the user's
                    report(self._stats, error, f"writing the field {target!r} of a {type(item).__qualname__}")

    def _may_write(self, adapter: ItemAdapter, name: str, target: str) -> bool:
        if not (isinstance(adapter.item, dict) or target in adapter.field_names()):
            return False
        return name in FLAGS or self._config.overwrite or adapter.get(target) in (None, "")


def _flag_of(stripped: Stripped, name: str) -> Any:
    value = getattr(stripped, name)
    return str(value) if isinstance(value, PageKind) else value


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

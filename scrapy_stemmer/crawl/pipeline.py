"""The item pipeline: strips the page of each item and writes the results into its fields."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import DropItem

from scrapy_stemmer.core.blocks import PageKind
from scrapy_stemmer.core.document import DEFAULT_CHARSET, Document
from scrapy_stemmer.crawl.config import Handling
from scrapy_stemmer.crawl.items import CONTENTS, FLAGS, ItemFields, ItemPage, OwnPage, is_frozen, is_item, is_sure
from scrapy_stemmer.crawl.responses import Skip, why_own_skipped
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import Stat, report_error
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patternset import Stripped, strip

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger("scrapy_stemmer")

UNMATCHED: Mapping[str, Any] = dict.fromkeys(FLAGS) | {"matched": False, "similarity": 0.0}
"""The results for an item without a page, or one whose page could not be stripped."""


class StemmerPipeline:
    """Writes title, main text, sub text and HTML of an item's page into the item, and how well the page matched.

    No item waits here, since Scrapy would stop taking responses; see the spider middleware.
    """

    def __init__(self, crawler: Crawler) -> None:
        state = CrawlState.of(crawler)
        self._config = state.config
        self._stats = state.stats
        self._patterns = state.patterns
        self._drift = state.drift
        self._item_pages = state.item_pages
        self._match_options = state.config.match_options
        self._default_charset = state.config.default_charset or DEFAULT_CHARSET
        self._refusals: set[tuple[str, str | None, type[Exception]]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StemmerPipeline:
        """Called by Scrapy; raises as :meth:`StemmerSpiderMiddleware.from_crawler` does."""
        return cls(crawler)

    def process_item(self, item: Any, spider: Spider | None = None) -> Any:
        """Strip the item's page.

        :raises DropItem: when no pattern fits and STEMMER_UNMATCHED is ``drop``, or the confidence is too low and
            STEMMER_LOW_CONFIDENCE is.
        """
        page = self._item_pages.take(item)
        if not is_item(item):
            return item
        if page is not None and page.skip is Skip.OPTED_OUT:
            self._count_skip(Skip.OPTED_OUT)
            return item
        fields = ItemFields(item)
        page = self._page_to_strip(fields, page)
        contents = self._missing(fields, CONTENTS)
        results = UNMATCHED if page is None else self._results(page, contents)
        self._write(fields, FLAGS, results)
        if page is None or results is UNMATCHED:
            return item
        if not results["matched"]:
            self._handle(fields, page, self._config.unmatched, "No pattern fits {url} (STEMMER_UNMATCHED = 'drop')")
        elif not is_sure(results, self._config.min_confidence):
            self._stats.inc_value(Stat.ITEMS_UNSURE)
            confidence = results["confidence"]
            logger.debug("%s: confidence %.3f is below STEMMER_MIN_CONFIDENCE", page.url, confidence)
            message = f"Confidence {confidence:.2f} for {{url}} (STEMMER_LOW_CONFIDENCE = 'drop')"
            self._handle(fields, page, self._config.low_confidence, message)
        else:
            self._write(fields, contents, results)
            self._stats.inc_value(Stat.ITEMS_STRIPPED)
        return item

    def _page_to_strip(self, fields: ItemFields, page: ItemPage | None) -> ItemPage | None:
        """The page of an item: in the item itself, else where it was noted; ``None`` when there is none to strip."""
        html = fields.html(self._config.html_field)
        if html is not None:
            url = fields.url(self._config.url_field) or (page.url if page is not None else "")
            skip = why_own_skipped(html, self._config) if self._config.accepts(url) else Skip.REJECTED
            page = OwnPage(url, html, skip)
        elif page is None or isinstance(page, OwnPage):
            self._stats.inc_value(Stat.NO_PAGE)
            return None
        if page.skip is not None:
            self._count_skip(page.skip)
            return None
        return page

    def _results(self, page: ItemPage, contents: Sequence[str]) -> Mapping[str, Any]:
        """The results for a page, which are made once for all its items.

        :param contents: which of its contents the item is to have.
        """
        try:
            patterns = self._patterns.of_site(page.site)
            known = page.results(patterns)
            results = known.read(lambda: self._strip(page, patterns), contents, self._config.min_confidence)
            self._count(results)
        except Exception as error:
            report_error(self._stats, error, f"stripping {page.url} (its item passes unmatched)")
            return UNMATCHED
        if self._config.debug:
            numbers = (results["pattern"], results["similarity"], results["confidence"])
            logger.debug("%s: pattern %s, similarity %.3f, confidence %s", page.url, *numbers)
        return results

    def _strip(self, page: ItemPage, patterns: Sequence[Pattern]) -> Stripped:
        found = strip(patterns, Document(page.page(), self._default_charset), self._match_options)
        if self._drift is not None:
            self._drift.saw(page, found)
        return found

    def _count(self, results: Mapping[str, Any]) -> None:
        if not results["matched"]:
            self._stats.inc_value(Stat.ITEMS_UNMATCHED)
            return
        self._stats.inc_value(Stat.ITEMS_MATCHED)
        if results["kind"] is not None:
            self._stats.inc_value(Stat.KINDS + results["kind"])
        self._stats.inc_value(Stat.CHARS_OUT, len(results["text"]))

    def _count_skip(self, why: Skip) -> None:
        self._stats.inc_value(f"{Stat.SKIPPED}{why}")

    def _handle(self, fields: ItemFields, page: ItemPage, handling: Handling, why: str) -> None:
        """Do what the user wants with an item whose page could not be stripped, or not well.

        :param why: the reason for dropping it, with ``{url}`` for its page.
        """
        if handling == "drop":
            self._stats.inc_value(Stat.ITEMS_DROPPED)
            raise DropItem(why.format(url=page.url))
        if handling == "fallback" and self._config.fallback is not None:
            try:
                found = self._config.fallback(page.for_fallback())
                results = _contents_of(found)
                names = self._missing(fields, results)
            except Exception as error:
                report_error(self._stats, error, f"calling STEMMER_FALLBACK for {page.url} (its item passes as it is)")
                return
            if found is not None:
                self._write(fields, names, results)
                self._stats.inc_value(Stat.ITEMS_FALLBACK)

    def _write(self, fields: ItemFields, names: Iterable[str], results: Mapping[str, Any]) -> None:
        """Write results into the fields that are to have them."""
        targets = self._config.fields
        for name in names:
            value, target = results[name], targets.get(name)
            if target is None or (value is None and name not in FLAGS) or not fields.can_have(target):
                continue
            try:
                fields.set(target, str(value) if isinstance(value, PageKind) else value)
            except Exception as error:  # a frozen class, or a validator of the user's
                self._count_refusal(error, target, fields.class_name)
                if is_frozen(error):
                    return

    def _count_refusal(self, error: Exception, target: str, class_name: str) -> None:
        """Count a value that an item refuses; the log has the first of its kind, of each class."""
        self._stats.inc_value(f"{Stat.ERRORS}{type(error).__name__}")
        kind = (class_name, None if is_frozen(error) else target, type(error))
        if kind in self._refusals:
            return
        self._refusals.add(kind)
        advice = (
            "its items can't be changed, so they pass without results: let the spider yield dicts or items of a class "
            "that is not frozen, and freeze them in a later pipeline"
            if is_frozen(error)
            else "give the class a field that takes it, or set the result to None in STEMMER_FIELDS"
        )
        logger.error(
            "Error while writing the field %r of a %s: %s: %s. Items pass all the same; %s. Further ones are only "
            "counted, in the stat %s%s.",
            target,
            class_name,
            type(error).__name__,
            error,
            advice,
            Stat.ERRORS,
            type(error).__name__,
        )

    def _missing(self, fields: ItemFields, names: Iterable[str]) -> list[str]:
        """The contents that an item is to have of some: what the spider has found stays."""
        targets, overwrite, missing = self._config.fields, self._config.overwrite, []
        for name in names:
            target = targets.get(name)
            if target is not None and fields.can_have(target) and (overwrite or fields.get(target) in (None, "")):
                missing.append(name)
        return missing


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

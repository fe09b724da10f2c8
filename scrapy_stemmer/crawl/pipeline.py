"""The item pipeline: strips the page of each item and writes the results into its fields."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from itemadapter import is_item
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem

from scrapy_stemmer.core.blocks import PageKind
from scrapy_stemmer.crawl.config import CONTENTS, FLAGS, Handling
from scrapy_stemmer.crawl.items import FallbackPage, ItemFields, ItemPage, ResponsePage, is_frozen, own_page
from scrapy_stemmer.crawl.responses import Skip
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import Stat, report_error
from scrapy_stemmer.patternset import Stripped

logger = logging.getLogger("scrapy_stemmer")

UNMATCHED: Mapping[str, Any] = dict.fromkeys(FLAGS) | {"matched": False, "similarity": 0.0}
"""The results for an item without a page, or one whose page could not be stripped."""


class StemmerPipeline:
    """Writes title, main text, sub text and HTML of an item's page into the item, and how well the page matched.

    No item waits here, since Scrapy would stop taking responses; see the spider middleware.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._state = state = CrawlState.of(crawler)
        self._config = state.config
        self._options = state.config.match_options
        self._stats = state.stats
        self._refusals: set[tuple[str, str | None, type[Exception]]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StemmerPipeline:
        """Called by Scrapy; raises as :meth:`CrawlState.of` does."""
        return cls(crawler)

    def process_item(self, item: Any, spider: Spider | None = None) -> Any:
        """Strip the item's page.

        :raises DropItem: when no pattern fits and STEMMER_UNMATCHED is ``drop``, or the confidence is too low and
            STEMMER_LOW_CONFIDENCE is.
        """
        noted = self._state.item_pages.take(item)
        if not is_item(item):
            return item
        if noted is not None and noted.skip is Skip.OPTED_OUT:
            self._stats.inc_value(f"{Stat.SKIPPED}{noted.skip}")
            return item
        fields, results = ItemFields(item), UNMATCHED
        contents = self._missing(fields, CONTENTS)
        page = own_page(fields, noted.url if noted is not None else "", self._config) or noted
        if page is None or not (page.skip or isinstance(page, ResponsePage) or page.text):
            self._stats.inc_value(Stat.NO_PAGE)
        elif page.skip is not None:
            self._stats.inc_value(f"{Stat.SKIPPED}{page.skip}")
        else:
            results = self._results(page, contents)
        self._write(fields, FLAGS, results)
        if page is None or results is UNMATCHED:
            return item
        if not results["matched"]:
            why = f"No pattern fits {page.url} (STEMMER_UNMATCHED = 'drop')"
            self._handle(fields, page, self._config.unmatched, why)
        elif not self._is_sure(results):
            self._stats.inc_value(Stat.ITEMS_UNSURE)
            confidence = results["confidence"]
            logger.debug("%s: confidence %.3f is below STEMMER_MIN_CONFIDENCE", page.url, confidence)
            why = f"Confidence {confidence:.2f} for {page.url} (STEMMER_LOW_CONFIDENCE = 'drop')"
            self._handle(fields, page, self._config.low_confidence, why)
        else:
            self._write(fields, contents, results)
            self._stats.inc_value(Stat.ITEMS_STRIPPED)
        return item

    def _results(self, page: ItemPage, contents: Sequence[str]) -> Mapping[str, Any]:
        """The flags of a page; of one that matches its text too, which is counted; of a sure one these contents."""
        try:
            stripped = page.stripped(self._state.patterns.of_site(page.site), self._options)
            if self._state.drift is not None:
                self._state.drift.saw(page, stripped)
            results = {name: getattr(stripped, name) for name in FLAGS}
            if stripped.matched:
                for name in ("text", *(contents if self._is_sure(results) else ())):
                    results[name] = getattr(stripped, name)
        except Exception as error:
            report_error(self._stats, error, f"stripping {page.url} (its item passes unmatched)")
            return UNMATCHED
        if stripped.matched:
            self._stats.inc_value(Stat.ITEMS_MATCHED)
            if results["kind"] is not None:
                self._stats.inc_value(Stat.KINDS + results["kind"])
            self._stats.inc_value(Stat.CHARS_OUT, len(results["text"]))
        else:
            self._stats.inc_value(Stat.ITEMS_UNMATCHED)
        if self._config.debug:
            numbers = map(results.get, ("pattern", "similarity", "confidence"))
            logger.debug("%s: pattern %s, similarity %.3f, confidence %s", page.url, *numbers)
        return results

    def _is_sure(self, results: Mapping[str, Any]) -> bool:
        """Whether the confidence in a page is high enough, if there is one."""
        return results["confidence"] is None or results["confidence"] >= self._config.min_confidence

    def _handle(self, fields: ItemFields, page: ItemPage, handling: Handling, why: str) -> None:
        """Do what the user wants with an item whose page could not be stripped, or not well."""
        if handling == "drop":
            self._stats.inc_value(Stat.ITEMS_DROPPED)
            raise DropItem(why)
        if handling == "fallback" and self._config.fallback is not None:
            try:
                asked = FallbackPage(page.url, page.text, response=page.response)
                results = _contents_of(self._config.fallback(asked))
                names = self._missing(fields, results or ())
            except Exception as error:
                report_error(self._stats, error, f"calling STEMMER_FALLBACK for {page.url} (its item passes as it is)")
                return
            if results is not None:
                self._write(fields, names, results)
                self._stats.inc_value(Stat.ITEMS_FALLBACK)

    def _write(self, fields: ItemFields, names: Iterable[str], results: Mapping[str, Any]) -> None:
        """Write results into the fields that are to have them."""
        for name in names:
            value, target = results[name], self._config.fields.get(name)
            if target is None or (value is None and name not in FLAGS) or not fields.can_have(target):
                continue
            try:
                fields[target] = str(value) if isinstance(value, PageKind) else value
            except Exception as error:  # a frozen class, or a validator of the user's
                self._count_refusal(error, target, type(fields.item).__qualname__)
                if is_frozen(error):
                    return

    def _count_refusal(self, error: Exception, target: str, class_name: str) -> None:
        """Count a value that an item refuses; the log has the first of its kind, of each class."""
        name = type(error).__name__
        self._stats.inc_value(f"{Stat.ERRORS}{name}")
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
        told = (target, class_name, name, error, advice, Stat.ERRORS + name)
        logger.error(
            "Error while writing the field %r of a %s: %s: %s. Items pass all the same; %s. Further ones are only "
            "counted, in the stat %s.",
            *told,
        )

    def _missing(self, fields: ItemFields, names: Iterable[str]) -> list[str]:
        """The contents that an item is to have of some: what the spider has found stays."""
        return [
            name
            for name in names
            if (target := self._config.fields.get(name))
            and fields.can_have(target)
            and (self._config.overwrite or fields.get(target) in (None, ""))
        ]


def _contents_of(found: Any) -> Mapping[str, Any] | None:
    """The contents in what a fallback has found."""
    if isinstance(found, Stripped):
        return {name: getattr(found, name) for name in CONTENTS}
    if found is None or (isinstance(found, Mapping) and set(found) <= set(CONTENTS)):
        return found
    raise TypeError(
        f"STEMMER_FALLBACK must return a Stripped, a dict with keys out of {', '.join(CONTENTS)}, or None, "
        f"not {found!r:.200}"
    )

"""Unreleased items: those that could not come out of a crawl, written to a file so that they aren't lost."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy_stemmer.crawl import item_json
from scrapy_stemmer.crawl.items import as_dict
from scrapy_stemmer.crawl.stats import Stat, report_error

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

    from scrapy_stemmer.crawl.crawl_files import CrawlFiles
    from scrapy_stemmer.crawl.held_items import RemainingItem

logger = logging.getLogger("scrapy_stemmer")


class UnreleasedItems:
    """The file of unreleased items, beside the crawl's state; it is made with the first of them.

    :param files: names it.
    :param stats: counts them.
    """

    def __init__(self, files: CrawlFiles, stats: StatsCollector) -> None:
        self._files = files
        self._stats = stats
        self._path: Path | None = None

    def write(self, remaining: Iterable[RemainingItem], spool: Path) -> bool:
        """Write items that the end of the crawl has left waiting; they have not been through any pipeline.

        :param spool: the file that holds them, as far as they are not in memory only.
        :returns: whether all were written; else the log names those that were not, and where they are.
        """
        count, failure = 0, None
        for each in remaining:
            try:
                if failure is None:
                    self.write_json(_json_of(each))
                    count += 1
                    continue
            except Exception as error:
                failure = error
                report_error(self._stats, error, f"writing the items that still wait to {self._path}")
            if each.json is None:
                logger.error("This item of %s waited in memory and could not be written: %r", each.url, each.item)
            else:
                logger.error(
                    "An item of %s could not be written; it stays in %s. To have it: scrapy stemmer recover %s",
                    each.url,
                    spool,
                    spool,
                )
        if count:
            logger.error(
                "%d items still waited when the crawl was closed. They are in %s, unstripped and not seen by any "
                "pipeline. With JOBDIR they would wait for the crawl to be resumed; with STEMMER_HOLD = False no "
                "item waits.",
                count,
                self._path,
            )
        return failure is None

    def write_json(self, text: str) -> None:
        """Write the JSON of one item."""
        if self._path is None:
            self._path = self._files.unreleased()
        with self._path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text + "\n")
        self._stats.inc_value(Stat.HELD_UNRELEASED)


def _json_of(remaining: RemainingItem) -> str:
    """The JSON of an item that waits; that of the spool where the item's class is gone."""
    if remaining.json is None:
        return as_json(remaining.item)
    try:
        return as_json(item_json.loads(remaining.json))
    except ValueError:
        return remaining.json


def as_json(item: Any) -> str:
    """An item as a line of a feed; values that JSON can't express are texts."""
    try:
        return json.dumps(as_dict(item), default=_as_value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return json.dumps(repr(item), ensure_ascii=False)


def _as_value(value: Any) -> Any:
    """The JSON that Scrapy writes for a value that is none of JSON's; a text for what it can't express."""
    from scrapy.utils.serialize import ScrapyJSONEncoder

    try:
        return ScrapyJSONEncoder().default(value)
    except TypeError:
        return repr(value)

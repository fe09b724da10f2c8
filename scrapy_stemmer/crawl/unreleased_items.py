"""Unreleased items: those that could not come out of a crawl, written to a file so that they aren't lost."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy_stemmer.crawl.items import as_dict
from scrapy_stemmer.crawl.stats import Stat

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

    from scrapy_stemmer.crawl.crawl_files import CrawlFiles

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

    def write(self, items: Iterable[Any]) -> None:
        """Write items that the end of the crawl has left waiting; they have not been through any pipeline."""
        count = 0
        for item in items:
            self.write_json(_as_json(item))
            count += 1
        if count:
            logger.error(
                "%d items still waited when the crawl was closed. They are in %s, unstripped and not seen by any "
                "pipeline. With JOBDIR they would wait for the crawl to be resumed; with STEMMER_HOLD = False no "
                "item waits.",
                count,
                self._path,
            )

    def write_json(self, text: str) -> None:
        """Write the JSON of one item."""
        if self._path is None:
            self._path = self._files.unreleased()
        with self._path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text + "\n")
        self._stats.inc_value(Stat.HELD_UNRELEASED)


def _as_json(item: Any) -> str:
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

"""Items that could not come out of a crawl, written to a file so that they aren't lost."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.utils.serialize import ScrapyJSONEncoder

from scrapy_stemmer.crawl.names import Stat

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

    from scrapy_stemmer.crawl.places import Places
    from scrapy_stemmer.crawl.waiting import Released

logger = logging.getLogger("scrapy_stemmer")


class _Encoder(ScrapyJSONEncoder):
    def default(self, o: Any) -> Any:
        """What JSON can't express is written as text."""
        try:
            return super().default(o)
        except TypeError:
            return repr(o)


class Rescue:
    """Writes items to a file beside the crawl's state; the file is made with the first of them.

    :param places: where.
    :param stats: counts them.
    """

    def __init__(self, places: Places, stats: StatsCollector) -> None:
        self._places = places
        self._stats = stats
        self._path: Path | None = None

    def keep(self, released: Iterable[Released]) -> None:
        """Write items that the end of the crawl has left waiting; they have not been through any pipeline."""
        count = 0
        for each in released:
            self.keep_json(_as_json(each.item))
            count += 1
        if count:
            logger.error(
                "%d items still waited when the crawl was closed. They are in %s, unstripped and not seen by any "
                "pipeline. With JOBDIR they would wait for the crawl to be resumed; with STEMMER_HOLD = False no "
                "item waits.",
                count,
                self._path,
            )

    def keep_json(self, text: str) -> None:
        """Write the JSON of one item."""
        if self._path is None:
            self._path = self._places.unreleased()
        with self._path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text + "\n")
        self._stats.inc_value(Stat.HELD_UNRELEASED)


def _as_json(item: Any) -> str:
    try:
        return json.dumps(ItemAdapter(item).asdict(), cls=_Encoder, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return json.dumps(repr(item), ensure_ascii=False)

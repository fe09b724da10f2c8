"""Unreleased items: those that could not come out of a crawl, written to a file, and those that killed crawls left."""

from __future__ import annotations

import json
import logging
from argparse import Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from itemadapter import ItemAdapter
from scrapy.settings import BaseSettings, Settings
from scrapy.statscollectors import StatsCollector
from scrapy.utils.serialize import ScrapyJSONEncoder

from scrapy_stemmer.crawl import item_json
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.spool import CrawlFiles, HeldItem, delete_spool, expanded, left_items, state_folder
from scrapy_stemmer.crawl.stats import Stat, report_error
from scrapy_stemmer.crawl.stored_pages import counted
from scrapy_stemmer.exceptions import StemmerError

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

    def write(self, remaining: Iterable[tuple[HeldItem, Any]], spool: Path) -> bool:
        """Write items that the end of the crawl has left waiting; they have not been through any pipeline.

        :param remaining: each as it is in the spool, and itself if it is in memory only.
        :param spool: the file of the spool.
        :returns: whether all were written; else the log names those that were not, and where they are.
        """
        count, failure = 0, None
        for held, item in remaining:
            try:
                if failure is None:
                    self.write_json(as_json(item) if held.item is None else _line(held))
                    count += 1
                    continue
            except Exception as error:
                failure = error
                report_error(self._stats, error, f"writing the items that still wait to {self._path}")
            if held.item is None:
                logger.error("This item of %s waited in memory and could not be written: %r", held.url, item)
            else:
                logger.error(
                    "An item of %s could not be written; it stays in %s. To have it: scrapy stemmer recover %s",
                    held.url,
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


class _Encoder(ScrapyJSONEncoder):
    """As Scrapy's feeds write values that JSON lacks; a text for what these can't write."""

    def default(self, value: Any) -> Any:
        try:
            return super().default(value)
        except TypeError:
            return repr(value)


def as_json(item: Any) -> str:
    """An item as a line of a feed; values that JSON can't express are texts."""
    try:
        return json.dumps(ItemAdapter(item).asdict(), cls=_Encoder, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return json.dumps(repr(item), ensure_ascii=False)


def _line(held: HeldItem, html_field: str | None = None) -> str:
    """An item of a spool as a line of JSON; that of the spool where the item's class can't be imported.

    :param html_field: is given its page's HTML.
    """
    try:
        item = item_json.loads(held.item or "")
    except ValueError:
        return held.item or ""
    if html_field and held.body is not None:
        item = {"url": held.url, **ItemAdapter(item).asdict(), html_field: expanded(held.body)}
    return as_json(item)


# Spools that killed crawls have left


def log_left(spools: Iterable[Path], stats: StatsCollector) -> None:
    """Name the spools that killed crawls have left, and count their items."""
    for path in spools:
        try:
            items = left_items(path, with_pages=False)
        except StemmerError as error:
            logger.warning("A crawl that was killed has left a file that is of no use, delete it: %s", error)
            continue
        if items is None:  # another crawl is using it
            continue
        kept = sum(item.item is not None for item in items)
        stats.inc_value(Stat.HELD_LEFT, kept)
        logger.warning(
            "A crawl that was killed has left %d items waiting in %s%s. To have them: scrapy stemmer recover %s",
            kept,
            path,
            f"; {len(items) - kept} more were in memory only and are gone" if len(items) > kept else "",
            path,
        )


def recover(options: Namespace, settings: BaseSettings | None) -> Iterator[str]:
    """The sub-command: items in spools of killed crawls, a JSON object a line; unstripped, not seen by any pipeline."""
    if options.delete and not options.output:
        raise StemmerError("--delete needs -o: what is printed may get lost.")
    spools, total = [Path(name) for name in options.spools], 0
    if not spools:
        config = StemmerConfig.from_settings(settings or Settings(), "")
        spools = sorted(state_folder(config).glob("*.sqlite"))
    for path in spools:
        if not path.is_file():
            raise StemmerError(f"There is no file {path}.")
        items = left_items(path, with_pages=bool(options.html))
        if items is None:
            if options.spools:
                raise StemmerError(f"{path} is in use: the crawl that it belongs to goes on.")
            continue
        lines = [_line(item, options.html) for item in items if item.item is not None]
        if options.output:
            with Path(options.output).open("a", encoding="utf-8", errors="backslashreplace") as feed:
                feed.writelines(line + "\n" for line in lines)
        else:
            yield from lines
        if options.delete:
            delete_spool(path)
        total += len(lines)
    if options.output:
        yield f"{counted(total, 'item')} of {counted(len(spools), 'spool')} are now in {options.output}"

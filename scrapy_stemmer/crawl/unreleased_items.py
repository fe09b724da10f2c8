"""Unreleased items: those that could not come out of a crawl, written to a file, and those that killed crawls left."""

from __future__ import annotations

import json
import logging
from argparse import Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.settings import Settings

from scrapy_stemmer.crawl import item_json
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.items import as_dict
from scrapy_stemmer.crawl.spool import HeldItem, delete_spool, expanded, left_items, project_folder
from scrapy_stemmer.crawl.stats import Stat, report_error
from scrapy_stemmer.crawl.stored_pages import counted
from scrapy_stemmer.exceptions import StemmerError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings
    from scrapy.statscollectors import StatsCollector

    from scrapy_stemmer.crawl.held_items import RemainingItem
    from scrapy_stemmer.crawl.spool import CrawlFiles


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
                "%s still waited when the crawl was closed: now in %s, unstripped and not seen by any pipeline. With "
                "JOBDIR items wait for the crawl to be resumed; with STEMMER_HOLD = False none waits.",
                counted(count, "item"),
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


# The sub-command ``recover``: the items that killed crawls have left in their spools


def recover(options: Namespace, settings: BaseSettings | None) -> Iterator[str]:
    """The items in spools of killed crawls, a JSON object a line; unstripped, and not seen by any pipeline."""
    if options.delete and not options.output:
        raise StemmerError("--delete needs -o: what is printed may get lost.")
    spools = [Path(name) for name in options.spools] or _spools_in(settings)
    total = 0
    for path in spools:
        if not path.is_file():
            raise StemmerError(f"There is no file {path}.")
        items = left_items(path)
        if items is None:
            if options.spools:
                raise StemmerError(f"{path} is in use: the crawl that it belongs to goes on.")
            continue
        lines = [_recovered(item, options.html) for item in items if item.item is not None]
        if options.output:
            with Path(options.output).open("a", encoding="utf-8", errors="backslashreplace") as feed:
                feed.writelines(line + "\n" for line in lines)
        else:
            yield from lines
        if options.delete:
            delete_spool(path)
        total += len(lines)
    if options.output:
        yield f"{counted(total, 'item')} of {counted(len(spools), 'spool')} now in {options.output}"


def _spools_in(settings: BaseSettings | None) -> list[Path]:
    folder = StemmerConfig.from_settings(settings or Settings(), "").state_dir
    return sorted((Path(folder) if folder else project_folder()).glob("*.sqlite"))


def _recovered(held: HeldItem, field: str | None) -> str:
    """An item as a line of JSON; that of the spool where the item's class can't be imported.

    :param field: is given its page's HTML.
    """
    try:
        item = as_dict(item_json.loads(held.item or ""))
    except ValueError:
        return held.item or ""
    if field and held.body is not None:
        item.setdefault("url", held.url)
        item[field] = expanded(held.body)
    return as_json(item)

"""Unreleased items: those that could not come out of a crawl, as JSON, and those that killed crawls have left."""

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

from scrapy_stemmer.core.text import counted
from scrapy_stemmer.crawl import item_json
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.spool import HeldItem, delete_spool, expanded, left_items, state_folder
from scrapy_stemmer.crawl.stats import Stat
from scrapy_stemmer.exceptions import StemmerError

logger = logging.getLogger("scrapy_stemmer")


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


def line_of(held: HeldItem, html_field: str | None = None) -> str:
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
            "A crawl that was killed has left %s waiting in %s%s. To have them: scrapy stemmer recover %s",
            counted(kept, "item"),
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
        lines = [line_of(item, options.html) for item in items if item.item is not None]
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

"""The sub-command ``recover``: the items that killed crawls have left in their spools."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.settings import Settings

from scrapy_stemmer.crawl import item_json
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.crawl_files import project_folder
from scrapy_stemmer.crawl.items import as_dict
from scrapy_stemmer.crawl.progress import counted
from scrapy_stemmer.crawl.spool import HeldItem, delete_spool, expanded, left_items
from scrapy_stemmer.crawl.unreleased_items import as_json
from scrapy_stemmer.exceptions import StemmerError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


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
        yield f"{counted(total, 'item')} of {counted(len(spools), 'spool')} are now in {options.output}"


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

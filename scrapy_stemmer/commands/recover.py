"""Sub-command ``recover``: items left waiting in the spools of killed crawls."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO

from scrapy.settings import BaseSettings

from scrapy_stemmer.commands.outputs import replaced, written_lines
from scrapy_stemmer.commands.sources.files import NO_SOURCES
from scrapy_stemmer.crawl.files import state_folder
from scrapy_stemmer.crawl.session.held import item_line
from scrapy_stemmer.crawl.spool import HeldItem, delete_spool, expanded, left_items
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.patternset import strip
from scrapy_stemmer.settings import StemmerConfig

OTHER_FORMATS = NO_SOURCES | {".xml"}  # suffixes of formats other than JSON Lines


def _left_spools(settings: BaseSettings) -> list[Path]:
    folder = state_folder(StemmerConfig.from_settings(settings, ""))
    spools = sorted(folder.glob("*.sqlite"))
    if not spools:
        sys.stderr.write(f"No crawl has left items waiting in {folder}.\n")
    return spools


def _items_in(path: Path, options: Namespace) -> list[HeldItem] | None:
    if not path.is_file():
        raise StemmerError(
            f"{path} is a folder: name the files in it." if path.is_dir() else f"There is no file {path}."
        )
    items = left_items(path)
    if items is None and options.spools:
        raise StemmerError(f"{path} is in use: the crawl that it belongs to goes on.")
    return items


def _check_output(options: Namespace) -> None:
    if options.delete and not options.output:
        raise StemmerError("--delete needs -o: what is printed may get lost.")
    if options.output and Path(options.output).suffix.lower() in OTHER_FORMATS:
        raise StemmerError(f"{options.output}: items are written as JSON Lines, to a file that ends in .jsonl.")
    if options.output and Path(options.output).is_file():
        raise StemmerError(f"{options.output} is there already: name another file, so that no item is lost, or twice.")


def _line(held: HeldItem, html_field: str | None) -> str:
    """Return an item as JSON; an address alone, as of ``crawl``, gets the title and text of its page."""
    line = item_line(held, html_field)
    with suppress(ValueError):  # a damaged item or page
        if held.body is not None and (item := json.loads(line)).keys() == {"url"}:
            page = strip(Page(held.url, expanded(held.body)))
            return json.dumps({**item, "title": page.title, "text": page.text}, ensure_ascii=False)
    return line


def recover(options: Namespace, settings: BaseSettings) -> Iterator[str]:
    """Yield the items of killed crawls as JSON, a line each, unseen by pipelines; see :func:`_line`.

    :raises StemmerError: at the end, naming unusable spools.
    """
    _check_output(options)
    named = {Path(name).resolve(): Path(name) for name in options.spools}  # each spool once
    spools, total, errors = list(named.values()) or _left_spools(settings), 0, []
    read: list[Path] = []
    with ExitStack() as stack:
        feed: IO[bytes] | None = None
        for path in spools:
            try:
                items = _items_in(path, options)
            except StemmerError as error:
                errors.append(str(error))
                continue
            if items is None:
                continue
            lines = [_line(item, options.html) for item in items if item.item is not None]
            if options.output and lines:
                feed = feed or stack.enter_context(replaced(options.output))
                feed.write(written_lines(lines, is_compressed=options.output.endswith(".gz")))
            else:
                yield from lines
            read.append(path)
            total += len(lines)
    if options.delete:
        for path in read:
            delete_spool(path)
    if options.output:
        message = f"{counted(total, 'item')} of {counted(len(spools), 'spool')} now in {options.output}"
        yield message if total else f"There was no item to recover; nothing was written to {options.output}"
    if errors:
        raise StemmerError(" ".join(errors))

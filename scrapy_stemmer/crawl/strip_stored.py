"""The sub-command ``strip``: stored pages without their template, on all cores."""

from __future__ import annotations

import gzip
import json
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import IO

from scrapy.settings import BaseSettings, Settings

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.sources.base import LeftOut
from scrapy_stemmer.crawl.sources.opened import opened
from scrapy_stemmer.crawl.stored_pages import Progress, cores, counted, in_order, note
from scrapy_stemmer.outputs.markdown import markdown_of, markdown_page
from scrapy_stemmer.patterns.base import MatchOptions
from scrapy_stemmer.patternset import PatternSet, Stripped, gc_paused

FORMATS = ("text", "jsonl", "markdown")

TOGETHER = 16
"""Pages that one process strips at a time."""

RESULTS = ("matched", "pattern", "similarity", "kind", "confidence", "title", "text", "sub_text", "html")


@dataclass(frozen=True, slots=True)
class StrippedPages:
    """Some pages as they are written.

    :param lines: what is written.
    :param pages: how many they are.
    :param errors: what went wrong with some of them.
    """

    lines: tuple[str, ...]
    pages: int
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stripping:
    """How pages are stripped and written.

    :param uri: the pattern file.
    :param options: thresholds.
    :param charset: that of pages that declare none.
    :param form: one of :data:`FORMATS`.
    """

    uri: str
    options: MatchOptions
    charset: str
    form: str


def strip(options: Namespace, settings: BaseSettings | None) -> Iterator[str]:
    """Pages without their template: as extract.py prints them, as JSON Lines or as Markdown."""
    patterns = PatternSet.load(options.patterns)
    loaded.cache_clear()
    config = StemmerConfig.from_settings(settings or Settings(), "")
    form = "jsonl" if options.json else options.format
    if form == "markdown":
        markdown_of("")  # an extra that is missing is told once, not for each page
    stripping = Stripping(options.patterns, config.match_options, config.default_charset or DEFAULT_CHARSET, form)
    left_out, progress = LeftOut(), Progress()
    only_site = patterns.sites[0] if len(patterns.sites) == 1 else None
    fields = (config.url_field, config.html_field or "html")
    sources = opened(options.pages, left_out, site=options.site, only_site=only_site, fields=fields)
    pages = (page for source in sources for page in source.pages())
    function = partial(strip_pages, stripping)
    results = in_order(function, batches(pages), options.processes or cores())
    yield from _written(progress.stripping(results, lambda result: result.pages), options.output)
    for line in left_out.lines():
        note(line)
    note(progress.summary)
    if options.output:
        yield f"{counted(progress.pages, 'page')} now in {options.output}"


def batches(pages: Iterable[Page], size: int = TOGETHER) -> Iterator[tuple[Page, ...]]:
    """Pages in groups, as tasks of processes."""
    pages = iter(pages)
    while batch := tuple(islice(pages, size)):
        yield batch


def _written(results: Iterable[StrippedPages], output: str | None) -> Iterator[str]:
    """Write the pages into a file, or give their lines; tell of errors."""
    with ExitStack() as stack:
        file: IO[str] | None = None
        if output:
            path = Path(output)
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".gz":
                file = stack.enter_context(gzip.open(path, "wt", encoding="utf-8"))
            else:
                file = stack.enter_context(path.open("w", encoding="utf-8"))
        for result in results:
            for error in result.errors:
                note(error)
            if file is None:
                yield from result.lines
            else:
                file.writelines(f"{line}\n" for line in result.lines)


@lru_cache(maxsize=1)
def loaded(uri: str) -> PatternSet:
    """The patterns, read once in each process."""
    return PatternSet.load(uri)


def strip_pages(how: Stripping, pages: Sequence[Page]) -> StrippedPages:
    """Strip some pages; called in a process of its own."""
    patterns = loaded(how.uri)
    lines: list[str] = []
    errors: list[str] = []
    for page in pages:
        try:
            with gc_paused():
                stripped = patterns.strip(page, how.options, default_charset=how.charset)
                made = as_lines(page, stripped, how.form)
        except Exception as error:  # one page must not end the others
            what = f"{type(error).__name__}: {error}"
            errors.append(f"{page.url}: not stripped: {what}")
            made = _failed(page, what, how.form)
        lines += made
    return StrippedPages(tuple(lines), len(pages), tuple(errors))


def as_lines(page: Page, stripped: Stripped, form: str) -> list[str]:
    """A page as it is written."""
    if form == "jsonl":
        results = {name: getattr(stripped, name) for name in RESULTS}
        return [json.dumps({"url": page.url, **results}, ensure_ascii=False)]
    if form == "markdown":
        return markdown_page(page.url, stripped).split("\n")
    return _as_text(page, stripped)


def _as_text(page: Page, stripped: Stripped) -> list[str]:
    if not stripped.matched:
        return [f"!UNMATCHED: {page.url}", ""]
    return [
        f"!MATCHED: {page.url}",
        f"PATTERN: {stripped.pattern} ({stripped.similarity:.3f})",
        f"TITLE: {stripped.title or ''}",
        *(f"MAIN: {block.text}" for block in stripped.main),
        *(f"SUB: {block.text}" for block in stripped.sub),
        "",
    ]


def _failed(page: Page, error: str, form: str) -> list[str]:
    """A page that could not be stripped, as it is written: none is missing."""
    if form == "jsonl":
        return [json.dumps({"url": page.url, "matched": False, "error": error}, ensure_ascii=False)]
    return [f"!UNMATCHED: {page.url}", ""] if form == "text" else []

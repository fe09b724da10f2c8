"""The sub-command ``strip``: stored pages without their template, on all cores."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path

from scrapy.settings import BaseSettings

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page
from scrapy_stemmer.core.text import counted
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.sources.base import LeftOut
from scrapy_stemmer.crawl.sources.files import open_text, read_pages
from scrapy_stemmer.crawl.stored_pages import TOGETHER, Progress, in_order, note
from scrapy_stemmer.outputs.markdown import markdown_of, markdown_page
from scrapy_stemmer.patterns.base import MatchOptions
from scrapy_stemmer.patternset import PatternSet, Stripped

RESULTS = ("matched", "pattern", "similarity", "kind", "confidence", "title", "text", "sub_text", "html")


def strip(options: Namespace, settings: BaseSettings) -> Iterator[str]:
    """Pages without their template: as extract.py prints them, as JSON Lines or as Markdown."""
    loaded.cache_clear()
    patterns = loaded(options.patterns)
    config = StemmerConfig.from_settings(settings, "")
    if options.format == "markdown":
        markdown_of("")  # an extra that is missing is told once, not for each page
    charset = config.default_charset or DEFAULT_CHARSET
    function = partial(strip_page, options.patterns, config.match_options, charset, options.format)
    left_out, progress = LeftOut(), Progress()
    pages = read_pages(options.pages, options, config, left_out, sites=patterns.sites)
    results = in_order(function, pages, options.processes, TOGETHER)

    def lines() -> Iterator[str]:
        for found, error in progress.over_pages(results, "stripping"):
            if error:
                note(error)
            yield from found

    if options.output:
        Path(options.output).parent.mkdir(parents=True, exist_ok=True)
        with open_text(options.output, "w") as file:
            file.writelines(f"{line}\n" for line in lines())
    else:
        yield from lines()
    for line in left_out.lines():
        note(line)
    note(progress.summary)
    if options.output:
        yield f"{counted(progress.pages, 'page')} now in {options.output}"


@lru_cache(maxsize=1)
def loaded(uri: str) -> PatternSet:
    """The patterns, read once in each process; a command clears this first, to have them as they are now."""
    return PatternSet.load(uri)


def strip_page(uri: str, match: MatchOptions, charset: str, form: str, page: Page) -> tuple[list[str], str | None]:
    """A page as it is written in one of the formats, and what went wrong; called in a process of its own."""
    try:
        stripped = loaded(uri).strip(page, match, default_charset=charset)
        return as_lines(page, stripped, form), None
    except Exception as error:  # one page must not end the others
        what = f"{type(error).__name__}: {error}"
        lines = {
            "jsonl": [json.dumps({"url": page.url, "matched": False, "error": what}, ensure_ascii=False)],
            "text": [f"!UNMATCHED: {page.url}", ""],
        }
        return lines.get(form, []), f"{page.url}: not stripped: {what}"


def as_lines(page: Page, stripped: Stripped, form: str) -> list[str]:
    """A page as it is written."""
    if form == "jsonl":
        results = {name: getattr(stripped, name) for name in RESULTS}
        return [json.dumps({"url": page.url, **results}, ensure_ascii=False)]
    if form == "markdown":
        return markdown_page(page.url, stripped).split("\n")
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

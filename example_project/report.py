#!/usr/bin/env python3
"""Report on the crawl of the bundled site: figures against the gold text, and a page before and after.

    scrapy crawl news -s STEMMER_LEARN=1
    python report.py                # tables, and a page before and after with the rules of its site
    python report.py --page URL     # another page before and after

Word F1 is that of the benchmarks. A gold page without an item counts with F1 0. Exit status 1 when an input is missing.
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from scrapy_stemmer import Page, PatternSet, StemmerError, strip
from scrapy_stemmer.page.text import visible

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))  # the benchmarks are part of the repository, not of the installed package

from benchmarks.scoring import same_title, score  # noqa: E402
from benchmarks.sets import GoldPage, bundled_set  # noqa: E402

EXCERPT, WIDTH = 25, 100


class ReportError(Exception):
    """A missing or unreadable input; the message says what to do."""


@dataclass(frozen=True, slots=True)
class PageResult:
    """A gold page and the crawl's item of it, empty without an item."""

    gold: GoldPage
    item: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The stripped text of the page."""
        return self.item.get("text") or ""

    @property
    def title(self) -> str:
        """The stripped title of the page."""
        return self.item.get("title") or ""

    @property
    def f1(self) -> float:
        """Word F1 of the stripped text against the gold text."""
        return score(self.text, self.gold.text).f1

    @property
    def is_title_right(self) -> bool:
        """Return True for the gold title."""
        return same_title(self.title, self.gold.title or "")

    @property
    def is_matched(self) -> bool:
        """Return True if a pattern fits the page."""
        return bool(self.item.get("stemmer_matched"))


def read_items(path: Path) -> dict[str, dict[str, Any]]:
    """Return the items of the crawl by URL.

    :raises ReportError: if the feed is missing, damaged, or of another site.
    """
    hint = "run `scrapy crawl news -s STEMMER_LEARN=1` first"
    if not path.is_file():
        raise ReportError(f"no items at {path}: {hint}")
    items = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            item = json.loads(line)
        except ValueError as error:
            raise ReportError(f"{path}, line {number}: not JSON ({error}); {hint}") from error
        items[item.get("url")] = item
    return items


def read_patterns(path: Path) -> PatternSet:
    """Return the patterns of the crawl.

    :raises ReportError: if the file is missing or damaged.
    """
    if not path.is_file():
        raise ReportError(f"no patterns at {path}: run `scrapy crawl news -s STEMMER_LEARN=1` first")
    try:
        return PatternSet.load(str(path))
    except StemmerError as error:
        raise ReportError(str(error)) from error


# Output


def table(aligned: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table; ``aligned`` has ``<`` or ``>`` for each column."""
    cells = [list(heads), *map(list, rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
    form = "  ".join(f"{{:{side}{width}}}" for side, width in zip(aligned, widths, strict=True))
    lines = [form.format(*row).rstrip() for row in cells]
    return [f"  {line}" for line in [lines[0], "-" * len(form.format(*heads)), *lines[1:]]]


def figures(pages: Sequence[PageResult]) -> list[str]:
    """Return the table of the means of all pages, of each layout, and of each host."""
    groups: dict[str, list[PageResult]] = {"all pages": list(pages)}
    for name in ("type", "site"):
        for page in sorted(pages, key=lambda page: getattr(page.gold, name)):
            groups.setdefault(getattr(page.gold, name), []).append(page)
    rows = [
        (name, str(len(group)), str(sum(page.is_matched for page in group)), f"{mean(page.f1 for page in group):.3f}",
         f"{mean(page.is_title_right for page in group):.0%}")
        for name, group in groups.items()
    ]  # fmt: skip
    return table("<>>>>", ("", "pages", "matched", "word F1", "right titles"), rows)


def pattern_lines(patterns: PatternSet, pages: Iterable[PageResult]) -> list[str]:
    """Return the table of the patterns, with the layouts of the pages that each fits."""
    fits = Counter((page.gold.site, page.item.get("stemmer_pattern"), page.gold.type) for page in pages)
    rows = []
    for pattern in patterns.patterns:
        layouts = [f"{count} {type_}" for (*key, type_), count in fits.items() if key == [pattern.site, pattern.name]]
        rows.append((pattern.site, pattern.name, str(pattern.support), ", ".join(sorted(layouts)) or "none"))
    return table("<<><", ("host", "pattern", "learned from", "pages that it fits"), rows)


def rule_lines(patterns: PatternSet, host: str) -> list[str]:
    """Return the table of the rules of a host; empty for patterns of another kind."""
    rows = [
        (rule.action, textwrap.shorten(str(rule.selector), WIDTH), "by hand" if rule.is_users else f"{rule.sure:.2f}")
        for pattern in patterns.of_site(host)
        for rule in getattr(pattern, "rules", ())
    ]
    return table("<<>", ("rule", "elements", "how sure"), rows) if rows else []


def shown_page(pages: Sequence[PageResult], url: str) -> PageResult:
    """Return the page with a URL; without one, the article of the first host with the median F1.

    :raises ReportError: if no gold page has the URL.
    """
    asked = [page for page in pages if page.gold.url == url]
    if url and not asked:
        raise ReportError(f"--page {url}: no such page in the gold text")
    articles = [page for page in pages if page.gold.type == "article" and page.gold.site == pages[0].gold.site]
    return (asked or sorted(articles, key=lambda page: (page.f1, page.gold.url))[len(articles) // 2 :])[0]


def excerpt(lines: Sequence[str]) -> list[str]:
    """Return the first lines of a text, and how many follow."""
    more = [f"  ... {len(lines) - EXCERPT} more lines"] if len(lines) > EXCERPT else []
    return [*(f"  | {textwrap.shorten(line, WIDTH)}" for line in lines[:EXCERPT]), *more]


def report_lines(items: Mapping[str, Mapping[str, Any]], patterns: PatternSet, url: str) -> list[str]:
    """Return the whole report.

    :param url: the page to show; empty for the default.
    :raises ReportError: if no item is of a gold page, or the page is unknown.
    """
    pages = [PageResult(gold, items.get(gold.url, {})) for gold in bundled_set().pages]
    if not any(page.item for page in pages):
        raise ReportError("no item is of a page with gold text: crawl the bundled site, `scrapy crawl news`")
    shown = shown_page(pages, url)
    before = [block.text for block in strip(Page(shown.gold.url, shown.gold.html)).blocks]
    parts = [
        [f"{len(items)} items, {sum(page.is_matched for page in pages)} of {len(pages)} pages matched a pattern",
         *(f"  no item for {page.gold.url}" for page in pages if not page.item),
         *(f"  no pattern fits {page.gold.url}" for page in pages if page.item and not page.is_matched)],
        ["Patterns", *pattern_lines(patterns, pages)],
        ["Against the gold text", *figures(pages)],
        [f"Rules of {shown.gold.site}: that of the nearest element around a text decides",
         *rule_lines(patterns, shown.gold.site)],
        [f"One page before: {shown.gold.url}", *excerpt(before)],
        [f"and after (word F1 {shown.f1:.3f})", f"  | {shown.title or '(no title)'}",
         "  |", *excerpt(shown.text.splitlines())],
    ]  # fmt: skip
    return [line for part in parts for line in (*part, "")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report; return the exit status."""
    parser = argparse.ArgumentParser(description="Compares the crawl of the bundled site with its gold text.")
    parser.add_argument("--items", type=Path, default=HERE / "items.jsonl", help="the feed (items.jsonl)")
    parser.add_argument("--patterns", type=Path, default=HERE / "patterns" / "news.jsonl", help="the pattern file")
    parser.add_argument("--page", default="", help="URL of the page to show before and after")
    options = parser.parse_args(arguments)
    try:
        lines = report_lines(read_items(options.items), read_patterns(options.patterns), options.page)
    except ReportError as error:
        print(visible(f"report.py: {error}"), file=sys.stderr)
        return 1
    print(visible("\n".join(lines)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

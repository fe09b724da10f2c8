#!/usr/bin/env python3
"""Results of the crawl of the bundled site, against the gold text.

    scrapy crawl news -s STEMMER_LEARN=1
    python report.py             # tables, and a page before and after with the rules of its site
    python report.py --json      # the numbers only

F1 is over words as a multiset: ``\\w+`` in lower case, and each kana or Han character a word, since
Japanese has no spaces. A gold page without an item counts with F1 0. Exit status 1 when an input is missing.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from statistics import mean
from typing import Any
from urllib.parse import urlsplit

from scrapy_stemmer import PatternSet, StemmerError
from scrapy_stemmer.page.text import visible

HERE = Path(__file__).resolve().parent
SITE = HERE / "demo_site"
CJK = "\u3005\u3007\u3041-\u309f\u30a1-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f"
WORD = re.compile(rf"[{CJK}]|[^\W{CJK}]+")
SPACE = re.compile(r"\s+")
META_CHARSET = re.compile(rb"<meta[^>]*charset=[\"']?([\w-]+)", re.I)
INVISIBLE = frozenset({"script", "style", "head", "title", "noscript", "template"})
INLINE = frozenset({"a", "b", "i", "em", "strong", "span", "code", "small", "time", "label", "button", "img", "font"})
EXCERPT, WIDTH = 25, 100


class ReportError(Exception):
    """A missing or unreadable input; the message says what to do."""


# Metrics: values in, values out


def words(text: str) -> list[str]:
    """The words of a text in lower case; each kana or Han character is one."""
    return WORD.findall(text.lower())


def word_f1(predicted: str, gold: str) -> float:
    """F1 of the words of two texts as multisets; 1 when both are empty."""
    ours, theirs = Counter(words(predicted)), Counter(words(gold))
    if not ours and not theirs:
        return 1.0
    return 2 * (ours & theirs).total() / (ours.total() + theirs.total())


def same_title(predicted: str | None, gold: str) -> bool:
    """Return True for two titles equal but for white space."""
    return predicted is not None and predicted.split() == gold.split()


def characters(text: str) -> int:
    """The number of characters that aren't white space."""
    return len(SPACE.sub("", text))


def share_removed(before: int, after: int) -> float:
    """The share of ``before`` characters that is gone; 0 when there were none."""
    return 1 - after / before if before else 0.0


class VisibleText(HTMLParser):
    """Collects the text that a browser would show, a block element a line."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden = 0
        self.pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.hidden = 0 if tag == "body" else self.hidden + (tag in INVISIBLE)
        self.pieces.append("" if tag in INLINE else "\n")

    def handle_endtag(self, tag: str) -> None:
        self.hidden = max(0, self.hidden - (tag in INVISIBLE))
        self.pieces.append("" if tag in INLINE else "\n")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.pieces.append(SPACE.sub(" ", data))


def visible_lines(html: str) -> list[str]:
    """The visible text of a page, line by line."""
    parser = VisibleText()
    parser.feed(html)
    parser.close()
    lines = (" ".join(line.split()) for line in "".join(parser.pieces).split("\n"))
    return [line for line in lines if line]


def decoded(body: bytes, content_type: str) -> str:
    """Return the text of a page: by its header, else by its meta element, else as UTF-8."""
    header = re.search(r"charset=([\w-]+)", content_type)
    meta = META_CHARSET.search(body)
    charset = header[1] if header else meta[1].decode() if meta else "utf-8"
    return body.decode(charset, errors="replace")


# One page


@dataclass(frozen=True, slots=True)
class PageResult:
    """A gold page and its result in the crawl.

    :param gold: the line of gold.jsonl.
    :param item: the crawl's item of the page; empty without an item.
    :param lines: the visible text of the page.
    """

    gold: Mapping[str, str]
    item: Mapping[str, Any]
    lines: tuple[str, ...]

    @property
    def host(self) -> str:
        """The host of the page."""
        return urlsplit(self.gold["url"]).netloc

    @property
    def matched(self) -> bool:
        """Return True if a pattern fits the page."""
        return bool(self.item.get("stemmer_matched"))

    @property
    def text(self) -> str:
        """The stripped main text."""
        return self.item.get("text") or ""

    @property
    def f1(self) -> float:
        """Word F1 of the stripped text against the gold text."""
        return word_f1(self.text, self.gold["text"])

    @property
    def title_right(self) -> bool:
        """Return True for exactly the gold title."""
        return same_title(self.item.get("title"), self.gold["title"])

    @property
    def before(self) -> int:
        """Characters of the page's visible text."""
        return characters("".join(self.lines))

    @property
    def after(self) -> int:
        """Characters of the title and the stripped text."""
        return characters((self.item.get("title") or "") + self.text)


def summary(pages: Sequence[PageResult]) -> dict[str, Any]:
    """Return the numbers of some pages; the removed share is of the matched pages."""
    matched = [page for page in pages if page.matched]
    before, after = sum(page.before for page in matched), sum(page.after for page in matched)
    return {
        "pages": len(pages),
        "matched": len(matched),
        "f1": round(mean(page.f1 for page in pages), 4),
        "exact_titles": round(mean(page.title_right for page in pages), 4),
        "share_removed": round(share_removed(before, after), 4),
    }


def grouped(pages: Iterable[PageResult], key: Callable[[PageResult], str]) -> dict[str, dict[str, Any]]:
    """The numbers of each group of pages."""
    groups: dict[str, list[PageResult]] = {}
    for page in pages:
        groups.setdefault(key(page), []).append(page)
    return {name: summary(groups[name]) for name in sorted(groups)}


def pattern_rows(patterns: PatternSet, pages: Iterable[PageResult]) -> list[dict[str, Any]]:
    """Return each pattern with the gold layouts of its pages."""
    layouts: dict[tuple[str, str], Counter[str]] = {}
    for page in pages:
        if page.matched:
            fits = layouts.setdefault((page.host, str(page.item.get("stemmer_pattern"))), Counter())
            fits[page.gold["layout"]] += 1
    return [
        {
            "host": pattern.site,
            "pattern": pattern.name,
            "support": pattern.support,
            "score": round(pattern.score, 1),
            "layouts": dict(layouts.get((pattern.site, pattern.name), Counter()).most_common()),
        }
        for pattern in patterns.patterns
    ]


# Inputs


def read_json_lines(path: Path, what: str, hint: str) -> list[dict[str, Any]]:
    """The rows of a JSON Lines file."""
    if not path.is_file():
        raise ReportError(f"no {what} at {path}: {hint}")
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            rows.append(json.loads(line))
        except ValueError as error:
            raise ReportError(f"{path}, line {number}: not JSON ({error}); {hint}") from error
    return rows


def read_patterns(path: Path) -> PatternSet:
    """The patterns of the crawl."""
    if not path.is_file():
        raise ReportError(f"no patterns at {path}: run `scrapy crawl news -s STEMMER_LEARN=1` first")
    try:
        return PatternSet.load(str(path))
    except StemmerError as error:
        raise ReportError(str(error)) from error


def lines_of_page(url: str, content_types: Mapping[str, str]) -> tuple[str, ...]:
    """The visible lines of a page of the bundled site, from its file."""
    parts = urlsplit(url)
    name = f"{parts.path}index.html" if parts.path.endswith("/") else parts.path
    path = SITE / "pages" / parts.netloc / name.lstrip("/")
    if not path.is_file():
        raise ReportError(f"no page at {path}: run `python {SITE.name}/build.py`")
    return tuple(visible_lines(decoded(path.read_bytes(), content_types.get(url, ""))))


def read_pages(items: Sequence[Mapping[str, Any]], gold_path: Path) -> list[PageResult]:
    """Every gold page with its item."""
    gold = read_json_lines(gold_path, "gold text", f"run `python {SITE.name}/build.py`")
    by_url = {item.get("url"): item for item in items}
    if not any(row["url"] in by_url for row in gold):
        raise ReportError("no item is of a page with gold text: crawl the bundled site, `scrapy crawl news`")
    types = json.loads((SITE / "content_types.json").read_text(encoding="utf-8"))
    return [PageResult(row, by_url.get(row["url"], {}), lines_of_page(row["url"], types)) for row in gold]


def numbers(pages: Sequence[PageResult], items: Sequence[Mapping[str, Any]], patterns: PatternSet) -> dict[str, Any]:
    """Everything that the report says but the excerpt."""
    return {
        "items": len(items),
        "missing": [page.gold["url"] for page in pages if not page.item],
        "unmatched": [page.gold["url"] for page in pages if page.item and not page.matched],
        "overall": summary(pages),
        "layouts": grouped(pages, lambda page: page.gold["layout"]),
        "hosts": grouped(pages, lambda page: page.host),
        "patterns": pattern_rows(patterns, pages),
    }


# Output


def table(aligned: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of a table; ``aligned`` has ``<`` or ``>`` for each column."""
    cells = [list(heads), *map(list, rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
    form = "  ".join(f"{{:{side}{width}}}" for side, width in zip(aligned, widths, strict=True))
    lines = [form.format(*row).rstrip() for row in cells]
    return [f"  {line}" for line in [lines[0], "-" * len(form.format(*heads)), *lines[1:]]]


def summary_lines(found: Mapping[str, Any]) -> list[str]:
    """The table of F1, titles and share removed."""
    groups = {"all pages": found["overall"], **found["layouts"], **found["hosts"]}
    rows = [
        (name, str(row["pages"]), str(row["matched"]), f"{row['f1']:.3f}", f"{row['exact_titles']:.0%}",
         f"{row['share_removed']:.0%}")
        for name, row in groups.items()
    ]  # fmt: skip
    return table("<>>>>>", ("", "pages", "matched", "word F1", "exact titles", "text removed"), rows)


def pattern_lines(found: Mapping[str, Any]) -> list[str]:
    """The table of patterns; their names without the host."""
    rows = [
        (row["host"], shortened(urlsplit(row["pattern"]).path or row["pattern"]), str(row["support"]),
         f"{row['score']:,.0f}", ", ".join(f"{count} {name}" for name, count in row["layouts"].items()) or "none")
        for row in found["patterns"]
    ]  # fmt: skip
    return table("<<>><", ("host", "pattern", "learned from", "score", "pages that it fits"), rows)


def rule_lines(patterns: PatternSet, host: str) -> list[str]:
    """Return the table of the rules learned for a host; empty for patterns of a different kind."""
    rows = [
        (rule.action, shortened(str(rule.selector)), "by hand" if rule.is_users else f"{rule.sure:.2f}")
        for pattern in patterns.of_site(host)
        for rule in getattr(pattern, "rules", ())
    ]
    return table("<<>", ("rule", "elements", "how sure"), rows) if rows else []


def shortened(text: str, width: int = WIDTH) -> str:
    """A text cut to a width."""
    return text if len(text) <= width else text[: width - 1] + "…"


def shown_page(pages: Sequence[PageResult], url: str) -> PageResult:
    """Return the page to show: the requested page, else the article of the first host with the median F1."""
    if url:
        for page in pages:
            if page.gold["url"] == url:
                return page
        raise ReportError(f"--page {url}: no such page in the gold text")
    articles = [page for page in pages if page.gold["layout"] == "article" and page.host == pages[0].host]
    ordered = sorted(articles or pages, key=lambda page: (page.f1, page.gold["url"]))
    return ordered[(len(ordered) - 1) // 2]


def excerpt_lines(page: PageResult) -> list[str]:
    """A page before and after."""
    before = [f"  | {shortened(line, WIDTH - 4)}" for line in page.lines[:EXCERPT]]
    text = [part for line in page.text.split("\n") for part in textwrap.wrap(line, WIDTH - 4) or [""]]
    after = [f"  | {line}" for line in text[:EXCERPT]]
    return [
        f"One page before: {page.gold['url']} ({page.before:,} characters)",
        *before, *rest(len(page.lines)), "",
        f"and after ({page.after:,} characters, word F1 {page.f1:.3f})",
        f"  | {page.item.get('title') or '(no title)'}", "  |", *after, *rest(len(text)),
    ]  # fmt: skip


def rest(count: int) -> list[str]:
    """A line that says how many lines of an excerpt are left out, if any."""
    return [f"  ... {count - EXCERPT} more lines"] if count > EXCERPT else []


def report_lines(found: Mapping[str, Any], page: PageResult, rules: Sequence[str]) -> list[str]:
    """Return the whole report.

    :param rules: the rules of the shown page's site.
    """
    overall = found["overall"]
    head = f"{found['items']} items, {overall['matched']} of {overall['pages']} pages matched a pattern"
    gone = [f"  no item for {url}" for url in found["missing"]]
    gone += [f"  no pattern fits {url}" for url in found["unmatched"]]
    parts = [[head, *gone], ["Patterns", *pattern_lines(found)], ["Against the gold text", *summary_lines(found)]]
    if rules:
        parts.append([f"Rules learned of {page.host}: that of the nearest element around a text decides", *rules])
    return [line for part in (*parts, excerpt_lines(page)) for line in (*part, "")]


def run(options: argparse.Namespace) -> str:
    """The report as text."""
    items = read_json_lines(options.items, "items", "run `scrapy crawl news -s STEMMER_LEARN=1` first")
    patterns = read_patterns(options.patterns)
    pages = read_pages(items, options.gold)
    found = numbers(pages, items, patterns)
    if options.json:
        return json.dumps(found, ensure_ascii=False, indent=2)
    page = shown_page(pages, options.page)
    return "\n".join(report_lines(found, page, rule_lines(patterns, page.host)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line; the exit status."""
    parser = argparse.ArgumentParser(description="Compares the crawl of the bundled site with its gold text.")
    parser.add_argument("--items", type=Path, default=HERE / "items.jsonl", help="the feed (items.jsonl)")
    parser.add_argument("--patterns", type=Path, default=HERE / "patterns" / "news.jsonl", help="the pattern file")
    parser.add_argument("--gold", type=Path, default=SITE / "gold.jsonl", help="the gold text")
    parser.add_argument("--page", default="", help="URL of the page to show before and after")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    try:
        print(visible(run(parser.parse_args(arguments))))
    except ReportError as error:
        print(visible(f"report.py: {error}"), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

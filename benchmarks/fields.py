"""Authors, dates and other fields beside trafilatura: on whole sites, and on single pages of unknown sites.

    python -m benchmarks.fields                  # ../shared/data: fields/*.json, and single pages with fields
    python -m benchmarks.fields --data FOLDER --write

``fields/*.json`` are the fields of whole sites as read by a person: ``set``, ``site``, and ``values`` by page. Half
of a site's pages are learned, ten at most, and the second half is tested, then vice versa. Two more runs leave out
JSON-LD and ``meta`` elements on tested pages, and on all pages. Without this data nothing is measured.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.progress import say
from benchmarks.sets import ALONE, ROOT, SHARED, SUFFIXES
from benchmarks.tables import percent, publish, table
from scrapy_stemmer import Page, learn, strip
from scrapy_stemmer.page.text import drawn, stable_hash

TARGET = ROOT / "benchmarks" / "results" / "fields.md"

LEARNED = 10  # pages of a site that are learned

FIELDS = ("authors", "no author", "published", "modified", "categories", "tags")
"""Counted fields; ``no author`` stands for pages without an author, right if none is given."""

Gold = Mapping[str, Any]
Found = Mapping[str, Any]
Case = tuple[Sequence[Page] | None, Page, Gold]
"""The learned pages, or ``None``; a page, and its right fields."""

_METADATA = re.compile(r"(?is)<script[^>]*ld\+json[^>]*>.*?</script>|<meta\b(?![^>]*charset)[^>]*>")


def whole_sites(data: Path, *, bare_tested: bool, bare_learned: bool) -> Iterator[Case]:
    """The pages of whole sites whose fields are known."""
    sites = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((data / "fields").glob("*.json"))]
    wanted: dict[tuple[str, str], list[dict[str, Any]]] = {(site["set"], site["site"]): [] for site in sites}
    for name in sorted({site["set"] for site in sites}):
        for row in _rows(data, name):
            wanted.get((name, row["site"]), []).append(row)
    for site in sites:
        rows = wanted[site["set"], site["site"]]
        for fold in (0, 1):
            is_tested = {row["id"]: stable_hash(row["id"]) % 2 == fold for row in rows}
            others = {row["id"]: row for row in rows if not is_tested[row["id"]]}
            known = [_page(others[name], bare=bare_learned) for name in drawn(others, LEARNED, seed=0)]
            for row in rows:
                if is_tested[row["id"]] and row["id"] in site["values"]:
                    gold = {
                        name: value
                        for name, value in site["values"][row["id"]].items()
                        if value is not None and not (bare_tested and name in site["meta_only"])
                    }
                    yield known, _page(row, bare=bare_tested), gold


def single_pages(data: Path, name: str) -> Iterator[Case]:
    """Single pages of which some fields are known."""
    for row in _rows(data / ALONE, name):
        gold = {field: row[field] for field in ("authors", "tags", "categories") if row.get(field)}
        yield None, _page(row), {**gold, **({"published": row["date"]} if row.get("date") else {})}


def _rows(data: Path, name: str) -> Iterator[dict[str, Any]]:
    path = next((path for suffix in SUFFIXES if (path := data / f"{name}{suffix}").exists()), None)
    if path is not None:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
            yield from map(json.loads, lines)


def _page(row: Mapping[str, Any], *, bare: bool = False) -> Page:
    return Page(row["url"], _METADATA.sub("", row["html"]) if bare else row["html"])


def ours() -> Callable[[Sequence[Page] | None, Page], Found]:
    """The fields by what was learned of the site, each site once."""
    learned: dict[int, Any] = {}

    def run(known: Sequence[Page] | None, page: Page) -> Found:
        if known is None:
            return strip(page).fields.as_dict()
        if id(known) not in learned:
            learned.clear()
            learned[id(known)] = learn(known)
        fields: Found = learned[id(known)].strip(page).fields.as_dict()
        return fields

    return run


def trafilatura() -> Callable[[Sequence[Page] | None, Page], Found] | None:
    """Return the fields found by trafilatura; ``None`` if not installed."""
    try:
        from trafilatura import bare_extraction
    except ImportError:
        return None

    def run(_: Sequence[Page] | None, page: Page) -> Found:
        article: Any = bare_extraction(str(page.html), url=page.url, with_metadata=True, include_comments=False)
        if article is None:
            return {}
        authors = [name for name in re.split("; ?", article.author or "") if name]
        return {"authors": authors, "published": article.date, "categories": article.categories, "tags": article.tags}

    return run


def are_right(field: str, value: Any, wanted: Any) -> bool:
    """Return True for right fields: equal names in any order and case; an equal or a neighbouring day."""
    if field in ("published", "modified"):
        days = wanted if isinstance(wanted, list) else [wanted]
        return any(_is_day(str(value or "")[:10], str(day)[:10]) for day in days)
    return _names(value) == _names(wanted)


def _is_day(first: str, second: str) -> bool:
    try:
        return abs((date.fromisoformat(first) - date.fromisoformat(second)).days) <= 1
    except ValueError:
        return False


def _names(values: Sequence[str] | None) -> set[str]:
    return {" ".join(value.casefold().strip(" .,#@").removeprefix("by ").split()) for value in values or ()} - {""}


def row_of(cases: Iterator[Case], run: Callable[[Sequence[Page] | None, Page], Found]) -> list[str]:
    """Return the shares of right fields, and the milliseconds a page, learning included."""
    right: defaultdict[str, list[bool]] = defaultdict(list)
    begin, pages = time.process_time(), 0
    for known, page, gold in cases:
        fields = run(known, page)
        pages += 1
        for field, wanted in gold.items():
            name = "no author" if field == "authors" and not wanted else field
            if name in FIELDS:
                right[name].append(are_right(field, fields.get(field), wanted))
    shares = [percent(sum(right[name]) / len(right[name]), 1) if right[name] else "" for name in FIELDS]
    return [str(pages), *shares, f"{1000 * (time.process_time() - begin) / max(1, pages):.1f}"]


def report(data: Path) -> str:
    """A table of all sets, with a line for each extractor."""
    sets: dict[str, Callable[[], Iterator[Case]]] = {
        "whole sites": lambda: whole_sites(data, bare_tested=False, bare_learned=False),
        "... tested pages without metadata": lambda: whole_sites(data, bare_tested=True, bare_learned=False),
        "... no metadata at all": lambda: whole_sites(data, bare_tested=True, bare_learned=True),
        "news, one page each": lambda: single_pages(data, "publishers"),
        "trafilatura's evaluation, one page each": lambda: single_pages(data, "trafeval"),
    }
    extractors = {"scrapy-stemmer": ours(), "trafilatura": trafilatura()}
    rows = []
    for name, cases in sets.items():
        rows += [[name, who, *row_of(cases(), run)] for who, run in extractors.items() if run is not None]
        say(f"Fields: {name}")
    return table(["pages", "extractor", "number", *FIELDS, "ms a page"], rows)


_HEAD = """# Fields: measured

Written by `make bench` (`python -m benchmarks.fields --write`). Share of pages whose
[fields](../../docs/fields.md#authors-dates-and-other-page-fields) are
right, in hundredths: the same set of names, the same day or one beside it. Whole sites are learned from ten pages of
their other half; the time has learning in it, and of ours the text that is stripped first."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line; the exit status."""
    parser = argparse.ArgumentParser(description="Measure authors, dates and other fields.")
    parser.add_argument("--data", type=Path, default=SHARED, help="folder of sets, with fields/*.json in it")
    parser.add_argument("--write", action="store_true", help="write the page of the documentation")
    options = parser.parse_args(arguments)
    if not any((options.data / "fields").glob("*.json")):
        say(f"Fields are not measured: there is no fields/*.json in {options.data}")
        return 0
    publish(report(options.data), TARGET, _HEAD, write=options.write)
    return 0


if __name__ == "__main__":
    sys.exit(main())

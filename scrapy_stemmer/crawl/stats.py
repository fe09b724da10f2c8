"""The stats of a crawl: names, summary, and reports of errors; ``docs/stats.md`` explains each."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from scrapy.statscollectors import StatsCollector

from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.page.text import counted, visible

logger = logging.getLogger("scrapy_stemmer")


class Stat:
    """Names of stats; names ending in a slash are followed by a kind. Not an enum, because Scrapy shows the ``repr`` of
    keys."""

    PAGES_SAMPLED = "stemmer/pages/sampled"
    PAGES_UNMARKED = "stemmer/pages/unmarked"
    SITES_LOADED = "stemmer/sites/loaded"
    SITES_LEARNED = "stemmer/sites/learned"
    SITES_FETCHED = "stemmer/sites/fetched"
    SITES_RELEARNED = "stemmer/sites/relearned"
    SITES_BROKEN = "stemmer/sites/broken"
    SITES_EMPTY = "stemmer/sites/empty"
    SITES_UNLEARNED = "stemmer/sites/unlearned"
    TEXTS_FOUND = "stemmer/patterns/texts_found"
    DRIFT = "stemmer/drift/"
    STORE_FAILURES = "stemmer/store/failures"
    TEACHER_FAILED = "stemmer/teacher/failed"
    LEARNING_SECONDS = "stemmer/learning/seconds"
    ITEMS_STRIPPED = "stemmer/items/stripped"
    ITEMS_WITHOUT_FIELD = "stemmer/items/without_field"
    ITEMS_MATCHED = "stemmer/items/matched"
    ITEMS_UNMATCHED = "stemmer/items/unmatched"
    ITEMS_UNSURE = "stemmer/items/unsure"
    ITEMS_DROPPED = "stemmer/items/dropped"
    ITEMS_OF_OTHER_KINDS = "stemmer/items/other_kinds"
    ITEMS_FALLBACK = "stemmer/items/fallback"
    KINDS = "stemmer/kinds/"
    FIELDS_FAILED = "stemmer/fields/failed/"
    HELD = "stemmer/held/total"
    HELD_RELEASED = "stemmer/held/released"
    HELD_KEPT = "stemmer/held/kept"
    HELD_LEFT = "stemmer/held/left"
    HELD_UNRELEASED = "stemmer/held/unreleased"
    REASONS = "stemmer/reasons/"
    ERRORS = "stemmer/errors/"


def show_controls(record: logging.LogRecord) -> bool:
    """Escape terminal controls from pages, items and errors in a log record."""
    if isinstance(record.args, tuple):
        shown = ((each, visible(str(each))) for each in record.args)
        record.args = tuple(each if text == str(each) else text for each, text in shown)
    if record.exc_info and record.exc_text is None:
        record.exc_text = visible(logging.Formatter().formatException(record.exc_info))
    return True


def report_error(stats: StatsCollector, error: Exception, doing: str) -> None:
    """Count an exception under ``stemmer/errors/`` and log it with the task, such as ``"stripping https://…"``.

    OSError, SQLite errors and :class:`StemmerError` are logged without a traceback, since their messages suffice. A
    full disk fails for each page, so only the first OSError or SQLite error of a class is logged.
    """
    name = f"{Stat.ERRORS}{type(error).__name__}"
    stats.inc_value(name)
    is_of_machine = isinstance(error, OSError | sqlite3.Error)
    if is_of_machine and stats.get_value(name, 0) > 1:
        return
    trace = None if is_of_machine or isinstance(error, StemmerError) else error
    more = f". Further ones are only counted, in the stat {name}" if is_of_machine else ""
    logger.error("Error while %s: %s: %s%s", doing, type(error).__name__, error, more, exc_info=trace)


@contextmanager
def reporting(stats: StatsCollector, doing: str, kind: type[Exception] = Exception) -> Iterator[None]:
    """Report exceptions and continue after the block; see :func:`report_error`."""
    try:
        yield
    except kind as error:
        report_error(stats, error, doing)


def summary(stats: Mapping[str, Any]) -> str:
    """Return a summary of the crawl's items for the log; empty without items."""
    return "; ".join(_parts(stats))


def _parts(stats: Mapping[str, Any]) -> Iterator[str]:
    names = (Stat.ITEMS_STRIPPED, Stat.ITEMS_FALLBACK, Stat.ITEMS_DROPPED, Stat.ITEMS_WITHOUT_FIELD)
    stripped, fallback, dropped, fieldless = (stats.get(name, 0) for name in names)
    others = stats.get(Stat.ITEMS_OF_OTHER_KINDS, 0)
    reasons = _of_kind(stats, Stat.REASONS)
    without = sum(reasons.values())
    total = stripped + fallback + dropped + fieldless + without + others
    if not total:
        return
    yield f"{counted(total, 'item', ',')}: {stripped + fallback:,} with text"
    if fallback:
        yield f"{fallback:,} of them by STEMMER_FALLBACK"
    if reasons:
        most_first = sorted(reasons.items(), key=lambda count: (-count[1], count[0]))
        yield f"{without:,} without: " + ", ".join(f"{count:,} {reason}" for reason, count in most_first)
    if fieldless:
        yield f"{fieldless:,} of classes without a field for it"
    if dropped:
        yield f"{dropped:,} dropped"
    if others:
        yield f"{others:,} of kinds that STEMMER_KINDS leaves out"
    sites = {
        "learned": stats.get(Stat.SITES_LEARNED, 0),
        "with too few pages to be learned": stats.get(Stat.SITES_UNLEARNED, 0),
        "without a pattern": stats.get(Stat.SITES_EMPTY, 0),
        "changed": len(_of_kind(stats, Stat.DRIFT)),
    }
    if any(sites.values()):
        yield "sites: " + ", ".join(f"{count:,} {what}" for what, count in sites.items() if count)
    if errors := _of_kind(stats, Stat.ERRORS):
        yield "errors: " + ", ".join(f"{count:,} {name}" for name, count in sorted(errors.items()))


def _of_kind(stats: Mapping[str, Any], name: str) -> dict[str, int]:
    return {key.removeprefix(name): count for key, count in stats.items() if key.startswith(name)}

"""The names of our stats, and the report of errors that must not stop a crawl. ``docs/stats.md`` explains each."""

from __future__ import annotations

import logging
import sqlite3

from scrapy.statscollectors import StatsCollector

logger = logging.getLogger("scrapy_stemmer")


class Stat:
    """Names in Scrapy's stats; those that end in a slash are followed by a kind.

    Not an enum: Scrapy shows the keys of its stats with ``repr``.
    """

    COMPILED = "stemmer/compiled"
    PAGES_SAMPLED = "stemmer/pages/sampled"
    SAMPLES_TOPPED_UP = "stemmer/domains/topped_up"
    PAGES_TOO_LARGE = "stemmer/pages/too_large"
    PAGES_MARKED = "stemmer/pages/marked"
    PAGES_UNMARKED = "stemmer/pages/unmarked"
    DOMAINS_LOADED = "stemmer/domains/loaded"
    DOMAINS_LEARNED = "stemmer/domains/learned"
    DOMAINS_FETCHED = "stemmer/domains/fetched"
    DOMAINS_RELEARNED = "stemmer/domains/relearned"
    DOMAINS_EMPTY = "stemmer/domains/empty"
    DOMAINS_FAILED = "stemmer/domains/failed"
    DOMAINS_UNLEARNED = "stemmer/domains/unlearned"
    PATTERNS_LOADED = "stemmer/patterns/loaded"
    PATTERNS_LEARNED = "stemmer/patterns/learned"
    PATTERNS_RETIRED = "stemmer/patterns/retired"
    DRIFT = "stemmer/drift/"
    STORE_FAILURES = "stemmer/store/failures"
    CONFLICTS = "stemmer/patterns/conflicts"
    NOISE = "stemmer/noise/"
    TEACHER_ASKED = "stemmer/teacher/asked"
    TEACHER_FAILED = "stemmer/teacher/failed"
    LEARNING_SECONDS = "stemmer/learning/seconds"
    ITEMS_STRIPPED = "stemmer/items/stripped"
    ITEMS_MATCHED = "stemmer/items/matched"
    ITEMS_UNMATCHED = "stemmer/items/unmatched"
    ITEMS_UNSURE = "stemmer/items/unsure"
    ITEMS_DROPPED = "stemmer/items/dropped"
    ITEMS_FALLBACK = "stemmer/items/fallback"
    KINDS = "stemmer/kinds/"
    CHARS_OUT = "stemmer/chars/out"
    HELD = "stemmer/held/total"
    HELD_MEMORY = "stemmer/held/memory"
    HELD_RELEASED = "stemmer/held/released"
    HELD_RESUMED = "stemmer/held/resumed"
    HELD_KEPT = "stemmer/held/kept"
    HELD_LEFT = "stemmer/held/left"
    HELD_UNRELEASED = "stemmer/held/unreleased"
    REASONS = "stemmer/reasons/"
    ERRORS = "stemmer/errors/"


def report_error(stats: StatsCollector, error: Exception, doing: str) -> None:
    """Count an exception under ``stemmer/errors/`` and log it with its traceback.

    A full disk fails again with each page: of errors of the machine the log has the first of each class.

    :param doing: what was being done to what, such as ``"stripping https://…"``.
    """
    name = f"{Stat.ERRORS}{type(error).__name__}"
    stats.inc_value(name)
    is_of_machine = isinstance(error, OSError | sqlite3.Error)
    if is_of_machine and stats.get_value(name, 0) > 1:
        return
    more = f". Further ones are only counted, in the stat {name}" if is_of_machine else ""
    logger.error("Error while %s: %s: %s%s", doing, type(error).__name__, error, more, exc_info=error)

"""The line that is logged when the spider is closed."""

from __future__ import annotations

import logging
import sqlite3
from io import StringIO

import pytest

from scrapy_stemmer import PatternFileError
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import report_error, summary
from tests.crawl.conftest import idle_crawler


@pytest.mark.parametrize(
    ("stats", "told"),
    [
        ({}, ""),
        ({"stemmer/items/stripped": 1}, "1 item: 1 with text"),
        (
            {"stemmer/items/stripped": 1, "stemmer/items/without_field": 2},
            "3 items: 1 with text; 2 of classes without a field for it",
        ),
        (
            {"stemmer/items/stripped": 3, "stemmer/items/other_kinds": 2},
            "5 items: 3 with text; 2 of kinds that STEMMER_KINDS leaves out",
        ),
        (
            {"stemmer/items/stripped": 1178, "stemmer/reasons/not_html": 1, "stemmer/reasons/empty": 6},
            "1,185 items: 1,178 with text; 7 without: 6 empty, 1 not_html",
        ),
        (
            {
                "stemmer/items/stripped": 2,
                "stemmer/items/fallback": 3,
                "stemmer/items/dropped": 4,
                "stemmer/reasons/unmatched": 1,
            },
            "10 items: 5 with text; 3 of them by STEMMER_FALLBACK; 1 without: 1 unmatched; 4 dropped",
        ),
    ],
)
def test_what_has_come_of_the_items(stats: dict[str, int], told: str) -> None:
    assert summary(stats) == told


@pytest.mark.parametrize(
    ("error", "has_traceback"),
    [
        (OSError(28, "No space left on device"), False),
        (sqlite3.OperationalError("database or disk is full"), False),
        (PatternFileError("The pattern file can't be written.", uri="a.jsonl"), False),
        (ValueError("odd"), True),
    ],
)
def test_tracebacks_of_errors(error: Exception, has_traceback: bool, caplog: pytest.LogCaptureFixture) -> None:
    report_error(idle_crawler().stats, error, "stripping http://a.example/")
    (record,) = caplog.records
    assert record.getMessage().startswith(f"Error while stripping http://a.example/: {type(error).__name__}: {error}")
    assert bool(record.exc_info) is has_traceback


def test_no_log_line_controls_a_terminal() -> None:
    """Log lines of errors with tracebacks count, too; page texts and items may occur in each."""
    crawler, shown = idle_crawler(), StringIO()
    CrawlState(crawler)
    handler = logging.StreamHandler(shown)
    logger = logging.getLogger("scrapy_stemmer")
    logger.addHandler(handler)
    try:
        logger.warning("Of %s %d", "http://a.example/\x1b[2J\x9b", 3)
        try:
            raise ValueError("\x1b]0;title\x07")
        except ValueError as error:
            report_error(crawler.stats, error, "stripping \x1b[2J")
    finally:
        logger.removeHandler(handler)
    assert "Of http://a.example/\\u001b[2J\\u009b 3\n" in shown.getvalue()
    assert "Traceback" in shown.getvalue()
    assert shown.getvalue().replace("\n", "").isprintable()

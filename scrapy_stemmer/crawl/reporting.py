"""Errors that must not stop a crawl: counted by kind and logged with the URL."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy_stemmer.crawl.names import Stat

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger("scrapy_stemmer")


def report(stats: StatsCollector, error: Exception, doing: str) -> None:
    """Count an exception under ``stemmer/errors/`` and log it with its traceback.

    :param doing: what was being done to what, such as ``"stripping https://…"``.
    """
    stats.inc_value(f"{Stat.ERRORS}{type(error).__name__}")
    logger.error("Error while %s: %s: %s", doing, type(error).__name__, error, exc_info=error)

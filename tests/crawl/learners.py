"""Learners and teachers for the crawls of the tests."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from scrapy_stemmer.learners.literature.layout.learner import LayoutLearner
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.patterns.base import Pattern


class Slow(LayoutLearner):
    """Takes its time."""

    name = "slow"

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        logging.getLogger(__name__).info("Slow learner at work")
        time.sleep(2)
        return super().learn(pages, seed=seed)


def knows_nothing(url: str, html: str) -> str:
    """A teacher who always fails."""
    raise ZeroDivisionError("no idea")


class Picky(LayoutLearner):
    """Succeeds with all sites but one."""

    name = "picky"

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        if pages[0].site == "a.example":
            raise RuntimeError("too odd")
        return super().learn(pages, seed=seed)

"""scrapy-stemmer learns what a site's pages have in common, and strips it.

>>> patterns = learn([Page(url, html) for url, html in sample])   # doctest: +SKIP
>>> patterns.strip(Page(url, html)).text                          # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

from scrapy_stemmer.core.blocks import BlockOptions
from scrapy_stemmer.core.labels import PageKind, Role
from scrapy_stemmer.core.page import Page
from scrapy_stemmer.exceptions import LearnerError, PatternFileError, SettingError, StemmerError, UnknownLearner
from scrapy_stemmer.learning import learn
from scrapy_stemmer.patterns.base import LabelledBlock, MatchOptions
from scrapy_stemmer.patternset import PatternSet
from scrapy_stemmer.strip import Stripped

__version__ = "0.2.0"

__all__ = [
    "BlockOptions",
    "LabelledBlock",
    "LearnerError",
    "MatchOptions",
    "Page",
    "PageKind",
    "PatternFileError",
    "PatternSet",
    "Role",
    "SettingError",
    "StemmerError",
    "Stripped",
    "UnknownLearner",
    "learn",
]


def __getattr__(name: str) -> Any:
    """The add-on is imported when asked for, so that the core can be used without Scrapy being loaded."""
    if name == "Addon":
        from scrapy_stemmer.crawl.addon import Addon

        return Addon
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

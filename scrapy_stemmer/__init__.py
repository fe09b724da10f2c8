"""scrapy-stemmer learns the common parts of a site's pages and strips them.

>>> patterns = learn([Page(url, html) for url, html in sample])   # doctest: +SKIP
>>> patterns.strip(Page(url, html)).text                          # doctest: +SKIP

A single page, without a sample of its site:

>>> strip(Page(url, html)).text                                   # doctest: +SKIP

Modules import only modules above them in this list:

===========  =====================================================================================================
_engine      the inner loops of the default learner, compiled
page         pages, layout blocks and texts, shared by all learners
writing      kept pages as HTML, text and Markdown
fields       authors, dates and other fields of pages
patterns     learned patterns, and lines of pattern files
learners     one folder for each way to learn patterns from pages
stores       places for patterns: files, memory, Redis, object stores
patternset   the patterns of many sites, and ``strip``
drift        layout drift: changes of sites, noticed by unusual pages
learning     the function ``learn``
outputs      stripped pages as Markdown, items or selectors
report       a report to look at, with corrections by click
settings     the table of settings, and the only code to read settings
signals      Scrapy signals of this package
crawl        the Scrapy components
commands     the subcommands of ``scrapy stemmer``
poet         stripped pages in page objects, through scrapy-poet
spark        learning and stripping archives with Spark; ``datatrove`` strips archives in its pipelines
===========  =====================================================================================================
"""

from __future__ import annotations

from typing import Any

from scrapy_stemmer.exceptions import (
    LearnerError,
    MissingExtra,
    PatternFileError,
    SettingError,
    StemmerError,
    StoreUnavailable,
    UnknownLearner,
)
from scrapy_stemmer.fields.reading import Fields
from scrapy_stemmer.learners.base import Learner, get_learner, learner_names
from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.learning import learn
from scrapy_stemmer.page.blocks import LayoutBlock, PageKind, Reason, Role
from scrapy_stemmer.page.document import Document, Page
from scrapy_stemmer.patterns.base import LabelledBlock, PageMatch, Pattern, StripOptions
from scrapy_stemmer.patternset import PatternSet, Stripped, strip

__version__ = "0.2.0"

# These declarations are the public API; docs/api.md lists the names in the same groups.

# Names for use.
__all__ = [
    "Addon",
    "BlockOptions",
    "Fields",
    "LabelledBlock",
    "Page",
    "PageKind",
    "PatternSet",
    "Reason",
    "Role",
    "StripOptions",
    "Stripped",
    "get_learner",
    "learn",
    "learner_names",
    "strip",
]

# Names for extensions.
__all__ += ["Document", "LayoutBlock", "Learner", "PageMatch", "Pattern"]

# Errors.
__all__ += [
    "LearnerError",
    "MissingExtra",
    "PatternFileError",
    "SettingError",
    "StemmerError",
    "StoreUnavailable",
    "UnknownLearner",
]


def __getattr__(name: str) -> Any:
    """Import the add-on on access, so that the core can be used without Scrapy."""
    if name == "Addon":
        from scrapy_stemmer.crawl.addon import Addon

        return Addon
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Views of pages whose blocks the scorer has decided on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scrapy_stemmer.learners.rules.decide.corrections.view import SCORER, View
from scrapy_stemmer.learners.rules.decide.decide import verdicts_of
from scrapy_stemmer.learners.rules.decide.title import PageTitles
from scrapy_stemmer.learners.rules.site.site import Site
from scrapy_stemmer.page.document import Document, Page

URL = "https://lamps.example/a"


def view_of(inside: str, odds: Sequence[float] | Callable[[str], float] = lambda _: 3.0, url: str = URL) -> View:
    """Return a page whose blocks have some log-odds, given for each or by text; those above 0 are text."""
    page = Site.of_page(Document(Page(url, f"<body>{inside}</body>")))
    verdicts = verdicts_of(page.columns, page.site.rule_odds)
    for block, text in enumerate(page.columns.texts):
        own = odds(text) if callable(odds) else odds[block]
        verdicts.set(block, own > 0, own, SCORER)
    return View(page, verdicts, PageTitles(page))

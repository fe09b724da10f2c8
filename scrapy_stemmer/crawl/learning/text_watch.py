"""Watch over the texts of a crawl's sites: adds the boxes to patterns that :class:`PageCounter` finds to be new.

``learners/rules/new_boxes.py`` decides which boxes these are.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence

from scrapy.statscollectors import StatsCollector

from scrapy_stemmer.crawl.learning.crawl_patterns import CrawlPatterns
from scrapy_stemmer.crawl.learning.drift_watch import Learning
from scrapy_stemmer.crawl.learning.sites import Sites, State
from scrapy_stemmer.crawl.pages import ItemPage
from scrapy_stemmer.crawl.stats import Stat, reporting
from scrapy_stemmer.page.text import counted, cut_short
from scrapy_stemmer.patterns.base import PageCounter, Pattern, in_use
from scrapy_stemmer.settings import StemmerConfig

logger = logging.getLogger("scrapy_stemmer")

MAX_COUNTED = 200  # patterns counted at a time, those of the last pages
MAX_LOGGED = 60  # characters of a text in the log


class TextWatch:
    """Watch over the texts that patterns keep: those that return on most later pages are added to the patterns.

    :param learning: returns the learner of sites, which saves the patterns.
    """

    def __init__(
        self,
        patterns: CrawlPatterns,
        sites: Sites,
        stats: StatsCollector,
        config: StemmerConfig,
        learning: Callable[[], Learning | None],
    ) -> None:
        self._patterns, self._sites, self._stats, self._config = patterns, sites, stats, config
        self._learning = learning
        self._counters: OrderedDict[tuple[object, ...], PageCounter] = OrderedDict()

    def saw(self, page: ItemPage) -> None:
        """Count the texts of a stripped page once."""
        if page.is_counted or self._sites[page.site].state is not State.KNOWN:
            return
        page.is_counted = True
        with reporting(self._stats, f"counting the texts of {page.url}"):
            patterns = self._patterns.of_site(page.site)
            stripped = page.stripped(patterns, self._config.match_options)
            pattern = next((each for each in in_use(patterns) if each.name == stripped.pattern), None)
            counter = None if pattern is None else self._counter(pattern)
            if pattern is None or counter is None or not (texts := stripped.count_in(counter)):
                return
            self._add(page.site, [each.with_counted(counter) if each is pattern else each for each in patterns])
            self._stats.inc_value(Stat.TEXTS_FOUND, len(texts))
            message = "%s of %s returned on most pages since it was learned, and will be left out: %s"
            logger.info(message, counted(len(texts), "text"), page.site, ", ".join(map(_shown, texts)))

    def _counter(self, pattern: Pattern) -> PageCounter | None:
        """Return the counter of a pattern; a pattern learned anew is counted anew."""
        key = pattern.site, pattern.name, pattern.support, pattern.samples
        counter = self._counters.pop(key, None) or pattern.counter()
        if counter is not None:
            self._counters[key] = counter
            if len(self._counters) > MAX_COUNTED:
                self._counters.popitem(last=False)
        return counter

    def _add(self, site: str, patterns: Sequence[Pattern]) -> None:
        self._patterns.replace(site, patterns)
        learning = self._learning()
        if learning is not None:
            learning.save_changed()


def _shown(text: str) -> str:
    return repr(cut_short(text, MAX_LOGGED))

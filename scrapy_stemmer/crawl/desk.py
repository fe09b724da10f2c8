"""All that a crawl needs that learns: the spool, the samples, and the items that wait."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

from scrapy_stemmer.crawl.knowledge import PatternWriter
from scrapy_stemmer.crawl.learning import Learning, Outcome, SampleSizes
from scrapy_stemmer.crawl.names import Stat
from scrapy_stemmer.crawl.rescue import Rescue
from scrapy_stemmer.crawl.sample import Spool
from scrapy_stemmer.crawl.trees import Trees
from scrapy_stemmer.crawl.waiting import Released, Waiting

if TYPE_CHECKING:
    from scrapy_stemmer.crawl.places import Places
    from scrapy_stemmer.crawl.state import CrawlState

logger = logging.getLogger("scrapy_stemmer")


class Desk:
    """Joins learning and waiting: what is learned is saved, counted, logged, and sets items free.

    :param state: what the crawl's components share.
    :param places: where the spool stands.
    :raises StemmerError: when there is a spool of a paused crawl that can't be used.
    """

    def __init__(self, state: CrawlState, places: Places) -> None:
        self._state = state
        self._places = places
        self.spool = Spool(places.spool(), lasting=places.lasting)
        state.knowledge.settle(self.spool.finished())
        self._rescue = Rescue(places, state.stats)
        self.waiting = Waiting(self.spool, state.stats, self._rescue.keep_json, Trees())
        self._writer = PatternWriter(state.save, self._finish, state.stats)
        sizes = SampleSizes(full=state.config.sample_size, least=state.config.min_sample)
        self.learning = Learning(
            self.spool,
            state.knowledge,
            sizes,
            state.make_learn(),
            self._learned,
            state.stats,
        )

    def learns(self, site: str) -> bool:
        """Whether a site is yet to be learned."""
        return self._state.config.learn and not self._state.knowledge.knows(site)

    def resume(self) -> None:
        """Go on where a paused crawl has stopped; needs a running event loop."""
        for site in self.waiting.sites:
            if not self.learns(site):
                self.waiting.ready(site)
        if self._state.config.learn:
            self.learning.resume()

    async def close(self, reason: str) -> None:
        """Save the patterns, and see to the items that still wait.

        :param reason: why the spider was closed; with JOBDIR, all but ``finished`` can be resumed.
        """
        await self.learning.stop()
        await self._writer.finish()
        self._state.stats.set_value(Stat.DOMAINS_UNLEARNED, self.learning.unlearned)
        kept = self._places.lasting and reason != "finished"
        self._rescue.keep(self.waiting.in_memory() if kept else self._all_waiting())
        if kept and len(self.waiting):
            self._state.stats.set_value(Stat.HELD_KEPT, len(self.waiting))
            logger.info("%d items wait for the crawl to be resumed, in %s", len(self.waiting), self.spool.path)
        self.spool.close(remove=not kept)

    def _all_waiting(self) -> Iterator[Released]:
        for site in self.waiting.sites:
            while (released := self.waiting.take(site)) is not None:
                yield released

    def _learned(self, outcome: Outcome) -> None:
        self._count(outcome)
        self.waiting.ready(outcome.site)
        self._log(outcome)
        if len(outcome.patterns):
            self._writer.request(outcome.site)
        else:
            self._finish(outcome.site)

    def _finish(self, site: str) -> None:
        """A crawl that is resumed need not learn the site again."""
        self.spool.finish(site)
        self.spool.forget_sample(site)

    def _count(self, outcome: Outcome) -> None:
        stats = self._state.stats
        if outcome.failed:
            stats.inc_value(Stat.DOMAINS_FAILED)
        else:
            stats.inc_value(Stat.DOMAINS_LEARNED if len(outcome.patterns) else Stat.DOMAINS_EMPTY)
        stats.inc_value(Stat.PATTERNS_LEARNED, len(outcome.patterns))
        for pattern in outcome.patterns.patterns:
            if pattern.noise_share is not None:
                stats.set_value(f"{Stat.NOISE}{outcome.site}", pattern.noise_share)
        stats.set_value(Stat.LEARNING_SECONDS, round(stats.get_value(Stat.LEARNING_SECONDS, 0.0) + outcome.seconds, 3))

    def _log(self, outcome: Outcome) -> None:
        logger.info(
            "%s %s: %d patterns from %d pages in %.2f s; %d items released; %d domains known, %d waiting",
            "Failed to learn" if outcome.failed else "Learned",
            outcome.site,
            len(outcome.patterns),
            outcome.pages,
            outcome.seconds,
            self.waiting.of_site(outcome.site),
            self._state.knowledge.sites_known,
            self.learning.unlearned,
        )
        if not outcome.failed and not len(outcome.patterns):
            logger.warning(
                "No pattern found in the %d pages of %s: its items pass unmatched. A larger STEMMER_SAMPLE_SIZE or "
                "another STEMMER_LEARNER may help.",
                outcome.pages,
                outcome.site,
            )

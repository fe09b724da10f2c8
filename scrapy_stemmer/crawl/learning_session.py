"""The learning session of a crawl: its sampled pages, the queue of sites to be learned, and the items that wait."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy.crawler import Crawler

from scrapy_stemmer.core.text import counted
from scrapy_stemmer.crawl.crawl_patterns import PatternWriter
from scrapy_stemmer.crawl.held_items import HeldItems, ReleasedItem
from scrapy_stemmer.crawl.items import ItemPage, ResponsePage
from scrapy_stemmer.crawl.learning_queue import LearnedSite, LearningQueue
from scrapy_stemmer.crawl.responses import Skip, anchors_of, root_of
from scrapy_stemmer.crawl.spool import CrawlFiles, Spool
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import Stat, report_error
from scrapy_stemmer.crawl.unreleased_items import log_left

logger = logging.getLogger("scrapy_stemmer")

RELEASED_AT_ONCE = 50
"""Items that go out with one response; the next response takes more."""


class LearningSession:
    """The spool, the learning queue and the held items of a crawl: what is learned is saved, and sets items free.

    :raises StemmerError: when there is a spool of a paused crawl that can't be used.
    """

    def __init__(self, crawler: Crawler, state: CrawlState, files: CrawlFiles) -> None:
        self._crawler = crawler
        self._state = state
        self._config = state.config
        self._patterns = state.patterns
        self._shared = state.shared
        self._drift = state.drift
        self._stats = state.stats
        self._is_lasting = files.lasting
        left = [] if files.lasting else files.left_spools()
        self._spool = Spool(files.spool(), lasting=files.lasting)
        log_left(left, self._stats)
        self._patterns.mark_known(self._spool.finished())
        self._held = HeldItems(self._spool, self._stats, files)
        self._queue = LearningQueue(self._spool, state, self._learned)
        self._writer = PatternWriter(state.save, self._saved, self._stats, is_whole=state.shared is None)
        self._unsaved: set[str] = set()  # sites whose patterns are not in the store yet
        self._has_failed = False
        self.progress = 0
        """A number that grows with each item that is held or released and with each site that is learned."""
        if self._shared is not None:
            self._shared.settled = self._settled
        if self._drift is not None and self._config.drift == "relearn":
            self._drift.relearner = self

    @classmethod
    def of(cls, crawler: Crawler, state: CrawlState) -> LearningSession | None:
        """The session of a crawl; ``None`` when it has a pattern file and learns nothing, and no item of a paused
        crawl waits."""
        files = CrawlFiles(crawler, state.config)
        learns = state.config.learn or state.config.drift == "relearn" or state.shared is not None
        return cls(crawler, state, files) if learns or files.has_spool else None

    def is_learning(self, site: str) -> bool:
        """Whether a site is yet to be learned, for the first time or once more, or the store to be asked of it."""
        is_asked = self._shared is not None and not self._shared.is_settled(site)
        return is_asked or self._is_wanted(site)

    def _is_wanted(self, site: str) -> bool:
        """Whether this crawl wants to learn a site, unless others have."""
        return self._patterns.is_reopened(site) or (self._config.learn and not self._patterns.is_known(site))

    def has_to_wait(self, page: ItemPage) -> bool:
        """Whether the items of a page have to wait for what is yet to be learned of its site."""
        return self.is_learning(page.site) and not self._is_served(page)

    def _is_served(self, page: ItemPage) -> bool:
        """Whether the layouts that are known do for a page, though its site is learned once more."""
        drift = self._drift
        return drift is not None and self._patterns.is_reopened(page.site) and not drift.is_unusual(page)

    def resume(self) -> None:
        """Go on where a paused crawl has stopped; needs a running event loop."""
        if self._shared is not None:
            self._shared.start()
        for site in self._held.counts:
            if not self.is_learning(site):
                self._held.allow(site)
        if self._config.learn:
            self._queue.resume()

    # Pages

    def add_response(self, page: ResponsePage) -> None:
        """Take the links of a response into the spool, and its page into the sample, if its site can do with more."""
        if page.skip not in (None, Skip.REJECTED) or (page.skip is None and self._is_served(page)):
            return
        if not self._is_wanted(page.site):
            return
        response = page.response
        self._spool.add_anchors(page.site, anchors_of(response, root_of(response)))
        # Items that bring their HTML along are learned from that.
        if page.skip is None and not self._config.html_field and 200 <= response.status < 300:
            request = response.request
            marked = self._state.marked_pages.pop(request, None) if request is not None else None
            self._queue.sample(page.site, page.url, marked or page.text, response.meta.get("redirect_urls", ()))

    def add_own(self, page: ItemPage) -> None:
        """Take the page that an item brings along into the sample."""
        if self._is_wanted(page.site):
            self._queue.sample(page.site, page.url, page.text)

    # Items

    def hold(self, item: Any, page: ItemPage) -> None:
        """Let an item wait until the site of its page is learned."""
        self._held.hold(item, page)
        self.progress += 1

    def done(self, item: Any) -> None:
        """Called with each item that is through the pipelines, whatever became of it."""
        try:
            self._held.done(item)
        except Exception as error:
            # Once is enough: what stays in the spool is tried again at the end.
            if not self._has_failed:
                self._has_failed = True
                report_error(self._stats, error, f"removing an item that has come out from {self._spool.path}")

    @property
    def is_done(self) -> bool:
        """Whether no item waits, and no site can be learned."""
        return not (len(self._held) or self._queue.learnable)

    def some_items(self) -> Iterator[ReleasedItem]:
        """Some of the items that may go."""
        for _ in range(RELEASED_AT_ONCE):
            released = self._held.take_ready()
            if released is None:
                return
            self.progress += 1
            yield released

    async def last_items(self, *, closing: bool) -> AsyncIterator[ReleasedItem]:
        """Learn what can be, and let all items go; those that a resumed crawl can go on with stay at a shutdown.

        :param closing: whether the spider is being closed.
        """
        # The user (Ctrl-C) or the program asked for the stop.
        is_shutting_down = closing and not self._crawler.crawling
        if is_shutting_down and self._is_lasting:
            for released in self._held.take_in_memory():
                yield released
            return
        waiting = self._held.counts
        self._queue.learn_the_rest()
        while True:
            while (item := self._held.take_ready()) is not None:
                self.progress += 1
                yield item
            if not self._queue.busy:
                break
            await self._queue.changed.wait()
        # Those of sites with too few pages come last; not those that were held since, which may be of further pages.
        for site, count in waiting.items():
            for _ in range(count):
                if (item := self._held.take(site)) is not None:
                    self.progress += 1
                    yield item

    # Sites that have changed

    def keep(self, page: ItemPage) -> None:
        """Keep an unusual page, of which its domain may be learned."""
        # Until a site's patterns are saved, its pages in the spool are those that they were learned from.
        if page.site not in self._unsaved:
            self._queue.keep(page.site, page.url, page.text)

    def forget(self, site: str) -> None:
        """Forget the pages of a domain that were kept: it has not changed."""
        if site not in self._unsaved:
            self._queue.forget(site)

    def relearn(self, site: str) -> None:
        """Learn a domain again, from the pages that were kept and others to come."""
        self.progress += 1
        self._patterns.reopen(site)
        self._queue.learn_again(site)

    def save_changed(self, site: str) -> None:
        """Save the patterns of a domain, of which some were retired."""
        self._writer.request(site)

    # What is learned

    def _settled(self, site: str) -> None:
        """Called when the store has been asked of a site, and when others have learned it."""
        self.progress += 1
        if self._patterns.is_known(site) and site not in self._unsaved:
            self._queue.forget(site)
            if self._drift is not None:
                self._drift.settle(site, failed=False)
        if not self.is_learning(site):
            self._held.allow(site)
        self._queue.changed.notify()

    def _learned(self, learned: LearnedSite) -> None:
        """Called with the result for each site: it is counted, logged and saved, and its items may go."""
        site, number, stats = learned.site, len(learned.patterns), self._stats
        self.progress += 1
        self._unsaved.add(site)
        if self._drift is not None and self._drift.settle(site, failed=not number) and number:
            stats.inc_value(Stat.DOMAINS_RELEARNED)
        stats.inc_value(
            Stat.DOMAINS_FAILED if learned.failed else Stat.DOMAINS_LEARNED if number else Stat.DOMAINS_EMPTY
        )
        stats.inc_value(Stat.PATTERNS_LEARNED, number)
        for pattern in learned.patterns.patterns:
            if pattern.noise_share is not None:
                stats.set_value(f"{Stat.NOISE}{site}", pattern.noise_share)
        stats.set_value(Stat.LEARNING_SECONDS, round(stats.get_value(Stat.LEARNING_SECONDS, 0.0) + learned.seconds, 3))
        # What the teacher was asked in the learning thread; it has logged its errors itself.
        teacher = self._state.learner.teacher
        asked, errors = teacher.taken() if teacher else (0, [])
        if asked:
            stats.inc_value(Stat.TEACHER_ASKED, asked)
        for error in errors:
            stats.inc_value(Stat.TEACHER_FAILED)
            stats.inc_value(f"{Stat.ERRORS}{type(error).__name__}")
        self._log(learned)
        self._held.allow(site)
        if number:
            self._writer.request(site)
        else:
            self._saved(site)

    def _saved(self, site: str) -> None:
        """Called when a site's patterns are in the store: a crawl that is resumed need not learn it again."""
        if self._shared is not None:
            self._shared.give_back(site)
        if site in self._unsaved:
            self._unsaved.discard(site)
            self._spool.finish(site)
            self._spool.forget_sample(site)

    def _log(self, learned: LearnedSite) -> None:
        logger.info(
            "%s %s: %s from %s in %.2f s; %s released; %s known, %d waiting",
            "Failed to learn" if learned.failed else "Learned",
            learned.site,
            counted(len(learned.patterns), "pattern"),
            counted(learned.pages, "page"),
            learned.seconds,
            counted(self._held.of_site(learned.site), "item"),
            counted(self._patterns.sites_known, "domain"),
            self._queue.unlearned,
        )
        if not learned.failed and not len(learned.patterns):
            logger.warning(
                "No pattern found in the %s of %s: its items pass unmatched. A larger STEMMER_SAMPLE_SIZE or "
                "another STEMMER_LEARNER may help.",
                counted(learned.pages, "page"),
                learned.site,
            )

    async def close(self, reason: str) -> None:
        """Save the patterns, and write the items that still wait into a file if no later crawl can release them.

        :param reason: why the spider was closed; with JOBDIR, all but ``finished`` can be resumed.
        """
        await self._queue.stop()
        await self._writer.finish()
        if self._shared is not None:
            await self._shared.stop()
        self._stats.set_value(Stat.DOMAINS_UNLEARNED, self._queue.unlearned)
        is_paused = self._is_lasting and reason != "finished"
        for item in self._held.out:
            self.done(item)
        try:
            is_empty = self._held.write_remaining(is_paused=is_paused)
            if is_paused and len(self._held):
                self._stats.set_value(Stat.HELD_KEPT, len(self._held))
                items = counted(len(self._held), "item")
                logger.info("Left waiting for the crawl to be resumed: %s, in %s", items, self._spool.path)
            self._spool.close(remove=not is_paused and is_empty)
        except Exception as error:
            report_error(
                self._stats,
                error,
                f"closing {self._spool.path}, where {len(self._held)} items still wait (to have them: scrapy stemmer "
                f"recover {self._spool.path})",
            )

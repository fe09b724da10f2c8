"""The learning session of a crawl: the samples of its sites, and the queue of those to be learned, one at a time."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from functools import partial
from itertools import islice

from scrapy.crawler import Crawler
from twisted.internet.defer import Deferred

from scrapy_stemmer.core.text import counted
from scrapy_stemmer.crawl.compat import Condition, run_in_background, run_in_thread, yield_to_event_loop
from scrapy_stemmer.crawl.crawl_patterns import PatternWriter
from scrapy_stemmer.crawl.held_items import HeldItems, ReleasedItem, log_left
from scrapy_stemmer.crawl.items import ItemPage, ResponsePage
from scrapy_stemmer.crawl.responses import Skip, anchors_of, root_of, url_key
from scrapy_stemmer.crawl.spool import MAX_SAMPLED_CHARS, CrawlFiles, Spool, SpooledText
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import Stat, report_error
from scrapy_stemmer.patternset import PatternSet

logger = logging.getLogger("scrapy_stemmer")

RELEASED_AT_ONCE = 50
"""Items that go out with one response; the next response takes more."""

READ_AT_ONCE = 10
"""Pages of a sample that are read from the spool before the event loop has its turn."""


class LearningSession:
    """Samples the sites of a crawl and learns them in a thread; what is learned is saved, and sets items free.

    :ivar held: the items that wait until their site is learned.
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
        if not files.lasting:
            log_left(files.left_spools(), self._stats)
        self._spool = Spool(files.spool(), lasting=files.lasting)
        self._patterns.known |= self._spool.finished()
        self.held = HeldItems(self._spool, self._stats, files)
        self._sampled = self._spool.sample_sizes()
        self._wanted: dict[str, int] = {}  # pages of each site whose sample is topped up
        self._is_last = False  # whether there may be nothing left to crawl
        self._queue: dict[str, None] = {}  # in order
        self._working = False
        self._task: Deferred[None] | None = None  # only kept alive
        self._stopped = False
        self._changed = Condition()  # when a site has been learned, and when there is nothing left to learn
        save = partial(self._patterns.save, state.store)
        self._writer = PatternWriter(save, self._saved, self._stats, is_whole=state.shared is None)
        self._unsaved: set[str] = set()  # sites whose patterns are not in the store yet
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
        return cls(crawler, state, files) if learns or (files.lasting and files.spool().exists()) else None

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
        for site in self.held.counts:
            if not self.is_learning(site):
                self.held.allow(site)
        if self._config.learn:
            self._enqueue(self._sampled, self._config.sample_size)

    # Samples

    def add_response(self, page: ResponsePage) -> None:
        """Take the links of a response into the spool, and its page into the sample, if its site can do with more."""
        if page.skip not in (None, Skip.REJECTED) or not self._is_wanted(page.site):
            return
        if page.skip is None and self._is_served(page):
            return
        response = page.response
        self._spool.add_anchors(page.site, anchors_of(response, root_of(response)))
        # Items that bring their HTML along are learned from that.
        if page.skip is None and not self._config.html_field and 200 <= response.status < 300:
            request = response.request
            marked = self._state.marked_pages.pop(request, None) if request is not None else None
            self._sample(page, marked or page.text, response.meta.get("redirect_urls", ()))

    def add_own(self, page: ItemPage) -> None:
        """Take the page that an item brings along into the sample."""
        if self._is_wanted(page.site):
            self._sample(page, page.text)

    def keep(self, page: ItemPage) -> None:
        """Keep an unusual page, of which its domain may be learned."""
        # Until a site's patterns are saved, its pages in the spool are those that they were learned from.
        if page.site not in self._unsaved:
            self._sample(page, page.text)

    def forget(self, site: str) -> None:
        """Forget the pages of a known domain that were kept: it has not changed, or others have learned it."""
        if site not in self._unsaved:
            self._wanted.pop(site, None)
            if self._sampled.pop(site, 0):
                self._spool.forget_sample(site)

    def _sample(self, page: ItemPage, text: str, redirected: Iterable[str] = ()) -> None:
        """Put a page, and the URLs that led to it, into the sample of its site, unless it is there or that is full."""
        site, full = page.site, self._config.sample_size
        if self._sampled.get(site, 0) >= self._wanted.get(site, full):
            return
        if len(text) > MAX_SAMPLED_CHARS:
            self._stats.inc_value(Stat.PAGES_TOO_LARGE)
            return
        number = self._spool.add_page(site, page.url, url_key(page.url), text, map(url_key, redirected))
        if self._spool.take_into_sample(number):
            self._sampled[site] = self._sampled.get(site, 0) + 1
            self._stats.inc_value(Stat.PAGES_SAMPLED)
            self._enqueue([site], full)

    # Items that wait

    @property
    def is_done(self) -> bool:
        """Whether no item waits, and no site can be learned."""
        return not (len(self.held) or self._unlearned(self._config.min_sample))

    def some_items(self) -> Iterator[ReleasedItem]:
        """Some of the items that may go."""
        return islice(self.held.released(), RELEASED_AT_ONCE)

    async def last_items(self, *, closing: bool) -> AsyncIterator[ReleasedItem]:
        """Learn what can be, and let all items go; those that a resumed crawl can go on with stay at a shutdown.

        :param closing: whether the spider is being closed.
        """
        # The user (Ctrl-C) or the program asked for the stop.
        is_shutting_down = closing and not self._crawler.crawling
        if is_shutting_down and self._is_lasting:
            for released in islice(self.held.released(), self.held.allow_in_memory()):
                yield released
            return
        waiting = self.held.counts
        self._is_last = True
        self._enqueue(self._sampled, self._config.min_sample)
        while True:
            for released in self.held.released():
                yield released
            if not (self._working or (self._shared is not None and self._shared.is_busy)):
                break
            await self._changed.wait()
        # Those of sites with too few pages come last; not those that were held since, which may be of further pages.
        for site, count in waiting.items():
            self.held.allow(site, count)
        for released in self.held.released():
            yield released

    # The queue

    def _unlearned(self, pages: int = 0) -> list[str]:
        """The sites with at least so many pages that are not known."""
        return [site for site, count in self._sampled.items() if count >= pages and not self._patterns.is_known(site)]

    def relearn(self, site: str) -> None:
        """Learn a domain again, from the pages that were kept and others to come."""
        self._patterns.reopen(site)
        self._enqueue([site], self._config.sample_size)

    def _settled(self, site: str) -> None:
        """Called when the store has been asked of a site, and when others have learned it."""
        if self._patterns.is_known(site) and site not in self._unsaved:
            self.forget(site)
            if self._drift is not None:
                self._drift.settle(site, failed=False)
        if not self.is_learning(site):
            self.held.allow(site)
        self._changed.notify()

    def _enqueue(self, sites: Iterable[str], pages: int) -> None:
        """Have sites learned that are not known and have so many pages, or so many as their samples wait for."""
        for site in sites:
            enough = pages if self._is_last else self._wanted.get(site, pages)
            if self._sampled.get(site, 0) >= enough and not (self._patterns.is_known(site) or self._stopped):
                self._queue[site] = None
        if self._queue and not self._working:
            self._working = True
            self._task = run_in_background(self._work())

    async def _work(self) -> None:
        while self._queue:
            refused = 0
            for site in list(self._queue):
                if self._stopped:
                    break
                if self._shared is None or await self._shared.claim(site):
                    try:
                        await self._learn_site(site)
                    except Exception as error:
                        report_error(self._stats, error, f"settling {site}")
                elif not self._patterns.is_known(site):
                    # Others learn it: it is asked for again after the rest.
                    refused += 1
                    continue
                # Left in the queue until now, so that it wasn't queued again.
                self._queue.pop(site, None)
                self._changed.notify()
            if self._shared is not None and refused and refused >= len(self._queue):
                await self._shared.pause()
        self._working = False
        self._changed.notify()

    async def _learn_site(self, site: str) -> None:
        started = time.monotonic()
        sample: list[SpooledText] = []
        patterns, failed = PatternSet(), False
        try:
            for page in self._spool.sample(site):
                sample.append(page)
                if len(sample) % READ_AT_ONCE == 0:
                    await yield_to_event_loop()
            patterns = await run_in_thread(self._state.learn_site, sample)
        except Exception as error:
            failed = True
            report_error(self._stats, error, f"learning {site} (its items pass unmatched)")
        if not failed and self._has_to_be_topped_up(site, patterns):
            self._wanted[site] = len(sample) + self._config.sample_size
            self._stats.inc_value(Stat.SAMPLES_TOPPED_UP)
            told = "Fewer than %d of %d pages of %s are distinct: it is learned when there are %d."
            logger.info(told, self._config.min_sample, len(sample), site, self._wanted[site])
            if self._shared is not None:
                self._shared.give_back(site)
            return
        self._patterns.add(site, patterns)
        self._sampled.pop(site, None)
        self._wanted.pop(site, None)
        self._unsaved.add(site)
        self._report(site, len(sample), patterns, time.monotonic() - started, failed=failed)
        if len(patterns):
            self._writer.request(site)
        else:
            self._saved(site)

    def _has_to_be_topped_up(self, site: str, patterns: PatternSet) -> bool:
        """Whether too few pages of a sample are distinct: copies, soft errors, walls of consent, shells of scripts.

        It waits for as many pages again, twice at most. Only learners of one pattern for all pages of a site tell how
        many are distinct: in its ``support``.
        """
        found, least = patterns.patterns, self._config.min_sample
        if self._is_last or self._wanted.get(site, 0) > 2 * self._config.sample_size:
            return False
        return all(pattern.site_wide for pattern in found) and sum(each.support for each in found) < least

    # What is learned

    def _report(self, site: str, pages: int, patterns: PatternSet, seconds: float, *, failed: bool) -> None:
        """Let the items of a site go that was learned of so many pages, and count and log what was."""
        stats, number, released = self._stats, len(patterns), self.held.allow(site)
        if self._drift is not None and self._drift.settle(site, failed=not number) and number:
            stats.inc_value(Stat.DOMAINS_RELEARNED)
        stats.inc_value(Stat.DOMAINS_FAILED if failed else Stat.DOMAINS_LEARNED if number else Stat.DOMAINS_EMPTY)
        stats.inc_value(Stat.PATTERNS_LEARNED, number)
        for pattern in patterns.patterns:
            if pattern.noise_share is not None:
                stats.set_value(f"{Stat.NOISE}{site}", pattern.noise_share)
        stats.set_value(Stat.LEARNING_SECONDS, round(stats.get_value(Stat.LEARNING_SECONDS, 0.0) + seconds, 3))
        # What the teacher was asked in the learning thread; it has logged its errors itself.
        teacher = self._state.learner.teacher
        asked, errors = teacher.taken() if teacher else (0, [])
        if asked:
            stats.inc_value(Stat.TEACHER_ASKED, asked)
        for error in errors:
            stats.inc_value(Stat.TEACHER_FAILED)
            stats.inc_value(f"{Stat.ERRORS}{type(error).__name__}")
        told = "%s %s: %s from %s in %.2f s; %s released; %s known, %d waiting"
        found = counted(number, "pattern"), counted(pages, "page"), seconds, counted(released, "item")
        known, waiting = counted(len(self._patterns.known), "domain"), len(self._unlearned())
        logger.info(told, "Failed to learn" if failed else "Learned", site, *found, known, waiting)
        if not failed and not number:
            logger.warning(
                "No pattern found in the %s of %s: its items pass unmatched. A larger STEMMER_SAMPLE_SIZE or "
                "another STEMMER_LEARNER may help.",
                counted(pages, "page"),
                site,
            )

    def save_changed(self, site: str) -> None:
        """Save the patterns of a domain, of which some were retired."""
        self._writer.request(site)

    def _saved(self, site: str) -> None:
        """Called when a site's patterns are in the store: a crawl that is resumed need not learn it again."""
        if self._shared is not None:
            self._shared.give_back(site)
        if site in self._unsaved:
            self._unsaved.discard(site)
            self._spool.finish(site)
            self._spool.forget_sample(site)

    async def close(self, reason: str) -> None:
        """Save the patterns, and write the items that still wait into a file if no later crawl can release them.

        :param reason: why the spider was closed; with JOBDIR, all but ``finished`` can be resumed.
        """
        self._stopped = True
        self._queue.clear()
        while self._working:
            await self._changed.wait()
        await self._writer.finish()
        if self._shared is not None:
            await self._shared.stop()
        self._stats.set_value(Stat.DOMAINS_UNLEARNED, len(self._unlearned()))
        is_paused = self._is_lasting and reason != "finished"
        try:
            is_empty = self.held.write_remaining(is_paused=is_paused)
            self._spool.close(remove=not is_paused and is_empty)
        except Exception as error:
            path, how = self._spool.path, f"to have them: scrapy stemmer recover {self._spool.path}"
            report_error(self._stats, error, f"closing {path}, where {len(self.held)} items still wait ({how})")

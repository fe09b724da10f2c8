"""The learning session of a crawl: collects the samples of sites, learns one site at a time, and releases items."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.internet.defer import Deferred

from scrapy_stemmer.crawl.compat import (
    Condition,
    KeptOpen,
    call_later,
    is_closing,
    run_in_background,
    run_in_thread,
    sites_under_way,
    yield_to_event_loop,
)
from scrapy_stemmer.crawl.files import CrawlFiles, append_pages
from scrapy_stemmer.crawl.held.held_items import HeldItems, as_text
from scrapy_stemmer.crawl.learning.crawl_patterns import PatternWriter
from scrapy_stemmer.crawl.learning.sites import CrawlSite, State
from scrapy_stemmer.crawl.pages import ItemPage, ResponsePage
from scrapy_stemmer.crawl.spool import Row, SpooledText, Use, opened, packed, texts_of
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import Stat, report_error, reporting
from scrapy_stemmer.learners.rules.sampling import PLACEHOLDERS, PageLook, SampleChoice
from scrapy_stemmer.learning import MAX_SAMPLED_CHARS
from scrapy_stemmer.page.blocks import Reason
from scrapy_stemmer.page.document import site_of, url_key
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.patternset import PatternSet

logger = logging.getLogger("scrapy_stemmer")

READ_AT_ONCE = 10  # pages read from the spool in one turn of the event loop
SOONER = 0.5  # share of the bounds of waiting at which sites are learned early, before their items must go
MAX_UNLEARNED_NAMED = 20  # most sites without patterns in a log message
LOOK = 0.05  # seconds from the output of a response to the check for further work
TICK = 0.5  # seconds between checks of the sites with waiting items


class LearningSession:
    """Session that samples the sites of a crawl, learns them in a thread, saves the patterns and releases items."""

    def __init__(self, crawler: Crawler, state: CrawlState) -> None:
        files = CrawlFiles(crawler, state.config)
        self._crawler, self._state, self._config, self._stats = crawler, state, state.config, state.stats
        self._sites, self._patterns = state.sites, state.patterns
        self._shared, self._drift = state.shared, state.drift
        self._is_lasting = files.lasting
        self._spool = opened(files.spool())
        self._know_again(self._spool.finished())
        self.held = HeldItems(crawler, self._spool, self._sites, self._stats, files, state.item_pages)
        self._working = False
        self._tasks: dict[str, Deferred[None]] = {}  # only kept alive
        self._settling = False
        self._is_looking = False
        self._end = KeptOpen(crawler)
        self._stopped = False
        self._changed = Condition()  # when a site has been learned, and when there is nothing left to learn
        self._writer = PatternWriter(self._patterns, state.store, self._saved, self._stats)
        self._log_interval = crawler.settings.getfloat("LOGSTATS_INTERVAL") or float("inf")
        self._next_log = time.monotonic() + self._log_interval
        crawler.signals.connect(self._sites.requested, signal=signals.request_scheduled)
        crawler.signals.connect(self._sites.answered, signal=signals.response_received)

    def _know_again(self, finished: Mapping[str, bool]) -> None:
        """Mark the sites learned by an earlier crawl as known, unless they are gone from the pattern file."""
        if self._shared is not None:
            return  # the store is asked for each site
        gone = {name for name, is_saved in finished.items() if is_saved and not self._patterns.is_loaded(name)}
        for name in finished.keys() - gone:
            self._sites.know(name)
        if gone:
            told = "%s has lost sites that this crawl had written before it was resumed: %s. They are learned again."
            logger.warning(told, self._state.store.uri, ", ".join(sorted(gone)))

    def resume(self) -> None:
        """Continue a paused crawl; needs a running event loop."""
        if self._shared is not None:
            self._shared.start()
        for name, looks in self._spool.sampled().items():
            site = self._come(name)
            if site.state is State.KNOWN:
                self._spool.forget_sample(name)
                continue
            try:
                seen = [PageLook.read(look) for look, is_spare in looks if not is_spare]
            except ValueError as error:
                report_error(self._stats, error, f"reading the sample of {name} (it is taken anew)")
                self._spool.forget_sample(name)
                continue
            site.choice = SampleChoice(site.full, seen)
            for _ in looks:
                self._sites.take_page(site)
        for site in self._sites.waiting:
            self._come(site.name)
            if not site.has_to_wait:
                self._let_go(site)
        self._work()
        self._tick()

    def _come(self, name: str) -> CrawlSite:
        is_new = name not in self._sites
        site = self._sites[name]
        if is_new and site.state is State.ASKED and self._shared is not None:
            self._shared.ask(site)
        return site

    # Samples

    def is_learning(self, name: str) -> bool:
        """Return true if a site is yet to be learned, for the first time or again."""
        return self._come(name).state is not State.KNOWN

    def add_response(self, page: ResponsePage) -> None:
        """Add the links of a response to the spool, and its page to the sample of a site with room."""
        site = self._come(page.site)
        site.active = time.monotonic()
        is_wanted = self._config.learn or site.has_changed
        if not is_wanted or page.skip not in (None, Reason.REJECTED) or (not page.skip and self._is_served(site, page)):
            return
        response = page.response
        # Items with their own HTML are learned from that HTML.
        is_kept = False
        if page.skip is None and not self._config.html_field and 200 <= response.status < 300:
            request = response.request
            marked = self._state.marked_pages.pop(request, None) if request is not None else None
            if site.is_open:
                redirected = response.meta.get("redirect_urls", ())
                is_kept = self._sample(site, page, marked or page.text, redirected)
        if page.links and not is_kept:
            self._spool.add_links(site.name, page.links)

    def add_own(self, page: ItemPage) -> None:
        site = self._come(page.site)
        if site.is_open:
            self._sample(site, page, page.text)

    async def read_large(self, response: Response) -> None:
        """Read a large page in a thread; its site is not quiet meanwhile."""
        site = self._come(site_of(response.url))
        site.being_read += 1
        try:
            await self.read_aside(await self._state.pages.made_aside(response, self._state.aside))
        finally:
            site.being_read -= 1

    async def read_aside(self, page: ItemPage) -> None:
        """Compute links, look and compressed text of a large page in a thread, before sampling."""
        site = self._come(page.site)
        if site.state is not State.KNOWN and page.skip in (None, Reason.REJECTED):
            await self._state.aside.run(lambda: (page.links, page.look, page.packed))
            if site.is_relearned:
                await self._state.strip_aside(page)

    def keep(self, page: ItemPage) -> None:
        """Keep an unusual page of a known site, for learning the site again."""
        site = self._sites[page.site]
        # While patterns are unsaved, the site's pages in the spool are the sample they were learned from.
        if not site.is_unsaved and site.pages < site.full:
            site.pages += self._kept(page, page.text)

    def forget(self, site: CrawlSite) -> None:
        """Forget the kept pages of a known site: the site has not changed, or another crawl has learned it."""
        if not site.is_unsaved:
            site.pages = 0
            self._spool.forget_sample(site.name)

    def relearn(self, site: CrawlSite) -> None:
        """Learn a site again, from kept pages and pages to come."""
        self._sites.change(site)
        if site.pages >= site.full:
            self._sites.enqueue(site)
            self._work()

    def _sample(self, site: CrawlSite, page: ItemPage, text: str, redirected: Iterable[str] = ()) -> bool:
        """Add a page, its redirected URLs and its links to the sample of its site, and return true if the sample had
        room for the page's look."""
        if site.choice is None:
            site.choice = SampleChoice(site.full)
        look = page.look
        is_wanted = site.choice.wants(look)
        site.has_placeholders = site.has_placeholders or look.kind in PLACEHOLDERS
        # Pages of a well-sampled layout are spare: useful until pages of a new layout come.
        is_spare = not is_wanted and look.kind not in PLACEHOLDERS and site.pages < site.full
        use = Use.SPARE if is_spare else Use.SAMPLE
        beside = {"look": str(look), "aliases": map(url_key, redirected), "links": page.links}
        is_kept = (is_wanted or is_spare) and self._kept(page, text, use, **beside)
        if is_kept:
            if is_wanted:
                site.choice.take(look)
            if site.pages >= site.full and self._spool.drop_spare(site.name):
                site.pages -= 1
            self._sites.take_page(site)
        elif site.is_full and self._sites.can_be_learned(site):
            self._sites.enqueue(site)
        self._work()
        return is_kept

    def _kept(self, page: ItemPage, text: str, use: Use = Use.SAMPLE, **beside: Any) -> bool:
        """Return true if a page was added to the spool as a sampled page."""
        if len(text) > MAX_SAMPLED_CHARS:
            self._stats.inc_value(Stat.PAGES_TOO_LARGE)
            return False
        is_plain = text == page.text  # without the marks of a browser
        number = self._spool.add_page(page.site, page.url, page.packed if is_plain else packed(text), use, **beside)
        if not number:
            return False
        if is_plain:
            page.spooled = number
        self._stats.inc_value(Stat.PAGES_SAMPLED)
        return True

    # Waiting items

    def has_to_wait(self, page: ItemPage) -> bool:
        """Return true if the items of a page have to wait until its site is learned."""
        site = self._come(page.site)
        return site.has_to_wait and not self._is_served(site, page)

    def _is_served(self, site: CrawlSite, page: ItemPage) -> bool:
        """Return true for a page of a known layout, while its changed site is learned again."""
        return site.is_relearned and self._drift is not None and not self._drift.is_unusual(page)

    def hold(self, item: object, page: ItemPage, response: Response, *, number: int = 0) -> None:
        """Let an item of a response wait, with its page.

        :param number: the item's number in the spool, or 0.
        """
        self.held.hold(item, page, "" if number else as_text(response), number=number)
        self._end.set(True)
        if self.held.waiting > self._config.max_held:
            for site in self._longest_waiting(1):
                self._free(site)
        self._sites[page.site].active = time.monotonic()

    @property
    def is_done(self) -> bool:
        """Return true if no item waits or is under way, and no site can be learned."""
        if self.held.waiting or self._working or not self.held.is_done:
            return False
        return not any(map(self._sites.can_be_learned, self._sites))

    def _let_go(self, site: CrawlSite) -> int:
        if self._stopped or self._is_paused:
            return 0  # pipelines and feeds may be closed: they wait for the resumed crawl, or are written into a file
        count = self.held.allow(site)
        self.held.send()
        return count

    def _settle(self, site: CrawlSite) -> None:
        if self._sites.can_be_learned(site):
            self._sites.enqueue(site)
        elif site.state is State.SAMPLING:
            self._free(site)

    def _free(self, site: CrawlSite) -> None:
        """Release the present and future items of a site."""
        if self._sites.can_be_learned(site):
            self._sites.enqueue(site)
        self._sites.free(site)
        self._let_go(site)

    def _longest_waiting(self, items: float) -> list[CrawlSite]:
        """Return the sites with the longest waiting items, enough for about ``items`` items."""
        longest: list[CrawlSite] = []
        for site in sorted(self._sites.waiting, key=lambda site: site.since):
            if items <= 0:
                break
            items -= len(site.items)
            longest.append(site)
        return longest

    def _tick(self) -> None:
        """Settle the sites with too many items, or with items waiting in vain or too long."""
        if self._stopped:
            return
        with reporting(self._stats, "looking after the items that wait"):
            if is_closing(self._crawler):
                self.settle_soon()
            self._settle_if_alone()
            now, config = time.monotonic(), self._config
            under_way = sites_under_way(self._crawler) if len(self.held) else ()
            for site in self._sites.quiet(config.quiet, now, under_way=under_way):
                self._settle(site)
            early = self._sites.overdue(SOONER * config.max_wait, now)
            if self.held.waiting > SOONER * config.max_held:
                early += self._longest_waiting(self.held.waiting - SOONER * config.max_held)
            for site in filter(self._sites.can_be_learned, early):
                self._sites.enqueue(site)
            for site in self._sites.overdue(config.max_wait - TICK, now):
                self._free(site)
            self._work()
            if now >= self._next_log:
                self._next_log = now + self._log_interval
                self._log_waiting()
            self._end.set(not self._may_end)
            self._spool.flush()
        call_later(TICK, self._tick)

    def _log_waiting(self) -> None:
        if self.held.waiting:
            told = "%s of %s wait until their sites are learned; %s learned so far"
            waiting = counted(self.held.waiting, "item"), counted(len(self._sites.waiting), "domain")
            logger.info(told, *waiting, counted(self._stats.get_value(Stat.DOMAINS_LEARNED, 0), "domain"))

    # The end of the crawl, or a pause

    def settle_soon(self) -> None:
        """Settle all sites in the background: there may be nothing left to crawl."""
        if not self._settling:
            self._settling = True
            self._tasks["settling"] = run_in_background(self._settle_in_background())

    def came(self) -> None:
        """Check soon for remaining work, after a response has been through the spider."""
        if not self._is_looking:
            self._is_looking = True
            call_later(LOOK, self._look)

    def _look(self) -> None:
        self._is_looking = False
        with reporting(self._stats, "looking whether there is anything left to crawl"):
            self._settle_if_alone()

    def _settle_if_alone(self) -> None:
        """Settle all sites once only their items keep the crawl from being idle."""
        if not self._stopped and self._end.is_alone and not self.is_done:
            self.settle_soon()

    async def _settle_in_background(self) -> None:
        with reporting(self._stats, "settling the sites whose items wait"):
            await self.settle_all()
            await self.held.all_through()
        self._settling = False
        self._end.set(not self._may_end)

    @property
    def _is_paused(self) -> bool:
        """Return true if the crawl is being stopped, by Ctrl-C or the program, and can be resumed."""
        return self._is_lasting and not self._crawler.crawling

    @property
    def _may_end(self) -> bool:
        return not self._settling and (self.held.is_kept if self._is_paused else self.is_done)

    async def settle_all(self) -> None:
        """Learn all sites with enough pages and release all items; at a pause, only the items in memory."""
        if self._is_paused:
            self.held.allow_in_memory()
            self.held.send()
            return
        while True:
            for site in self._sites:
                if self._sites.can_be_learned(site):
                    self._sites.enqueue(site)
            self._work()
            if not (self._working or (self._shared is not None and self._shared.is_busy)):
                break
            await self._changed.wait()
        for site in self._sites.waiting:
            self._sites.free(site)
            self._let_go(site)
        self.held.send()

    # The queue

    def settled(self, site: CrawlSite) -> None:
        """Handle the store's answer for a site, or its patterns from another crawl."""
        if site.state is State.KNOWN:
            self.forget(site)
            if self._drift is not None:
                self._drift.settle(site, failed=False)
        elif site.is_full:  # in a resumed crawl
            self._sites.enqueue(site)
            self._work()
        if not site.has_to_wait:
            self._let_go(site)
        self._changed.notify()

    def _work(self) -> None:
        if self._sites.queue and not (self._working or self._stopped):
            self._working = True
            self._tasks["learning"] = run_in_background(self._learn_queued())

    async def _learn_queued(self) -> None:
        while self._sites.queue and not self._stopped:
            refused = 0
            for site in list(self._sites.queue.values()):
                if self._stopped:
                    break
                if self._shared is not None and not await self._shared.claim(site):
                    # Another crawl is learning the site: ask again after the rest.
                    refused += site.state is State.QUEUED
                elif site.state is State.QUEUED:
                    try:
                        await self._learn(site)
                    except Exception as error:
                        report_error(self._stats, error, f"settling {site}")
                        self._sites.learned(site, site.pages, is_last=True)
                        self._let_go(site)
                self._changed.notify()
            if self._shared is not None and refused and refused >= len(self._sites.queue):
                await self._shared.pause()
        self._working = False
        self._changed.notify()

    async def _learn(self, site: CrawlSite) -> None:
        started = time.monotonic()
        self._sites.begin(site)
        rows: list[Row] = []
        sample: list[SpooledText] = []
        patterns, failed, taken = PatternSet(), False, site.pages
        try:
            for row in self._spool.rows(site.name):
                rows.append(row)
                if len(rows) % READ_AT_ONCE == 0:
                    await yield_to_event_loop()
            sample = await run_in_thread(texts_of, rows)
            patterns = await run_in_thread(self._state.learn_site, sample)
        except Exception as error:
            failed = True
            report_error(self._stats, error, f"learning {site} (the scorer strips its pages)")
        if not (failed or len(patterns)) and self._can_be_topped_up(site):
            self._top_up(site)
            return
        is_first = not (site.learned_from or site.has_changed)
        self._patterns.add(site.name, patterns, beside=site.has_changed)
        is_done = self._sites.learned(site, len(sample), is_last=False, late=site.pages - taken)
        if site.is_full:  # pages have come meanwhile
            self._sites.enqueue(site)
        self._count(site, patterns, is_first=is_first, failed=failed)
        if path := self._config.keep_pages:
            with reporting(self._stats, f"keeping the pages of {site} in {path} (STEMMER_KEEP_PAGES)", OSError):
                await run_in_thread(append_pages, path, sample, self._config.feed_fields)
        is_early = not (is_done or self._settling)
        self._log_learned(site, len(sample), patterns, time.monotonic() - started, failed=failed, is_early=is_early)
        if len(patterns):
            site.is_unsaved = True
            self._writer.request()
        else:
            self._saved(site.name)

    def _can_be_topped_up(self, site: CrawlSite) -> bool:
        """Return true if a full sample without patterns may wait for as many pages again, at most twice."""
        return site.is_full and site.full <= 2 * self._config.sample_size and not self._settling

    def _top_up(self, site: CrawlSite) -> None:
        pages = site.pages  # with pages lost on a full disk: otherwise the sample would be topped up for ever
        self._sites.top_up(site, pages + self._config.sample_size)
        self._stats.inc_value(Stat.SAMPLES_TOPPED_UP)
        told = "Fewer than %d of %d pages of %s are distinct: it is learned when there are %d."
        logger.info(told, self._config.min_sample, pages, site, site.full)
        if self._shared is not None:
            self._shared.give_back(site)

    # Learned patterns

    def _count(self, site: CrawlSite, patterns: PatternSet, *, is_first: bool, failed: bool) -> None:
        stats, number = self._stats, len(patterns)
        if self._drift is not None and self._drift.settle(site, failed=not number) and number:
            stats.inc_value(Stat.DOMAINS_RELEARNED)
        if is_first:
            stats.inc_value(Stat.DOMAINS_FAILED if failed else Stat.DOMAINS_LEARNED if number else Stat.DOMAINS_EMPTY)
        stats.inc_value(Stat.PATTERNS_LEARNED, number)
        for pattern in patterns.patterns:
            if pattern.noise_share is not None:
                stats.set_value(f"{Stat.NOISE}{site.name}", pattern.noise_share)
        # Questions of the learning thread to the teacher, which has logged its errors.
        teacher = self._state.learner.teacher
        asked, errors = teacher.taken() if teacher else (0, [])
        if asked:
            stats.inc_value(Stat.TEACHER_ASKED, asked)
        for error in errors:
            stats.inc_value(Stat.TEACHER_FAILED)
            stats.inc_value(f"{Stat.ERRORS}{type(error).__name__}")

    def _log_learned(
        self, site: CrawlSite, pages: int, patterns: PatternSet, seconds: float, *, failed: bool, is_early: bool
    ) -> None:
        """Release the items of a learned site, and log the result."""
        released = self._let_go(site)
        before = self._stats.get_value(Stat.LEARNING_SECONDS, 0.0)
        self._stats.set_value(Stat.LEARNING_SECONDS, round(before + seconds, 3))
        told = "%s %s%s: %s from %s in %.2f s; %s released"
        counts = counted(len(patterns), "pattern"), counted(pages, "page"), seconds, counted(released, "item")
        early = " early" if is_early and not failed else ""
        logger.info(told, "Failed to learn" if failed else "Learned", site, early, *counts)
        if not (failed or len(patterns) or is_early):
            logger.warning(
                "No pattern found in the %s of %s: the scorer strips its pages. A larger STEMMER_SAMPLE_SIZE or "
                "another STEMMER_LEARNER may help.",
                counted(pages, "page"),
                site,
            )

    def save_changed(self) -> None:
        self._writer.request()

    def _saved(self, name: str) -> None:
        """Note that a site's patterns are in the store: a resumed crawl need not learn the site again."""
        site = self._sites[name]
        if self._shared is not None:
            self._shared.give_back(site)
        if name in self._patterns.unsaved:
            return
        site.is_unsaved = False
        if site.state is State.KNOWN:
            with reporting(self._stats, f"noting in {self._spool.path} that {name} is learned"):
                self._spool.finish(name, is_saved=name in self._patterns.written)

    async def close(self, reason: str) -> None:
        """Save the patterns, and write waiting items into a file if no later crawl can release them."""
        self._stopped = True
        while self._working:
            await self._changed.wait()
        await self._writer.finish()
        if self._shared is not None:
            await self._shared.stop()
        is_paused = self._is_lasting and reason != "finished"
        # At a pause the samples stay for the resumed crawl.
        self._tell_unlearned([] if is_paused else list(map(str, self._sites.unlearned)))
        has_unknown = any(site.state is not State.KNOWN for site in self._sites)
        if self._config.html_field and has_unknown and not self._stats.get_value(Stat.PAGES_SAMPLED):
            told = "No item had HTML in its field %r (STEMMER_HTML_FIELD); with that, responses are not learned."
            logger.warning(told, self._config.html_field)
        try:
            is_empty = self.held.write_remaining(is_paused=is_paused)
            self._spool.close(remove=not is_paused and is_empty)
        except Exception as error:
            path, how = self._spool.path, f"to have them: scrapy stemmer recover {self._spool.path}"
            report_error(self._stats, error, f"closing {path}, where {len(self.held)} items still wait ({how})")

    def _tell_unlearned(self, names: list[str]) -> None:
        self._stats.set_value(Stat.DOMAINS_UNLEARNED, len(names))
        if names:
            more = f" and {len(names) - MAX_UNLEARNED_NAMED} more" if len(names) > MAX_UNLEARNED_NAMED else ""
            told = "Fewer than %d pages that differ and are no errors, so stripped by the scorer alone: %s%s"
            logger.info(told, self._config.min_sample, ", ".join(names[:MAX_UNLEARNED_NAMED]), more)

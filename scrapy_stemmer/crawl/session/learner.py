"""Samples of sites in the spool, and the learning of queued sites, one at a time, in a thread."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

from twisted.internet.defer import Deferred

from scrapy_stemmer.crawl.compat import Condition, run_in_background, run_in_thread
from scrapy_stemmer.crawl.files import append_pages
from scrapy_stemmer.crawl.pages import ItemPage, ResponsePage
from scrapy_stemmer.crawl.sites.shared import SharedPatterns
from scrapy_stemmer.crawl.sites.table import CrawlSite, State
from scrapy_stemmer.crawl.spool import Spool, Use, packed, texts_of
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import Stat, report_error, reporting
from scrapy_stemmer.learners.rules.learn.sample_choice import PLACEHOLDERS, PageLook
from scrapy_stemmer.learning import MAX_SAMPLED_CHARS
from scrapy_stemmer.page.blocks import Reason
from scrapy_stemmer.page.document import Page, url_key
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.patternset import PatternSet

logger = logging.getLogger("scrapy_stemmer")


class SiteLearner:
    """Sampler and learner of sites, which saves their patterns."""

    def __init__(
        self, state: CrawlState, spool: Spool, release: Callable[[CrawlSite], int], shared: SharedPatterns | None
    ) -> None:
        self._state, self._config, self._stats, self._sites = state, state.config, state.stats, state.sites
        self._patterns, self._drift = state.patterns, state.drift
        self._spool, self._release, self._shared = spool, release, shared
        self._task: Deferred[None] | None = None  # only kept alive
        self._stopped = False
        self.is_working, self.is_releasing_all = False, False  # the latter: no further page is expected
        self.changed = Condition()  # when a site has been learned, and when there is nothing left to learn

    # The sample

    def site(self, name: str) -> CrawlSite:
        """Return a site; a shared store is asked for a new one."""
        is_new = name not in self._sites
        site = self._sites[name]
        if is_new and site.state is State.ASKED and self._shared is not None:
            self._shared.ask(site)
        return site

    def restore(self, site: CrawlSite, looks: Sequence[tuple[str, bool]]) -> None:
        try:
            seen = [PageLook.read(look) for look, is_spare in looks if not is_spare]
        except ValueError as error:
            report_error(self._stats, error, f"reading the sample of {site.name} (it is taken anew)")
            self._spool.remove_sample(site.name)
            return
        self._sites.restore(site, seen, len(looks))

    def add_response(self, page: ResponsePage) -> None:
        site = self.site(page.site)
        self._sites.touch(site)
        is_wanted = self._config.learn or site.change.is_found
        if not is_wanted or page.skip not in (None, Reason.REJECTED) or (not page.skip and self.is_served(site, page)):
            return
        response = page.response
        # Items with their own HTML are learned from that HTML.
        is_sampled = False
        if page.skip is None and not self._config.html_field and 200 <= response.status < 300:
            request = response.request
            marked = self._state.marked_pages.pop(request, None) if request is not None else None
            if site.is_open:
                redirected = response.meta.get("redirect_urls", ())
                is_sampled = self._sample(site, page, marked or page.text, redirected)
        if page.links and not is_sampled:
            self._spool.add_links(site.name, page.links)

    def add_own(self, page: ItemPage) -> None:
        site = self.site(page.site)
        if site.is_open:
            self._sample(site, page, page.text)

    def is_served(self, site: CrawlSite, page: ItemPage) -> bool:
        """Return true for a page of a known layout, while its changed site is learned again."""
        return site.is_relearned and self._state.drift is not None and not self._state.drift.is_unusual(page)

    def _sample(self, site: CrawlSite, page: ItemPage, text: str, redirected: Sequence[str] = ()) -> bool:
        """Add a page, its redirected URLs and its links to the sample of its site, and return true if the sample had
        room for the page's look."""
        look = page.look
        is_wanted = self._sites.look_at(site, look)
        # Pages of a well-sampled layout are spare: useful until pages of a new layout come.
        is_spare = not is_wanted and look.kind not in PLACEHOLDERS and not site.is_full
        use = Use.SPARE if is_spare else Use.SAMPLE
        beside = {"look": str(look), "aliases": map(url_key, redirected), "links": page.links}
        is_added = (is_wanted or is_spare) and self._add(page, text, use, **beside)
        if is_added:
            if site.is_full and self._spool.drop_spare(site.name):
                self._sites.drop_page(site)
            self._sites.add_page(site, look if is_wanted else None)
        elif site.is_ready and self._sites.can_be_learned(site):
            self._sites.enqueue(site)
        self.work()
        return is_added

    def add_unusual(self, page: ItemPage) -> None:
        """Add a page of a known site, which may have changed."""
        site = self._sites[page.site]
        if not site.is_full and self._add(page, page.text, Use.SAMPLE):
            self._sites.add_page(site)

    def drop(self, site: CrawlSite) -> None:
        self._sites.drop_sample(site)
        self._spool.remove_sample(site.name)

    def relearn(self, site: CrawlSite) -> None:
        """Learn a site again, from pages added before and pages to come."""
        self._sites.change(site)
        if site.is_full:
            self._sites.enqueue(site)
            self.work()

    def _add(self, page: ItemPage, text: str, use: Use, **beside: Any) -> bool:
        if len(text) > MAX_SAMPLED_CHARS:
            return False
        is_plain = text == page.text  # without the marks of a browser
        number = self._spool.add_page(page.site, page.url, page.packed if is_plain else packed(text), use, **beside)
        if not number:
            return False
        if is_plain:
            page.spooled = number
        self._stats.inc_value(Stat.PAGES_SAMPLED)
        return True

    # Learning

    def work(self) -> None:
        if self._sites.queue and not (self.is_working or self._stopped):
            self.is_working = True
            self._task = run_in_background(self._learn_queued())

    async def _learn_queued(self) -> None:
        while self._sites.queue and not self._stopped:
            site = next(iter(self._sites.queue.values()))
            try:
                await self._learn(site)
            except Exception as error:
                report_error(self._stats, error, f"releasing {site}")
                self._sites.learned(site, site.sample.pages, is_last=True)
                self._release(site)
            self.changed.notify()
        self.is_working = False
        self.changed.notify()

    async def _learn(self, site: CrawlSite) -> None:
        started = time.monotonic()
        self._sites.begin(site)
        sample: list[Page] = []
        patterns, failed, taken = PatternSet(), False, site.sample.pages
        try:
            sample = await run_in_thread(texts_of, self._spool.rows(site.name))
            patterns = await run_in_thread(self._state.learn_site, sample)
        except Exception as error:
            failed = True
            report_error(self._stats, error, f"learning {site} (the scorer strips its pages)")
        is_first = not (site.sample.learned_from or site.change.is_found)
        self._patterns.add(site.name, patterns, beside=site.change.is_found)
        is_done = self._sites.learned(site, len(sample), is_last=False, late=site.sample.pages - taken)
        if site.is_ready:  # pages have come meanwhile
            self._sites.enqueue(site)
        if is_done:
            with reporting(self._stats, f"noting in {self._spool.path} that {site} is learned"):
                self._spool.add_learned(site.name)
        self._count(site, len(patterns), is_first=is_first)
        if path := self._config.keep_pages:
            with reporting(self._stats, f"keeping the pages of {site} in {path} (STEMMER_KEEP_PAGES)", OSError):
                await run_in_thread(append_pages, path, sample, self._config.feed_fields)
        is_early = not (is_done or self.is_releasing_all)
        self._log_learned(site, len(sample), patterns, time.monotonic() - started, failed=failed, is_early=is_early)
        self._state.writer.request()

    def _count(self, site: CrawlSite, number: int, *, is_first: bool) -> None:
        stats = self._stats
        if self._drift is not None and self._drift.watch_anew(site, failed=not number) and number:
            stats.inc_value(Stat.SITES_RELEARNED)
        if is_first:
            stats.inc_value(Stat.SITES_LEARNED if number else Stat.SITES_EMPTY)
        # The teacher has logged the errors of the learning thread's questions.
        teacher = self._state.learner.teacher
        for error in teacher.taken() if teacher else ():
            stats.inc_value(Stat.TEACHER_FAILED)
            stats.inc_value(f"{Stat.ERRORS}{type(error).__name__}")

    def _log_learned(
        self, site: CrawlSite, pages: int, patterns: PatternSet, seconds: float, *, failed: bool, is_early: bool
    ) -> None:
        released = self._release(site)
        before = self._stats.get_value(Stat.LEARNING_SECONDS, 0.0)
        self._stats.set_value(Stat.LEARNING_SECONDS, round(before + seconds, 3))
        message = "%s %s%s: %s from %s in %.2f s; %s waited for it"
        counts = counted(len(patterns), "pattern"), counted(pages, "page"), seconds, counted(released, "item")
        early = " early" if is_early and not failed else ""
        logger.info(message, "Failed to learn" if failed else "Learned", site, early, *counts)
        if not (failed or len(patterns) or is_early):
            logger.warning(
                "No pattern found in the %s of %s: the scorer strips its pages. A larger STEMMER_SAMPLE_SIZE or "
                "another STEMMER_LEARNER may help.",
                counted(pages, "page"),
                site,
            )

    async def finish(self) -> None:
        self._stopped = True
        while self.is_working:
            await self.changed.wait()
        await self._state.writer.finish()

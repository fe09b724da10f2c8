"""Samples of sites in the spool: added pages, and sampled pages removed to make room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from scrapy_stemmer.crawl.pages import ItemPage, ResponsePage
from scrapy_stemmer.crawl.sites.shared import SharedPatterns
from scrapy_stemmer.crawl.sites.table import CrawlSite, State
from scrapy_stemmer.crawl.spool import Spool, Use, packed
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.crawl.stats import Stat, report_error
from scrapy_stemmer.learners.rules.learn.sample_choice import PLACEHOLDERS, PageLook
from scrapy_stemmer.learning import MAX_SAMPLED_CHARS
from scrapy_stemmer.page.blocks import Reason
from scrapy_stemmer.page.document import url_key


class Samples:
    """Sampled pages and links of all sites."""

    def __init__(
        self, state: CrawlState, spool: Spool, learn: Callable[[], None], shared: SharedPatterns | None
    ) -> None:
        self._state, self._config, self._stats, self._sites = state, state.config, state.stats, state.sites
        self._spool, self._learn, self._shared = spool, learn, shared

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
        self._learn()
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
            self._learn()

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

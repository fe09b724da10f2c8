"""Sites of a crawl: a table of states, with sites that are ready for learning or wait in vain.

One method stands for each transition.

``docs/sites.md`` draws the transitions, and tells when items wait.

The components of a crawl share this table and keep no other. The table neither waits nor writes nor logs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from weakref import ref

from scrapy import Request

from scrapy_stemmer.drift import NO_EVIDENCE, Evidence
from scrapy_stemmer.learners.rules.learn.sample_choice import PLACEHOLDERS, PageLook, SampleChoice
from scrapy_stemmer.page.document import site_of

MAX_RELEARNED = 3  # most times to relearn a site in a crawl

FINISHED_AFTER = 1.0
"""Seconds without a response or an item after which a site without requests counts as finished: callbacks take time
between the requests and items they yield."""


class State(StrEnum):
    ASKED = "asked"  # the shared store is asked for patterns
    SAMPLING = "sampling"  # pages are collected
    QUEUED = "queued"  # waits to be learned
    LEARNING = "learning"  # being learned
    KNOWN = "known"  # nothing to learn unless the site changes


@dataclass(slots=True, eq=False)
class CrawlSite:
    """A site in a crawl, without its patterns."""

    name: str
    state: State
    full: int  # pages of a full sample
    pages: int = 0  # pages in the sample
    choice: SampleChoice | None = None  # None before the first page
    has_placeholders: bool = False  # a wall, an error page or the like was seen
    learned_from: int = 0  # pages this crawl has learned from
    is_free: bool = False  # items need not wait, even if the site is unknown
    has_changed: bool = False  # learned again beside known patterns, now or last
    relearned: int = 0  # times learned again
    is_left: bool = False  # changes are ignored: learning failed, or happened too often
    is_unsaved: bool = False  # patterns are not yet in the store
    items: list[int] = field(default_factory=list)  # numbers of waiting items in the spool
    since: float = 0.0  # start of waiting of the first item, in time.monotonic
    active: float = 0.0  # time of the last response or item; at first, of adding the site
    evidence: Evidence = NO_EVIDENCE  # of a change
    version: int | None = None  # version in the shared store, 0 if absent, None before the answer

    def __str__(self) -> str:
        return self.name or "(no host)"

    @property
    def is_open(self) -> bool:
        """Return true if the sample takes pages, even while the site is learned early."""
        is_early = self.state is State.LEARNING and not self.has_changed
        return (is_early or self.state in (State.ASKED, State.SAMPLING, State.QUEUED)) and not self.is_ready

    @property
    def is_ready(self) -> bool:
        """Return true for a sample ready for learning: a full sample, or enough by :class:`SampleChoice`."""
        if self.choice is None or self.has_changed:
            return self.pages >= self.full
        return self.choice.is_ready

    @property
    def is_relearned(self) -> bool:
        return self.has_changed and self.state is not State.KNOWN

    @property
    def has_to_wait(self) -> bool:
        return self.state is not State.KNOWN and not self.is_free


class Sites:
    """The table of sites.

    :param knows_all_requests: all requests to come are in memory, so a site without any is finished; false with JOBDIR
        or a shared scheduler.
    """

    def __init__(
        self,
        *,
        full: int,
        least: int,
        is_known: Callable[[str], bool],
        asks: bool = False,
        knows_all_requests: bool = True,
        holds: bool = True,
    ) -> None:
        self._full, self._least = full, least
        self._is_known = is_known
        self._asks, self._holds, self._knows_all_requests = asks, holds, knows_all_requests
        self._sites: dict[str, CrawlSite] = {}
        self._waiting: dict[str, CrawlSite] = {}  # sites with waiting items: few of many, and checked twice a second
        self._requests: dict[str, set[ref[Request]]] = {}  # requests in Scrapy's memory, queued or under way
        self.queue: dict[str, CrawlSite] = {}  # queued sites, in order
        self.suspected: set[str] = set()  # names of sites that may have changed

    def __iter__(self) -> Iterator[CrawlSite]:
        return iter(list(self._sites.values()))

    def __contains__(self, name: str) -> bool:
        return name in self._sites

    def __getitem__(self, name: str) -> CrawlSite:
        site = self._sites.get(name)
        if site is None:
            state = State.ASKED if self._asks else self._first_state(name)
            now = time.monotonic()
            site = self._sites[name] = CrawlSite(name, state, self._full, is_free=not self._holds, active=now)
        return site

    def know(self, name: str) -> None:
        self._sites[name] = CrawlSite(name, State.KNOWN, self._full)

    def _first_state(self, name: str) -> State:
        return State.KNOWN if self._is_known(name) else State.SAMPLING

    # Questions

    def can_be_learned(self, site: CrawlSite) -> bool:
        """Return true if a sampled site has enough pages for learning, some of them new."""
        return site.state is State.SAMPLING and site.pages >= max(1, self._least) and site.pages > site.learned_from

    @property
    def waiting(self) -> list[CrawlSite]:
        return list(self._waiting.values())

    @property
    def unlearned(self) -> list[CrawlSite]:
        unknown = (site for site in self._sites.values() if site.state is not State.KNOWN)
        found = (site for site in unknown if site.pages or site.has_placeholders)
        return [site for site in found if not (site.learned_from or site.has_changed)]

    def overdue(self, longest: float, now: float) -> list[CrawlSite]:
        return [site for site in self.waiting if now - site.since >= longest]

    def longest_waiting(self, items: float) -> list[CrawlSite]:
        longest: list[CrawlSite] = []
        for site in sorted(self.waiting, key=lambda site: site.since):
            if items <= 0:
                break
            items -= len(site.items)
            longest.append(site)
        return longest

    def quiet(self, seconds: float, now: float, *, under_way: Container[str]) -> list[CrawlSite]:
        """Return the sampled sites with waiting items for which no more pages are expected: none is under way, and none
        came for ``seconds``, or for :data:`FINISHED_AFTER` without requests."""

        def is_quiet(site: CrawlSite) -> bool:
            soon = FINISHED_AFTER if self._knows_all_requests and not self._requests.get(site.name) else seconds
            return now - site.active >= soon and site.name not in under_way and site.state is State.SAMPLING

        return list(filter(is_quiet, self.waiting))

    # Events

    def requested(self, request: Request) -> None:
        """Count a request held by Scrapy, until the answer."""
        # A weak reference shows the end of any request: retries, redirects and filters have many signals.
        requests = self._requests.setdefault(site_of(request.url), set())
        requests.add(ref(request, requests.discard))

    def answered(self, request: Request) -> None:
        """Discount an answered request, though still in memory: the response refers to the request, in a cycle with its
        selector, and may reach the spider some turns of the event loop later."""
        name = site_of(request.url)
        self._requests.get(name, set()).discard(ref(request))
        if name in self._sites:
            self.touch(self._sites[name])

    def suspect(self, site: CrawlSite, evidence: Evidence) -> None:
        site.evidence = evidence
        (self.suspected.discard if evidence == NO_EVIDENCE else self.suspected.add)(site.name)

    def add_waiting(self, site: CrawlSite, item: int) -> None:
        if not site.items:
            site.since = time.monotonic()
            self._waiting[site.name] = site
        site.items.append(item)

    def take_waiting(self, site: CrawlSite) -> list[int]:
        """Return the items of a site, which wait no longer; the oldest come first."""
        gone, site.items = site.items, []
        self._waiting.pop(site.name, None)
        return gone

    # Transitions

    def answer(self, site: CrawlSite, version: int, *, is_learned: bool) -> None:
        """Record the version of a site in the shared store and end :attr:`State.ASKED`."""
        site.version = version
        if is_learned and site.state is not State.LEARNING and not site.is_unsaved:
            self._move(site, State.KNOWN)
            site.pages, site.has_changed, site.choice = 0, False, None
        elif site.state is State.ASKED:
            self._move(site, self._first_state(site.name))

    def touch(self, site: CrawlSite) -> None:
        """Record a response or an item of a site."""
        site.active = time.monotonic()

    def look_at(self, site: CrawlSite, look: PageLook) -> bool:
        """Return true if the sample of a site is to have a page of this look, see :class:`SampleChoice`."""
        site.choice = site.choice or SampleChoice(site.full)
        site.has_placeholders = site.has_placeholders or look.kind in PLACEHOLDERS
        return site.choice.wants(look)

    def restore(self, site: CrawlSite, looks: Sequence[PageLook], pages: int) -> None:
        """Restore the sample of a paused crawl."""
        site.choice = SampleChoice(site.full, looks)
        for _ in range(pages):
            self.take_page(site)

    def take_page(self, site: CrawlSite, look: PageLook | None = None) -> None:
        """Count a page of the sample, and the look of a page worth sampling."""
        if look is not None and site.choice is not None:
            site.choice.take(look)
        site.pages += 1
        if site.is_ready or (site.is_free and self.can_be_learned(site) and not site.learned_from):
            self.enqueue(site)

    def drop_page(self, site: CrawlSite) -> None:
        site.pages -= 1

    def keep_pages(self, site: CrawlSite, pages: int) -> None:
        """Record so many kept pages of a known site, which may have changed."""
        site.pages = pages

    def enqueue(self, site: CrawlSite) -> None:
        if site.state is State.SAMPLING:
            self._move(site, State.QUEUED)

    def begin(self, site: CrawlSite) -> None:
        self._move(site, State.LEARNING)

    def top_up(self, site: CrawlSite, full: int) -> None:
        """Sample a site further: too few pages were of use."""
        site.full = full
        if site.choice is not None:
            site.choice.size = full
        self._move(site, State.SAMPLING)

    def learned(self, site: CrawlSite, pages: int, *, is_last: bool, late: int = 0) -> bool:
        """Record the learning of a site, and return true if nothing more is to be learned. Sampling goes on after a
        site was learned early, from a sample with room or with new pages, unless ``is_last``."""
        is_done = is_last or site.has_changed or (site.is_ready and not late)
        site.is_free, site.learned_from, site.pages = True, pages, pages + late
        self._move(site, State.KNOWN if is_done else State.SAMPLING)
        if is_done:
            site.pages, site.full, site.choice = 0, self._full, None
        return is_done

    def save(self, site: CrawlSite, *, is_saved: bool) -> None:
        """Record that the patterns of a site are to be saved, or are saved."""
        site.is_unsaved = not is_saved

    def free(self, site: CrawlSite) -> None:
        site.is_free = True

    def change(self, site: CrawlSite) -> None:
        """Mark a known site as changed: sampled and learned again, beside its known patterns."""
        if site.state is State.KNOWN:
            site.has_changed, site.is_free, site.learned_from = True, not self._holds, 0
            self._move(site, State.SAMPLING)

    def leave(self, site: CrawlSite) -> None:
        """Ignore further changes of a site."""
        site.is_left = True

    def relearned(self, site: CrawlSite) -> None:
        """Count a relearned site; a site that keeps changing has no layouts to learn, and is left alone."""
        site.relearned += 1
        site.is_left = site.is_left or site.relearned >= MAX_RELEARNED

    def _move(self, site: CrawlSite, state: State) -> None:
        self.queue.pop(site.name, None)
        site.state = state
        if state is State.QUEUED:
            self.queue[site.name] = site

"""Sites of a crawl: a table of states, with sites that are ready for learning or wait in vain.

One method of :class:`Sites` stands for each transition; the records of a site change nowhere else.

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


@dataclass(slots=True)
class Sample:
    """The pages of a site in the spool, to learn from."""

    full: int  # pages of a full sample
    pages: int = 0
    learned_from: int = 0  # pages this crawl has learned from
    choice: SampleChoice | None = None  # None before the first page
    has_placeholders: bool = False  # a wall, an error page or the like was seen


@dataclass(slots=True)
class Held:
    """The held items of a site."""

    numbers: list[int] = field(default_factory=list)  # in the spool, the oldest first
    since: float = 0.0  # start of waiting of the first item, in time.monotonic
    is_free: bool = False  # items need not wait, even if the site is unknown


@dataclass(slots=True)
class Change:
    """The evidence for a change of a site, and what came of it."""

    evidence: Evidence = NO_EVIDENCE
    is_found: bool = False  # learned again beside known patterns, now or last
    relearned: int = 0  # times learned again
    is_ignored: bool = False  # learning failed, or happened too often


@dataclass(slots=True, eq=False)
class CrawlSite:
    """A site in a crawl, without its patterns."""

    name: str
    state: State
    sample: Sample
    held: Held
    change: Change = field(default_factory=Change)
    active: float = 0.0  # time of the last response or item; at first, of adding the site
    version: int | None = None  # version in the shared store, 0 if absent, None before the answer

    def __str__(self) -> str:
        return self.name or "(no host)"

    @property
    def is_open(self) -> bool:
        """Return true if the sample takes pages, even while the site is learned early."""
        is_early = self.state is State.LEARNING and not self.change.is_found
        return (is_early or self.state in (State.ASKED, State.SAMPLING, State.QUEUED)) and not self.is_ready

    @property
    def is_ready(self) -> bool:
        """Return true for a sample ready for learning: a full sample, or enough by :class:`SampleChoice`."""
        if self.sample.choice is None or self.change.is_found:
            return self.is_full
        return self.sample.choice.is_ready

    @property
    def is_full(self) -> bool:
        return self.sample.pages >= self.sample.full

    @property
    def is_relearned(self) -> bool:
        return self.change.is_found and self.state is not State.KNOWN

    @property
    def has_to_wait(self) -> bool:
        return self.state is not State.KNOWN and not self.held.is_free


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
        self._full, self._least, self._is_known = full, least, is_known
        self._asks, self._holds, self._knows_all_requests = asks, holds, knows_all_requests
        self._sites: dict[str, CrawlSite] = {}
        self._waiting: dict[str, CrawlSite] = {}  # sites with held items: few of many, and checked twice a second
        self._requests: dict[str, set[ref[Request]]] = {}  # requests in Scrapy's memory, queued or under way
        self.queue: dict[str, CrawlSite] = {}  # queued sites, in order

    def __iter__(self) -> Iterator[CrawlSite]:
        return iter(list(self._sites.values()))

    def __contains__(self, name: str) -> bool:
        return name in self._sites

    def __getitem__(self, name: str) -> CrawlSite:
        if name not in self._sites:
            self._add(name, State.ASKED if self._asks else self._first_state(name))
        return self._sites[name]

    def know(self, name: str) -> None:
        """Add a site that was learned before the crawl was resumed."""
        self._add(name, State.KNOWN)

    def _add(self, name: str, state: State) -> None:
        records = Sample(self._full), Held(is_free=not self._holds)
        self._sites[name] = CrawlSite(name, state, *records, active=time.monotonic())

    def _first_state(self, name: str) -> State:
        return State.KNOWN if self._is_known(name) else State.SAMPLING

    # Questions

    def can_be_learned(self, site: CrawlSite) -> bool:
        """Return true if a sampled site has enough pages for learning, some of them new."""
        pages = site.sample.pages
        return site.state is State.SAMPLING and pages >= max(1, self._least) and pages > site.sample.learned_from

    @property
    def waiting(self) -> list[CrawlSite]:
        return list(self._waiting.values())

    @property
    def unlearned(self) -> list[CrawlSite]:
        return [
            site
            for site in self
            if site.state is not State.KNOWN
            and (site.sample.pages or site.sample.has_placeholders)
            and not (site.sample.learned_from or site.change.is_found)
        ]

    def overdue(self, longest: float, now: float) -> list[CrawlSite]:
        return [site for site in self.waiting if now - site.held.since >= longest]

    def longest_waiting(self, items: float) -> list[CrawlSite]:
        longest: list[CrawlSite] = []
        for site in sorted(self.waiting, key=lambda site: site.held.since):
            if items <= 0:
                break
            items -= len(site.held.numbers)
            longest.append(site)
        return longest

    def quiet(self, seconds: float, now: float, *, under_way: Container[str]) -> list[CrawlSite]:
        """Return the sampled sites with held items for which no more pages are expected: none is under way, and none
        came for ``seconds``, or for :data:`FINISHED_AFTER` without requests."""

        def is_quiet(site: CrawlSite) -> bool:
            soon = FINISHED_AFTER if self._knows_all_requests and not self._requests.get(site.name) else seconds
            return now - site.active >= soon and site.name not in under_way and site.state is State.SAMPLING

        return list(filter(is_quiet, self.waiting))

    # Requests, responses and items

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

    def touch(self, site: CrawlSite) -> None:
        """Record a response or an item of a site."""
        site.active = time.monotonic()

    def hold(self, site: CrawlSite, item: int) -> None:
        if not site.held.numbers:
            site.held.since = time.monotonic()
            self._waiting[site.name] = site
        site.held.numbers.append(item)

    def release(self, site: CrawlSite) -> list[int]:
        """Return the held items of a site, which wait no longer; the oldest come first."""
        gone, site.held.numbers = site.held.numbers, []
        self._waiting.pop(site.name, None)
        return gone

    def free(self, site: CrawlSite) -> None:
        """Let further items of a site pass."""
        site.held.is_free = True

    # The sample

    def look_at(self, site: CrawlSite, look: PageLook) -> bool:
        """Return true if the sample of a site is to have a page of this look, see :class:`SampleChoice`."""
        sample = site.sample
        sample.choice = sample.choice or SampleChoice(sample.full)
        sample.has_placeholders = sample.has_placeholders or look.kind in PLACEHOLDERS
        return sample.choice.wants(look)

    def restore(self, site: CrawlSite, looks: Sequence[PageLook], pages: int) -> None:
        """Restore the sample of a paused crawl."""
        site.sample.choice = SampleChoice(site.sample.full, looks)
        for _ in range(pages):
            self.add_page(site)

    def add_page(self, site: CrawlSite, look: PageLook | None = None) -> None:
        """Count a page of the sample, and the look of a page worth sampling."""
        if look is not None and site.sample.choice is not None:
            site.sample.choice.take(look)
        site.sample.pages += 1
        if site.is_ready or (site.held.is_free and self.can_be_learned(site) and not site.sample.learned_from):
            self.enqueue(site)

    def drop_page(self, site: CrawlSite) -> None:
        site.sample.pages -= 1

    def drop_sample(self, site: CrawlSite) -> None:
        site.sample = Sample(self._full)

    # Learning

    def answer(self, site: CrawlSite, version: int, *, is_learned: bool) -> None:
        """Record the version of a site in the shared store and end :attr:`State.ASKED`."""
        site.version = version
        if is_learned and site.state is not State.LEARNING:
            self.drop_sample(site)
            site.change.is_found = False
            self._move(site, State.KNOWN)
        elif site.state is State.ASKED:
            self._move(site, self._first_state(site.name))

    def enqueue(self, site: CrawlSite) -> None:
        if site.state is State.SAMPLING:
            self._move(site, State.QUEUED)

    def begin(self, site: CrawlSite) -> None:
        self._move(site, State.LEARNING)

    def learned(self, site: CrawlSite, pages: int, *, is_last: bool, late: int = 0) -> bool:
        """Record the learning of a site, and return true if nothing more is to be learned. Sampling goes on after a
        site was learned early, from a sample with room or with new pages, unless ``is_last``."""
        is_done = is_last or site.change.is_found or (site.is_ready and not late)
        site.held.is_free, site.sample.learned_from, site.sample.pages = True, pages, pages + late
        self._move(site, State.KNOWN if is_done else State.SAMPLING)
        if is_done:
            self.drop_sample(site)
        return is_done

    # Changes

    def suspect(self, site: CrawlSite, evidence: Evidence) -> None:
        site.change.evidence = evidence

    def change(self, site: CrawlSite) -> None:
        """Mark a known site as changed: sampled and learned again, beside its known patterns."""
        if site.state is State.KNOWN:
            site.change.is_found, site.held.is_free, site.sample.learned_from = True, not self._holds, 0
            self._move(site, State.SAMPLING)

    def ignore_changes(self, site: CrawlSite) -> None:
        site.change.is_ignored = True

    def relearned(self, site: CrawlSite) -> None:
        """Count a relearned site; further changes of a site that keeps changing, without layouts to learn, are
        ignored."""
        site.change.relearned += 1
        site.change.is_ignored = site.change.is_ignored or site.change.relearned >= MAX_RELEARNED

    def _move(self, site: CrawlSite, state: State) -> None:
        self.queue.pop(site.name, None)
        site.state = state
        if state is State.QUEUED:
            self.queue[site.name] = site

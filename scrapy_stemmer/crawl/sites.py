"""The sites of a crawl: one table, in which each site is in one of five states, with one method for each transition.

``docs/sites.md`` draws what leads from state to state, and tells whose items wait.

The components of a crawl ask this table, and tell it; none of them keeps a table of sites of its own. Nothing here
waits, writes or logs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from weakref import ref

from scrapy import Request

from scrapy_stemmer.core.document import site_of
from scrapy_stemmer.drift import NO_EVIDENCE, Evidence
from scrapy_stemmer.learners.rules.sampling import SampleChoice


class State(StrEnum):
    """What is being done with a site."""

    ASKED = "asked"  # the shared store is asked what others have learned of it
    SAMPLING = "sampling"  # its pages are collected
    QUEUED = "queued"  # it is to be learned, when its turn comes
    LEARNING = "learning"  # it is being learned
    KNOWN = "known"  # nothing is to be learned of it, unless it changes


@dataclass(slots=True, eq=False)
class Site:
    """What a crawl knows of a site, besides its patterns."""

    name: str
    state: State
    full: int  # pages that make its sample full
    pages: int = 0  # those in its sample
    choice: SampleChoice | None = None  # chooses them; None before the first page
    has_placeholders: bool = False  # whether a wall, an error or the like has come in place of a page
    learned_from: int = 0  # pages from which this crawl has learned it
    is_free: bool = False  # whether its items need not wait, though it is not known
    has_changed: bool = False  # whether it is, or was last, learned beside what had been known of it
    relearned: int = 0  # times that it was learned so
    is_left: bool = False  # whether its changes are left alone: nothing could be learned of them, or too often
    is_unsaved: bool = False  # whether what was learned of it is not in the store yet
    items: list[int] = field(default_factory=list)  # the numbers, in the spool, of its items that wait
    since: float = 0.0  # when the first of these began to wait, by the clock of time.monotonic
    active: float = 0.0  # when the last response or item of it came; at first when the crawl came to it
    being_read: int = 0  # large pages of it that are being read in a thread
    evidence: Evidence = NO_EVIDENCE  # of a change
    idle: dict[str, int] = field(default_factory=dict)  # for each of its layouts the pages since one had it last
    has_told_idle: bool = False  # whether the log has its layouts that are not retired, since nothing is learned
    version: int | None = None  # that of the shared store in use, 0 where that has nothing; None until it has answered
    lease: float | None = None  # when the lease of it was taken or renewed; None without one
    refused: float = 0.0  # until when it is of no use to ask for a lease

    def __str__(self) -> str:
        """Its name in the log; URLs of files and of data have none."""
        return self.name or "(no host)"

    @property
    def is_open(self) -> bool:
        """Whether pages are taken into its sample; also while it is learned early, for the next time."""
        is_early = self.state is State.LEARNING and not self.has_changed
        return (is_early or self.state in (State.ASKED, State.SAMPLING, State.QUEUED)) and not self.is_full

    @property
    def is_full(self) -> bool:
        """Whether its sample is what it is to be learned from: of several layouts, or for long without any other."""
        if self.choice is None or self.has_changed:
            return self.pages >= self.full
        return self.choice.is_ready

    @property
    def is_relearned(self) -> bool:
        """Whether it is about to be learned beside what is known of it."""
        return self.has_changed and self.state is not State.KNOWN

    @property
    def has_to_wait(self) -> bool:
        """Whether its items have to wait; of a site that has changed those of unusual pages."""
        return self.state is not State.KNOWN and not self.is_free


class Sites:
    """The table.

    :param full: pages that make a sample full.
    :param least: pages from which a site is learned, at least.
    :param is_known: whether the patterns of a site are known from the start, and it need not be learned.
    :param asks: whether a shared store is asked of each site first.
    :param counts: whether all requests that are yet to come are in memory, so that a site without any is finished. They
        are not with JOBDIR, or with a scheduler that others share.
    :param holds: whether items wait at all.
    """

    def __init__(
        self,
        *,
        full: int,
        least: int,
        is_known: Callable[[str], bool],
        asks: bool = False,
        counts: bool = True,
        holds: bool = True,
    ) -> None:
        self._full, self._least = full, least
        self._is_known = is_known
        self._asks, self._counts, self._holds = asks, counts, holds
        self._sites: dict[str, Site] = {}
        self._waiting: dict[str, Site] = {}  # those of which items wait: few of many, and looked at twice a second
        self._requests: dict[str, set[ref[Request]]] = {}  # those that Scrapy has in memory, queued or under way
        self.queue: dict[str, Site] = {}  # those that are queued, in order
        self.suspected: set[str] = set()  # the names of those that may have changed

    def __iter__(self) -> Iterator[Site]:
        """All sites that the crawl has come to, in that order."""
        return iter(list(self._sites.values()))

    def __contains__(self, name: str) -> bool:
        return name in self._sites

    def __getitem__(self, name: str) -> Site:
        """A site; a new one comes into the table: asked for, sampled or known."""
        site = self._sites.get(name)
        if site is None:
            state = State.ASKED if self._asks else self._first_state(name)
            now = time.monotonic()
            site = self._sites[name] = Site(name, state, self._full, is_free=not self._holds, active=now)
        return site

    def know(self, name: str) -> None:
        """A site was learned before, by a crawl that is resumed."""
        self._sites[name] = Site(name, State.KNOWN, self._full)

    def _first_state(self, name: str) -> State:
        return State.KNOWN if self._is_known(name) else State.SAMPLING

    # Questions

    def can_be_learned(self, site: Site) -> bool:
        """Whether a sampled site has enough pages to be learned from, and new ones among them."""
        return site.state is State.SAMPLING and site.pages >= max(1, self._least) and site.pages > site.learned_from

    @property
    def waiting(self) -> list[Site]:
        """The sites of which items wait."""
        return list(self._waiting.values())

    @property
    def unlearned(self) -> list[Site]:
        """The sites of which there are pages, if only placeholders, and of which nothing was ever learned."""
        unknown = (site for site in self._sites.values() if site.state is not State.KNOWN)
        found = (site for site in unknown if site.pages or site.has_placeholders)
        return [site for site in found if not (site.learned_from or site.has_changed)]

    def overdue(self, longest: float, now: float) -> list[Site]:
        """The sites of which an item has waited for so many seconds."""
        return [site for site in self.waiting if now - site.since >= longest]

    def quiet(self, seconds: float, now: float, *, under_way: Container[str]) -> list[Site]:
        """The sites whose items wait for no good reason: no page of theirs is to come soon, as none is under way, and
        none has come for so many seconds if requests are queued."""

        def is_quiet(site: Site) -> bool:
            soon = SOON if self._counts and not self._requests.get(site.name) else seconds
            is_under_way = site.being_read or site.name in under_way
            return now - site.active >= soon and not is_under_way and site.state is State.SAMPLING

        return list(filter(is_quiet, self.waiting))

    # What happens to a site

    def requested(self, request: Request) -> None:
        """A request is to be sent; it counts for as long as Scrapy has it, or until it is answered."""
        # What else happens to it is seen by that alone: retries, redirects and filters tell of it in many ways.
        requests = self._requests.setdefault(site_of(request.url), set())
        requests.add(ref(request, requests.discard))

    def answered(self, request: Request) -> None:
        """The response to a request has come. It has the request, and is in a cycle with its selector: both may be in
        memory for long, and the spider may see them only some turns of the event loop later."""
        name = site_of(request.url)
        self._requests.get(name, set()).discard(ref(request))
        if name in self._sites:
            self._sites[name].active = time.monotonic()

    def suspect(self, site: Site, evidence: Evidence) -> None:
        """The evidence that a site has changed is now this."""
        site.evidence = evidence
        (self.suspected.discard if evidence == NO_EVIDENCE else self.suspected.add)(site.name)

    def hold(self, site: Site, item: int) -> None:
        """An item of a site begins to wait."""
        if not site.items:
            site.since = time.monotonic()
            self._waiting[site.name] = site
        site.items.append(item)

    def let_go(self, site: Site) -> list[int]:
        """The items of a site that need not wait any more, those first that have waited longest."""
        gone, site.items = site.items, []
        self._waiting.pop(site.name, None)
        return gone

    # Transitions

    def answer(self, site: Site, version: int, *, is_learned: bool) -> None:
        """The shared store has told what it has of a site: :attr:`State.ASKED` ends; others may have learned a site
        that this crawl was about to learn."""
        site.version = version
        if is_learned and site.state is not State.LEARNING and not site.is_unsaved:
            self._move(site, State.KNOWN)
            site.pages, site.has_changed, site.choice = 0, False, None
        elif site.state is State.ASKED:
            self._move(site, self._first_state(site.name))

    def take_page(self, site: Site) -> None:
        """A page has come into the sample of a site. A full one is queued; the smallest that will do, if items don't
        wait for more."""
        site.pages += 1
        if site.is_full or (site.is_free and self.can_be_learned(site) and not site.learned_from):
            self.enqueue(site)

    def enqueue(self, site: Site) -> None:
        """A site is to be learned from what there is of it."""
        if site.state is State.SAMPLING:
            self._move(site, State.QUEUED)

    def begin(self, site: Site) -> None:
        """A queued site is being learned."""
        self._move(site, State.LEARNING)

    def top_up(self, site: Site, full: int) -> None:
        """Of a sample too few pages are of use: it waits for more."""
        site.full = full
        if site.choice is not None:
            site.choice.size = full
        self._move(site, State.SAMPLING)

    def learned(self, site: Site, pages: int, *, is_last: bool, late: int = 0) -> bool:
        """A site was learned from so many pages; whether nothing more is to be learned of it: from a sample that has
        room for more, or has got more meanwhile, it was learned early, and is sampled on, unless this was the last
        time. Its sample is what could be read of it: a full disk may have cost pages that had been taken.

        :param late: how many pages have come into its sample since that was read.
        """
        is_done = is_last or site.has_changed or (site.is_full and not late)
        site.is_free, site.learned_from, site.pages = True, pages, pages + late
        self._move(site, State.KNOWN if is_done else State.SAMPLING)
        if is_done:
            site.pages, site.full, site.choice = 0, self._full, None
        return is_done

    def free(self, site: Site) -> None:
        """The items of a site need not wait any more, though nothing was learned of it."""
        site.is_free = True

    def change(self, site: Site) -> None:
        """A known site has changed: it is sampled and learned once more, beside what is known of it."""
        if site.state is State.KNOWN:
            site.has_changed, site.is_free, site.learned_from = True, not self._holds, 0
            self._move(site, State.SAMPLING)

    def _move(self, site: Site, state: State) -> None:
        self.queue.pop(site.name, None)
        site.state = state
        if state is State.QUEUED:
            self.queue[site.name] = site


SOON = 1.0
"""Seconds without a response or an item after which a site of which no request is left is taken for finished: callbacks
take some time between the requests and items that they yield."""

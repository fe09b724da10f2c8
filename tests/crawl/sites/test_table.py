"""The table of sites: transitions, waiting items and quiet sites."""

from __future__ import annotations

import gc
from collections.abc import Callable, Container
from typing import Any

import pytest
from scrapy import Request

from scrapy_stemmer.crawl.sites import table as module
from scrapy_stemmer.crawl.sites.table import FINISHED_AFTER, CrawlSite, Sites, State

FULL, LEAST = 4, 2


def table(**more: Any) -> Sites:
    return Sites(**{"full": FULL, "least": LEAST, "is_known": lambda name: name.startswith("known"), **more})


def sampled(sites: Sites, name: str, pages: int) -> CrawlSite:
    site = sites[name]
    for _ in range(pages):
        sites.add_page(site)
    return site


def begin(sites: Sites, site: CrawlSite) -> None:
    sites.enqueue(site)
    sites.begin(site)


def learn(sites: Sites, site: CrawlSite) -> bool:
    begin(sites, site)
    return sites.learned(site, site.sample.pages, is_last=False)


class TestLearning:
    def test_a_site_that_was_learned_early_is_sampled_on_and_its_items_need_not_wait(self) -> None:
        sites = table()
        site = sampled(sites, "a.com", LEAST)
        assert not learn(sites, site)
        assert (site.state, site.sample.pages, site.has_to_wait) == (State.SAMPLING, LEAST, False)
        assert sampled(sites, "a.com", FULL - LEAST).state is State.QUEUED
        assert learn(sites, site)
        assert site.state is State.KNOWN

    def test_pages_that_come_while_it_is_learned_early_are_for_the_next_time(self) -> None:
        sites = table()
        site = sampled(sites, "a.com", LEAST)
        begin(sites, site)
        for _ in range(FULL - LEAST):
            assert site.is_open
            sites.add_page(site)
        assert not site.is_open
        assert not sites.learned(site, LEAST, is_last=False, late=FULL - LEAST)
        assert (site.state, site.is_ready) == (State.SAMPLING, True)
        assert (site.sample.pages, site.sample.learned_from) == (FULL, LEAST)
        assert learn(sites, site)
        assert site.state is State.KNOWN

    def test_nothing_is_learned_twice_of_the_same_pages(self) -> None:
        sites = table()
        site = sampled(sites, "a.com", LEAST)
        assert sites.can_be_learned(site)
        learn(sites, site)
        assert not sites.can_be_learned(site)
        assert sites.can_be_learned(sampled(sites, "a.com", 1))

    @pytest.mark.parametrize(
        ("pages", "least", "can"), [(0, 0, False), (1, 1, True), (LEAST - 1, LEAST, False), (LEAST, LEAST, True)]
    )
    def test_a_site_needs_the_least_number_of_pages(self, pages: int, least: int, can: bool) -> None:
        sites = Sites(full=FULL, least=least, is_known=lambda _: False)
        assert sites.can_be_learned(sampled(sites, "a.com", pages)) is can

    def test_a_changed_site_is_sampled_and_learned_once_more_whatever_the_number_of_pages(self) -> None:
        sites = table()
        site = sites["known.com"]
        sites.change(site)
        assert (site.state, site.is_relearned, site.has_to_wait) == (State.SAMPLING, True, True)
        assert learn(sites, sampled(sites, "known.com", LEAST))
        assert (site.state, site.is_relearned, site.sample.pages) == (State.KNOWN, False, 0)

    def test_a_site_that_was_given_up_for_now_is_learned_when_there_is_enough_of_it(self) -> None:
        sites = table()
        site = sampled(sites, "a.com", LEAST - 1)
        sites.free(site)
        assert not site.has_to_wait
        assert sampled(sites, "a.com", 1).state is State.QUEUED

    def test_the_sites_of_which_nothing_was_learned_are_told(self) -> None:
        sites = table()
        for name, pages in (("known.com", 0), ("none.com", 0), ("few.com", 1), ("a.com", LEAST), ("b.com", FULL)):
            sampled(sites, name, pages)
        learn(sites, sites["a.com"])
        learn(sites, sites["b.com"])
        assert [site.name for site in sites.unlearned] == ["few.com"]


class TestWithoutHolding:
    def test_nobody_waits_and_a_site_is_learned_as_soon_as_it_can_be_and_when_it_is_full(self) -> None:
        sites = table(holds=False)
        site = sampled(sites, "a.com", LEAST - 1)
        assert (site.state, site.has_to_wait) == (State.SAMPLING, False)
        assert sampled(sites, "a.com", 1).state is State.QUEUED
        learn(sites, site)
        assert sampled(sites, "a.com", FULL - LEAST - 1).state is State.SAMPLING
        assert sampled(sites, "a.com", 1).state is State.QUEUED


def test_a_site_that_an_earlier_run_has_learned_is_known() -> None:
    sites = table(asks=True)
    sites.know("a.com")
    assert sites["a.com"].state is State.KNOWN
    assert not sites["a.com"].has_to_wait


def test_what_others_have_learned_is_not_learned_here() -> None:
    sites = table()
    for name in ("sampled.com", "queued.com", "learned.com"):
        sampled(sites, name, FULL if name == "queued.com" else 1)
    sites.begin(sampled(sites, "learned.com", FULL - 1))
    for site in sites:
        sites.answer(site, 7, is_learned=True)
    states = {site.name: site.state for site in sites}
    assert states["sampled.com"] is states["queued.com"] is State.KNOWN
    assert states["learned.com"] is State.LEARNING
    assert not sites.queue


# Quiet sites

QUIET, LONGEST = 30.0, 600.0
NOW = 10_000.0


class TestQuiet:
    @pytest.fixture
    def waiting(self, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Sites, CrawlSite]]:
        """Return a site with an item that has waited, and the time of its last response."""

        def waiting(waits: float, silent: float, **more: Any) -> tuple[Sites, CrawlSite]:
            sites = table(**more)
            monkeypatch.setattr(module.time, "monotonic", lambda: NOW - waits)
            sites.hold(sites["a.com"], 1)
            monkeypatch.setattr(module.time, "monotonic", lambda: NOW - silent)
            sites.hold(sites["a.com"], 2)
            sites["a.com"].active = NOW - silent
            return sites, sites["a.com"]

        return waiting

    def quiet(self, sites: Sites, under_way: Container[str] = ()) -> bool:
        return [site.name for site in sites.quiet(QUIET, NOW, under_way=under_way)] == ["a.com"]

    @pytest.mark.parametrize(
        ("waits", "silent", "requests", "under_way", "expected"),
        [
            pytest.param(5, FINISHED_AFTER, 0, (), True, id="finished"),
            pytest.param(5, 0.9 * FINISHED_AFTER, 0, (), False, id="just now"),
            pytest.param(5, FINISHED_AFTER, 1, (), False, id="a request is queued"),
            pytest.param(QUIET, QUIET, 1, (), True, id="a request is queued, but nothing has come"),
            pytest.param(QUIET, QUIET, 1, ("a.com",), False, id="its answer is under way"),
            pytest.param(5, FINISHED_AFTER, 0, ("b.com",), True, id="that of another site is"),
        ],
    )
    def test_a_site_is_quiet_when_nothing_is_to_come(
        self, waiting: Any, waits: float, silent: float, requests: int, under_way: Any, expected: bool
    ) -> None:
        sites, _ = waiting(waits, silent)
        kept = [Request(f"http://a.com/{number}") for number in range(requests)]
        for request in kept:
            sites.requested(request)
        assert self.quiet(sites, under_way) is expected

    def test_a_request_counts_for_as_long_as_anybody_has_it(self, waiting: Any) -> None:
        sites, _ = waiting(5, FINISHED_AFTER)
        first, second = Request("http://a.com/"), Request("http://a.com/2")
        for request in (first, second, first):
            sites.requested(request)
        del request, first
        gc.collect()
        assert not self.quiet(sites)
        del second
        gc.collect()
        assert self.quiet(sites)

    def test_a_request_counts_until_it_is_answered(self, waiting: Any) -> None:
        sites, _ = waiting(5, FINISHED_AFTER)
        first, second = Request("http://a.com/"), Request("http://a.com/2")
        for request in (first, second):
            sites.requested(request)
        sites.answered(first)
        assert not self.quiet(sites)
        sites.answered(second)
        assert self.quiet(sites)
        sites.answered(Request("http://b.com/"))  # of which none was to be sent

    def test_an_answer_on_its_way_is_no_quiet(self, waiting: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        """Links of that answer are yet to come."""
        sites, _ = waiting(5, FINISHED_AFTER)
        request = Request("http://a.com/")
        sites.requested(request)
        monkeypatch.setattr(module.time, "monotonic", lambda: NOW)
        sites.answered(request)
        assert not self.quiet(sites)

    def test_where_requests_are_elsewhere_none_in_memory_tells_nothing(self, waiting: Any) -> None:
        """With JOBDIR they are on disk, with scrapy-redis in Redis."""
        assert not self.quiet(waiting(QUIET, 0.9 * QUIET, knows_all_requests=False)[0])
        assert self.quiet(waiting(QUIET, QUIET, knows_all_requests=False)[0])

    def test_only_sites_of_which_items_wait_and_that_are_sampled(self, waiting: Any) -> None:
        sites, site = waiting(5, 5)
        sites.release(site)
        assert not self.quiet(sites)
        sites, site = waiting(5, 5)
        sites.enqueue(site)
        assert not self.quiet(sites), "it is learned soon"

    def test_the_time_begins_anew_when_all_items_are_gone(self, waiting: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        sites, site = waiting(LONGEST, 0)
        assert sites.overdue(LONGEST, NOW) == [site]
        assert sites.overdue(LONGEST + 1, NOW) == []
        sites.enqueue(site)
        assert sites.overdue(LONGEST, NOW) == [site], "it may be long before it is learned"
        sites.release(site)
        monkeypatch.setattr(module.time, "monotonic", lambda: NOW)
        sites.hold(site, 3)
        assert sites.overdue(LONGEST, NOW) == []

"""Real crawls with a shared store: sites are learned once, and an unreachable store costs nothing."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.shared import SharedStore
from tests.crawl.conftest import Crawl, Crawler
from tests.crawl.test_waiting_crawls import until
from tests.crawl.website import Article, Website
from tests.stores import servers
from tests.stores.contract import load

PAGES = 8

SHARED = "scrapy_stemmer.crawl.sites.shared"

SETTINGS: dict[str, Any] = {"STEMMER_LEARNER": "rules", "STEMMER_SAMPLE_SIZE": 5, f"{SHARED}:LOOK_SECONDS": 0.2}

LEARN: dict[str, Any] = {**SETTINGS, "STEMMER_LEARN": True}

_NUMBERS = count()


@pytest.fixture(scope="module")
def server() -> Iterator[servers.Server]:
    with servers.redis_server() as found:
        yield found


@pytest.fixture
def store(server: servers.Server) -> SharedStore:
    found = open_store(f"redis://127.0.0.1:{server.port}/0/news-{next(_NUMBERS)}")
    assert isinstance(found, SharedStore)
    return found


@pytest.fixture
def articles(website: Website) -> list[str]:
    website.add_articles(PAGES)
    return [website.url(f"/article/{number}.html") for number in range(PAGES)]


def learned(website: Website) -> PatternSet:
    return learn([Page(website.url(f"/{number}"), Article(number).html()) for number in range(20, 26)])


def crawlers(folder: Path, number: int) -> list[Crawler]:
    found = [Crawler(folder / f"crawl{each}") for each in range(number)]
    for each in found:
        each.folder.mkdir()
    return found


def sums(crawls: list[Crawl], stat: str) -> int:
    return sum(each.stats.get(f"stemmer/{stat}", 0) for each in crawls)


def test_three_crawls_learn_a_site_or_fetch_it_and_all_strip_it(
    store: SharedStore, website: Website, articles: list[str], tmp_path: Path
) -> None:
    fleet = crawlers(tmp_path, 3)
    started = [each.start("plain", *articles, STEMMER_PATTERNS=store.uri, **LEARN) for each in fleet]
    done = [each.wait(process) for each, process in zip(fleet, started, strict=True)]
    assert sums(done, "sites/learned") >= 1
    assert sums(done, "items/stripped") == 3 * PAGES
    assert list(store.open()) == [website.site]


def test_a_crawl_that_only_strips_waits_for_the_store_to_be_asked(
    crawl: Crawler, server: servers.Server, store: SharedStore, website: Website, articles: list[str]
) -> None:
    learned(website).merge_into(store.uri)
    with server.paused():
        process = crawl.start("plain", *articles, STEMMER_PATTERNS=store.uri, CONCURRENT_REQUESTS=1, **SETTINGS)
        until(lambda: len(website.asked) >= PAGES)
    done = crawl.wait(process)
    assert done.stats["stemmer/items/stripped"] == PAGES
    assert done.stats["stemmer/held/total"] >= 1
    assert done.stats["stemmer/sites/fetched"] == 1
    assert done.leftovers == []


def test_a_paused_crawl_goes_on_with_what_others_have_learned_meanwhile(
    crawl: Crawler, store: SharedStore, website: Website, articles: list[str], tmp_path: Path
) -> None:
    website.answers["/article/6.html"].seconds = 3.0
    settings = {**LEARN, "STEMMER_SAMPLE_SIZE": 100, "JOBDIR": str(tmp_path / "job"), "STEMMER_PATTERNS": store.uri}
    process = crawl.start("resumable", *articles, **settings)
    until(lambda: (crawl.folder / "log.txt").read_text().count("Crawled (200)") >= PAGES - 1)
    process.send_signal(signal.SIGINT)
    paused = crawl.wait(process)
    assert paused.stats["stemmer/held/kept"] >= PAGES - 1
    learned(website).merge_into(store.uri)
    done = crawl("resumable", *articles, **settings)
    assert done.stats["stemmer/sites/fetched"] == 1
    assert "stemmer/sites/learned" not in done.stats
    assert all(item["stemmer_matched"] for item in done.by_url.values())
    assert len(done.by_url) == PAGES


def test_a_resumed_crawl_strips_by_the_store_what_it_had_learned_before(
    crawl: Crawler, store: SharedStore, website: Website, tmp_path: Path
) -> None:
    website.add_articles(16)
    urls = [website.url(f"/article/{number}.html") for number in range(16)]
    settings = {**LEARN, "JOBDIR": str(tmp_path / "job"), "STEMMER_PATTERNS": store.uri}
    settings |= {"DOWNLOAD_DELAY": 0.3, "CONCURRENT_REQUESTS": 1}
    process = crawl.start("resumable", *urls, **settings)
    until(lambda: website.site in store.changes())
    process.send_signal(signal.SIGINT)
    crawl.wait(process)
    done = crawl("resumable", *urls, **settings)
    assert len(done.by_url) == 16
    assert all(item["stemmer_matched"] for item in done.by_url.values())
    assert done.stats["stemmer/sites/fetched"] == 1
    assert "stemmer/sites/learned" not in done.stats


def test_what_others_learn_is_picked_up_within_seconds(
    crawl: Crawler, store: SharedStore, website: Website, articles: list[str]
) -> None:
    """A crawl that only strips picks patterns up as well."""
    process = crawl.start("plain", *articles, STEMMER_PATTERNS=store.uri, DOWNLOAD_DELAY=0.5, **SETTINGS)
    until(lambda: "Scraped from" in (crawl.folder / "log.txt").read_text())
    learned(website).merge_into(store.uri)
    done = crawl.wait(process)
    flags = [item["stemmer_matched"] for item in done.items]
    assert flags == sorted(flags)
    assert (flags[0], flags[-1]) == (False, True)


def test_with_relearn_a_known_site_is_learned_again_once(
    store: SharedStore, website: Website, articles: list[str], tmp_path: Path
) -> None:
    learned(website)._stamped("2020-01-01T00:00:00+00:00").merge_into(store.uri)
    fleet = crawlers(tmp_path, 2)
    settings = {**LEARN, "STEMMER_LEARN": "again", "STEMMER_PATTERNS": store.uri}
    started = [each.start("plain", *articles, **settings) for each in fleet]
    done = [each.wait(process) for each, process in zip(fleet, started, strict=True)]
    assert 1 <= sums(done, "sites/learned") <= 2
    assert sums(done, "items/stripped") == 2 * PAGES
    assert load(store)[0].learned > "2021"


class TestStoreIsGone:
    """A Redis server that is not there, for a while or for good."""

    @pytest.fixture
    def server(self) -> Iterator[servers.Server]:
        with servers.redis_server() as found:
            yield found

    def test_at_the_start_items_wait_until_it_is_there(
        self, crawl: Crawler, server: servers.Server, store: SharedStore, website: Website, articles: list[str]
    ) -> None:
        learned(website).merge_into(store.uri)
        server.stop()
        process = crawl.start("plain", *articles, STEMMER_PATTERNS=store.uri, **SETTINGS)
        until(lambda: "Items of sites that are not known yet wait" in (crawl.folder / "log.txt").read_text())
        server.start()
        done = crawl.wait(process)
        assert done.stats["stemmer/store/failures"] >= 1
        assert done.stats["stemmer/items/stripped"] == PAGES
        assert "can be reached again" in done.log

    def test_in_the_midst_what_was_learned_is_saved_when_it_is_back(
        self, crawl: Crawler, server: servers.Server, store: SharedStore, website: Website, articles: list[str]
    ) -> None:
        website.add_articles(PAGES, prefix="/slow/")
        website.answers["/slow/"].seconds = 4.0
        process = crawl.start(
            "plain",
            *articles,
            website.url("/slow/", "localhost"),
            STEMMER_PATTERNS=store.uri,
            **LEARN,
        )
        until(lambda: website.site in store.changes())
        server.stop()
        until(lambda: "Items of sites that are not known yet wait" in (crawl.folder / "log.txt").read_text())
        server.start()
        done = crawl.wait(process)
        assert len(store.changes()) == 2
        assert done.stats["stemmer/sites/learned"] == 2

    def test_for_good_the_crawl_goes_on_alone_and_loses_nothing(
        self, crawl: Crawler, server: servers.Server, store: SharedStore, website: Website, articles: list[str]
    ) -> None:
        server.stop()
        settings = {"STEMMER_PATTERNS": store.uri, f"{SHARED}:PATIENCE": 2, **LEARN}
        done = crawl("plain", *articles, ok=False, **settings)
        assert done.exit_code == 0
        assert done.stats["finish_reason"] == "finished"
        assert done.stats["stemmer/items/stripped"] == PAGES
        assert done.stats["stemmer/errors/StoreUnavailable"] >= 1

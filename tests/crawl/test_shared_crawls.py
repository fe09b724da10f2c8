"""Real crawls with a shared store: sites are learned once, and an unreachable store costs nothing."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.shared import SharedStore
from tests.crawl.conftest import Crawler
from tests.crawl.website import Article, Website
from tests.processes import until
from tests.stores import servers

PAGES = 8

SHARED = "scrapy_stemmer.crawl.sites.shared"

SETTINGS: dict[str, Any] = {"STEMMER_LEARNER": "rules", "STEMMER_SAMPLE_SIZE": 5, f"{SHARED}:LOOK_SECONDS": 0.2}

LEARN: dict[str, Any] = {**SETTINGS, "STEMMER_LEARN": True}


@pytest.fixture
def server() -> Iterator[servers.Server]:
    with servers.redis_server() as found:
        yield found


@pytest.fixture
def store(server: servers.Server) -> SharedStore:
    found = open_store(f"redis://127.0.0.1:{server.port}/0/news")
    assert isinstance(found, SharedStore)
    return found


@pytest.fixture
def articles(website: Website) -> list[str]:
    website.add_articles(PAGES)
    return [website.url(f"/article/{number}.html") for number in range(PAGES)]


def learned(website: Website) -> PatternSet:
    return learn([Page(website.url(f"/{number}"), Article(number).html()) for number in range(20, 26)])


def test_a_paused_crawl_goes_on_with_what_others_have_learned_meanwhile(
    crawl: Crawler, store: SharedStore, website: Website, articles: list[str], tmp_path: Path
) -> None:
    stopped = Event()
    website.answers["/article/6.html"].when = stopped.is_set
    settings = {**LEARN, "STEMMER_SAMPLE_SIZE": 100, "JOBDIR": str(tmp_path / "job"), "STEMMER_PATTERNS": store.uri}
    process = crawl.start("resumable", *articles, **settings)
    until(crawl.logged("Crawled (200)", PAGES - 1))
    process.send_signal(signal.SIGINT)
    until(crawl.logged("Received SIGINT"))
    stopped.set()
    paused = crawl.wait(process)
    assert paused.stats["stemmer/held/kept"] >= PAGES - 1
    learned(website).merge_into(store.uri)
    done = crawl("resumable", *articles, **settings)
    assert done.stats["stemmer/sites/fetched"] == 1
    assert "stemmer/sites/learned" not in done.stats
    assert all(item["stemmer_matched"] for item in done.by_url.values())
    assert len(done.by_url) == PAGES


# A Redis server that is not there, for a while or for good


WAITING = "Items of sites that are not known yet wait"


def test_at_the_start_items_wait_until_it_is_there(
    crawl: Crawler, server: servers.Server, store: SharedStore, website: Website, articles: list[str]
) -> None:
    learned(website).merge_into(store.uri)
    server.stop()
    process = crawl.start("plain", *articles, STEMMER_PATTERNS=store.uri, **SETTINGS)
    until(crawl.logged(WAITING))
    server.start()
    done = crawl.wait(process)
    assert done.stats["stemmer/store/failures"] >= 1
    assert done.stats["stemmer/items/stripped"] == PAGES
    assert (done.stats["stemmer/held/total"] >= 1, done.stats["stemmer/sites/fetched"]) == (True, 1)
    assert "can be reached again" in done.log
    assert done.leftovers == []


def test_in_the_midst_what_was_learned_is_saved_when_it_is_back(
    crawl: Crawler, server: servers.Server, store: SharedStore, website: Website, articles: list[str]
) -> None:
    website.add_articles(PAGES, prefix="/later/")
    website.answers["/later/"].when = (gone := Event()).is_set
    later = website.url("/later/", "localhost")
    process = crawl.start("plain", *articles, later, STEMMER_PATTERNS=store.uri, **LEARN)
    until(lambda: website.site in store.changes())
    server.stop()
    gone.set()
    until(crawl.logged(WAITING))
    server.start()
    done = crawl.wait(process, ok=False)  # a save that comes before the server is an error in the log
    assert done.exit_code == 0
    assert len(store.changes()) == 2
    assert done.stats["stemmer/sites/learned"] == 2


def test_it_goes_on_alone(crawl: Crawler, server: servers.Server, store: SharedStore, articles: list[str]) -> None:
    server.stop()
    settings = {"STEMMER_PATTERNS": store.uri, f"{SHARED}:PATIENCE": 2, **LEARN}
    done = crawl("plain", *articles, ok=False, **settings)
    assert done.exit_code == 0
    assert done.stats["finish_reason"] == "finished"
    assert done.stats["stemmer/items/stripped"] == PAGES
    assert done.stats["stemmer/errors/StoreUnavailable"] >= 1

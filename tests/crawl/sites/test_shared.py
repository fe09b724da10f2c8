"""A crawl's view of a shared store, here in memory with versions in a sequence like Redis's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_stemmer import StoreUnavailable
from scrapy_stemmer.crawl.sites import shared as shared_patterns
from scrapy_stemmer.crawl.sites.patterns import CrawlPatterns
from scrapy_stemmer.crawl.sites.shared import SharedPatterns
from scrapy_stemmer.crawl.sites.table import CrawlSite, Sites, State
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.settings import StemmerConfig
from scrapy_stemmer.stores.shared import SharedStore
from tests.crawl.conftest import idle_crawler, on_asyncio
from tests.stores.contract import PATTERNS

LOOK = 0.05


class InMemory(SharedStore):
    """A store that counts requests; ``gone`` while unreachable."""

    def __init__(self) -> None:
        super().__init__("test:")
        self.texts: dict[str, tuple[int, bytes]] = {}
        self.number = 0
        self.gone = False

    def changes(self, since: int = 0) -> Mapping[str, int]:
        self._reach()
        return {site: version for site, (version, _) in self.texts.items() if version > since}

    def get(self, site: str) -> tuple[int, bytes]:
        self._reach()
        return self.texts.get(site, (0, b""))

    def put(self, site: str, text: bytes, after: int) -> bool:
        self.number += 1
        self.texts[site] = (self.number, text)
        return True

    def learned(self, site: str, name: str = "n") -> None:
        """Another crawl has learned a site."""
        self.put(site, codec.dumps([replace(PATTERNS[0], site=site, name=name)]).encode(), 0)

    def _reach(self) -> None:
        if self.gone:
            raise StoreUnavailable("gone", uri=self.uri)


class Crawl:
    """The parts of a crawl."""

    def __init__(self, store: InMemory, alone: float = 60.0, *, learn: Any = True) -> None:
        self.stats = idle_crawler().stats
        self.patterns = CrawlPatterns({})
        self.closing = False
        config = replace(StemmerConfig.from_settings(Settings(), "x"), learn=learn)
        self.sites = Sites(full=5, least=3, is_known=lambda _: not learn, asks=True)
        self.settled: list[str] = []
        self.settle: Callable[[str], None] = self.settled.append
        ways = (lambda site: self.settle(site.name)), (lambda: self.closing)
        self.shared = SharedPatterns(store, self.patterns, self.sites, config, *ways, self.stats)
        self.alone = alone  # seconds without the store

    def come(self, name: str) -> CrawlSite:
        """Come to a site, as the learning session does; the site's state shows an answer."""
        site = self.sites[name]
        if site.state is State.ASKED:
            self.shared.ask(site)
        return site

    def names(self, site: str) -> list[str]:
        return [pattern.name for pattern in self.patterns.of_site(site)]

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not condition():
                await asyncio.sleep(0.01)


@pytest.fixture
def store() -> InMemory:
    return InMemory()


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[[Crawl, Callable[[], Awaitable[None]]], None]:
    """Run a test on its own event loop while a crawl follows its store."""
    on_asyncio(monkeypatch, shared_patterns)
    monkeypatch.setattr(shared_patterns, "LOOK_SECONDS", LOOK)

    def run(crawl: Crawl, test: Callable[[], Awaitable[None]]) -> None:
        async def followed() -> None:
            crawl.shared.start()
            try:
                await test()
            finally:
                async with asyncio.timeout(10):
                    await crawl.shared.stop()

        monkeypatch.setattr(shared_patterns, "PATIENCE", crawl.alone)
        asyncio.run(followed())

    return run


Run = Callable[[Crawl, Callable[[], Awaitable[None]]], None]


def test_a_store_that_fails_to_close_ends_nothing(
    store: InMemory, run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The crawl still has to write the waiting items."""
    monkeypatch.setattr(store, "close", lambda: 1 / 0)
    run(Crawl(store), lambda: asyncio.sleep(0))
    assert f"closing {store.uri}" in caplog.text


def test_a_change_that_was_made_before_a_later_one_was_fetched_is_seen(store: InMemory, run: Run) -> None:
    store.learned("a.com")
    store.learned("b.com")
    crawl = Crawl(store)

    async def test() -> None:
        for site in ("a.com", "b.com"):
            assert crawl.come(site).state is State.ASKED
        await crawl.until(lambda: len(crawl.settled) == 2)
        store.learned("a.com", "later")
        store.learned("b.com", "later still")
        await crawl.until(lambda: crawl.names("a.com") == ["later"])
        await crawl.until(lambda: crawl.names("b.com") == ["later still"])

    run(crawl, test)
    assert crawl.stats.get_value("stemmer/sites/fetched") == 4


def test_what_is_there_at_first_is_learned_again_but_not_what_others_learn_then(store: InMemory, run: Run) -> None:
    store.learned("a.com")
    crawl = Crawl(store, learn="again")

    async def test() -> None:
        crawl.come("a.com")
        await crawl.until(lambda: bool(crawl.settled))
        assert crawl.names("a.com") == ["n"]
        assert crawl.sites["a.com"].state is State.SAMPLING
        store.learned("a.com", "later")
        await crawl.until(lambda: crawl.names("a.com") == ["later"])
        assert crawl.sites["a.com"].state is State.KNOWN

    run(crawl, test)


@pytest.mark.parametrize("text", [b"broken\n", codec.header().replace('"version": 1', '"version": 99').encode()])
def test_an_unreadable_text_is_told(store: InMemory, run: Run, caplog: pytest.LogCaptureFixture, text: bytes) -> None:
    """Texts of future versions are included."""
    store.put("a.com", text, 0)
    crawl = Crawl(store)

    async def test() -> None:
        crawl.come("a.com")
        await crawl.until(lambda: bool(crawl.settled))
        await asyncio.sleep(4 * LOOK)
        assert crawl.sites["a.com"].state is State.SAMPLING

    run(crawl, test)
    assert crawl.stats.get_value("stemmer/sites/broken") == 1
    assert [record.message[:37] for record in caplog.records] == ["Lines of 1 site can't be read: a.com "]


def test_without_its_store_a_crawl_waits_for_some_time_and_then_is_alone(store: InMemory, run: Run) -> None:
    store.learned("a.com")
    store.gone = True
    crawl = Crawl(store, alone=0.3)

    async def test() -> None:
        assert crawl.come("a.com").state is State.ASKED
        assert crawl.shared.is_busy
        await crawl.until(lambda: crawl.shared.is_alone)
        assert crawl.come("b.com").state is State.SAMPLING
        assert not crawl.shared.is_busy
        store.gone = False
        await crawl.until(lambda: crawl.names("a.com") == ["n"])
        assert not crawl.shared.is_alone

    run(crawl, test)
    assert crawl.stats.get_value("stemmer/store/failures") >= 1


def test_an_error_in_what_follows_from_an_answer_is_reported_and_ends_nothing(store: InMemory, run: Run) -> None:
    """After a full disk, for example, the crawl would otherwise wait for ever for a store without a follower."""
    store.gone = True
    crawl = Crawl(store, alone=0.1)

    def settled(site: str) -> None:
        raise OSError("disk full")

    async def test() -> None:
        crawl.settle = settled
        assert crawl.come("a.com").state is State.ASKED
        await crawl.until(lambda: crawl.stats.get_value("stemmer/errors/OSError") == 1)
        assert crawl.sites["a.com"].state is State.SAMPLING

    run(crawl, test)


def test_a_silent_store_leaves_a_crawl_alone(store: InMemory, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store may list its sites and fail to give their texts."""
    store.learned("a.com")

    def failing(site: str) -> tuple[int, bytes]:
        raise StoreUnavailable("no memory", uri=store.uri)

    monkeypatch.setattr(store, "get", failing)
    crawl = Crawl(store, alone=4 * LOOK)

    async def test() -> None:
        assert crawl.come("a.com").state is State.ASKED
        await crawl.until(lambda: crawl.sites["a.com"].state is State.SAMPLING)

    run(crawl, test)

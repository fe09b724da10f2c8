"""The watch over a crawl's sites, page by page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from scrapy_stemmer import Page, learn, signals
from scrapy_stemmer.crawl.pages import ItemPage
from scrapy_stemmer.crawl.sites.patterns import CrawlPatterns
from scrapy_stemmer.crawl.sites.table import MAX_RELEARNED, CrawlSite, Sites
from scrapy_stemmer.crawl.sites.watch import DriftWatch
from scrapy_stemmer.crawl.state import CrawlState
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.patternset import strip_by
from scrapy_stemmer.settings import StemmerConfig
from scrapy_stemmer.signals import LayoutDrift
from scrapy_stemmer.stores.base import by_site
from tests.crawl.conftest import idle_crawler
from tests.crawl.test_drift_crawls import redesigned
from tests.crawl.website import Article

SITE = "a.example"


class Watched:
    """A watch that records its calls and relearns sites."""

    def __init__(self, *, relearns: bool = True, pages: int = 5, **settings: Any) -> None:
        crawler = idle_crawler(**settings)
        sample = [Page(f"http://{SITE}/{n}", Article(n).html()) for n in range(8)]
        self.patterns = CrawlPatterns(by_site(learn(sample).patterns))
        self.stats = crawler.stats
        self.sent: list[tuple[object, LayoutDrift]] = []
        self.calls: list[str] = []
        config = StemmerConfig.from_settings(crawler.settings, "news")
        self.sites = Sites(full=20, least=3, is_known=lambda _: True)
        send, relearner = (lambda *sent: self.sent.append(sent)), (lambda: cast(Any, self) if relearns else None)
        self.watch = DriftWatch(config, self.patterns, self.sites, self.stats, send, relearner, pages=pages)
        self._number = 100

    def see(self, kinds: str) -> list[ItemPage]:
        """Pages of the learned layout (``.``) and of another one (``!``)."""
        seen: list[ItemPage] = []
        for kind in kinds:
            self._number += 1
            article = Article(self._number)
            page = ItemPage(f"http://{SITE}/{self._number}", article.html() if kind == "." else redesigned(article))
            self.watch.saw(page, strip_by(self.patterns.of_site(SITE), Document(page.page())))
            seen.append(page)
        return seen

    def add_unusual(self, page: ItemPage) -> None:
        self.calls.append("add")

    def drop(self, site: CrawlSite) -> None:
        self.calls.append(f"drop {site.name}")

    def relearn(self, site: CrawlSite) -> None:
        self.calls.append(f"relearn {site.name}")
        self.sites.change(site)

    def learned(self, *, failed: bool = False) -> bool:
        """Record that a site was learned, and the reason."""
        site = self.sites[SITE]
        self.sites.learned(site, 8, is_last=True)
        return self.watch.watch_anew(site, failed=failed)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"STEMMER_DRIFT": "watch", "STEMMER_LEARN": True}, "STEMMER_DRIFT = 'relearn', and STEMMER_LEARN = 1."),
        ({}, "This crawl does not learn: a crawl with STEMMER_LEARN = 1 learns it again"),
    ],
)
def test_a_changed_site_is_told_once(caplog: pytest.LogCaptureFixture, settings: dict[str, Any], told: str) -> None:
    watched = Watched(relearns=False, **settings)
    watched.see("....!!!!!!!!!!!!")
    assert caplog.text.count(told) == caplog.text.count("5 of its last 5 pages") == 1
    assert watched.sent == [(signals.layout_drift, LayoutDrift(SITE, 5, 5))]
    assert watched.stats.get_value(f"stemmer/drift/{SITE}") == 1


def test_unusual_pages_are_sampled_and_dropped_when_usual_ones_follow() -> None:
    watched = Watched()
    watched.see("..!........")
    assert watched.calls == ["add", f"drop {SITE}"]


def test_a_changed_site_is_learned_again() -> None:
    watched = Watched()
    watched.see("!!!!!!!!")
    assert watched.calls == [*["add"] * 5, f"relearn {SITE}"]


def test_a_site_that_was_learned_again_is_watched_again_but_not_for_ever() -> None:
    watched = Watched()
    for _ in range(MAX_RELEARNED + 1):
        watched.see("!!!!!!!!")
        assert watched.learned()
    assert len(watched.sent) == MAX_RELEARNED


def test_a_site_of_which_nothing_could_be_learned_is_left_alone() -> None:
    watched = Watched()
    watched.see("!!!!!")
    assert watched.learned(failed=True)
    watched.see("!!!!!!!!!!!")
    assert len(watched.sent) == 1


def test_a_site_that_was_learned_for_the_first_time_had_not_changed() -> None:
    assert not Watched().learned()


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("", id="empty"),
        pytest.param("<html><body><h1>404</h1><p>Page not found</p></body></html>", id="error"),
        pytest.param("<html><body><p id=consent>Your privacy: accept all.</p></body></html>", id="consent"),
    ],
)
def test_pages_that_are_none_of_the_site_are_no_change(html: str) -> None:
    """An outage, or a wall of consent, is no new layout."""
    watched = Watched()
    for number in range(30):
        page = ItemPage(f"http://{SITE}/{number}", html)
        watched.watch.saw(page, strip_by(watched.patterns.of_site(SITE), Document(page.page())))
    assert (watched.calls, watched.sent) == ([], [])


def test_a_page_counts_once_whatever_its_items() -> None:
    watched = Watched()
    (page,) = watched.see("!")
    for _ in range(20):
        watched.watch.saw(page, strip_by(watched.patterns.of_site(SITE), Document(page.page())))
    assert watched.calls == ["add"]


def test_whether_a_page_is_unusual_is_found_out_where_it_was_not_stripped() -> None:
    watched = Watched()
    assert not watched.watch.is_unusual(ItemPage(f"http://{SITE}/1", Article(1).html()))
    assert watched.watch.is_unusual(ItemPage(f"http://{SITE}/1", redesigned(Article(1))))


def test_patterns_without_a_level_are_not_watched() -> None:
    """Patterns of earlier versions and of hand-written files have no level."""
    watched = Watched()
    sample = [Page(f"http://{SITE}/{n}", Article(n).html()) for n in range(8)]
    watched.patterns.replace(SITE, [replace(pattern, level=None) for pattern in learn(sample).patterns])
    watched.see("!" * 20)
    assert watched.calls == []


def test_an_error_of_the_watch_is_counted_and_raises_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched()

    def broken(page: ItemPage) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(watched, "add_unusual", broken)
    watched.see("!")
    assert watched.stats.get_value("stemmer/errors/OSError") == 1


@pytest.mark.parametrize(
    ("drift", "learn", "watches"),
    [("off", True, (False, False)), ("watch", True, (True, False)), ("relearn", False, (True, False))],
)
def test_what_a_crawl_watches(tmp_path: Path, drift: str, learn: bool, watches: tuple[bool, bool]) -> None:
    """Layouts, and texts that return; with ``relearn`` a crawl that learns watches both."""
    given = {"STEMMER_PATTERNS": str(tmp_path / "p.jsonl"), "STEMMER_DRIFT": drift, "STEMMER_LEARN": learn}
    state = CrawlState(idle_crawler(**given))
    assert (state.drift is not None, state.texts is not None) == watches

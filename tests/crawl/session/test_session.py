"""Responses and items in a learning session."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.crawl import pages
from scrapy_stemmer.crawl.pages import ItemPage
from scrapy_stemmer.crawl.session import learner as site_learner
from scrapy_stemmer.crawl.session.session import LearningSession
from scrapy_stemmer.crawl.sites.table import CrawlSite, State
from scrapy_stemmer.crawl.spidermiddleware import StemmerSpiderMiddleware
from scrapy_stemmer.crawl.spool import expanded, texts_of
from scrapy_stemmer.learners.base import LEARNER_CLASSES
from tests.crawl.conftest import idle_crawler, on_asyncio
from tests.crawl.website import Article

SITE = "http://example.com"


def response(number: int) -> HtmlResponse:
    url = f"{SITE}/{number}"
    html = Article(number).html() + "<a href='/other'>Other</a>"
    return HtmlResponse(url, body=html, encoding="utf-8", request=Request(url))


def make(folder: Path, **settings: Any) -> StemmerSpiderMiddleware:
    """The middleware of a crawl that learns."""
    given = {"STEMMER_PATTERNS": str(folder / "p.jsonl"), "STEMMER_STATE_DIR": str(folder), "STEMMER_LEARN": True}
    crawler = idle_crawler(**{**given, **settings})
    crawler.engine = SimpleNamespace()
    return StemmerSpiderMiddleware(crawler)


def passes(found: StemmerSpiderMiddleware, item: Any, page: Response) -> bool:
    """Return True if an item of a page passes at once."""
    return list(found.process_spider_output(page, [item])) == [item]


def session_of(found: StemmerSpiderMiddleware) -> LearningSession:
    assert found._session is not None
    return found._session


def sample_of(found: StemmerSpiderMiddleware) -> dict[str, tuple[str, ...]]:
    """The pages of the site's sample, each with the texts of the links to it."""
    return {page.url: page.anchors for page in texts_of(session_of(found)._spool.rows("example.com"))}


@pytest.mark.parametrize("learner", sorted(LEARNER_CLASSES))
def test_the_texts_of_links_are_collected_for_every_learner(tmp_path: Path, learner: str) -> None:
    found = make(tmp_path, STEMMER_LEARNER=learner)
    found.process_spider_input(response(1))
    linked = f"{SITE}/World"
    found.process_spider_input(response(2).replace(url=linked, request=Request(linked)))
    assert sample_of(found) == {f"{SITE}/1": (), linked: ("World", "World")}


def test_pages_of_sites_that_are_known_cost_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learn([Page(f"{SITE}/{n}", Article(n).html()) for n in range(5)]).save(str(tmp_path / "p.jsonl"))
    found = make(tmp_path, STEMMER_LEARNER="layout")
    monkeypatch.setattr(pages, "why_skipped", lambda *_: pytest.fail("the page is looked at"))
    found.process_spider_input(response(1))
    assert sample_of(found) == {}


@pytest.mark.parametrize(("field", "is_told"), [("body", False), ("typo", True)])
def test_html_of_items_is_sampled(tmp_path: Path, caplog: pytest.LogCaptureFixture, field: str, is_told: bool) -> None:
    found, url = make(tmp_path, STEMMER_HTML_FIELD=field), f"{SITE}/1"
    found.process_spider_input(response(7))
    assert not passes(found, {"url": url, "body": Article(1).html()}, response(7))
    assert sample_of(found) == ({} if is_told else {url: ()})
    asyncio.run(found._close(None, "finished"))  # type: ignore[arg-type]
    assert ("No item had HTML in its field 'typo' (STEMMER_HTML_FIELD)" in caplog.text) is is_told


def test_pages_that_rules_or_the_spider_leave_out_are_not_sampled_and_their_items_pass(tmp_path: Path) -> None:
    found, opted_out = make(tmp_path, STEMMER_URL_RULES="-/1 +"), Request(f"{SITE}/2", meta={"stemmer": False})
    for page in (response(1), response(2).replace(request=opted_out)):
        found.process_spider_input(page)
        assert passes(found, {"url": page.url}, page)
    assert sample_of(found) == {}


def test_a_site_whose_line_is_broken_is_learned_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "p.jsonl"
    learn([Page(f"{SITE}/{n}", Article(n).html()) for n in range(5)]).save(str(path))
    path.write_text(path.read_text(encoding="utf-8").replace(', "score"', ' "score"', 1), encoding="utf-8")
    found = make(tmp_path)
    assert caplog.text.count(f"Lines of 1 site can't be read: example.com ({path}, line 2: The line is not JSON") == 1
    assert found._state.stats.get_value("stemmer/sites/broken") == 1
    assert not passes(found, {"url": 1}, response(1))


@pytest.mark.parametrize(("url", "name"), [(f"{SITE}/1", "example.com"), ("file:///1.html", "(no host)")])
def test_waiting_items_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture, url: str, name: str) -> None:
    found = make(tmp_path)
    with caplog.at_level("INFO"):
        for number in range(2):
            assert not passes(found, {"n": number}, response(number).replace(url=url, request=Request(url)))
        session_of(found)._log_waiting()
    assert caplog.text.count(f"Items of {name} wait, on disk, until") == 1
    assert "2 items of 1 site wait until these are learned; 0 sites learned so far" in caplog.text


@pytest.mark.parametrize(("is_there", "state"), [(True, State.KNOWN), (False, State.SAMPLING)])
def test_a_resumed_crawl_knows_learned_sites(tmp_path: Path, is_there: bool, state: State) -> None:
    job = {"JOBDIR": str(tmp_path / "job"), "STEMMER_LEARN": "again"}
    spool = session_of(make(tmp_path, **job))._spool
    spool.add_learned("example.com")
    spool.close(remove=False)
    if is_there:
        learn([Page(f"{SITE}/{n}", Article(n).html()) for n in range(5)]).save(str(tmp_path / "p.jsonl"))
    assert session_of(make(tmp_path, **job))._sites["example.com"].state is state


def test_items_wait_with_their_page_as_it_came_not_with_the_marks_of_a_browser(tmp_path: Path) -> None:
    found, page = make(tmp_path), response(1)
    assert page.request is not None
    found._state.marked_pages[page.request] = "<p>with marks"
    found.process_spider_input(page)
    assert not passes(found, {"url": 1}, page)
    spool = session_of(found)._spool
    assert [each.html for each in texts_of(spool.rows("example.com"))] == ["<p>with marks"]
    ((_, number),) = spool.held_ids()
    assert expanded(spool.held(number).body or b"") == page.text


def test_a_page_is_kept_once_for_the_sample_and_its_items(tmp_path: Path) -> None:
    found, page = make(tmp_path), response(1)
    found.process_spider_input(page)
    for number in (1, 2):
        assert not passes(found, {"url": number}, page)
    spool = session_of(found)._spool
    assert [number for number in range(1, 10) if spool.has(number)] == [1]
    assert len(spool.held_ids()) == 2


def test_pages_of_other_layouts_take_the_place_of_those_of_which_there_are_enough(tmp_path: Path) -> None:
    """The last of these first."""
    found = session_of(make(tmp_path, STEMMER_SAMPLE_SIZE=5))
    site = found._sites["example.com"]
    for number in range(5):
        found.learner.add_own(ItemPage(f"{SITE}/{number}", Article(number).html()))
    spare = [is_spare for _, is_spare in found._spool.sampled()["example.com"]]
    assert spare == sorted(spare)
    assert 0 < sum(spare) < site.sample.pages == 5
    other = f"<main><section><h2>Other</h2><p>{'Some other text. ' * 30}</section></main>"
    found.learner.add_own(ItemPage(f"{SITE}/other", other))
    urls = [page.url for page in texts_of(found._spool.rows("example.com"))]
    assert urls == [*(f"{SITE}/{number}" for number in range(4)), f"{SITE}/other"]
    assert site.sample.pages == 5


class TestQueue:
    """Sites without patterns, learned on the test's event loop."""

    @pytest.fixture
    def session(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LearningSession:
        """A session with four pages of one site."""

        async def at_once(function: Any, *arguments: Any) -> Any:
            return function(*arguments)

        monkeypatch.setattr(site_learner, "run_in_thread", at_once)
        monkeypatch.setattr(site_learner, "run_in_background", asyncio.run)
        found = session_of(make(tmp_path, STEMMER_SAMPLE_SIZE=5, STEMMER_MIN_SAMPLE=1))
        monkeypatch.setattr(found._state, "learn_site", lambda _: PatternSet())
        for number in range(4):
            found.learner.add_own(ItemPage(f"{SITE}/{number}", f"<p>{number}"))
        return found

    def test_a_full_sample_takes_no_page_more(self, session: LearningSession, monkeypatch: pytest.MonkeyPatch) -> None:
        """The site is not known while it is being learned."""
        monkeypatch.setattr(site_learner, "run_in_background", lambda coroutine: coroutine.close())
        for number in range(4, 9):
            session.learner.add_own(ItemPage(f"{SITE}/{number}", f"<p>{number}"))
        assert len(session._spool.sampled()["example.com"]) == 5

    @pytest.mark.parametrize("broken", ["_count", "_log_learned"])
    def test_a_site_that_cant_be_released_holds_up_no_other(
        self, session: LearningSession, monkeypatch: pytest.MonkeyPatch, broken: str
    ) -> None:
        released: list[str] = []

        def release(site: CrawlSite, *_: Any, **__: Any) -> None:
            released.append(site.name)
            raise RuntimeError("oh")

        session.learner.add_own(ItemPage("http://b.example/", "<p>b"))
        for url in (f"{SITE}/1", "http://b.example/"):
            session.held.hold({"n": 1}, ItemPage(url))
        monkeypatch.setattr(session.learner, broken, release)
        monkeypatch.setattr(session.held, "send", lambda: None)
        for site in session._sites:
            session._sites.enqueue(site)
        on_asyncio(monkeypatch, site_learner)
        asyncio.run(session.learner._learn_queued())
        assert released == ["example.com", "b.example"]
        assert len(session.held._ready) == 2
        assert [site.state for site in session._sites] == [State.KNOWN] * 2

    def test_a_site_that_fails_to_be_learned_is_counted(
        self, session: LearningSession, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(session._state, "learn_site", lambda _: 1 / 0)
        with caplog.at_level("INFO"):
            asyncio.run(session.learner._learn(session._sites["example.com"]))
        assert "Failed to learn example.com: 0 patterns from 4 pages" in caplog.text
        counts = session._stats.get_stats()
        assert (counts["stemmer/errors/ZeroDivisionError"], counts["stemmer/sites/empty"]) == (1, 1)

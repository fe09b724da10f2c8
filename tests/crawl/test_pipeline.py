"""What is written into items, and what is left alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pydantic
import pytest
from scrapy.exceptions import DropItem
from scrapy.http import HtmlResponse

from scrapy_stemmer import Page, PatternSet, Stripped, learn
from scrapy_stemmer.crawl import items
from scrapy_stemmer.crawl import pipeline as module
from scrapy_stemmer.crawl.items import FallbackPage, ItemFields, ItemPage, ResponsePage
from scrapy_stemmer.crawl.pipeline import FLAGS, StemmerPipeline
from scrapy_stemmer.learners.rules.page import RulesPage
from scrapy_stemmer.stores import file as patternfile
from tests.crawl.conftest import idle_crawler
from tests.crawl.website import Article

SITE = "http://example.com"
ARTICLE = Article(3)
UNKNOWN = "<body><p>Something else entirely."

Make = Callable[..., "Harness"]


class Harness:
    """A pipeline that knows the articles of a site."""

    def __init__(self, patterns: Path, **settings: Any) -> None:
        self.crawler = idle_crawler(STEMMER_PATTERNS=str(patterns), **settings)
        self.pipeline = StemmerPipeline.from_crawler(self.crawler)
        self.responses: list[Any] = []

    def __call__(self, item: Any, html: str = ARTICLE.html()) -> Any:
        """The item after the pipeline, when it comes from a response with this HTML."""
        response = HtmlResponse(f"{SITE}/3", body=html, encoding="utf-8")
        self.responses.append(response)
        return self.of(item, ResponsePage(response, None))

    def of(self, item: Any, source: ItemPage) -> Any:
        """The item after the pipeline, when this is its page."""
        self.responses.append(output_of := HtmlResponse(SITE))
        self.pipeline._state.item_pages.put(item, source, output_of)
        return self.pipeline.process_item(item)

    @property
    def stats(self) -> dict[str, Any]:
        """The stats."""
        return self.crawler.stats.get_stats()  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def patterns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("patterns") / "p.jsonl"
    learn([Page(f"{SITE}/{n}", Article(n).html()) for n in range(10, 16)], learner="layout").save(str(path))
    return path


@pytest.fixture
def make(patterns: Path) -> Make:
    return lambda **settings: Harness(patterns, **settings)


def test_all_results(make: Make) -> None:
    strip = make()
    item = strip({"url": "x"})
    assert item["title"] == ARTICLE.headline
    assert item["text"].splitlines() == ARTICLE.body
    assert set(item) == {
        "url",
        "title",
        "text",
        "sub_text",
        "main_html",
        "stemmer_matched",
        "stemmer_pattern",
        "stemmer_similarity",
        "stemmer_kind",
        "stemmer_confidence",
    }
    assert item["stemmer_matched"] is True
    assert 0.8 < item["stemmer_similarity"] <= 1
    assert strip.stats["stemmer/items/stripped"] == strip.stats["stemmer/items/matched"] == 1
    assert strip.stats["stemmer/chars/out"] == len(item["text"])
    assert strip.stats["stemmer/chars/out"] > 0


def test_a_page_that_has_waited_gives_the_same(make: Make) -> None:
    strip = make()
    assert strip.of({}, ItemPage(f"{SITE}/3", ARTICLE.html())) == strip({})


def test_what_the_spider_has_set_stays_unless_asked_otherwise(make: Make) -> None:
    mine = {"title": "Mine", "text": "", "sub_text": None}
    kept = make()(dict(mine))
    assert (kept["title"], kept["text"].splitlines()) == ("Mine", ARTICLE.body)
    assert kept["sub_text"] is not None
    assert make(STEMMER_OVERWRITE=True)(dict(mine))["title"] == ARTICLE.headline


def test_fields_can_be_mapped_and_switched_off(make: Make) -> None:
    fields = {"text": "body", "title": None, "html": None, "sub_text": "", "pattern": None, "similarity": None}
    fields |= {"kind": None, "confidence": None}
    assert make(STEMMER_FIELDS=fields)({}) == {"body": "\n".join(ARTICLE.body), "stemmer_matched": True}


def test_the_kind_of_the_page_is_written_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    learn([Page(f"{SITE}/{n}", Article(n).html()) for n in range(10, 16)]).save(str(path))
    strip = Harness(path)
    assert type(strip({})["stemmer_kind"]) is str
    assert strip({})["stemmer_kind"] == "content"
    story = "<div class='story'><p>Oh no, what you look for is gone!</p></div>"
    gone = f"<title>404</title><h1 class='headline'>404</h1>{story}"
    assert strip({}, gone)["stemmer_kind"] == "error"
    assert (strip.stats["stemmer/kinds/content"], strip.stats["stemmer/kinds/error"]) == (2, 1)


class TestLowConfidence:
    """Pages that were stripped, but perhaps not well."""

    @pytest.fixture
    def make(self, tmp_path: Path) -> Make:
        path = tmp_path / "p.jsonl"
        learn([Page(f"{SITE}/{n}", Article(n).html()) for n in range(10, 16)]).save(str(path))
        return lambda **settings: Harness(path, **settings)

    ODD = "<div class='story'><p>Hardly any text, where the site's pages have theirs.</p></div>"

    @pytest.fixture(autouse=True)
    def _told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The odd page is less sure than others; how sure pages are is no matter of these tests."""
        monkeypatch.setattr(RulesPage, "confidence", lambda page: 0.25 if len(list(page.blocks())) == 1 else 0.75)

    def test_it_is_written(self, make: Make) -> None:
        strip = make()
        assert (strip({}, self.ODD)["stemmer_confidence"], strip({})["stemmer_confidence"]) == (0.25, 0.75)
        assert strip({}, self.ODD)["text"] == "Hardly any text, where the site's pages have theirs."
        assert "stemmer/items/unsure" not in strip.stats

    def test_a_page_unlike_any_that_was_learned_is_unmatched_and_says_how_sure_it_would_be(self, make: Make) -> None:
        strip = make()
        item = strip({}, "<table><tr><td>Something else entirely, which no page of the site is like.</table>")
        assert (item["stemmer_matched"], item["stemmer_similarity"]) == (False, 0.0)
        assert item["stemmer_confidence"] == 0.25
        assert "text" not in item

    def test_items_are_left_as_they_are_but_for_the_flags(self, make: Make, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level("DEBUG")
        strip = make(STEMMER_MIN_CONFIDENCE=0.5)
        item = strip({"title": "Mine"}, self.ODD)
        assert set(item) == {"title", *(f"stemmer_{name}" for name in FLAGS)}
        assert (item["title"], item["stemmer_matched"]) == ("Mine", True)
        assert (strip.stats["stemmer/items/unsure"], strip.stats["stemmer/items/matched"]) == (1, 1)
        assert "below STEMMER_MIN_CONFIDENCE" in caplog.text
        assert strip({})["text"].splitlines()[-1] == ARTICLE.body[-1]

    def test_they_can_be_dropped(self, make: Make) -> None:
        strip = make(STEMMER_MIN_CONFIDENCE="0.5", STEMMER_LOW_CONFIDENCE="drop")
        with pytest.raises(DropItem, match=rf"Confidence 0\.\d\d for {SITE}/3"):
            strip({}, self.ODD)
        assert strip.stats["stemmer/items/dropped"] == 1

    def test_another_function_can_be_asked(self, make: Make) -> None:
        ask = {"STEMMER_LOW_CONFIDENCE": "fallback", "STEMMER_FALLBACK": fallback_of({"text": "found"})}
        strip = make(STEMMER_MIN_CONFIDENCE=0.5, **ask)
        assert strip({}, self.ODD)["text"] == "found"
        assert strip({})["text"].splitlines()[-1] == ARTICLE.body[-1]
        assert strip.stats["stemmer/items/fallback"] == 1


def test_systems_that_know_no_kinds_say_none(make: Make) -> None:
    strip = make(STEMMER_MIN_CONFIDENCE=1)
    assert (strip({})["stemmer_kind"], strip({})["stemmer_confidence"]) == (None, None)
    assert strip({})["text"].splitlines() == ARTICLE.body
    assert not any(name.startswith("stemmer/kinds/") for name in strip.stats)


def test_the_roles_of_the_text_are_the_users_choice(make: Make) -> None:
    item = make(STEMMER_TEXT_ROLES="title,main")({})
    assert item["text"].splitlines() == [ARTICLE.headline, *ARTICLE.body]


@dataclass
class Few:
    title: str = ""
    unrelated: int = 0


def test_fields_that_a_class_lacks_are_skipped(make: Make) -> None:
    assert make()(Few()) == Few(title=ARTICLE.headline)


@dataclass(frozen=True)
class Frozen:
    title: str = ""


class Validated(pydantic.BaseModel, validate_assignment=True):
    title: int | None = None
    text: str = ""


def test_results_that_nobody_asks_for_are_not_made(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """The HTML of the main text is a copy of a part of the tree."""
    made: list[str] = []
    monkeypatch.setattr("scrapy_stemmer.patternset.pruned_html", lambda *_: made.append("html") or "<p>")

    @dataclass
    class Article:
        title: str | None = None

    make()(Article())
    make(STEMMER_FIELDS={"html": None})({})
    make()({"main_html": "mine"})
    assert made == []
    assert make()({})["main_html"] == "<p>"
    assert made == ["html"]


def test_fields_that_refuse_a_value_are_counted_and_the_item_passes(
    make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    strip = make()
    assert strip(Frozen()) == Frozen()
    assert strip.stats["stemmer/errors/FrozenInstanceError"] == 1
    assert strip(Validated()).text.splitlines() == ARTICLE.body
    assert strip.stats["stemmer/errors/ValidationError"] == 1
    assert "the field 'title' of a Validated" in caplog.text


def test_items_that_cant_be_changed_are_reported_once(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    @dataclass(frozen=True)
    class Sealed:
        title: str = ""
        text: str = ""
        stemmer_matched: bool | None = None

    strip = make()
    for _ in range(3):
        assert strip(Sealed()) == Sealed()
    assert strip.stats["stemmer/errors/FrozenInstanceError"] == 6  # flags and contents of each
    (record,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert "a class that is not frozen" in record.getMessage()
    assert record.exc_info is None


def test_frozen_items_of_pydantic_are_reported_once(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    class Sealed(pydantic.BaseModel, frozen=True):
        title: str = ""

    strip = make()
    for _ in range(3):
        assert strip(Sealed()) == Sealed()
    assert [record.levelname for record in caplog.records].count("ERROR") == 1
    assert "a class that is not frozen" in caplog.text


def test_an_unmatched_page_leaves_the_item_as_it_is_but_for_the_flags(make: Make) -> None:
    flags = {
        "stemmer_matched": False,
        "stemmer_pattern": None,
        "stemmer_similarity": 0.0,
        "stemmer_kind": None,
        "stemmer_confidence": None,
    }
    assert make()({"title": "Mine"}, UNKNOWN) == {"title": "Mine", **flags}


def test_unmatched_items_can_be_dropped(make: Make) -> None:
    strip = make(STEMMER_UNMATCHED="drop")
    with pytest.raises(DropItem, match="No pattern fits"):
        strip({}, UNKNOWN)
    assert strip({})["stemmer_matched"]


def fallback_of(result: Any) -> Callable[[Page], Any]:
    def fallback(page: Page) -> Any:
        if isinstance(result, Exception):
            raise result
        return result

    return fallback


@pytest.mark.parametrize(
    ("result", "text", "stat"),
    [
        ({"text": "found"}, "found", "stemmer/items/fallback"),
        (None, None, None),
        (Stripped(matched=True), "", "stemmer/items/fallback"),
        ({"body": "x"}, None, "stemmer/errors/TypeError"),
        (KeyError("x"), None, "stemmer/errors/KeyError"),
    ],
)
def test_fallbacks(make: Make, result: Any, text: str | None, stat: str | None) -> None:
    strip = make(STEMMER_UNMATCHED="fallback", STEMMER_FALLBACK=fallback_of(result))
    item = strip({}, UNKNOWN)
    assert item.get("text") == text
    assert item["stemmer_matched"] is False
    assert stat is None or strip.stats[stat] == 1


class TestWhatAFallbackGets:
    """What its users have in hand: URL, the text of the HTML, and a response."""

    @pytest.fixture
    def asked(self, make: Make) -> Callable[[ItemPage], FallbackPage]:
        def ask(page: ItemPage) -> FallbackPage:
            given: list[FallbackPage] = []
            strip = make(STEMMER_UNMATCHED="fallback", STEMMER_FALLBACK=given.append)
            strip.of({}, page)
            assert not any(name.startswith("stemmer/errors") for name in strip.stats)
            return given[0]

        return ask

    def test_of_a_response(self, asked: Callable[[ItemPage], FallbackPage]) -> None:
        response = HtmlResponse(f"{SITE}/x", body=UNKNOWN, encoding="utf-8")
        page = asked(ResponsePage(response, None))
        assert (page.url, page.html) == (f"{SITE}/x", UNKNOWN)
        assert page.response is response

    def test_of_an_item_that_has_waited(self, asked: Callable[[ItemPage], FallbackPage]) -> None:
        found = asked(ItemPage(f"{SITE}/x", UNKNOWN))
        assert (found.url, found.html) == (f"{SITE}/x", UNKNOWN)
        assert found.response is not None
        assert found.response.css("p::text").get() == "Something else entirely."

    def test_of_an_item_with_its_own_html(self, make: Make) -> None:
        given: list[FallbackPage] = []
        strip = make(STEMMER_UNMATCHED="fallback", STEMMER_FALLBACK=given.append, STEMMER_HTML_FIELD="body")
        strip({"body": UNKNOWN.encode()})
        assert given[0].html == UNKNOWN

    def test_it_can_be_stripped(self, make: Make) -> None:
        patterns = PatternSet(learn([Page(f"{SITE}/{n}", Article(n).html()) for n in range(6)]).patterns)
        strip = make(STEMMER_UNMATCHED="fallback", STEMMER_FALLBACK=patterns.strip)
        assert "Something" in strip({}, UNKNOWN)["text"]


def test_the_items_own_html_goes_before_its_response(make: Make) -> None:
    strip = make(STEMMER_HTML_FIELD="body", STEMMER_URL_FIELD="link")
    own = Article(5)
    assert strip({"body": own.html(), "link": f"{SITE}/5"})["title"] == own.headline
    assert strip({"body": own.html().encode()})["title"] == own.headline
    assert strip({"body": ""})["title"] == ARTICLE.headline
    assert strip.of({"body": own.html()}, ItemPage(f"{SITE}/5"))["title"] == own.headline
    assert strip({"body": own.html(), "link": "http://other.com/"})["stemmer_matched"] is False


def test_html_of_an_item_that_is_too_large_passes_through(make: Make) -> None:
    strip = make(STEMMER_HTML_FIELD="body", STEMMER_MAX_BODY=len(ARTICLE.html()))
    assert strip({"body": ARTICLE.html()})["stemmer_matched"] is True
    assert strip({"body": ARTICLE.html() + " "})["stemmer_matched"] is False
    assert strip.stats["stemmer/skipped/too_large"] == 1


def test_an_item_without_a_page_is_flagged_and_counted(make: Make) -> None:
    strip = make()
    assert strip.pipeline.process_item({})["stemmer_matched"] is False
    assert strip.stats["stemmer/no_page"] == 1
    assert "stemmer/items/unmatched" not in strip.stats


@pytest.mark.parametrize("settings", [{}, {"STEMMER_HTML_FIELD": "body"}])
def test_an_item_is_opened_once(make: Make, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str]) -> None:
    opened: list[Any] = []

    class Noted(ItemFields):
        def __init__(self, item: Any) -> None:
            opened.append(item)
            super().__init__(item)

    monkeypatch.setattr(module, "ItemFields", Noted)
    item = make(**settings)({"body": ARTICLE.html()})
    assert item["stemmer_matched"]
    assert opened == [item]


def test_what_is_no_item_passes(make: Make) -> None:
    assert make().pipeline.process_item("text") == "text"


def test_a_mistake_of_ours_costs_no_item(
    make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def mistaken(*_: Any, **__: Any) -> Stripped:
        raise RuntimeError("oh")

    monkeypatch.setattr(items, "strip", mistaken)
    strip = make()
    assert strip({"a": 1})["stemmer_matched"] is False
    assert strip.stats["stemmer/errors/RuntimeError"] == 1
    assert f"{SITE}/3" in caplog.text


def test_a_broken_line_of_a_large_file_costs_no_item(
    patterns: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is found when a page of its site comes along, as files are read site by site."""
    monkeypatch.setattr(patternfile, "CHECKED_WHOLE", 0)
    path = tmp_path / "p.jsonl"
    path.write_text(patterns.read_text(encoding="utf-8").replace('"sections": [', '"sections": [1, '), encoding="utf-8")
    strip = Harness(path)
    assert strip({"url": "x"})["stemmer_matched"] is False
    assert strip.stats["stemmer/errors/PatternFileError"] == 1
    assert f"{path}, line 2, field sections[0]" in caplog.text


def test_a_page_is_stripped_once_for_all_its_items(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    strip_page = items.strip
    monkeypatch.setattr(items, "strip", lambda *given: calls.append(1) or strip_page(*given))
    strip = make()
    source = ItemPage(f"{SITE}/3", ARTICLE.html())
    assert strip.of({}, source) == strip.of({}, source)
    assert len(calls) == 1


@pytest.mark.parametrize("debug", [True, False])
def test_debugging_logs_each_page(make: Make, caplog: pytest.LogCaptureFixture, debug: bool) -> None:
    caplog.set_level("DEBUG")
    make(STEMMER_DEBUG=debug)({})
    assert (f"{SITE}/3: pattern" in caplog.text) is debug

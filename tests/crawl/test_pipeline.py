"""Fields of items, written or left alone."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pydantic
import pytest
import zyte_common_items
from scrapy.exceptions import DropItem
from scrapy.http import HtmlResponse

from scrapy_stemmer import Page, Reason, Stripped, learn
from scrapy_stemmer import strip as strip_alone
from scrapy_stemmer.crawl import pages
from scrapy_stemmer.crawl.pages import FallbackPage, ItemPage, ResponsePage
from scrapy_stemmer.crawl.pipeline import StemmerPipeline
from scrapy_stemmer.crawl.stats import summary
from scrapy_stemmer.learners.rules.decide.page import RulesPage
from tests.crawl.conftest import EVERY_RESULT, idle_crawler
from tests.crawl.website import Article

SITE = "http://example.com"
ARTICLE = Article(3)
UNKNOWN = "<body><p>Something else entirely."

Make = Callable[..., "Harness"]


class Harness:
    """A pipeline that knows the articles of a site."""

    def __init__(self, patterns: Path, **settings: Any) -> None:
        given = {"STEMMER_FIELDS": EVERY_RESULT, "STEMMER_PATTERNS": str(patterns), **settings}
        self.crawler = idle_crawler(**given)
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
    assert item["text"].splitlines() == ARTICLE.text
    assert set(item) == {
        "url",
        "title",
        "text",
        "sub_text",
        "html",
        "stemmer_matched",
        "stemmer_pattern",
        "stemmer_similarity",
        "stemmer_kind",
        "stemmer_confidence",
        "stemmer_reason",
        "stemmer_skipped_hidden",
        "stemmer_source",
    }
    assert list(item)[:3] == ["url", "title", "text"]
    assert item["stemmer_reason"] is None
    assert item["stemmer_matched"] is True
    assert 0.8 < item["stemmer_similarity"] <= 1
    assert strip.stats["stemmer/items/stripped"] == strip.stats["stemmer/items/matched"] == 1


def test_what_no_feed_can_write_is_left_out(make: Make) -> None:
    item = make()({}, ARTICLE.html().replace("</h1>", "\x08\ufffe</h1>").replace("<p>", "<p>\x0b\x1f\x08One\uffff "))
    written = item["title"] + item["text"]
    assert "One" in written
    assert not set(written) & set("\x00\x08\x0b\x0c\x1f\ufffe\uffff")


def test_an_item_is_small_unless_more_is_asked_for(make: Make) -> None:
    item = make(STEMMER_FIELDS=())({"url": "x"})
    assert list(item) == ["url", "title", "text", "stemmer_confidence", "stemmer_reason"]
    assert (item["title"], item["text"].splitlines(), item["stemmer_reason"]) == (ARTICLE.headline, ARTICLE.text, None)
    more = make(STEMMER_FIELDS=["html", "markdown", "authors", "published"])({"url": "x"}, SAID)
    assert set(more) - set(item) == {"html", "markdown", "authors", "published"}
    assert (more["authors"], more["published"]) == (["Ann Lee"], "2024-05-04T10:00:00+00:00")
    assert ARTICLE.body[0] in more["markdown"]


def test_a_class_gets_no_flag_that_is_not_named(make: Make) -> None:
    @dataclass
    class Flagged:
        text: str | None = None
        html: str | None = None
        stemmer_matched: bool | None = None

    assert make(STEMMER_FIELDS=())(Flagged()) == Flagged("\n".join(ARTICLE.text))
    assert make(STEMMER_FIELDS=["matched"])(Flagged()) == Flagged("\n".join(ARTICLE.text), None, stemmer_matched=True)


def test_fields_can_be_mapped_and_switched_off(make: Make) -> None:
    fields = {"text": "body", "title": None, "sub_text": "", "matched": "fits", "confidence": None, "reason": None}
    assert make(STEMMER_FIELDS=fields)({}) == {"body": "\n".join(ARTICLE.text), "fits": True}


def test_a_result_that_is_named_is_written_where_the_class_calls_it_as_zyte_does(make: Make) -> None:
    assert make(STEMMER_FIELDS=["published"])(Post(), SAID) == Post(datePublished="2024-05-04T10:00:00+00:00")


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
        monkeypatch.setattr(RulesPage, "confidence", lambda page: 0.25 if len(page.placed.columns) == 1 else 0.75)

    def test_confidence_is_written(self, make: Make) -> None:
        strip = make()
        assert (strip({}, self.ODD)["stemmer_confidence"], strip({})["stemmer_confidence"]) == (0.25, 0.75)
        assert strip({}, self.ODD)["text"] == "Hardly any text, where the site's pages have theirs."
        assert "stemmer/items/unsure" not in strip.stats

    def test_items_are_left_as_they_are_but_for_the_flags(self, make: Make, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level("DEBUG")
        strip = make(STEMMER_MIN_CONFIDENCE=0.5)
        item = strip({"title": "Mine"}, self.ODD)
        found = {name: value for name, value in item.items() if value is not None and "stemmer" not in name}
        assert found == {"title": "Mine"}
        assert (item["stemmer_matched"], item["stemmer_reason"]) == (True, "low_confidence")
        assert (strip.stats["stemmer/items/unsure"], strip.stats["stemmer/items/matched"]) == (1, 1)
        assert f"{SITE}/3: no text: low_confidence" in caplog.text
        assert strip.stats["stemmer/reasons/low_confidence"] == 1
        assert strip({})["text"].splitlines()[-1] == ARTICLE.body[-1]

    def test_unsure_items_can_be_dropped(self, make: Make) -> None:
        strip = make(STEMMER_MIN_CONFIDENCE="0.5", STEMMER_LOW_CONFIDENCE="drop")
        with pytest.raises(DropItem, match=rf"Confidence 0\.\d\d for {SITE}/3"):
            strip({}, self.ODD)
        assert strip.stats["stemmer/items/dropped"] == 1

    def test_a_fallback_can_be_asked_for_unsure_items(self, make: Make) -> None:
        ask = {"STEMMER_LOW_CONFIDENCE": "fallback", "STEMMER_FALLBACK": fallback_of({"text": "found"})}
        strip = make(STEMMER_MIN_CONFIDENCE=0.5, **ask)
        assert strip({}, self.ODD)["text"] == "found"
        assert strip({})["text"].splitlines()[-1] == ARTICLE.body[-1]
        assert strip.stats["stemmer/items/fallback"] == 1
        assert strip({}, self.ODD)["stemmer_reason"] is None


def test_systems_that_know_no_kinds_say_none(make: Make) -> None:
    strip = make(STEMMER_MIN_CONFIDENCE=1)
    assert (strip({})["stemmer_kind"], strip({})["stemmer_confidence"]) == (None, None)
    assert strip({})["text"].splitlines() == ARTICLE.text
    assert not any(name.startswith("stemmer/kinds/") for name in strip.stats)


@dataclass
class Few:
    title: str = ""
    unrelated: int = 0


SAID = ARTICLE.html().replace(
    "<head>",
    "<head><meta name=author content='Ann Lee'><meta property=article:published_time content=2024-05-04T10:00:00Z>"
    "<meta property=article:tag content=storms>",
)


@dataclass
class Post:
    """An item that declares some page fields."""

    authors: list[str] | None = None
    datePublished: str | None = None  # noqa: N815 - as zyte-common-items has it
    tags: list[str] | None = None


def test_a_class_gets_what_is_named_and_nothing_for_what_it_calls_its_fields(make: Make) -> None:
    """``authors`` and ``tags`` are everybody's names."""
    assert make()(Post(), SAID) == Post()
    named = make(STEMMER_FIELDS={"authors": "authors", "published": "datePublished"})
    assert named(Post(tags=["mine"]), SAID) == Post(["Ann Lee"], "2024-05-04T10:00:00+00:00", ["mine"])


@pytest.mark.parametrize("mine", [["mine"], [], 0, False, {}, b""])
def test_a_value_of_the_spider_stays_whatever_it_is(make: Make, mine: Any) -> None:
    fields = {"tags": "tags", "text": "text"}
    item = make(STEMMER_FIELDS=fields)({"title": mine, "text": mine, "tags": mine}, SAID)
    assert (item["title"], item["text"], item["tags"]) == (mine, mine, mine)


@pytest.mark.parametrize("nothing", [None, ""])
def test_a_field_without_a_value_is_filled(make: Make, nothing: Any) -> None:
    item = make(STEMMER_FIELDS={"tags": "tags"})({"title": nothing, "tags": nothing}, SAID)
    assert (item["title"], item["tags"]) == (ARTICLE.headline, ["storms"])


def test_items_of_zyte_get_its_classes(make: Make) -> None:
    article = make(STEMMER_FIELDS={"tags": None})(zyte_common_items.Article(url="http://a.example/"), SAID)
    assert article.authors == [zyte_common_items.Author(name="Ann Lee", nameRaw="Ann Lee")]
    assert (article.datePublished, article.mainImage) == ("2024-05-04T10:00:00Z", None)
    assert article.headline == ARTICLE.headline
    assert ARTICLE.body[0] in article.articleBody
    assert ARTICLE.body[0] in article.articleBodyHtml
    own = make()(zyte_common_items.Article(url="http://a.example/", headline="Mine", articleBody="Mine."), SAID)
    assert (own.headline, own.articleBody) == ("Mine", "Mine.")
    assert make(STEMMER_FIELDS={"text": None})(zyte_common_items.Article(url="http://a.example/")).articleBody is None


def test_a_page_whose_fields_cannot_be_read_costs_no_item(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_stemmer.patternset.read_fields", lambda *_: 1 / 0)
    strip = make(STEMMER_FIELDS={"authors": "by"})
    item = strip({}, SAID)
    assert (item["title"], item["by"]) == (ARTICLE.headline, None)
    assert strip.stats["stemmer/errors/ZeroDivisionError"] == 1


@dataclass
class Bare:
    url: str = ""


def test_items_without_a_field_for_text_are_not_told_as_with_text(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    strip = make()
    strip({})
    for item in (Bare(), Bare()):
        strip(item)
    assert summary(strip.stats) == "3 items: 1 with text; 2 of classes without a field for it"
    (told,) = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert "Bare have none of the fields title, text" in told


@dataclass
class Byline:
    authors: list[str] | None = None


def test_a_class_of_page_fields_needs_no_text(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    assert make(STEMMER_FIELDS={"authors": "authors"})(Byline(), SAID).authors
    assert "have none of the fields" not in caplog.text


def test_results_that_nobody_asks_for_are_not_made(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """The HTML of the main text is a copy of a part of the tree."""
    made: list[str] = []
    monkeypatch.setattr("scrapy_stemmer.patternset.pruned_html", lambda *_: made.append("html") or "<p>")

    @dataclass
    class Article:
        title: str | None = None

    make()(Article())
    make(STEMMER_FIELDS={"html": None})({})
    make()({"html": "mine"})
    assert made == []
    assert make()({})["html"] == "<p>"
    assert made == ["html"]


def test_only_items_into_which_their_text_was_written_count_as_with_text(make: Make) -> None:
    @dataclass(frozen=True)
    class Sealed:
        text: str = ""

    class Wrong(pydantic.BaseModel, validate_assignment=True):
        text: int | None = None
        stemmer_reason: str | None = None

    strip = make()
    strip(Sealed())
    assert strip(Wrong()).stemmer_reason == "failed"
    assert (summary(strip.stats).partition("; errors")[0]) == "2 items: 0 with text; 2 without: 2 failed"
    assert not {"stemmer/items/stripped"} & set(strip.stats)
    fallback = make(STEMMER_UNMATCHED="fallback", STEMMER_FALLBACK=fallback_of({"text": "found"}))
    fallback(Sealed(), UNKNOWN)
    assert "stemmer/items/fallback" not in fallback.stats
    assert fallback.stats["stemmer/reasons/failed"] == 1


@dataclass(frozen=True)
class Sealed:
    title: str = ""
    text: str = ""
    stemmer_matched: bool | None = None


class SealedModel(pydantic.BaseModel, frozen=True):
    title: str = ""


@pytest.mark.parametrize(
    ("kind", "stat", "errors"), [(Sealed, "FrozenInstanceError", 6), (SealedModel, "ValidationError", 3)]
)
def test_items_that_cant_be_changed_are_reported_once(
    make: Make, caplog: pytest.LogCaptureFixture, kind: Any, stat: str, errors: int
) -> None:
    strip = make()
    for _ in range(3):
        assert strip(kind()) == kind()
    assert strip.stats[f"stemmer/errors/{stat}"] == errors  # flags and contents of each
    (record,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert "a class that is not frozen" in record.getMessage()
    assert record.exc_info is None


def test_a_page_that_no_pattern_fits_has_the_text_that_the_scorer_finds(make: Make) -> None:
    strip = make()
    item, alone = strip({"title": "Mine"}, UNKNOWN), strip_alone(Page(f"{SITE}/3", UNKNOWN))
    assert (item["title"], item["text"]) == ("Mine", alone.text) == ("Mine", "Something else entirely.")
    assert (item["stemmer_matched"], item["stemmer_pattern"], item["stemmer_similarity"]) == (False, None, 0.0)
    assert (item["stemmer_kind"], item["stemmer_confidence"]) == (alone.kind, alone.confidence)
    assert strip.stats["stemmer/items/unmatched"] == strip.stats["stemmer/items/stripped"] == 1


@pytest.mark.parametrize("kinds", [["content"], "content, consent"])
def test_items_of_other_kinds_are_dropped_and_counted(kinds: Any, tmp_path: Path) -> None:
    path = tmp_path / "rules.jsonl"
    learn([Page(f"{SITE}/{n}", Article(n).html()) for n in range(10, 16)]).save(str(path))
    strip = Harness(path, STEMMER_KINDS=kinds)
    assert strip({"n": 1})["title"] == ARTICLE.headline
    assert strip({"n": 2}, "<body>")["stemmer_reason"] == "empty"
    error = "<title>404 Not Found</title><body><h1>404 Not Found</h1><p>The page you asked for was not found."
    with pytest.raises(DropItem, match=f"{SITE}/3 is of the kind error") as dropped:
        strip({"n": 3}, error)
    assert dropped.value.log_level == "DEBUG"
    assert strip.stats["stemmer/items/other_kinds"] == 1
    assert summary(strip.stats).endswith("1 of kinds that STEMMER_KINDS leaves out")
    assert strip.stats["stemmer/kinds/error"] == 1
    assert Harness(path)({"n": 3}, error)["stemmer_reason"] == "error"


def test_unmatched_items_can_be_dropped(make: Make) -> None:
    strip = make(STEMMER_UNMATCHED="drop")
    with pytest.raises(DropItem, match="No pattern fits"):
        strip({}, UNKNOWN)
    assert strip({})["stemmer_matched"]
    assert strip.stats["stemmer/items/dropped"] == 1
    assert not any(name.startswith("stemmer/reasons/") for name in strip.stats)


class TestWithoutText:
    """Items without text, or without a page, have a reason."""

    SKIPPED = ItemPage(f"{SITE}/3", skip=Reason.TOO_LARGE)

    def test_a_dict_has_all_columns_all_the_same(self, make: Make) -> None:
        """Feeds take them from the first item."""
        strip = make()
        item = strip.of({"url": "x"}, self.SKIPPED)
        assert list(item) == list(strip({"url": "x"}))
        assert [name for name, value in item.items() if value is not None] == [
            *("url", "stemmer_matched", "stemmer_similarity", "stemmer_reason", "stemmer_source")
        ]
        assert item["stemmer_reason"] == "too_large"

    def test_an_item_without_text_has_the_fields_of_metadata(self, make: Make) -> None:
        strip = make(STEMMER_FIELDS={"authors": "by", "tags": "labels"})
        item = strip.of({"url": "x"}, self.SKIPPED)
        assert list(item) == list(strip({"url": "x"}))
        assert (item["by"], item["labels"]) == (None, None)

    def test_an_item_of_a_page_that_the_spider_leaves_out_stays_as_it_is(self, make: Make) -> None:
        strip = make()
        assert strip.of({"url": "x"}, ItemPage(f"{SITE}/3", skip=Reason.OPTED_OUT)) == {"url": "x"}
        assert strip.stats == {"stemmer/sites/loaded": 1, "stemmer/reasons/opted_out": 1}

    def test_but_none_that_was_switched_off(self, make: Make) -> None:
        fields = {"text": "body", "html": None, "sub_text": None, "confidence": None, "reason": None}
        assert make(STEMMER_FIELDS=fields).of({}, self.SKIPPED) == {"title": None, "body": None}

    def test_what_the_spider_has_set_stays(self, make: Make) -> None:
        item = make().of({"title": "Mine", "text": ""}, self.SKIPPED)
        assert (item["title"], item["text"], item["html"]) == ("Mine", "", None)

    def test_other_items_are_left_as_they_are(self, make: Make) -> None:
        assert make().of(Few("Mine"), self.SKIPPED) == Few("Mine")
        assert make().of(Few(), self.SKIPPED) == Few()

    @pytest.mark.parametrize("unmatched", ["drop", "fallback"])
    def test_skipped_pages_are_not_unmatched(self, make: Make, unmatched: str) -> None:
        strip = make(STEMMER_UNMATCHED=unmatched, STEMMER_FALLBACK=fallback_of({"text": "found"}))
        assert strip.of({}, self.SKIPPED)["stemmer_reason"] == "too_large"
        assert strip.pipeline.process_item({})["stemmer_reason"] == "no_page"

    def test_items_without_text_are_logged(self, make: Make, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level("DEBUG")
        strip = make()
        strip.of({}, self.SKIPPED)
        strip({}, "<body>")
        strip.pipeline.process_item({"url": f"{SITE}/4"})
        counts = {name: count for name, count in strip.stats.items() if name.startswith("stemmer/reasons/")}
        assert counts == {f"stemmer/reasons/{why}": 1 for why in ("too_large", "empty", "no_page")}
        for told in ("3: no text: too_large", "3: no text: empty", "4: no text: no_page"):
            assert f"{SITE}/{told}" in caplog.text


class TestItemsThatAreNotKnown:
    """An earlier pipeline has replaced them, or they have not come by the spider middleware."""

    def test_unknown_items_get_the_page_at_their_address(self, make: Make) -> None:
        strip = make()
        response = HtmlResponse(f"{SITE}/3", body=ARTICLE.html(), encoding="utf-8")
        strip.pipeline._state.pages.note(response)
        assert strip.pipeline.process_item({"url": response.url})["title"] == ARTICLE.headline
        assert strip.pipeline.process_item({"url": f"{SITE}/4"})["stemmer_reason"] == "no_page"
        assert strip.pipeline.process_item({"url": 3})["stemmer_reason"] == "no_page"

    def test_responses_of_one_address_have_none_unless_all_say_the_same(self, make: Make) -> None:
        """Responses of a search by POST; a released item has its own response in UTF-8."""
        strip = make()

        def item_of(*bodies: bytes) -> Any:
            responses = [HtmlResponse(f"{SITE}/{len(bodies)}", body=body) for body in bodies]
            for response in responses:
                strip.pipeline._state.pages.note(response)
            return strip.pipeline.process_item({"url": responses[0].url})

        same = [ARTICLE.html(padding="é").encode(charset) for charset in ("utf-8", "latin-1")]
        assert item_of(*same)["title"] == ARTICLE.headline
        found = item_of(*same, Article(4).html().encode())
        assert (found["text"], found["stemmer_reason"]) == (None, "no_page")
        gc.collect()
        assert len(strip.pipeline._state.pages._noted) == 0

    def test_one_that_has_too_many_items_gives_its_text_to_none(self, make: Make) -> None:
        strip = make()
        response = HtmlResponse(f"{SITE}/3", body=ARTICLE.html(), encoding="utf-8")
        strip.pipeline._state.pages.of(response).is_shared = True
        assert strip.pipeline.process_item({"url": response.url})["stemmer_reason"] == "several_items"


def test_pipelines_before_ours_are_told(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    ours, other = "scrapy_stemmer.crawl.pipeline.StemmerPipeline", "tests.crawl.spiders.ReplacingPipeline"
    make(ITEM_PIPELINES={ours: 100, other: 200})
    assert caplog.text == ""
    make(ITEM_PIPELINES={ours: 100, other: 50})
    assert f"before StemmerPipeline: {other}. Give" in caplog.text


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
        (Stripped(matched=True), "", "stemmer/reasons/unmatched"),
        ({"title": "found"}, None, "stemmer/reasons/unmatched"),
        ({"body": "x"}, None, "stemmer/errors/TypeError"),
        (KeyError("x"), None, "stemmer/errors/KeyError"),
    ],
)
def test_fallbacks(make: Make, result: Any, text: str | None, stat: str | None) -> None:
    strip = make(STEMMER_UNMATCHED="fallback", STEMMER_FALLBACK=fallback_of(result))
    item = strip({}, UNKNOWN)
    assert item["text"] == text
    assert (item["stemmer_matched"], item["stemmer_reason"]) == (False, None if text else "unmatched")
    assert stat is None or strip.stats[stat] == 1


def test_headings_of_a_fallback_are_lists_of_objects_as_of_any_page(make: Make) -> None:
    found = fallback_of(strip_alone(Page(f"{SITE}/1", Article(1).html())))
    wanted = {"STEMMER_FIELDS": ["headings", "images"], "STEMMER_FALLBACK": found}
    item = make(STEMMER_UNMATCHED="fallback", **wanted)({}, UNKNOWN)
    assert item["headings"] == [{"level": 1, "text": Article(1).headline, "anchor": ""}]
    assert item["images"] == []


class TestWhatAFallbackGets:
    """Arguments of a fallback: URL, HTML as text, and a response."""

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


def test_the_items_own_html_goes_before_its_response(make: Make) -> None:
    strip = make(STEMMER_HTML_FIELD="body", STEMMER_URL_FIELD="link")
    own = Article(5)
    assert strip({"body": own.html(), "link": f"{SITE}/5"})["title"] == own.headline
    assert strip({"body": own.html().encode()})["title"] == own.headline
    assert strip({"body": ""})["title"] == ARTICLE.headline
    for response in (ItemPage(f"{SITE}/5"), ItemPage(f"{SITE}/5", skip=Reason.ERROR)):
        assert strip.of({"body": own.html()}, response)["title"] == own.headline
    assert strip({"body": own.html(), "link": "http://other.com/"})["stemmer_matched"] is False


def test_what_is_no_item_passes(make: Make) -> None:
    assert make().pipeline.process_item("text") == "text"


def test_our_errors_cost_no_item(make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def mistaken(*_: Any, **__: Any) -> Stripped:
        raise RuntimeError("oh")

    monkeypatch.setattr(pages, "strip_by", mistaken)
    strip = make()
    assert strip({"a": 1})["stemmer_reason"] == "failed"
    assert strip.stats["stemmer/errors/RuntimeError"] == 1
    assert f"{SITE}/3" in caplog.text


def test_a_page_is_stripped_once_for_all_its_items(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    strip_page = pages.strip_by
    monkeypatch.setattr(pages, "strip_by", lambda *given: calls.append(1) or strip_page(*given))
    strip = make()
    source = ItemPage(f"{SITE}/3", ARTICLE.html())
    assert strip.of({}, source) == strip.of({}, source)
    assert len(calls) == 1


@pytest.mark.parametrize("level", ["DEBUG", "INFO"])
def test_debugging_logs_each_page(make: Make, caplog: pytest.LogCaptureFixture, level: str) -> None:
    caplog.set_level(level)
    make()({})
    assert (f"{SITE}/3: pattern" in caplog.text) is (level == "DEBUG")


def test_the_first_page_tells_of_a_missing_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Not before: ``scrapy shell`` has a crawler too."""
    strip = Harness(tmp_path / "none.jsonl")
    strip.of({}, TestWithoutText.SKIPPED)
    assert caplog.records == []
    assert strip({})["text"].splitlines()[-1] == ARTICLE.body[-1]
    strip({})
    (record,) = caplog.records
    for told in (str(tmp_path / "none.jsonl"), "by the scorer alone", "scrapy crawl spider -s STEMMER_LEARN=1"):
        assert told in record.getMessage()

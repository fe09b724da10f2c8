"""Real crawls: each kind of spider and of item; learning, then stripping from the file."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from scrapy_stemmer import Page, PatternSet, learn
from tests.crawl.conftest import EVERY_RESULT, Crawl, Crawler
from tests.crawl.spiders import ITEM_KINDS, DataclassItem
from tests.crawl.website import FOOTER, NAVIGATION, Article, Website

LEARN = {"STEMMER_LEARN": True}

OURS = "scrapy_stemmer.crawl.pipeline.StemmerPipeline"


def assert_stripped(done: Crawl, website: Website, count: int, prefix: str = "/article/") -> None:
    """Assert that each article came out once, with exactly its own text."""
    for number in range(count):
        item = done.by_url[website.url(f"{prefix}{number}.html")]
        assert item["stemmer_matched"] is True, item
        assert item["title"] == Article(number).headline
        assert item["text"].splitlines() == Article(number).text


@pytest.mark.parametrize("spider", ["from_start", "crawling"])
def test_each_kind_of_spider_learns_and_strips_every_item(crawl: Crawler, website: Website, spider: str) -> None:
    website.add_articles(12)
    done = crawl(spider, website.url("/article/"), STEMMER_SAMPLE_SIZE=8, **LEARN)
    assert_stripped(done, website, 12)
    assert done.stats.get("stemmer/held/total") == done.stats.get("stemmer/held/released")
    assert done.leftovers == []


def test_a_site_is_learned_once_stripped_from_the_file_and_learned_again_only_when_asked(
    crawl: Crawler, website: Website
) -> None:
    website.add_articles(6)
    first = crawl("plain", website.url("/article/"), arguments={"copy_meta": 1}, METACOPY_ENABLED=False, **LEARN)
    assert_stripped(first, website, 6)
    [line] = [line for line in first.log.splitlines() if "INFO: Learned" in line]
    assert "early" not in line
    for part in (website.site, "2 patterns from 7 pages", "7 items released"):
        assert part in line
    html = "".join(item["html"] or "" for item in first.items)
    assert not any(template in html for template in (FOOTER, NAVIGATION.split()[1]))
    before = (first.folder / "patterns.jsonl").read_bytes()
    (first.folder / "items.jsonl").unlink()
    second = crawl("plain", website.url("/article/"), **LEARN)
    assert_stripped(second, website, 6)
    assert not {"stemmer/held/total", "stemmer/sites/learned"} & set(second.stats)
    assert second.stats["stemmer/sites/loaded"] == 1
    assert (first.folder / "patterns.jsonl").read_bytes() == before
    again = crawl("plain", website.url("/article/"), STEMMER_LEARN="again", STEMMER_LEARNER=...)
    assert again.stats["stemmer/sites/learned"] == 1
    items = {item["url"]: item for item in again.items[7:]}
    for number in range(6):
        item = items[website.url(f"/article/{number}.html")]
        assert item["title"] == Article(number).headline
        assert set(item["text"].splitlines()) >= set(Article(number).body)
        assert FOOTER not in item["text"]


def test_each_kind_of_item_but_those_of_other_types(crawl: Crawler, website: Website) -> None:
    """Items of other classes don't wait either."""
    website.add_articles(10)
    types = ["dict", "tests.crawl.spiders.ScrapyItem", DataclassItem, "tests.crawl.spiders.AttrsItem"]
    done = crawl("every_kind", website.url("/article/"), STEMMER_ITEM_TYPES=types, **LEARN)
    assert done.stats["stemmer/held/total"] == 9
    for number in range(10):
        item, kind = done.by_url[website.url(f"/article/{number}.html")], list(ITEM_KINDS)[number % len(ITEM_KINDS)]
        expected = (None, None) if kind == "pydantic" else (Article(number).headline, "\n".join(Article(number).text))
        assert (item["title"], item["text"]) == expected
        # Classes get only what they have fields for, dicts get everything.
        assert ("html" in item) is (kind == "dict")


def test_what_a_spider_does_to_the_tree_of_scrapy_makes_no_difference(crawl: Crawler, website: Website) -> None:
    website.add_articles(6)
    every = {"STEMMER_ITEMS_PER_PAGE": 0, "STEMMER_FIELDS": EVERY_RESULT}
    done = crawl("removing", website.url("/article/"), **every, **LEARN)
    for number in range(6):
        found = [each for each in done.items if each["url"] == website.url(f"/article/{number}.html")]
        assert [each["text"].splitlines() for each in found] == [Article(number).text] * 2
        assert {each["title"] for each in found} == {Article(number).headline}


def test_without_learning_and_without_a_file_the_scorer_strips_and_one_warning_tells_what_to_do(
    crawl: Crawler, website: Website
) -> None:
    website.add_articles(3)
    pipelines = {"tests.crawl.spiders.NotingText": 1}
    done = crawl("summing_up", website.url("/article/"), ITEM_PIPELINES=pipelines)
    assert len(done.items) == 4
    assert (done.stats["items at idle"], done.stats["finish_reason"]) == ([4], "all seen")
    assert [item["noted"] for item in done.items] == [item["text"] for item in done.items], "by a pipeline before ours"
    assert "before StemmerPipeline" not in done.log
    assert all(
        (i["stemmer_matched"], i["stemmer_pattern"], i["stemmer_similarity"]) == (False, None, 0) for i in done.items
    )
    assert {url: bool(item["text"]) for url, item in done.by_url.items() if url.endswith(".html")} == {
        website.url(f"/article/{number}.html"): True for number in range(3)
    }
    assert done.log.count("[scrapy_stemmer] WARNING") == 1
    assert str(done.folder / "patterns.jsonl") in done.log
    assert "scrapy crawl summing_up -s STEMMER_LEARN=1" in done.log


def test_without_waiting_items_pass_at_once_stripped_by_what_is_known_then(crawl: Crawler, website: Website) -> None:
    """First by the scorer alone, later by what was learned."""
    website.add_articles(24)
    settings = {"STEMMER_HOLD": False, "STEMMER_LEARNER": "rules", "CONCURRENT_REQUESTS": 1, "DOWNLOAD_DELAY": 0.05}
    done = crawl("plain", website.url("/article/"), **settings, **LEARN)
    assert len(done.by_url) == 25
    flags = [item["stemmer_matched"] for item in done.items]
    assert flags == sorted(flags)
    assert (flags[0], flags[-1]) == (False, True)
    for number in range(24):
        assert set(done.by_url[website.url(f"/article/{number}.html")]["text"].splitlines()) >= set(
            Article(number).text
        )
    assert "stemmer/held/total" not in done.stats
    assert done.patterns.sites == (website.site,)


def test_meta_and_url_rules_keep_pages_out(crawl: Crawler, website: Website) -> None:
    """The spider opts out for pages with an odd number."""
    website.add_articles(10)
    done = crawl("opted_out", website.url("/article/"), STEMMER_URL_RULES=[r"-/4\.html$", r"+\.html$"], **LEARN)
    assert len(done.by_url) == 11
    plain = {website.url(f"/article/{number}.html") for number in range(1, 10, 2)}
    assert {url for url, item in done.by_url.items() if set(item) == {"url"}} == plain
    rejected = [url for url, item in done.by_url.items() if url not in plain and not item["stemmer_matched"]]
    assert sorted(rejected) == [website.url("/article/"), website.url("/article/4.html")]
    counts = {"pages/sampled": 4, "reasons/rejected": 2, "reasons/opted_out": 5}
    assert {name: done.stats[f"stemmer/{name}"] for name in counts} == counts


def test_items_that_bring_their_html_along(crawl: Crawler, website: Website) -> None:
    import json

    pages = [{"url": website.url(f"/article/{n}.html"), "html": Article(n).html()} for n in range(6)]
    website.add("/api", json.dumps(pages), content_type="application/json")
    done = crawl("own_html", website.url("/api"), STEMMER_HTML_FIELD="body", **LEARN)
    assert_stripped(done, website, 6)
    assert done.stats["stemmer/pages/sampled"] == 6
    assert "No item had HTML" not in done.log


def test_an_item_given_twice_and_several_items_of_a_page(crawl: Crawler, website: Website) -> None:
    website.add_articles(5)
    given = {"STEMMER_ITEMS_PER_PAGE": 0, "STEMMER_HTML_FIELD": "typo"}
    done = crawl("repeating", website.url("/article/"), **given, **LEARN)
    assert len(done.items) == 18
    assert done.stats["stemmer/items/unmatched"] == 18
    assert "stemmer/reasons/no_page" not in done.stats
    assert "stemmer/pages/sampled" not in done.stats
    assert "No item had HTML in its field 'typo' (STEMMER_HTML_FIELD)" in done.log


def test_rows_of_a_list_get_nothing_of_its_text(crawl: Crawler, website: Website) -> None:
    """Each would have the text of all."""
    website.add_articles(5)
    done = crawl("rows", website.url("/article/"), STEMMER_FIELDS=["html", "authors"], **LEARN)
    rows = [item for item in done.items if "row" in item]
    assert len(rows) == 5
    assert {item["stemmer_reason"] for item in rows} == {"several_items"}
    assert [(item["title"], item["text"], item["html"], item["authors"]) for item in rows] == [(None,) * 4] * 5
    pages = [item for item in done.items if "row" not in item]
    assert len(pages) == 5
    assert all(item["text"] for item in pages)
    assert "5 without: 5 several_items" in done.log
    assert done.log.count("STEMMER_ITEMS_PER_PAGE = 0") == 1
    assert (done.stats["stemmer/held/total"], done.leftovers) == (5, []), "rows don't wait"


def test_an_item_that_is_filled_over_several_pages_has_the_page_that_it_names(crawl: Crawler, website: Website) -> None:
    hops = ["/about.json"], ["/author.html"], ["/author.html", "/about.json"]
    kinds = list(product(["cb_kwargs", "meta", "loader"], hops))
    ways = {f"/article/{number}.html": kinds[number % len(kinds)] for number in range(2 * len(kinds))}
    website.add_articles(len(ways))
    for story in map(website.url, ways):
        website.add(f"/about.json?of={story}", "{}", content_type="application/json")
        website.add(f"/author.html?of={story}", Article(90).html())
        website.add(f"/about.json?of={website.url('/author.html')}?of={story}", "{}", content_type="application/json")
    done = crawl("chained", *map(website.url, ways), arguments={"ways": ways}, **LEARN)
    assert done.by_url.keys() == {*map(website.url, ways)}
    for number, path in enumerate(ways):
        item = done.by_url[website.url(path)]
        assert item["title"] == Article(number).headline, ways[path]
        assert Article(number).body[-1] in item["text"], ways[path]


def test_items_replaced_before_the_pipeline_have_the_page_of_their_address(crawl: Crawler, website: Website) -> None:
    """Released items are included."""
    website.add_articles(8)
    pipelines = {"tests.crawl.spiders.ReplacingPipeline": 50, OURS: 100}
    done = crawl("plain", website.url("/article/"), ITEM_PIPELINES=pipelines, **LEARN)
    assert len(done.items) == 6
    articles = [item for item in done.items if item["url"].endswith(".html")]
    assert all(item["text"] and item["stemmer_reason"] is None for item in articles)
    assert articles
    assert "stemmer/reasons/no_page" not in done.stats
    assert done.log.count("before StemmerPipeline: tests.crawl.spiders.ReplacingPipeline. Give") == 1


def test_links_vote_for_titles_and_redirections_count_for_the_page(crawl: Crawler, website: Website) -> None:
    """Without linkinfo the title is a guess; with linkinfo, the section named by links."""
    website.add_articles(8)
    links = {f"/old/{n}": Article(n).headline for n in range(8)}
    website.add("/", f"<html><body><ul class='links'>{''.join(f'<li><a href={u}>{t}</a>' for u, t in links.items())}")
    for number in range(8):
        website.add(f"/old/{number}", "", status=302, headers={"Location": f"/article/{number}.html"})
    done = crawl("plain", website.url("/"), STEMMER_SAMPLE_SIZE=9, STEMMER_MIN_SAMPLE=2, **LEARN)
    assert_stripped(done, website, 8)


def test_answers_whose_status_is_an_error_have_no_text(crawl: Crawler, website: Website) -> None:
    """A spider may ask for error responses, which are no pages of the site."""
    website.add_articles(8)
    answers = {
        "/gone": (404, "Not Found"),
        "/former": (410, "gone"),
        "/busy": (503, "<title>Busy</title><p>busy</p>"),
        "/framed": (404, Article(90).html()),
        "/members": (403, Article(91).html()),
        "/empty": (500, ""),
    }
    for path, (status, body) in answers.items():
        website.add(path, body, status=status)
    urls = [website.url(path) for path in answers]
    given = {"HTTPERROR_ALLOW_ALL": True, "RETRY_ENABLED": False, **LEARN}
    done = crawl("plain", website.url("/article/"), *urls, **given)
    assert_stripped(done, website, 8)
    for url in urls:
        item = done.by_url[url]
        assert (item["text"], item["stemmer_reason"], item["stemmer_matched"]) == (None, "error", False)
    assert done.stats["stemmer/reasons/error"] == len(urls)
    assert done.stats["stemmer/pages/sampled"] == 8 + 1


def test_a_project_without_the_pipeline_still_gets_its_items(crawl: Crawler, website: Website) -> None:
    website.add_articles(5)
    done = crawl("plain", website.url("/article/"), ITEM_PIPELINES={OURS: None}, **LEARN)
    assert len(done.by_url) == 6
    assert all(set(item) == {"url"} for item in done.items)


def test_a_broken_pattern_file_keeps_the_crawl_from_starting_and_is_left_alone(
    crawl: Crawler, website: Website, tmp_path: Path
) -> None:
    website.add_articles(3)
    (tmp_path / "patterns.jsonl").write_text('{"format": "torn')
    done = crawl("plain", website.url("/article/"), ok=False, **LEARN)
    assert done.exit_code == 1
    assert "PatternFileError" in done.log
    assert str(tmp_path / "patterns.jsonl") in done.log
    assert website.asked == []
    assert (tmp_path / "patterns.jsonl").read_text() == '{"format": "torn'


def test_a_broken_line_costs_its_site_until_it_is_mended_or_learned_again(
    crawl: Crawler, website: Website, tmp_path: Path
) -> None:
    website.add_articles(6)
    file = tmp_path / "patterns.jsonl"
    learn([Page(website.url(f"/{n}"), Article(n).html()) for n in range(6)], learner="layout").save(str(file))
    learned = file.read_text(encoding="utf-8")
    broken = learned.replace(', "score"', ' "score"', 1)
    file.write_text(broken, encoding="utf-8")
    done = crawl("plain", website.url("/article/"))
    assert {(item["stemmer_matched"], bool(item["text"])) for item in done.items[-6:]} == {(False, True)}
    assert done.log.count(f"Lines of 1 site can't be read: {website.site} ({file}, line 2: The line is not JSON") == 1
    assert done.stats["stemmer/sites/broken"] == 1
    assert file.read_text(encoding="utf-8") == broken
    done = crawl("plain", website.url("/article/"), STEMMER_SAMPLE_SIZE=4, **LEARN)
    assert f"the lines of {website.site} could not be read" in done.log
    assert broken.splitlines()[1] in done.log
    assert PatternSet.load(str(file), strict=True).sites == (website.site,)


def test_components_enabled_by_hand_and_no_asyncio(crawl: Crawler, website: Website) -> None:
    website.add_articles(5)
    middlewares = {"scrapy_stemmer.crawl.spidermiddleware.StemmerSpiderMiddleware": 543}
    reactor = "twisted.internet.selectreactor.SelectReactor"
    given = {"ADDONS": {}, "SPIDER_MIDDLEWARES": middlewares, "ITEM_PIPELINES": {OURS: 100}, "TWISTED_REACTOR": reactor}
    done = crawl("plain", website.url("/article/"), **given, **LEARN)
    assert_stripped(done, website, 5)

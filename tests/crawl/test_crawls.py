"""Real crawls: each kind of spider, with and without learning, waiting and the add-on."""

from __future__ import annotations

from tests.crawl.conftest import Crawl, Crawler
from tests.crawl.website import Article, Website

LEARN = {"STEMMER_LEARN": True}


def assert_stripped(done: Crawl, website: Website, count: int, prefix: str = "/article/") -> None:
    """Assert that each article came out once, with exactly its own text."""
    for number in range(count):
        item = done.by_url[website.url(f"{prefix}{number}.html")]
        assert item["stemmer_matched"] is True, item
        assert item["title"] == Article(number).headline
        assert item["text"].splitlines() == Article(number).text


def test_items_and_requests_from_start_are_learned_and_stripped(crawl: Crawler, website: Website) -> None:
    website.add_articles(12)
    done = crawl("from_start", website.url("/article/"), STEMMER_SAMPLE_SIZE=8, **LEARN)
    assert_stripped(done, website, 12)
    assert done.stats.get("stemmer/held/total") == done.stats.get("stemmer/held/released")
    assert done.leftovers == []


def test_without_patterns_the_scorer_strips_with_one_warning(crawl: Crawler, website: Website) -> None:
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
    website.add_articles(8)
    website.answers["/article/7.html"].when = crawl.logged("INFO: Learned")
    settings = {"STEMMER_HOLD": False, "STEMMER_LEARNER": "rules", "CONCURRENT_REQUESTS": 1}
    urls = [website.url(f"/article/{number}.html") for number in range(8)]
    done = crawl("one_by_one", *urls, **settings, **LEARN)
    flags = [done.by_url[url]["stemmer_matched"] for url in urls]
    assert flags == sorted(flags)
    assert (flags[0], flags[-1]) == (False, True)
    for number, url in enumerate(urls):
        assert set(done.by_url[url]["text"].splitlines()) >= set(Article(number).text)
    assert "stemmer/held/total" not in done.stats
    assert done.patterns.sites == (website.site,)


def test_links_vote_for_titles_and_redirections_count_for_the_page(crawl: Crawler, website: Website) -> None:
    """Without linkinfo the title is a guess; with linkinfo, the section named by links."""
    website.add_articles(8)
    links = {f"/old/{n}": Article(n).headline for n in range(8)}
    website.add("/", f"<html><body><ul class='links'>{''.join(f'<li><a href={u}>{t}</a>' for u, t in links.items())}")
    for number in range(8):
        website.add(f"/old/{number}", "", status=302, headers={"Location": f"/article/{number}.html"})
    done = crawl("plain", website.url("/"), STEMMER_SAMPLE_SIZE=9, STEMMER_MIN_SAMPLE=2, **LEARN)
    assert_stripped(done, website, 8)


def test_components_enabled_by_hand_rules_of_a_crawl_spider_and_no_asyncio(crawl: Crawler, website: Website) -> None:
    website.add_articles(5)
    pipelines = {"scrapy_stemmer.crawl.pipeline.StemmerPipeline": 100}
    middlewares = {"scrapy_stemmer.crawl.spidermiddleware.StemmerSpiderMiddleware": 543}
    reactor = "twisted.internet.selectreactor.SelectReactor"
    given = {"ADDONS": {}, "SPIDER_MIDDLEWARES": middlewares, "ITEM_PIPELINES": pipelines, "TWISTED_REACTOR": reactor}
    done = crawl("crawling", website.url("/article/"), **given, **LEARN)
    assert_stripped(done, website, 5)

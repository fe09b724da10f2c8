"""Real crawls with waiting items: each comes out once, and no crawl stops for them."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
import scrapy

from tests.crawl.conftest import Crawl, Crawler
from tests.crawl.session.test_session import make
from tests.crawl.test_crawls import LEARN, assert_stripped
from tests.crawl.website import Website
from tests.processes import until

PAGES = 24


def test_more_than_five_megabytes_wait_and_come_out(crawl: Crawler, website: Website, tmp_path: Path) -> None:
    """Scrapy takes no further response while 5 MB of them have items in pipelines; ours are not there."""
    website.add_articles(PAGES, padding="x" * 400_000)
    website.add("/robots.txt", "User-agent: *\nAllow: /", content_type="text/plain")
    done = crawl(
        "plain",
        website.url("/article/"),
        arguments={"allowed_domains": ["127.0.0.1"]},
        ROBOTSTXT_OBEY=True,
        HTTPCACHE_ENABLED=True,
        HTTPCACHE_DIR=str(tmp_path / "cache"),
        DEPTH_LIMIT=3,
        DOWNLOAD_DELAY=0.1,
        AUTOTHROTTLE_ENABLED=True,
        AUTOTHROTTLE_START_DELAY=0.1,
        DUPEFILTER_DEBUG=True,
        SCHEDULER_DEBUG=True,
        STEMMER_SAMPLE_SIZE=100,
        **LEARN,
    )
    assert_stripped(done, website, PAGES)
    assert done.stats["stemmer/held/total"] == PAGES + 1
    assert done.leftovers == []
    assert done.stats["finish_reason"] == "finished"
    assert "offsite/filtered" not in done.stats


def test_items_come_out_early_and_middlewares_see_each_once(crawl: Crawler, website: Website) -> None:
    website.add_articles(60)
    middlewares = {"tests.crawl.spiders.Watching": 600, "tests.crawl.spiders.WatchingNearer": 400}
    given = {"STEMMER_SAMPLE_SIZE": 5, "CONCURRENT_REQUESTS": 2, "SPIDER_MIDDLEWARES": middlewares}
    done = crawl("plain", website.url("/article/"), **given, **LEARN)
    assert_stripped(done, website, 60)
    assert done.stats["stemmer/held/total"] < 60
    watched = {name: value for name, value in done.stats.items() if name.startswith("watched")}
    assert len(watched) == 2 * 61
    assert set(watched.values()) == {1}


def test_a_middleware_that_rejects_the_response_of_an_item_costs_no_item(crawl: Crawler, website: Website) -> None:
    website.add_articles(5)
    done = crawl("plain", website.url("/article/"), SPIDER_MIDDLEWARES={"tests.crawl.spiders.Once": 400}, **LEARN)
    assert_stripped(done, website, 5)
    assert len(done.by_url) == 6


def test_items_that_waited_have_a_response_of_their_own_as_their_page_had(crawl: Crawler, website: Website) -> None:
    website.add_articles(10)
    extensions, middlewares = {"tests.crawl.spiders.ScrapedNotes": 500}, {"tests.crawl.spiders.Watching": 100}
    urls = [website.url(f"/article/{number}.html") for number in range(10)]
    done = crawl("posting", *urls, EXTENSIONS=extensions, SPIDER_MIDDLEWARES=middlewares, **LEARN)
    assert len(done.by_url) == done.stats["stemmer/held/total"] == 10
    for url, item in done.by_url.items():
        assert done.stats[f"scraped/{url}"] == [url, 200, "POST", item["asked"], item["number"]]
        assert done.stats[f"told/{url}"] == ["text/html; charset=utf-8", {"number": item["number"]}]
        assert done.log.count(f"Scraped from <200 {url}>") == 1
    noted = {name.removeprefix("delta/"): value for name, value in done.stats.items() if name.startswith("delta/")}
    assert noted == {item["asked"]: 1 for item in done.items}, "a middleware nearer to the engine sees each once"
    assert "data:" not in done.log


class TestIdle:
    """``spider_idle`` is sent when nothing waits."""

    @pytest.mark.parametrize("reactor", [True, False])
    def test_a_handler_has_all_items_and_its_reason(self, crawl: Crawler, website: Website, reactor: bool) -> None:
        if not reactor and scrapy.version_info < (2, 15):
            pytest.skip("Scrapy needs a reactor")
        website.add_articles(5)
        done = crawl("summing_up", website.url("/article/"), TWISTED_REACTOR_ENABLED=reactor, **LEARN)
        assert done.stats["items at idle"] == [6]
        assert done.stats["finish_reason"] == "all seen"
        assert done.stats["stemmer/held/total"] == len(done.by_url) == 6
        assert_stripped(done, website, 5)

    def test_a_handler_may_ask_for_more_pages(self, crawl: Crawler, website: Website) -> None:
        website.add_articles(5)
        more = website.url("/article/4.html")
        urls = [website.url(f"/article/{number}.html") for number in range(4)]
        done = crawl("asking_on", *urls, arguments={"more": more}, **LEARN)
        assert len(done.by_url) == 5
        assert done.by_url[more]["text"]
        assert done.stats["finish_reason"] == "finished"


@pytest.mark.parametrize(
    ("settings", "is_told"),
    [
        ({"CLOSESPIDER_TIMEOUT_NO_ITEM": 60}, True),
        ({"CLOSESPIDER_TIMEOUT_NO_ITEM": 301}, False),
        ({"CLOSESPIDER_TIMEOUT_NO_ITEM": 60, "STEMMER_MAX_WAIT": 30}, False),
        ({"CLOSESPIDER_TIMEOUT_NO_ITEM": 60, "STEMMER_HOLD": False}, False),
        ({"CLOSESPIDER_PAGECOUNT_NO_ITEM": 20}, True),
        ({"CLOSESPIDER_PAGECOUNT_NO_ITEM": 21}, False),
        ({}, False),
    ],
)
def test_that_a_crawl_may_be_closed_as_no_item_comes_is_told_at_its_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, settings: dict[str, Any], is_told: bool
) -> None:
    make(tmp_path, **settings)
    assert ("may close this crawl while it works well" in caplog.text) is is_told


def test_a_limit_of_items_is_kept_to_and_nothing_is_lost(crawl: Crawler, website: Website) -> None:
    website.add_articles(30)
    done = crawl("plain", website.url("/article/"), CLOSESPIDER_ITEMCOUNT=3, STEMMER_SAMPLE_SIZE=5, **LEARN)
    assert done.stats["finish_reason"] == "closespider_itemcount"
    assert_all_that_were_seen_came_out(done, website)


def interrupted(
    crawl: Crawler, website: Website, spider: str, told: str = "", free: int = 10, **settings: Any
) -> Crawl:
    """Stop a crawl with Ctrl-C, and answer its later requests then.

    :param told: text of the log to wait for, by default the request behind those that are answered at once.
    """
    opened = website.hold_after(free)
    process = crawl.start(spider, website.url("/article/"), **settings, **LEARN)
    until(crawl.logged(told) if told else lambda: len(website.asked) > free)
    process.send_signal(signal.SIGINT)
    until(crawl.logged("Received SIGINT"))
    opened.set()
    return crawl.wait(process)


@pytest.fixture
def jobdir(tmp_path: Path) -> dict[str, Any]:
    """Settings of a crawl that can be resumed, with a large sample."""
    return {"JOBDIR": str(tmp_path / "job"), "CONCURRENT_REQUESTS": 2, "STEMMER_SAMPLE_SIZE": 30}


def test_stopping_with_ctrl_c(crawl: Crawler, website: Website) -> None:
    website.add_articles(40)
    done = interrupted(crawl, website, "plain", CONCURRENT_REQUESTS=2, STEMMER_SAMPLE_SIZE=30)
    assert done.stats["finish_reason"] == "shutdown"
    assert_all_that_were_seen_came_out(done, website)


def test_ctrl_c_with_items_in_memory_and_on_disk(crawl: Crawler, website: Website, jobdir: dict[str, Any]) -> None:
    """Items in memory come out at the pause, unstripped by later patterns."""
    website.add_articles(40)
    settings = {**jobdir, "ITEM_PIPELINES": {"tests.crawl.spiders.Plainer": 900}}
    paused = interrupted(crawl, website, "mixed", **settings)
    assert len(paused.items) == paused.stats["stemmer/held/released"] > 2
    assert paused.stats["stemmer/held/kept"] > 2
    resumed = crawl("mixed", website.url("/article/"), **settings, **LEARN)
    assert len(resumed.by_url) == 41


def test_ctrl_c_with_items_that_come_then(crawl: Crawler, website: Website, jobdir: dict[str, Any]) -> None:
    """They come out as well, though they came to wait after the pause had begun."""
    website.add_articles(10)
    settings = {**jobdir, "CONCURRENT_REQUESTS": 5, "ITEM_PIPELINES": {"tests.crawl.spiders.SlowPlainer": 900}}
    paused = interrupted(crawl, website, "mixed", free=6, **settings)
    assert len(paused.items) == paused.stats["stemmer/held/released"] > 3


def test_ctrl_c_while_the_last_site_is_learned(crawl: Crawler, website: Website, jobdir: dict[str, Any]) -> None:
    """With JOBDIR each comes out once: before the pause or after it, and into the feed in any case."""
    website.add_articles(5)
    settings = {**jobdir, "STEMMER_LEARNER": "tests.crawl.learners.Slow"}
    paused = interrupted(crawl, website, "resumable", "Slow learner at work", **settings)
    assert paused.stats["finish_reason"] == "shutdown"
    assert len(paused.items) + paused.stats.get("stemmer/held/kept", 0) == 6
    resumed = crawl("resumable", website.url("/article/"), **settings, **LEARN)
    assert len(resumed.by_url) == 6
    assert_stripped(resumed, website, 5)


def test_pause_and_resume(crawl: Crawler, website: Website, jobdir: dict[str, Any], tmp_path: Path) -> None:
    """A resumed crawl that does not learn lets its items go."""
    website.add_articles(40)
    settings = dict(jobdir)
    paused = interrupted(crawl, website, "stories", **settings)
    assert paused.items == []
    assert paused.stats["stemmer/held/kept"] == paused.stats["stemmer/held/total"] > 8
    assert "Left waiting for the crawl to be resumed: " in paused.log
    assert "stripped by the scorer alone: " not in paused.log
    assert not paused.stats["stemmer/sites/unlearned"]
    for learns in (True, False):
        copy = tmp_path / f"learns_{learns}"
        shutil.copytree(tmp_path / "job", copy / "job")
        settings["JOBDIR"] = str(copy / "job")
        resumed = Crawler(copy)("stories", website.url("/article/"), **settings, STEMMER_LEARN=learns)
        assert len(resumed.by_url) == 41
        assert any(item["stemmer_matched"] for item in resumed.items) is learns
        assert list((copy / "job" / "stemmer").iterdir()) == []
        if learns:
            assert_stripped(resumed, website, 40)
            assert paused.stats["stemmer/pages/sampled"] + resumed.stats["stemmer/pages/sampled"] == 30


def test_a_middleware_that_raises_for_later_output_costs_no_item(crawl: Crawler, website: Website) -> None:
    website.add_articles(3)
    done = crawl(
        "asking",
        website.url("/article/1.html"),
        ok=False,
        SPIDER_MIDDLEWARES={"tests.crawl.spiders.RefusingRequests": 100},
        **LEARN,
    )
    assert done.by_url[website.url("/article/1.html")]["text"]
    assert done.log.count("Traceback") == 1
    assert done.leftovers == []


def test_a_learned_site_is_not_learned_again(crawl: Crawler, website: Website, jobdir: dict[str, Any]) -> None:
    """Sites in the pattern file are learned again, but once."""
    website.add_articles(40)
    settings = {**jobdir, "STEMMER_SAMPLE_SIZE": 4, "STEMMER_LEARNER": "rules"}
    paused = interrupted(crawl, website, "resumable", "Written to", 20, **settings)
    assert paused.stats["stemmer/sites/learned"] == 1
    resumed = crawl("resumable", website.url("/article/"), **settings, STEMMER_LEARN="again")
    assert len(resumed.by_url) == 41
    assert "stemmer/pages/sampled" not in resumed.stats


def assert_all_that_were_seen_came_out(done: Crawl, website: Website) -> None:
    """Assert that every item is in the feed or, at worst, in the file of unreleased items."""
    unreleased = [name for name in done.leftovers if "unreleased" in name]
    assert unreleased == [], done.log
    assert len(done.by_url) == done.stats["item_scraped_count"]
    assert done.stats["item_scraped_count"] == done.stats["response_received_count"]
    assert done.leftovers == []

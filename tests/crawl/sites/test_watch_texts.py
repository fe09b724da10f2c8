"""The watch over the texts of a crawl's sites, page by page."""

from __future__ import annotations

from typing import Any, cast

import pytest

from scrapy_stemmer import Page, learn
from scrapy_stemmer.crawl.pages import ItemPage
from scrapy_stemmer.crawl.sites import watch as text_watch
from scrapy_stemmer.crawl.sites.patterns import CrawlPatterns
from scrapy_stemmer.crawl.sites.table import Sites
from scrapy_stemmer.crawl.sites.watch import TextWatch
from scrapy_stemmer.learners.rules.returning.new_boxes import LEAST_PAGES
from scrapy_stemmer.settings import StemmerConfig
from scrapy_stemmer.stores.base import by_site
from tests.crawl.conftest import idle_crawler
from tests.crawl.website import Article
from tests.learners.rules.returning.test_new_boxes import PLEA, page

SITE = "a.example"
BOX = f"<div class='plea'>{PLEA}</div>"


class Saved:
    """A learner of sites that counts requests to save."""

    def __init__(self) -> None:
        self.times = 0

    def request(self) -> None:
        self.times += 1


def watch_of_texts(learner: str = "rules", saved: Saved | None = None) -> tuple[TextWatch, CrawlPatterns]:
    """Return a watch and the patterns of a site learned by a learner."""
    crawler = idle_crawler()
    config = StemmerConfig.from_settings(crawler.settings, "news")
    patterns = CrawlPatterns(by_site(learn([page(number) for number in range(8)], learner=learner).patterns))
    sites = Sites(full=20, least=3, is_known=lambda _: True)
    return TextWatch(config, patterns, sites, crawler.stats, cast(Any, saved or Saved())), patterns


def see_boxes(watch: TextWatch, patterns: CrawlPatterns, pages: int, first: int = 200) -> list[str]:
    """Show the watch pages with a box, and return their texts."""
    texts = []
    for number in range(first, first + pages):
        seen = ItemPage(f"http://{SITE}/{number}", page(number, BOX).html)
        stripped = seen.stripped(patterns.of_site(SITE), watch._config.strip_options)
        texts.append(stripped.text)
        watch.saw(seen)
    return texts


def test_later_pages_are_stripped_of_a_new_box_and_the_pattern_is_saved() -> None:
    saved = Saved()
    watch, patterns = watch_of_texts(saved=saved)
    texts = see_boxes(watch, patterns, LEAST_PAGES + 5)
    assert [PLEA in text for text in texts] == [True] * LEAST_PAGES + [False] * 5
    assert saved.times == 1
    assert watch._stats.get_value("stemmer/patterns/texts_found") == 1
    assert patterns.unsaved == {SITE}


def test_a_page_of_several_items_is_counted_once() -> None:
    watch, patterns = watch_of_texts()
    seen = ItemPage(f"http://{SITE}/300", page(300, BOX).html)
    for _ in range(2 * LEAST_PAGES):
        watch.saw(seen)
    assert PLEA in see_boxes(watch, patterns, 1)[0]


@pytest.mark.parametrize("learner", ["layout", "shingle"])
def test_patterns_of_other_learners_are_left_as_they_are(learner: str) -> None:
    watch, patterns = watch_of_texts(learner)
    before = patterns.of_site(SITE)
    see_boxes(watch, patterns, LEAST_PAGES + 2)
    assert patterns.of_site(SITE) == before


def test_few_patterns_are_counted_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_watch, "MAX_COUNTED", 3)
    sites = [f"{letter}.example" for letter in "abcdefgh"]
    sample = [Page(f"http://{site}/{number}", Article(number).html()) for site in sites for number in range(6)]
    watch, _ = watch_of_texts()
    watch._patterns = CrawlPatterns(by_site(learn(sample).patterns))
    for site in sites:
        watch.saw(ItemPage(f"http://{site}/50", Article(50).html()))
    assert [key[0] for key in watch._counters] == sites[-3:]

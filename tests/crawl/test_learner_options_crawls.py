"""Real crawls with a learner and options from settings."""

from __future__ import annotations

from scrapy_stemmer.learners.literature.repetition.pattern import ShinglePattern
from tests.crawl.conftest import Crawler
from tests.crawl.website import Website


def test_options_of_the_command_line_reach_the_learner(crawl: Crawler, website: Website) -> None:
    website.add_articles(6)
    options = '{"width": 3, "min_share": 0.5}'
    learn = {"STEMMER_LEARN": True, "STEMMER_LEARNER": "shingle", "STEMMER_LEARNER_OPTIONS": options}
    done = crawl("plain", website.url("/article/"), **learn)
    (pattern,) = done.patterns.patterns
    assert isinstance(pattern, ShinglePattern)
    assert pattern.width == 3
    assert all(entry.pages >= pattern.support / 2 for entry in pattern.returning)


def test_a_wrong_option_stops_the_crawl_before_it_begins(crawl: Crawler, website: Website) -> None:
    wrong = {"STEMMER_LEARNER": "shingle", "STEMMER_LEARNER_OPTIONS": '{"widht": 3}'}
    done = crawl("plain", website.url("/article/"), ok=False, **wrong)
    assert "There is no option 'widht'. Did you mean 'width'? Options are 'min_pages'," in done.log
    assert done.items == []
    assert done.stats.get("downloader/request_count", 0) == 0

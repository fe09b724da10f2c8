"""Real crawls and editing people that write to a shared pattern file and lose nothing."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.patterns import codec
from tests.crawl.conftest import Crawler
from tests.crawl.test_crawls import LEARN
from tests.crawl.website import Article, Website
from tests.processes import until

SETTINGS: dict[str, Any] = {"STEMMER_LEARNER": "rules", "STEMMER_MIN_SAMPLE": 3, **LEARN}


def learned_elsewhere(site: str) -> PatternSet:
    return learn([Page(f"http://{site}/{number}", Article(number).html()) for number in range(4)])


@pytest.fixture
def crawl(tmp_path: Path) -> Crawler:
    """Crawls with a pattern file that has a site."""
    learned_elsewhere("old.example").save(str(tmp_path / "patterns.jsonl"))
    return Crawler(tmp_path)


@pytest.mark.parametrize("is_broken", [False, True])
def test_edits_stay_and_a_broken_file_costs_no_item(crawl: Crawler, website: Website, is_broken: bool) -> None:
    """The file is edited while the crawl waits for a page of its second site."""
    website.add_articles(6)
    website.add_articles(6, prefix="/later/")
    website.answers["/later/"].when = (edited := Event()).is_set
    file, later = crawl.folder / "patterns.jsonl", website.url("/later/", "localhost")
    process = crawl.start("plain", website.url("/article/"), later, **{**SETTINGS, "STEMMER_SAMPLE_SIZE": 4})
    until(lambda: website.site in PatternSet.load(str(file)).sites)
    known = PatternSet.load(str(file)).patterns
    text = codec.dumps([*known, *learned_elsewhere("new.example").patterns])
    text = text.replace('"rules": [', '"rules": [\n  {"keep": ".mine"},')[7 * is_broken :]
    (crawl.folder / "edited").write_text(text)
    (crawl.folder / "edited").replace(file)
    edited.set()
    done = crawl.wait(process, ok=False)
    assert all(item["stemmer_matched"] for item in done.items if item["url"].endswith(".html"))
    if is_broken:
        assert file.read_text() == text
        assert done.stats["stemmer/errors/PatternFileError"] >= 1
        return
    localhost = website.site.replace("127.0.0.1", "localhost")
    assert set(done.patterns.sites) == {"old.example", "new.example", website.site, localhost}
    assert file.read_text().count('{"keep": ".mine"}') == 3
    assert done.stats["stemmer/sites/learned"] == 2
    assert "ERROR" not in done.log

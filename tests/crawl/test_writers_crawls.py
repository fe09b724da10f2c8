"""Real crawls and editing people that write to a shared pattern file and lose nothing."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.page.document import site_of
from scrapy_stemmer.patterns import codec
from tests import processes
from tests.crawl import run_together
from tests.crawl.conftest import Crawler
from tests.crawl.test_crawls import LEARN
from tests.crawl.test_waiting_crawls import until
from tests.crawl.website import Article, Website

SETTINGS: dict[str, Any] = {"STEMMER_LEARNER": "rules", "STEMMER_MIN_SAMPLE": 3, **LEARN}


def learned_elsewhere(site: str) -> PatternSet:
    return learn([Page(f"http://{site}/{number}", Article(number).html()) for number in range(4)])


@pytest.fixture
def starts() -> Iterator[list[str]]:
    """The indexes of four sites: two websites, by two names each."""
    with Website() as one, Website() as other:
        for website in (one, other):
            website.add_articles(6)
        yield [website.url("/article/", host) for host in ("127.0.0.1", "localhost") for website in (one, other)]


def test_two_crawls_with_one_file_keep_each_other_s_sites(starts: list[str], tmp_path: Path) -> None:
    file = tmp_path / "patterns.jsonl"
    crawlers = [Crawler(tmp_path / f"crawl{number}") for number in range(2)]
    for crawler in crawlers:
        crawler.folder.mkdir()
    started = [
        crawler.start("plain", *urls, STEMMER_PATTERNS=str(file), **SETTINGS)
        for crawler, urls in zip(crawlers, (starts[:2], starts[2:]), strict=True)
    ]
    done = [crawler.wait(process) for crawler, process in zip(crawlers, started, strict=True)]
    assert set(PatternSet.load(str(file)).sites) == set(map(site_of, starts))
    assert all(item["stemmer_matched"] for each in done for item in each.items if "html" in item["url"])


def test_two_spiders_of_one_process_keep_each_other_s_sites(starts: list[str], tmp_path: Path) -> None:
    file, log = tmp_path / "patterns.jsonl", tmp_path / "log.txt"
    job = {
        "settings": {
            "ADDONS": {"scrapy_stemmer.Addon": 500},
            "STEMMER_PATTERNS": str(file),
            "STEMMER_STATE_DIR": str(tmp_path / "state"),
            "TELNETCONSOLE_ENABLED": False,
            **SETTINGS,
        },
        "starts": starts,
        "stats": str(tmp_path / "stats.json"),
    }
    code = processes.start(run_together.main, job, out=log).wait()
    assert code == 0, log.read_text()
    assert " ERROR: " not in log.read_text()
    assert set(PatternSet.load(str(file)).sites) == set(map(site_of, starts))
    stats = json.loads(Path(job["stats"]).read_text())
    assert [each["stemmer/sites/learned"] for each in stats] == [1] * len(starts)


class TestEdits:
    """Edits during a crawl of two sites, while the crawl waits for a page of the second."""

    @pytest.fixture
    def crawl(self, website: Website, tmp_path: Path) -> Crawler:
        website.add_articles(6)
        website.add_articles(6, prefix="/slow/")
        website.answers["/slow/"].seconds = 3.0
        learned_elsewhere("old.example").save(str(tmp_path / "patterns.jsonl"))
        return Crawler(tmp_path)

    def start(self, crawl: Crawler, website: Website) -> processes.Started:
        slow = website.url("/slow/", "localhost")
        return crawl.start("plain", website.url("/article/"), slow, **{**SETTINGS, "STEMMER_SAMPLE_SIZE": 4})

    def test_an_edit_by_rename_during_a_crawl_stays(self, crawl: Crawler, website: Website) -> None:
        file = crawl.folder / "patterns.jsonl"
        process = self.start(crawl, website)
        until(lambda: website.site in PatternSet.load(str(file)).sites)
        known = PatternSet.load(str(file))
        edited = codec.dumps([*known.patterns, *learned_elsewhere("new.example").patterns])
        (crawl.folder / "edited").write_text(edited.replace('"rules": [', '"rules": [\n  {"keep": ".mine"},'))
        (crawl.folder / "edited").replace(file)
        done = crawl.wait(process)
        localhost = website.site.replace("127.0.0.1", "localhost")
        assert set(done.patterns.sites) == {"old.example", "new.example", website.site, localhost}
        text = file.read_text()
        assert text.count('{"keep": ".mine"}') == 3
        assert done.stats["stemmer/sites/learned"] == 2

    def test_sites_lost_while_the_crawl_was_paused_are_learned_again(self, crawl: Crawler, website: Website) -> None:
        file = crawl.folder / "patterns.jsonl"
        older = file.read_text()
        website.add_articles(12)
        urls = [website.url(f"/article/{number}.html") for number in range(12)]
        settings = {**SETTINGS, "STEMMER_SAMPLE_SIZE": 4, "JOBDIR": str(crawl.folder / "job")}
        settings |= {"DOWNLOAD_DELAY": 0.3, "CONCURRENT_REQUESTS": 1}
        process = crawl.start("resumable", *urls, **settings)
        until(lambda: website.site in PatternSet.load(str(file)).sites)
        process.send_signal(signal.SIGINT)
        crawl.wait(process)
        file.write_text(older)
        done = crawl("resumable", *urls, **settings)
        assert set(done.patterns.sites) == {"old.example", website.site}
        assert f"this crawl had written before it was resumed: {website.site}" in done.log
        assert all(item["stemmer_matched"] for item in done.by_url.values())

    def test_a_file_that_is_broken_during_a_crawl_is_left_and_costs_no_item(
        self, crawl: Crawler, website: Website
    ) -> None:
        file = crawl.folder / "patterns.jsonl"
        process = self.start(crawl, website)
        until(lambda: website.site in PatternSet.load(str(file)).sites)
        (crawl.folder / "edited").write_bytes(broken := file.read_bytes()[7:])
        (crawl.folder / "edited").replace(file)
        done = crawl.wait(process, ok=False)
        assert file.read_bytes() == broken
        assert all(item["stemmer_matched"] for item in done.items if item["url"].endswith(".html"))
        assert done.stats["stemmer/errors/PatternFileError"] >= 1

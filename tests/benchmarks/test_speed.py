"""Measurements of the speed benchmark. No test asserts a time."""

from __future__ import annotations

import json
import runpy
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from benchmarks.sets import PageSet, bundled_set
from benchmarks.speed import clock, crawls
from benchmarks.speed.__main__ import english_pages, main
from benchmarks.speed.clock import Work, best_times
from benchmarks.speed.crawls import (
    IDLE,
    LEARNING,
    PLAIN,
    READING,
    STRIPPING,
    CrawlOptions,
    Crawls,
    Lateness,
    Rates,
    rates,
    serving,
    write_site,
)
from benchmarks.speed.generate import Generator, Link
from benchmarks.speed.pages import OURS, SetTimes, all_patterns, time_set
from benchmarks.speed.replay import Replay, replayed
from benchmarks.speed.report import Speed, report, targets
from benchmarks.speed.scale import Growth, Memory, PatternFile, growth, memory, pattern_file
from scrapy_stemmer import PatternSet
from scrapy_stemmer.learning import DEFAULT_LEARNER
from tests import processes

GOLDS = english_pages()


def test_a_made_page_keeps_what_returns_and_varies_the_rest() -> None:
    generator = Generator(GOLDS)
    page = generator.page(3, links=[Link("/page/9.html", "Nine")])
    assert page == generator.page(3, links=[Link("/page/9.html", "Nine")])
    assert '<a href="/page/9.html">Nine</a>' in page
    assert "Standing in shallow water since 1887" in page
    first = next(line for line in GOLDS[3].text.splitlines() if len(line.split()) > 8)
    assert first not in page
    assert generator.page(3) != generator.page(3 + len(GOLDS))


def test_a_made_page_grows_to_a_size() -> None:
    generator = Generator(GOLDS)
    article = next(number for number, gold in enumerate(GOLDS) if gold.type == "article")
    assert len(generator.page(article)) < 15_000
    assert 49_000 < len(generator.page(article, 50_000)) < 70_000


def test_the_best_of_runs_that_take_turns() -> None:
    turns: list[str] = []
    prepared = Work(turns.append, lambda: "prepared")
    found = best_times({"a": prepared, "b": Work(lambda _: turns.append("b"))}, repeats=2)
    assert turns == ["prepared", "b"] * 2
    assert all(seconds >= 0 for seconds in found.values())


@pytest.mark.parametrize(("enough", "rounds"), [(1e9, 5), (0.0, 2)])
def test_short_works_are_repeated_more_often(monkeypatch: pytest.MonkeyPatch, enough: float, rounds: int) -> None:
    monkeypatch.setattr(clock, "ENOUGH", enough)
    turns: list[object] = []
    best_times({"a": Work(turns.append)}, repeats=2, most=5)
    assert len(turns) == rounds


def test_a_set_is_timed() -> None:
    few = PageSet("few", tuple(bundled_set().sites["heron.example"][:13]))
    found = time_set(few, DEFAULT_LEARNER, {"mine": lambda html, url: html})
    assert found.pages == 3
    assert found.sample == 10
    assert set(found.ratios) == {*OURS, "mine"}
    assert len(all_patterns([found])) == 1
    capped = time_set(few, DEFAULT_LEARNER, {}, 1)
    assert (capped.pages, capped.sample) == (1, 10)


def test_growth_and_memory_and_pattern_file(tmp_path: Path) -> None:
    assert growth(GOLDS, DEFAULT_LEARNER, 3, 6).ratio > 0
    learned = memory(GOLDS, DEFAULT_LEARNER, tmp_path, 5)
    assert learned.pages == 5
    assert 0 <= learned.input < learned.peak < 1e9
    patterns = time_set(PageSet("x", tuple(GOLDS[:3])), DEFAULT_LEARNER, {}).patterns[0].patterns
    file = pattern_file(patterns, tmp_path, 30, 1)
    assert file.domains == 30
    assert PatternSet.load(str(tmp_path / "patterns.jsonl")).sites[0] == "site0.example"


def test_the_server_serves_a_folder(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>front", encoding="utf-8")
    with serving(tmp_path, 2) as (_, root):
        connection = HTTPConnection(root.removeprefix("http://"))
        answers = []
        for path in ("/", "/index.html?a=1", "/none"):
            connection.request("GET", path)
            response = connection.getresponse()
            answers.append((response.status, response.read()))
        connection.close()
    assert answers == [(200, b"<p>front"), (200, b"<p>front"), (404, b"not here")]


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A fork server, whose processes have their imports already."""

    def figures(module: str, path: str) -> Any:
        out = tmp_path / "figures.txt"
        code = processes.start(printed_figures, module, path, out=out).wait()
        assert code == 0, out.read_text()
        return json.loads(out.read_text().splitlines()[-1])

    monkeypatch.setattr(crawls, "in_process", figures)


def printed_figures(module: str, path: str) -> int:
    sys.argv[1:] = [path]
    runpy.run_module(module, run_name="__main__")
    return 0


@pytest.mark.slow
@pytest.mark.usefixtures("forked")
def test_crawls_with_the_extension_and_without(tmp_path: Path) -> None:
    found = rates(GOLDS, CrawlOptions(DEFAULT_LEARNER, rounds=1, sites=1, pages=4), tmp_path)
    assert found.pages == 4
    assert set(found.rates) == {PLAIN, STRIPPING, LEARNING}


@pytest.mark.slow
@pytest.mark.usefixtures("forked")
def test_an_idle_spider_crawls_the_pages_that_it_is_given(tmp_path: Path) -> None:
    write_site(GOLDS, tmp_path / "site", 3, 2000)
    with serving(tmp_path / "site", 1) as (root,):
        urls = [f"{root}/page/{number}.html" for number in range(2)]
        found = Crawls(urls, None, tmp_path, DEFAULT_LEARNER).run(LEARNING, watch=True)
    assert found["items"] == 2


@pytest.mark.slow
@pytest.mark.usefixtures("forked")
def test_real_pages_are_crawled_at_their_own_addresses(tmp_path: Path) -> None:
    few = PageSet("few", tuple(bundled_set().sites["heron.example"][:6]))
    found = replayed(few, DEFAULT_LEARNER, tmp_path / "few", 1)
    assert (found.name, found.pages) == ("few", 6)
    assert found.plain > 0
    assert found.ratio > 0


TIMES = SetTimes("news", 3, 1000.0, 0.001, dict.fromkeys(OURS, 2.0) | {"jusText": 8.0}, 2.5, 5, ())


def test_targets_are_met_or_not() -> None:
    found = targets(
        Speed(
            [TIMES],
            Growth(1.0, 12.5),
            Memory(2000, 5e4, 2e7, 3.9e8, 1.0),
            PatternFile(10_000, 10**8, 0.9, 2.5e4),
            Rates(100, {PLAIN: [100.0, 50.0, 80.0], STRIPPING: [90.0, 45.0, 40.0], LEARNING: [60.0, 30.0, 60.0]}),
            {IDLE: Lateness(0.04, 0.1, 0.01), READING: Lateness(0.09, 0.1, 0.08)},
            [Replay("news", 16, 0.01, 0.8), Replay("docs", 40, 0.004, 0.6)],
        )
    )
    assert [(target.bound, target.met) for target in found] == [
        (1.5, False), (0.5, False), (3, True), (12, False), (400, True), (1, True), (20, False), (0.85, True),
        (0.7, False), (0.7, False), (50, True),
    ]  # fmt: skip


def test_of_the_event_loop_the_crawl_counts_whose_spider_does_nothing() -> None:
    (target,) = targets(Speed(lateness={IDLE: Lateness(0.04, 0.1, 0.01), READING: Lateness(0.09, 0.2, 0.08)}))
    assert (target.figure, target.met) == (40, True)
    assert target.note == (
        "the spider does nothing: 40 ms, in the whole crawl 100 ms, without the extension 10 ms; "
        "the spider parses pages and follows their links: 90 ms, in the whole crawl 200 ms, without the extension 80 ms"
    )


def test_the_report_has_what_was_measured() -> None:
    lines = [" ".join(line.split()) for line in report(Speed([TIMES], Growth(1, 10))).splitlines()]
    assert "| learn a page / bare lxml parse | <= 3 | 2.50 | yes | news 2.50 |" in lines
    assert "| jusText | 8.0 |" in lines
    assert not any("memory" in line for line in lines)


def test_the_command_says_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nowhere", "--no-peers"]) == 1
    assert "no set 'nowhere'" in capsys.readouterr().err

"""Measurements of the speed benchmark. No test asserts a time."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.sets import PageSet, bundled_set
from benchmarks.speed import crawls
from benchmarks.speed.__main__ import english_pages
from benchmarks.speed.crawls import (
    LEARNING,
    PLAIN,
    STRIPPING,
    CrawlOptions,
    rates,
)
from benchmarks.speed.pages import OURS, SetTimes, all_patterns, time_set
from benchmarks.speed.report import Speed, report
from benchmarks.speed.scale import Growth
from scrapy_stemmer.learning import DEFAULT_LEARNER
from tests import processes

GOLDS = english_pages()


def test_a_set_is_timed() -> None:
    few = PageSet("few", tuple(bundled_set().sites["heron.example"][:13]))
    found = time_set(few, DEFAULT_LEARNER, {"mine": lambda html, url: html})
    assert found.pages == 3
    assert found.sample == 10
    assert set(found.ratios) == {*OURS, "mine"}
    assert len(all_patterns([found])) == 1
    capped = time_set(few, DEFAULT_LEARNER, {}, 1)
    assert (capped.pages, capped.sample) == (1, 10)


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


TIMES = SetTimes("news", 3, 1000.0, 0.001, dict.fromkeys(OURS, 2.0) | {"jusText": 8.0}, 2.5, 5, ())


def test_the_report_has_what_was_measured() -> None:
    lines = [" ".join(line.split()) for line in report(Speed([TIMES], Growth(1, 10))).splitlines()]
    assert "| learn a page / bare lxml parse | <= 3 | 2.50 | yes | news 2.50 |" in lines
    assert "| jusText | 8.0 |" in lines
    assert not any("memory" in line for line in lines)

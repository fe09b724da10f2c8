"""Scrapy's own commands in a project with the add-on: ``parse --pipelines`` and ``shell`` tell the truth."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from scrapy_stemmer import Page, learn
from tests import processes
from tests.crawl.website import Article, Website

SETTINGS = """
ADDONS = {"scrapy_stemmer.Addon": 500}
STEMMER_FIELDS = ["matched"]
SPIDER_MODULES = ["tests.crawl.spiders"]
TELNETCONSOLE_ENABLED = False
LOG_LEVEL = "INFO"
"""

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project(tmp_path: Path, website: Website) -> Path:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = reader.settings\n")
    (tmp_path / "reader").mkdir()
    (tmp_path / "reader" / "settings.py").write_text(SETTINGS)
    website.add("/3", Article(3).html())
    return tmp_path


@pytest.fixture
def scrapy(project: Path, scratch: Path) -> Run:
    """Scrapy's command, in a folder of the project."""
    return lambda *arguments: processes.scrapy(*arguments, folder=project / "reader", scratch=scratch)


def test_parse_shows_the_item_as_a_crawl_would_write_it(scrapy: Run, project: Path, website: Website) -> None:
    pages = [Page(website.url(f"/{number}"), Article(number).html()) for number in range(10, 16)]
    learn(pages).save(str(project / "patterns" / "plain.jsonl"))
    done = scrapy("parse", website.url("/3"), "--spider", "plain", "--pipelines", "--nocolour")
    assert done.returncode == 0, done.stderr
    assert Article(3).body[-1][-20:] in done.stdout, done.stdout + done.stderr
    assert "'stemmer_matched': True" in done.stdout
    assert "'stemmer_reason': None" in done.stdout
    assert "There is no pattern file" not in done.stderr


def test_parse_writes_items_of_replacing_pipelines(scrapy: Run, tmp_path: Path, website: Website) -> None:
    """On the screen Scrapy prints items as the callback yielded them."""
    earlier, ours = "tests.crawl.spiders.ReplacingPipeline", "scrapy_stemmer.crawl.pipeline.StemmerPipeline"
    pipeline = f"ITEM_PIPELINES={json.dumps({earlier: 50, ours: 100})}"
    done = scrapy("parse", website.url("/3"), "--spider", "plain", "-o", str(tmp_path / "items.jsonl"), "-s", pipeline)
    assert done.returncode == 0, done.stderr
    (item,) = map(json.loads, (tmp_path / "items.jsonl").read_text().splitlines())
    assert item["replaced"] is True
    assert set(item["text"].splitlines()) >= set(Article(3).body)


def test_shell_says_and_learns_nothing_and_leaves_nothing(scrapy: Run, project: Path, website: Website) -> None:
    """The shell runs the crawl in a thread and never closes the spider."""
    done = scrapy("shell", website.url("/3"), "-c", "response.status", "-s", "STEMMER_LEARN=1")
    assert (done.returncode, done.stdout.split()) == (0, ["200"]), done.stderr
    assert not any(told in done.stderr for told in ("ERROR", "pattern file"))
    assert list(project.rglob("*.sqlite*")) == []

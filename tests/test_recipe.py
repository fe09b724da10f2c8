"""The recipe of the README in a project: text, authors and date of each article as CSV."""

from __future__ import annotations

import csv
import shlex
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import processes
from tests.crawl.website import bundled_newspaper
from tests.documentation import the_block

pytestmark = pytest.mark.slow

README, TUTORIAL, NEWS = "README.md", "docs/tutorial.md", "docs/howto/news.md"

QUICK = ("-s", "DOWNLOAD_DELAY=0")


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of the newspaper of the demo."""
    with bundled_newspaper() as port:
        yield f"localhost:{port}"


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def assert_has_the_articles(rows: list[dict[str, str]], date: str) -> None:
    """Assert that every article is there once, and no list."""
    assert len(rows) > 25
    assert not any(row["url"].endswith(("/", "index.html")) for row in rows)
    assert all(row["title"] and row["text"] for row in rows)
    signed = [row for row in rows if "/guides/" not in row["url"]]  # a guide names its reviewer
    assert len(signed) > 20
    assert all(row["authors"] and row[date].startswith("202") for row in signed)


def run(line: str, folder: Path, scratch: Path) -> None:
    program, *words = shlex.split(line)
    assert program == "scrapy"
    done = processes.scrapy(*words, *QUICK, folder=folder, scratch=scratch)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def make_project(folder: Path, site: str) -> Path:
    """Make a project with the settings of the README and the spider of the tutorial; return the settings."""
    (folder / "newsreader").mkdir()
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = newsreader.settings\n")
    settings = the_block(README, "STEMMER_KINDS")
    assert len(settings.splitlines()) <= 10
    spider = the_block(TUTORIAL, "class NewsSpider").replace("localhost:8033", site)
    (folder / "newsreader" / "spider.py").write_text(spider)
    path = folder / "newsreader" / "settings.py"
    path.write_text(f'SPIDER_MODULES = ["newsreader.spider"]\n{settings}')
    return path


def test_a_project_with_the_settings_writes_articles_and_later_only_new_ones(
    site: str, tmp_path: Path, scratch: Path
) -> None:
    """The second crawl has forgotten three of them."""
    settings = make_project(tmp_path, site)
    with settings.open("a") as file:
        file.write(the_block(NEWS, "newsreader.onlynew.OnlyNew"))
    (tmp_path / "newsreader" / "onlynew.py").write_text(the_block(NEWS, "class OnlyNew"))
    (line,) = [line for line in the_block(README, "-O articles.csv", "sh").splitlines() if line]
    run(line, tmp_path, scratch)
    rows = rows_of(tmp_path / "articles.csv")
    assert list(rows[0]) == ["url", "title", "authors", "date", "text"]
    assert_has_the_articles(rows, "date")
    with sqlite3.connect(tmp_path / "written.sqlite") as written:
        written.executemany("DELETE FROM pages WHERE url = ?", [[row["url"]] for row in rows[5:8]])
    run("scrapy crawl news -o articles.csv", tmp_path, scratch)
    later = rows_of(tmp_path / "articles.csv")
    assert later[: len(rows)] == rows
    assert {row["url"] for row in later[len(rows) :]} == {row["url"] for row in rows[5:8]}

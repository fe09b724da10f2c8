"""The page of commands: every line runs and does as documented."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from scrapy.utils.misc import load_object

from scrapy_stemmer import Page, PatternSet, learn
from tests.commands.sources.archives import compressed, record
from tests.commands.subcommand import run as run_command
from tests.crawl.website import Article
from tests.documentation import blocks, is_settings, run, settings_in, the_block

PAGE = "docs/commands.md"

SITES = ("a.example", "b.example")


def html(number: int) -> str:
    return Article(number).html("<a href='/3.html'>A link</a>")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the sources named by the page."""
    monkeypatch.chdir(tmp_path)
    pages = [(site, number) for site in SITES for number in range(6)]
    records = [record(f"http://{site}/{n}.html", html(n).encode()) for site, n in pages]
    Path("crawl.warc.gz").write_bytes(compressed(*records))
    lines = [json.dumps({"url": f"http://{site}/{n}.html", "html": html(n)}) for site, n in pages]
    Path("pages.jsonl").write_text("\n".join(lines))
    for name in ("pages/a.example", ".scrapy/httpcache"):
        Path(name).mkdir(parents=True)
    Path("pages/a.example/7.html").write_text(html(7))
    learn([Page(f"http://c.example/{n}", html(n)) for n in range(6)]).save("patterns/more.jsonl")
    Path("teachers.py").write_text("def by_trafilatura(url, html):\n    return None\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    Path("corrections.json").write_text(the_block(PAGE, '"action"', "json"))
    return tmp_path


@pytest.mark.slow
def test_every_command_runs_in_its_order(folder: Path) -> None:
    printed: dict[str, list[str]] = {}
    for line in "".join(blocks(PAGE, "sh")).splitlines():
        words = shlex.split(line)
        if words[2] == "crawl":
            continue  # see tests/test_recipe.py
        assert words[:2] == ["scrapy", "stemmer"]
        printed[line] = run_command(*words[2:])
    assert PatternSet.load("patterns/news.jsonl").sites == SITES
    assert PatternSet.load("patterns/all.jsonl").sites == ("b.example", "c.example")
    assert printed["scrapy stemmer teach patterns/news.jsonl corrections.json"] == [
        "a.example: drop .foot",
        "a.example: keep div.story",
        "2 rules by hand of 1 site put into patterns/news.jsonl",
    ]
    assert printed["scrapy stemmer check patterns/news.jsonl examples.jsonl"] == ["4 examples: all as before"]
    assert "A link" in Path("links").read_text(encoding="utf-8")
    assert len(list(Path("texts").rglob("*.md"))) == 12
    assert {path.stem for path in Path("site-config").iterdir()} == {*SITES}
    table = printed["scrapy stemmer show patterns/news.jsonl"]
    documented = the_block(PAGE, "by hand", "text").splitlines()
    assert table[0].split() == documented[0].split()
    assert [line.split()[:3] for line in table] == [line.split()[:3] for line in documented]


def test_its_examples_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learn([Page(f"http://a.example/{n}.html", html(n)) for n in range(6)]).save("patterns/news.jsonl")
    page = Page("http://a.example/40.html", html(40).replace("<head>", "<head><meta name=author content='Ann Lee'>"))
    stripped = PatternSet.load("patterns/news.jsonl").strip(page)
    run(the_block(PAGE, "markdown_of"), page=page, html=page.html)
    run(the_block(PAGE, "article_of"), page=page, stripped=stripped)
    printed = capsys.readouterr().out
    assert Article(40).body[0] in printed
    assert f"{Article(40).headline} [Author(" in printed
    names = run(the_block(PAGE, "to_selectors"), html=page.html)
    assert names["title"] == Article(40).headline
    assert all(text in names["text"] for text in Article(40).body)


def test_its_settings_and_its_spider_can_be_loaded() -> None:
    settings = settings_in(PAGE)
    assert set(settings) == {"ADDONS", "SCRAPY_POET_PROVIDERS"}
    for name in settings.values():
        assert all(map(load_object, name))
    spider = run(the_block(PAGE, "class NewsSpider"), __name__="news")["NewsSpider"]
    assert spider().name == "news"
    assert [is_settings(block) for block in blocks(PAGE, "python")] == [False, False, True, False, False]


def test_every_source_of_the_table_is_told_by_its_name() -> None:
    from scrapy_stemmer.commands.command import SOURCES

    for word in ("folder", "HTTP cache", ".jsonl", "WARC", "WACZ", ".zip", "URL", ".list"):
        assert word in SOURCES

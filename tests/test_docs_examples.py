"""Code blocks of README and docs, run page by page in a folder that has what they name.

The tutorial, whose output is compared too, is run by ``test_tutorial.py``, and the examples of Spark and datatrove by
their own tests.
"""

from __future__ import annotations

import importlib
import json
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from inspect import isclass
from itertools import pairwise
from pathlib import Path
from textwrap import indent
from typing import Any
from zipfile import ZipFile

import pytest
import scrapy
from scrapy.http import TextResponse
from scrapy.settings import Settings
from scrapy.utils.misc import load_object

import scrapy_stemmer
from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.learners.literature.layout.learner import LayoutLearner, LayoutOptions
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.settings import SETTINGS, StemmerConfig
from tests.commands.sources.archives import compressed, record
from tests.commands.subcommand import parse
from tests.commands.subcommand import run as run_command
from tests.crawl.conftest import idle_crawler
from tests.crawl.website import Article
from tests.documentation import DOCS, ROOT, Block, blocks, blocks_of, is_settings, run, the_block

ELSEWHERE = {"docs/tutorial.md", "docs/howto/archives.md", "docs/howto/chunks.md", "docs/commands.md"}
PAGES = sorted({"README.md", *(f"docs/{path.relative_to(DOCS)}" for path in DOCS.rglob("*.md"))} - ELSEWHERE)
WITH_BLOCKS = [page for page in PAGES if any(not block.language.startswith("{") for block in blocks_of(page))]

SITES = ("a.example", "b.example", "news.example", "cnn.com")
SIGNUP = "Subscribe to our newsletter, it is free."


def page_of(number: int, site: str = "news.example") -> Page:
    """Return an article with a repeated line amid its text on some pages."""
    box = f"</p><p class='signup'>{SIGNUP}</p><p>" if number % 5 == 0 else "</p><p>"
    html = (
        Article(number, 4)
        .html(f"<a href='/3.html'>A link</a> <b class='price'>£{number}.90</b>")
        .replace("</p><p>", box, 1)
    )
    return Page(f"http://{site}/{number}.html", html.replace("<head>", "<head><meta name=author content='Ann Lee'>"))


FILES = {
    "teachers.py": "def by_trafilatura(url, html):\n    return None\n",
    "newsreader/__init__.py": "",
    "newsreader/teachers.py": "def by_trafilatura(url, html):\n    return None\n",
    "newsreader/fallback.py": "def with_trafilatura(page):\n    return None\n",
    "myproject/items.py": "class Article(dict):\n    pass\n",
    "labelled.jsonl": '{"url": "http://a.example/", "text": "Text"}\n',
    "linkinfo": "('1/cnn.com/1.html', [u'A link'])\n",
    "1/cnn.com/1.html": page_of(1).html,
    "tests/pages/article.html": page_of(3).html,
    "corrections.json": '[{"site": "a.example", "action": "drop", "selector": ".foot"}]',
    **{f"pages/a.example/{number}.html": page_of(number).html for number in range(7, 10)},
    **{f"{name}.html": page_of(number).html for number, name in enumerate("abc")},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the current folder, a project with the files that the pages name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name, text in FILES.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(text), encoding="utf-8")
    Path(".scrapy/httpcache").mkdir(parents=True)
    pages = [page_of(number, site) for site in SITES for number in range(4)]
    for name in ("pages.jsonl", "items.jsonl"):
        lines = [json.dumps({"url": page.url, "html": page.html}) for page in pages]
        Path(name).write_text("\n".join(lines), encoding="utf-8")
    Path("crawl.warc.gz").write_bytes(compressed(*(record(page.url, str(page.html).encode()) for page in pages)))
    with ZipFile("monday.zip", "w") as archive:
        for number in range(3):
            archive.writestr(f"1/cnn.com/{number}.html", str(page_of(number).html))
    learn(pages).save("patterns/news.jsonl")
    learn([page_of(number, "c.example") for number in range(6)]).save("patterns/more.jsonl")
    original = LayoutLearner(LayoutOptions(original=True))
    learn([page_of(number, "cnn.com") for number in range(6)], original).save("layouts.jsonl")
    run_command("export", "layouts.jsonl", "-o", "cnn.pat", "--format", "webstemmer")
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] in ("newsreader", "myproject", "teachers")]:
        del sys.modules[name]


class Reader:
    """A reader who does what the blocks of a page say, one after the other."""

    def __init__(self, page: str) -> None:
        sample = [page_of(number) for number in range(6)]
        patterns = learn(sample)
        self.page = page
        self.printed: dict[str, list[str]] = {}
        self.names: dict[str, Any] = {
            **{name: getattr(scrapy_stemmer, name) for name in scrapy_stemmer.__all__},
            "__name__": "news",
            "scrapy": scrapy,
            "pages": sample,
            "page": page_of(40),
            "patterns": patterns,
            "url": page_of(40).url,
            "html": page_of(40).html,
            "stripped": patterns.strip(page_of(40)),
            "sample": [(page.url, page.html) for page in sample],
        }

    def do(self, block: Block) -> None:
        """Run a block; text, HTML and other languages are to be read only."""
        getattr(self, f"_{block.language}", lambda _: None)(block)

    def _sh(self, block: Block) -> None:
        for line in block.text.splitlines():
            words = shlex.split(line, comments=True)
            if words[:2] == ["scrapy", "stemmer"]:
                options = parse(*words[2:])
                assert options
                if "--pages" in words or not any("://" in word for word in words):  # others need a network
                    self.printed[line.strip()] = run_command(*words[2:])
            elif words[:2] == ["scrapy", "crawl"]:
                given = dict(word.split("=", 1) for before, word in pairwise(words) if before == "-s")
                check_settings(given)

    def _json(self, block: Block) -> None:
        if '"format"' in block.text:
            assert codec.loads(block.text)
        elif '"action"' in block.text:
            Path("corrections.json").write_text(block.text, encoding="utf-8")
        elif not block.text.startswith("  {"):  # lines of a pattern file have a test of their own
            assert json.loads(block.text)

    def _toml(self, block: Block) -> None:
        """Install the package whose entry points the page shows."""
        info = Path("newsreader-1.0.dist-info")
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: newsreader\nVersion: 1.0\n", encoding="utf-8")
        lines = re.sub(r'\[project.entry-points."(.*)"\]', r"[\1]", block.text).replace('"', "")
        (info / "entry_points.txt").write_text(lines, encoding="utf-8")
        importlib.invalidate_caches()

    def _python(self, block: Block) -> None:
        if (wanted := re.search(r"^import (trafilatura)$", block.text, re.MULTILINE)) and not is_installed(wanted[1]):
            self.names["by_trafilatura"] = lambda url, html: None
            return
        if block.file and "/" in block.file:
            Path(block.file).write_text(block.text, encoding="utf-8")
            importlib.invalidate_caches()
            self.names |= vars(importlib.import_module(block.file.removesuffix(".py").replace("/", ".")))
            return
        if not is_python(block.text):  # the inside of a callback
            callback = run(f"async def callback(response, link):\n{indent(block.text, '    ')}\n")["callback"]
            assert "await" in block.text or callback(TextResponse("http://news.example/"), "/3").__aiter__()
            return
        before = dict(self.names)
        exec(compile(block.text, self.page, "exec"), self.names)
        made = {name: value for name, value in self.names.items() if before.get(name) is not value}
        if is_settings(block.text):
            check_settings({name: value for name, value in made.items() if name.isupper()})
        for name, value in made.items():
            if isclass(value) and value.__module__ == "news" and hasattr(value, "from_crawler"):
                assert issubclass(value, scrapy.Spider) or value.from_crawler(idle_crawler())
            if name.startswith("test_"):
                value()


def is_installed(module: str) -> bool:
    try:
        return bool(importlib.import_module(module))
    except ImportError:
        return False


def is_python(text: str) -> bool:
    try:
        compile(text, "", "exec")
    except SyntaxError:
        return False
    return True


def check_settings(given: Mapping[str, Any]) -> None:
    """Assert that settings are accepted, ours by a crawl, and name components that there are."""
    ours = {name for name in given if name.startswith("STEMMER_")}
    assert ours <= {setting.name for setting in SETTINGS}
    needed = {"STEMMER_FALLBACK": print} if "fallback" in given.values() else {}
    StemmerConfig.from_settings(Settings({"STEMMER_LEARN": True, **needed, **given}), "news")
    for name in ("ADDONS", "SPIDER_MIDDLEWARES", "ITEM_PIPELINES", "DOWNLOADER_MIDDLEWARES", "SCRAPY_POET_PROVIDERS"):
        assert all(map(load_object, given.get(name, ())))


@pytest.mark.parametrize("page", WITH_BLOCKS)
def test_each_block_of_a_page_runs(page: str, folder: Path) -> None:
    reader = Reader(page)
    for block in blocks_of(page):
        reader.do(block)


def test_commands_print_what_their_page_shows(folder: Path) -> None:
    reader = Reader("docs/commands.md")
    shown = the_block(reader.page, "by hand", "text").splitlines()
    for block in blocks_of(reader.page):
        reader.do(block)
        if "scrapy stemmer teach" in block.text:
            table = run_command("show", "patterns/news.jsonl")
    assert reader.printed["scrapy stemmer teach patterns/news.jsonl corrections.json"] == [
        "a.example: drop .foot",
        "a.example: keep div.story",
        "2 rules by hand of 1 site put into patterns/news.jsonl",
    ]
    assert table[0].split() == shown[0].split()
    assert {tuple(line.split()[:2]) for line in shown} <= {tuple(line.split()[:2]) for line in table}
    assert PatternSet.load("patterns/all.jsonl").sites == ("b.example", "c.example", "cnn.com", "news.example")


def test_the_example_of_a_field_prints_what_its_page_shows(folder: Path) -> None:
    (command,) = blocks("docs/fields.md", "sh")
    (shown, *_) = blocks("docs/fields.md", "text")
    assert run_command(*shlex.split(command)[2:]) == shown.splitlines()
    stripped = PatternSet.load("patterns/news.jsonl").strip(page_of(40))
    assert (stripped.fields.price, stripped.fields.sources["price"]) == ("40.90", "rule")


def test_the_lines_of_fields_are_lines_of_a_pattern_file() -> None:
    lines = the_block("docs/fields.md", '"all": true', "text")
    text = the_block("docs/pattern-files.md", '"format"', "json")
    (pattern,) = codec.loads(text.replace('"rules": [\n', f'"rules": [\n{lines}', 1))
    assert isinstance(pattern, RulesPattern)
    assert pattern.own_fields == ("was", "sizes", "code", "number")


def test_the_html_of_documentation_becomes_the_text_and_the_markdown_beside_it() -> None:
    page = "docs/howto/documentation.md"
    (html,) = blocks(page, "html")
    (text,) = blocks(page, "text")
    stripped = scrapy_stemmer.strip(Page("http://news.example/", f"<html><body><main>{html}</main></body></html>"))
    assert stripped.text == text.rstrip("\n")
    written = (ROOT / page).read_text(encoding="utf-8").partition("~~~~text\n")[2].partition("\n~~~~")[0]
    assert stripped.markdown == written


def test_a_rule_that_is_added_as_the_docs_say_is_obeyed_and_stays(folder: Path) -> None:
    path, page = folder / "patterns" / "own.jsonl", page_of(40)
    pages = [page_of(number) for number in range(6)]
    learn(pages).save(str(path))
    assert SIGNUP in PatternSet.load(str(path)).strip(page).text
    line = the_block("docs/pattern-files.md", ".signup", "json")
    text = path.read_text(encoding="utf-8").replace(' "rules": [\n', f' "rules": [\n{line}', 1)
    (folder / "patterns" / "news.jsonl").write_text(text, encoding="utf-8")
    run(the_block("docs/pattern-files.md", "corrections="), pages=pages)
    again = PatternSet.load("patterns/news.jsonl")
    assert SIGNUP not in again.strip(page).text
    assert Article(40, 4).body[0] in again.strip(page).text
    assert line.strip().rstrip(",") in Path("patterns/news.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["README.md", "docs/learners/rules.md", "docs/pattern-files.md"])
def test_rules_in_examples_are_the_users_where_they_have_no_checksum(page: str) -> None:
    lines = re.findall(r'^  (\{"(?:keep|drop|title)".*\}),?$', (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    text = the_block("docs/pattern-files.md", '"format"', "json")
    start, end = text.index('"rules": [') + len('"rules": ['), text.index(' ], "samples"')
    (pattern,) = codec.loads(text[:start] + ",".join(lines) + text[end:])
    assert isinstance(pattern, RulesPattern)
    assert [rule.is_users for rule in pattern.rules] == ["check" not in line for line in lines]
    assert any(rule.is_users for rule in pattern.rules)


@pytest.mark.parametrize(
    ("field", "old", "new"),
    [("rules[1].keep", '"keep": ".headline"', '"keep": ".story:first"'), ("version", '"version": 1', '"version": 2')],
)
def test_the_errors_in_the_docs_are_those_that_are_raised(field: str, old: str, new: str) -> None:
    lines = the_block("docs/pattern-files.md", "field version", "text").splitlines()
    (documented,) = [line for line in lines if field + ":" in line]
    with pytest.raises(PatternFileError) as raised:
        codec.loads(the_block("docs/pattern-files.md", '"format"', "json").replace(old, new))
    assert str(raised.value.at(uri="patterns/news.jsonl")) == documented


def test_the_extension_of_the_docs_is_told_of_changed_sites(caplog: pytest.LogCaptureFixture) -> None:
    extension = run(the_block("docs/howto/changes.md", "layout_drift"), __name__="news")["DriftMail"]()
    extension.layout_drift(None, scrapy_stemmer.signals.LayoutDrift("news.example", 14, 12))
    assert "news.example: 12 of 14 pages are new to us" in caplog.text


def test_a_model_is_asked_with_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    names = run(the_block("docs/howto/teacher.md", "def by_model"))
    asked: list[bytes] = []

    class Answer:
        def __enter__(self) -> Any:
            return type("File", (), {"read": lambda _: '{"choices": [{"message": {"content": "The text."}}]}'})()

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setitem(
        names["by_model"].__globals__, "urlopen", lambda request, timeout: asked.append(request.data) or Answer()
    )
    assert names["by_model"]("http://news.example/3", "<p>The text.") == "The text."
    assert "<p>The text." in json.loads(asked[0])["messages"][0]["content"]

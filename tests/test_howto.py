"""How-to pages: each block runs, with the results promised by the page."""

from __future__ import annotations

import importlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import scrapy
from lxml import html as lxml_html
from scrapy import Spider
from scrapy.http import TextResponse
from scrapy.settings import Settings
from scrapy.utils.misc import load_object

import scrapy_stemmer
from scrapy_stemmer import Page, PageKind, PatternSet, Role, learn, strip
from scrapy_stemmer.crawl.stats import Stat
from scrapy_stemmer.learners.rules.new_boxes import LEAST_PAGES
from scrapy_stemmer.settings import PATTERNS_ATTRIBUTE, SETTINGS, StemmerConfig
from scrapy_stemmer.signals import LayoutDrift, layout_drift
from scrapy_stemmer.stores.file import renamed_path
from tests.commands.subcommand import run as run_command
from tests.crawl.conftest import idle_crawler
from tests.crawl.learning.test_drift_watch import SITE as SITE_OF_WATCH
from tests.crawl.learning.test_drift_watch import Watched
from tests.crawl.learning.test_text_watch import see_boxes, watch_of_texts
from tests.crawl.website import Article
from tests.documentation import DOCS, ROOT, blocks, is_settings, run, settings_in, the_block

NEWS, DOCUMENTATION = "docs/howto/news.md", "docs/howto/documentation.md"
FLEET, LEARNER = "docs/howto/fleet.md", "docs/howto/learner.md"
CHANGES, REPORT = "docs/howto/changes.md", "docs/howto/report.md"
TEACHER = "docs/howto/teacher.md"
EXISTING = "docs/howto/existing-project.md"

SITE = "http://news.example"


def sample(site: str = SITE) -> list[Page]:
    return [Page(f"{site}/{number}", Article(number).html()) for number in range(6)]


def config_of(page: str, **instead: Any) -> StemmerConfig:
    """Return the settings of a page as read by a crawl."""
    return StemmerConfig.from_settings(Settings(settings_in(page) | instead), "news")


@pytest.mark.parametrize("page", [NEWS, DOCUMENTATION, FLEET, LEARNER, TEACHER])
def test_every_setting_of_ours_is_one(page: str) -> None:
    ours = {name for name in settings_in(page) if name.startswith("STEMMER_")}
    assert ours
    assert ours <= {setting.name for setting in SETTINGS}


@pytest.mark.parametrize("page", [f"docs/howto/{path.name}" for path in (DOCS / "howto").glob("*.md")])
def test_commands_are_crawls_with_settings_that_there_are(page: str) -> None:
    for line in "".join(blocks(page, "sh")).splitlines():
        words = shlex.split(line)
        if words[:2] == ["scrapy", "stemmer"] or words[0] == "git":
            continue  # run below
        assert words[:3] == ["scrapy", "crawl", "news"]
        given = [word.partition("=")[0] for before, word in pairwise(words) if before == "-s"]
        assert set(given) <= {setting.name for setting in SETTINGS}


def test_a_report_shows_what_a_correction_has_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    learn(sample()).save("patterns/news.jsonl")
    lines = [json.dumps({"url": page.url, "html": page.html}) for page in sample()]
    Path("pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    correction = {"site": "news.example", "action": "keep", "selector": ".foot"}
    Path("corrections.json").write_text(json.dumps([correction]), encoding="utf-8")
    commands = [shlex.split(line)[2:] for line in "".join(blocks(REPORT, "sh")).splitlines()]
    assert [command[0] for command in commands] == ["news", "report", "teach", "report"]
    told = "Keep parts named “foot”"
    for command, is_told in zip(commands[1:], (False, False, True), strict=True):
        run_command(*command)
        assert (told in Path("report/news.example/layout-1.html").read_text(encoding="utf-8")) == is_told
    assert (ROOT / REPORT).with_suffix(".png").stat().st_size < 150_000


class TestExistingProject:
    """Instructions for the maintainers of an existing project."""

    def test_a_spider_alone_is_switched_on(self) -> None:
        names = run(the_block(EXISTING, "class NewsSpider"), scrapy=scrapy)
        settings = Settings()
        names["NewsSpider"].update_settings(settings)
        ((addon, _),) = settings.getdict("ADDONS").items()
        assert load_object(addon) is scrapy_stemmer.Addon

    def test_something_is_left_out(self) -> None:
        requests = run(f"def parse(response, link):\n    {the_block(EXISTING, 'response.follow')}")["parse"]
        (request,) = requests(TextResponse(SITE), "/3")
        assert request.meta == {"stemmer": False}
        names = run(the_block(EXISTING, "STEMMER_ITEM_TYPES"))
        names["STEMMER_ITEM_TYPES"].remove("myproject.items.Article")
        config = StemmerConfig.from_settings(Settings(names), "news")
        assert (config.item_types, config.accepts(f"{SITE}/3"), config.accepts(f"{SITE}/login")) == (
            (dict,),
            True,
            False,
        )

    def test_what_git_ignores_are_the_files_beside_a_pattern_file(self, tmp_path: Path) -> None:
        ignored = the_block(EXISTING, ".scrapy/", "text").splitlines()
        patterns = tmp_path / "patterns" / "news.jsonl"
        learn(sample()).save(str(patterns))
        unsaved = renamed_path(patterns)
        unsaved.touch()
        for path in patterns.parent.iterdir():
            is_ignored = any(fnmatch(path.relative_to(tmp_path).as_posix(), line) for line in ignored)
            assert is_ignored is (path != patterns), path
        assert {path.name for path in patterns.parent.iterdir()} > {"news.jsonl", unsaved.name}

    def test_the_stats_that_are_worth_an_alarm_are_stats(self) -> None:
        names = run(the_block(EXISTING, "def alarms"))
        assert set(names["ALARMS"]) <= set(vars(Stat).values())
        stats = {"stemmer/drift/a.example": 1, "stemmer/items/stripped": 9, "stemmer/items/unsure": 2}
        assert names["alarms"](stats) == {"stemmer/drift/a.example": 1, "stemmer/items/unsure": 2}

    def test_the_lines_of_the_log_are_those_of_a_crawl(self, caplog: pytest.LogCaptureFixture) -> None:
        lines = the_block(EXISTING, "INFO: Learned", "text").splitlines()
        watched = Watched(relearns=False, STEMMER_DRIFT_PAGES=12)
        watched.see("!" * 12)
        told = f"[scrapy_stemmer] WARNING: {caplog.messages[0]}".replace(SITE_OF_WATCH, "news.example")
        assert lines[2] == told

    def test_a_stored_page_is_tested(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        learn(sample()).save("patterns/news.jsonl")
        Path("tests/pages").mkdir(parents=True)
        Path("tests/pages/article.html").write_text(Article(3).html(), encoding="utf-8")
        run(the_block(EXISTING, "def test_the_text_of_an_article"))["test_the_text_of_an_article"]()

    def test_texts_are_compared_with_examples(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        learn(sample()).save("patterns/news.jsonl")
        lines = [json.dumps({"url": page.url, "html": page.html}) for page in sample()]
        Path("pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
        for line in the_block(EXISTING, "--update", "sh").splitlines():
            run_command(*shlex.split(line)[2:])
        assert len(Path("examples.jsonl").read_text(encoding="utf-8").splitlines()) >= 2

    @pytest.mark.skipif(shutil.which("git") is None, reason="no git")
    def test_git_shows_the_rules_alone(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setenv("PYTHONPATH", str(ROOT))
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)

        def git(*arguments: str) -> str:
            return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout

        git("init", "--quiet")
        (command,) = (line for line in "".join(blocks(EXISTING, "sh")).splitlines() if line.startswith("git"))
        git(*shlex.split(command)[1:])
        Path(".gitattributes").write_text(the_block(EXISTING, "diff=stemmer", "text"), encoding="utf-8")
        learn(sample()[:4]).save("patterns/news.jsonl")
        git("add", ".")
        learn([Page(f"{SITE}/{number}", Article(number + 20).html()) for number in range(9)]).save(
            "patterns/news.jsonl"
        )
        changed = [line for line in git("diff").splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        assert any("9 pages" in line for line in changed)
        assert not any("~" in line for line in changed)


class TestNews:
    def test_its_settings_leave_out_videos(self) -> None:
        config = config_of(NEWS, STEMMER_FALLBACK=lambda page: None)
        assert config.accepts(f"{SITE}/2026/night-bus")
        assert not config.accepts(f"{SITE}/video/night-bus")
        assert (config.unmatched, config.low_confidence, config.min_confidence) == ("fallback", "fallback", 0.5)

    def test_only_articles_are_kept(self) -> None:
        assert config_of(NEWS, STEMMER_FALLBACK=lambda page: None).kinds == {PageKind.CONTENT}

    @pytest.mark.parametrize("make", [str, str.encode, lxml_html.document_fromstring], ids=["text", "bytes", "tree"])
    def test_a_fallback_extractor_is_asked(self, make: Any) -> None:
        pytest.importorskip("trafilatura")
        names = run(the_block(NEWS, "import trafilatura"))
        fallback = names[settings_in(NEWS)["STEMMER_FALLBACK"].rpartition(".")[2]]
        text = "<p>The night bus to the coast is to stay.</p>" * 9
        html = f"<html><body><article><h1>Night bus</h1>{text}</article></body></html>"
        assert "The night bus to the coast is to stay." in fallback(Page(f"{SITE}/", make(html)))["text"]


class TestDocumentation:
    def test_its_settings_are_accepted(self) -> None:
        config = config_of(DOCUMENTATION)
        assert config.text_roles == {Role.SUBTITLE, Role.MAIN, Role.TABLE, Role.CODE}
        assert config.accepts("https://manual.example/en/stable/index.html")
        assert not config.accepts("https://manual.example/en/1.0/index.html")

    def test_the_example_becomes_the_text_and_the_markdown_that_are_shown(self) -> None:
        (html,) = blocks(DOCUMENTATION, "html")
        (text,) = blocks(DOCUMENTATION, "text")
        page = Page(f"{SITE}/", f"<html><body><main>{html}</main></body></html>")
        stripped = strip(page)
        assert stripped.text == text.rstrip("\n")
        written = (ROOT / DOCUMENTATION).read_text(encoding="utf-8").partition("~~~~text\n")[2].partition("\n~~~~")[0]
        assert stripped.markdown == written

    def test_the_pipeline_finds_code(self) -> None:
        pipeline = run(the_block(DOCUMENTATION, "class CodeBlocks"))["CodeBlocks"]()
        item = pipeline.process_item({"main_html": "<div><p>So:</p><pre>a = <b>1</b>\nb = 2</pre></div>"})
        assert item["code"] == ["a = 1\nb = 2"]
        assert pipeline.process_item({})["code"] == []

    def test_the_spider_gives_items_with_the_fields_that_the_settings_name(self) -> None:
        spider = run(the_block(DOCUMENTATION, "class ManualSpider"), __name__="manual")["ManualSpider"]()
        response = TextResponse("https://manual.example/pages.json", body=b'[{"url": "u", "html": "<p>"}]')
        config = config_of(DOCUMENTATION)
        assert list(spider.parse(response)) == [{config.url_field: "u", config.html_field: "<p>"}]


class TestFleet:
    def test_its_settings_learn_into_a_store(self) -> None:
        config = config_of(FLEET)
        assert config.learn
        assert config.patterns == "s3://crawls/patterns/news"

    def test_a_spider_has_a_file_of_its_own(self) -> None:
        spider = run(the_block(FLEET, "class LocalSpider"), __name__="local")["LocalSpider"]
        assert isinstance(spider(), Spider)
        path = Path(getattr(spider, PATTERNS_ATTRIBUTE))
        assert config_of(FLEET).for_spider(spider()).patterns == str(path.absolute())

    def test_patterns_are_copied(self, tmp_path: Path) -> None:
        uris = [str(tmp_path / f"{number}.jsonl") for number in range(2)]
        for uri, site in zip(uris, ["http://a.example", "http://b.example"], strict=True):
            learn(sample(site)).save(uri)
        run(the_block(FLEET, "merge_into"))["copy"](*uris)
        assert PatternSet.load(uris[1]).sites == ("a.example", "b.example")

    @pytest.mark.parametrize(("unmatched", "warns"), [(0, False), (20, False), (30, True)])
    def test_the_extension_warns(self, unmatched: int, warns: bool, caplog: pytest.LogCaptureFixture) -> None:
        crawler = idle_crawler()
        crawler.stats.set_value("stemmer/items/matched", 100 - unmatched)
        crawler.stats.set_value("stemmer/items/unmatched", unmatched)
        run(the_block(FLEET, "class UnmatchedWarning"))["UnmatchedWarning"].from_crawler(crawler).spider_closed()
        assert ("learn again" in caplog.text) is warns


@pytest.fixture
def newsreader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield an installed package with the page's learner and its entry points."""
    (tmp_path / "newsreader").mkdir()
    (tmp_path / "newsreader" / "repeats.py").write_text(the_block(LEARNER, "class RepeatsLearner"), encoding="utf-8")
    points = the_block(LEARNER, "entry-points", "toml")
    info = tmp_path / "newsreader-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: newsreader\nVersion: 1.0\n", encoding="utf-8")
    lines = re.sub(r'\[project.entry-points."(.*)"\]', r"[\1]", points).replace('"', "")
    (info / "entry_points.txt").write_text(lines, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "newsreader"]:
        del sys.modules[name]


class TestLearner:
    def test_it_learns_and_strips(self, newsreader: Path, capsys: pytest.CaptureFixture[str]) -> None:
        run(the_block(LEARNER, "RepeatsLearner()"), pages=sample())
        printed = capsys.readouterr().out
        assert Article(0).body[0] in printed
        assert "Copyright" not in printed

    def test_its_patterns_come_back_from_a_file(self, newsreader: Path) -> None:
        learner = config_of(LEARNER).make_learner()
        patterns = learn(sample(), learner)
        assert learn(sample()[::-1], learner) == patterns
        patterns.save(str(newsreader / "p.jsonl"))
        assert PatternSet.load(str(newsreader / "p.jsonl")) == patterns

    def test_only_its_blocks_are_code(self) -> None:
        assert [is_settings(block) for block in blocks(LEARNER, "python")] == [False, False, True]


class TestChanges:
    def test_its_command_only_tells_that_sites_have_changed(self) -> None:
        (line,) = "".join(blocks(CHANGES, "sh")).splitlines()
        given = dict(word.split("=") for before, word in pairwise(shlex.split(line)) if before == "-s")
        assert StemmerConfig.from_settings(Settings(given), "news").drift == "watch"

    def test_the_extension_is_told(self, caplog: pytest.LogCaptureFixture) -> None:
        handlers: dict[object, Any] = {}
        crawler = idle_crawler()
        crawler.signals.connect = lambda handler, signal: handlers.update({signal: handler})
        extension = run(the_block(CHANGES, "class DriftMail"))["DriftMail"].from_crawler(crawler)
        handlers[layout_drift](spider=None, drift=LayoutDrift("news.example", 14, 12))
        assert extension
        assert "news.example: 12 of 14 pages are new to us" in caplog.text

    def test_the_line_of_the_log_is_that_of_a_crawl(self, caplog: pytest.LogCaptureFixture) -> None:
        *changed, new_box = "".join(blocks(CHANGES, "text")).replace("news.example", SITE_OF_WATCH).splitlines()
        for relearns, line in zip((True, False), changed, strict=True):
            watched = Watched(relearns=relearns, STEMMER_DRIFT_PAGES=12)
            watched.see("!" * 12)
            assert line in caplog.messages
        caplog.set_level("INFO")
        see_boxes(*watch_of_texts(), LEAST_PAGES)
        assert new_box in caplog.messages


class TestTeacher:
    def test_an_extractor_teaches(self) -> None:
        pytest.importorskip("trafilatura")
        teacher = run(the_block(TEACHER, "import trafilatura"))["by_trafilatura"]
        assert Article(3).body[0] in teacher(f"{SITE}/3", Article(3).html())
        names = run(the_block(TEACHER, "teacher=by_trafilatura"), by_trafilatura=teacher, pages=sample())
        assert names["patterns"].sites == ("news.example",)

    def test_its_settings_name_it(self) -> None:
        config = config_of(TEACHER, STEMMER_TEACHER=lambda url, html: None)
        assert config.teacher_pages == 3
        assert settings_in(TEACHER)["STEMMER_TEACHER"].endswith(".by_trafilatura")

    def test_a_model_is_asked_for_the_text_of_the_html(self, monkeypatch: pytest.MonkeyPatch) -> None:
        names = run(the_block(TEACHER, "def by_model"))
        asked: list[dict[str, Any]] = []

        def answer(request: Any, timeout: float) -> io.StringIO:
            asked.append(json.loads(request.data))
            return io.StringIO(json.dumps({"choices": [{"message": {"content": "The text."}}]}))

        monkeypatch.setitem(names["by_model"].__globals__, "urlopen", answer)
        assert names["by_model"](f"{SITE}/3", "<p>The text.") == "The text."
        assert asked[0]["messages"][0]["content"].endswith("\n\n<p>The text.")

    def test_labels_of_people_are_those_of_their_pages(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("labelled.jsonl").write_text('{"url": "http://a.example/", "text": "Text"}\n', encoding="utf-8")
        teacher = run(the_block(TEACHER, "def by_hand"))["by_hand"]
        assert (teacher("http://a.example/", ""), teacher("http://b.example/", "")) == ("Text", None)

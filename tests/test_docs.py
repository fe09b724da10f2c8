"""Documentation: complete tables, running examples, no stale names."""

from __future__ import annotations

import ast
import json
import re
import shlex
from configparser import ConfigParser
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from scrapy.settings import Settings
from scrapy.utils.misc import load_object

from scrapy_stemmer import MatchOptions, Page, PatternSet, Reason, Role, Stripped, learn
from scrapy_stemmer.commands.demo import DEMO_SAMPLE, bundled_pages
from scrapy_stemmer.commands.subcommands import rule_lines
from scrapy_stemmer.crawl.addon import Addon
from scrapy_stemmer.crawl.pages import META_KEY
from scrapy_stemmer.crawl.stats import Stat
from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.learners.base import get_learner, learner_names
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.settings import RESULT_FIELDS, SETTINGS, SPIDER_ATTRIBUTES, StemmerConfig
from tests.commands.subcommand import parse
from tests.crawl.website import Article
from tests.documentation import DOCS, ROOT, blocks, run, settings_in, the_block

STATS = {value for name, value in vars(Stat).items() if name.isupper()}


def rows(page: str, section: str = "") -> dict[str, list[str]]:
    """Return the rows of a page's tables that begin with a word in backquotes."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    if section:
        text = text.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^\| *`([^`]+)` *\|(.*)\|$", text, re.MULTILINE)
    return {name: [cell.strip() for cell in rest.split("|")] for name, rest in lines}


def named(page: str, prefix: str = "") -> set[str]:
    """Return the names of the rows; ``stemmer/errors/<exception>`` becomes ``stemmer/errors/``."""
    return {name.partition("<")[0] for name in rows(page) if name.startswith(prefix)}


def test_every_setting_is_documented_with_its_default() -> None:
    documented = {name: cells[0].strip("`") for name, cells in rows("settings").items() if name.startswith("STEMMER_")}
    assert {name: ast.literal_eval(value) for name, value in documented.items()} == {
        setting.name: setting.default for setting in SETTINGS
    }


def flat(options: object, within: str = "") -> dict[str, object]:
    """Return the options of a dataclass with their defaults; nested options as ``blocks.mangle``."""
    found: dict[str, object] = {}
    for field in fields(options):  # type: ignore[arg-type]
        value = getattr(options, field.name)
        found |= flat(value, f"{within}{field.name}.") if is_dataclass(value) else {within + field.name: value}
    return found


def as_written(value: object) -> str:
    """Return a default as written in the tables, without backquotes."""
    return ", ".join(value) if isinstance(value, tuple) else f"{value:g}" if type(value) is float else str(value)


@pytest.mark.parametrize("name", [name for name in learner_names() if get_learner(name).options_class])
def test_the_options_of_a_learner_are_documented_with_their_defaults(name: str) -> None:
    text = (DOCS / "learners" / "literature.md").read_text(encoding="utf-8")
    section = text.split(f"### Options of {name}\n", 1)[1].split("\n|---", 1)[1].split("\n\n", 1)[0]
    table = re.findall(r"^\| *`([^`]+)`[^|]*\| ([^|]*) \|", section, re.MULTILINE)
    options_class = get_learner(name).options_class
    assert options_class is not None
    assert {option: default.replace("`", "") for option, default in table} == {
        option: as_written(default)
        for option, default in flat(options_class()).items()
        if option != "default_charset"  # of every learner
    }


def test_the_options_of_the_example_are_options() -> None:
    block = the_block("docs/settings.md", "STEMMER_LEARNER_OPTIONS")
    given = {name: value for name, value in run(block).items() if name.startswith("STEMMER_")}
    learner: Any = StemmerConfig.from_settings(Settings(given), "news").make_learner()
    assert learner.options.width == given["STEMMER_LEARNER_OPTIONS"]["width"]


def test_every_meta_key_and_spider_attribute_is_documented() -> None:
    assert named("meta") == {META_KEY, *SPIDER_ATTRIBUTES}


def test_every_stat_is_documented() -> None:
    assert named("stats", "stemmer/") == STATS


def test_every_reason_is_documented() -> None:
    assert named("reasons") == set(Reason)


def test_every_result_is_documented_with_its_field() -> None:
    assert {name: cells[0].strip("`") for name, cells in rows("fields", "Results").items()} == RESULT_FIELDS


def test_no_stat_is_made_up_elsewhere() -> None:
    for path in (ROOT / "scrapy_stemmer").rglob("*.py"):
        if path.name != "stats.py":
            assert not re.search(r"[\"']stemmer/", path.read_text(encoding="utf-8")), path


def test_every_option_of_webstemmer_has_its_setting() -> None:
    text = (DOCS / "settings.md").read_text(encoding="utf-8").partition("## Options of Webstemmer")[2]
    options = re.findall(r"`(-\w)`", text)
    assert set(options) >= {"-t", "-T", "-m", "-M", "-S", "-c", "-C", "-L", "-P", "-a", "-j", "-d"}


# Examples


HISTORY = {"CHANGELOG.md", "docs/development/experiments.md", "docs/pattern-files.md", "docs/changelog.md"}
"""Pages about earlier versions."""

SIGNUP = "Subscribe to our newsletter, it is free."


def article(number: int) -> Page:
    """Return a page of news.example with a repeated line amid its text."""
    box = f"<p class='signup'>{SIGNUP}</p>" if number % 5 == 0 else ""
    html = Article(number, 4).html().replace("</p><p>", f"</p>{box}<p>", 1)
    return Page(f"http://news.example/{number}.html", html)


@pytest.fixture
def pages() -> list[Page]:
    return [article(number) for number in range(6)]


@pytest.fixture
def crawled(pages: list[Page], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, the current one, with the pattern file of a crawl."""
    monkeypatch.chdir(tmp_path)
    learn(pages).save("patterns/news.jsonl")
    return tmp_path


PAGES = ["README.md", *(f"docs/{path.relative_to(DOCS)}" for path in sorted(DOCS.rglob("*.md")))]


def test_blocks_of_python_are_python() -> None:
    for page in PAGES:
        for block in blocks(page, "python"):
            # Some are the inside of a callback.
            compile("async def callback(response):\n" + indent(block, "    ") + "    pass\n", page, "exec")


def test_commands_have_the_options_that_there_are() -> None:
    """Tests of each page check the effects."""
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8").replace("\\\n", " ")
        for line in re.findall(r"^ *scrapy stemmer (.*)$", text, re.MULTILINE):
            parse(*shlex.split(line, comments=True))


def test_links_between_pages_lead_to_files_and_heads_that_there_are() -> None:
    lost = []
    for path in [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")]:
        for target in re.findall(r"\]\((?!\w+:)([^)\s]+)\)", path.read_text(encoding="utf-8")):
            file, _, head = target.partition("#")
            other = path.parent / file if file else path
            if not other.is_file() or (head and head not in heads_of(other)):
                lost.append(f"{path.relative_to(ROOT)}: {target}")
    assert lost == []


def test_links_have_a_text() -> None:
    """GitHub shows nothing for a link without a text."""
    for path in [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "benchmarks").rglob("*.py")]:
        assert not re.search(r"\[\]\([^)\s]+\)", path.read_text(encoding="utf-8")), path


def heads_of(path: Path) -> set[str]:
    """The heads of a page as links name them."""
    heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md", "docs/settings.md", "docs/fields.md"])
def test_settings_in_examples_are_settings_of_ours_or_components_that_there_are(page: str) -> None:
    config = settings_in(page)
    ours = {name for name in config if name.startswith("STEMMER_")}
    assert ours <= {setting.name for setting in SETTINGS}
    for name in ("ADDONS", "SPIDER_MIDDLEWARES", "ITEM_PIPELINES", "DOWNLOADER_MIDDLEWARES"):
        for path in config.get(name, ()):
            assert load_object(path)


def test_what_is_written_by_hand_is_what_the_addon_enables() -> None:
    config = run(the_block("docs/settings.md", "StemmerPipeline"))
    settings = Settings()
    Addon().update_settings(settings)
    names = ("SPIDER_MIDDLEWARES", "ITEM_PIPELINES", "DOWNLOADER_MIDDLEWARES")
    by_addon = {
        name: {f"{key.__module__}.{key.__qualname__}": at for key, at in settings[name].items()} for name in names
    }
    assert {name: config[name] for name in names} == by_addon


def test_the_settings_of_the_tutorial_are_accepted() -> None:
    given = run(the_block("docs/tutorial.md", "STEMMER_UNMATCHED"))
    given["STEMMER_FALLBACK"] = lambda page: None
    config = StemmerConfig.from_settings(
        Settings({name: value for name, value in given.items() if name.isupper()}), "news"
    )
    assert (config.low_confidence, config.unmatched, config.min_confidence) == ("drop", "fallback", 0.5)


def test_the_fallback_of_the_tutorial_has_the_text_where_it_is_sure() -> None:
    fallback = run(the_block("docs/tutorial.md", "def if_sure"))["if_sure"]
    body = "".join(f"<p>{paragraph}</p>" for number in range(4) for paragraph in Article(number + 90).body)
    stripped = fallback(Page("http://news.example/new", f"<body><main><article>{body}</article></main></body>"))
    assert isinstance(stripped, Stripped)
    assert Article(90).body[0] in stripped.text
    assert fallback(Page("http://news.example/new", "<body>")) is None


def test_the_example_without_scrapy_runs(pages: list[Page], crawled: Path) -> None:
    sample = [(page.url, page.html) for page in pages]
    names = run(the_block("docs/library.md", "learn(pages)"), sample=sample, html=pages[0].html)
    assert names["patterns"].sites == ("news.example",)
    assert (crawled / "patterns" / "example.jsonl").is_file()


@pytest.mark.parametrize("page", ["README.md", "docs/library.md"])
def test_the_example_of_a_single_page_prints_its_title_and_text(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(the_block(page, "import Page, strip"), html=article(1).html)
    title, *text, confidence = capsys.readouterr().out.splitlines()
    assert title == Article(1).headline
    assert Article(1).body[0] in text
    assert 0 < float(confidence) < 1


def test_the_item_and_the_rules_of_the_readme_are_those_of_the_bundled_newspaper() -> None:
    newspaper = bundled_pages()
    patterns = learn(list(newspaper.values())[:DEMO_SAMPLE])
    item = json.loads(the_block("README.md", '"authors"', "json"))
    stripped = patterns.strip(newspaper[item["url"]])
    assert (stripped.title, list(stripped.fields.authors), stripped.fields.published) == (
        item["title"],
        item["authors"],
        item["date"],
    )
    assert stripped.text.startswith(item["text"].removesuffix("..."))
    (pattern,) = patterns.patterns
    assert isinstance(pattern, RulesPattern)
    assert set(the_block("README.md", "keep ", "text").splitlines()) <= set(rule_lines(pattern.all_rules))


def test_the_examples_of_roles_and_evidence_run(pages: list[Page], capsys: pytest.CaptureFixture[str]) -> None:
    patterns = learn(pages)
    run(the_block("docs/learners/rules.md", "block.evidence"), patterns=patterns, page=article(40))
    assert re.search(r"^keep \S+ main ", capsys.readouterr().out, re.MULTILINE)
    run(
        the_block("docs/labels.md", "text_roles"),
        patterns=patterns,
        page=article(40),
        MatchOptions=MatchOptions,
        Role=Role,
    )


def test_pattern_files_in_examples_are_read() -> None:
    text = the_block("docs/pattern-files.md", '"format"', "json")
    assert codec.dumps(codec.loads(text)) == text
    (layout,) = codec.loads(the_block("docs/learners/literature.md", '"format"', "json"))
    assert layout.kind == "layout"


@pytest.mark.parametrize("page", ["README.md", "docs/learners/rules.md", "docs/pattern-files.md"])
def test_rules_in_examples_are_the_users_where_they_have_no_checksum(page: str) -> None:
    lines = re.findall(r'^  (\{"(?:keep|drop|title)".*\}),?$', (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    text = the_block("docs/pattern-files.md", '"format"', "json")
    start, end = text.index('"rules": [') + len('"rules": ['), text.index(' ], "samples"')
    (pattern,) = codec.loads(text[:start] + ",".join(lines) + text[end:])
    assert isinstance(pattern, RulesPattern)
    assert [rule.is_users for rule in pattern.rules] == ["check" not in line for line in lines]
    assert any(rule.is_users for rule in pattern.rules)


def test_a_rule_that_is_added_as_the_docs_say_is_obeyed_and_stays(pages: list[Page], crawled: Path) -> None:
    path = crawled / "patterns" / "news.jsonl"
    page = article(40)
    assert SIGNUP in PatternSet.load(str(path)).strip(page).text
    line = the_block("docs/pattern-files.md", ".signup", "json")
    path.write_text(
        path.read_text(encoding="utf-8").replace(' "rules": [\n', f' "rules": [\n{line}', 1), encoding="utf-8"
    )
    assert SIGNUP not in PatternSet.load(str(path)).strip(page).text
    run(the_block("docs/pattern-files.md", "corrections="), pages=pages)
    again = PatternSet.load(str(path))
    assert SIGNUP not in again.strip(page).text
    assert Article(40, 4).body[0] in again.strip(page).text
    assert line.strip().rstrip(",") in path.read_text(encoding="utf-8")


def test_a_rule_whose_selector_was_changed_is_the_users(pages: list[Page], crawled: Path) -> None:
    path = crawled / "patterns" / "news.jsonl"
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r'\{"keep": "[^"]*story[^"]*"', '{"keep": "div.story > p"', text, count=1), encoding="utf-8")
    (pattern,) = PatternSet.load(str(path)).patterns
    assert isinstance(pattern, RulesPattern)
    assert [str(rule.selector) for rule in pattern.rules if rule.is_users] == ["div.story > p"]


@pytest.mark.parametrize("field", ["rules[1].keep", "kind", "version"])
def test_the_errors_in_the_docs_are_those_that_are_raised(field: str) -> None:
    (documented,) = [
        line for line in the_block("docs/pattern-files.md", "field kind", "text").splitlines() if field + ":" in line
    ]
    text = the_block("docs/pattern-files.md", '"format"', "json")
    text = {
        "rules[1].keep": text.replace('"keep": ".headline"', '"keep": ".story:first"'),
        "kind": text.replace('"kind": "rules"', '"kind": "evidence"'),
        "version": text.replace('"version": 1', '"version": 2'),
    }[field]
    with pytest.raises(PatternFileError) as raised:
        codec.loads(text)
    assert str(raised.value.at(uri="patterns/news.jsonl")) == documented


# Names


def pages_of_today() -> list[str]:
    """Return all pages except history and tables written by ``make bench``."""
    paths = [ROOT / "README.md", ROOT / "example_project" / "README.md", *DOCS.rglob("*.md")]
    names = [path.relative_to(ROOT).as_posix() for path in paths if "_build" not in path.parts]
    return sorted({*names} - HISTORY)


GONE = re.compile(r"evidence learner|`evidence`:|learner `evidence`|evidence\.md|EvidenceOptions|core\.evidence")


def test_no_page_names_what_is_gone() -> None:
    settings = {setting.name for setting in SETTINGS}
    for page in pages_of_today():
        text = (ROOT / page).read_text(encoding="utf-8")
        tables = re.sub(r"<!-- comparison: begin -->.*<!-- comparison: end -->", "", text, flags=re.DOTALL)
        assert not GONE.findall(tables), page
        assert set(re.findall(r"(?<!_)STEMMER_[A-Z_]+[A-Z]", text)) <= settings, page
        for name in re.findall(r"`(scrapy_stemmer(?:\.\w+)+)`", text):
            assert is_there(name), (page, name)


def test_commands_of_development_name_environments_targets_and_tests_that_there_are() -> None:
    tox = ConfigParser()
    tox.read(ROOT / "tox.ini", encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    paths = [ROOT / "CONTRIBUTING.md", *(DOCS / "development").glob("*.md"), *(ROOT / ".github").rglob("*.yml")]
    texts = [makefile, (ROOT / "tox.ini").read_text(encoding="utf-8")]
    for text in texts + [path.read_text(encoding="utf-8") for path in paths]:
        assert set(re.findall(r"tox (?:run )?-e ([\w-]+)", text)) <= set(tox["tox"]["env_list"].split())
        assert set(re.findall(r"(?:^(?:    |# )|`)make ([a-z-]+)", text, re.MULTILINE)) <= targets
        named = re.findall(r"(?<![\w/])(tests/[\w/]+(?:\.\w+)?)", text)
        assert [path for path in named if not (ROOT / path).exists() and path != "tests/test_"] == []


def is_there(name: str) -> bool:
    """Return True if a dotted name is a module, a member of one, or a group of entry points."""
    if name in ("scrapy_stemmer.learners", "scrapy_stemmer.patterns"):
        return True
    module, _, last = name.rpartition(".")
    try:
        return hasattr(import_module(module), last) or import_module(name) is not None
    except ImportError:
        return False


def test_every_learner_has_its_row() -> None:
    text = (DOCS / "learners" / "index.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| \[`(\w+)`\]", text, re.MULTILINE)) == set(learner_names())


def test_every_role_and_kind_is_documented() -> None:
    assert {*Role} <= set(rows("labels"))


def test_every_field_of_a_pattern_of_rules_is_documented(pages: list[Page]) -> None:
    (pattern,) = learn(pages).patterns
    text = (DOCS / "learners" / "rules.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in pattern.to_record())


WRITTEN = [*DOCS.rglob("*.md"), *ROOT.glob("*.md")]


@pytest.mark.parametrize("page", sorted(path.relative_to(ROOT).as_posix() for path in WRITTEN))
def test_lines_of_prose_are_short(page: str) -> None:
    text = re.sub(r"(?ms)^ *(```+|~~~+).*?^ *\1", "", (ROOT / page).read_text(encoding="utf-8"))
    prose = (line for line in text.splitlines() if not line.lstrip().startswith(("|", "![")) and line[:4] != " " * 4)
    assert [line for line in prose if len(line) > 100 and "](http" not in line] == []

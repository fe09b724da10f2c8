"""Documentation: complete tables, links that lead somewhere, names that there are."""

from __future__ import annotations

import ast
import json
import pkgutil
import re
from dataclasses import asdict
from pathlib import Path

import pytest
from scrapy.settings import Settings

from scrapy_stemmer import Page, Reason, Role, Stripped, learn
from scrapy_stemmer.commands.demo import DEMO_SAMPLE, bundled_pages
from scrapy_stemmer.commands.subcommands import rule_lines
from scrapy_stemmer.crawl.addon import Addon
from scrapy_stemmer.crawl.pages import META_KEY
from scrapy_stemmer.crawl.stats import Stat
from scrapy_stemmer.learners.base import get_learner, learner_names
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.settings import RESULT_FIELDS, SETTINGS, SPIDER_ATTRIBUTES
from tests.crawl.website import Article
from tests.documentation import DOCS, ROOT, run, the_block

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
        for option, default in asdict(options_class()).items()
        if option != "default_charset"  # of every learner
    }


def test_every_meta_key_and_spider_attribute_is_documented() -> None:
    assert named("meta") == {META_KEY, *SPIDER_ATTRIBUTES}


def test_every_stat_is_documented() -> None:
    assert named("stats", "stemmer/") == STATS


def test_every_reason_is_documented() -> None:
    assert named("reasons") == set(Reason)


def test_every_result_is_documented_with_its_field() -> None:
    assert {name: cells[0].strip("`") for name, cells in rows("fields", "Results").items()} == RESULT_FIELDS


def test_each_place_of_a_decision_is_there() -> None:
    section = (DOCS / "architecture.md").read_text(encoding="utf-8").partition("## Where is it decided")[2]
    names = re.findall(r"`((?:\w+\.)+\w+)`", section.partition("\n## ")[0])
    assert len(names) > 15
    for name in names:
        assert pkgutil.resolve_name(f"scrapy_stemmer.{name}"), name


def test_links_between_pages_lead_to_files_and_heads_that_there_are() -> None:
    lost = []
    for path in [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")]:
        for target in re.findall(r"\]\((?!\w+:)([^)\s]+)\)", path.read_text(encoding="utf-8")):
            file, _, head = target.partition("#")
            other = path.parent / file if file else path
            if not other.is_file() or (head and head not in heads_of(other)):
                lost.append(f"{path.relative_to(ROOT)}: {target}")
    assert lost == []


def heads_of(path: Path) -> set[str]:
    """The heads of a page as links name them."""
    heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_what_is_written_by_hand_is_what_the_addon_enables() -> None:
    config = run(the_block("docs/settings.md", "StemmerPipeline"))
    settings = Settings()
    Addon().update_settings(settings)
    names = ("SPIDER_MIDDLEWARES", "ITEM_PIPELINES", "DOWNLOADER_MIDDLEWARES")
    by_addon = {
        name: {f"{key.__module__}.{key.__qualname__}": at for key, at in settings[name].items()} for name in names
    }
    assert {name: config[name] for name in names} == by_addon


def test_the_fallback_of_the_tutorial_has_the_text_where_it_is_sure() -> None:
    fallback = run(the_block("docs/tutorial.md", "def if_sure"))["if_sure"]
    body = "".join(f"<p>{paragraph}</p>" for number in range(4) for paragraph in Article(number + 90).body)
    stripped = fallback(Page("http://news.example/new", f"<body><main><article>{body}</article></main></body>"))
    assert isinstance(stripped, Stripped)
    assert Article(90).body[0] in stripped.text
    assert fallback(Page("http://news.example/new", "<body>")) is None


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


# Names


def test_every_learner_has_its_row() -> None:
    text = (DOCS / "learners" / "index.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| \[`(\w+)`\]", text, re.MULTILINE)) == set(learner_names())


def test_every_role_and_kind_is_documented() -> None:
    assert {*Role} <= set(rows("labels"))


def test_every_field_of_a_pattern_of_rules_is_documented() -> None:
    (pattern,) = learn([Page(f"http://news.example/{number}", Article(number).html()) for number in range(6)]).patterns
    text = (DOCS / "learners" / "rules.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in pattern.to_record())

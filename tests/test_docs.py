"""Everything that users can set or see has its row in a table of the documentation; the tables have no other."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from scrapy_stemmer.crawl.config import RESULT_FIELDS, SETTINGS, Setting
from scrapy_stemmer.crawl.names import MetaKey, Skip, SpiderAttribute, Stat

DOCS = Path(__file__).parents[1] / "docs"

STATS = {value for name, value in vars(Stat).items() if name.isupper()}


def rows(page: str) -> dict[str, list[str]]:
    """The rows of a page's tables that begin with something in backquotes."""
    lines = re.findall(r"^\| *`([^`]+)` *\|(.*)\|$", (DOCS / f"{page}.md").read_text(encoding="utf-8"), re.MULTILINE)
    return {name: [cell.strip() for cell in rest.split("|")] for name, rest in lines}


def named(page: str, prefix: str = "") -> set[str]:
    """What those rows are about; ``stemmer/errors/<exception>`` is about ``stemmer/errors/``."""
    return {name.partition("<")[0] for name in rows(page) if name.startswith(prefix)}


def test_every_setting_is_documented() -> None:
    assert named("settings", "STEMMER_") == {setting.name for setting in SETTINGS}


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_the_documented_default_is_the_default(setting: Setting) -> None:
    documented = re.match(r"`([^`]+)`", rows("settings")[setting.name][0])
    assert documented is not None
    assert ast.literal_eval(documented[1]) == setting.default


def test_every_meta_key_and_spider_attribute_is_documented() -> None:
    assert named("meta") == {*MetaKey, *SpiderAttribute}


def test_every_stat_is_documented() -> None:
    assert named("stats", "stemmer/") == STATS


def test_every_reason_to_skip_a_page_is_documented() -> None:
    assert named("stats") - STATS == set(Skip)


def test_every_result_is_documented_with_its_field() -> None:
    assert {name: cells[0].strip("`") for name, cells in rows("fields").items()} == RESULT_FIELDS


def test_no_stat_is_made_up_elsewhere() -> None:
    """Each name that begins with ``stemmer/`` is in the one list of them."""
    for path in (DOCS.parent / "scrapy_stemmer").rglob("*.py"):
        if path.name != "names.py":
            assert not re.search(r"[\"']stemmer/", path.read_text(encoding="utf-8")), path


def test_every_option_of_webstemmer_has_its_setting() -> None:
    text = (DOCS / "settings.md").read_text(encoding="utf-8").partition("## Options of Webstemmer")[2]
    options = re.findall(r"`(-\w)`", text)
    assert set(options) >= {"-t", "-T", "-m", "-M", "-S", "-c", "-C", "-L", "-P", "-a", "-j", "-d"}

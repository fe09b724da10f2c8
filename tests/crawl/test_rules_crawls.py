"""Real crawls with the default learner: learned, stripped from an edited file, and learned again."""

from __future__ import annotations

import json
from typing import Any

from scrapy_stemmer.learners.rules.pattern import RulesPattern
from tests.crawl.conftest import Crawl, Crawler
from tests.crawl.website import FOOTER, NAVIGATION, Article, Website

RULES = {"STEMMER_LEARNER": "rules"}
LEARN = {"STEMMER_LEARN": True, **RULES}
MINE = {"keep": ".foot"}
"""A rule that no learner would make."""


def article(done: Crawl, website: Website, number: int = 1) -> dict[str, Any]:
    """The last item of an article."""
    url = website.url(f"/article/{number}.html")
    return [item for item in done.items if item["url"] == url][-1]


def edit(done: Crawl, rule: dict[str, str]) -> None:
    """Write a rule below the first one, as a person does with an editor."""
    file = done.folder / "patterns.jsonl"
    lines = file.read_text(encoding="utf-8").split("\n")
    (first,) = [number for number, line in enumerate(lines) if line.startswith("  {") and '"body"' in line]
    if not lines[first].endswith(","):
        lines[first] += ","
        lines.insert(first + 1, f"  {json.dumps(rule)}")
    else:
        lines.insert(first + 1, f"  {json.dumps(rule)},")
    file.write_text("\n".join(lines), encoding="utf-8")


def rules(done: Crawl) -> list[str]:
    (pattern,) = done.patterns.patterns
    assert isinstance(pattern, RulesPattern)
    return [f"{rule.line}{'!' if rule.is_users else ''}" for rule in pattern.rules]


def test_an_edited_file_is_obeyed_and_the_edit_survives_relearning(crawl: Crawler, website: Website) -> None:
    website.add_articles(8)
    copying = {"arguments": {"copy_meta": 1}, "METACOPY_ENABLED": False}
    learned = crawl("plain", website.url("/article/"), **copying, **LEARN)
    (told,) = [line for line in learned.log.splitlines() if "INFO: Learned" in line]
    assert f"Learned {website.site}: 1 pattern from 9 pages in " in told
    assert told.endswith("; 9 items waited for it")
    assert not any(template in article(learned, website)["html"] for template in (FOOTER, NAVIGATION.split()[1]))
    assert FOOTER not in article(learned, website)["text"]
    assert "keep .foot!" not in rules(learned)

    edit(learned, MINE)
    edited = (learned.folder / "patterns.jsonl").read_bytes()
    obeyed = crawl("plain", website.url("/article/"), **LEARN)
    assert (learned.folder / "patterns.jsonl").read_bytes() == edited
    assert FOOTER in article(obeyed, website)["text"]
    assert article(obeyed, website)["stemmer_matched"] is True
    assert not {"stemmer/held/total", "stemmer/pages/sampled", "stemmer/sites/learned"} & set(obeyed.stats)
    assert obeyed.stats["stemmer/sites/loaded"] == 1

    again = crawl("plain", website.url("/article/"), STEMMER_LEARN="again", STEMMER_LEARNER=...)
    assert again.stats["stemmer/sites/learned"] == 1
    assert FOOTER in article(again, website)["text"]
    assert "keep .foot!" in rules(again)


def test_a_teacher_that_fails_is_counted_and_logged_and_the_crawl_goes_on(crawl: Crawler, website: Website) -> None:
    website.add_articles(8)
    teacher = "tests.crawl.learners.knows_nothing"
    done = crawl("plain", website.url("/article/"), ok=False, **LEARN, STEMMER_TEACHER=teacher)
    assert done.exit_code == 0
    assert [done.stats[f"stemmer/{name}"] for name in ("teacher/failed", "errors/ZeroDivisionError")] == [3, 3]
    assert "Error while asking the teacher about http" in done.log
    assert article(done, website)["text"].split("\n")[-3:] == Article(1).body

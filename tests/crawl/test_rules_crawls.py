"""Real crawls with the default learner, edited rules, and titles from links."""

from __future__ import annotations

import json
from typing import Any

from scrapy_stemmer.learners.rules.pattern import RulesPattern
from tests.crawl.conftest import Crawl, Crawler
from tests.crawl.website import FOOTER, Article, Website, links_to

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
    learned = crawl("plain", website.url("/article/"), **LEARN)
    assert FOOTER not in article(learned, website)["text"]
    assert "keep .foot!" not in rules(learned)

    edit(learned, MINE)
    obeyed = crawl("plain", website.url("/article/"), **RULES)
    assert FOOTER in article(obeyed, website)["text"]
    assert article(obeyed, website)["stemmer_matched"] is True
    assert "stemmer/pages/sampled" not in obeyed.stats

    again = crawl("plain", website.url("/article/"), **{**LEARN, "STEMMER_LEARN": "again"})
    assert again.stats["stemmer/sites/learned"] == 1
    assert FOOTER in article(again, website)["text"]
    assert "keep .foot!" in rules(again)


def test_the_texts_of_links_reach_the_learner(crawl: Crawler, website: Website) -> None:
    """Neither head nor heading names these pages."""
    articles = [Article(number) for number in range(8)]
    for one in articles:
        text = "".join(f"<p>{paragraph}</p>" for paragraph in one.body)
        html = f"<html><body><div class='name'>{one.headline}</div><div class='story'>{text}</div></body></html>"
        website.add(f"/article/{one.number}.html", html)
    index = links_to({f"/article/{one.number}.html": one.headline for one in articles})
    website.add("/article/", f"<html><body>{index}</body></html>")
    done = crawl("plain", website.url("/article/"), **LEARN)
    assert [line for line in rules(done) if line.startswith("title")] == ["title .name"]
    assert article(done, website)["title"] == Article(1).headline


def test_a_teacher_that_fails_is_counted_and_logged_and_the_crawl_goes_on(crawl: Crawler, website: Website) -> None:
    website.add_articles(8)
    teacher = "tests.crawl.learners.knows_nothing"
    done = crawl("plain", website.url("/article/"), ok=False, **LEARN, STEMMER_TEACHER=teacher)
    assert done.exit_code == 0
    assert [done.stats[f"stemmer/{name}"] for name in ("teacher/failed", "errors/ZeroDivisionError")] == [3, 3]
    assert "Error while asking the teacher about http" in done.log
    assert article(done, website)["text"].split("\n")[-3:] == Article(1).body

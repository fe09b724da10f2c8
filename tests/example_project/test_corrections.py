"""Rules written into the pattern file by hand, in crawls of the bundled site."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrapy_stemmer import PatternSet, learn
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from tests import processes
from tests.example_project.conftest import PROJECT
from tests.example_project.test_kinds import pages

HOST = "heron.example"
QUOTATION = "I never thought of it as music. I thought of it as telling people not to die."
PAGE = f"http://{HOST}/culture/lighthouse-opera.html"
RULE = '{"drop": "blockquote"}'


def crawl(patterns: Path, *settings: str) -> dict[str, str]:
    """Return the text of each crawled page."""
    feed = patterns.with_name("items.jsonl")
    feed.unlink(missing_ok=True)
    given = [f"STEMMER_PATTERNS={patterns}", f'FEEDS={{"{feed}": {{"format": "jsonlines"}}}}', *settings]
    options = [part for each in given for part in ("-s", each)]
    done = processes.scrapy("crawl", "news", *options, folder=PROJECT, scratch=patterns.parent)
    assert "ERROR" not in done.stderr, done.stderr
    return {item["url"]: item.get("text", "") for item in map(json.loads, feed.read_text("utf-8").splitlines())}


@pytest.mark.slow
def test_a_rule_by_hand_is_obeyed_and_stays_when_the_site_is_learned_again(tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    learn([page for page, _ in pages()[HOST]]).save(str(path))
    assert QUOTATION in crawl(path)[PAGE]
    path.write_text(path.read_text("utf-8").replace('"rules": [\n', f'"rules": [\n  {RULE},\n', 1), "utf-8")
    assert QUOTATION not in crawl(path)[PAGE]
    text = crawl(path, "STEMMER_LEARN=again")[PAGE]
    assert QUOTATION not in text
    assert "The note is a D, a little flat." in text
    assert RULE in path.read_text("utf-8")
    (pattern,) = PatternSet.load(str(path)).of_site(HOST)
    assert isinstance(pattern, RulesPattern)
    assert (pattern.learned is not None, pattern.support) == (True, 20)

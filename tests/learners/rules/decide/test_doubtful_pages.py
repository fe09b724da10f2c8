"""Pages with unsure rules: a surer scorer decides, and only adds to the kept text."""

from __future__ import annotations

import random
from dataclasses import replace

from scrapy_stemmer import Page, PatternSet
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from tests.learners.rules.returning.test_template import article, learned, pattern_of, sentence
from tests.learners.rules.test_pattern import rule

MENU = "".join(
    f"<li><a href='/{name}'>All about {name}</a></li>" for name in ("boats", "kettles", "ladders", "ribbons")
)


def thread(number: int) -> Page:
    """Return an article with readers' answers below, and a menu."""
    rng = random.Random(1000 + number)
    replies = "".join(f"<div class='reply'><p>{sentence(rng)} {sentence(rng)}</p></div>" for _ in range(20))
    html = str(article(number).html)
    below = f"<div class='replies'>{replies}</div><ul class='more'>{MENU}</ul><div class='footer'>"
    return Page(f"http://heron.example/{number}", html.replace("<div class='footer'>", below))


def by_rules(sure: float) -> PatternSet:
    """The patterns of a site whose rules drop the answers, and decide on all paths."""
    pattern = pattern_of(learned(*(thread(number) for number in range(8))))
    rules = (rule("drop body", sure=sure), rule("keep .story", sure=0.99))
    known = replace(pattern.knowledge, parts=frozenset(), undecided=frozenset(), decided=all_paths(pattern))
    return PatternSet([replace(pattern, rules=rules, knowledge=known)])


def all_paths(pattern: RulesPattern) -> frozenset[int]:
    known = pattern.knowledge
    return known.decided | known.undecided | known.parts | known.usual


def test_the_scorer_adds_text_without_links_where_unsure_rules_drop_it() -> None:
    unsure, sure = (by_rules(each).strip(thread(40)).text for each in (0.55, 0.99))
    assert (len(unsure.splitlines()), len(sure.splitlines())) == (27, 7)
    assert "boats" not in unsure

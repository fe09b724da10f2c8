"""Rules decide as the scores say, even if a plain selector would match too much."""

from __future__ import annotations

from scrapy_stemmer.learners.rules.learn.fewest_rules import PathIndex, fewest_rules
from scrapy_stemmer.learners.rules.site.paths import Component, Paths
from scrapy_stemmer.learners.rules.site.rules import KEEP

PRICE = 0.001


def tree(*lines: str) -> tuple[Paths, list[float]]:
    """Return paths such as ``div.story > p.byline`` with their odds, written ``path = odds``."""
    paths = Paths()
    paths.child(-1, Component("body"))
    odds = {0: 0.0}
    for line in lines:
        chain, _, value = line.partition(" = ")
        path = 0
        for step in chain.split(" > "):
            tag, *names = step.split(".")
            path = paths.child(path, Component(tag, tuple(f".{name}" for name in names)))
        odds[path] = float(value)
    return paths, [odds.get(path, 0.0) for path in range(len(paths))]


def wrong(paths: Paths, odds: list[float]) -> list[int]:
    """Return the paths decided against their odds."""
    rules, numbers = fewest_rules(PathIndex(paths), odds, PRICE)
    kept = [rules[number].action == KEEP for number in numbers]
    return [path for path, value in enumerate(odds) if value and kept[path] != (value > 0)]


def test_elements_without_names_are_told_apart_by_those_around_them() -> None:
    paths, odds = tree(
        "div.a > div > div > p = 50",
        "div.b > div > div > p = -50",
        "div.b > div > div > span = 30",
        "div.a > div > div > span = -30",
    )
    assert not wrong(paths, odds)


def test_equal_choices_become_a_rule_for_the_place() -> None:
    paths, odds = tree("div.story > h1 = 9", "div.story > p = 90", "div.story > p.byline = -9", "ul > li = -200")
    rules = [(rule.action, rule.selector.text) for rule in fewest_rules(PathIndex(paths), odds, PRICE)[0]]
    assert rules == [("drop", "body"), ("keep", ".story"), ("drop", ".byline")]


def test_what_is_worth_less_than_a_rule_has_none() -> None:
    paths, odds = tree("div.story > p = 5000", "div.story > p.byline = -4")
    assert [rule.selector.text for rule in fewest_rules(PathIndex(paths), odds, PRICE)[0]] == ["body"]

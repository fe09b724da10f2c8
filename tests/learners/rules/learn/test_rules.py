"""Rules: the deciding rule of a path, and few rules that decide as the scores do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer import Page, learn
from scrapy_stemmer.learners.rules.learn.fewest_rules import fewest_rules
from scrapy_stemmer.learners.rules.site.paths import Component, PathIndex, Paths
from scrapy_stemmer.learners.rules.site.rules import KEEP, Rule
from tests.learners.rules.made import path_of, paths, rule, site_of


def deciding(path: str, *rules: Rule) -> str | None:
    """Return the line of the rule that decides on a path."""
    known = paths(path)
    number = site_of(known, *rules)[path_of(known, path)].rule
    return None if number < 0 else rules[number].line


@pytest.mark.parametrize(
    ("path", "lines", "expected"),
    [
        ("div.a > p", ["keep body", "drop .a"], "drop .a"),
        ("div.a > p", ["drop .a", "keep body"], "drop .a"),
        ("div.a > p", ["keep body", "drop .a", "keep p"], "keep p"),
        ("div.a > div.b > p", ["keep .a", "drop .b"], "drop .b"),
        ("div.b > div.a > p", ["keep .a", "drop .b"], "keep .a"),
        ("p", ["drop .a"], None),
        ("div.a > p", ["keep .a > p", "drop p"], "keep .a > p"),
        ("p.a.b", ["keep .a.b", "drop .b"], "keep .a.b"),
        ("p.a.b", ["keep .a", "drop .b"], "drop .b"),  # of equals the last
    ],
)
def test_the_nearest_rule_decides_and_of_several_the_one_that_says_more(
    path: str, lines: list[str], expected: str | None
) -> None:
    assert deciding(path, *map(rule, lines)) == expected


@pytest.mark.parametrize(
    ("path", "lines", "expected"),
    [
        pytest.param("div > p.a", ["keep p!", "drop div > p.a"], "keep p", id="over learned ones for the same element"),
        pytest.param("div.a > p.b", ["keep .a!", "drop .b"], "keep .a", id="and in it"),
        pytest.param("div.a > div > p.b", ["drop .b", "keep .a!"], "keep .a", id="wherever it stands"),
        pytest.param("div.a > p.b", ["keep .a!", "drop .b!"], "drop .b", id="but not over a user's nearer one"),
        pytest.param("div.a > div.b > p", ["keep .a!", "drop .b!", "keep p"], "drop .b", id="which wins in its turn"),
        pytest.param("div.a > p", ["drop body!", "keep .a"], "keep .a", id="one of the body: over no other"),
        pytest.param("div.b > p", ["drop body!", "keep .a"], "drop body", id="for what no other decides"),
    ],
)
def test_a_user_s_rule_wins(path: str, lines: list[str], expected: str) -> None:
    """Users' rules are marked by ``!``."""
    rules = (rule(line.removesuffix("!"), is_users=line.endswith("!")) for line in lines)
    assert deciding(path, *rules) == expected


def test_title_rules_are_asked_in_order_the_user_s_first_and_then_any_main_heading() -> None:
    known = paths("h1", "h2.a", "p")
    titles = site_of(known, rule("keep body"), rule("title .a"), rule("title h2"))
    assert [titles[path_of(known, path)].title for path in ("h1", "h2.a", "p")] == [3, 1, -1]
    assert site_of(known, rule("title .a"), rule("title h2", is_users=True))[path_of(known, "h2.a")].title == 1


def learned(odds: dict[str, float], price: float = 0.01) -> list[str]:
    """Return the lines of the rules made from the odds of some paths."""
    known = paths(*(path for path in odds if path != "body"))
    values = [0.0] * len(known)
    for path, value in odds.items():
        values[path_of(known, path)] = value
    return [found.line for found in fewest_rules(PathIndex(known), values, price)[0]]


def both(names: str, odds: float) -> dict[str, float]:
    """Return the odds of two nested elements."""
    return {f"div{names} > p": odds, f"div{names} > h2": odds}


@pytest.mark.parametrize(
    ("odds", "lines"),
    [
        pytest.param({"p": 9.0}, ["keep body"], id="all of it"),
        pytest.param({"p": -9.0}, ["drop body"], id="nothing"),
        pytest.param(both(".a", 2.0) | both(".b", -9.0), ["drop body", "keep .a"], id="template and some text"),
        pytest.param(both(".a", 9.0) | both(".b", -2.0), ["drop body", "keep .a"], id="text and some template"),
        pytest.param(both("#x.a", 2.0) | both(".b", -9.0), ["drop body", "keep #x"], id="an identifier first"),
        pytest.param({"ul > li": 9.0, "p": 9.0, "nav > a-b": -2.0}, ["keep body", "drop nav"], id="no names"),
        pytest.param({"p": 9.0, "ul": 9.0, **both(".a", -5.0), "div.a > pre": -5.0, "div.a > h3": 3.0},
            ["keep body", "drop .a", "keep h3"], id="in each other"),
        pytest.param({"div.story > h1": 9, "div.story > p": 90, "div.story > p.byline": -9, "ul > li": -200},
            ["drop body", "keep .story", "drop .byline"], id="one for the place of equal choices"),
        pytest.param({f"div.x{n} > {tag}": odd for n in range(5) for tag, odd in (("p", 9), ("h2", 9), ("div.ad", -5))},
            ["keep body", "drop .ad"], id="one for all elements that are alike"),
        pytest.param({"body": 0.0}, ["drop body"], id="no text"),
    ],
)  # fmt: skip
def test_the_rules_of_clear_odds(odds: dict[str, float], lines: list[str]) -> None:
    assert learned(odds) == lines


def test_a_rule_that_is_not_worth_its_price_is_not_made() -> None:
    odds = {"p": 100.0, "h2": 100.0, **both(".b", -2.0)}
    assert learned(odds) == ["keep body", "drop .b"]
    assert learned(odds, price=0.1) == ["keep body"]


COMPONENTS = st.builds(
    lambda tag, names: Component(tag, tuple(sorted(names))),
    st.sampled_from(["p", "div", "ul", "x-y.z"]),
    st.sets(st.sampled_from(["#i", ".a", ".b", ".c:d", ".é", ".new\nline"]), max_size=2),
)


@st.composite
def scored(draw: st.DrawFn) -> tuple[Paths, list[float]]:
    """Return paths with odds, each with names of its own, hence a selector each."""
    known = Paths()
    known.child(-1, Component("body"))
    for number, part in enumerate(draw(st.lists(COMPONENTS, max_size=12))):
        named = part._replace(names=tuple(sorted((*part.names, f".n{number}"))))
        known.child(draw(st.integers(0, len(known) - 1)), named)
    odds = draw(st.lists(st.sampled_from([-5.0, -1.0, 0.0, 1.0, 5.0]), min_size=len(known), max_size=len(known)))
    return known, odds


@given(scored())
def test_at_next_to_no_price_every_path_is_decided_as_its_odds_say(made: tuple[Paths, list[float]]) -> None:
    known, odds = made
    rules, numbers = fewest_rules(PathIndex(known), odds, 1e-6)
    assert numbers == [path.rule for path in site_of(known, *rules)]
    for path, number in enumerate(numbers):
        if odds[path]:
            assert (rules[number].action == KEEP) == (odds[path] > 0)


@given(scored(), st.sampled_from([0.0, 0.01, 0.2]))
def test_no_rule_can_be_left_out(made: tuple[Paths, list[float]], price: float) -> None:
    known, odds = made
    rules = fewest_rules(PathIndex(known), odds, price)[0]

    def worth(some: list[Rule]) -> float:
        return sum(
            odd if some[path.rule].action == KEEP else -odd
            for odd, path in zip(odds, site_of(known, *some), strict=True)
        )

    assert rules[0].line in ("keep body", "drop body")
    assert len({found.selector for found in rules}) == len(rules)
    for number in range(1, len(rules)):
        assert worth(rules[:number] + rules[number + 1 :]) < worth(rules)


@pytest.mark.slow
def test_a_site_of_any_depth_is_learned_in_time_that_grows_with_it() -> None:
    """Trees made by programs have no limit; a third of this depth took 34 s when all ancestors were tried."""

    def tree(number: int) -> etree._Element:
        root = etree.Element("html")
        element = etree.SubElement(root, "body")
        for level in range(5_000):
            element = etree.SubElement(element, "div")
            if level % 500 == 0:
                nav = level % 1000 == 0
                etree.SubElement(element, "nav" if nav else "p").text = (
                    "Home News About" if nav else f"A long text {number} about boats, and rivers, and harbours. " * 9
                )
        return root

    pages = [Page(f"http://a.com/{number}", tree(number)) for number in range(3)]
    stripped = learn(pages).strip(pages[0])
    assert "boats" in stripped.text
    assert len(stripped.blocks) == 10

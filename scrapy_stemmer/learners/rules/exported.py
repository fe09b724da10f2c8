"""Rules as CSS and XPath, for spiders and programs that don't have scrapy-stemmer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrapy_stemmer.learners.rules.paths import Selector, Step
from scrapy_stemmer.learners.rules.rules import DROP, KEEP, TITLE, Rule, rank

UNREAD = "script style noscript template iframe head select textarea button"
"""Elements whose text is no text of the page."""


@dataclass(frozen=True, slots=True)
class Selectors:
    """The rules of a site as CSS and XPath 1.0.

    They say what the rules say, which decide on most text of most pages. What is beyond them is left out: the scorer,
    which decides on blocks of unknown places, and texts that stand on many pages.

    :param keep: CSS of the elements that are kept.
    :param drop: CSS of those in them that are dropped; an element that is kept may be in one that is dropped.
    :param title: CSS of the title, the first one that is there counts.
    :param text_xpath: XPath of the text nodes of which the rules keep the nearest element around them.
    :param title_xpath: XPath of the titles.
    :param body_xpath: XPath of the outermost elements that are kept.
    :param strip_xpath: XPath of elements in these that are dropped with all that they hold.
    """

    keep: tuple[str, ...]
    drop: tuple[str, ...]
    title: tuple[str, ...]
    text_xpath: str
    title_xpath: tuple[str, ...]
    body_xpath: str
    strip_xpath: str


def exported(rules: Sequence[Rule]) -> Selectors:
    """The rules of a site as selectors."""
    deciding = [rule for rule in rules if rule.action != TITLE]
    titles = [rule.selector for rule in rules if rule.action == TITLE] or [Selector.parse("h1")]
    heard = _heard(deciding)
    ruled = heard + (" or ".join(dict.fromkeys(xpath_test(rule.selector) for rule in deciding)) or "false()")
    keeps = heard + _decides(deciding, KEEP)
    within = [rule for rule in deciding if rule.action == KEEP or str(rule.selector) != "body"]
    drops = heard + _decides(within, DROP)
    unread = " or ".join(f"self::{name}" for name in UNREAD.split())
    return Selectors(
        keep=tuple(str(rule.selector) for rule in deciding if rule.action == KEEP),
        drop=tuple(str(rule.selector) for rule in deciding if rule.action == DROP),
        title=tuple(map(str, titles)),
        text_xpath=f"//body//text()[normalize-space()][not(ancestor::*[{unread}])][ancestor::*[{ruled}][1][{keeps}]]",
        title_xpath=tuple(f"//*[{xpath_test(selector)}]" for selector in titles),
        body_xpath=f"//*[{keeps}][not(ancestor::*[{keeps}])]",
        strip_xpath=f"//*[{drops}][ancestor::*[{keeps}]][not(descendant::*[{keeps}])]",
    )


def _heard(rules: Sequence[Rule]) -> str:
    """XPath, before a test of an element by all rules, of whether these are heard: not the learned ones within elements
    of the user's."""
    users = " or ".join(dict.fromkeys(xpath_test(rule.selector) for rule in rules if rule.overrules))
    return f"{users} or not(ancestor::*[{users}])][" if users else ""


def _decides(rules: list[Rule], action: str) -> str:
    """XPath, for an element that a rule is for, whether the rule that wins does this."""
    order = sorted(range(len(rules)), key=lambda number: (*rank(rules[number]), number))
    test = ""
    for rule in map(rules.__getitem__, order):
        own = xpath_test(rule.selector)
        if rule.action == action:
            test = f"{own} or ({test})" if test else own
        elif test:
            test = f"not({own}) and ({test})"
    return test or "false()"


def xpath_test(selector: Selector) -> str:
    """XPath 1.0 of whether an element is one that a selector matches."""
    test = ""
    for number, step in enumerate(selector.steps):
        if number:
            axis = "parent" if step.child else "ancestor"
            test = f"{_test(step)} and {axis}::*[{test}]"
        else:
            test = _test(step)
    return f"({test})"


def _test(step: Step) -> str:
    """XPath of whether an element is one of a step."""
    tests = [f"self::{step.tag}" if step.tag.isalnum() else f"name() = {_quoted(step.tag)}"] if step.tag else []
    for name in sorted(step.names):
        value = name[1:]
        if name.startswith("#"):
            tests.append(f"normalize-space(@id) = {_quoted(value)}")
        else:
            tests.append(f"contains(concat(' ', normalize-space(@class), ' '), {_quoted(f' {value} ')})")
    if step.names:
        tests.append("not(self::body)")  # the names of a page's body tell pages apart; rules don't see them
    return " and ".join(tests) or "true()"


def _quoted(text: str) -> str:
    """A text in XPath, which has no escapes."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    return "concat(" + ', "\'", '.join(f"'{part}'" for part in text.split("'")) + ")"

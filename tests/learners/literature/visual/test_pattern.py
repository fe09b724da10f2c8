"""Selector rules: selected elements, and their form in pattern files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scrapy_stemmer import Page, Role
from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.learners.literature.visual.pattern import (
    MAX_SELECTOR_DEPTH,
    UNSELECTED_NOISE,
    SelectorRule,
    SelectorRulePattern,
    TagPath,
    selectors_of,
)
from scrapy_stemmer.page.document import Document, parse
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import PageMatch


def selectors(*texts: str) -> list[TagPath]:
    return [TagPath.parse(text) for text in texts]


def test_the_micro_example() -> None:
    """Algorithms §6.4, after the paper's §6."""
    first, second = selectors(
        "body > div#a-386.article > div.p1 > p.p1.paragraph",
        "body > div#a-2383.article > div.p9 > p.p9.paragraph",
    )
    assert str(first.common(second)) == "body > div.article > div > p.paragraph"


def test_steps_of_elements() -> None:
    root = parse(
        "<body><div id='a b' class='Big 1st x _y ok-1'><o:p id='x'>t</o:p></div>"
        "<table><tr><td>t</td></tr></table><table><tbody><tr><td>t</td></tr></tbody></table></body>"
    )
    selectors = selectors_of(root)
    first, *cells = [selector for element, selector in selectors.items() if element.text]
    assert str(first) == r"body > div.Big.ok-1 > o\:p#x"
    assert TagPath.parse(str(first)) == first
    assert [cell.path for cell in cells] == ["table/tr/td"] * 2, "a browser adds tbody"


def test_levels_end_somewhere() -> None:
    """The square of 20,000 levels would be too much; deeper elements are part of their ancestors."""
    *_, deepest = selectors_of(parse("<body>" + "<div>" * 20_000)).values()
    assert deepest.path == "/".join(["div"] * MAX_SELECTOR_DEPTH)


def test_a_selector_of_a_container_holds_what_is_below() -> None:
    text, below, other, beside = selectors(
        "body > div.aa > p", "body > div#x.aa > ul > li", "body > div.bb > p", "body > div.aa"
    )
    assert str(text.container) == "body > div.aa"
    assert [text.container.holds(held) for held in (text, below, other, beside)] == [True, True, False, False]
    assert beside.container.holds(text), "the body holds all"


# TagPath rules: selected elements, and their form in pattern files

PAGE = (
    "<html><head><title>Storm hits coast - Example</title></head><body>"
    '<ul class="nav"><li><a href="/">Home</a></li></ul>'
    '<h1>Storm hits coast</h1><div class="story"><p>Heavy <b>rain <i>fell</i></b> on <a href="/m">Monday</a>.</p>'
    "<p class='ad big'>Buy now</p></div><div><p>Read more</p></div><div class='foot'>Copyright</div></body></html>"
)

STORY = SelectorRule(TagPath.parse("body > div.story > p"), score=100.0, confidence=1.0, pages=5)


def pattern(*rules: SelectorRule) -> SelectorRulePattern:
    return SelectorRulePattern(
        site="ex.com", name="(all pages)", support=5, score=1.0, site_wide=True, rules=rules or (STORY,)
    )


def match(rules: SelectorRulePattern, html: str = PAGE) -> PageMatch | None:
    return rules.match(Document(Page("http://ex.com/", html)))


def roles(rules: SelectorRulePattern, html: str = PAGE) -> dict[str, Role]:
    page_match = match(rules, html)
    assert page_match is not None
    return {block.text: block.role for block in page_match.blocks}


def test_the_similarity_is_the_confidence_of_the_surest_rule_that_selects() -> None:
    foot = SelectorRule(TagPath.parse("body > div.foot"), score=1.0, confidence=0.7)
    nowhere = SelectorRule(TagPath.parse("body > div.missing"), score=1000.0, confidence=1.0)
    page_match = match(pattern(nowhere, foot))
    assert page_match is not None
    assert page_match.similarity == 0.7


def test_text_of_inline_elements_belongs_to_what_holds_them() -> None:
    html = "<div class='story'><p><span><b><i>deep</i></b></span></p><p><cite>quoted</cite></p></div>"
    assert set(roles(pattern(), html).values()) == {Role.MAIN}


def test_a_rule_may_select_what_a_browser_showed_as_a_block() -> None:
    rule = SelectorRule(TagPath.parse("body > div > strong.line"), 1.0, 1.0)
    html = "<div><strong class='line'>a <b>b</b></strong> <em>c</em></div>"
    page_match = match(pattern(rule), html)
    assert page_match is not None
    assert page_match.blocks[0].noise_confidence == pytest.approx(UNSELECTED_NOISE / 3), "2 of 3 letters are selected"


class TestFiles:
    """The pattern in a pattern file."""

    def test_a_line_for_people_too(self) -> None:
        rule = SelectorRule(TagPath.parse("body > div > p"), 12.5, 0.75, 4, "Heavy rain")
        line = json.loads(codec.dumps([pattern(rule)]).splitlines()[1])
        assert (line["kind"], line["rendered"]) == ("selector_rule", False)
        told = {"selector": "body > div > p", "score": 12.5, "confidence": 0.75, "pages": 4, "example": "Heavy rain"}
        assert line["rules"] == [told]

    @pytest.mark.parametrize(
        ("field", "value", "place"),
        [
            pytest.param("selector", "p", "rules[0].selector", id="no selector"),
            pytest.param("confidence", 1.5, "rules[0].confidence", id="confidence above 1"),
        ],
    )
    def test_wrong_values_name_the_line_and_the_field(self, field: str, value: Any, place: str) -> None:
        header, line = codec.dumps([pattern()]).splitlines()
        record = json.loads(line)
        record["rules"][0][field] = value
        with pytest.raises(PatternFileError) as raised:
            codec.loads(f"{header}\n{json.dumps(record)}\n")
        assert (raised.value.line, raised.value.field) == (2, place)

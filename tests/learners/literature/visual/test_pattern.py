"""Selector rules: selected elements, and their form in pattern files."""

from __future__ import annotations

import json
from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer import MatchOptions, Page, Role
from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.learners.literature.visual.pattern import (
    MAX_SELECTOR_DEPTH,
    UNSELECTED_NOISE,
    SelectorRule,
    SelectorRulePattern,
    TagPath,
    TagStep,
    selectors_of,
)
from scrapy_stemmer.page.document import Document, parse
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import PageMatch


def selectors(*texts: str) -> list[TagPath]:
    return [TagPath.parse(text) for text in texts]


STEPS = st.builds(
    lambda tag, identifier, classes: TagStep(tag, identifier | classes),
    tag=st.sampled_from(("div", "p", "o:p", "x-y")),
    identifier=st.frozensets(st.sampled_from(("#a-386", "#main")), max_size=1),
    classes=st.frozensets(st.sampled_from((".p1", ".p9", ".article", ".a_b", ".Long-name"))),
)
SELECTORS = st.lists(STEPS, max_size=5).map(lambda steps: TagPath(tuple(steps)))


def test_the_micro_example() -> None:
    """Algorithms §6.4, after the paper's §6."""
    first, second = selectors(
        "body > div#a-386.article > div.p1 > p.p1.paragraph",
        "body > div#a-2383.article > div.p9 > p.p9.paragraph",
    )
    assert str(first.common(second)) == "body > div.article > div > p.paragraph"


@given(st.lists(SELECTORS, min_size=1, max_size=6))
def test_one_after_the_other_is_every_pair_in_turn(selectors: list[TagPath]) -> None:
    """The paper intersects every pair; on a path the final result is equal."""
    selectors = [selector for selector in selectors if selector.path == selectors[0].path]
    in_turn = set(selectors)
    for _ in selectors:
        in_turn = {first.common(second) for first in in_turn for second in in_turn}
    (least,) = (selector for selector in in_turn if all(selector.admits(other) for other in in_turn))
    assert reduce(TagPath.common, selectors) == least


@given(SELECTORS)
def test_text_and_back(selector: TagPath) -> None:
    assert TagPath.parse(str(selector)) == selector


@pytest.mark.parametrize("text", ["", "html > body", "body > ", "body > .a", "body > p#", "body > p.1", "body>p", "p"])
def test_what_is_no_selector(text: str) -> None:
    with pytest.raises(ValueError, match="is not a selector"):
        TagPath.parse(text)


def test_a_selector_admits_what_has_all_that_it_asks_for() -> None:
    rule, same, more, less, deeper = selectors(
        "body > div.aa > p",
        "body > div.aa > p",
        "body > div#x.aa.bb > p.cc",
        "body > div.bb > p",
        "body > div.aa > p > p",
    )
    assert [rule.admits(other) for other in (same, more, less, deeper)] == [True, True, False, False]


def test_vague_selectors() -> None:
    vague, named, classed = selectors("body > div > p", "body > div#a > p", "body > div > p.xx")
    assert [vague.is_vague, named.is_vague, classed.is_vague] == [True, False, False]


def test_steps_of_elements() -> None:
    root = parse(
        "<body><div id='a b' class='Big 1st x _y ok-1'><o:p id='x'>t</o:p></div>"
        "<table><tr><td>t</td></tr></table><table><tbody><tr><td>t</td></tr></tbody></table></body>"
    )
    selectors = selectors_of(root)
    first, *cells = [selector for element, selector in selectors.items() if element.text]
    assert str(first) == "body > div.Big.ok-1 > o:p#x"
    assert [cell.path for cell in cells] == ["table/tr/td"] * 2, "a browser adds tbody"


def test_a_page_whose_author_left_out_the_body() -> None:
    """The parser does not know ``main``, and puts it into the head."""
    root = parse("<title>t</title><main><p>a</p></main><p>b</p>")
    selectors = selectors_of(root)
    assert [selectors[element].path for element in root.iter("p")] == ["main/p", "p"]
    assert str(selectors[root]) == "body"


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


def match(rules: SelectorRulePattern, html: str = PAGE, **options: Any) -> PageMatch | None:
    return rules.match(Document(Page("http://ex.com/", html)), MatchOptions(**options))


def roles(rules: SelectorRulePattern, html: str = PAGE, **options: Any) -> dict[str, Role]:
    page_match = match(rules, html, **options)
    assert page_match is not None
    return {block.text: block.role for block in page_match.blocks}


def test_what_is_selected_is_main_text_and_all_else_template() -> None:
    assert roles(pattern()) == {
        "Storm hits coast - Example": Role.TEMPLATE,
        "Home": Role.TEMPLATE,
        "Storm hits coast": Role.TITLE,
        "Heavy rain fell on Monday.": Role.MAIN,
        "Buy now": Role.MAIN,
        "Read more": Role.TEMPLATE,
        "Copyright": Role.TEMPLATE,
    }


def test_of_two_rules_for_one_text_the_one_of_higher_score_counts() -> None:
    weak = SelectorRule(TagPath.parse("body > div.story > p.ad"), score=1.0, confidence=0.0)
    page_match = match(pattern(weak, STORY))
    assert page_match is not None
    assert {block.text: block.noise_confidence for block in page_match.blocks}["Buy now"] == 0.0


def test_noise_confidence_falls_with_the_confidence_of_the_rule() -> None:
    rules = [SelectorRule(STORY.selector, 1.0, confidence) for confidence in (0.0, 0.5, 1.0)]
    assert [rule.noise for rule in rules] == [0.5, 0.25, 0.0]


def test_a_less_sure_rule_still_selects_main_text_by_default() -> None:
    unsure = pattern(SelectorRule(STORY.selector, 2000.0, 0.2))
    assert roles(unsure)["Buy now"] is Role.MAIN
    assert roles(unsure, diffscore=0.8)["Buy now"] is Role.TEMPLATE


def test_a_low_diffscore_keeps_what_no_rule_selects() -> None:
    assert roles(pattern(), diffscore=0.05)["Read more"] is Role.MAIN
    assert UNSELECTED_NOISE < 1.0, "else no heading could be the title"


def test_the_similarity_is_the_confidence_of_the_surest_rule_that_selects() -> None:
    foot = SelectorRule(TagPath.parse("body > div.foot"), score=1.0, confidence=0.7)
    nowhere = SelectorRule(TagPath.parse("body > div.missing"), score=1000.0, confidence=1.0)
    page_match = match(pattern(nowhere, foot))
    assert page_match is not None
    assert page_match.similarity == 0.7


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<html><body><div><p>text</p></div></body></html>", id="nothing selected"),
        pytest.param("<html><body><div class='story'><p> </p></div></body></html>", id="only white space"),
        pytest.param("<html><head><title>t</title></head></html>", id="no body"),
        pytest.param("", id="empty"),
    ],
)
def test_a_page_on_which_no_rule_selects_anything_does_not_match(html: str) -> None:
    assert match(pattern(), html, site_threshold=0.0) is None


def test_text_of_inline_elements_belongs_to_what_holds_them() -> None:
    html = "<div class='story'><p><span><b><i>deep</i></b></span></p><p><cite>quoted</cite></p></div>"
    assert set(roles(pattern(), html).values()) == {Role.MAIN}


def test_text_of_other_elements_does_not() -> None:
    html = "<div class='story'><p>text<table><tr><td>cell</td></tr></table></div>"
    assert roles(pattern(), html) == {"text": Role.MAIN, "cell": Role.TEMPLATE}


def test_a_rule_may_select_what_a_browser_showed_as_a_block() -> None:
    rule = SelectorRule(TagPath.parse("body > div > strong.line"), 1.0, 1.0)
    html = "<div><strong class='line'>a <b>b</b></strong> <em>c</em></div>"
    page_match = match(pattern(rule), html)
    assert page_match is not None
    assert page_match.blocks[0].noise_confidence == pytest.approx(UNSELECTED_NOISE / 3), "2 of 3 letters are selected"


def test_a_page_without_the_tbody_of_a_browser() -> None:
    rule = SelectorRule(TagPath.parse("body > table > tr > td"), 1.0, 1.0)
    assert roles(pattern(rule), "<table><tr><td>cell</td></tr></table>") == {"cell": Role.MAIN}
    assert roles(pattern(rule), "<table><tbody><tr><td>cell</td></tr></tbody></table>") == {"cell": Role.MAIN}


@pytest.mark.parametrize("tag", ["div", "b"])
def test_pages_of_20000_levels(tag: str) -> None:
    html = f"<div class='story'><p>text</p></div>{f'<{tag}>' * 20_000}deep{f'</{tag}>' * 20_000}"
    assert roles(pattern(), html)["text"] is Role.MAIN


class TestFiles:
    """The pattern in a pattern file."""

    def test_a_line_for_people_too(self) -> None:
        rule = SelectorRule(TagPath.parse("body > div > p"), 12.5, 0.75, 4, "Heavy rain")
        line = json.loads(codec.dumps([pattern(rule)]).splitlines()[1])
        assert line["kind"] == "selector_rule"
        assert line["rendered"] is False
        assert line["rules"] == [
            {
                "selector": "body > div > p",
                "score": 12.5,
                "confidence": 0.75,
                "pages": 4,
                "example": "Heavy rain",
                "vague": True,
            }
        ]

    def test_only_vague_selectors_are_called_so(self) -> None:
        assert "vague" not in pattern().to_record()["rules"][0]

    @given(
        st.lists(
            st.builds(
                SelectorRule,
                selector=SELECTORS,
                score=st.floats(0, 1e12),
                confidence=st.floats(0, 1),
                pages=st.integers(0, 99),
                example=st.text(max_size=9),
            ),
            max_size=4,
        ),
        st.booleans(),
    )
    def test_text_and_back(self, rules: list[SelectorRule], rendered: bool) -> None:
        before = SelectorRulePattern(
            site="ex.com", name="n", support=2, score=1.0, rules=tuple(rules), rendered=rendered
        )
        assert codec.loads(codec.dumps([before])) == [before]

    @pytest.mark.parametrize(
        ("field", "value", "place"),
        [
            pytest.param("selector", "p", "rules[0].selector", id="no selector"),
            pytest.param("selector", 1, "rules[0].selector", id="not a text"),
            pytest.param("confidence", 1.5, "rules[0].confidence", id="confidence above 1"),
            pytest.param("score", -1, "rules[0].score", id="negative score"),
            pytest.param("pages", "2", "rules[0].pages", id="pages as text"),
            pytest.param("example", 3, "rules[0].example", id="example not a text"),
        ],
    )
    def test_wrong_values_name_the_line_and_the_field(self, field: str, value: Any, place: str) -> None:
        header, line = codec.dumps([pattern()]).splitlines()
        record = json.loads(line)
        record["rules"][0][field] = value
        with pytest.raises(PatternFileError) as raised:
            codec.loads(f"{header}\n{json.dumps(record)}\n")
        assert (raised.value.line, raised.value.field) == (2, place)

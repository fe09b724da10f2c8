"""Where the scorer overrules a rule: on paths on which the sample contradicts it, and where it is unsure."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page, PatternSet
from scrapy_stemmer.learners.rules.learner import RulesLearner
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from tests.learners.rules.made import rule, scorer
from tests.learners.rules.test_pattern import loaded, text_of

BY_LENGTH = scorer(["length", 90, "low", ["length", 12, "low", 3.0, -2.0], 3.0])
"""A scorer to which texts of more than 90 letters are text of the page, and single words."""

LONG, SHORT = "a long line that goes on and on to tell of boats " * 3, "a short line of boats "


def page(number: int, *, main: int = 9, notes: int = 0, box: int = 6, told: int = 0) -> Page:
    """Return a page of long texts and short notes in ``main``, and of short texts in ``box`` but a few long ones."""
    texts = [f"{LONG} {'i' * (at + 1)}{'w' * (number + 1)}" for at in range(main + told)]
    short = [f"{SHORT} {'v' * (at + 1)}{'w' * (number + 1)}" for at in range(notes + box)]
    held = [texts[:main] + short[:notes], short[notes:] + texts[main:]]
    kept, dropped = ("".join(f"<p>{text}</p>" for text in each) for each in held)
    return Page(f"http://heron.example/{number}", f"<div class=main>{kept}</div><div class=box>{dropped}</div>")


def learned(*odd: Page) -> RulesPattern:
    """The pattern of nine usual pages and some odd ones."""
    (pattern,) = RulesLearner(scorer=BY_LENGTH).learn([*(page(number) for number in range(9)), *odd])
    assert isinstance(pattern, RulesPattern)
    return pattern


def stripped(pattern: RulesPattern, tested: Page) -> tuple[int, int]:
    """Return how many long and short texts are kept of a page."""
    lines = PatternSet([pattern]).strip(tested).text.splitlines()
    return sum(line.startswith("a long") for line in lines), sum(line.startswith("a short") for line in lines)


KEEPING, DROPPING = page(10, told=1), page(10, notes=20)
"""Pages that contradict a rule that drops, and one that keeps."""


@pytest.mark.parametrize(
    ("odd", "tested", "expected"),
    [
        pytest.param([], page(20, told=3), (9, 0), id="without a contradiction the rule decides"),
        pytest.param([KEEPING], page(20, told=3), (12, 0), id="the scorer keeps what a contested rule drops"),
        pytest.param([KEEPING], page(20, box=1, told=20), (29, 1), id="a dropped list is kept as a whole"),
        pytest.param([DROPPING], page(20, notes=4), (9, 0), id="the scorer drops what a contested rule keeps"),
        pytest.param([DROPPING], page(20, main=2, notes=12), (2, 12), id="but no third of the page"),
    ],
)
def test_who_decides(odd: list[Page], tested: Page, expected: tuple[int, int]) -> None:
    pattern = learned(*odd)
    assert bool(pattern.knowledge.contested) is bool(odd)
    assert stripped(pattern, tested) == expected


def test_a_few_letters_do_not_overrule_a_rule() -> None:
    tested = page(20)
    tested = Page(tested.url, f"{tested.html}<div class=box><p>Boats!</p></div>")
    assert "Boats!" not in PatternSet([learned(page(10, told=1))]).strip(tested).text


def test_the_scorer_keeps_what_a_rule_drops_where_no_learned_page_has_text() -> None:
    tested = page(20, main=30)
    inside = f"<div class=box><blockquote>{LONG} cited</blockquote></div>"
    pattern = learned(page(10, told=1))
    assert "cited" in PatternSet([pattern]).strip(Page(tested.url, tested.html + inside)).text


def test_rules_by_hand_are_not_contested() -> None:
    pattern = learned(page(10, told=1)).with_rules([rule("drop .box", is_users=True)])
    assert stripped(pattern, page(20, told=3)) == (9, 0)


def test_contested_paths_are_written_and_read() -> None:
    pattern = learned(page(10, told=1), page(11, notes=20))
    assert pattern.knowledge.contested
    assert loaded(text_of(pattern)).knowledge.contested == pattern.knowledge.contested


LINKS_ARE_NOISE = scorer(["link", 0.5, "low", 3.0, -2.0])
"""A scorer to which text outside links is text of the page."""


def with_links(number: int, links: int) -> Page:
    """Return a page whose paragraphs have links between them, in the same element and of the same path."""
    texts = [f"{LONG} {'i' * (at + 1)}{'w' * (number + 1)}" for at in range(6)]
    lines = [f"<a href=/{number}/{at}>Boats {'v' * (at + 1)}{'w' * (number + 1)}</a>" for at in range(links)]
    held = "<br><br>".join([*texts, *lines])
    return Page(f"http://heron.example/{number}", f"<div class=main>{held}</div><nav><a href=/>Home</a></nav>")


@pytest.mark.parametrize(("links", "kept"), [(3, False), (60, True)])
def test_the_scorer_drops_links_between_paragraphs_unless_they_are_the_page(links: int, kept: bool) -> None:
    (pattern,) = RulesLearner(scorer=LINKS_ARE_NOISE).learn([with_links(number, 2) for number in range(9)])
    assert ("Boats" in PatternSet([pattern]).strip(with_links(20, links)).text) == kept

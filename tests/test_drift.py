"""Layout drift: levels, evidence and the layouts of a site, as pure code."""

from __future__ import annotations

import random
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from scrapy_stemmer import Page, learn
from scrapy_stemmer.drift import DRIFTED, NO_EVIDENCE, Evidence, level_of, unusual_share
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.site.paths import Selector
from scrapy_stemmer.learners.rules.site.rules import Rule
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.patterns.base import Level, Pattern, level_for
from scrapy_stemmer.patternset import Stripped, strip_by
from scrapy_stemmer.stores.base import added
from tests.crawl.test_drift_crawls import redesigned
from tests.crawl.website import Article

USUAL = Level(pages=20, fits=1.0, confidence=0.7, path_share=0.9)
EXPECTED = unusual_share(USUAL)


def pages(count: int = 8, first: int = 0) -> list[Page]:
    return [Page(f"http://a.example/{n}", Article(n).html()) for n in range(first, first + count)]


def new_pages(count: int = 8, first: int = 0) -> list[Page]:
    return [Page(f"http://a.example/new/{n}", redesigned(Article(n))) for n in range(first, first + count)]


def signs(matched: bool, confidence: float | None = None, path_share: float | None = None) -> Stripped:
    """Return a stripped page reduced to the facts of layout drift."""
    return cast(Stripped, SimpleNamespace(matched=matched, confidence=confidence, path_share=path_share))


def after(seen: str, expected: float = EXPECTED) -> Evidence:
    """The evidence of usual (``.``) and unusual (``!``) pages."""
    evidence = NO_EVIDENCE
    for sign in seen:
        evidence = evidence.after(sign == "!", expected)
    return evidence


class TestLevel:
    def test_it_is_what_nine_tenths_of_a_sample_reach(self) -> None:
        sample = [signs(number > 0, number / 10, 1 - number / 20) for number in range(11)]
        assert level_of(sample) == Level(11, 0.909, 0.1, 0.55)

    def test_learners_that_give_no_numbers_have_none(self) -> None:
        assert level_of([signs(True), signs(False)]) == Level(2, 0.5, None, None)
        assert level_of([]) is None

    def test_a_page_is_unusual_by_any_one_sign(self) -> None:
        assert not USUAL.is_unusual(signs(True, 0.7, 0.9))
        assert not USUAL.is_unusual(signs(True, 0.55, 0.8))
        assert USUAL.is_unusual(signs(False, 0.7, 0.9))
        assert USUAL.is_unusual(signs(True, 0.4, 0.9))
        assert USUAL.is_unusual(signs(True, 0.7, 0.7))

    def test_sites_that_were_low_from_the_start_are_compared_with_themselves(self) -> None:
        low = Level(pages=20, fits=0.1, confidence=0.2, path_share=0.4)
        assert not low.is_unusual(signs(False, 0.1, 0.3))
        assert low.is_unusual(signs(False, 0.1, 0.1))

    def test_more_unusual_pages_are_expected_of_mixed_sites(self) -> None:
        assert unusual_share(USUAL) < unusual_share(replace(USUAL, fits=0.8))


class TestEvidence:
    @pytest.mark.parametrize(
        ("seen", "is_drift"), [("!" * 11, False), ("!" * 12, True), ("!." * 100, True), ("!..." * 100, False)]
    )
    def test_so_many_unusual_pages_are_drift(self, seen: str, is_drift: bool) -> None:
        assert after(seen).is_drift(12, EXPECTED) is is_drift

    def test_usual_pages_and_those_that_tell_nothing_leave_none(self) -> None:
        assert after("!...") == Evidence().after(True, DRIFTED) == NO_EVIDENCE

    def test_it_says_since_when(self) -> None:
        assert after("!......" + "." + "!" * 12) == replace(after("!" * 12), sum=after("!" * 12).sum)

    def test_few_unusual_pages_never_are(self) -> None:
        evidence, chance = NO_EVIDENCE, random.Random(0)
        for _ in range(20_000):
            evidence = evidence.after(chance.random() < 0.2, EXPECTED)
            assert not evidence.is_drift(12, EXPECTED)


class TestLayouts:
    def test_what_is_written_by_hand_holds_for_all(self) -> None:
        (old,) = learn(pages()).patterns
        assert isinstance(old, RulesPattern)
        mine = Rule("drop", Selector.parse(".signup"), is_users=True)
        _, new = added([replace(old, rules=(*old.rules, mine))], learn(new_pages()).patterns)
        assert isinstance(new, RulesPattern)
        assert mine in new.rules

    def test_each_page_is_stripped_by_its_own_layout(self) -> None:
        both = added(learn(pages()).patterns, learn(new_pages()).patterns)
        for order in (both, both[::-1]):
            for page in pages(4, first=50):
                assert strip_by(order, Document(page)).pattern == "site"
            for page in new_pages(4, first=50):
                assert strip_by(order, Document(page)).pattern == "site 2"


class TestLevelsOfPatterns:
    def test_the_sample_is_stripped_for_it(self) -> None:
        patterns = [*learn(pages()).patterns]
        level = patterns[0].level
        assert level is not None
        assert level.pages == 8
        assert level.fits == 1.0
        assert not any(level.is_unusual(stripped(patterns, page)) for page in pages(20, first=50))
        assert all(level.is_unusual(stripped(patterns, page)) for page in new_pages(20, first=50))

    def test_a_page_is_compared_with_the_sample_of_its_pattern(self) -> None:
        first = [*learn(pages()).patterns]
        both = added(first, learn(new_pages(6)).patterns)
        assert level_for(both, "site 2") == both[1].level
        assert level_for(both, None) == both[0].level
        assert level_for([replace(pattern, level=None) for pattern in first], "site") is None


def stripped(patterns: list[Pattern], page: Page) -> Stripped:
    return strip_by(patterns, Document(page))


def test_the_path_share_is_that_of_the_usual_paths_of_the_sample() -> None:
    """A page with more paragraphs has all usual paths; a page without a heading lacks one."""
    patterns = learn(pages()).patterns
    (whole,) = pages(1, first=50)
    assert strip_by(patterns, Document(whole)).path_share == 1.0
    html = str(whole.html)
    start, end = html.index("<h1"), html.index("</h1>") + len("</h1>")
    part = strip_by(patterns, Document(replace(whole, html=html[:start] + html[end:]))).path_share
    assert part is not None
    assert 0.5 < part < 1.0

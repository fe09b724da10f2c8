"""DiffScore, MainScore, LayoutPatternScore and title scores, with the values of the micro-example."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations, permutations
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.core.text import DifflibMatcher, TextMatcher, WordMatcher, dice, difflib_runs, tokens
from scrapy_stemmer.learners.layout import original
from scrapy_stemmer.learners.layout.sampled_pages import SampledPage
from scrapy_stemmer.learners.layout.scores import (
    anchor_title_score,
    diff_score,
    fallback_title_score,
    layout_pattern_score,
    main_score,
)
from scrapy_stemmer.learners.layout.sections import Column, columns_of, title_column
from tests import microexample

MATCHERS = [pytest.param(WordMatcher(), id="words"), pytest.param(DifflibMatcher(), id="difflib")]
TEXTS = st.lists(st.text("ab cd日", max_size=8), max_size=5)
H1 = 2
BODY = 3


def columns(order: Sequence[int], matcher: TextMatcher) -> list[Column]:
    """The sections of the micro-example's pages in this order, as the original finds them."""
    pages = [SampledPage(str(number), (), tuple(microexample.blocks(number))) for number in order]
    sequences = [original.collapsed([block.path for block in page.blocks]) for page in pages]
    return columns_of(pages, reduce(original.common_features, sequences), original.assign, matcher)


class TestMicroExample:
    """Values of the original itself, and those of the word variant (algorithms §1.12)."""

    @pytest.mark.parametrize(
        ("order", "matcher", "diffscores", "mainscores", "score"),
        [
            pytest.param(
                (1, 3, 2),
                DifflibMatcher(),
                [0.514286, 0, 0.734694, 0.747475, 0],
                [12, 0, 12, 49.3333, 0],
                80.564901,
                id="original, pages in order 1, 3, 2",
            ),
            pytest.param(
                (2, 3, 1),
                DifflibMatcher(),
                [0.528571, 0, 0.755102, 0.747475, 0],
                [12.3333, 0, 12.3333, 49.3333, 0],
                81.297309,
                id="original, pages in order 2, 3, 1: difflib is not symmetric",
            ),
            *(
                pytest.param(
                    order,
                    WordMatcher(),
                    [98 / 140, 0, 1, 370 / 396, 0],
                    [16.3333, 0, 16.3333, 61.6667, 0],
                    103.635759,
                    id=f"words, pages in order {', '.join(map(str, order))}",
                )
                for order in permutations((1, 2, 3))
            ),
        ],
    )
    def test_scores(
        self,
        order: Sequence[int],
        matcher: TextMatcher,
        diffscores: list[float],
        mainscores: list[float],
        score: float,
    ) -> None:
        found = columns(order, matcher)
        mains = [column.mainscore() for column in found]
        assert [column.feature for column in found] == microexample.FEATURES
        assert [column.diffscore for column in found] == pytest.approx(diffscores, abs=1e-6)
        assert mains == pytest.approx(mainscores, abs=1e-4)
        assert layout_pattern_score(mains, len(order)) == pytest.approx(score, abs=1e-6)

    def test_fallback_scores_of_the_headline(self) -> None:
        found = columns((2, 3, 1), DifflibMatcher())
        scores = [
            fallback_title_score(found[H1].text(page), found[BODY].text(page), found[H1].diffscore, DifflibMatcher())
            for page in range(3)
        ]
        assert scores == pytest.approx([11.33, 2.52, 8.78], abs=0.005)

    @pytest.mark.parametrize("matcher", MATCHERS)
    def test_the_headline_is_the_title(self, matcher: TextMatcher) -> None:
        assert title_column(columns((1, 3, 2), matcher), [()] * 3, 0.6, matcher) == H1


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param([], 0, id="no page"),
        pytest.param(["one two"], 0, id="one page"),
        pytest.param(["one two", "one two", "one two"], 0, id="all equal"),
        pytest.param(["one two", "five six"], 1, id="nothing in common"),
        pytest.param(["one two", "one six"], 0.5, id="half in common"),
        pytest.param(["one two", "one two", "six ten"], 2 / 3, id="two of three pairs differ; all equally long"),
        pytest.param(["one two", "", "   "], 0, id="empty texts don't count"),
        pytest.param(["abcdefgh one", "abcdefgh six"], 6 / 22, id="words count their characters"),
        pytest.param(["日本語", "日本人"], 2 / 6, id="CJK characters are words"),
        pytest.param(["one two", "two one"], 0.5, id="order matters"),
        pytest.param(["One, two!", "one two"], 0, id="case and punctuation don't"),
    ],
)
def test_diff_score(texts: list[str], expected: float) -> None:
    assert diff_score(texts, WordMatcher()) == pytest.approx(expected)


def naive_diff_score(texts: Sequence[str]) -> float:
    """Over all pairs, without taking equal texts together."""
    matcher = WordMatcher()
    pairs = [(a, b) for a, b in combinations(texts, 2) if matcher.length(a) and matcher.length(b)]
    total = sum(matcher.length(a) + matcher.length(b) for a, b in pairs)
    return sum(matcher.length(a) + matcher.length(b) - 2 * matcher.matched(a, b) for a, b in pairs) / max(1, total)


@given(TEXTS)
def test_equal_texts_taken_together_change_nothing(texts: list[str]) -> None:
    assert diff_score(texts, WordMatcher()) == pytest.approx(naive_diff_score(texts))


@pytest.mark.parametrize("matcher", MATCHERS)
@given(texts=TEXTS)
def test_diff_scores_lie_between_0_and_1(matcher: TextMatcher, texts: list[str]) -> None:
    assert 0 <= diff_score(texts, matcher) <= 1


@given(TEXTS)
def test_the_order_of_pages_does_not_change_the_word_diff_score(texts: list[str]) -> None:
    assert diff_score(texts, WordMatcher()) == pytest.approx(diff_score(texts[::-1], WordMatcher()))


def test_of_many_texts_only_some_are_compared() -> None:
    texts = [f"text {number}" for number in range(100)]
    assert diff_score(texts, WordMatcher(), max_texts=4) == diff_score(
        ["text 0", "text 25", "text 50", "text 75"], WordMatcher()
    )


def test_of_long_texts_only_the_beginning_is_compared() -> None:
    matcher = WordMatcher(max_tokens=2)
    assert diff_score(["one two three", "one two four"], matcher) == 0
    assert matcher.length("one two three") == 6


@given(st.text("ab c日本", max_size=12), st.text("ab c日本", max_size=12))
def test_words_in_common_are_never_more_than_either_text_has(first: str, second: str) -> None:
    matcher = WordMatcher()
    assert matcher.length(first) == sum(map(len, tokens(first)))
    assert 0 <= matcher.matched(first, second) <= min(matcher.length(first), matcher.length(second))


def test_difflib_puts_the_longer_text_first() -> None:
    assert difflib_runs("abxcd", "abcd") == difflib_runs("abcd", "abxcd") == [2, 2]


@pytest.mark.parametrize(
    ("score", "weights", "expected"),
    [
        pytest.param(0.5, [10, 30], 10, id="DiffScore times mean weight"),
        pytest.param(0.0, [500], 0, id="template has none"),
        pytest.param(1.0, [], 0, id="no pages"),
    ],
)
def test_main_score(score: float, weights: list[int], expected: float) -> None:
    assert main_score(score, weights) == expected


@pytest.mark.parametrize(
    ("main_scores", "pages", "expected"),
    [
        pytest.param([12, 0, 48], 3, log(3) * 60, id="logarithm of pages times sum"),
        pytest.param([12], 1, 0, id="one page has no score"),
        pytest.param([], 0, 0, id="no pages"),
    ],
)
def test_layout_pattern_score(main_scores: list[float], pages: int, expected: float) -> None:
    assert layout_pattern_score(main_scores, pages) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param("storm hits", "Storm hits!", 1, id="equal but for case and punctuation"),
        pytest.param("storm hits", "storm ends", 10 / 18, id="one word in common"),
        pytest.param("storm", "zebra", 0, id="nothing"),
        pytest.param("", "", 0, id="empty"),
    ],
)
def test_dice(first: str, second: str, expected: float) -> None:
    assert dice(first, second, WordMatcher()) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("anchors", "expected"),
    [
        pytest.param(["storm hits coast"], 0.8, id="the title itself"),
        pytest.param(["read more", "storm hits coast", "..."], 0.8, id="the best of several links"),
        pytest.param(["storm"], 0.8 * 10 / 19, id="a part of it"),
        pytest.param(["read more"], 0, id="another text"),
        pytest.param([], 0, id="no link"),
    ],
)
def test_anchor_title_score(anchors: list[str], expected: float) -> None:
    assert anchor_title_score("Storm hits coast", anchors, 0.8, WordMatcher()) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "main", "expected"),
    [
        pytest.param("storm hits", "the storm hits us", 0.5 * 81 / 9, id="a run counts its square"),
        pytest.param("storm hits", "storm that hits", 0.5 * (25 + 16) / 9, id="two runs count less than one"),
        pytest.param("storm hits", "zebra", 0, id="nothing comes back"),
        pytest.param("", "zebra", 0, id="no text"),
    ],
)
def test_fallback_title_score(text: str, main: str, expected: float) -> None:
    assert fallback_title_score(text, main, 0.5, WordMatcher()) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("first", "second"), [("rain umbrella", "umbrella rain"), ("日cd", "cd日"), ("a bb a", "bb a bb")]
)
def test_of_two_texts_it_makes_no_difference_which_comes_first(first: str, second: str) -> None:
    """Of two alignments of equally many words either may be found, and one may have more characters."""
    matcher = WordMatcher()
    assert matcher.matched_runs(first, second) == matcher.matched_runs(second, first)

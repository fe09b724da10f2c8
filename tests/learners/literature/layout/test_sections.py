"""Blocks of a section on every page, side by side, and the section of the title."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import pytest

from scrapy_stemmer.learners.literature.alignment import DifflibMatcher, TextMatcher, WordMatcher
from scrapy_stemmer.learners.literature.layout.learner import (
    MAX_TEXTS,
    SampledSection,
    diff_score,
    fallback_title_score,
    layout_pattern_score,
    sampled_sections,
    title_section,
)
from scrapy_stemmer.learners.literature.layout.pattern import (
    assign_runs,
    original_assign,
    original_common_features,
    runs_of,
)
from scrapy_stemmer.page.blocks import LayoutBlock
from scrapy_stemmer.page.text import significant
from tests import microexample

HEADLINE = 2
BODY = 3


def original_columns(order: Sequence[int], matcher: TextMatcher) -> list[SampledSection]:
    """Return the sections of the micro-example's pages in this order, as found by the original."""
    pages = [microexample.blocks(number) for number in order]
    sequences: list[Sequence[str]] = [runs_of(blocks).features for blocks in pages]
    return sampled_sections(pages, reduce(original_common_features, sequences), original_assign, matcher)


class TestMicroExample:
    """Values of the original (algorithms §1.12); ``test_learner`` has those of the word variant."""

    @pytest.mark.parametrize(
        ("order", "diffscores", "mainscores", "score"),
        [
            pytest.param(
                (1, 3, 2),
                [0.514286, 0, 0.734694, 0.747475, 0],
                [12, 0, 12, 49.3333, 0],
                80.564901,
                id="original, pages in order 1, 3, 2",
            ),
            pytest.param(
                (2, 3, 1),
                [0.528571, 0, 0.755102, 0.747475, 0],
                [12.3333, 0, 12.3333, 49.3333, 0],
                81.297309,
                id="original, pages in order 2, 3, 1: difflib is not symmetric",
            ),
        ],
    )
    def test_scores(
        self,
        order: Sequence[int],
        diffscores: list[float],
        mainscores: list[float],
        score: float,
    ) -> None:
        sections = original_columns(order, DifflibMatcher())
        mains = [column.mainscore() for column in sections]
        assert [column.feature for column in sections] == microexample.FEATURES
        assert [column.diffscore for column in sections] == pytest.approx(diffscores, abs=1e-6)
        assert mains == pytest.approx(mainscores, abs=1e-4)
        assert layout_pattern_score(mains, len(order)) == pytest.approx(score, abs=1e-6)

    def test_fallback_scores_of_the_headline(self) -> None:
        sections = original_columns((2, 3, 1), DifflibMatcher())
        scores = [
            fallback_title_score(
                sections[HEADLINE].text(page), sections[BODY].text(page), sections[HEADLINE].diffscore, DifflibMatcher()
            )
            for page in range(3)
        ]
        assert scores == pytest.approx([11.33, 2.52, 8.78], abs=0.005)


# Blocks of a section on every page, side by side, and the section of the title


def block(path: str, text: str, outside: int | None = None) -> LayoutBlock:
    sig = significant(text)
    return LayoutBlock(path, text, sig, len(sig), len(sig) if outside is None else outside)


def page(*blocks: tuple[str, str]) -> list[LayoutBlock]:
    return [block(path, text) for path, text in blocks]


PAGES = [
    page(("h1", "Storm"), ("p", "Rain fell."), ("p", "Read more"), ("div", "Foot")),
    page(("h1", "Zebra"), ("p", "Read more"), ("pre", "code"), ("div", "Foot")),
]


def columns(*features: str) -> list[SampledSection]:
    return sampled_sections(PAGES, features, assign_runs, WordMatcher())


def test_blocks_are_laid_side_by_side() -> None:
    sections = columns("h1", "p", "div")
    assert [column.feature for column in sections] == ["h1", "p", "div"]
    assert [[column.text(number) for number in (0, 1)] for column in sections] == [
        ["Storm", "Zebra"],
        ["Rain fell.\nRead more", "Read more"],
        ["Foot", "Foot"],
    ]


def test_sections_that_no_page_has_are_left_out() -> None:
    assert [column.feature for column in columns("h1", "table", "div")] == ["h1", "div"]


@pytest.mark.parametrize(("pages", "texts"), [(1, ("Rain fell.", "Read more")), (2, ("Read more",)), (3, ())])
def test_texts_of_single_blocks_that_come_back(pages: int, texts: tuple[str, ...]) -> None:
    assert columns("h1", "p", "div")[1].in_pattern(pages).repeated == texts


def test_a_text_twice_on_one_page_is_on_one_page() -> None:
    column = SampledSection("p", ((block("p", "x"), block("p", "x")), ()), 1.0)
    assert column.in_pattern(2).repeated == ()


MAIN = ("the storm hits the coast again and again", "a zebra jumps over the fence of the zoo")


def column(feature: str, diffscore: float, *texts: str) -> SampledSection:
    return SampledSection(feature, tuple((block(feature, text),) if text else () for text in texts), diffscore)


def layout(*before_main: SampledSection) -> list[SampledSection]:
    return [*before_main, column("p", 1.0, *MAIN), column("div", 0.0, "foot", "foot")]


def title(
    columns: Sequence[SampledSection], anchors: Sequence[Sequence[str]] = ((), ()), threshold: float = 0.6
) -> int | None:
    return title_section(columns, anchors, threshold, WordMatcher())


HEAD = column("title", 0.7, "storm hits - Example", "zebra jumps - Example")
DATE = column("span", 0.9, "1 May", "2 June")
H1 = column("h1", 1.0, "storm hits", "zebra jumps")


def test_a_section_that_hardly_varies_is_no_title_however_well_it_agrees() -> None:
    columns = layout(column("h1", 0.6, "flood comes", "camel walks"))
    assert title(columns, [["flood comes"], ["camel walks"]]) is None


def test_links_that_say_nothing_leave_it_to_the_main_text() -> None:
    assert title(layout(HEAD, DATE, H1), [["read more"], ["»"]]) == 2


def test_words_that_do_not_come_back_in_the_main_text_are_no_title() -> None:
    assert title(layout(DATE)) is None


def test_the_original_searches_up_to_the_section_with_the_highest_mainscore() -> None:
    lead = column("p", 1.0, "storm hits", "zebra jumps")
    links = [["storm hits"], ["zebra jumps"]]
    assert title_section(layout(lead, H1), links, 0.6, WordMatcher(), amid_main=True) == 0
    assert title_section([*layout(), H1], links, 0.6, WordMatcher(), amid_main=True) is None


@pytest.mark.parametrize(
    ("anchors", "expected"),
    [
        pytest.param([["1 May"], ["2 June"], ["zebra jumps"]], 0, id="most votes"),
        pytest.param([["1 May"], ["zebra jumps"], ["x"]], 0, id="on ties the first section"),
        pytest.param([["x"], ["x"], ["zebra jumps"]], None, id="most find none"),
    ],
)
def test_pages_vote(anchors: Sequence[Sequence[str]], expected: int | None) -> None:
    columns = [
        column("span", 1.0, "1 May", "2 June", "3 July"),
        column("h1", 1.0, "storm hits", "zebra jumps", "zebra jumps"),
        column("p", 1.0, "long and longer words", "other and longer words", "still other and longer words"),
    ]
    assert title(columns, anchors) == expected


def test_no_sections_no_title() -> None:
    assert title([]) is None


def test_of_many_texts_only_some_are_compared() -> None:
    texts = [f"text {number}" for number in range(100)]
    spaced = [texts[index * 100 // MAX_TEXTS] for index in range(MAX_TEXTS)]
    assert (
        diff_score(texts, WordMatcher()) == diff_score(spaced, WordMatcher()) != diff_score(texts[:30], WordMatcher())
    )

"""A section's blocks on every page, side by side; the section that holds the title."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.core.text import WordMatcher, significant
from scrapy_stemmer.learners.layout.pattern import assign_runs
from scrapy_stemmer.learners.layout.sampled_pages import SampledPage
from scrapy_stemmer.learners.layout.sections import Column, columns_of, title_column


def block(path: str, text: str, outside: int | None = None) -> LayoutBlock:
    sig = significant(text)
    return LayoutBlock(path, text, sig, len(sig), len(sig) if outside is None else outside)


def page(name: str, *blocks: tuple[str, str]) -> SampledPage:
    return SampledPage(name, (), tuple(block(path, text) for path, text in blocks))


PAGES = [
    page("1", ("h1", "Storm"), ("p", "Rain fell."), ("p", "Read more"), ("div", "Foot")),
    page("2", ("h1", "Zebra"), ("p", "Read more"), ("pre", "code"), ("div", "Foot")),
]


def columns(*features: str) -> list[Column]:
    return columns_of(PAGES, features, assign_runs, WordMatcher())


def test_blocks_are_laid_side_by_side() -> None:
    found = columns("h1", "p", "div")
    assert [column.feature for column in found] == ["h1", "p", "div"]
    assert [[column.text(number) for number in (0, 1)] for column in found] == [
        ["Storm", "Zebra"],
        ["Rain fell.\nRead more", "Read more"],
        ["Foot", "Foot"],
    ]


def test_sections_that_no_page_has_are_left_out() -> None:
    assert [column.feature for column in columns("h1", "table", "div")] == ["h1", "div"]


def test_scores() -> None:
    head, text, foot = columns("h1", "p", "div")
    assert (head.diffscore, foot.diffscore) == (1.0, 0.0)
    assert text.diffscore == pytest.approx(8 / 24)
    assert head.mainscore() == 5.0
    assert text.mainscore() == pytest.approx(8 / 24 * (16 + 8) / 2)


def test_text_of_links_has_no_mainscore() -> None:
    column = Column("p", ((block("p", "one two", 0),), (block("p", "six ten", 0),)), 1.0)
    assert column.mainscore() == 0.0


def test_support_counts_the_pages_that_have_it() -> None:
    found = columns("h1", "p", "pre", "div")
    assert [column.support() for column in found] == [2, 2, 1, 2]
    assert found[2].text(0) == ""


@pytest.mark.parametrize(("pages", "texts"), [(1, ("Rain fell.", "Read more")), (2, ("Read more",)), (3, ())])
def test_texts_of_single_blocks_that_come_back(pages: int, texts: tuple[str, ...]) -> None:
    assert columns("h1", "p", "div")[1].repeated(pages) == texts


def test_a_text_twice_on_one_page_is_on_one_page() -> None:
    column = Column("p", ((block("p", "x"), block("p", "x")), ()), 0.0)
    assert column.repeated(2) == ()


MAIN = ("the storm hits the coast again and again", "a zebra jumps over the fence of the zoo")


def column(feature: str, diffscore: float, *texts: str) -> Column:
    return Column(feature, tuple((block(feature, text),) if text else () for text in texts), diffscore)


def layout(*before_main: Column) -> list[Column]:
    return [*before_main, column("p", 1.0, *MAIN), column("div", 0.0, "foot", "foot")]


def title(columns: Sequence[Column], anchors: Sequence[Sequence[str]] = ((), ()), threshold: float = 0.6) -> int | None:
    return title_column(columns, anchors, threshold, WordMatcher())


HEAD = column("title", 0.7, "storm hits - Example", "zebra jumps - Example")
DATE = column("span", 0.9, "1 May", "2 June")
H1 = column("h1", 1.0, "storm hits", "zebra jumps")


def test_links_to_the_pages_tell() -> None:
    anchors = [["storm hits", "read more"], ["Zebra jumps!"]]
    assert title(layout(HEAD, DATE, H1), anchors) == 2


def test_links_must_agree_by_more_than_the_threshold() -> None:
    """Here only half, which a lower threshold takes; the main text does not hold the words of these headlines."""
    columns = layout(column("h1", 1.0, "flood comes", "camel walks"))
    anchors = [["flood"], ["camel"]]
    assert title(columns, anchors) == 0
    assert title(columns, anchors, threshold=0.7) is None


def test_a_section_that_hardly_varies_is_no_title_however_well_it_agrees() -> None:
    columns = layout(column("h1", 0.6, "flood comes", "camel walks"))
    assert title(columns, [["flood comes"], ["camel walks"]]) is None


def test_without_links_the_main_text_tells() -> None:
    assert title(layout(HEAD, DATE, H1)) == 2


def test_links_that_say_nothing_leave_it_to_the_main_text() -> None:
    assert title(layout(HEAD, DATE, H1), [["read more"], ["»"]]) == 2


def test_words_that_do_not_come_back_in_the_main_text_are_no_title() -> None:
    assert title(layout(DATE)) is None


def test_titles_are_looked_for_before_the_main_text_only() -> None:
    columns = [*layout(), H1]
    assert title(columns, [["storm hits"], ["zebra jumps"]]) is None


def test_amid_an_article_of_several_sections_there_is_no_title() -> None:
    """The first section with the feature of the main text ends the search."""
    lead = column("p", 1.0, "storm hits", "zebra jumps")
    links = [["storm hits"], ["zebra jumps"]]
    assert title(layout(lead, H1), links) is None


def test_the_original_searches_up_to_the_section_with_the_highest_mainscore() -> None:
    lead = column("p", 1.0, "storm hits", "zebra jumps")
    links = [["storm hits"], ["zebra jumps"]]
    assert title_column(layout(lead, H1), links, 0.6, WordMatcher(), amid_main=True) == 0
    assert title_column([*layout(), H1], links, 0.6, WordMatcher(), amid_main=True) is None


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

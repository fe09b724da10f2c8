"""Which section holds the title."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scrapy_stemmer.core.scores import WordMatcher
from scrapy_stemmer.learners.columns import Column
from scrapy_stemmer.learners.titles import title_column
from tests.learners.test_columns import block

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
    assert title(layout(lead, H1), [["storm hits"], ["zebra jumps"]]) is None


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

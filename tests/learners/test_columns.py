"""A section's blocks on every page, side by side."""

from __future__ import annotations

import pytest

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.core.scores import WordMatcher
from scrapy_stemmer.core.text import significant
from scrapy_stemmer.learners.columns import Column, columns_of
from scrapy_stemmer.learners.sampling import SampledPage
from scrapy_stemmer.patterns.layout import assign_runs


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

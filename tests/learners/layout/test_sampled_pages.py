"""The pages of a sample as learners read them."""

from __future__ import annotations

from itertools import permutations

import pytest

from scrapy_stemmer import BlockOptions, Page
from scrapy_stemmer.learners.layout.sampled_pages import Sample, read_sample


def read(*pages: tuple[str, str], name_pages: int = 0) -> Sample:
    """A sample of pages given by name and HTML."""
    return read_sample(
        [Page(f"http://ex.com/{name}", html) for name, html in pages], BlockOptions(), name_pages=name_pages
    )


def names(sample: Sample) -> list[str]:
    return [page.name.rpartition("/")[2] for page in sample.pages]


def test_pages_are_sorted_whatever_their_order() -> None:
    pages = [("b", "<p>two"), ("a", "<p>one"), ("c", "<p>three")]
    samples = [read(*order) for order in permutations(pages)]
    assert all(sample == samples[0] for sample in samples)
    assert names(samples[0]) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("pages", "kept"),
    [
        pytest.param([("a", "<p>one"), ("b", "<p>one")], ["a"], id="the same text under another address"),
        pytest.param([("a", "<p>one"), ("a", "<p>one")], ["a"], id="the same page twice"),
        pytest.param([("a", "<p>one"), ("a", "<p>two")], ["a", "a"], id="a page that has changed"),
        pytest.param([("a", "<p>one"), ("b", "<h1>one")], ["a", "b"], id="the same text in another element"),
        pytest.param([("a", "<p>one</p><!-- 1 -->"), ("b", "<p>one</p><!-- 2 -->")], ["a"], id="comments differ"),
        pytest.param([("a", ""), ("b", "")], ["a"], id="empty pages"),
        pytest.param([], [], id="no pages"),
    ],
)
def test_of_pages_with_the_same_blocks_one_is_kept(pages: list[tuple[str, str]], kept: list[str]) -> None:
    assert names(read(*pages)) == kept


def test_links_to_all_copies_of_a_page_are_kept_with_repeats() -> None:
    pages = [
        Page("http://ex.com/b", "<p>one", anchors=("Read", "One")),
        Page("http://ex.com/a", "<p>one", anchors=("One",)),
    ]
    (page,) = read_sample(pages, BlockOptions(), name_pages=0).pages
    assert sorted(page.anchors) == ["One", "One", "Read"]


def test_blocks_are_freed_from_their_trees() -> None:
    (page,) = read(("a", "<p>one</p>")).pages
    assert all(block.pieces == () for block in page.blocks)


@pytest.mark.parametrize(
    ("least", "paths"),
    [
        pytest.param(0, ["p:class=story x", "p:class=story y"], id="all names count"),
        pytest.param(1, ["p:class=story x", "p:class=story y"], id="names of one page count"),
        pytest.param(2, ["p:class=story", "p:class=story"], id="only names that two pages have"),
        pytest.param(3, ["p", "p"], id="only names that three pages have"),
    ],
)
def test_names_on_few_pages_are_left_out_of_paths(least: int, paths: list[str]) -> None:
    pages = ("a", '<p class="story x">one'), ("b", '<p class="story y">two')
    sample = read(*pages, name_pages=least)
    assert [block.path for page in sample.pages for block in page.blocks] == paths


def test_the_vocabulary_goes_into_the_options() -> None:
    pages = ("a", '<p class="story x">one'), ("b", '<p class="story y">two')
    assert read(*pages, name_pages=2).options.vocabulary == frozenset({"story"})
    assert read(*pages, name_pages=0).options.vocabulary is None


def test_a_name_that_one_page_has_often_is_on_one_page() -> None:
    pages = ("a", '<p class="x">one</p><h1 class="x">two'), ("b", "<p>three")
    assert read(*pages, name_pages=2).options.vocabulary == frozenset()


def test_pages_without_a_charset_are_read_in_the_default_one() -> None:
    page = Page("http://ex.com/a", "<p>é".encode("cp1252"))
    (read_page,) = read_sample([page], BlockOptions(), name_pages=0, default_charset="cp1252").pages
    assert read_page.blocks[0].text == "é"

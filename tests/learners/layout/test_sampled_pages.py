"""The pages of a sample as learners read them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer import BlockOptions, Page
from scrapy_stemmer.learners.layout.alignment import original_similarity
from scrapy_stemmer.learners.layout.sampled_pages import (
    MAX_DIRECTORIES,
    Sample,
    complete_link,
    directories_of,
    directory_distance,
    read_sample,
)
from tests import microexample


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


# Grouping pages by layout


def alike(groups: str) -> Callable[[int, int], bool]:
    """Pages are similar when they have the same letter."""
    return lambda first, second: groups[first] == groups[second]


def recording(compared: list[tuple[int, int]]) -> Callable[[int, int], bool]:
    """All pages are similar; which ones are compared is put into the list."""

    def similar(first: int, second: int) -> bool:
        compared.append((first, second))
        return True

    return similar


def urls(count: int) -> list[str]:
    return [f"http://ex.com/a/{number:03}.html" for number in range(count)]


@pytest.mark.parametrize(
    ("threshold", "clusters"),
    [
        pytest.param(0.97, [[0, 1], [2]], id="at .97 pages 1 and 2"),
        pytest.param(0.8, [[0, 1, 2]], id="at .8 all"),
    ],
)
def test_the_clusters_of_the_micro_example(threshold: float, clusters: list[list[int]]) -> None:
    pages = [microexample.blocks(number) for number in (1, 2, 3)]
    assert complete_link(urls(3), lambda a, b: original_similarity(pages[a], pages[b]) >= threshold) == clusters


@pytest.mark.parametrize(
    ("groups", "clusters"),
    [
        pytest.param("", [], id="no pages"),
        pytest.param("a", [[0]], id="one page"),
        pytest.param("aaa", [[0, 1, 2]], id="one layout"),
        pytest.param("abab", [[0, 2], [1, 3]], id="two layouts"),
        pytest.param("abc", [[0], [1], [2]], id="all different"),
    ],
)
def test_pages_are_grouped_by_similarity(groups: str, clusters: list[list[int]]) -> None:
    assert complete_link(urls(len(groups)), alike(groups)) == clusters


def test_all_members_must_be_similar_not_only_one() -> None:
    """A chain: 0 is like 1, 1 is like 2, 0 is not like 2."""
    assert complete_link(urls(3), lambda a, b: abs(a - b) < 2) == [[0, 1], [2]]


def test_of_clusters_that_fit_the_nearer_url_is_joined() -> None:
    urls = ["http://ex.com/a/1", "http://ex.com/b/2", "http://ex.com/b/3"]
    differ = {frozenset({0, 1})}
    assert complete_link(urls, lambda a, b: frozenset({a, b}) not in differ) == [[0], [1, 2]]


def test_samples_of_a_cluster_spare_comparisons() -> None:
    compared: list[tuple[int, int]] = []
    assert complete_link(urls(20), recording(compared), max_samples=2) == [list(range(20))]
    assert len(compared) == 1 + 2 * 18


@pytest.mark.parametrize("seed", [0, 7])
def test_samples_are_drawn_by_the_seed(seed: int) -> None:
    def run() -> list[tuple[int, int]]:
        compared: list[tuple[int, int]] = []
        complete_link(urls(20), recording(compared), max_samples=2, seed=seed)
        return compared

    assert run() == run()


@given(st.lists(st.sampled_from("abc"), max_size=12).map("".join))
def test_every_page_is_in_one_cluster_of_similar_pages(groups: str) -> None:
    clusters = complete_link(urls(len(groups)), alike(groups))
    assert sorted(page for cluster in clusters for page in cluster) == list(range(len(groups)))
    assert all(len({groups[page] for page in cluster}) == 1 for cluster in clusters)
    assert len(clusters) == len(set(groups))


@pytest.mark.parametrize(
    ("url", "directories"),
    [
        pytest.param("http://ex.com/a/b/c.html?d=/e/", ("ex.com", "a", "b"), id="without the file and query"),
        pytest.param("http://ex.com/", ("ex.com",), id="root"),
        pytest.param("http://ex.com", ("ex.com",), id="root without slash"),
        pytest.param("http://[::1/a", ("http://[::1/a",), id="no URL: itself"),
    ],
)
def test_directories_of(url: str, directories: tuple[str, ...]) -> None:
    assert directories_of(url) == directories


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [
        pytest.param("a/b", "a/b", 0, id="same"),
        pytest.param("a/b", "a/c", 2**30, id="second level"),
        pytest.param("a/b", "c/b", 2**31, id="first level"),
        pytest.param("a/b", "a", 2**30, id="a missing level differs"),
        pytest.param("a", "a/b/c", 2**30 + 2**29, id="two missing levels"),
    ],
)
def test_directory_distance(first: str, second: str, distance: int) -> None:
    parts = first.split("/"), second.split("/")
    assert directory_distance(*parts) == directory_distance(*parts[::-1]) == distance


def test_levels_below_the_last_are_alike() -> None:
    same = ["x"] * MAX_DIRECTORIES
    assert directory_distance([*same, "a"], [*same, "b"]) == 0

"""Grouping pages by layout."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.layout.clustering import MAX_DIRECTORIES, complete_link, directories_of, directory_distance
from scrapy_stemmer.learners.layout.original import page_similarity
from tests import microexample


def alike(groups: str) -> Callable[[int, int], bool]:
    """Pages are similar when they have the same letter."""
    return lambda first, second: groups[first] == groups[second]


def recording(compared: list[tuple[int, int]]) -> Callable[[int, int], bool]:
    """All pages are similar; which ones are compared is put into the list."""

    def similar(first: int, second: int) -> bool:
        compared.append((first, second))
        return True

    return similar


def names(count: int) -> list[str]:
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
    assert complete_link(names(3), lambda a, b: page_similarity(pages[a], pages[b]) >= threshold) == clusters


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
    assert complete_link(names(len(groups)), alike(groups)) == clusters


def test_all_members_must_be_similar_not_only_one() -> None:
    """A chain: 0 is like 1, 1 is like 2, 0 is not like 2."""
    assert complete_link(names(3), lambda a, b: abs(a - b) < 2) == [[0, 1], [2]]


def test_of_clusters_that_fit_the_nearer_url_is_joined() -> None:
    urls = ["http://ex.com/a/1", "http://ex.com/b/2", "http://ex.com/b/3"]
    differ = {frozenset({0, 1})}
    assert complete_link(urls, lambda a, b: frozenset({a, b}) not in differ) == [[0], [1, 2]]


def test_samples_of_a_cluster_spare_comparisons() -> None:
    compared: list[tuple[int, int]] = []
    assert complete_link(names(20), recording(compared), max_samples=2) == [list(range(20))]
    assert len(compared) == 1 + 2 * 18


@pytest.mark.parametrize("seed", [0, 7])
def test_samples_are_drawn_by_the_seed(seed: int) -> None:
    def run() -> list[tuple[int, int]]:
        compared: list[tuple[int, int]] = []
        complete_link(names(20), recording(compared), max_samples=2, seed=seed)
        return compared

    assert run() == run()


@given(st.lists(st.sampled_from("abc"), max_size=12).map("".join))
def test_every_page_is_in_one_cluster_of_similar_pages(groups: str) -> None:
    clusters = complete_link(names(len(groups)), alike(groups))
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

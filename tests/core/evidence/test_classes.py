"""What blocks of a class are like, and how classes of few blocks lean on coarser ones."""

from __future__ import annotations

import pytest

from scrapy_stemmer.core.evidence.classes import (
    FULL_PATH,
    LONG,
    STATIC_TRUST,
    ClassMeans,
    Contribution,
    Observed,
    Profile,
    class_means,
    joined,
    profile_of,
    profiles,
)
from scrapy_stemmer.core.evidence.paths import ROOT, PathTree


def path_of(paths: PathTree, *components: str) -> int:
    last = ROOT
    for component in components:
        last = paths.child(last, component)
    return last


def test_the_mean_of_one_class_is_weighted() -> None:
    paths = PathTree()
    found = class_means(paths, [Contribution(ROOT, (1.0,), (30.0,)), Contribution(ROOT, (0.0,), (10.0,))])
    assert found.by_suffix["body*"] == (0.75,)


def test_a_class_leans_on_the_coarser_one_by_two_blocks() -> None:
    """The tag has a mean of 0.5; of the two blocks below ``div.a`` each is 1."""
    paths = PathTree()
    first, second = path_of(paths, "p.a"), path_of(paths, "p.b")
    blocks = [Contribution(path, (value,), (1.0,)) for path, value in ((first, 1.0), (second, 0.0)) for _ in range(2)]
    means = class_means(paths, blocks)
    assert means.by_suffix["p*"] == (0.5,)
    assert means.by_suffix["p.a"] == (0.75,)
    assert means.by_suffix["body/p.a"] == (0.875,)
    assert means.by_path[first] == (0.9375,)
    assert means.by_path[second] == (0.0625,)


def test_more_blocks_lean_less() -> None:
    paths = PathTree()
    path, other = path_of(paths, "p.a"), path_of(paths, "p.b")
    found = [
        class_means(
            paths, [Contribution(path, (1.0,), (1.0,))] * count + [Contribution(other, (0.0,), (1.0,))] * count
        ).by_path[path][0]
        for count in (1, 2, 8, 100)
    ]
    assert found == sorted(found)
    assert found[-1] > 0.99


def test_a_class_without_weight_is_zero() -> None:
    assert class_means(PathTree(), [Contribution(ROOT, (1.0,), (0.0,))]).by_path[ROOT] == (0.0,)


def test_the_finest_class_that_the_site_has() -> None:
    paths = PathTree()
    known = path_of(paths, "main", "div.story", "p")
    means = class_means(paths, [Contribution(known, (1.0,), (1.0,))])

    def level(*components: str) -> int | None:
        found = means.of(paths, path_of(paths, *components))
        return None if found is None else found[1]

    assert level("main", "div.story", "p") == FULL_PATH
    assert level("aside", "main", "div.story", "p") == 3
    assert level("aside", "div.story", "p") == 2
    assert level("aside", "p") == 1
    assert level("aside", "p.lead") == 0
    assert level("aside") is None


def observed(path: int, *, static: bool = False, links: int = 0, weight: int = 10) -> Observed:
    return Observed(path, weight, static, links)


def test_the_profile_of_a_class() -> None:
    paths = PathTree()
    path = path_of(paths, "p")
    blocks = [observed(path, static=True, weight=LONG), observed(path, links=5), observed(path, links=10)]
    found = profile_of(profiles(paths, blocks), paths, path)
    assert [found.static, found.link, found.long] == pytest.approx([60 / 80, 15 / 80, 1 / 3])
    assert found.worth is None


def test_a_class_that_the_site_has_not_is_like_nothing() -> None:
    paths = PathTree()
    means = profiles(paths, [observed(path_of(paths, "p"), static=True)])
    assert profile_of(means, paths, path_of(paths, "td")) == Profile()


@pytest.mark.parametrize(
    ("components", "level"), [(("p",), FULL_PATH), (("div", "p"), 1), (("div", "p.new"), 0), (("div", "body", "p"), 2)]
)
def test_static_text_of_coarser_classes_says_less(components: tuple[str, ...], level: int) -> None:
    """That all paragraphs of the sample return says little of a paragraph in another place."""
    paths = PathTree()
    means = profiles(paths, [observed(path_of(paths, "p"), static=True)])
    assert profile_of(means, paths, path_of(paths, *components)).static == STATIC_TRUST[level]


def test_the_finer_the_class_the_more_its_static_text_says() -> None:
    assert list(STATIC_TRUST) == sorted(set(STATIC_TRUST))
    assert (STATIC_TRUST[0], STATIC_TRUST[FULL_PATH]) == (0.1, 1.0)


def test_joined_means_are_rounded_as_they_are_saved() -> None:
    first = ClassMeans({0: (0.12345,)}, {"body*": (1 / 3,)})
    second = ClassMeans({0: (-2.00051,)}, {"body*": (2.0,)})
    assert joined(first, second) == ClassMeans({0: (0.123, -2.001)}, {"body*": (0.333, 2.0)})

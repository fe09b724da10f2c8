"""What blocks of a class are like, and how classes of few blocks lean on coarser ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.core.evidence.classes import (
    FULL_PATH,
    LONG,
    STATIC_TRUST,
    ClassMeans,
    Profile,
    ProfileTally,
    WorthTally,
    class_means,
    joined,
    profile_of,
    rounded,
    to_digits,
)
from scrapy_stemmer.core.evidence.paths import ROOT, PathTree


def path_of(paths: PathTree, *components: str) -> int:
    last = ROOT
    for component in components:
        last = paths.child(last, component)
    return last


def worth(*blocks: tuple[int, float]) -> WorthTally:
    """What is counted of blocks of these masses and priors."""
    found = WorthTally()
    for mass, prior in blocks:
        found.count(mass, prior)
    return found


def test_the_mean_of_one_class_is_weighted() -> None:
    found = class_means(PathTree(), {ROOT: worth((30, 1.0), (10, 0.0))})
    assert found.by_suffix["body*"] == (0.75,)


def test_a_class_leans_on_the_coarser_one_by_two_blocks() -> None:
    """The tag has a mean of 0.5; of the two blocks below ``div.a`` each is 1."""
    paths = PathTree()
    first, second = path_of(paths, "p.a"), path_of(paths, "p.b")
    means = class_means(paths, {first: worth((1, 1.0), (1, 1.0)), second: worth((1, 0.0), (1, 0.0))})
    assert means.by_suffix["p*"] == (0.5,)
    assert means.by_suffix["p.a"] == (0.75,)
    assert means.by_suffix["body/p.a"] == (0.875,)
    assert means.by_path[first] == (0.9375,)
    assert means.by_path[second] == (0.0625,)


def test_more_blocks_lean_less() -> None:
    paths = PathTree()
    path, other = path_of(paths, "p.a"), path_of(paths, "p.b")
    found = [
        class_means(paths, {path: worth(*[(1, 1.0)] * count), other: worth(*[(1, 0.0)] * count)}).by_path[path][0]
        for count in (1, 2, 8, 100)
    ]
    assert found == sorted(found)
    assert found[-1] > 0.99


def test_a_class_without_weight_is_zero() -> None:
    assert class_means(PathTree(), {ROOT: worth((0, 1.0))}).by_path[ROOT] == (0.0,)


def test_the_finest_class_that_the_site_has() -> None:
    paths = PathTree()
    known = path_of(paths, "main", "div.story", "p")
    means = class_means(paths, {known: worth((1, 1.0))})

    def level(*components: str) -> int | None:
        found = means.of(paths, path_of(paths, *components))
        return None if found is None else found[1]

    assert level("main", "div.story", "p") == FULL_PATH
    assert level("aside", "main", "div.story", "p") == 3
    assert level("aside", "div.story", "p") == 2
    assert level("aside", "p") == 1
    assert level("aside", "p.lead") == 0
    assert level("aside") is None


def test_the_order_of_paths_makes_no_difference() -> None:
    paths = PathTree()
    tallies = {path_of(paths, "div", name): worth((n, 1.0), (3, 0.0)) for n, name in enumerate(("p.a", "p.b", "li"))}
    assert class_means(paths, dict(reversed(tallies.items()))) == class_means(paths, tallies)


def test_counting_leaves_what_was_counted_as_it_was() -> None:
    """Classes add up what was counted of their paths."""
    paths = PathTree()
    tallies = {path_of(paths, name): worth((1, 1.0)) for name in ("p.a", "p.b")}
    assert class_means(paths, tallies) == class_means(paths, tallies)
    assert {tally.blocks for tally in tallies.values()} == {1}


def test_tallies_add_up() -> None:
    found = ProfileTally()
    for _ in range(3):
        other = observed((4, 1, True), (LONG, 0, False))
        found.add(other)
    assert (found.blocks, found.weight, found.static, found.linked, found.long_blocks) == (6, 192, 12, 3, 3)
    assert found.mean(None) == (12 / 192, 3 / 192, 0.5)
    assert found.mean((1.0, 0.0, 0.5)) == (0.75 * 12 / 192 + 0.25, 0.75 * 3 / 192, 0.5)


def observed(*blocks: tuple[int, int, bool]) -> ProfileTally:
    """What is counted of blocks of these weights and weights in links, static or not."""
    found = ProfileTally()
    for weight, links, static in blocks:
        found.count(weight, links, static=static)
    return found


STATIC = (10, 0, True)


def test_the_profile_of_a_class() -> None:
    paths = PathTree()
    path = path_of(paths, "p")
    tally = observed((LONG, 0, True), (10, 5, False), (10, 10, False))
    found, level = profile_of(class_means(paths, {path: tally}), paths, path)
    assert level == FULL_PATH
    assert [found.static_share, found.link_share, found.long_share] == pytest.approx([60 / 80, 15 / 80, 1 / 3])
    assert found.worth is None


def test_a_class_that_the_site_has_not_is_like_nothing() -> None:
    paths = PathTree()
    means = class_means(paths, {path_of(paths, "p"): observed(STATIC)})
    assert profile_of(means, paths, path_of(paths, "td")) == (Profile(), -1)


@pytest.mark.parametrize(
    ("components", "level"), [(("p",), FULL_PATH), (("div", "p"), 1), (("div", "p.new"), 0), (("div", "body", "p"), 2)]
)
def test_static_text_of_coarser_classes_says_less(components: tuple[str, ...], level: int) -> None:
    """That all paragraphs of the sample return says little of a paragraph in another place."""
    paths = PathTree()
    means = class_means(paths, {path_of(paths, "p"): observed(STATIC)})
    profile, found = profile_of(means, paths, path_of(paths, *components))
    assert (profile.static_share, found) == (STATIC_TRUST[level], level)


def test_the_finer_the_class_the_more_its_static_text_says() -> None:
    assert list(STATIC_TRUST) == sorted(set(STATIC_TRUST))
    assert (STATIC_TRUST[0], STATIC_TRUST[FULL_PATH]) == (0.1, 1.0)


def test_joined_means_are_rounded_as_they_are_saved() -> None:
    first = ClassMeans({0: (0.12345,)}, {"body*": (1 / 3,)})
    second = ClassMeans({0: (-2.00051,)}, {"body*": (2.0,)})
    assert joined(first, second) == ClassMeans({0: (0.123, -2.001)}, {"body*": (0.333, 2.0)})


def test_rounded_means() -> None:
    assert rounded(ClassMeans({0: (0.12345, 1.0)}, {"p*": (2 / 3,)})) == ClassMeans({0: (0.123, 1.0)}, {"p*": (0.667,)})


def test_worth_is_the_last_of_a_profile() -> None:
    paths = PathTree()
    path = path_of(paths, "p")
    means = joined(class_means(paths, {path: observed(STATIC)}), class_means(paths, {path: worth((10, 2.5))}))
    assert profile_of(means, paths, path)[0] == Profile(1.0, 0.0, 0.0, 2.5)


@given(st.floats(-100.0, 100.0))
def test_numbers_are_kept_with_three_decimals_and_survive_a_file(value: float) -> None:
    kept = to_digits(value)
    assert abs(kept - value) <= 0.0005 + 1e-12
    assert float(f"{kept:.3f}") == kept == to_digits(kept)

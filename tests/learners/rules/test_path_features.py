"""What the paths of a site tell of the blocks on them."""

from __future__ import annotations

from scrapy_stemmer.learners.rules.path_features import AROUND, FAR, TAGS, WIDTH, PathFeatures
from scrapy_stemmer.learners.rules.sample import Component, Paths
from tests.learners.rules.made import path_of, paths


def levels(known: Paths, path: str) -> dict[str, int]:
    """The levels up from a path to the elements around it."""
    number = path_of(known, path)
    row = PathFeatures(known).levels[number * WIDTH : (number + 1) * WIDTH]
    return {tag: level for tag, level in zip(AROUND, row, strict=False) if level != FAR}


def test_levels_up_to_the_elements_around() -> None:
    known = paths("nav > ul > li > nav > p")
    assert levels(known, "body") == {}
    assert levels(known, "nav") == {"nav": 0}
    assert levels(known, "nav > ul > li") == {"nav": 2, "ul": 1}
    assert levels(known, "nav > ul > li > nav > p") == {"nav": 1, "ul": 3}


def test_the_tag_of_a_path_by_its_number() -> None:
    known = paths("div > p", "x-y")
    assert list(PathFeatures(known).tags) == [len(TAGS), TAGS.index("div"), TAGS.index("p"), len(TAGS)]


def test_names_hint_and_hide() -> None:
    known = Paths()
    known.child(-1, Component("body"))
    known.child(0, Component("p", hidden=True))
    known.child(0, Component("p", (".sr-only",)))
    hidden = PathFeatures(known).levels[WIDTH - 1 :: WIDTH]
    assert list(hidden) == [FAR, 0, 0]


def test_it_grows_with_the_paths() -> None:
    known = paths("nav > p")
    found = PathFeatures(known)
    path_of(known, "nav > p > b")
    found.update()
    assert (found.tags, found.levels) == (PathFeatures(known).tags, PathFeatures(known).levels)


def test_no_level_is_further_than_the_furthest() -> None:
    known = paths("nav > " + " > ".join(["div"] * 300))
    assert max(PathFeatures(known).levels) == FAR


def test_no_paths() -> None:
    assert len(PathFeatures(Paths()).tags) == 0

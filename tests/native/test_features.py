"""The native features of blocks are those of plain Python to the bit, whatever the pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules import features_py
from scrapy_stemmer.learners.rules.features_py import NAMES
from scrapy_stemmer.learners.rules.hints import PathFeatures
from tests.learners.rules.made import facts, story
from tests.strategies import markup

native = pytest.importorskip("scrapy_stemmer._native.features", exc_type=ImportError)

TEXTS = st.sampled_from(
    [
        "x",
        "Some text of a page.",
        "Menu",
        "More than eighty characters of text, so that it counts. " * 2,
        "日本語。",
        "$5",
    ]
)
ELEMENTS = st.sampled_from(["p", "h1", "h2", "li", "nav", "div class=sidebar", "div hidden", "td", "a href=/a"])


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> str:
    """Markup with menus, headings, links and text of several lengths in one another."""
    element = draw(ELEMENTS)
    inside = [draw(TEXTS)] + ([draw(trees(depth - 1)) for _ in range(draw(st.integers(0, 3)))] if depth else [])
    return f"<{element}>{''.join(inside)}</{element.split()[0]}>"


def same(htmls: Sequence[str], known: bool = True, title: int = 0) -> None:
    """Both ways give the same.

    :param title: the number of the block whose text the heads call the title.
    """
    pages, paths = facts(htmls, known=known)
    pages = [replace(page, title_keys=frozenset(m.key for m in page.measures[title : title + 1])) for page in pages]
    features = PathFeatures(paths)
    found, plain = native.features(pages, features), features_py.features(pages, features)
    assert found.dtype == plain.dtype
    for number, name in enumerate(NAMES):
        np.testing.assert_array_equal(found[:, number], plain[:, number], name)


@given(st.lists(trees(), min_size=1, max_size=3), st.booleans(), st.integers(0, 3))
def test_any_tree(htmls: list[str], known: bool, title: int) -> None:
    same(htmls, known, title)


@given(st.lists(markup(3).map(lambda made: f"<div>{made[0]}</div>"), min_size=1, max_size=3))
def test_any_markup(htmls: list[str]) -> None:
    same(htmls)


def test_pages_with_text_without_and_none() -> None:
    same([story("storm"), "<p></p>", story("harbour")])
    same([])


def test_a_deep_tree_and_many_blocks() -> None:
    same(["<div>" * 200 + "x" + "".join(f"<p>Text {number} of it.</p>" for number in range(700))])

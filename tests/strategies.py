"""Strategies of hypothesis: markup, block sequences, patterns, JSON, and properties of libxml2."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern, Runs, Section
from scrapy_stemmer.patterns.base import Sample

WORDS = st.text(alphabet="abcXYZ019_ éß日本語한 .,-", min_size=1, max_size=12)

CONTAINERS = ("div", "span", "p", "ul", "li", "b", "a", "section", "em", "blockquote", "h2")

without_implied_p = pytest.mark.skipif(
    etree.LIBXML_VERSION < (2, 14), reason="libxml2 below 2.14 puts text that stands alone into a paragraph"
)

UNIT = st.floats(0, 1)
POSITIVE = st.floats(0, 1e9)


@st.composite
def markup(draw: st.DrawFn, depth: int = 4) -> tuple[str, str]:
    """Draw an HTML fragment with its visible texts in order."""
    kind = draw(st.sampled_from(("text", "text", "break", "hidden", "element") if depth else ("text",)))
    if kind == "text":
        text = draw(WORDS)
        return text, text
    if kind == "break":
        return draw(st.sampled_from(("<br>", "<hr>", "<!-- unseen -->"))), ""
    if kind == "hidden":
        tag = draw(st.sampled_from(("script", "style")))
        return f"<{tag}>unseen</{tag}>", ""
    parts = draw(st.lists(markup(depth - 1), max_size=4))
    tag = draw(st.sampled_from(CONTAINERS))
    inside, seen = "".join(html for html, _ in parts), "".join(text for _, text in parts)
    attribute = draw(st.sampled_from(("", ' class="b a"', ' id="post-17"', ' data-x="1"')))
    return f"<{tag}{attribute}>{inside}</{tag}>", seen


@st.composite
def runs(draw: st.DrawFn, features: str = "abcde", most: int = 12) -> Runs:
    """A page's runs: neighbours differ, weights are positive."""
    found = "".join(feature for feature, _ in groupby(draw(st.text(features, max_size=most))))
    weights = draw(st.lists(st.integers(1, 50), min_size=len(found), max_size=len(found)))
    return Runs(tuple(found), tuple(weights), (1,) * len(found))


def sections() -> st.SearchStrategy[Section]:
    """A section of a layout."""
    return st.builds(
        Section,
        feature=st.text(max_size=20),
        diffscore=UNIT,
        mainscore=POSITIVE,
        support=st.integers(0, 50),
        repeated=st.lists(st.text(min_size=1, max_size=8), max_size=3, unique=True).map(tuple),
    )


def block_options() -> st.SearchStrategy[BlockOptions]:
    """Ways of cutting pages into blocks."""
    return st.builds(
        BlockOptions,
        mangle=st.sampled_from((None, "[^0-9]+", "[a-z]", "")),
        original=st.booleans(),
        vocabulary=st.none() | st.frozensets(st.text(min_size=1, max_size=6), max_size=4),
    )


SAMPLES = st.builds(
    Sample,
    url=st.from_regex(r"https?://[a-z]{1,5}\.example/[a-z0-9/]{0,9}", fullmatch=True),
    title=st.none() | st.text(max_size=20),
)


@st.composite
def layout_patterns(draw: st.DrawFn) -> LayoutPattern:
    """Draw a layout pattern with arbitrary field values."""
    elements = draw(st.lists(sections(), max_size=5).map(tuple))
    title = draw(st.none() | st.integers(0, len(elements) - 1)) if elements else None
    return LayoutPattern(
        site=draw(st.sampled_from(("example.com", "b.example:8080", "日本.example"))),
        name=draw(st.text(max_size=20)),
        support=draw(st.integers(0, 100)),
        score=draw(st.floats(allow_nan=False, allow_infinity=False)),
        samples=draw(st.lists(SAMPLES, max_size=3).map(tuple)),
        learned=draw(st.none() | st.just("2024-05-01T12:00:00Z")),
        site_wide=draw(st.booleans()),
        sections=elements,
        title=title,
        blocks=draw(block_options()),
    )


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value, with numbers that JSON allows and Python's decoder accepts."""
    scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just(10**400)
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=8,
    )

"""Features and trees of the scorer: native and Python results are equal to the bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from benchmarks.sets import bundled_set
from scrapy_stemmer._engine import score as native
from scrapy_stemmer.learners.rules.columns import Signatures, body_of
from scrapy_stemmer.learners.rules.features import (
    FEATURE_NAMES,
    MEASURES,
    PageFacts,
)
from scrapy_stemmer.learners.rules.head import title_keys
from scrapy_stemmer.learners.rules.hints import PathFeatures
from scrapy_stemmer.learners.rules.paths import common_names
from scrapy_stemmer.learners.rules.sample_columns import SamplePage, read
from scrapy_stemmer.learners.rules.scorer import Scorer, shipped_scorer
from scrapy_stemmer.learners.rules.site import Placer
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.page.shown import head_of, metadata_in
from tests.learners.rules.made import scorer
from tests.reference.features import fill_in_python, measures_in_python
from tests.reference.scorer import add_odds_in_python
from tests.strategies import markup

MARKUPS = st.lists(markup(4).map(lambda made: made[0]), min_size=1, max_size=3)
TEXTS = st.lists(st.text(st.characters() | st.sampled_from("aZ 19.,\u0661\u3002日İΣ\ud800")), max_size=5)


def rows_of(facts: PageFacts, paths: PathFeatures) -> NDArray[np.float32]:
    """Return the features of a page, equal in both implementations."""
    made = []
    for fill in (fill_in_python, native.fill):
        columns = np.full((len(FEATURE_NAMES), len(facts.page.columns.elements)), -7, np.float32)
        fill(facts, paths, columns)
        made.append(columns)
    pairs = zip(FEATURE_NAMES, *made, strict=True)
    assert not [name for name, plain, compiled in pairs if not np.array_equal(plain, compiled, equal_nan=True)]
    return made[0].T


def scored_alike(rows: NDArray[np.float32], by: Scorer) -> None:
    """Assert that trees give equal scores in both implementations."""
    plain, compiled = np.full(len(rows), by.base), np.full(len(rows), by.base)
    add_odds_in_python(rows, by.nodes, by.values, plain)
    native.add_odds(rows, by.nodes, by.values, compiled)
    assert plain.tolist() == compiled.tolist()


def same(htmls: Sequence[str]) -> None:
    """Assert equal results for a site: without known texts, and with half of each page returning."""
    roots, signatures = list(map(parse, htmls)), Signatures()
    pages = [read(body_of(root), signatures) for root in roots]
    placer = Placer(common_names(pages, list(signatures)))
    for root, columns in zip(roots, pages, strict=True):
        if columns.texts:
            measures = measures_in_python(columns.texts)
            repeated = [number % 4 / 3 if number % 2 else 0.0 for number in range(len(columns.texts))]
            page = SamplePage("https://news.example/a/b?c", columns, head_of(metadata_in(root)), ())
            keys = title_keys(page.head, frozenset())
            facts = PageFacts(page, placer.place(columns, list(signatures)), measures, 0, repeated, keys)
            for known in (facts, replace(facts, others=30)):
                scored_alike(rows_of(known, PathFeatures(placer.paths)), shipped_scorer())


@pytest.mark.parametrize("site", sorted(bundled_set().sites))
@pytest.mark.slow
def test_the_bundled_site(site: str) -> None:
    same([page.html for page in bundled_set().sites[site]])


@pytest.mark.slow
@given(MARKUPS)
def test_any_pages(htmls: list[str]) -> None:
    same([f"<title>One | two</title>{html}<h1>One</h1><p><a href=/>two</a>" for html in htmls])


def test_a_page_of_much_of_each() -> None:
    """More blocks than go through the trees side by side, like elements apart, links behind the last block."""
    card = "<li class=card><h3><a href=/>Card</a></h3><p>Teaser 1, 2. </p></li><li hidden>no</li>"
    section = f"<h2>Part</h2><ul class=list>{card * 9}</ul><p>{'A sentence of some words. ' * 9}</p>"
    same([f"<nav><a href=/>Home</a></nav><main>{section * 8}</main><footer>End</footer><a href=/></a>"])


@given(TEXTS)
def test_any_texts(texts: list[str]) -> None:
    lines = [" ".join(text.split()) for text in texts]
    plain, compiled = measures_in_python(lines), native.measures_of(lines)
    assert list(plain) == list(compiled) == list(MEASURES)
    assert [row.tolist() for row in plain.values()] == [row.tolist() for row in compiled.values()]


@pytest.mark.parametrize("missing", ["low", "high"])
@pytest.mark.parametrize("threshold", [-1.0, 0.1, 1e300])
def test_values_at_the_edge_of_a_threshold(threshold: float, missing: str) -> None:
    rows = np.full((40, len(FEATURE_NAMES)), np.nan, np.float32)
    rows[1:5, 0] = -np.inf, np.inf, threshold if threshold < 9 else 9, 0
    scored_alike(rows, scorer([FEATURE_NAMES[0], threshold, missing, 1, [FEATURE_NAMES[1], 0, "low", 2, 3]], 4))

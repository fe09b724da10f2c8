"""Features and trees of the scorer, on any pages; ``tests/golden`` holds their values."""

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
from scrapy_stemmer.learners.rules.decide.features import (
    FEATURE_NAMES,
    MEASURES,
    PageFacts,
)
from scrapy_stemmer.learners.rules.decide.head import title_keys
from scrapy_stemmer.learners.rules.decide.scorer import Scorer, features, shipped_scorer
from scrapy_stemmer.learners.rules.site.columns import Signatures, body_of, text_key
from scrapy_stemmer.learners.rules.site.hints import PathFeatures
from scrapy_stemmer.learners.rules.site.paths import common_names
from scrapy_stemmer.learners.rules.site.reading import SamplePage, read_page
from scrapy_stemmer.learners.rules.site.site import Placer
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.page.shown import head_of, metadata_in
from tests.learners.rules.made import of_texts, placed, scorer
from tests.strategies import markup

MARKUPS = st.lists(markup(4).map(lambda made: made[0]), min_size=1, max_size=3)
TEXTS = st.lists(st.text(st.characters() | st.sampled_from("aZ 19.,\u0661\u3002日İΣ\ud800")), max_size=5)


def scored_right(rows: NDArray[np.float32], by: Scorer) -> None:
    """Assert that each block has the score that it has alone, however many blocks are scored at a time."""
    odds = by.odds(rows)
    for number, row in enumerate(rows):
        assert by.odds(row[np.newaxis])[0] == odds[number]


def right(htmls: Sequence[str]) -> None:
    """Check the features of a site: without known texts, and with half of each page returning."""
    roots, signatures = list(map(parse, htmls)), Signatures()
    pages = [read_page(body_of(root), signatures) for root in roots]
    placer = Placer(common_names(pages, list(signatures)))
    for root, columns in zip(roots, pages, strict=True):
        if columns.texts:
            measures = native.measures_of(columns)
            repeated = [number % 4 / 3 if number % 2 else 0.0 for number in range(len(columns.texts))]
            page = SamplePage("https://news.example/a/b?c", columns, head_of(metadata_in(root)), ())
            keys = title_keys(page.head, frozenset())
            facts = PageFacts(page, placed(placer, columns, signatures), measures, 0, repeated, keys)
            for known in (facts, replace(facts, others=30)):
                scored_right(features([known], PathFeatures(placer.paths)), shipped_scorer())


@pytest.mark.parametrize("site", sorted(bundled_set().sites))
@pytest.mark.slow
def test_the_bundled_site(site: str) -> None:
    right([page.html for page in bundled_set().sites[site]])


@pytest.mark.slow
@given(MARKUPS)
def test_any_pages(htmls: list[str]) -> None:
    right([f"<title>One | two</title>{html}<h1>One</h1><p><a href=/>two</a>" for html in htmls])


def test_a_page_of_much_of_each() -> None:
    """More blocks than go through the trees side by side, like elements apart, links behind the last block."""
    card = "<li class=card><h3><a href=/>Card</a></h3><p>Teaser 1, 2. </p></li><li hidden>no</li>"
    section = f"<h2>Part</h2><ul class=list>{card * 9}</ul><p>{'A sentence of some words. ' * 9}</p>"
    right([f"<nav><a href=/>Home</a></nav><main>{section * 8}</main><footer>End</footer><a href=/></a>"])


MEASURED = {
    "a": (1, 1, 1, 0, 0, 0, False, False),
    "Rain fell, and snow. Hail?": (22, 22, 5, 2, 1, 0, True, True),
    "One, two; three: 4!": (16, 16, 4, 1, 3, 1, True, True),
    "¿Qué?": (5, 5, 1, 1, 0, 0, True, False),
    "ما هذا؟ نعم،": (10, 10, 3, 1, 1, 0, False, False),
    "12.5 and \u0661\u0662": (9, 9, 3, 1, 0, 5, False, False),
    "\u6e21\u3057\u821f\u304c\u3001\u6765\u305f\u3002": (8, 20, 7, 1, 1, 0, True, False),
    "\u0e20\u0e32\u0e29\u0e32": (4, 12, 5, 0, 0, 0, False, False),
    "\u0130\u03a3 \u0905\u0964": (4, 4, 2, 1, 0, 0, False, True),
    "a \U0001f600;": (3, 3, 2, 0, 1, 0, False, False),
}
"""Texts with all of their measures but the keys."""


@pytest.mark.parametrize("text", MEASURED)
def test_measures(text: str) -> None:
    found = native.measures_of(of_texts(["x", text, "y"]))
    assert list(found) == list(MEASURES)
    assert tuple(int(row[1]) for name, row in found.items() if name != "key") == MEASURED[text]
    assert found["key"].tolist() == list(map(text_key, ("x", text, "y")))


@given(TEXTS)
def test_any_texts(texts: list[str]) -> None:
    page = of_texts(texts)
    found, lines = native.measures_of(page), page.texts
    assert found["plain"].tolist() == [len(line.replace(" ", "")) for line in lines]
    assert found["key"].tolist() == list(map(text_key, lines))
    assert found["digits"].tolist() == [sum(map(str.isdecimal, line)) for line in lines]


@pytest.mark.parametrize("missing", ["low", "high"])
@pytest.mark.parametrize("threshold", [-1.0, 0.1, 1e300])
def test_values_at_the_edge_of_a_threshold(threshold: float, missing: str) -> None:
    at = np.float32(min(threshold, 9))
    below, above = np.nextafter(at, np.float32(-np.inf)), np.nextafter(at, np.float32(np.inf))
    rows = np.full((40, len(FEATURE_NAMES)), np.nan, np.float32)
    rows[1:6, 0] = -np.inf, np.inf, below, above, 0
    by = scorer([FEATURE_NAMES[0], threshold, missing, 1, [FEATURE_NAMES[1], 0, "low", 2, 3]], 4)
    odds = by.odds(rows)
    low, high = by.base + 5, by.base + 6
    unknown = low if missing == "low" else high
    wanted = [unknown, low, high, low, high if threshold < 9 else low, low if threshold >= 0 else high]
    assert odds.tolist() == [*wanted, *[unknown] * 34]
    scored_right(rows, by)

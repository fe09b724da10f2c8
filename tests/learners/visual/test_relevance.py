"""Which clusters hold a page's own text; with the micro-example of algorithms §6.3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.core.document import parse
from scrapy_stemmer.learners.visual.relevance import (
    ClusterScore,
    PageTerms,
    TermNumbers,
    cluster_scores,
    hints_of,
    idf_of,
    page_scores,
)

LN2 = log(2)


def counted(text: str) -> Counter[str]:
    return Counter(text.split())


def site(*pages: tuple[str, Sequence[tuple[int, str]]]) -> tuple[list[PageTerms], int]:
    """Pages as hints and blocks, each with its group."""
    numbers = TermNumbers()
    found = [
        PageTerms.of([(group, counted(text)) for group, text in blocks], counted(hints), numbers)
        for hints, blocks in pages
    ]
    return found, len(numbers)


TEXT, SHARE = 0, 1

MICRO = (
    ("alpha storm", [(TEXT, "alpha storm"), (TEXT, "alpha rain"), (SHARE, "share")]),
    ("bravo cup", [(TEXT, "bravo cup final"), (SHARE, "share")]),
)


class TestMicroExample:
    """Algorithms §6.3."""

    def test_idf_is_ln_2_except_for_what_is_on_both_pages(self) -> None:
        pages, terms = site(*MICRO)
        assert sorted(idf_of(pages, terms)) == pytest.approx([0.0] + [LN2] * 6)

    def test_the_page_score_is_relevance_times_coherence(self) -> None:
        """(4 ln 2 + 2 ln 2) · 4 ln 2 = 24 (ln 2)²."""
        pages, terms = site(*MICRO)
        score = page_scores(pages[0], {TEXT: TEXT, SHARE: SHARE}, idf_of(pages, terms))[TEXT]
        assert score == pytest.approx(24 * LN2**2)
        assert round(score, 3) == 11.531

    def test_a_single_block_is_coherent(self) -> None:
        """Two terms, once in the block and once in the hints each: 4 ln 2."""
        pages, terms = site(*MICRO)
        scores = page_scores(pages[1], {TEXT: TEXT, SHARE: SHARE}, idf_of(pages, terms))
        assert scores == {TEXT: pytest.approx(4 * LN2), SHARE: 0.0}

    def test_what_is_on_every_page_is_dropped(self) -> None:
        pages, terms = site(*MICRO)
        mean = (24 * LN2**2 + 4 * LN2) / 2
        assert cluster_scores(pages, {TEXT: TEXT, SHARE: SHARE}, terms) == {
            TEXT: ClusterScore(pytest.approx(mean), 1.0, 2)  # type: ignore[arg-type]
        }


def test_one_page_tells_nothing() -> None:
    pages, terms = site(MICRO[0])
    assert cluster_scores(pages, {TEXT: TEXT, SHARE: SHARE}, terms) == {}
    assert cluster_scores([], {}, 0) == {}


def test_confidence_is_the_share_of_pages_with_a_score() -> None:
    pages, terms = site(("a", [(0, "a")]), ("b", [(0, "c")]), ("d", [(0, "e")]), ("f", [(1, "f")]))
    found = cluster_scores(pages, {0: 0, 1: 1}, terms)
    assert found[0].confidence == pytest.approx(1 / 3)
    assert found[0].pages == 3
    assert found[0].score == pytest.approx(2 * log(4)), "pages without a score don't count in the mean"


def test_groups_of_one_cluster_count_together() -> None:
    """Blocks of two widths that are near each other."""
    apart, terms = site(
        ("a b", [(0, "a b"), (1, "a c")]),
        ("d", [(0, "d")]),
    )
    together, _ = site(
        ("a b", [(0, "a b"), (0, "a c")]),
        ("d", [(0, "d")]),
    )
    assert cluster_scores(apart, {0: 7, 1: 7}, terms) == cluster_scores(together, {0: 7}, terms)


def similarity(first: Counter[str], second: Counter[str], idf: dict[str, float]) -> float:
    return sum((first[term] + second[term]) * idf[term] for term in first.keys() & second.keys())


@given(st.lists(st.lists(st.text("abcde ", max_size=9), min_size=1, max_size=5), min_size=2, max_size=3))
def test_the_closed_form_is_the_sum_over_all_pairs(texts: list[list[str]]) -> None:
    pages, terms = site(*((blocks[0], [(0, text) for text in blocks]) for blocks in texts))
    documents = [set(" ".join(blocks).split()) for blocks in texts]
    idf = {term: log(len(texts) / sum(term in document for document in documents)) for term in set().union(*documents)}
    for page, blocks in zip(pages, texts, strict=True):
        hints = counted(blocks[0])
        found = list(map(counted, blocks))
        relevance = sum(similarity(block, hints, idf) for block in found)
        coherence = sum(similarity(a, b, idf) for a, b in permutations(found, 2)) if len(found) > 1 else 1.0
        assert page_scores(page, {0: 0}, idf_of(pages, terms))[0] == pytest.approx(relevance * coherence)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("<title> Storm\n hits </title>", ["Storm hits"], id="title"),
        pytest.param('<meta name="Description" content="Rain.">', ["Rain."], id="description, any case"),
        pytest.param(
            '<meta property="og:title" content="A"><meta name="twitter:description" content="B">',
            ["A", "B"],
            id="Open Graph and Twitter",
        ),
        pytest.param('<title>A</title><meta property="og:title" content="A">', ["A", "A"], id="repeats count"),
        pytest.param('<meta name="description"><meta name="description" content=" ">', [], id="empty ones"),
        pytest.param('<meta name="keywords" content="rain">', [], id="other metadata"),
        pytest.param("<svg><title>A drawing</title></svg>", [], id="the title of a drawing"),
    ],
)
def test_hints(head: str, expected: list[str]) -> None:
    assert hints_of(parse(f"<html><head>{head}</head><body><p>text</p></body></html>")) == expected

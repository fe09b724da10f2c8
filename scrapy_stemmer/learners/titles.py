"""Which section of a layout holds the title: a vote of the pages (Webstemmer, "How it works", step 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scrapy_stemmer.core.scores import (
    MIN_FALLBACK_SCORE,
    TextMatcher,
    anchor_title_score,
    fallback_title_score,
)
from scrapy_stemmer.learners.columns import Column


def title_column(
    columns: Sequence[Column], anchors: Sequence[Sequence[str]], threshold: float, matcher: TextMatcher
) -> int | None:
    """The index of the section that most pages vote for, ``None`` when most find none.

    Titles are looked for before the main text only, that is, before the first section with the feature of the
    highest MainScore. (The original stops at the section of the highest MainScore itself, and so may take one
    amid an article whose paragraphs make up several sections.)

    :param anchors: for each page of the cluster, the texts of links to it.
    :param threshold: least agreement with a link's text, from 0 to 1.
    """
    if not columns:
        return None
    scores = [column.mainscore() for column in columns]
    largest = columns[scores.index(max(scores))]
    before = [column.feature for column in columns].index(largest.feature)
    votes = Counter(
        _vote(columns[:before], largest.text(page), page, texts, threshold, matcher)
        for page, texts in enumerate(anchors)
    )
    most = max(votes.values())
    return min(
        (vote for vote, count in votes.items() if count == most),
        key=lambda vote: len(columns) if vote is None else vote,
    )


def _vote(
    candidates: Sequence[Column],
    main_text: str,
    page: int,
    anchors: Sequence[str],
    threshold: float,
    matcher: TextMatcher,
) -> int | None:
    """The best section of one page: by the texts of links; where they find none, by the main text."""
    by_links = [anchor_title_score(column.text(page), anchors, column.diffscore, matcher) for column in candidates]
    best = _first_best(by_links, threshold)
    if best is not None:
        return best
    by_main_text = [
        fallback_title_score(column.text(page), main_text, column.diffscore, matcher) for column in candidates
    ]
    return _first_best(by_main_text, MIN_FALLBACK_SCORE)


def _first_best(scores: Sequence[float], above: float) -> int | None:
    """The index of the highest score, the first one on ties; ``None`` when none is above the threshold."""
    best = max(scores, default=above)
    return scores.index(best) if best > above else None

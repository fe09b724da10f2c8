#!/usr/bin/env python3
"""Exactness of the best cluster of ``visual``: figure 1 of Zhou & Sun, measured again.

    python benchmarks/visual.py                                       # npr and techcrunch in ../shared/data/rendered
    python benchmarks/visual.py ../shared/data/rendered/npr.jsonl.gz --sizes

A set is a gzip file of JSON lines, a rendered page each, as written by the paper's program: ``site``, ``url``,
``titles``, ``descriptions``, ``texts`` (blocks with ``text``, ``path``, ``bound`` and ``computed``), and as ``gold``
the text found by the paper's referee, DiffBot.

The measure (algorithms §6.5): the blocks of a site's first n pages are clustered and scored, for each n from 2 to
15. The best cluster has the highest score among clusters on at least half of the n pages. Its text on each
of these pages is compared with the referee's, as sequences of words (runs of a to z and digits): the ratio is twice
the length of their longest common subsequence by the sum of their lengths. The figure is the mean over pages, then
over n. The paper seems to leave out pages without the cluster, by its figures; the second figure
counts these pages as 0.

The blocks are clustered by looks (CSS, width and path, as in the paper), by tag path alone, as in the learner without a
browser, and by CSS and width alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rapidfuzz.distance import Indel

from scrapy_stemmer.learners.literature.rendering import style_text
from scrapy_stemmer.learners.literature.visual.learner import (
    BlockShape,
    ClusterScore,
    PageTerms,
    TermCounter,
    cluster_scores,
    clusters_of,
    english_terms,
    has_stemmer,
    ngram_terms,
)
from scrapy_stemmer.page.text import visible

DATA = [Path("../shared/data/rendered") / f"{site}.jsonl.gz" for site in ("npr", "techcrunch")]

PAPER = {"npr": 99.5, "techcrunch": 87.4}  # figures of the paper's §7

FIRST, LAST = 2, 15  # sizes of the samples
MIN_SHARE = 0.5  # share of the pages that must have the best cluster

_WORD = re.compile("[a-zA-Z0-9]+")


class Text(NamedTuple):
    """A block of a page: its shape and its text."""

    shape: BlockShape
    text: str


@dataclass(frozen=True)
class RenderedPage:
    """A page of a set."""

    hints: tuple[str, ...]  # its titles and descriptions
    texts: tuple[Text, ...]  # its blocks
    gold: str  # what the referee found

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> RenderedPage:
        """The page of a line."""
        texts = tuple(Text(shape_of(block), " ".join(block["text"])) for block in row["texts"])
        return cls((*row["titles"], *row["descriptions"]), texts, row["gold"] or "")

    def reshaped(self, by: Callable[[BlockShape], BlockShape]) -> RenderedPage:
        """The page with other shapes."""
        return RenderedPage(self.hints, tuple(Text(by(shape), text) for shape, text in self.texts), self.gold)


def shape_of(block: Mapping[str, Any]) -> BlockShape:
    """The shape of a block as the program has written it."""
    return BlockShape("/".join(block["path"]), style_text(block["computed"]), block["bound"]["width"])


WAYS: Mapping[str, Callable[[BlockShape], BlockShape]] = {
    "looks and path": lambda shape: shape,
    "path alone": lambda shape: BlockShape(shape.path),
    "looks alone": lambda shape: shape._replace(path=""),
}
"""What is left of the shapes for clustering."""


class Figures(NamedTuple):
    """Percentages: pages without the best cluster left out, and counted as 0."""

    left_out: float
    as_zero: float


def load(path: Path) -> tuple[str, list[RenderedPage]]:
    """The site of a set, and its pages."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return rows[0]["site"], [RenderedPage.of(row) for row in rows]


def best_cluster(scores: Mapping[int, ClusterScore], pages: int) -> int | None:
    """Return the cluster of the highest score among clusters on enough pages."""
    wide = {number: score for number, score in scores.items() if score.pages >= MIN_SHARE * pages}
    return max(wide, key=lambda number: wide[number].score, default=None)


def cluster(pages: Sequence[RenderedPage], terms: TermCounter) -> tuple[dict[BlockShape, int], dict[int, ClusterScore]]:
    """The cluster of each shape, and the scores of clusters."""
    clusters = clusters_of(Counter(shape for page in pages for shape, _ in page.texts))
    counted = [
        PageTerms.of(
            [(clusters[shape], terms(text)) for shape, text in page.texts],
            sum(map(terms, page.hints), Counter()),
        )
        for page in pages
    ]
    return clusters, cluster_scores(counted)


def ratio(text: str, gold: str) -> float:
    """Return the similarity of two texts as sequences of words, from 0 to 1."""
    return Indel.normalized_similarity(_WORD.findall(text), _WORD.findall(gold))


def measure(pages: Sequence[RenderedPage], terms: TermCounter) -> Figures:
    """Return the figures of a sample tested on itself, as in the paper."""
    clusters, scores = cluster(pages, terms)
    best = best_cluster(scores, len(pages))
    ratios = []
    for page in pages:
        texts = [text for shape, text in page.texts if clusters[shape] == best]
        if texts:
            ratios.append(ratio(" ".join(texts), page.gold))
    if not ratios:
        return Figures(0.0, 0.0)
    return Figures(100 * statistics.mean(ratios), 100 * sum(ratios) / len(pages))


def measure_sizes(pages: Sequence[RenderedPage], terms: TermCounter) -> list[Figures]:
    """The figures for each size of sample."""
    return [measure(pages[:size], terms) for size in range(FIRST, min(LAST, len(pages)) + 1)]


def mean(figures: Sequence[Figures]) -> Figures:
    """The mean over all sizes."""
    return Figures(*(statistics.mean(column) for column in zip(*figures, strict=True)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", type=Path, default=DATA, help="sets; none: npr and techcrunch")
    parser.add_argument("--sizes", action="store_true", help="also print the figure of each size of sample")
    options = parser.parse_args(arguments)
    languages: dict[str, TermCounter] = {"words": english_terms()} if has_stemmer() else {}
    languages["n-grams"] = ngram_terms()
    print(f"{'site':12} {'terms':8} {'clustered by':15} {'measured':>9} {'paper':>7} {'misses as 0':>12}")
    for path in options.sets:
        site, pages = load(path)
        for language, terms in languages.items():
            for way, by in WAYS.items():
                figures = measure_sizes([page.reshaped(by) for page in pages], terms)
                left_out, as_zero = mean(figures)
                paper = f"{PAPER[site]:7.1f}" if site in PAPER and way == "looks and path" else " " * 7
                print(visible(f"{site:12} {language:8} {way:15} {left_out:9.1f} {paper} {as_zero:12.1f}"))
                if options.sizes:
                    print("   ", " ".join(f"{FIRST + n}:{figure.left_out:.1f}" for n, figure in enumerate(figures)))


if __name__ == "__main__":
    main()

"""Which clusters of blocks hold a page's own text: tf-idf against its title and description (section 5).

A page is one document. Two texts are similar by the terms that both have, counted in both and weighed by idf. A
cluster's score on a page is its relevance, the similarity of its blocks to the page's title and description, times its
coherence, the similarity of its blocks to each other, which is the program's; the paper doesn't have it.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from typing import NamedTuple, Self

from lxml import etree

from scrapy_stemmer.core.text import CJK, collapse

TermCounter = Callable[[str], Counter[str]]  # counts the terms of a text

GRAM, CJK_GRAM = 4, 2
"""Characters of an n-gram, and of one of kana, Han and Hangul; shorter words are a term as they are."""

CACHED_WORDS = 1 << 16  # words whose terms are remembered: those of a site come back again and again
STEMMER = "snowballstemmer"  # the package that stems, of the extra ``visual``

STOP_WORDS = frozenset(
    """a about above after again against all also am among an and any are aren as at be became because become
    been before being below between both but by can cannot could couldn did didn do does doesn doing don done down
    during each either else ever every few for from further get gets got had hadn has hasn have haven having he her
    here hers herself him himself his how however i if in into is isn it its itself just let like ll may me might
    more most much must my myself neither no nor not now of off often on once only or other our ours ourselves out
    over own rather re s said same say says shan she should shouldn since so some such t than that the their
    theirs them themselves then there these they this those though through thus to too under until up upon us ve
    very was wasn we were weren what when where whether which while who whom why will with within without won would
    wouldn yet you your yours yourself yourselves""".split()
)
"""English words that say nothing of what a text is about."""

_LETTERS = re.compile("[a-z]+")
_WORDS = re.compile(r"[^\W\d_]+")
_RUNS = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")
_CJK = re.compile(rf"[{CJK}]")


def english_terms() -> TermCounter:
    """Counts the stems of English words, stop words left out: lower-cased runs of up to 25 letters, stemmed after
    Porter, in three letters or more; :func:`has_stemmer` says whether it can."""
    stem: Callable[[str], str] = lru_cache(CACHED_WORDS)(import_module(STEMMER).stemmer("porter").stemWord)
    stopped = {stem(word) for word in STOP_WORDS}

    def terms(text: str) -> Counter[str]:
        stems = (stem(word) for word in _LETTERS.findall(text.lower()) if len(word) <= 25)
        return Counter(stemmed for stemmed in stems if len(stemmed) >= 3 and stemmed not in stopped)

    return terms


def ngram_terms() -> TermCounter:
    """Counts the character n-grams of a text's words, which serve as stems in any language."""

    @lru_cache(CACHED_WORDS)
    def grams(word: str) -> tuple[str, ...]:
        length = CJK_GRAM if _CJK.match(word) else GRAM
        return tuple(word[start : start + length] for start in range(max(1, len(word) - length + 1)))

    def terms(text: str) -> Counter[str]:
        return Counter(chain.from_iterable(map(grams, _RUNS.findall(text.lower()))))

    return terms


def has_stemmer() -> bool:
    """Whether the package that stems English is installed."""
    return find_spec(STEMMER) is not None


def is_english(texts: Iterable[str]) -> bool:
    """Whether texts are English, by the share of its stop words: news pages with all their navigation have 0.2 to 0.4,
    texts in other languages of Latin script below 0.06. What pages declare is too often wrong."""
    words = [word for text in texts for word in _WORDS.findall(text.lower())]
    stopped = sum(word in STOP_WORDS for word in words)
    return stopped > 0 and stopped >= 0.12 * len(words)


@dataclass(frozen=True, slots=True)
class PageTerms:
    """A page's terms by cluster of blocks."""

    hints: Counter[str]  # the terms of the page's titles and descriptions
    blocks: Counter[int]  # the number of blocks of each cluster
    spread: Mapping[int, Counter[str]]  # of each cluster, in how many of its blocks a term stands
    counts: Mapping[int, Counter[str]]  # of each cluster, how often a term stands there in all

    @classmethod
    def of(cls, blocks: Iterable[tuple[int, Counter[str]]], hints: Counter[str]) -> Self:
        """The terms of a page; ``blocks`` are each one's cluster and its counted terms."""
        page = cls(hints, Counter(), defaultdict(Counter), defaultdict(Counter))
        for cluster, terms in blocks:
            page.blocks[cluster] += 1
            page.spread[cluster].update(terms.keys())
            page.counts[cluster].update(terms)
        return page


class ClusterScore(NamedTuple):
    """Of the pages that have a cluster: its mean score where that is above 0, the share where it is, their number."""

    score: float
    confidence: float
    pages: int


def idf_of(pages: Sequence[PageTerms]) -> dict[str, float]:
    """The inverse document frequency of each term; 0 for those that all pages have."""
    having: Counter[str] = Counter()
    for page in pages:
        having.update(page.hints.keys() | set(chain.from_iterable(page.counts.values())))
    return {term: math.log(len(pages) / count) for term, count in having.items()}


def page_scores(page: PageTerms, idf: Mapping[str, float]) -> dict[int, float]:
    """The score of each cluster that a page has: relevance times coherence. The similarity of two blocks is the sum
    over their common terms of both counts times idf. Summed over all ordered pairs of a cluster's blocks, a term that
    stands in m blocks, C times in all, gives 2 (m - 1) C idf; and summed over pairs of a block and the hints, where it
    stands h times, (C + m h) idf."""
    scores = {}
    for cluster, blocks in page.blocks.items():
        spread, counts = page.spread[cluster], page.counts[cluster]
        common = page.hints.keys() & counts.keys()
        relevance = math.fsum((counts[term] + spread[term] * page.hints[term]) * idf[term] for term in common)
        coherence = math.fsum(2 * (spread[term] - 1) * count * idf[term] for term, count in counts.items())
        scores[cluster] = relevance * (coherence if blocks > 1 else 1.0)
    return scores


def cluster_scores(pages: Sequence[PageTerms]) -> dict[int, ClusterScore]:
    """The score of each cluster of a site that scores above 0 on any page."""
    idf = idf_of(pages)
    by_cluster: defaultdict[int, list[float]] = defaultdict(list)
    for page in pages:
        for cluster, score in page_scores(page, idf).items():
            by_cluster[cluster].append(score)
    totals: dict[int, ClusterScore] = {}
    for cluster, scores in sorted(by_cluster.items()):
        if above := [score for score in scores if score > 0]:
            totals[cluster] = ClusterScore(sum(above) / len(above), len(above) / len(scores), len(scores))
    return totals


HINTS = frozenset(f"{prefix}{name}" for prefix in ("", "og:", "twitter:") for name in ("title", "description"))
"""Names of the ``meta`` elements that are read, beside the ``title`` element."""


def page_hints(root: etree._Element) -> list[str]:
    """The titles and descriptions of a page, in order, repeats kept: they count as often as they are given."""
    hints = []
    for element in root.iter("title", "meta"):
        parent = element.getparent()
        # Drawings have titles too.
        if element.tag == "title" and parent is not None and parent.tag in ("head", "html", "body"):
            hints.append(collapse(element.text or ""))
        # Sites mix up the attributes that name a meta element.
        elif HINTS & {element.get(name, "").strip().lower() for name in ("name", "property", "itemprop")}:
            hints.append(collapse(element.get("content", "")))
    return [text for text in hints if text]

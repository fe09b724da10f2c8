"""Which clusters of blocks hold a page's own text: tf-idf against its title and description.

After Zhou & Sun, section 5, and their program. A page is one document. Two texts are similar by the terms
that both have, counted in both and weighed by idf. A cluster's score on a page is its relevance, the similarity of
its blocks to the page's title and description, times its coherence, the similarity of its blocks to each other;
the latter is the program's, the paper doesn't have it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from itertools import chain

import numpy as np
import numpy.typing as npt
from lxml import etree

from scrapy_stemmer.core.text import CJK, collapse

Terms = Callable[[str], Counter[str]]
"""Counts the terms of a text."""

MAX_WORD = 25
"""Longer runs of letters are no words of English."""

MIN_STEM = 3
"""Shorter stems are left out."""

GRAM = 4
"""Characters of an n-gram; shorter words are a term as they are."""

CJK_GRAM = 2
"""The same for kana, Han and Hangul."""

ENGLISH_SHARE = 0.12
"""A text with at least this share of English stop words among its words is English: news pages with all their
navigation have 0.2 to 0.4, texts in other languages of Latin script below 0.06."""

CACHED_WORDS = 1 << 16
"""Words whose terms are remembered: those of a site come back again and again."""

STEMMER = "snowballstemmer"
"""The package that stems, of the extra ``visual``."""

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


def english_terms(stop_words: Collection[str] = STOP_WORDS) -> Terms:
    """Counts the stems of English words, stop words left out: lower-cased runs of a to z, stemmed after Porter.

    :param stop_words: lower-cased.
    :raises ModuleNotFoundError: when no stemmer is installed, see :func:`has_stemmer`.
    """
    stem: Callable[[str], str] = lru_cache(CACHED_WORDS)(import_module(STEMMER).stemmer("porter").stemWord)
    stopped = {stem(word) for word in stop_words}

    def terms(text: str) -> Counter[str]:
        stems = (stem(word) for word in _LETTERS.findall(text.lower()) if len(word) <= MAX_WORD)
        return Counter(found for found in stems if len(found) >= MIN_STEM and found not in stopped)

    return terms


def ngram_terms() -> Terms:
    """Counts the character n-grams of a text's words, which serve as stems in any language."""
    grams = lru_cache(CACHED_WORDS)(_grams)

    def terms(text: str) -> Counter[str]:
        return Counter(chain.from_iterable(map(grams, _RUNS.findall(text.lower()))))

    return terms


def _grams(word: str) -> tuple[str, ...]:
    length = CJK_GRAM if _CJK.match(word) else GRAM
    return tuple(word[start : start + length] for start in range(max(1, len(word) - length + 1)))


def has_stemmer() -> bool:
    """Whether the package that stems English is installed."""
    try:
        import_module(STEMMER)
    except ModuleNotFoundError:
        return False
    return True


def is_english(texts: Iterable[str]) -> bool:
    """Whether texts are English, by the share of its stop words. What pages declare is too often wrong."""
    words = stopped = 0
    for text in texts:
        found = _WORDS.findall(text.lower())
        words += len(found)
        stopped += sum(word in STOP_WORDS for word in found)
    return stopped > 0 and stopped >= ENGLISH_SHARE * words


# Which clusters of blocks hold a page's own text: tf-idf against its title and description.
#
# After Zhou & Sun, section 5, and their program. A page is one document. Two texts are similar by the terms
# that both have, counted in both and weighed by idf. A cluster's score on a page is its relevance, the similarity of
# its blocks to the page's title and description, times its coherence, the similarity of its blocks to each other;
# the latter is the program's, the paper doesn't have it

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


class TermNumbers:
    """Numbers for the terms of a site, in order of their first use."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, counts: Counter[str]) -> tuple[Ints, Ints]:
        """The numbers of counted terms, and their counts."""
        numbers = [self._numbers.setdefault(term, len(self._numbers)) for term in counts]
        return np.array(numbers, np.int32), np.array(list(counts.values()), np.int32)

    def __len__(self) -> int:
        return len(self._numbers)


@dataclass(frozen=True, slots=True, eq=False)
class PageTerms:
    """A page's terms by group of blocks; one entry is a term in a group.

    :param groups: for each entry the group's number.
    :param terms: the term's number.
    :param spread: in how many blocks of the group the term stands.
    :param counts: how often in all.
    :param blocks: the number of blocks of each group.
    :param hint_terms: the terms of the page's titles and descriptions.
    :param hint_counts: how often each stands there.
    """

    groups: Ints
    terms: Ints
    spread: Ints
    counts: Ints
    blocks: Mapping[int, int]
    hint_terms: Ints
    hint_counts: Ints

    @classmethod
    def of(cls, blocks: Iterable[tuple[int, Counter[str]]], hints: Counter[str], numbers: TermNumbers) -> PageTerms:
        """The terms of a page.

        :param blocks: each block's group and its counted terms.
        :param hints: those of its titles and descriptions.
        :param numbers: the site's.
        """
        sizes: Counter[int] = Counter()
        spread: defaultdict[int, Counter[str]] = defaultdict(Counter)
        counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for group, terms in blocks:
            sizes[group] += 1
            spread[group].update(terms.keys())
            counts[group].update(terms)
        found = [(group, numbers.of(counts[group]), spread[group]) for group in counts]
        return cls(
            _joined([np.full(len(terms), group, np.int32) for group, (terms, _), _ in found]),
            _joined([terms for _, (terms, _), _ in found]),
            _joined([np.array([within[term] for term in counts[group]], np.int32) for group, _, within in found]),
            _joined([totals for _, (_, totals), _ in found]),
            dict(sizes),
            *numbers.of(hints),
        )

    def all_terms(self) -> Ints:
        """The numbers of the terms on the page, each once."""
        return np.union1d(self.terms, self.hint_terms)


@dataclass(frozen=True, slots=True)
class ClusterScore:
    """What the pages of a sample say of a cluster.

    :param score: mean of its scores on the pages where that is above 0.
    :param confidence: the share of these pages among those that have the cluster.
    :param pages: the number of pages that have it.
    """

    score: float
    confidence: float
    pages: int


def idf_of(pages: Sequence[PageTerms], terms: int) -> Floats:
    """The inverse document frequency of each term; 0 for those that all pages have.

    :param terms: the number of terms.
    """
    if not pages:
        return np.zeros(terms)
    having = np.zeros(terms)
    for page in pages:
        having[page.all_terms()] += 1
    return np.log(len(pages) / np.maximum(having, 1))


def page_scores(page: PageTerms, cluster_of: Mapping[int, int], idf: Floats) -> dict[int, float]:
    """The score of each cluster that a page has: relevance times coherence.

    :param cluster_of: the cluster of each group.
    """
    sizes: Counter[int] = Counter()
    for group, blocks in page.blocks.items():
        sizes[cluster_of[group]] += blocks
    scores = dict.fromkeys(sizes, 0.0)
    relevance, coherence = _measures(page, cluster_of, idf)
    for cluster, value in relevance.items():
        scores[cluster] = value * (coherence[cluster] if sizes[cluster] > 1 else 1.0)
    return scores


def _measures(
    page: PageTerms, cluster_of: Mapping[int, int], idf: Floats
) -> tuple[Mapping[int, float], Mapping[int, float]]:
    """Relevance and coherence of clusters; those without terms are left out.

    The similarity of two blocks is the sum over their common terms of both counts times idf. Summed over all
    ordered pairs of a cluster's blocks, a term that stands in m blocks, C times in all, gives 2 (m - 1) C idf; and
    summed over pairs of a block and the hints, where it stands h times, (C + m h) idf.
    """
    clusters = np.array([cluster_of[group] for group in page.groups.tolist()], np.int64)
    hints = np.zeros(len(idf))
    hints[page.hint_terms] = page.hint_counts
    keys, place = np.unique(clusters * len(idf) + page.terms, return_inverse=True)
    owners, terms = np.divmod(keys, max(len(idf), 1))
    spread, counts = np.bincount(place, page.spread), np.bincount(place, page.counts)
    weights = idf[terms]
    relevance = np.where(hints[terms] > 0, counts + spread * hints[terms], 0.0) * weights
    coherence = 2 * (spread - 1) * counts * weights
    return _sums(owners, relevance), _sums(owners, coherence)


def cluster_scores(pages: Sequence[PageTerms], cluster_of: Mapping[int, int], terms: int) -> dict[int, ClusterScore]:
    """The score of each cluster of a site that scores above 0 on any page.

    :param cluster_of: the cluster of each group.
    :param terms: the number of the site's terms.
    """
    idf = idf_of(pages, terms)
    found: defaultdict[int, list[float]] = defaultdict(list)
    for page in pages:
        for cluster, score in page_scores(page, cluster_of, idf).items():
            found[cluster].append(score)
    return {cluster: _summary(scores) for cluster, scores in sorted(found.items()) if any(scores)}


def _summary(scores: Sequence[float]) -> ClusterScore:
    above = [score for score in scores if score > 0]
    return ClusterScore(sum(above) / len(above), len(above) / len(scores), len(scores))


def _joined(arrays: Sequence[Ints]) -> Ints:
    return np.concatenate(arrays) if arrays else np.zeros(0, np.int32)


def _sums(owners: npt.NDArray[np.int64], values: Floats) -> dict[int, float]:
    distinct, place = np.unique(owners, return_inverse=True)
    return dict(zip(distinct.tolist(), np.bincount(place, values, len(distinct)).tolist(), strict=True))


HINTS = frozenset(f"{prefix}{name}" for prefix in ("", "og:", "twitter:") for name in ("title", "description"))
"""Names of the ``meta`` elements that are read, beside the ``title`` element."""

NAMED_BY = ("name", "property", "itemprop")
"""Attributes that name a ``meta`` element; sites mix them up."""


def hints_of(root: etree._Element) -> list[str]:
    """The titles and descriptions of a page, in order, repeats kept: they count as often as they are given."""
    found = []
    for element in root.iter("title", "meta"):
        text = _title(element) if element.tag == "title" else _content(element)
        if text:
            found.append(text)
    return found


def _title(element: etree._Element) -> str:
    """The text of the page's title; none for the titles of drawings."""
    parent = element.getparent()
    return collapse(element.text or "") if parent is not None and parent.tag in ("head", "html", "body") else ""


def _content(meta: etree._Element) -> str:
    names = {meta.get(attribute, "").strip().lower() for attribute in NAMED_BY}
    return collapse(meta.get("content", "")) if names & HINTS else ""

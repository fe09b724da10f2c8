"""Texts as counted terms, to be weighed by tf-idf: stemmed words of English, character n-grams of any language.

English after Zhou & Sun, section 5, and their program; n-grams are what they propose for other languages
(section 8.2). Lengths of n-grams after McNamee & Mayfield, "Character N-Gram Tokenization for European Language Text
Retrieval" (2004), and the usual bigrams for scripts that are written without spaces.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from importlib import import_module
from itertools import chain

from scrapy_stemmer.core.text import CJK

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

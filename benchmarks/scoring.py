"""Comparison of stripped texts and titles with the gold, and summaries of pages and sites."""

from __future__ import annotations

import re
import statistics
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

GOOD = 0.9  # a page of this F1 is good: no more than about one word of ten is wrong or missing

GOOD_SITE = 0.95
"""A site of this mean F1 is good. More is asked than of a page, since a mean hides single pages that are lost."""

POOR_SITE = 0.7
"""A site of a lower mean F1 is poor: about three words of ten are wrong or missing, too many for most uses."""

UNSURE = 0.5  # below this confidence a page is, by the pattern's own word, more likely not good than good

IDEOGRAPHS = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Thai, kana, Han, Hangul: most of it is written without spaces between words, so each character is a word."""

WORD = re.compile(rf"[{IDEOGRAPHS}]|[^\W{IDEOGRAPHS}]+")

LETTERS = re.compile(r"\w+")


class Score(NamedTuple):
    """Word-level precision, recall and F1 of a text, from 0 to 1."""

    precision: float
    recall: float
    f1: float


def words(text: str) -> Counter[str]:
    """The words of a text in lower case, with how often each is there."""
    return Counter(WORD.findall(text.lower()))


def score(text: str, gold: str, optional: str = "") -> Score:
    """Return the score of a stripped text against the gold text, as multisets of words; two empty texts are equal.

    :param optional: text that may be there or not: its words beyond the gold text are not counted.
    """
    ours, theirs = words(text), words(gold)
    ours -= (ours - theirs) & words(optional)
    if not ours or not theirs:
        same = float(not ours and not theirs)
        return Score(same, same, same)
    shared = (ours & theirs).total()
    precision, recall = shared / ours.total(), shared / theirs.total()
    return Score(precision, recall, 2 * precision * recall / (precision + recall) if shared else 0.0)


class Segments(NamedTuple):
    """Counts of right, found and expected segments of a text."""

    right: int  # found and expected
    there: int  # found
    wanted: int  # expected

    @property
    def score(self) -> Score:
        """Precision, recall and F1 in segments; 0 where there is nothing."""
        right, there, wanted = self
        return Score(right / max(1, there), right / max(1, wanted), 2 * right / max(1, there + wanted))


def segments_in(extracted: str, wanted: Sequence[str], unwanted: Sequence[str]) -> Segments:
    """The segments of a page that a stripped text has, white space apart."""
    text = " ".join(extracted.split())
    right, wrong = [sum(" ".join(segment.split()) in text for segment in segments) for segments in (wanted, unwanted)]
    return Segments(right, right + wrong, len(wanted))


def normalised_title(title: str) -> str:
    """A title by its letters and digits in lower case, compatibility forms unfolded, the rest a space each."""
    return " ".join(LETTERS.findall(unicodedata.normalize("NFKC", title).lower()))


def same_title(title: str | None, gold: str) -> bool:
    """Return True for two titles equal once normalised."""
    return normalised_title(title or "") == normalised_title(gold)


@dataclass(frozen=True, slots=True)
class PageResult:
    """A page that was stripped and scored."""

    set_name: str  # its set
    site: str
    id: str
    score: Score
    # the page type, if the set has types; likewise its language and the type of its site
    type: str | None = None
    lang: str | None = None
    sort: str | None = None
    title: bool | None = None  # whether the title is right; ``None`` without a gold title
    anchored_title: bool | None = None  # the score with the texts of links to the page
    # how sure the pattern is of the whole page, from 0 to 1; ``None`` where it doesn't say
    confidence: float | None = None
    failed: bool = False  # True if the extractor raised an exception; its text counts as empty
    segments: Segments | None = None  # those of the page, where the set has no gold texts


@dataclass(frozen=True, slots=True)
class Summary:
    """The mean over pages, and how many sites do well."""

    pages: int
    # the mean of the pages' precisions; recall and F1 likewise, all from 0 to 1. Of segments they are those of all
    # pages together
    precision: float
    recall: float
    f1: float
    good: float  # share of pages of at least :data:`GOOD`
    sites: int
    good_sites: float  # share of sites whose mean F1 is at least :data:`GOOD_SITE`
    poor_sites: int  # number of sites whose mean F1 is below :data:`POOR_SITE`
    failed: int  # number of pages on which the extractor failed


def summary(results: Sequence[PageResult]) -> Summary | None:
    """The mean over pages; ``None`` without any."""
    if not results:
        return None
    counted = [result.segments for result in results if result.segments]
    if counted:
        precision, recall, f1 = Segments(*map(sum, zip(*counted, strict=True))).score
    else:
        precision, recall, f1 = (statistics.fmean(result.score[column] for result in results) for column in range(3))
    good = statistics.fmean(result.score.f1 >= GOOD for result in results)
    sites = site_means(results)
    good_sites = statistics.fmean(mean >= GOOD_SITE for mean in sites)
    poor_sites = sum(mean < POOR_SITE for mean in sites)
    failed = sum(result.failed for result in results)
    return Summary(len(results), precision, recall, f1, good, len(sites), good_sites, poor_sites, failed)


def site_means(results: Iterable[PageResult]) -> list[float]:
    """The mean F1 of each site."""
    by_site: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for result in results:
        by_site[result.set_name, result.site].append(result.score.f1)
    return [statistics.fmean(of_site) for of_site in by_site.values()]


BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
"""Bounds of the bins of the reliability table; the last bin holds its upper bound too."""


class Bin(NamedTuple):
    """Pages whose confidence is within bounds."""

    low: float  # the lower bound, which is in the bin
    high: float  # the upper bound, which belongs to the next bin
    pages: int
    confidence: float  # the pages' mean; 0 without any
    good: float  # share of them of at least :data:`GOOD`; 0 without any


def reliability(results: Iterable[PageResult], bounds: Sequence[float] = BINS) -> list[Bin]:
    """Return the pages with a confidence, by bins of confidence."""
    known = [result for result in results if result.confidence is not None]
    return [_bin(known, low, high, high == bounds[-1]) for low, high in pairwise(bounds)]


def sure(results: Iterable[PageResult], least: float = GOOD) -> Bin:
    """The pages with a confidence above a bound, as one bin."""
    return _bin([result for result in results if (result.confidence or 0) > least], least, 1.0, True)


def unsure(results: Iterable[PageResult], most: float = UNSURE) -> Bin:
    """The pages with a confidence below a bound, as one bin."""
    return _bin(results, 0.0, most, False)


def _bin(results: Iterable[PageResult], low: float, high: float, last: bool) -> Bin:
    inside = [
        (result.confidence, result.score.f1 >= GOOD)
        for result in results
        if result.confidence is not None and low <= result.confidence and (result.confidence < high or last)
    ]
    if not inside:
        return Bin(low, high, 0, 0.0, 0.0)
    return Bin(low, high, len(inside), *(statistics.fmean(column) for column in zip(*inside, strict=True)))

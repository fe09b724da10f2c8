"""How a stripped text and title are compared with the gold, and how pages are summed up."""

from __future__ import annotations

import re
import statistics
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

GOOD = 0.9
"""A page of this F1 is good."""

WORD = re.compile(r"\w+")

_UNSPACED = (
    "\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u109f\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
    "\u3005\u3007\u3041-\u309f\u30a1-\u30ff\u31f0-\u31ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"  # Han, narrow kana
)
"""Characters of scripts that are written without spaces between words."""

UNSPACED = re.compile(f"[{_UNSPACED}]")

WORD_OR_CHARACTER = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")


class Score(NamedTuple):
    """Word-level precision, recall and F1 of a text, from 0 to 1."""

    precision: float
    recall: float
    f1: float


def word_pattern(gold: str) -> re.Pattern[str]:
    r"""What counts as a word: ``\w+``, or each character where most of the gold text has no spaces between words."""
    characters = sum(map(len, WORD.findall(gold)))
    unspaced = len(UNSPACED.findall(gold))
    return WORD_OR_CHARACTER if 2 * unspaced > characters else WORD


def score(found: str, gold: str) -> Score:
    """A stripped text against the gold text, as multisets of lower-case words; alike when both are empty."""
    pattern = word_pattern(gold)
    ours, theirs = (Counter(pattern.findall(text.lower())) for text in (found, gold))
    if not ours or not theirs:
        same = float(not ours and not theirs)
        return Score(same, same, same)
    shared = (ours & theirs).total()
    precision, recall = shared / ours.total(), shared / theirs.total()
    return Score(precision, recall, 2 * precision * recall / (precision + recall) if shared else 0.0)


def normalised_title(title: str) -> str:
    """A title by its letters and digits in lower case, compatibility forms unfolded, the rest a space each."""
    return " ".join(WORD.findall(unicodedata.normalize("NFKC", title).lower()))


def same_title(found: str | None, gold: str) -> bool:
    """Whether two titles are equal once normalised."""
    return normalised_title(found or "") == normalised_title(gold)


@dataclass(frozen=True, slots=True)
class PageResult:
    """A page that was stripped and scored.

    :param set_name: its set.
    :param kind: the sort of page, where the set says so.
    :param title: whether the title is right; ``None`` without a gold title.
    :param anchored_title: the same when the texts of links to the page were given with it.
    :param confidence: how sure the pattern is of the whole page, from 0 to 1; ``None`` where it doesn't say.
    :param failed: whether the extractor raised an exception; its text counts as empty.
    """

    set_name: str
    site: str
    id: str
    score: Score
    kind: str | None = None
    title: bool | None = None
    anchored_title: bool | None = None
    confidence: float | None = None
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """The mean over pages.

    :param precision: the mean of the pages' precisions; recall and F1 likewise, all from 0 to 1.
    :param good: share of pages of at least :data:`GOOD`.
    :param failed: number of pages on which the extractor failed.
    """

    pages: int
    precision: float
    recall: float
    f1: float
    good: float
    failed: int = 0


def summary(results: Sequence[PageResult]) -> Summary | None:
    """The mean over pages; ``None`` without any."""
    if not results:
        return None
    precision, recall, f1 = (statistics.fmean(result.score[column] for result in results) for column in range(3))
    good = statistics.fmean(result.score.f1 >= GOOD for result in results)
    return Summary(len(results), precision, recall, f1, good, sum(result.failed for result in results))


BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
"""Bounds of the bins of the reliability table; the last bin holds its upper bound too."""


class Bin(NamedTuple):
    """Pages whose confidence is within bounds.

    :param low: the lower bound, which is in the bin.
    :param high: the upper bound, which is in the next one.
    :param confidence: the pages' mean; 0 without any.
    :param good: share of them of at least :data:`GOOD`; 0 without any.
    """

    low: float
    high: float
    pages: int
    confidence: float
    good: float


def reliability(results: Iterable[PageResult], bounds: Sequence[float] = BINS) -> list[Bin]:
    """The pages that have a confidence, by bins of it."""
    known = [result for result in results if result.confidence is not None]
    return [_bin(known, low, high, high == bounds[-1]) for low, high in pairwise(bounds)]


def sure(results: Iterable[PageResult], least: float = GOOD) -> Bin:
    """The pages with a confidence above a bound, as one bin."""
    return _bin([result for result in results if (result.confidence or 0) > least], least, 1.0, True)


def _bin(results: Iterable[PageResult], low: float, high: float, last: bool) -> Bin:
    inside = [
        (result.confidence, result.score.f1 >= GOOD)
        for result in results
        if result.confidence is not None and low <= result.confidence and (result.confidence < high or last)
    ]
    if not inside:
        return Bin(low, high, 0, 0.0, 0.0)
    return Bin(low, high, len(inside), *(statistics.fmean(column) for column in zip(*inside, strict=True)))

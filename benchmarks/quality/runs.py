"""Runs over one set: a learner by the protocol, a peer page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Protocol

from rapidfuzz import fuzz

from benchmarks.folds import FIVE, Fold, brand_of, learner_for, with_fold
from benchmarks.peers import Extract, attempt
from benchmarks.protocol import Split, curve_splits, splits
from benchmarks.scoring import PageResult, same_title, score, segments_in
from benchmarks.sets import GoldPage, PageSet, as_pages, parsed
from scrapy_stemmer import Page, PatternSet, learn, strip
from scrapy_stemmer.learners.base import Learner, Teacher
from scrapy_stemmer.patternset import EMPTY

Splitter = Callable[[int], Iterable[Split]]  # from the number of a site's pages to its splits


class Run(Protocol):
    """A run of a learner over a set; only the split of its sites is open."""

    def __call__(self, *, splitter: Splitter) -> list[PageResult]:
        """The results of the pages that are tested."""


def run_learner(page_set: PageSet, learner: str | Learner, splitter: Splitter = splits) -> list[PageResult]:
    """Return a learner's results on a set, site by site."""
    return [
        result
        for golds in page_set.sites.values()
        for result in _run_site(page_set.name, golds, learner, list(splitter(len(golds))))
    ]


def _run_site(
    set_name: str, golds: Sequence[GoldPage], learner: str | Learner, chosen: Sequence[Split]
) -> Iterator[PageResult]:
    pages = as_pages(golds) if chosen else []
    for split in chosen:
        patterns = learn([pages[number] for number in split.learned], learner=learner)
        for number in split.tested:
            yield stripped_result(set_name, golds[number], pages[number], patterns)


def stripped_result(set_name: str, gold: GoldPage, page: Page, patterns: PatternSet) -> PageResult:
    """Return the score of a stripped page.

    The page is stripped without the texts of links to it, as in a crawl. Pages without a pattern of the learner have no
    text here, as the text would be the scorer's.
    """
    stripped = patterns.strip(replace(page, anchors=()))
    if stripped.pattern is None:
        stripped = EMPTY
    title = anchored = None
    if gold.title:
        title = anchored = same_title(stripped.title, gold.title)
        if page.anchors:
            by_links = patterns.strip(page)
            anchored = same_title(by_links.title if by_links.pattern is not None else None, gold.title)
    confidence = getattr(stripped, "confidence", None)
    scored = _scored(set_name, gold, stripped.text)
    return replace(scored, title=title, anchored_title=anchored, confidence=confidence)


def _scored(set_name: str, gold: GoldPage, text: str) -> PageResult:
    segments = segments_in(text, gold.wanted, gold.unwanted) if gold.wanted else None
    scored = segments.score if segments else score(text, gold.text, gold.optional)
    return PageResult(set_name, gold.site, gold.id, scored, gold.type, gold.lang, gold.sort, segments=segments)


def run_fold(
    page_set: PageSet, fold: Fold, splitter: Splitter = splits, teacher: Teacher | None = None
) -> list[PageResult]:
    """Return the default learner's results on a set's sites of a fold, with weights trained without the fold."""
    learner = learner_for(fold)
    return run_learner(of_fold(page_set, fold), learner.taught_by(teacher) if teacher else learner, splitter)


def of_fold(page_set: PageSet, fold: Fold) -> PageSet:
    """The pages of a set's sites of a fold."""
    inside = (pages for pages in page_set.sites.values() if fold.holds(brand_of(pages)))
    return PageSet(page_set.name, tuple(chain.from_iterable(inside)))


def run_folds(page_set: PageSet, splitter: Splitter = splits) -> list[PageResult]:
    """Return the default learner's results on a set, each site with weights trained without its fold."""
    return [result for fold in FIVE for result in run_fold(page_set, fold, splitter)]


def run_alone(page_set: PageSet, fold: Fold | None = None) -> list[PageResult]:
    """Return the results of each page of a set, stripped alone.

    :param fold: take the sites of this fold, with a scorer trained without the fold; ``None`` stands for all sites,
        and the scorer of the package.
    """
    scorer = with_fold(fold) if fold else None
    inside = of_fold(page_set, fold) if fold else page_set
    pairs = ((gold, strip(Page(gold.url, gold.html), scorer=scorer)) for gold in inside.pages)
    return [
        replace(_scored(page_set.name, gold, stripped.text), confidence=stripped.confidence) for gold, stripped in pairs
    ]


def run_curve(run: Run, size: int) -> list[PageResult]:
    """Return the results of a run with ``size`` learned pages of each site; see :func:`curve_splits`."""
    return run(splitter=partial(curve_splits, size=size))


def run_peer(page_set: PageSet, extract: Extract) -> list[PageResult]:
    """Return a peer's results on all pages of a set."""
    return [_peer_result(page_set.name, gold, extract) for gold in page_set.pages]


def _peer_result(set_name: str, gold: GoldPage, extract: Extract) -> PageResult:
    text, failed = attempt(extract, gold.html, gold.url)
    return replace(_scored(set_name, gold, text), failed=failed)


def of_same_pages(results: Iterable[PageResult], others: Iterable[PageResult]) -> list[PageResult]:
    """Return ``results`` on the pages of ``others``."""
    known = {(other.site, other.id) for other in others}
    return [result for result in results if (result.site, result.id) in known]


# Titles by one rule


def first_heading(gold: GoldPage) -> str | None:
    """The text of the first ``h1``."""
    return next(iter(_headings(gold)), None)


def likest_heading(gold: GoldPage) -> str | None:
    """Return the ``h1`` most similar to the title in the head; without any, this title."""
    root = parsed(gold.html)
    named = root.xpath("//meta[@property='og:title']/@content") or root.xpath("//head/title/text()")
    name = str(named[0]) if named else ""
    return max(_headings(gold), key=lambda heading: fuzz.ratio(heading, name), default=name)


def _headings(gold: GoldPage) -> list[str]:
    texts = (" ".join(str(heading.text_content()).split()) for heading in parsed(gold.html).iter("h1"))
    return [text for text in texts if text]

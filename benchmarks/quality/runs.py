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

Splitter = Callable[[int], Iterable[Split]]  # from the number of a site's pages to what is learned and tested of it


class Run(Protocol):
    """A run of one learner over one set, with nothing left to say but how its sites are split."""

    def __call__(self, *, splitter: Splitter) -> list[PageResult]:
        """The results of the pages that are tested."""


def run_learner(page_set: PageSet, learner: str | Learner, splitter: Splitter = splits) -> list[PageResult]:
    """What a learner makes of a set, site by site."""
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
    """A page stripped and scored. It is stripped without the texts of the links to it, as in a crawl.

    What no pattern of the learner's fits has no text here: else learners would be given the text of the scorer.
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
    """What the default learner makes of a set's sites of a fold, with weights that were trained without them."""
    learner = learner_for(fold)
    return run_learner(of_fold(page_set, fold), learner.taught_by(teacher) if teacher else learner, splitter)


def of_fold(page_set: PageSet, fold: Fold) -> PageSet:
    """The pages of a set's sites of a fold."""
    inside = (pages for pages in page_set.sites.values() if fold.holds(brand_of(pages)))
    return PageSet(page_set.name, tuple(chain.from_iterable(inside)))


def run_folds(page_set: PageSet, splitter: Splitter = splits) -> list[PageResult]:
    """What the default learner makes of a set, each site with weights that were trained without its fold."""
    return [result for fold in FIVE for result in run_fold(page_set, fold, splitter)]


def run_alone(page_set: PageSet, fold: Fold | None = None) -> list[PageResult]:
    """What comes of each page of a set when it is stripped alone.

    :param fold: take the sites of this fold, with a scorer that was trained without it; ``None`` stands for all sites,
        and the scorer of the package.
    """
    scorer = with_fold(fold) if fold else None
    inside = of_fold(page_set, fold) if fold else page_set
    pairs = ((gold, strip(Page(gold.url, gold.html), scorer=scorer)) for gold in inside.pages)
    return [
        replace(_scored(page_set.name, gold, stripped.text), confidence=stripped.confidence) for gold, stripped in pairs
    ]


def run_curve(run: Run, size: int) -> list[PageResult]:
    """What comes of a run when ``size`` pages of each site are learned; see :func:`curve_splits`."""
    return run(splitter=partial(curve_splits, size=size))


def run_peer(page_set: PageSet, extract: Extract) -> list[PageResult]:
    """What a peer makes of all pages of a set."""
    return [_peer_result(page_set.name, gold, extract) for gold in page_set.pages]


def _peer_result(set_name: str, gold: GoldPage, extract: Extract) -> PageResult:
    text, failed = attempt(extract, gold.html, gold.url)
    return replace(_scored(set_name, gold, text), failed=failed)


def of_same_pages(results: Iterable[PageResult], others: Iterable[PageResult]) -> list[PageResult]:
    """Those of ``results`` that are of the pages of ``others``."""
    known = {(other.site, other.id) for other in others}
    return [result for result in results if (result.site, result.id) in known]


# Titles by one rule


def first_heading(gold: GoldPage) -> str | None:
    """The text of the first ``h1``."""
    return next(iter(_headings(gold)), None)


def likest_heading(gold: GoldPage) -> str | None:
    """The text of the ``h1`` that is most like what the head calls the page; without any, that."""
    root = parsed(gold.html)
    named = root.xpath("//meta[@property='og:title']/@content") or root.xpath("//head/title/text()")
    name = str(named[0]) if named else ""
    return max(_headings(gold), key=lambda heading: fuzz.ratio(heading, name), default=name)


def _headings(gold: GoldPage) -> list[str]:
    texts = (" ".join(str(heading.text_content()).split()) for heading in parsed(gold.html).iter("h1"))
    return [text for text in texts if text]

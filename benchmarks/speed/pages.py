"""Times a page: learning, stripping and the peers, each beside a bare parse of the page.

Each work takes turns with a parse of its own. Among many works both would find the processor's caches full of earlier
work, which takes small pages twice as long.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrapy.http import HtmlResponse

from benchmarks.peers import Extract, attempt
from benchmarks.progress import say
from benchmarks.protocol import splits
from benchmarks.sets import GoldPage, PageSet, as_pages, parsed
from benchmarks.speed.clock import MOST_REPEATS, REPEATS, Work, best_times
from scrapy_stemmer import Page, PatternSet, Stripped, learn, strip
from scrapy_stemmer.page.document import OwnPage
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.settings import RESULT_FIELDS

PARSE = "bare lxml parse"
STRIP = "strip, parse included"
STRIP_COLD = "strip, parse included, pattern just loaded"
STRIP_PARSED = "strip, given Scrapy's parsed response"
STRIP_PARSED_COLD = "strip, given Scrapy's parsed response, pattern just loaded"
STRIP_NEXT = "strip, given Scrapy's parsed response, page after page"
STRIP_ALL = "with sub text, HTML and all flags, parse included"
STRIP_ALONE = "strip a page alone, parse included"
OURS = (STRIP, STRIP_COLD, STRIP_PARSED, STRIP_PARSED_COLD, STRIP_NEXT, STRIP_ALL, STRIP_ALONE)

SAMPLE_SIZES = (20, 10)  # pages learned of a site for the time of learning: the first count that the site has, else all


MAX_PAGES = 60  # pages of a set that are stripped, unless said otherwise


@dataclass(frozen=True, slots=True)
class SetTimes:
    """Times of one set."""

    name: str
    pages: int  # pages that were timed
    size: float  # their median size in characters
    parse: float  # the median time of a bare parse, in seconds
    ratios: Mapping[str, float]  # of each work, the median over pages of its time relative to parsing
    learn: float  # the median over sites of the time to learn a sample relative to parsing
    sample: float  # the median size of these samples
    patterns: tuple[PatternSet, ...]  # what was learned, a site each


def time_set(page_set: PageSet, learner: str, peers: Mapping[str, Extract], max_pages: int = MAX_PAGES) -> SetTimes:
    """Return all times of a set.

    :param max_pages: about so many pages are stripped, equally many of each site; the learned pages stay.
    """
    share = max(1, round(max_pages / len(page_set.sites)))
    pages: list[PageTimes] = []
    samples: list[tuple[int, float]] = []
    patterns: list[PatternSet] = []
    for site, golds in page_set.sites.items():
        say(f"{page_set.name}: {site}")
        samples.append(time_learning(as_pages(golds), learner))
        for learned, tested in _learned(golds, learner):
            patterns.append(learned)
            timed = tested[:share]
            pages += map(_together, time_pages(timed, learned, peers), time_row(timed, learned))
    return SetTimes(
        page_set.name,
        len(pages),
        statistics.median(len(gold.html) for gold in page_set.pages),
        statistics.median(page.parse for page in pages),
        _medians(pages),
        statistics.median(ratio for _, ratio in samples),
        statistics.median(size for size, _ in samples),
        tuple(patterns),
    )


@dataclass(frozen=True, slots=True)
class PageTimes:
    """Times of a page."""

    parse: float  # the time of a bare parse, in seconds
    ratios: Mapping[str, float]  # of each work, its time relative to the parse in turn


def _together(first: PageTimes, second: PageTimes) -> PageTimes:
    return PageTimes(min(first.parse, second.parse), {**first.ratios, **second.ratios})


def _medians(pages: Sequence[PageTimes]) -> dict[str, float]:
    return {name: statistics.median(page.ratios[name] for page in pages) for name in pages[0].ratios}


def time_pages(golds: Iterable[GoldPage], patterns: PatternSet, peers: Mapping[str, Extract]) -> Iterator[PageTimes]:
    """Time all works on each page, several times in turn."""
    for gold in golds:
        bare, ratios, parses = _bare(gold), {}, []
        for name, work in works_of(gold, patterns, peers).items():
            times = best_times({PARSE: bare, name: work}, most=MOST_REPEATS)
            parses.append(times[PARSE])
            ratios[name] = times[name] / times[PARSE]
        yield PageTimes(min(parses), ratios)


def time_row(golds: Sequence[GoldPage], patterns: PatternSet) -> Iterator[PageTimes]:
    """Time the stripping of each page as in a crawl: each response once, just parsed, then the next response."""
    works = [{PARSE: _bare(gold), STRIP_NEXT: _strip_given(gold, lambda: patterns)} for gold in golds]
    rows = [[best_times(of_page, repeats=1) for of_page in works] for _ in range(REPEATS)]
    for times in zip(*rows, strict=True):
        best = {name: min(round_[name] for round_ in times) for name in times[0]}
        yield PageTimes(best[PARSE], {STRIP_NEXT: best[STRIP_NEXT] / best[PARSE]})


def _learned(golds: Sequence[GoldPage], learner: str) -> Iterator[tuple[PatternSet, list[GoldPage]]]:
    """Return the first split of the protocol, with all unlearned pages, or at least the page left out."""
    pages = as_pages(golds)
    split = next(iter(splits(len(golds))))
    yield learn([pages[number] for number in split.learned], learner), [golds[number] for number in split.tested]


def works_of(gold: GoldPage, patterns: PatternSet, peers: Mapping[str, Extract]) -> dict[str, Work]:
    """Return the timed works on a page. A warm pattern has stripped a page before."""
    whole = Page(gold.url, gold.html)
    text = codec.dumps(patterns.patterns)

    def loaded() -> PatternSet:
        return PatternSet(codec.loads(text))

    return {
        STRIP: Work(lambda _: patterns.strip(whole).text),
        STRIP_COLD: Work(lambda fresh: fresh.strip(whole).text, loaded),
        STRIP_PARSED: _strip_given(gold, lambda: patterns),
        STRIP_PARSED_COLD: _strip_given(gold, loaded),
        STRIP_ALL: Work(lambda _: _written(patterns.strip(whole))),
        STRIP_ALONE: Work(lambda _: strip(whole).text),
        **{name: _peer_work(extract, gold) for name, extract in peers.items()},
    }


def _written(stripped: Stripped) -> list[Any]:
    return [getattr(stripped, name) for name in RESULT_FIELDS if name != "markdown"]


def _strip_given(gold: GoldPage, patterns: Callable[[], PatternSet]) -> Work:
    """Strip a response just parsed by Scrapy, as in a crawl.

    :param patterns: returns the patterns to strip by.
    """

    def prepare() -> tuple[PatternSet, Page]:
        return patterns(), OwnPage(gold.url, _root(gold))

    return Work(lambda pair: pair[0].strip(pair[1]).text, prepare)


def _root(gold: GoldPage) -> Any:
    """The tree of a page's response, as Scrapy parses it."""
    return HtmlResponse(gold.url, body=gold.html.encode(), encoding="utf-8").selector.root


def _bare(gold: GoldPage) -> Work:
    return Work(lambda _: parsed(gold.html))


def _peer_work(extract: Extract, gold: GoldPage) -> Work:
    return Work(lambda _: attempt(extract, gold.html, gold.url))


def time_learning(pages: Sequence[Page], learner: str) -> tuple[int, float]:
    """Return the size of a site's sample, and the time to learn the sample relative to parsing."""
    size = next((size for size in SAMPLE_SIZES if len(pages) >= size), len(pages))
    sample = list(pages[:size])
    times = best_times(
        {
            PARSE: Work(lambda _: [parsed(str(page.html)) for page in sample]),
            "learn": Work(lambda _: learn(sample, learner)),
        },
        most=MOST_REPEATS,
    )
    return size, times["learn"] / times[PARSE]


def all_patterns(times: Iterable[SetTimes]) -> list[Any]:
    """Return all learned patterns."""
    return [pattern for times_of in times for learned in times_of.patterns for pattern in learned.patterns]

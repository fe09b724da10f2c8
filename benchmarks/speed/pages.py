"""Times a page: learning, stripping and the peers, beside a bare parse of the same page."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrapy.http import HtmlResponse

from benchmarks.peers import Extract, attempt
from benchmarks.progress import say
from benchmarks.protocol import splits
from benchmarks.sets import GoldPage, PageSet, as_pages, parsed
from benchmarks.speed.clock import Work, best_times
from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.patterns import codec

PARSE = "bare lxml parse"
STRIP = "strip, parse included"
STRIP_COLD = "strip, parse included, pattern just loaded"
STRIP_PARSED = "strip, given Scrapy's parsed response"
STRIP_PARSED_COLD = "strip, given Scrapy's parsed response, pattern just loaded"
OURS = (STRIP, STRIP_COLD, STRIP_PARSED, STRIP_PARSED_COLD)

SAMPLE_SIZES = (20, 10)
"""Pages learned of a site for the time of learning: the first of these that it has, else all."""


MAX_PAGES = 60
"""Pages of a set that are stripped, unless said otherwise."""


@dataclass(frozen=True, slots=True)
class SetTimes:
    """Times of one set.

    :param pages: pages that were timed.
    :param size: their median size in characters.
    :param parse: the median time of a bare parse, in seconds.
    :param ratios: of each work, the median over pages of its time by that of the parse of the same page.
    :param learn: the median over sites of the time to learn a sample by that of parsing it.
    :param sample: the median size of these samples.
    :param patterns: what was learned, a site each.
    """

    name: str
    pages: int
    size: float
    parse: float
    ratios: Mapping[str, float]
    learn: float
    sample: float
    patterns: tuple[PatternSet, ...]


def time_set(page_set: PageSet, learner: str, peers: Mapping[str, Extract], max_pages: int = MAX_PAGES) -> SetTimes:
    """All times of a set.

    :param max_pages: about so many pages are stripped, as many of each site; it does not change what is learned.
    """
    share = max(1, round(max_pages / len(page_set.sites)))
    pages: list[dict[str, float]] = []
    samples: list[tuple[int, float]] = []
    patterns: list[PatternSet] = []
    for site, golds in page_set.sites.items():
        say(f"{page_set.name}: {site}")
        samples.append(time_learning(as_pages(golds), learner))
        for found, tested in _learned(golds, learner):
            patterns.append(found)
            pages += [best_times(works_of(gold, found, peers)) for gold in tested[:share]]
    return SetTimes(
        page_set.name,
        len(pages),
        statistics.median(len(gold.html) for gold in page_set.pages),
        statistics.median(page[PARSE] for page in pages),
        _medians(pages),
        statistics.median(ratio for _, ratio in samples),
        statistics.median(size for size, _ in samples),
        tuple(patterns),
    )


def _medians(pages: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = [name for name in pages[0] if name != PARSE]
    return {name: statistics.median(page[name] / page[PARSE] for page in pages) for name in names}


def _learned(golds: Sequence[GoldPage], learner: str) -> Iterator[tuple[PatternSet, list[GoldPage]]]:
    """The first split of the protocol, with all its pages that were not learned, or at least the one left out."""
    pages = as_pages(golds)
    split = next(iter(splits(len(golds))))
    yield learn([pages[number] for number in split.learned], learner), [golds[number] for number in split.tested]


def works_of(gold: GoldPage, patterns: PatternSet, peers: Mapping[str, Extract]) -> dict[str, Work]:
    """What is timed on a page. The pattern is warm when it has stripped another page before."""
    root = HtmlResponse(gold.url, body=gold.html.encode(), encoding="utf-8").selector.root
    whole, given = Page(gold.url, gold.html), Page(gold.url, root)
    text = codec.dumps(patterns.patterns)

    def loaded() -> PatternSet:
        return PatternSet(codec.loads(text))

    return {
        PARSE: Work(lambda _: parsed(gold.html)),
        STRIP: Work(lambda _: patterns.strip(whole).text),
        STRIP_COLD: Work(lambda fresh: fresh.strip(whole).text, loaded),
        STRIP_PARSED: Work(lambda _: patterns.strip(given).text),
        STRIP_PARSED_COLD: Work(lambda fresh: fresh.strip(given).text, loaded),
        **{name: _peer_work(extract, gold) for name, extract in peers.items()},
    }


def _peer_work(extract: Extract, gold: GoldPage) -> Work:
    return Work(lambda _: attempt(extract, gold.html, gold.url))


def time_learning(pages: Sequence[Page], learner: str) -> tuple[int, float]:
    """The size of a site's sample, and the time to learn it by that of parsing it."""
    size = next((size for size in SAMPLE_SIZES if len(pages) >= size), len(pages))
    sample = list(pages[:size])
    times = best_times(
        {
            PARSE: Work(lambda _: [parsed(str(page.html)) for page in sample]),
            "learn": Work(lambda _: learn(sample, learner)),
        }
    )
    return size, times["learn"] / times[PARSE]


def all_patterns(times: Iterable[SetTimes]) -> list[Any]:
    """All patterns that were learned."""
    return [pattern for each in times for found in each.patterns for pattern in found.patterns]

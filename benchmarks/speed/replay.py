"""Crawls of real pages at their own addresses, answered by a proxy: CPU time with the extension and without it."""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from benchmarks.progress import say
from benchmarks.sets import GoldPage, PageSet, as_pages
from benchmarks.speed.crawls import PLAIN, STRIPPING, Crawls, serving
from benchmarks.speed.server import ADDRESSES
from scrapy_stemmer import PatternSet, learn

NO_LINKS = r"\Anone\Z"  # links that no page has: they are read and not followed
LEARNED_PAGES = 20  # most pages learned of a site
REPLAYED_PAGES = 300  # most pages of a set that are crawled: whole sites, in turn


@dataclass(frozen=True, slots=True)
class Replay:
    """Crawls of the pages of a set."""

    name: str
    pages: int
    plain: float  # CPU seconds a page of the crawl without the extension, the median over rounds
    ratio: float  # of the crawl without the extension to one that strips, by CPU time; the median over rounds


def replayed(page_set: PageSet, learner: str, work: Path, rounds: int) -> Replay:
    """Return the figures of a set whose sites are known.

    :param work: a folder for files.
    """
    chosen = page_set.capped(REPLAYED_PAGES)
    golds = [gold for pages in zip_longest(*chosen.sites.values()) for gold in pages if gold is not None]
    work.mkdir(parents=True)
    urls = write_pages(golds, work / "pages")
    with serving(work / "pages", 1) as (proxy,):
        crawls = Crawls(urls, NO_LINKS, work, learner, proxy=proxy)
        _learned(chosen, learner).save(crawls.known)
        computed: defaultdict[str, list[float]] = defaultdict(list)
        for number in range(rounds):
            for mode in (PLAIN, STRIPPING):
                figures = crawls.run(mode)
                computed[mode].append(figures["computed"] / figures["items"])
                took = 1000 * computed[mode][-1]
                say(f"{page_set.name} replayed, {number + 1} of {rounds}, {mode}: {took:.2f} ms of a core a page")
    pairs = zip(computed[PLAIN], computed[STRIPPING], strict=True)
    ratio = statistics.median(plain / stripping for plain, stripping in pairs)
    return Replay(page_set.name, len(urls), statistics.median(computed[PLAIN]), ratio)


def write_pages(golds: Sequence[GoldPage], folder: Path) -> list[str]:
    """Write the pages and a list of their addresses for the server; return the addresses, all with ``http:``."""
    folder.mkdir(parents=True)
    names: dict[str, str] = {}
    for number, gold in enumerate(golds):
        address = f"http:{gold.url.partition(':')[2].partition('#')[0]}"
        if address not in names:
            names[address] = f"/{number}.html"
            (folder / f"{number}.html").write_text(gold.html, encoding="utf-8", errors="replace")
    (folder / ADDRESSES).write_text(json.dumps(names), encoding="utf-8")
    return list(names)


def _learned(page_set: PageSet, learner: str) -> PatternSet:
    samples = (as_pages(site)[:LEARNED_PAGES] for site in page_set.sites.values())
    return PatternSet(pattern for sample in samples for pattern in learn(sample, learner).patterns)

"""Growth of computing time with the size of hostile pages: ``python -m tests.soak.growth [NAME...]``.

Each construct is made small and large, and each output of it timed, without the time that libxml2 takes to parse it.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from scrapy_stemmer import Page, PatternSet, learn, strip
from scrapy_stemmer.page.document import parse, root_of
from scrapy_stemmer.patterns.base import StripOptions
from scrapy_stemmer.report.documents import ReportOptions, read_samples, site_documents
from scrapy_stemmer.report.figures import SiteFigures
from tests.soak.hostile import CONSTRUCTS

SMALL, LARGE = 20_000, 400_000
"""Characters of a small and a large page."""

MOST_GROWTH = 25
"""Highest ratio of the times of a large page and a small page of a twentieth of the characters."""

SOON = 0.02
"""Seconds below which a large page is not suspicious."""

SLOWER = {
    "classes": "the names of a small page fit into a cache, those of a large one take 0.2 s a MB",
    "segments": "2,000 segments are moved at most: 0.1 s",
    "buttons around text": "1,900 buttons in each other, as deep as libxml2 reads: 0.06 s",
}
"""Constructs whose time grows faster up to a bound, and the bound."""

LEARNED_PAGES = 3
"""Pages of a site that is learned."""

PARSES = {
    **dict.fromkeys(("parse", "text", "sub_text", "blocks", "html", "markdown", "fields"), 0),
    **dict.fromkeys(("read", "strip", "report"), 1),
    "learn": LEARNED_PAGES,
}
"""Timed outputs, with the parses in each; ``parse`` is one of libxml2 alone, ``read`` one as browsers show the page."""

REPORT = ReportOptions("p.jsonl", Path(), StripOptions(), "utf-8", is_online=True, key="")


def tasks(html: str, *, is_learned: bool) -> Mapping[str, Callable[[], object]]:
    """Return a call for each output of a page, and of a site of similar pages."""
    pages = [Page(f"https://hostile.example/{n}", html.replace("ext", f"ext {n}")) for n in range(LEARNED_PAGES)]
    found = strip(pages[0])
    calls: dict[str, Callable[[], object]] = {
        "parse": lambda: parse(html),
        "read": lambda: root_of(pages[0]),
        "strip": lambda: strip(pages[0]),
        "blocks": lambda: list(found.blocks),
    }
    for name in ("text", "sub_text", "html", "markdown", "fields"):
        calls[name] = lambda name=name: getattr(found, name)  # type: ignore[misc]
    if is_learned:
        patterns = learn(pages)
        calls |= {"learn": lambda: learn(pages), "report": lambda: reported(patterns, pages[0])}
    return calls


def reported(patterns: PatternSet, page: Page) -> list[tuple[str, str]]:
    """Return the documents of a report on a page."""
    samples = read_samples(patterns.patterns, [page], REPORT, [])
    names = tuple(pattern.name for pattern in patterns.patterns)
    site = SiteFigures(tuple(sample.figures for sample in samples), None, page.site, (*names, None))
    return list(site_documents(site, patterns.patterns, samples, REPORT))


def seconds_of(html: str, times: int, *, is_learned: bool) -> dict[str, float]:
    """Return the least seconds of computing of each output, timed so often, without the parses in each."""
    least: dict[str, float] = {}
    for _ in range(times):
        for name, task in tasks(html, is_learned=is_learned).items():
            gc.disable()  # collections take their time from whoever allocates next
            try:
                started = time.thread_time()
                task()
                taken = time.thread_time() - started
            finally:
                gc.enable()
            least[name] = min(taken, least.get(name, taken))
    return {name: max(taken - PARSES[name] * least["parse"], SOON / MOST_GROWTH) for name, taken in least.items()}


class Growth(NamedTuple):
    """Growth of an output of a construct, in seconds of computing."""

    name: str
    output: str
    small: float
    large: float

    @property
    def is_bad(self) -> bool:
        """Return True above the bound, except for short times, which say nothing, and for the parser's own growth."""
        return self.output != "parse" and self.large > SOON and self.large > MOST_GROWTH * self.small

    def __str__(self) -> str:
        small, large = 1e3 * self.small, 1e3 * self.large
        return f"{self.name:32} {self.output:9} {small:8.1f} ms {large:9.1f} ms {large / small:6.1f}"


def growth(name: str, sizes: tuple[int, int] = (SMALL, LARGE), times: int = 1, *, is_learned: bool) -> list[Growth]:
    """Return the growth of each output of a construct, each timed so often; small pages twice as often."""
    small, large = (
        seconds_of(CONSTRUCTS[name](size), often, is_learned=is_learned)
        for size, often in zip(sizes, (2 * times, times), strict=True)
    )
    return [Growth(name, output, small[output], large[output]) for output in small]


def grown(name: str, sizes: tuple[int, int] = (SMALL, LARGE), *, is_learned: bool = True) -> list[Growth]:
    """Return the growths of a construct above the bound, each time that they are timed."""
    found: dict[str, Growth] = {}
    for times in (1, 2, 4):
        timed = growth(name, sizes, times, is_learned=is_learned)
        found = {each.output: each for each in timed if each.is_bad and (times == 1 or each.output in found)}
        if not found:
            break
    return [*found.values()]


def main(*names: str) -> int:
    """Print the growths above the bound; return 1 if there are any without a reason."""
    bad = 0
    for name in names or CONSTRUCTS:
        for each in grown(name, is_learned=not name.endswith((" open", " empty"))):
            print(each, SLOWER.get(name, ""), flush=True)
            bad += name not in SLOWER
    print(f"{len(names or CONSTRUCTS)} constructs; {bad} outputs grow faster than the page")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

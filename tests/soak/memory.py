"""The memory to strip pages with hashed or hostile class names: ``python -m tests.soak.memory``.

Styles named by a build tool (``card_1f0c2a``) are new on each page, so there is always more to remember.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

from scrapy_stemmer import Page, PatternSet, learn

BLOCKS = 100
"""Of each page."""

HASHED = "<div class='card_{0:08x} box'><p class='t_{1:06x}'>A few words of page {2} for all who read them.</p></div>"

HOSTILE = "<div class='{0:02000x} {1:0300x} n{0:x} m{1:x}' id='{0:0500x}'><p class=p{1:x}>Words of page {2}.</p></div>"


class Case(NamedTuple):
    """Pages of some sites.

    :param name: the kind of pages.
    :param block: format of each block; gets two numbers and the page's.
    :param sites: the number of sites.
    :param pages: the number for each site.
    """

    name: str
    block: str
    sites: int
    pages: int


CASES = (
    Case("hostile names", HOSTILE, 1, 200),
    Case("hashed names", HASHED, 1, 200),
    Case("hashed names", HASHED, 100, 200),
    Case("hashed names", HASHED, 5_000, 20),
    Case("hashed names", HASHED, 20_000, 5),
)


def html(block: str, number: int) -> str:
    random = Random(number)
    blocks = "".join(block.format(random.getrandbits(32), random.getrandbits(24), number) for _ in range(BLOCKS))
    return f"<body><nav class=menu>Home News</nav><main class=story>{blocks}</main>"


def taken(case: Case, path: str) -> tuple[int, int]:
    """Return the most bytes taken by stripping the pages of a case, and the bytes of the pattern file.

    :param path: of a new pattern file.
    """
    base = learn([Page(f"http://site0.example/{number}", html(case.block, number)) for number in range(6)])
    names = [f"site{number}.example" for number in range(case.sites)]
    PatternSet([replace(pattern, site=name) for name in names for pattern in base.patterns]).save(path)
    patterns = PatternSet.load(path)
    before = _peak()
    # Site by site, the memory of earlier sites could be freed; in turn all sites want some.
    for turn in range(case.pages):
        for number, name in enumerate(names):
            found = patterns.strip(Page(f"http://{name}/{turn}", html(case.block, turn * case.sites + number + 6)))
            assert "ords of page" in found.text
    return _peak() - before, Path(path).stat().st_size


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measured(case: Case, folder: str) -> tuple[int, int]:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(taken, (case, str(Path(folder, "patterns.jsonl"))))


def main(cases: Sequence[Case] = CASES) -> int:
    """Print a table."""
    print("| pages | sites | pages of each | memory | pattern file |\n|---|--:|--:|--:|--:|")
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            memory, size = measured(case, folder)
        print(
            f"| {case.name} | {case.sites:,} | {case.pages} | {memory / 1e6:.0f} MB | {size / 1e6:.1f} MB |", flush=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

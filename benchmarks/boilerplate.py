#!/usr/bin/env python3
"""Exactness of ``dom_hash`` and ``shingle`` on boilerplate: the tables of algorithms §3 and §4, measured again.

    python benchmarks/boilerplate.py                                  # ../shared/data/portals.jsonl.gz
    python benchmarks/boilerplate.py ../shared/data/news.jsonl.gz --min-words 1

A set is a gzip file of JSON lines with ``site``, ``url``, ``html`` and the gold main ``text``. For each site, the
templates are learned from all its pages, without labels, and looked for on these pages, as for the tables.
Every word of a page's body is boilerplate by gold unless an alignment of the page's words with the words of the gold
text (longest common subsequence) matches it. Precision is the share of boilerplate by gold among the words in
templates, recall the share of boilerplate in templates, both over all words of a site. Figures of the design are given
if the set has a site of the design. Times are of both passes, after parsing.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from lxml import etree
from rapidfuzz.distance import LCSseq

from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.learners.literature.repetition.learner import (
    IGNORED_ATTRIBUTES,
    MIN_HASH_PAGES,
    DomHashOptions,
    ShingleOptions,
)
from scrapy_stemmer.learners.literature.repetition.pattern import (
    covered,
    fragment_hashes,
    subtrees_of,
    template_nodes,
    text_runs_of,
)
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.page.text import tokens, visible

DATA = Path("../shared/data/portals.jsonl.gz")

Flags = npt.NDArray[np.bool_]  # for each word of a page True for boilerplate
Threshold = Callable[[int], int]  # from the number of pages of a site to the number that something must be on


class Score(NamedTuple):
    """Precision and recall of "is boilerplate", from 0 to 1."""

    precision: float
    recall: float


@dataclass(frozen=True, eq=False)
class Labelled:
    """The words of a page, and flags for boilerplate found by a system."""

    words: list[str]
    flags: Flags


THRESHOLDS: Mapping[str, Threshold] = {
    ">= 2 pages": lambda pages: 2,
    ">= 3 pages": lambda pages: 3,
    ">= 30 %": lambda pages: max(2, math.ceil(0.3 * pages)),
    ">= 50 %": lambda pages: max(2, math.ceil(0.5 * pages)),
}

DESIGN: Mapping[str, Mapping[str, Sequence[Score]]] = {
    "bbc": {
        "dom_hash": (Score(0.991, 0.649), Score(0.992, 0.592), Score(0.992, 0.575), Score(0.992, 0.564)),
        "shingle": (Score(0.992, 0.578),),
    },
    "msnbc": {
        "dom_hash": (Score(0.990, 0.892), Score(0.996, 0.856), Score(0.999, 0.689), Score(0.999, 0.517)),
        "shingle": (Score(0.997, 0.854),),
    },
}
"""The figures of algorithms §3 and §4, by a part of the site's name; those of two more sites are not in the set."""


def on_pages(pages: Iterable[set[int]], least: int) -> set[int]:
    """The hashes that at least ``least`` pages have."""
    return {hash_ for hash_, count in Counter(chain.from_iterable(pages)).items() if count >= least}


def dom_hash(roots: Sequence[etree._Element], least: int, min_words: int) -> list[Labelled]:
    """The words of pages within subtrees that at least ``least`` pages have."""
    pages = [subtrees_of(root, IGNORED_ATTRIBUTES).nodes for root in roots]
    hashes = [{node.hash for node in nodes if node.words >= min_words or node.links} for nodes in pages]
    returning = on_pages(hashes, least)
    labelled = []
    for nodes in pages:
        inside = frozenset(text_runs_of(nodes, template_nodes(nodes, returning)))
        runs = [(tokens(node.text), index in inside) for index, node in enumerate(nodes) if node.text]
        flags = [flag for words, flag in runs for _ in words]
        labelled.append(Labelled([word for words, _ in runs for word in words], np.array(flags, dtype=np.bool_)))
    return labelled


def shingle(roots: Sequence[etree._Element], least: int, width: int) -> list[Labelled]:
    """The words of pages within fragments that at least ``least`` pages have."""
    pages = [[word for block in BlockOptions().blocks_of(root) for word in tokens(block.text)] for root in roots]
    hashes = [fragment_hashes(words, width).tolist() for words in pages]
    returning = on_pages(map(set, hashes), least)
    return [
        Labelled(words, covered([hash_ in returning for hash_ in of_page], width, len(words)))
        for words, of_page in zip(pages, hashes, strict=True)
    ]


def gold_flags(words: Sequence[str], gold: Sequence[str]) -> Flags:
    """Return flags for the boilerplate of a page by its gold text: words without a partner in an alignment."""
    numbers = {word: number for number, word in enumerate(dict.fromkeys([*words, *gold]))}
    flags = np.ones(len(words), dtype=np.bool_)
    matched = LCSseq.opcodes([numbers[word] for word in words], [numbers[word] for word in gold])
    for step in matched:
        if step.tag == "equal":
            flags[step.src_start : step.src_end] = False
    return flags


def score(pages: Sequence[Labelled], golds: Sequence[str]) -> Score:
    """Precision and recall over all words of the pages; 1 where there is nothing to be right about."""
    right = flagged = wanted = 0
    for page, gold in zip(pages, golds, strict=True):
        truth = gold_flags(page.words, tokens(gold))
        right += int((page.flags & truth).sum())
        flagged += int(page.flags.sum())
        wanted += int(truth.sum())
    return Score(right / flagged if flagged else 1.0, right / wanted if wanted else 1.0)


def body_of(html: str) -> etree._Element:
    """A page's tree without its head."""
    root = parse(html)
    for head in root.findall("head"):
        root.remove(head)
    return root


def design_of(site: str, system: str) -> Sequence[Score]:
    """The design's figures for a site, empty when it has none."""
    return next((table[system] for name, table in DESIGN.items() if name in site), ())


def report(site: str, rows: Sequence[Mapping[str, str]], min_words: int, width: int) -> None:
    """Print a site's rows of both tables."""
    roots, golds = [body_of(row["html"]) for row in rows], [row["text"] for row in rows]
    for column, (name, least) in enumerate(THRESHOLDS.items()):
        begin = time.process_time()
        pages = dom_hash(roots, least(len(roots)), min_words)
        _print(site, len(roots), "dom_hash", name, time.process_time() - begin, score(pages, golds), column)
    begin = time.process_time()
    pages = shingle(roots, MIN_HASH_PAGES, width)
    seconds = time.process_time() - begin
    _print(site, len(roots), "shingle", f"W={width} F={MIN_HASH_PAGES}", seconds, score(pages, golds), 0)


def _print(site: str, pages: int, system: str, name: str, seconds: float, score: Score, column: int) -> None:
    design = design_of(site, system)
    beside = f"{design[column].precision:.3f}/{design[column].recall:.3f}" if column < len(design) else "-"
    measured = f"{score.precision:.3f}/{score.recall:.3f}"
    milliseconds = 1000 * seconds / pages
    row = f"| {site} ({pages}) | {system} | {name} | {measured} | {beside} | {milliseconds:.1f} |"
    print(visible(row), flush=True)


def load(path: Path) -> dict[str, list[dict[str, str]]]:
    """The pages of a set by site."""
    sites: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            sites[row["site"]].append(row)
    return sites


def main() -> None:
    """Print both tables."""
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(description=summary)
    parser.add_argument("path", nargs="?", type=Path, default=DATA, help=f"a set of pages; default {DATA}")
    parser.add_argument("--min-words", type=int, default=DomHashOptions().min_words, help="of a subtree")
    parser.add_argument("--width", type=int, default=ShingleOptions().width, help="words of a fragment")
    options = parser.parse_args()
    if not options.path.exists():
        parser.error(f"there is no {options.path}; name a set of pages, see the top of this file")
    print("| site (pages) | system | threshold | measured P/R | design P/R | ms a page |")
    print("|---|---|---|---|---|---|")
    for site, rows in sorted(load(options.path).items()):
        report(site, rows, options.min_words, options.width)


if __name__ == "__main__":
    main()

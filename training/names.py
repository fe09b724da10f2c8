"""Words of names and their worth: ``python -m training.names`` prints the share of page text in elements with each
name.

A word belongs to :data:`scrapy_stemmer.learners.rules.site.hints.ROLLS` if its share is low on all sites with the word.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.sets import SHARED
from benchmarks.tables import percent, table
from scrapy_stemmer.learners.rules.site.columns import Signature
from scrapy_stemmer.learners.rules.site.hints import MIN_STEM, ROLLS
from scrapy_stemmer.learners.rules.site.paths import names_of
from training.pages import LabelledPage, Site, read_sites

PAGES = 6  # of a site, at most
MOST = 0.6  # names of elements with more of a page's text say nothing of a part of it


class Inside(NamedTuple):
    """The text of a site in elements with a word in their names."""

    share: float  # its share of the pages' text
    wanted: float  # share of page text


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each word."""
    command = argparse.ArgumentParser(prog="python -m training.names", description=__doc__)
    command.add_argument("words", nargs="*", help="words; default: those of `ROLLS`")
    command.add_argument("--data", type=Path, default=SHARED, help="folder of sets; default: ../shared/data")
    options = command.parse_args(arguments)
    words = options.words or " ".join(ROLLS.values()).split()
    sys.stdout.write(worth_table(words, read_sites(options.data)))
    return 0


def worth_table(words: Iterable[str], sites: Iterable[Site]) -> str:
    """Return a table of words, the words of most text first, without unused words."""
    found: dict[str, list[Inside]] = {word: [] for word in words}
    for site in sites:
        for word, inside in insides_of(site, found).items():
            found[word].append(inside)
    known = {word: insides for word, insides in found.items() if insides}
    rows = []
    for word, insides in sorted(known.items(), key=lambda each: -sum(inside.share for inside in each[1])):
        shares, wanted = [sum(values) / len(insides) for values in zip(*insides, strict=True)]
        rows.append([word, str(len(insides)), percent(shares, 1), percent(wanted, 1)])
    return table(["word", "sites", "% of their text", "of it wanted, %"], rows)


def insides_of(site: Site, words: Iterable[str]) -> Mapping[str, Inside]:
    """Return for each word of a site's names the text in elements with these names."""
    signatures = having(site.signatures, words)
    found: defaultdict[str, list[Inside]] = defaultdict(list)
    for page in site.pages[:PAGES]:
        for word, numbers in signatures.items():
            found[word] += inside_of(page, numbers)
    return {
        word: Inside(*(sum(values) / len(insides) for values in zip(*insides, strict=True)))
        for word, insides in found.items()
        if insides
    }


def having(signatures: Sequence[Signature], words: Iterable[str]) -> dict[str, set[int]]:
    """Return for each word the numbers of the signatures with such names, where there are any."""
    found = {}
    for word in words:
        numbers = {
            number
            for number, signature in enumerate(signatures)
            if any(has_word(name[1:], word) for name in names_of(signature))
        }
        if numbers:
            found[word] = numbers
    return found


def has_word(name: str, word: str) -> bool:
    """Return True if a name has a word; long words count inside longer words, too."""
    parts = re.findall("[a-z]+", name.lower())
    return word in "".join(parts) if len(word) >= MIN_STEM else word in parts


def inside_of(page: LabelledPage, signatures: set[int]) -> Iterator[Inside]:
    """Yield the text of a page in elements of some signatures, if there is any and it is but a part of the page."""
    columns, total = page.read.columns, sum(page.read.columns.lengths)
    is_inside: list[bool] = []
    for parent, signature in zip(columns.parents, columns.signatures, strict=True):
        is_inside.append(signature in signatures or (parent >= 0 and is_inside[parent]))
    length = wanted = 0.0
    for element, own, is_wanted in zip(columns.elements, columns.lengths, page.labels.wanted.tolist(), strict=True):
        length += own * is_inside[element]
        wanted += own * is_inside[element] * is_wanted
    if 0 < length <= MOST * total:
        yield Inside(length / total, wanted / length)


if __name__ == "__main__":
    sys.exit(main())

"""Evidence from a teacher's texts of a few sample pages, generalized to the blocks of all pages.

Each text is aligned with its page's blocks. Its weight depends on the teacher's agreement with the scorer on sure
blocks; by path it becomes evidence on further pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from rapidfuzz.distance import LCSseq

from scrapy_stemmer.learners.rules.returning.arrays import Flags, Floats, Ints
from scrapy_stemmer.learners.rules.site.reading import SamplePage
from scrapy_stemmer.page.text import tokens

WEIGHT = 0.5  # of the teacher beside the scorer, chosen by folds of sites for good and poor teachers
SURE_ODDS = 2.0  # log-odds, either way, of blocks that test the teacher
KEEPS = 0.8  # prior share of text that a teacher keeps
DROPS = 0.9  # prior share of boilerplate that a teacher drops
PRIOR = 0.2  # weight of these priors, in pages
MAX_EVIDENCE = 3.0  # cap of the evidence, in log-odds
ONCE = 0.5  # evidence from n pages has the weight ``n / (n + ONCE)``
MAX_ASKED = 200_000  # characters of pages and answers; time grows with the square


def taught_odds(
    ask: Callable[[SamplePage], str | None],
    most: int,
    pages: Sequence[SamplePage],
    path: Ints,
    length: Floats,
    odds: Floats,
) -> Floats:
    page = np.repeat(np.arange(len(pages)), [len(each.columns.texts) for each in pages])
    left = np.bincount(path, length / (1 + np.exp(np.abs(odds))))
    sizes = [sum(map(len, each.columns.texts)) for each in pages]
    paths = {number: np.unique(path[page == number]) for number, size in enumerate(sizes) if size <= MAX_ASKED}
    answers: dict[int, Flags] = {}
    while paths and most > 0:
        # Ask about the page with most doubtful text on paths without answers.
        number = max(paths, key=lambda number: (left[paths[number]].sum(), -number))
        here = paths.pop(number)
        text = ask(pages[number])
        if text is None:
            continue
        most -= 1
        left[here] = 0.0
        if len(text) <= MAX_ASKED and (given := tokens(text)):
            answers[number] = shares_in(list(map(tokens, pages[number].columns.texts)), given) >= MIN_SHARE
    return WEIGHT * evidence(path, page, length, odds, answers) if answers else np.zeros(len(path))


def evidence(path: Ints, page: Ints, length: Floats, odds: Floats, answers: Mapping[int, Flags]) -> Floats:
    """Return the evidence on each block, by the teacher's decisions on the blocks of some pages."""
    size = int(path.max()) + 1
    asked = np.isin(page, list(answers))
    keeps = np.zeros(len(path), bool)
    times = np.zeros(size)
    share = length / np.bincount(page, length)[page]
    for number, flags in answers.items():
        keeps[page == number] = flags
        times[np.unique(path[page == number])] += 1

    def rate(which: Flags, hits: Flags, usual: float) -> float:
        return float((share[which & hits].sum() + PRIOR * usual) / (share[which].sum() + PRIOR))

    keeps_text = rate(asked & (odds > SURE_ODDS), keeps, KEEPS)
    drops_other = rate(asked & (odds < -SURE_ODDS), ~keeps, DROPS)
    kept, dropped = np.log(keeps_text / (1 - drops_other)), np.log((1 - keeps_text) / drops_other)
    word = np.clip(np.where(keeps, kept, dropped), -MAX_EVIDENCE, MAX_EVIDENCE) * asked
    total = np.bincount(path, length * asked, minlength=size)
    by_path = np.bincount(path, word * length, minlength=size) / np.maximum(total, 1.0)
    found: Floats = (by_path * times / (times + ONCE))[path]
    return found


# Alignment of a text with a page's blocks

MIN_SHARE = 0.5  # share of a text block's words in the text
RUN = 3  # words of a run
RUNS_FROM = 6  # words of a block that may be found by its runs
RUNS_FOUND = 0.8  # share of its runs in the text
SHORT_WORDS = 3  # words of a short block, which any text may contain by chance
NEAR_WORDS = 30  # distance in words to the text around a short block


def shares_in(blocks: Sequence[Sequence[str]], text: Sequence[str]) -> Floats:
    numbers: dict[str, int] = {}
    page = [numbers.setdefault(word, len(numbers)) for block in blocks for word in block]
    wanted = [numbers.setdefault(word, len(numbers)) for word in text]
    # By word of the page, its place in the longest common subsequence; -1 without one.
    place = [-1] * len(page)
    for step in LCSseq.opcodes(page, wanted) if page and wanted else ():
        if step.tag == "equal":
            place[step.src_start : step.src_end] = range(step.dest_start, step.dest_end)
    at = {gold: number for number, gold in enumerate(place) if gold >= 0}
    # Runs outside the matched blocks: text that a page repeats is wanted once.
    runs_of_text = (range(start, start + RUN) for start in range(len(wanted) - RUN + 1))
    left = {tuple(wanted[run.start : run.stop]) for run in runs_of_text if not at.keys() >= set(run)}
    shares = []
    end = 0
    for block in blocks:
        begin, end = end, end + len(block)
        hits = [gold for gold in place[begin:end] if gold >= 0]
        if len(block) <= SHORT_WORDS and 0 < len(hits) < len(wanted):
            # Words of a menu may fill gaps of the subsequence. A short block is text only as one run, with its
            # neighbours nearby.
            before, after = at.get(hits[0] - 1, -NEAR_WORDS - 1), at.get(hits[-1] + 1, len(page) + NEAR_WORDS)
            is_run = len(block) == len(hits) == hits[-1] - hits[0] + 1
            if not is_run or (begin - before > NEAR_WORDS and after - end >= NEAR_WORDS):
                hits = []
        share = len(hits) / max(len(block), 1)
        if share < MIN_SHARE and len(block) >= RUNS_FROM:
            # The text may have the words elsewhere.
            runs = [tuple(page[start : start + RUN]) for start in range(begin, end - RUN + 1)]
            found = sum(run in left for run in runs) / len(runs)
            share = found if found >= RUNS_FOUND else share
        shares.append(share)
    return np.array(shares, np.float64)

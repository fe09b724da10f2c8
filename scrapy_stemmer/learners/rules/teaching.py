"""What a teacher says of a few pages of a sample, weighed as evidence on the blocks of all of them.

The teacher's text of a page is aligned with the page's blocks, which tells of each whether the teacher keeps it. What
that counts goes by how often the teacher agrees with the scorer where that is sure; on the pages that it was not asked
about, its evidence goes by path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from rapidfuzz.distance import LCSseq

from scrapy_stemmer.learners.rules.features import Flags, Floats, Ints
from scrapy_stemmer.learners.rules.sample_pages import SamplePage
from scrapy_stemmer.page.text import tokens

WEIGHT = 0.5  # of the teacher's evidence beside the scorer's; chosen by folds of sites, for good and poor teachers
SURE_ODDS = 2.0  # the scorer is sure of blocks whose log-odds are further from 0: by these the teacher is judged
KEEPS = 0.8  # share of the text that a teacher who is unknown keeps
DROPS = 0.9  # share of the rest that such a teacher drops
PRIOR = 0.2  # these two count as much as this share of a page
MAX_EVIDENCE = 3.0  # log-odds that the word of a teacher is worth, at most
ONCE = 0.5  # evidence from one page counts ``1 / (1 + ONCE)``, from two ``2 / (2 + ONCE)``
MAX_ASKED = 200_000  # of pages that are not asked about, and of answers that are too long: time grows with the square


def taught_odds(
    ask: Callable[[SamplePage], str | None],
    most: int,
    pages: Sequence[SamplePage],
    path: Ints,
    length: Floats,
    odds: Floats,
) -> Floats:
    """For each block of the pages of a sample the log-odds that a teacher adds.

    :param ask: gives the text of a page; ``None`` when it is not known, "" when the teacher has failed.
    :param most: answers that are wanted, at most; ``None`` is no answer.
    :param path: for each block its path; ``length``, and the scorer's log-odds: ``odds``.
    """
    page = np.repeat(np.arange(len(pages)), [len(each.columns.texts) for each in pages])
    left = np.bincount(path, length / (1 + np.exp(np.abs(odds))))
    sizes = [sum(map(len, each.columns.texts)) for each in pages]
    paths = {number: np.unique(path[page == number]) for number, size in enumerate(sizes) if size <= MAX_ASKED}
    said: dict[int, Flags] = {}
    while paths and most > 0:
        # The page with most text that the scorer is in doubt of, on paths of which the teacher has said nothing.
        number = max(paths, key=lambda number: (left[paths[number]].sum(), -number))
        here = paths.pop(number)
        text = ask(pages[number])
        if text is None:
            continue
        most -= 1
        left[here] = 0.0
        if len(text) <= MAX_ASKED and (given := tokens(text)):
            said[number] = shares_in(list(map(tokens, pages[number].columns.texts)), given) >= MIN_SHARE
    return WEIGHT * evidence(path, page, length, odds, said) if said else np.zeros(len(path))


def evidence(path: Ints, page: Ints, length: Floats, odds: Floats, said: Mapping[int, Flags]) -> Floats:
    """For each block the log-odds of what a teacher has said of some pages: by number, whether it keeps each block of
    them."""
    size = int(path.max()) + 1
    asked = np.isin(page, list(said))
    keeps = np.zeros(len(path), bool)
    times = np.zeros(size)
    share = length / np.bincount(page, length)[page]
    for number, flags in said.items():
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


# Which blocks of a page are in a text of it

MIN_SHARE = 0.5  # a block is text when at least this share of its words is
RUN = 3  # words of a run
RUNS_FROM = 6  # blocks of at least this many words are text too
RUNS_FOUND = 0.8  # when this share of their runs is
SHORT_WORDS = 3  # this many words or fewer are found in any text by chance
NEAR_WORDS = 30  # the text must go on within this many words of them


def shares_in(blocks: Sequence[Sequence[str]], text: Sequence[str]) -> Floats:
    """For each block of a page the share of its words that is in a text of the page, of which the words are given."""
    numbers: dict[str, int] = {}
    page = [numbers.setdefault(word, len(numbers)) for block in blocks for word in block]
    wanted = [numbers.setdefault(word, len(numbers)) for word in text]
    # For each word of the page its place in the text, in the longest sequence that both share; -1 for others.
    place = [-1] * len(page)
    for step in LCSseq.opcodes(page, wanted) if page and wanted else ():
        if step.tag == "equal":
            place[step.src_start : step.src_end] = range(step.dest_start, step.dest_end)
    at = {gold: number for number, gold in enumerate(place) if gold >= 0}
    # The runs of the text that no block has in order: what stands twice on a page is wanted once.
    runs_of_text = (range(start, start + RUN) for start in range(len(wanted) - RUN + 1))
    left = {tuple(wanted[run.start : run.stop]) for run in runs_of_text if not at.keys() >= set(run)}
    shares = []
    end = 0
    for block in blocks:
        begin, end = end, end + len(block)
        hits = [gold for gold in place[begin:end] if gold >= 0]
        if len(block) <= SHORT_WORDS and 0 < len(hits) < len(wanted):
            # Words of a menu may be in the sequence for want of a better place: a short block is text where it is one
            # run of the text, and the words beside that stand near the block too.
            before, after = at.get(hits[0] - 1, -NEAR_WORDS - 1), at.get(hits[-1] + 1, len(page) + NEAR_WORDS)
            is_run = len(block) == len(hits) == hits[-1] - hits[0] + 1
            if not is_run or (begin - before > NEAR_WORDS and after - end >= NEAR_WORDS):
                hits = []
        share = len(hits) / max(len(block), 1)
        if share < MIN_SHARE and len(block) >= RUNS_FROM:
            # Its words may be in the text, but at another place.
            runs = [tuple(page[start : start + RUN]) for start in range(begin, end - RUN + 1)]
            found = sum(run in left for run in runs) / len(runs)
            share = found if found >= RUNS_FOUND else share
        shares.append(share)
    return np.array(shares, np.float64)

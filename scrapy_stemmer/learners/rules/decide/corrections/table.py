"""Decisions on blocks without a rule, and the corrections in order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from scrapy_stemmer.learners.rules.decide.corrections.dropped import (
    MIN_DOUBLE,
    boxes,
    comments,
    consent,
    is_of_code,
    notices,
    numbers_of_lines,
    pulled,
    related,
    repeated,
    reviews,
)
from scrapy_stemmer.learners.rules.decide.corrections.hidden import hidden
from scrapy_stemmer.learners.rules.decide.corrections.regained import captions, leads
from scrapy_stemmer.learners.rules.decide.corrections.view import SCORER, View
from scrapy_stemmer.learners.rules.decide.scorer import Scorer, cut_of, scored
from scrapy_stemmer.page.shown import Source

MAX_UNDECIDED = 0.1  # share of undecided text up to which the nearest rule decides
MIN_KEPT = 0.02  # share of text kept by rules below which the scorer decides on the whole page
MIN_CONTESTED = 0.02  # share of contested text among the text kept by rules, at least
MAX_OVERRULED = 0.3  # share of the text kept by rules that the scorer may drop, at most
MIN_REGAINED = 40  # characters for the scorer to keep against the rules, at least
MOSTLY_SCORED = 0.9  # share of text scored above which the cut is for the highest F1
KEPT_ODDS = 2.0  # log-odds of text kept without a score: a probability of .88
DROPPED_ODDS = -2.0  # log-odds of text dropped without a score: .12
ASIDE_ODDS = -5.0  # greatest log-odds of consent and of a product's reviews: .007

LIMITS = MIN_KEPT, MAX_UNDECIDED, MIN_DOUBLE
"""Limits from which :meth:`Verdicts.are_final` wants a closer look: shares of kept and of undecided text, and
characters of repeated text."""


class Decider(IntEnum):
    """Deciders on blocks where no rule decides; rules have numbers from 0."""

    SCORER = SCORER
    SCRIPT = -2
    DOUBLES = -3
    GUTTERS = -4
    RETURNING = -5
    NEIGHBOURS = -6
    OVERRULED = -7  # by the scorer, where the sample contradicts a rule
    HIDDEN = -8


class Where(IntEnum):
    """Pages to which a correction applies."""

    ALL = 0
    OPEN = 1  # pages with text left open by rules
    SCORED = 2  # pages with a block decided by the scorer
    WHOLLY_SCORED = 3  # pages with nearly all text decided by the scorer


class Correction(NamedTuple):
    """A correction: found blocks are decided again, except for blocks decided by hand."""

    where: Where
    find: Callable[[View], Iterable[int]]
    decider: Decider
    odds: float


CORRECTIONS = (
    Correction(Where.WHOLLY_SCORED, comments, Decider.NEIGHBOURS, DROPPED_ODDS),
    Correction(Where.WHOLLY_SCORED, leads, Decider.NEIGHBOURS, KEPT_ODDS),
    Correction(Where.ALL, related, Decider.NEIGHBOURS, DROPPED_ODDS),
    Correction(Where.ALL, hidden, Decider.HIDDEN, DROPPED_ODDS),
    Correction(Where.SCORED, boxes, Decider.NEIGHBOURS, DROPPED_ODDS),
    Correction(Where.WHOLLY_SCORED, notices, Decider.NEIGHBOURS, DROPPED_ODDS),
    Correction(Where.OPEN, captions, Decider.NEIGHBOURS, KEPT_ODDS),
    Correction(Where.ALL, pulled, Decider.DOUBLES, DROPPED_ODDS),
    Correction(Where.OPEN, repeated, Decider.DOUBLES, DROPPED_ODDS),
    Correction(Where.OPEN, numbers_of_lines, Decider.GUTTERS, DROPPED_ODDS),
)
"""Corrections in order."""


def correct(view: View, *, is_open: bool) -> None:
    """Correct decisions by rare evidence.

    :param is_open: False for a page whose rules decide on all text.
    """
    text = view.verdicts.decided(Decider.SCORER)
    reached = Where.ALL if not is_open else Where.OPEN if text < 0 else Where.SCORED
    if reached is Where.SCORED and _is_wholly_scored(view):
        reached = Where.WHOLLY_SCORED
    for where, find, decider, odds in CORRECTIONS:
        if where <= reached:
            _set(view, find(view), decider, odds)


def _set(view: View, blocks: Iterable[int], decider: Decider, odds: float) -> None:
    """Decide again on blocks, except by hand: as text for log-odds above 0."""
    for block in list(blocks):
        if view.verdicts.by_of(block) not in view.site.users:
            view.verdicts.set(block, odds > 0, odds, decider)


def _is_wholly_scored(view: View) -> bool:
    return view.verdicts.decided(Decider.SCORER) > MOSTLY_SCORED * view.verdicts.total


def contested_blocks(view: View) -> list[int]:
    """Return the blocks on paths where the scorer may overrule rules."""
    return view.verdicts.contested(MIN_REGAINED, MIN_CONTESTED)


def decide(view: View, contested: Sequence[int], least: float, scorer: Scorer | None) -> None:
    """Decide by the scorer on undecided paths with much text. Text of a script is kept.

    :param contested: blocks on paths where the scorer may overrule rules.
    :param least: least probability of text for kept blocks.
    """
    verdicts = view.verdicts
    if view.page.shown.source is Source.SCRIPT:
        _set(view, range(len(view.lengths)), Decider.SCRIPT, KEPT_ODDS)
    else:
        open_ = _open_blocks(view)
        blocks = [*open_, *set(contested).difference(open_)]
        found = scored(view.page, blocks, scorer) if blocks else ()
        _overrule(view, dict(zip(blocks[len(open_) :], found[len(open_) :], strict=True)))
        for block, odds in zip(open_, found, strict=False):
            verdicts.set(block, False, odds, Decider.SCORER)
        odds_of = verdicts.odds if open_ else ()
        for block in {*consent(view), *reviews(view)} if open_ else ():
            if view.is_scored(block):
                verdicts.set(block, False, min(odds_of[block], ASIDE_ODDS), Decider.SCORER)
    # Lower on doubtful pages decided by the scorer.
    cut = cut_of(verdicts.odds, view.lengths) if _is_wholly_scored(view) else 0.5
    verdicts.cut(least * cut / 0.5)


def _overrule(view: View, scores: Mapping[int, float]) -> None:
    """Decide against the rules where log-odds contradict a rule by enough.

    A scorer that would drop much of a page misjudges the page, and a few regained letters are no content. A dropped
    list is regained as a whole: each entry has at least the mean log-odds of the list's path.
    """
    lengths, verdicts = view.lengths, view.verdicts
    found: dict[int, float] = {}
    dropped, kept, by_path = list[int](), list[int](), defaultdict[int, list[int]](list)
    for at in scores:
        by_path[view.columns.path_of(at)].append(at)
    for path, blocks in by_path.items():
        level = view.site.of_path[path].level
        mean = sum([scores[at] * lengths[at] for at in blocks]) / sum([lengths[at] for at in blocks])
        found.update((at, max(scores[at], mean) if level > 0 else scores[at]) for at in blocks)
        dropped += [at for at in blocks if level < 0 and found[at] < level]
        kept += [at for at in blocks if level > 0 and found[at] > level]
    if sum([lengths[block] for block in dropped]) > MAX_OVERRULED * verdicts.sure:
        dropped = []
    if sum([lengths[block] for block in kept]) < MIN_REGAINED:
        kept = []
    for block in (*dropped, *kept):
        if verdicts.by_of(block) not in view.site.users:
            verdicts.set(block, False, found[block], Decider.OVERRULED)


def _open_blocks(view: View) -> list[int]:
    """Return the blocks left to the scorer."""
    site, verdicts = view.site, view.verdicts
    unsure = verdicts.unsure
    if verdicts.sure < MIN_KEPT * verdicts.total:
        # Hardly anything is kept: the page differs from all learned pages.
        open_ = [block for block, number in enumerate(verdicts.by) if number not in site.users]
        unsure = sum([view.lengths[block] for block in open_])
    else:
        open_ = verdicts.undecided() if unsure else []
    if open_ and unsure <= MAX_UNDECIDED * verdicts.total:
        # On pages with little text, only dropped code is corrected: a few lines may be the whole content.
        odds = verdicts.odds
        return [block for block in open_ if odds[block] < 0 and is_of_code(view, block)]
    return open_

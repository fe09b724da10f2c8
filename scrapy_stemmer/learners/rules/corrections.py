"""Corrections of decisions on blocks of a page: by the scorer, products, neighbours, tables, doubles, line numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import compress, count
from math import inf
from typing import TYPE_CHECKING

from scrapy_stemmer.learners.rules.asides import (
    behind_text,
    is_forum,
    reviews_in,
    within,
)
from scrapy_stemmer.learners.rules.cards import MIN_CARDS, cards_of, is_collection, texts_in_cards
from scrapy_stemmer.learners.rules.doubles import MIN_DOUBLE, doubles
from scrapy_stemmer.learners.rules.entries import MAX_BESIDE, names_alone, names_of_entries
from scrapy_stemmer.learners.rules.leads import LEAST_LEAD, leads_in
from scrapy_stemmer.learners.rules.mending import MIN_ITEM, MORE_BEGINS, Mending, leads_on_in
from scrapy_stemmer.learners.rules.products import may_be_bought, says_product
from scrapy_stemmer.learners.rules.scorer import Scorer, cut_of, scored
from scrapy_stemmer.learners.rules.site import IN_CODE, PlacedPage
from scrapy_stemmer.learners.rules.title import PageTitles
from scrapy_stemmer.learners.rules.traits import CAPTION, CELL, COMMENTS, CONSENT, has_trait
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.shown import Source
from scrapy_stemmer.writing.code import MAX_DIGITS, gutters_in

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import Verdicts

MAX_UNDECIDED = 0.1  # share of undecided text up to which the nearest rule decides
MIN_KEPT = 0.02  # share of text kept by rules below which the scorer decides on the whole page
MOSTLY_SCORED = 0.9  # share of text scored above which the cut is for the highest F1
SCRIPT_ODDS = 2.0  # log-odds of text found in a script alone: a probability of .88
DOUBLE_ODDS = -2.0  # log-odds of text for a second screen, and of line numbers of code: .12
ASIDE_ODDS = -5.0  # log-odds of consent and of a product's reviews: .007
LEAST_BESIDE_CONSENT, MIN_BESIDE_CONSENT = -4.0, 600  # log-odds of text beside consent, and its characters
MIN_ABOUT = 100  # characters of a product's page outside links and reviews
LEAST_NAME = -2.0  # log-odds below which the name of an entry stays dropped

LIMITS = MIN_KEPT, MAX_UNDECIDED, MIN_ITEM, MORE_BEGINS, MIN_DOUBLE
"""Limits from which :meth:`Verdicts.are_final` wants a closer look: shares of kept and of undecided text, characters
outside links of a line with a label, beginnings of labels, and characters of repeated text."""


class Decider(IntEnum):
    """Deciders on blocks where no rule decides; rules have numbers from 0."""

    SCORER = -1
    SCRIPT = -2
    DOUBLES = -3
    GUTTERS = -4
    RETURNING = -5
    PRODUCT = -6
    NEIGHBOURS = -7


class Corrections:
    """Decisions on a page where rules do not decide, and corrections by evidence that most pages lack."""

    def __init__(self, page: PlacedPage, verdicts: Verdicts, prices: Sequence[int]) -> None:
        """Take a page, the decisions of its rules, and the numbers of its prices, empty for an article."""
        self._page, self._site, self._columns, self._verdicts = page, page.site, page.columns, verdicts
        self._prices = prices

    def make(self, titles: PageTitles, least: float, scorer: Scorer | None) -> None:
        """Decide where rules do not, and correct decisions by evidence that most pages lack."""
        self._decide(scorer)
        self._verdicts.cut(least * self._cut / 0.5)
        self._leave_out_comments()
        self._keep_collection()
        self._keep_names()
        self._keep_lead(titles)
        self._mend(titles)
        self._leave_out_doubles()
        self._leave_out_gutters()

    def _set(self, blocks: Iterable[int], decider: Decider, odds: float) -> None:
        """Decide again on blocks, except by hand: as text for log-odds above 0."""
        for block in blocks:
            if self._verdicts.by_of(block) not in self._site.users:
                self._verdicts.set(block, odds > 0, odds, decider)

    def _decide(self, scorer: Scorer | None) -> None:
        """Decide by the scorer on undecided paths, if much text stands there. Text of a script is kept."""
        site, verdicts = self._site, self._verdicts
        if self._page.shown.source is Source.SCRIPT:
            self._set(range(len(self._columns)), Decider.SCRIPT, SCRIPT_ODDS)
            return
        unsure = verdicts.unsure
        if verdicts.sure < MIN_KEPT * verdicts.total:
            # Hardly anything is kept: the page differs from all learned pages.
            lengths = self._columns.lengths
            open_ = [index for index, number in enumerate(verdicts.by) if number < 0 or not site.rules[number].is_users]
            unsure = sum([lengths[index] for index in open_])
        else:
            open_ = verdicts.undecided(site.is_decided) if unsure else []
        if open_ and unsure <= MAX_UNDECIDED * verdicts.total:
            # On pages with little text, only dropped code is corrected: a few lines may be the whole content.
            odds = verdicts.odds
            open_ = [index for index in open_ if odds[index] < 0 and self._is_of_code(index)]
        if open_:
            self._score(open_, scorer)

    def _score(self, blocks: Sequence[int], scorer: Scorer | None) -> None:
        for index, each in zip(blocks, scored(self._page, blocks, scorer), strict=True):
            self._verdicts.set(index, False, each, Decider.SCORER)
        self._lower_asides()

    def _lower_asides(self) -> None:
        """Lower the log-odds of consent beside other text, and on a product's page those of reviews."""
        columns, by_number, odds = self._columns, self._site.by_number, self._verdicts.odds
        lengths = columns.lengths
        found = list(within(columns, by_number, CONSENT))
        if found and sum(compress(lengths, _without(odds, found, LEAST_BESIDE_CONSENT))) < MIN_BESIDE_CONSENT:
            found = []  # perhaps a wall
        if self._is_of_product and (reviews := reviews_in(columns, by_number)):
            rest = list(compress(count(), _without(odds, reviews, 0)))
            outside = sum([lengths[at] - columns.linked[at] for at in rest])
            found += reviews if outside >= MIN_ABOUT else ()
        for index in found:
            if self._verdicts.by_of(index) == Decider.SCORER:
                self._verdicts.set(index, False, min(odds[index], ASIDE_ODDS), Decider.SCORER)

    @cached_property
    def _is_scored(self) -> bool:
        """True where the scorer decides on nearly all text."""
        return self._verdicts.scored(Decider.SCORER) > MOSTLY_SCORED * self._verdicts.total

    @property
    def _cut(self) -> float:
        """Probability above which blocks are text: lower on doubtful pages decided by the scorer."""
        if not self._is_scored:
            return 0.5
        return cut_of(self._verdicts.odds, self._columns.lengths)

    def _leave_out_comments(self) -> None:
        """Drop comments behind a text, except in forums."""
        if not self._is_scored:
            return
        found = within(self._columns, self._site.by_number, COMMENTS)
        if found and not is_forum(self._page.url, self._columns, self._site.by_number):
            self._drop_behind(found)

    def _drop_behind(self, found: dict[int, int]) -> None:
        blocks = behind_text(self._columns, found, self._verdicts.is_text, self._verdicts.odds)
        self._set([at for at in blocks if self._verdicts.by_of(at) == Decider.SCORER], Decider.NEIGHBOURS, DOUBLE_ODDS)

    @cached_property
    def _is_of_product(self) -> bool:
        if not self._prices:
            return False  # most pages
        return says_product(self._page.shown.metadata) or may_be_bought(self._columns, self._site.by_number)

    def _keep_collection(self) -> None:
        """Keep names and prices of a collection's products where the scorer decides."""
        prices, columns = self._prices, self._columns
        if len(prices) < MIN_CARDS or not self._is_scored or says_product(self._page.shown.metadata):
            return  # most pages
        cards = cards_of(columns, self._page.paths, self._site.by_number, prices)
        texts = texts_in_cards(columns, cards, prices)
        if cards and is_collection(columns, cards, texts, self._verdicts.is_text, self._verdicts.odds):
            scored = (at for at in texts if self._verdicts.by_of(at) == Decider.SCORER and not self._verdicts.keeps(at))
            self._set(list(scored), Decider.PRODUCT, SCRIPT_ODDS)

    def _keep_names(self) -> None:
        """Keep the names of a list's entries with kept teasers, or on a single page alone, where the scorer decides."""
        if not self._is_scored:
            return
        is_single = self._site.knowledge.pages <= 1
        least = -inf if is_single and max(self._verdicts.odds) <= 0 else LEAST_NAME
        rows = enumerate(zip(self._verdicts.is_text, self._verdicts.by, self._verdicts.odds, strict=True))
        able = {at for at, (kept, by, odds) in rows if not kept and by == Decider.SCORER and odds >= least}
        if not any(map(self._page.is_link, able)):
            return  # most pages
        place = self._columns, self._page.paths, self._site.by_number, self._verdicts.is_text
        names = names_of_entries(*place)
        if not names and is_single and (other := self._verdicts.outside_links()) <= MAX_BESIDE:
            names = names_alone(*place, self._verdicts.odds, other)
        self._set([at for at in names if at in able], Decider.NEIGHBOURS, SCRIPT_ODDS)

    def _keep_lead(self, titles: PageTitles) -> None:
        """Keep the lead behind the title of a single page."""
        if self._site.knowledge.pages > 1 or not self._is_scored or (title := titles.naming_block) is None:
            return
        leads = leads_in(self._columns, self._site.by_number, title, self._verdicts.is_text)
        by, odds = self._verdicts.by, self._verdicts.odds  # odds are a new list each time
        scored = (at for at in leads if by[at] == Decider.SCORER and odds[at] >= LEAST_LEAD)
        self._set(list(scored), Decider.NEIGHBOURS, SCRIPT_ODDS)

    def _mend(self, titles: PageTitles) -> None:
        """Correct captions, headings, items, cells and boxes by their neighbours, except by hand."""
        if self._page.shown.source is Source.SCRIPT:
            return
        columns, verdicts, by_number, scorer = self._columns, self._verdicts, self._site.by_number, Decider.SCORER
        has_scored = verdicts.scored(scorer) >= 0
        related = verdicts.linked_beside(MIN_ITEM, MORE_BEGINS)
        if not has_scored and not (has_trait(by_number, columns, CAPTION) and has_trait(by_number, columns, CELL)):
            if related:
                self._set(leads_on_in(columns, by_number, related), Decider.NEIGHBOURS, DOUBLE_ODDS)
            return  # most pages
        is_scored = [number == scorer for number in verdicts.by] if has_scored else [False] * len(columns)
        users = self._site.users
        may_change = [number not in users for number in verdicts.by] if users else [True] * len(columns)
        mending = Mending(columns, by_number, verdicts.is_text, verdicts.odds, may_change, is_scored)
        for index, is_text in mending.changes(titles.in_head, related).items():
            self._set([index], Decider.NEIGHBOURS, SCRIPT_ODDS if is_text else DOUBLE_ODDS)

    def _leave_out_doubles(self) -> None:
        if self._verdicts.said_again() >= MIN_DOUBLE:  # few pages
            self._set(doubles(self._page, self._verdicts.is_text), Decider.DOUBLES, DOUBLE_ODDS)

    def _leave_out_gutters(self) -> None:
        numbers = self._columns.numbers_alone(self._site.marks)
        if not any(map(self._may_be_gutter, numbers)):
            return  # nearly all pages
        if gutters := gutters_in(self._page.shown.root):
            places = zip(numbers, self._page.places(numbers), strict=True)
            found = [number for number, pieces in places if all(piece.holder in gutters for piece in pieces)]
            self._set(found, Decider.GUTTERS, DOUBLE_ODDS)

    def _may_be_gutter(self, index: int) -> bool:
        """Return True if a block of numbers stands beside code, or shortly before the next number."""
        columns = self._columns
        if any(self._is_of_code(at) for at in (index - 1, index + 1) if 0 <= at < len(columns)):
            return True
        text = columns.text(index)
        is_one = len(text) <= MAX_DIGITS and text.isdecimal()
        behind = range(index + 1, min(index + 3, len(columns)))
        return is_one and str(int(text) + 1) in map(columns.text, behind)

    def _is_of_code(self, block: int) -> bool:
        return self._site.marks[self._columns.path_of(block)] & IN_CODE != 0


def _without(odds: Sequence[float], blocks: Iterable[int], least: float) -> list[bool]:
    """Return True for each block of higher log-odds, except some blocks."""
    found = [each > least for each in odds]
    for at in blocks:
        found[at] = False
    return found

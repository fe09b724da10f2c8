"""Decisions on the blocks of a page: by rules and the scorer, corrected by further evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from itertools import compress, count, filterfalse
from math import inf
from typing import TYPE_CHECKING

from scrapy_stemmer._engine import native
from scrapy_stemmer.learners.rules.asides import (
    COMMENT_PARTS,
    CONSENT_PARTS,
    behind_text,
    is_comments,
    is_consent,
    is_forum,
    reviews_in,
    within,
)
from scrapy_stemmer.learners.rules.cards import MIN_CARDS, cards_of, is_collection, said_twice, texts_in_cards
from scrapy_stemmer.learners.rules.columns import any_is, is_caption
from scrapy_stemmer.learners.rules.doubles import MIN_DOUBLE, doubles
from scrapy_stemmer.learners.rules.entries import MAX_BESIDE, names_alone, names_of_entries
from scrapy_stemmer.learners.rules.leads import LEAST_LEAD, leads_in
from scrapy_stemmer.learners.rules.mending import MIN_ITEM, MORE_BEGINS, Mending, is_cell, leads_on_in
from scrapy_stemmer.learners.rules.placeholders import MAX_PLAIN, facts_about, kind_remembered, most_framed
from scrapy_stemmer.learners.rules.products import (
    facts_of_product,
    may_be_bought,
    prices_in,
    says_product,
    with_currency,
)
from scrapy_stemmer.learners.rules.returning.texts import MAX_PARTS, TEMPLATE_ODDS, ReturningText
from scrapy_stemmer.learners.rules.rules import DROP
from scrapy_stemmer.learners.rules.site import BEGINNING, LOOKED_AT, Outline, PlacedPage, leads_to_site
from scrapy_stemmer.learners.rules.title import PageTitles
from scrapy_stemmer.page.blocks import PageKind
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.shown import Source
from scrapy_stemmer.writing.code import MAX_DIGITS, gutters_in

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage, Verdicts
    from scrapy_stemmer.learners.rules.scorer import Scorer

MAX_UNDECIDED = 0.1  # share of undecided text up to which the nearest rule decides
MIN_KEPT = 0.02  # share of text kept by rules below which the scorer decides on the whole page
MOSTLY_SCORED = 0.9  # share of text scored above which the cut is for the highest F1
SCRIPT_ODDS = 2.0  # log-odds of text found in a script alone: a probability of .88
DOUBLE_ODDS = -2.0  # log-odds of text for a second screen, and of line numbers of code: .12
ASIDE_ODDS = -5.0  # log-odds of consent and of a product's reviews: .007
LEAST_BESIDE_CONSENT, MIN_BESIDE_CONSENT = -4.0, 600  # log-odds of text beside consent, and its characters
MIN_ABOUT = 100  # characters of a product's page outside links and reviews
LEAST_NAME = -2.0  # log-odds below which the name of an entry stays dropped
MIN_REST = 0.2  # share of kept text left without the returning texts, at least

verdicts_of: Callable[[ReadPage, list[int], list[float], list[bool]], Verdicts] = native("page.Verdicts")
"""Decisions of rules on blocks: ``verdicts_of(page, deciding, rule_odds, is_decided)``.

The lists have the number of the deciding rule of each path, the log-odds of each rule, then of blocks without a rule,
and True for each decided path.
"""


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


REASONS = {
    Decider.SCRIPT: "text of a script",
    Decider.DOUBLES: "double",
    Decider.GUTTERS: "numbers of lines",
    Decider.PRODUCT: "of the product",
    Decider.NEIGHBOURS: "as its neighbours",
}
"""Reasons of decisions without a rule or a score."""


class Decisions:
    """The decisions on a page's blocks; nothing changes them later.

    :ivar by: number of each block's deciding rule, or a :class:`Decider`.
    :ivar placeholder: kind of a placeholder; ``None`` for a regular page.
    :ivar is_remembered: True for a page like a placeholder of the site's sample.
    """

    def __init__(self, page: PlacedPage, titles: PageTitles, least: float, scorer: Scorer | None) -> None:
        self._page, self._site, self._columns = page, page.site, page.columns
        site = page.site
        self._verdicts = verdicts_of(page.columns, site.deciding, site.rule_odds, site.is_decided)
        is_final = (
            page.shown.source is not Source.SCRIPT
            and self._verdicts.are_final(least, site.is_decided, site.marks, Decider.SCORER, LIMITS)
            and not self._prices
        )
        if not is_final:
            self._look_closer(titles, least, scorer)
        self._returning = self._leave_out_returning()
        self.is_remembered, self.placeholder = False, self._kind_by_facts()
        if self.placeholder is None:
            self.placeholder = self._kind_remembered()
            self.is_remembered = self.placeholder is not None
        if self.placeholder is not None:
            self._verdicts.clear()

    def _look_closer(self, titles: PageTitles, least: float, scorer: Scorer | None) -> None:
        """Decide where rules do not, and correct decisions by evidence that most pages lack."""
        self._decide(scorer)
        self._verdicts.cut(least * self._cut / 0.5)
        self._leave_out_comments()
        self._keep_product(titles)
        self._keep_collection()
        self._keep_names()
        self._keep_lead(titles)
        self._mend(titles)
        self._leave_out_doubles()
        self._leave_out_gutters()

    @property
    def verdicts(self) -> Verdicts:
        return self._verdicts

    @property
    def kept(self) -> list[int]:
        return self._verdicts.kept

    @property
    def is_text(self) -> list[bool]:
        return self._verdicts.is_text

    @property
    def odds(self) -> list[float]:
        return self._verdicts.odds

    @property
    def by(self) -> list[int]:
        return self._verdicts.by

    def is_by_user(self, block: int) -> bool:
        return self._verdicts.by_of(block) in self._site.users

    def is_dropped_by_name(self, block: int) -> bool:
        """Return True if a rule by hand drops a block's own element, and none makes it the title."""
        site, number = self._site, self._verdicts.by_of(block)
        if number not in site.users or site.rules[number].action != DROP:
            return False
        path = self._columns.path_of(block)
        naming = site.naming[path]
        is_named = 0 <= naming < len(site.rules) and site.rules[naming].is_users
        return not is_named and site.rules[number].selector.matches(site.paths, path)

    def reason(self, block: int, odds: float) -> str:
        """Return the reason of the decision on a block, given its log-odds. Lists of all blocks take long to make."""
        number = self._verdicts.by_of(block)
        if number >= 0:
            return self._site.rules[number].line
        if number == Decider.RETURNING:
            line = self._returning[block]
            return "returns, by hand" if line.is_users else f"on {line.on} learned pages"
        return REASONS.get(Decider(number), f"scored {odds:+.1f}")

    def _set(self, blocks: Iterable[int], decider: Decider, odds: float) -> None:
        """Decide again on blocks, except by hand: as text for log-odds above 0."""
        for block in blocks:
            if not self.is_by_user(block):
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
        from scrapy_stemmer.learners.rules.scorer import scored  # numpy, needless for most pages

        for index, each in zip(blocks, scored(self._page, blocks, scorer), strict=True):
            self._verdicts.set(index, False, each, Decider.SCORER)
        self._lower_asides()
        odds, lengths = self.odds, self._columns.lengths
        for cells in self._tables(blocks):  # stay together
            length = sum([lengths[index] for index in cells])
            mean = sum([odds[index] * lengths[index] for index in cells]) / length
            for index in cells:
                self._verdicts.set(index, False, mean, Decider.SCORER)

    def _lower_asides(self) -> None:
        """Lower the log-odds of consent beside other text, and on a product's page those of reviews."""
        columns, by_number, lengths, odds = self._columns, self._site.by_number, self._columns.lengths, self.odds
        found = list(within(columns, by_number, is_consent, CONSENT_PARTS))
        if found and sum(compress(lengths, _without(odds, found, LEAST_BESIDE_CONSENT))) < MIN_BESIDE_CONSENT:
            found = []  # perhaps a wall
        if self._is_of_product and (reviews := reviews_in(columns, by_number)):
            rest = list(compress(count(), _without(odds, reviews, 0)))
            outside = sum([lengths[at] - columns.linked[at] for at in rest])
            found += reviews if outside >= MIN_ABOUT else ()
        for index in found:
            if self._verdicts.by_of(index) == Decider.SCORER:
                self._verdicts.set(index, False, min(odds[index], ASIDE_ODDS), Decider.SCORER)

    def _tables(self, blocks: Iterable[int]) -> Iterable[list[int]]:
        components, paths, parents = self._site.paths.components, self._page.paths, self._columns.parents
        tables: defaultdict[int, list[int]] = defaultdict(list)
        for index in blocks:
            if components[self._columns.path_of(index)].tag in ("td", "th"):
                table = self._columns.elements[index]
                while table >= 0 and components[paths[table]].tag != "table":
                    table = parents[table]
                tables[table].append(index)
        return tables.values()

    @cached_property
    def _is_scored(self) -> bool:
        """True where the scorer decides on nearly all text."""
        return self._verdicts.scored(Decider.SCORER) > MOSTLY_SCORED * self._verdicts.total

    @property
    def _cut(self) -> float:
        """Probability above which blocks are text: lower on doubtful pages decided by the scorer."""
        if not self._is_scored:
            return 0.5
        from scrapy_stemmer.learners.rules.scorer import cut_of  # numpy, as above

        return cut_of(self.odds, self._columns.lengths)

    def _leave_out_comments(self) -> None:
        """Drop comments behind a text, except in forums."""
        if not self._is_scored:
            return
        found = within(self._columns, self._site.by_number, is_comments, COMMENT_PARTS)
        if found and not is_forum(self._page.url, self._columns, self._site.by_number):
            self._drop_behind(found)

    def _drop_behind(self, found: dict[int, int]) -> None:
        blocks = behind_text(self._columns, found, self.is_text, self.odds)
        self._set([at for at in blocks if self.by[at] == Decider.SCORER], Decider.NEIGHBOURS, DOUBLE_ODDS)

    @cached_property
    def _prices(self) -> list[int]:
        """Numbers of the prices; none in an article."""
        if self._page.shown.head.is_article:
            return []
        able = with_currency(self._columns)
        return prices_in(self._columns.texts, able) if able else []

    def _keep_product(self, titles: PageTitles) -> None:
        shown, by_number = self._page.shown, self._site.by_number
        if self._is_of_product and (name := titles.naming_block) is not None:
            facts = facts_of_product(self._columns, by_number, name, is_stated=says_product(shown.metadata))
            self._set([each for each in facts if not self._verdicts.keeps(each)], Decider.PRODUCT, SCRIPT_ODDS)

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
        if cards and is_collection(columns, cards, texts, self.is_text, self.odds):
            scored = (at for at in texts if self.by[at] == Decider.SCORER and not self.is_text[at])
            self._set(list(scored), Decider.PRODUCT, SCRIPT_ODDS)
            able = (Decider.SCORER, Decider.PRODUCT)
            twice = said_twice(columns, cards, self.is_text)
            self._set([at for at in twice if self.by[at] in able], Decider.DOUBLES, DOUBLE_ODDS)

    def _keep_names(self) -> None:
        """Keep the names of a list's entries with kept teasers, or on a single page alone, where the scorer decides."""
        if not self._is_scored:
            return
        is_single = self._site.knowledge.pages <= 1
        least = -inf if is_single and max(self.odds) <= 0 else LEAST_NAME
        rows = enumerate(zip(self.is_text, self.by, self.odds, strict=True))
        able = {at for at, (kept, by, odds) in rows if not kept and by == Decider.SCORER and odds >= least}
        if not any(map(self._page.is_link, able)):
            return  # most pages
        place = self._columns, self._page.paths, self._site.by_number, self.is_text
        names = names_of_entries(*place)
        if not names and is_single and (other := self._verdicts.outside_links()) <= MAX_BESIDE:
            names = names_alone(*place, self.odds, other)
        self._set([at for at in names if at in able], Decider.NEIGHBOURS, SCRIPT_ODDS)

    def _keep_lead(self, titles: PageTitles) -> None:
        """Keep the lead behind the title of a single page."""
        if self._site.knowledge.pages > 1 or not self._is_scored or (title := titles.naming_block) is None:
            return
        leads = leads_in(self._columns, self._site.by_number, title, self.is_text)
        scored = (at for at in leads if self.by[at] == Decider.SCORER and self.odds[at] >= LEAST_LEAD)
        self._set(list(scored), Decider.NEIGHBOURS, SCRIPT_ODDS)

    def _mend(self, titles: PageTitles) -> None:
        """Correct captions, headings, items, cells and boxes by their neighbours, except by hand."""
        if self._page.shown.source is Source.SCRIPT:
            return
        columns, verdicts, by_number, scorer = self._columns, self._verdicts, self._site.by_number, Decider.SCORER
        has_scored = verdicts.scored(scorer) >= 0
        related = verdicts.linked_beside(MIN_ITEM, MORE_BEGINS)
        if not has_scored and not (any_is(by_number, columns, is_caption) and any_is(by_number, columns, is_cell)):
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
            self._set(doubles(self._page, self.is_text), Decider.DOUBLES, DOUBLE_ODDS)

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
        return self._site.marks[self._columns.path_of(block)] & 1 == 1

    def _leave_out_returning(self) -> dict[int, ReturningText]:
        """Drop the known texts of the site from the kept text, unless hardly any text is left.

        Return their lines by block.
        """
        if not self._site.knowledge.returning:
            return {}
        kept, lengths = self.kept, self._columns.lengths
        lines = self._known_lines(kept)
        if not lines:
            return {}
        found = {index: line for index, line in lines.items() if line.is_users or not self.is_by_user(index)}
        rest = length = sum([lengths[index] for index in kept])
        # Texts of most pages first: where hardly anything is left without the rest, the page is there for the rest.
        for pages in sorted({line.rank for line in found.values()}, reverse=True):
            rest -= sum([lengths[index] for index, line in found.items() if line.rank == pages])
            if rest < MIN_REST * length:
                found = {index: line for index, line in found.items() if line.rank > pages or line.is_users}
                break
        for index in found:
            self._verdicts.set(index, False, TEMPLATE_ODDS, Decider.RETURNING)
        return found

    def _known_lines(self, kept: Sequence[int]) -> dict[int, ReturningText]:
        """Return the lines of known texts among blocks, even with different line breaks."""
        known, paths = self._site.knowledge.known_texts, self._site.paths
        texts, elements = self._columns.texts, self._columns.elements
        found: dict[int, ReturningText] = {}
        for index in kept:
            if index in found or not known.may_begin(texts[index]):
                continue  # nearly all texts
            end = index + 1
            while elements[end : end + 1] == elements[index : index + 1] and end < index + MAX_PARTS:
                end += 1
            path = self._columns.path_of(index)
            lines = known.lines_from(texts[index:end], paths, path)
            if lines is not None:
                parts, line = lines
                found.update((part, line) for part in range(index, index + parts) if self._verdicts.keeps(part))
        return found

    @property
    def _outline(self) -> Outline:
        return Outline(self._page.url, self._page.shown.head, self._columns, self._site.by_number)

    def _kind_by_facts(self) -> PageKind | None:
        """Return the kind of a placeholder by its own text; ``None`` for a regular page or text kept by hand."""
        columns, verdicts, head = self._columns, self._verdicts, self._page.shown.head
        if self._site.users and any(map(self.is_by_user, verdicts.kept)):
            return None
        is_article = head.is_article or verdicts.outside_links() >= MAX_PLAIN
        if (
            not columns.may_be_garbled(LOOKED_AT, BEGINNING)
            and leads_to_site(columns, self._page.url)
            and (is_article or verdicts.has_own(self._page.often, most_framed(columns, self._site.by_number)))
        ):
            return None  # most pages, without a closer look
        own = verdicts.kept if is_article else filterfalse(self._page.is_repeated, verdicts.kept)
        facts = facts_about(self._outline, own)
        return None if facts is None else facts.kind

    def _kind_remembered(self) -> PageKind | None:
        remembered = self._site.knowledge.placeholders
        if not remembered or any(map(self.is_by_user, self.kept)):
            return None
        blocks = filterfalse(self._page.is_repeated, range(len(self._columns)))
        return kind_remembered(self._outline, list(blocks), remembered)


def _without(odds: Sequence[float], blocks: Iterable[int], least: float) -> list[bool]:
    """Return True for each block of higher log-odds, except some blocks."""
    found = [each > least for each in odds]
    for at in blocks:
        found[at] = False
    return found

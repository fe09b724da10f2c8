"""Decisions on the blocks of a page: by rules and the scorer, corrected by further evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from functools import cached_property
from itertools import compress, count, filterfalse, islice
from typing import TYPE_CHECKING

from scrapy_stemmer._engine import native
from scrapy_stemmer.learners.rules.asides import behind_text, is_comments, is_consent, is_forum, reviews_in, within
from scrapy_stemmer.learners.rules.cards import MIN_CARDS, cards_of, is_collection, said_twice, texts_in_cards
from scrapy_stemmer.learners.rules.columns import any_is, is_caption
from scrapy_stemmer.learners.rules.doubles import MIN_DOUBLE, doubles, said_again
from scrapy_stemmer.learners.rules.entries import names_of_entries
from scrapy_stemmer.learners.rules.mending import MIN_ITEM, Mending, linked_beside
from scrapy_stemmer.learners.rules.placeholders import MAX_PLAIN, facts_about, kind_remembered
from scrapy_stemmer.learners.rules.products import (
    CODES,
    MAX_PRICE,
    facts_of_product,
    may_be_bought,
    prices_in,
    says_product,
    with_currency,
)
from scrapy_stemmer.learners.rules.returning.texts import MAX_PARTS, TEMPLATE_ODDS, ReturningText
from scrapy_stemmer.learners.rules.rules import DROP
from scrapy_stemmer.learners.rules.site import Outline, PlacedPage
from scrapy_stemmer.learners.rules.title import PageTitles
from scrapy_stemmer.page.blocks import PageKind
from scrapy_stemmer.page.shown import Source
from scrapy_stemmer.writing.code import AROUND_CODE, MAX_DIGITS, gutters_in

if TYPE_CHECKING:
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

decided: Callable[..., tuple[list[int], list[int], list[float], list[int], int, int, int]] = native("site.decided")
"""Decisions of rules on blocks: ``decided(elements, lengths, paths, deciding, rule_odds, is_decided)``.

Returns the path, the number of the deciding rule and the log-odds of each block; the numbers of undecided blocks; and
the characters of all blocks, of blocks with positive log-odds, and of undecided blocks.
"""

probable: Callable[[list[float], float], list[bool]] = native("site.probable")
"""True for each block with a probability above the second argument, by log-odds."""

begun_by_digits: Callable[[list[str]], list[int]] = native("site.begun_by_digits")
"""Numbers of the texts with a digit at the start."""

outside_links: Callable[[list[int], Sequence[int], Sequence[int]], int] = native("site.outside_links")
"""Characters of blocks outside links: ``outside_links(blocks, lengths, linked)``."""


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
        self._page, self._site, self._columns, self._paths = page, page.site, page.columns, page.block_paths
        self.odds, self.by = self._decided(scorer)
        self.is_text = probable(self.odds, least * self._cut / 0.5)
        self._leave_out_comments()
        self._keep_product(titles)
        self._keep_collection()
        self._keep_names()
        self._mend(titles)
        self._leave_out_doubles()
        self._leave_out_gutters()
        self._returning = self._leave_out_returning()
        outline = Outline(page.url, page.shown.head, page.columns, page.site.by_number)
        self.is_remembered, self.placeholder = False, self._kind_by_facts(outline)
        if self.placeholder is None:
            self.placeholder = self._kind_remembered(outline)
            self.is_remembered = self.placeholder is not None
        if self.placeholder is not None:
            self.is_text = [False] * len(self.is_text)

    @cached_property
    def kept(self) -> list[int]:
        return list(compress(count(), self.is_text))

    def is_by_user(self, block: int) -> bool:
        return self.by[block] in self._site.users

    def is_dropped_by_name(self, block: int) -> bool:
        """Return True if a rule by hand drops a block's own element, and none makes it the title."""
        site, number, path = self._site, self.by[block], self._paths[block]
        if number not in site.users or site.rules[number].action != DROP:
            return False
        naming = site.naming[path]
        is_named = 0 <= naming < len(site.rules) and site.rules[naming].is_users
        return not is_named and site.rules[number].selector.matches(site.paths, path)

    def reason(self, block: int) -> str:
        number = self.by[block]
        if number >= 0:
            return self._site.rules[number].line
        if number == Decider.RETURNING:
            line = self._returning[block]
            return "returns, by hand" if line.is_users else f"on {line.on} learned pages"
        return REASONS.get(Decider(number), f"scored {self.odds[block]:+.1f}")

    def _set(self, blocks: Iterable[int], decider: Decider, odds: float) -> None:
        """Decide again on blocks, except by hand: as text for log-odds above 0."""
        for block in blocks:
            if not self.is_by_user(block):
                self.is_text[block], self.odds[block], self.by[block] = odds > 0, odds, decider

    def _decided(self, scorer: Scorer | None) -> tuple[list[float], list[int]]:
        """Return the log-odds of each block, and the number of its decider.

        The scorer decides on undecided paths, if much text stands there. Text of a script is kept.
        """
        site, lengths = self._site, self._columns.lengths
        _, numbers, odds, open_, total, kept, unsure = decided(
            self._columns.elements, lengths, self._page.paths, site.deciding, site.rule_odds, site.is_decided
        )
        if self._page.shown.source is Source.SCRIPT:
            for index, number in enumerate(numbers):
                if number < 0 or not site.rules[number].is_users:
                    odds[index], numbers[index] = SCRIPT_ODDS, Decider.SCRIPT
            return odds, numbers
        if kept < MIN_KEPT * total:
            # Hardly anything is kept: the page differs from all learned pages.
            open_ = [index for index, number in enumerate(numbers) if number < 0 or not site.rules[number].is_users]
            unsure = sum([lengths[index] for index in open_])
        if unsure <= MAX_UNDECIDED * total:
            # On pages with little text, only dropped code is corrected: a few lines may be the whole content.
            open_ = [index for index in open_ if odds[index] < 0 and self._is_of_code(self._paths[index])]
        if open_:
            from scrapy_stemmer.learners.rules.scorer import scored  # numpy, needless for most pages

            for index, scored_odds in zip(open_, scored(self._page, open_, scorer), strict=True):
                odds[index], numbers[index] = scored_odds, Decider.SCORER
            self._lower_asides(odds, numbers)
            for cells in self._tables(open_):  # stay together
                length = sum([lengths[index] for index in cells])
                mean = sum([odds[index] * lengths[index] for index in cells]) / length
                for index in cells:
                    odds[index] = mean
        return odds, numbers

    def _lower_asides(self, odds: list[float], numbers: Sequence[int]) -> None:
        """Lower the log-odds of consent beside other text, and on a product's page those of reviews."""
        columns, by_number, lengths = self._columns, self._site.by_number, self._columns.lengths
        found = list(within(columns, by_number, is_consent))
        if found and sum(compress(lengths, _without(odds, found, LEAST_BESIDE_CONSENT))) < MIN_BESIDE_CONSENT:
            found = []  # perhaps a wall
        if self._is_of_product and (reviews := reviews_in(columns, by_number)):
            rest = list(compress(count(), _without(odds, reviews, 0)))
            found += reviews if outside_links(rest, lengths, columns.linked) >= MIN_ABOUT else ()
        for index in found:
            if numbers[index] == Decider.SCORER:
                odds[index] = min(odds[index], ASIDE_ODDS)

    def _tables(self, blocks: Iterable[int]) -> Iterable[list[int]]:
        components, paths, parents = self._site.paths.components, self._page.paths, self._columns.parents
        tables: defaultdict[int, list[int]] = defaultdict(list)
        for index in blocks:
            if components[self._paths[index]].tag in ("td", "th"):
                table = self._columns.elements[index]
                while table >= 0 and components[paths[table]].tag != "table":
                    table = parents[table]
                tables[table].append(index)
        return tables.values()

    @cached_property
    def _is_scored(self) -> bool:
        """Whether the scorer decides on nearly all text."""
        if Decider.SCORER not in self.by:
            return False  # most pages
        lengths, scorer = self._columns.lengths, Decider.SCORER
        scored = sum([length for length, number in zip(lengths, self.by, strict=True) if number == scorer])
        return scored > MOSTLY_SCORED * sum(lengths)

    @property
    def _cut(self) -> float:
        """Probability above which blocks are text: lower on doubtful pages decided by the scorer."""
        if not self._is_scored:
            return 0.5
        from scrapy_stemmer.learners.rules.scorer import cut_of  # numpy, as above

        return cut_of(self.odds, self._columns.lengths)

    def _leave_out_comments(self) -> None:
        """Drop comments and reviews behind a text, except in forums."""
        if not self._is_scored:
            return
        found = within(self._columns, self._site.by_number, is_comments)
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
        able = with_currency(self._columns.texts, MAX_PRICE, CODES)
        return prices_in(self._columns.texts, able) if able else []

    def _keep_product(self, titles: PageTitles) -> None:
        shown, by_number = self._page.shown, self._site.by_number
        if self._is_of_product and (name := titles.naming_block) is not None:
            facts = facts_of_product(self._columns, by_number, name, is_said=says_product(shown.said))
            self._set([each for each in facts if not self.is_text[each]], Decider.PRODUCT, SCRIPT_ODDS)

    @cached_property
    def _is_of_product(self) -> bool:
        if not self._prices:
            return False  # most pages
        return says_product(self._page.shown.said) or may_be_bought(self._columns, self._site.by_number)

    def _keep_collection(self) -> None:
        """Keep names and prices of a collection's products where the scorer decides."""
        prices, columns = self._prices, self._columns
        if len(prices) < MIN_CARDS or not self._is_scored or says_product(self._page.shown.said):
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
        """Keep the names of a list's entries with kept teasers, where the scorer decides."""
        if not self._is_scored:
            return
        rows = enumerate(zip(self.is_text, self.by, self.odds, strict=True))
        able = {at for at, (kept, by, odds) in rows if not kept and by == Decider.SCORER and odds >= LEAST_NAME}
        if not any(map(self._page.is_link, able)):
            return  # most pages
        names = names_of_entries(self._columns, self._page.paths, self._site.by_number, self.is_text)
        self._set([at for at in names if at in able], Decider.NEIGHBOURS, SCRIPT_ODDS)

    def _mend(self, titles: PageTitles) -> None:
        """Correct captions, headings, items, cells and boxes by their neighbours, except by hand."""
        if self._page.shown.source is Source.SCRIPT:
            return
        columns, by_number, users, scorer = self._columns, self._site.by_number, self._site.users, Decider.SCORER
        is_scored = [number == scorer for number in self.by] if scorer in self.by else [False] * len(self.by)
        if (
            True not in is_scored
            and not linked_beside(self.is_text, columns.lengths, columns.linked, MIN_ITEM)
            and not any_is(by_number, columns.signatures, is_caption)
        ):
            return
        may_change = [number not in users for number in self.by] if users else [True] * len(self.by)
        mending = Mending(columns, by_number, self.is_text, self.odds, may_change, is_scored)
        for index, is_text in mending.changes(titles.in_head).items():
            self._set([index], Decider.NEIGHBOURS, SCRIPT_ODDS if is_text else DOUBLE_ODDS)

    def _leave_out_doubles(self) -> None:
        if said_again(self._columns.texts, self._columns.lengths, self.is_text) >= MIN_DOUBLE:  # few pages
            found = doubles(self._columns, self._page.paths, self._site.paths.components, self.is_text)
            self._set(found, Decider.DOUBLES, DOUBLE_ODDS)

    def _leave_out_gutters(self) -> None:
        texts = self._columns.texts
        numbers = [index for index in begun_by_digits(texts) if texts[index].replace(" ", "").isdigit()]
        if not any(map(self._may_be_gutter, numbers)):
            return  # nearly all pages
        if gutters := gutters_in(self._page.shown.root):
            places = zip(numbers, self._page.places(numbers), strict=True)
            found = [number for number, pieces in places if all(piece.holder in gutters for piece in pieces)]
            self._set(found, Decider.GUTTERS, DOUBLE_ODDS)

    def _may_be_gutter(self, index: int) -> bool:
        """Return True if a block of numbers stands beside code, or shortly before the next number."""
        texts, last = self._columns.texts, len(self._paths) - 1
        if any(self._is_of_code(self._paths[at]) for at in (index - 1, index + 1) if 0 <= at <= last):
            return True
        is_one = len(texts[index]) <= MAX_DIGITS and texts[index].isdecimal()
        return is_one and str(int(texts[index]) + 1) in texts[index + 1 : index + 3]

    def _is_of_code(self, path: int) -> bool:
        return any(each.tag == "pre" for each in islice(self._page.components_of(path), AROUND_CODE))

    def _leave_out_returning(self) -> dict[int, ReturningText]:
        """Drop the known texts of the site from the kept text, unless hardly any text is left.

        Return their lines by block.
        """
        if not self._site.knowledge.returning:
            return {}
        kept, lengths = list(compress(count(), self.is_text)), self._columns.lengths
        lines = self._known_lines(kept)
        found = {index: line for index, line in lines.items() if line.is_users or not self.is_by_user(index)}
        rest = length = sum([lengths[index] for index in kept])
        # Texts of most pages first: where hardly anything is left without the rest, the page is there for the rest.
        for pages in sorted({line.rank for line in found.values()}, reverse=True):
            rest -= sum([lengths[index] for index, line in found.items() if line.rank == pages])
            if rest < MIN_REST * length:
                found = {index: line for index, line in found.items() if line.rank > pages or line.is_users}
                break
        for index in found:
            self.is_text[index], self.odds[index], self.by[index] = False, TEMPLATE_ODDS, Decider.RETURNING
        return found

    def _known_lines(self, kept: Sequence[int]) -> dict[int, ReturningText]:
        """Return the lines of known texts among blocks, even with different line breaks."""
        known, paths = self._site.knowledge.known_texts, self._site.paths
        texts, elements = self._columns.texts, self._columns.elements
        found: dict[int, ReturningText] = {}
        for index in kept:
            end = index + 1
            while elements[end : end + 1] == elements[index : index + 1] and end < index + MAX_PARTS:
                end += 1
            lines = None if index in found else known.lines_from(texts[index:end], paths, self._paths[index])
            if lines is not None:
                parts, line = lines
                found.update((part, line) for part in range(index, index + parts) if self.is_text[part])
        return found

    def _kind_by_facts(self, page: Outline) -> PageKind | None:
        """Return the kind of a placeholder by its own text; ``None`` for a regular page or text kept by hand."""
        kept = list(compress(count(), self.is_text))
        if self._site.users and any(map(self.is_by_user, kept)):
            return None
        is_article = page.head.is_article
        is_article = is_article or outside_links(kept, self._columns.lengths, self._columns.linked) >= MAX_PLAIN
        if is_article and not page.is_bare and not page.is_garbled:
            return None  # most pages, without a closer look
        facts = facts_about(page, kept if is_article else filterfalse(self._page.is_repeated, kept))
        return None if facts is None else facts.kind

    def _kind_remembered(self, page: Outline) -> PageKind | None:
        remembered = self._site.knowledge.placeholders
        if not remembered or any(map(self.is_by_user, compress(count(), self.is_text))):
            return None
        blocks = filterfalse(self._page.is_repeated, range(len(self._paths)))
        return kind_remembered(page, list(blocks), remembered)


def _without(odds: Sequence[float], blocks: Iterable[int], least: float) -> list[bool]:
    """Return True for each block of higher log-odds, except some blocks."""
    found = [each > least for each in odds]
    for at in blocks:
        found[at] = False
    return found

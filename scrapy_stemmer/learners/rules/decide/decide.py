"""Decisions on the blocks of a page: by rules and the scorer, corrected by further evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scrapy_stemmer._engine import native
from scrapy_stemmer.learners.rules.decide.corrections.dropped import labels_alone
from scrapy_stemmer.learners.rules.decide.corrections.table import (
    LIMITS,
    Decider,
    contested_blocks,
    correct,
    decide,
)
from scrapy_stemmer.learners.rules.decide.corrections.view import View
from scrapy_stemmer.learners.rules.decide.placeholders import (
    MAX_PLAIN,
    Outline,
    facts_about,
    kind_remembered,
    most_framed,
)
from scrapy_stemmer.learners.rules.decide.title import PageTitles
from scrapy_stemmer.learners.rules.site.known_texts import MAX_PARTS, TEMPLATE_ODDS, ReturningText
from scrapy_stemmer.learners.rules.site.rules import DROP
from scrapy_stemmer.learners.rules.site.site import PlacedPage
from scrapy_stemmer.page.blocks import PageKind
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.shown import Source

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage, Verdicts
    from scrapy_stemmer.learners.rules.decide.scorer import Scorer

MIN_FRAME = 2  # texts of a site's frame, at least
MIN_REST = 0.2  # share of kept text left without the returning texts, at least

verdicts_of: Callable[[ReadPage, list[float]], Verdicts] = native("page.Verdicts")
"""Decisions of rules on blocks: ``verdicts_of(page, rule_odds)``, given the log-odds of each rule, then of blocks
without a rule.
"""

REASONS = {
    Decider.SCRIPT: "text of a script",
    Decider.DOUBLES: "double",
    Decider.GUTTERS: "numbers of lines",
    Decider.NEIGHBOURS: "as its neighbours",
    Decider.HIDDEN: "hidden, and nothing opens it",
}
"""Reasons of decisions without a rule or a score."""


class Decisions:
    """The decisions on a page's blocks, final when made.

    :ivar verdicts: each block's decision, by the number of a rule or a :class:`Decider`.
    :ivar placeholder: kind of a placeholder; ``None`` for a regular page.
    :ivar is_remembered: True for a page like a placeholder of the site's sample.
    """

    def __init__(self, page: PlacedPage, titles: PageTitles, least: float, scorer: Scorer | None) -> None:
        self._page, self._site, self._columns = page, page.site, page.columns
        site = page.site
        self.verdicts = verdicts_of(page.columns, site.rule_odds)
        view = View(page, self.verdicts, titles)
        contested = contested_blocks(view)
        is_final = self.verdicts.are_final(least, Decider.SCORER, LIMITS)
        is_open = page.shown.source is Source.SCRIPT or not is_final
        if is_open or contested:
            decide(view, contested, least, scorer)
        correct(view, is_open=is_open)
        self._returning = self._leave_out_returning(view)
        self.is_remembered, self.placeholder = False, self._kind_by_facts()
        if self.placeholder is None:
            self.placeholder = self._kind_remembered()
            self.is_remembered = self.placeholder is not None
        if self.placeholder is not None:
            self.verdicts.clear()

    def is_by_user(self, block: int) -> bool:
        return self.verdicts.by_of(block) in self._site.users

    def is_dropped_by_name(self, block: int) -> bool:
        """Return True if a rule by hand drops a block's element, and no rule by hand makes the element the title."""
        site, number = self._site, self.verdicts.by_of(block)
        if number not in site.users or site.rules[number].action != DROP:
            return False
        path = self._columns.path_of(block)
        naming = site.of_path[path].title
        is_named = 0 <= naming < len(site.rules) and site.rules[naming].is_users
        return not is_named and site.rules[number].selector.matches(site.paths, path)

    def reason(self, block: int, odds: float) -> str:
        """Return the reason of the decision on a block, given its log-odds. Lists of all blocks take long to make."""
        number = self.verdicts.by_of(block)
        if number >= 0:
            return self._site.rules[number].line
        if number == Decider.RETURNING:
            line = self._returning[block]
            return "returns, by hand" if line.is_users else f"on {line.on} learned pages"
        return REASONS.get(Decider(number), f"scored {odds:+.1f}")

    def _leave_out_returning(self, view: View) -> dict[int, ReturningText]:
        """Drop the known texts of the site from the kept text, unless hardly any text is left.

        Return their lines by block.
        """
        if not self._site.knowledge.returning:
            return {}
        kept, lengths = self.verdicts.kept, self._columns.lengths
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
        for label, part in labels_alone(view, found):
            found[label] = found[part]
        for index in found:
            self.verdicts.set(index, False, TEMPLATE_ODDS, Decider.RETURNING)
        return found

    def _known_lines(self, kept: Sequence[int]) -> dict[int, ReturningText]:
        """Return the lines of known texts among blocks, even with different line breaks."""
        known, paths, columns = self._site.knowledge.known_texts, self._site.paths, self._columns
        elements = columns.elements
        found: dict[int, ReturningText] = {}
        for index in kept:
            if index in found or not known.may_begin(columns.text(index)):
                continue  # nearly all texts
            end = index + 1
            while elements[end : end + 1] == elements[index : index + 1] and end < index + MAX_PARTS:
                end += 1
            lines = known.lines_from([*map(columns.text, range(index, end))], paths, columns.path_of(index))
            if lines is not None:
                parts, line = lines
                found.update((part, line) for part in range(index, index + parts) if self.verdicts.keeps(part))
        return found

    @cached_property
    def _outline(self) -> Outline:
        return Outline(self._page.url, self._page.shown.head, self._columns, self._site.signatures)

    def _kind_by_facts(self) -> PageKind | None:
        """Return the kind of a placeholder by its own text; ``None`` for a regular page or text kept by hand."""
        columns, verdicts, head = self._columns, self.verdicts, self._page.shown.head
        if self._site.users and any(map(self.is_by_user, verdicts.kept)):
            return None
        is_article = head.is_article or verdicts.outside_links() >= MAX_PLAIN
        is_framed = not self._outline.is_bare or self._has_frame()
        if (
            is_framed
            and not self._outline.is_garbled
            and (is_article or verdicts.has_own(self._page.often, most_framed(columns, self._site.signatures)))
        ):
            return None  # most pages, without a closer look
        own = verdicts.kept if is_article else columns.unrepeated(verdicts.kept, self._page.often)
        facts = facts_about(self._outline, own, is_framed=is_framed)
        return None if facts is None else facts.kind

    def _has_frame(self) -> bool:
        """Return True if the page has most texts shared by the learned pages of the site, such as a menu."""
        blocks = range(len(self._columns))
        shared = len(blocks) - len(self._columns.unrepeated(blocks, self._page.often))
        return shared >= max(MIN_FRAME, self._site.shared_texts / 2)

    def _kind_remembered(self) -> PageKind | None:
        remembered = self._site.knowledge.placeholders
        if not remembered or any(map(self.is_by_user, self.verdicts.kept)):
            return None
        blocks = self._columns.unrepeated(range(len(self._columns)), self._page.often)
        return kind_remembered(self._outline, blocks, remembered)

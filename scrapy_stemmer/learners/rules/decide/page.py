"""A page labelled by the rules and the scorer of its site: fit, title, text, kind and confidence."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING
from unicodedata import category

from lxml import etree

from scrapy_stemmer.learners.rules.decide.confidence import ConfidenceSigns, confidence_of, expected_f1
from scrapy_stemmer.learners.rules.decide.corrections.table import Decider
from scrapy_stemmer.learners.rules.decide.decide import Decisions
from scrapy_stemmer.learners.rules.decide.title import PageTitles, agreed_title
from scrapy_stemmer.learners.rules.site.columns import Signs, body_of
from scrapy_stemmer.learners.rules.site.paths import Component
from scrapy_stemmer.learners.rules.site.roles import BYLINE_LENGTH, page_kind
from scrapy_stemmer.learners.rules.site.rules import DROP, Rule
from scrapy_stemmer.learners.rules.site.site import Knowledge, PlacedPage
from scrapy_stemmer.page.blocks import (
    MAIN_ROLES,
    TEXT_ROLES,
    LayoutBlock,
    PageKind,
    PathComponent,
    Piece,
    Role,
    path_of,
)
from scrapy_stemmer.page.elements import HEADINGS
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.text import BACK, significant
from scrapy_stemmer.patterns.base import LabelledBlock
from scrapy_stemmer.writing.plain_text import line_text, page_text, units_in
from scrapy_stemmer.writing.pruned_html import pruned_html

if TYPE_CHECKING:
    from scrapy_stemmer.learners.rules.decide.scorer import Scorer

MIN_FIT = 0.5  # share of a page's text on known paths from which the page fits the site's layouts

LARGEST_ODDS = 700.0  # greatest log-odds of a noise confidence: ``exp`` overflows above 709

INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\ufeff"))
"""Characters that no title has: soft hyphens, zero-width spaces and byte order marks."""


class RulesPage:
    """A page with roles of blocks on demand; see :class:`scrapy_stemmer.patterns.base.Labels`."""

    def __init__(self, placed: PlacedPage, least: float = 0.5, scorer: Scorer | None = None) -> None:
        self.placed, self._site, self._columns, self._head = placed, placed.site, placed.columns, placed.shown.head
        self._least, self._scorer = least, scorer
        self._titles = PageTitles(placed)
        self.decisions = Decisions(placed, self._titles, least, scorer)

    def relabelled(self, rules: Sequence[Rule], known: Knowledge) -> RulesPage:
        """Return the page labelled by rules by hand and the scorer; see :meth:`PlacedPage.relabelled`."""
        return RulesPage(self.placed.relabelled(rules, known), self._least, self._scorer)

    def __deepcopy__(self, memo: object) -> RulesPage:
        return self

    @property
    def has_text(self) -> bool:
        return len(self._columns) > 0

    @cached_property
    def similarity(self) -> float:
        """Share of the page's text on paths with text on learned pages; 0 without text."""
        return round(self.decisions.verdicts.known_share(self._site.is_known), 3)

    @property
    def fits(self) -> bool:
        return self.similarity >= MIN_FIT

    @property
    def path_share(self) -> float | None:
        return self._site.usual_share(self._columns)

    # Confidence

    @property
    def signs(self) -> ConfidenceSigns:
        return ConfidenceSigns(expected_f1(self.placed, self.decisions), self.similarity, self._site.knowledge.pages)

    def confidence(self) -> float:
        """Return the probability that nine tenths of the text are right, from 0 to 1; 0 without text."""
        return confidence_of(self.signs) if self.decisions.verdicts.kept else 0.0

    # Title and kind

    def title(self) -> str | None:
        """Return the title: the naming heading as far as the head agrees, else a title in the head."""
        block = self._title_block
        titles = self._titles
        title = titles.of_head if block is None else agreed_title(line_text(titles.text(block)), self._head)
        title = title or ""
        return (title if title.isascii() else title.translate(INVISIBLE)).strip() or None

    @cached_property
    def _title_block(self) -> int | None:
        """Number of the title's block, or ``None``.

        A naming block outside the text gives way to the first block of text, if equal. Without a naming block, the
        first block of text must equal the title in the head.
        """
        titles, naming, kept = self._titles, self._titles.naming_block, self.decisions.verdicts.kept
        if not kept or (naming is not None and self.decisions.verdicts.keeps(naming)):
            return naming
        title = titles.of_head if naming is None else titles.text(naming)
        return kept[0] if title is not None and titles.text(kept[0]).lower() == title.lower() else naming

    @cached_property
    def _title_lines(self) -> range:
        """Numbers of the title's blocks, lines of one heading; none if a rule by hand drops the heading."""
        start = self._title_block
        if start is None or self.decisions.is_dropped_by_name(start):
            return range(0)
        return self._columns.lines_of_heading(start)

    def placeholder(self) -> PageKind | None:
        return self.decisions.placeholder

    def kind(self) -> PageKind:
        if self.decisions.placeholder is not None:
            return self.decisions.placeholder
        text = self.decisions.verdicts.kept or range(len(self._columns))
        return page_kind(self._columns, text, self.placed.often, self._head)

    def hidden_chars(self) -> int:
        return max(0, self.decisions.verdicts.decided(Decider.HIDDEN))

    # Output

    def text(self, roles: Collection[Role]) -> str:
        head, shown, asked = self._head, self.placed.shown, self._blocks_of(roles)
        has_units = head.has_formulas or head.has_readings
        has_units = has_units and next(shown.tree.iter("math", "ruby"), None) is not None
        signs = [
            run for run in signs_beside(self.placed, asked) if run.text.strip(BACK) or _is_in_cell(self.placed, run)
        ]
        root = shown.root if has_units else shown.tree
        units, parted = (units_in(root), ()) if has_units else (None, shown.parted)
        return page_text(body_of(root), self._columns, asked, signs, head.has_tasks, units, parted)

    def html(self, roles: Collection[Role]) -> str:
        root, body, pieces = self._pieces(roles)
        return pruned_html(root, pieces, self.placed.url, body, self._head.has_formulas)

    def markdown(self, roles: Collection[Role], links: bool, images: bool) -> str:
        from scrapy_stemmer.writing.markdown import markdown_of_pieces  # rarely needed

        root, body, pieces = self._pieces(roles)
        return markdown_of_pieces(root, pieces, self.placed.url, links, images, body, self._head.has_formulas)

    def _pieces(self, roles: Collection[Role]) -> tuple[etree._Element, etree._Element, list[int]]:
        """Return the tree, its body, and the numbers of the pieces of the blocks of some roles."""
        asked, root = self._blocks_of(roles), self.placed.shown.root
        runs = chain(map(self._columns.pieces_of, asked), (run.pieces for run in signs_beside(self.placed, asked)))
        return root, body_of(root), list(chain.from_iterable(runs))

    def blocks(self) -> Iterator[LabelledBlock]:
        places = self.placed.places(range(len(self._columns)))
        for index, odds in enumerate(self.decisions.verdicts.odds):
            block = layout_block(self.placed, index, places[index])
            noise = round(1 / (1 + math.exp(min(odds, LARGEST_ODDS))), 3)
            yield LabelledBlock(block, self._role(index), noise, (self.decisions.reason(index, odds),))

    def _blocks_of(self, roles: Collection[Role]) -> list[int]:
        """Return the numbers of the blocks of some roles. Text has main roles, as has the title anywhere."""
        title, kept = self._title_lines, self.decisions.verdicts.kept
        if roles in (MAIN_ROLES, TEXT_ROLES):
            # The most frequent case, without the roles of all blocks.
            if not title:
                return kept
            added = title if Role.TITLE in roles else []
            return [*kept[: bisect_left(kept, title.start)], *added, *kept[bisect_left(kept, title.stop) :]]
        of_text, of_others = not MAIN_ROLES.isdisjoint(roles), not MAIN_ROLES.issuperset(roles)
        asked = [
            index
            for index, is_text in enumerate(self.decisions.verdicts.is_text)
            if (of_text if is_text else of_others) or index in title
        ]
        return [index for index in asked if self._role(index) in roles]

    @cached_property
    def _content(self) -> range:
        """Blocks from the first to the last block of text."""
        kept = self.decisions.verdicts.kept
        return range(kept[0], kept[-1] + 1) if kept else range(0)

    def _role(self, index: int) -> Role:
        if index in self._title_lines:
            return Role.TITLE
        verdicts, path, roles = self.decisions.verdicts, self._columns.path_of(index), self._site.roles
        number = verdicts.by_of(index)
        given = self._site.rules[number].role if number >= 0 else None
        if verdicts.keeps(index):
            return given if given in MAIN_ROLES else roles.of_text(path)
        if given is not None and given not in MAIN_ROLES:
            return given
        if number in (Decider.GUTTERS, Decider.HIDDEN):
            return Role.TEMPLATE
        is_short, is_inside = self._columns.lengths[index] < BYLINE_LENGTH, index in self._content
        if self._columns.times[index] and is_short and is_inside:
            role = Role.BYLINE
        else:
            is_link = self.placed.is_link(index)
            role = roles.of_other(path, is_short=is_short, is_link=is_link, is_inside=is_inside)
        # Last, as the slowest check.
        return Role.TEMPLATE if role is not Role.TEMPLATE and self.placed.is_repeated(index) else role


WITH_SIGNS = HEADINGS | {"pre", "dt", "dd", "td", "th", "li"}  # may be of signs alone, beside text
MAX_AROUND = 30  # elements searched around signs
BEFORE, BOTH = 1, 3  # sides of signs with a block
PATH_PARTS = 3  # components of a block's path in its feature


def signs_beside(page: PlacedPage, asked: list[int]) -> Iterator[Signs]:
    """Yield the runs of signs, such as operators in a table, beside some blocks.

    Signs are no blocks, so only a rule for dropping decides on signs. Otherwise both neighbours do; in a list, a table
    or code the neighbour within.
    """
    known: dict[int, bool] = {}
    for found, sides in page.columns.signs_beside(asked):
        run = Signs._make(found)
        path = page.columns.paths[run.element]
        if path not in known:
            known[path] = _may_be_text(page, path)
        if not known[path]:
            continue
        is_with = sides == BOTH or _is_with(page, run, run.before - (sides == BEFORE))
        if is_with and any(category(sign)[0] in "PS" for sign in run.text):
            yield run


def _may_be_text(page: PlacedPage, path: int) -> bool:
    number = page.site.of_path[path].rule
    is_shown = not any(each.hidden for each in islice(page.components_of(path), MAX_AROUND))
    return is_shown and (number < 0 or page.site.rules[number].action != DROP)


def _is_with(page: PlacedPage, run: Signs, block: int) -> bool:
    """Return True if an element of signs has an ancestor in common with a neighbouring block, but not with the
    opposite."""
    if _tag_of(page, run.element) not in WITH_SIGNS:
        return False
    elements, opposite = page.columns.elements, 2 * run.before - 1 - block
    own, other = (_around(page, elements[at]) if 0 <= at < len(elements) else [] for at in (block, opposite))
    nearest = next((each for each in _around(page, run.element) if each in own), 0)
    return nearest > 0 and nearest not in other


def _is_in_cell(page: PlacedPage, run: Signs) -> bool:
    return any(_tag_of(page, each) in ("td", "th") for each in _around(page, run.element))


def _tag_of(page: PlacedPage, element: int) -> str:
    return page.site.paths.components[page.columns.paths[element]].tag


def _around(page: PlacedPage, element: int) -> list[int]:
    found: list[int] = []
    while element >= 0 and len(found) < MAX_AROUND:
        found.append(element)
        element = page.columns.parents[element]
    return found


def layout_block(page: PlacedPage, block: int, pieces: Sequence[Piece]) -> LayoutBlock:
    line = islice(page.components_of(page.columns.path_of(block)), PATH_PARTS)
    components = tuple(map(_path_component, line))[::-1]
    text, length = page.columns.text(block), page.columns.lengths[block]
    sig = significant(text)
    plain = length - min(length, page.columns.linked[block])
    return LayoutBlock(
        path=path_of(components),
        text=text,
        sig=sig,
        weight=len(sig),
        weight_noanchor=round(len(sig) * plain / max(1, length)),
        components=components,
        pieces=tuple(pieces),
    )


def _path_component(component: Component) -> PathComponent:
    values = {
        name: tuple(each[1:] for each in component.names if each[0] == mark)
        for name, mark in (("class", "."), ("id", "#"))
    }
    return PathComponent(component.tag, tuple((name, given) for name, given in values.items() if given))

"""One page as the rules and the scorer of its site label it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from lxml import etree

from scrapy_stemmer.core.blocks import MAIN_ROLES, LayoutBlock, PageKind, Piece, Role
from scrapy_stemmer.core.blocks import Component as PathComponent
from scrapy_stemmer.core.document import pruned_html
from scrapy_stemmer.core.text import significant
from scrapy_stemmer.learners.rules.paths import MASK, Component
from scrapy_stemmer.learners.rules.read_py import MOSTLY_LINKS, Measures
from scrapy_stemmer.learners.rules.reading import measures_of
from scrapy_stemmer.learners.rules.roles import (
    LONG,
    OFTEN,
    Evidence,
    KindBlock,
    PathRoles,
    confidence_of,
    evidence_of,
    kind_of,
)
from scrapy_stemmer.learners.rules.site import PlacedPage, SiteReader
from scrapy_stemmer.learners.rules.titles import (
    MAX_TIMES,
    Head,
    agreed_title,
    best_heading,
    head_of,
    own_title,
    own_titles,
)
from scrapy_stemmer.patterns.base import LabelledBlock

MAX_UNDECIDED = 0.04
"""Up to this share of a page's text on paths that the rules don't decide on, the nearest rule decides all the same."""

MIN_KEPT = 0.02
"""Where the rules keep less than this share of a page's text, the scorer decides on all of the page."""

MIN_FIT = 0.5
"""A page fits its site's layouts when this share of its text stands where learned pages had text."""

WITH_TITLE = MAIN_ROLES | {Role.TITLE}
"""The roles of text on pages of which the title is a part."""

PATH_PARTS = 3
"""Components of a block's path that its feature shows."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """What is decided on the blocks of a page.

    :param odds: for each block the log-odds that it is text.
    :param rules: for each block the number of the rule that decided, -1 for the scorer.
    """

    odds: Sequence[float]
    rules: Sequence[int]


class RulesPage:
    """A page whose blocks get their roles when they are asked for; see :class:`scrapy_stemmer.patterns.base.Labels`.

    :param root: its tree, which must not be changed as long as this is used.
    :param reader: of its site.
    :param url: its address.
    :param least: log-odds above which a block is text.
    """

    def __init__(self, root: etree._Element, reader: SiteReader, url: str, least: float = 0.0) -> None:
        self._root = root
        self._reader = reader
        self._url = url
        self._placed: PlacedPage = reader.place(root)
        self._lengths = [len(text) - text.count(" ") for text in self._placed.columns.texts]
        self._decisions = self._decide()
        self._is_text = [odds > least for odds in self._decisions.odds]

    def __deepcopy__(self, memo: object) -> RulesPage:
        """Itself: it never changes, and its tree must not."""
        return self

    @property
    def has_text(self) -> bool:
        """Whether there is any block."""
        return bool(self._lengths)

    @cached_property
    def similarity(self) -> float:
        """The share of the page's text that stands where learned pages had text; 0 without text."""
        is_known, blocks = self._placed.site.is_known, zip(self._paths_of_blocks, self._lengths, strict=True)
        kept = [block for block, is_text in zip(blocks, self._is_text, strict=True) if is_text]
        total = sum([length for _, length in kept])
        return round(sum([length for path, length in kept if is_known[path]]) / total, 3) if total else 0.0

    @property
    def fits(self) -> bool:
        """Whether the page is of a layout that was learned."""
        return self.similarity >= MIN_FIT

    @property
    def path_share(self) -> float | None:
        """The share of the paths that learned pages usually had that this one has too."""
        return self._placed.site.usual_share(self._placed.paths)

    @cached_property
    def text_roles(self) -> frozenset[Role]:
        """The roles of blocks that make up the page's text: the title is one where it was decided to be text."""
        title = self._title_block
        return WITH_TITLE if title is not None and self._is_text[title] else MAIN_ROLES

    def texts(self, roles: Collection[Role], everywhere: bool) -> list[str]:
        """See :meth:`scrapy_stemmer.patterns.base.Labels.texts`."""
        texts = self._placed.columns.texts
        return [texts[index] for index in self._of(roles)]

    def _of(self, roles: Collection[Role]) -> list[int]:
        """The numbers of the blocks of some roles."""
        if roles == self.text_roles:
            # What nearly everybody asks for, without the roles of all blocks.
            without = None if Role.TITLE in roles else self._title_block
            return [index for index, is_text in enumerate(self._is_text) if is_text and index != without]
        return [index for index, role in enumerate(self._roles) if role in roles]

    def html(self, roles: Collection[Role]) -> str:
        """The HTML of the blocks of some roles."""
        return pruned_html(self._root, (piece for index in self._of(roles) for piece in self._pieces(index)))

    def _pieces(self, index: int) -> Iterator[tuple[etree._Element, bool]]:
        """Where the text of a block stands: elements, and whether it is their tail."""
        columns = self._placed.columns
        here = slice(columns.starts[index], columns.ends[index])
        return zip(columns.stretches[here], columns.tails[here], strict=True)

    def title(self) -> str | None:
        """What the page is called: the heading that names it, as far as its head agrees; else what its head says."""
        head, parts = self._head, self._reader.knowledge.title_parts
        block = self._title_block
        if block is None:
            return own_title(head, parts)
        return agreed_title(self._placed.columns.texts[block], own_titles(head, parts))

    def kind(self) -> PageKind:
        """What the page is there for."""
        linked = self._placed.columns.linked
        kept = [
            KindBlock(self._lengths[index], linked[index], not self._is_repeated(index), index)
            for index, is_text in enumerate(self._is_text)
            if is_text
        ]
        return kind_of(self._head, kept, self._headlines, self._names_around)

    def confidence(self) -> float:
        """How sure it is that nine tenths of the text are right, from 0 to 1."""
        return confidence_of(self.evidence)

    @property
    def evidence(self) -> Evidence | None:
        """What the confidence is made of; ``None`` for a page without text."""
        pages = self._reader.knowledge.pages
        return evidence_of(self._decisions.odds, self._is_text, self._lengths, self.similarity, pages)

    def blocks(self) -> Iterator[LabelledBlock]:
        """All blocks of the page, in order."""
        for index, (text, role) in enumerate(zip(self._placed.columns.texts, self._roles, strict=True)):
            pieces = tuple(Piece(*piece) for piece in self._pieces(index))
            yield LabelledBlock(
                self._layout_block(index, text, pieces), role, self._noise(index), (self._reason(index),)
            )

    # What was decided

    @cached_property
    def _paths_of_blocks(self) -> list[int]:
        paths = self._placed.paths
        return [paths[element] for element in self._placed.columns.elements]

    def _decide(self) -> Decisions:
        """By rules; on paths where they don't decide by the scorer, if much text stands there."""
        site, rules = self._placed.site, self._reader.rules
        odds_of_rules = self._reader.rule_odds
        paths = self._paths_of_blocks
        numbers = [site.rules[path] for path in paths]
        odds = [odds_of_rules[number] for number in numbers]
        is_decided, lengths = site.is_decided, self._lengths
        open_ = [index for index, path in enumerate(paths) if not is_decided[path]]
        total = sum(lengths)
        if sum([length for odd, length in zip(odds, lengths, strict=True) if odd > 0]) < MIN_KEPT * total:
            # The rules leave next to nothing: the page is none of those that they were made from.
            open_ = [index for index, number in enumerate(numbers) if number < 0 or not rules[number].is_users]
        if open_ and sum([lengths[index] for index in open_]) > MAX_UNDECIDED * total:
            for index, scored in zip(open_, self._scored(open_), strict=True):
                odds[index], numbers[index] = scored, -1
        return Decisions(odds, numbers)

    def _scored(self, which: Sequence[int]) -> Sequence[float]:
        """The scorer's log-odds of some blocks."""
        from scrapy_stemmer.learners.rules.scorer import scored  # numpy, which most pages don't need

        reader = self._reader
        return scored(self._url, self._placed, self._measures, self._head, reader.knowledge, which, reader.scorer)

    @cached_property
    def _measures(self) -> list[Measures]:
        return [measures_of(text) for text in self._placed.columns.texts]

    @cached_property
    def _head(self) -> Head:
        return head_of(self._root)

    # Titles

    @cached_property
    def _title_block(self) -> int | None:
        """The number of the block that names the page; ``None`` without one."""
        titles = self._placed.site.titles
        found = [(titles[path], index) for index, path in enumerate(self._paths_of_blocks) if titles[path] >= 0]
        if not found:
            return None
        rules = self._reader.rules
        for number, index in found:
            if number < len(rules) and rules[number].is_users:
                return index
        # The first block of each title rule, then all other main headings.
        firsts = dict(reversed(found))
        numbers, others = [number for number, _ in found], len(rules)
        headings = [
            firsts[number] for number in sorted(firsts) if number < others and numbers.count(number) <= MAX_TIMES
        ]
        headings += [index for number, index in found if number == others]
        parts, texts = self._reader.knowledge.title_parts, self._placed.columns.texts
        if not headings:
            return None
        if len(headings) == 1 and texts[headings[0]] not in parts:
            return headings[0]
        best = best_heading([texts[index] for index in headings], own_titles(self._head, parts), parts)
        return None if best is None else headings[best]

    # Roles

    @cached_property
    def _roles(self) -> list[Role]:
        """For each block its role."""
        kept = [index for index, is_text in enumerate(self._is_text) if is_text]
        first, last = (kept[0], kept[-1]) if kept else (0, -1)
        return [self._role(index, first <= index <= last) for index in range(len(self._lengths))]

    def _role(self, index: int, is_inside: bool) -> Role:
        if index == self._title_block:
            return Role.TITLE
        path, number = self._paths_of_blocks[index], self._decisions.rules[index]
        given = self._reader.rules[number].role if number >= 0 else None
        if self._is_text[index]:
            return given if given in MAIN_ROLES else self._path_roles.of_text(path)
        if given is not None and given not in MAIN_ROLES:
            return given
        if self._is_repeated(index):
            return Role.TEMPLATE
        length, linked = self._lengths[index], self._placed.columns.linked[index]
        if self._placed.columns.times[index] and length < LONG and is_inside:
            return Role.BYLINE
        is_link = linked > MOSTLY_LINKS * length
        return self._path_roles.of_other(path, is_short=length < LONG, is_link=is_link, is_inside=is_inside)

    @cached_property
    def _path_roles(self) -> PathRoles:
        return self._reader.path_roles(self._placed.site)

    def _is_repeated(self, index: int) -> bool:
        """Whether half of the learned pages have the text of a block."""
        knowledge = self._reader.knowledge
        times = knowledge.texts.get(self._measures[index].key & MASK, 0)
        return times >= OFTEN * knowledge.pages and not self._is_learned

    @cached_property
    def _is_learned(self) -> bool:
        return self._reader.knowledge.is_learned([measures.key for measures in self._measures])

    def _headlines(self) -> list[str]:
        components, texts = self._placed.site.paths.components, self._placed.columns.texts
        placed = zip(texts, self._paths_of_blocks, strict=True)
        return [text for text, path in placed if components[path].tag in ("h1", "h2")]

    def _names_around(self, index: int) -> list[str]:
        return [name for component in self._line(index) for name in component.names]

    # Blocks as users see them

    def _line(self, index: int) -> Iterator[Component]:
        """The components around a block, the innermost first."""
        paths, path = self._placed.site.paths, self._paths_of_blocks[index]
        while path >= 0:
            yield paths.components[path]
            path = paths.parents[path]

    def _noise(self, index: int) -> float:
        return round(1 / (1 + math.exp(self._decisions.odds[index])), 3)

    def _reason(self, index: int) -> str:
        """What decided on a block."""
        number = self._decisions.rules[index]
        return f"scored {self._decisions.odds[index]:+.1f}" if number < 0 else self._reader.rules[number].line

    def _layout_block(self, index: int, text: str, pieces: tuple[Piece, ...]) -> LayoutBlock:
        line = list(islice(self._line(index), PATH_PARTS))[::-1]
        components = tuple(_component(component) for component in line)
        path = "/".join(component.tag + "".join(component.names) for component in line)
        sig = significant(text)
        length = self._lengths[index]
        plain = length - min(length, self._placed.columns.linked[index])
        return LayoutBlock(path, text, sig, len(sig), round(len(sig) * plain / max(1, length)), components, pieces)


def _component(component: Component) -> PathComponent:
    """A component as the other learners have them."""
    ids = tuple(name[1:] for name in component.names if name.startswith("#"))
    classes = tuple(name[1:] for name in component.names if name.startswith("."))
    attributes = [(name, values) for name, values in (("class", classes), ("id", ids)) if values]
    return PathComponent(component.tag, tuple(attributes))

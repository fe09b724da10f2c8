"""A page as the pattern of the evidence learner labels it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from lxml import etree

from scrapy_stemmer.core.blocks import LayoutBlock, Piece
from scrapy_stemmer.core.evidence.confidence import confidence_of
from scrapy_stemmer.core.evidence.decision import Decision, Verdict, decide
from scrapy_stemmer.core.evidence.kinds import kind_of
from scrapy_stemmer.core.evidence.model import Reading, known_share
from scrapy_stemmer.core.evidence.outline import Stretch, TextBlock
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.core.evidence.places import Place
from scrapy_stemmer.core.evidence.reading import SiteReader
from scrapy_stemmer.core.evidence.roles import blocks_of, role_of, roles_of, texts_of
from scrapy_stemmer.core.evidence.surroundings import OPEN
from scrapy_stemmer.core.evidence.titles import agreed_title, own_title, own_titles
from scrapy_stemmer.core.evidence.walk import Tree, tree_of
from scrapy_stemmer.core.labels import MAIN_ROLES, SUB_ROLES, PageKind, Role
from scrapy_stemmer.core.text import significant
from scrapy_stemmer.patterns.base import LabelledBlock, LazyBlocks, PageMatch

PATH_PARTS = 3
"""Components of a block's path that its feature shows."""

MAX_EVIDENCE = 3
"""Pieces of evidence that a block names."""

OPEN_ROLES = MAIN_ROLES | {Role.TITLE}
"""The roles of the text of a page that is no article: the title is a part of it."""

OTHER_ROLES = SUB_ROLES | {Role.TEMPLATE}
"""The roles that blocks have which are not text."""

UNREAD = "no text there in the sample -4.6"
"""The evidence of blocks that were not read, since the page's region was known before."""

UNREAD_NOISE = 0.99
"""The noise confidence of such a block."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A block of a page, and what it was seen against.

    :param index: its place among the blocks of the reading.
    :param least: what scores more is text.
    :param whole: the same block where all of the page is read.
    :param is_unread: whether it stands where the sample had no text: its role is told as if it had been read, but that
        it is no text.
    """

    reading: Reading
    verdict: Verdict
    index: int
    least: float
    whole: TextBlock
    is_unread: bool = False

    @property
    def block(self) -> TextBlock:
        """The block."""
        return self.reading.evidence[self.index].block

    @property
    def role(self) -> Role:
        """Its role."""
        return role_of(self.verdict, self.index, self.verdict.scores[self.index] > self.least)


class EvidencePage:
    """A page whose blocks get their roles when they are asked for; see :class:`scrapy_stemmer.patterns.base.Labels`.

    :param tree: its tree.
    :param reader: what read it.
    :param reading: what was read.
    :param verdict: what was decided on that.
    :param least: what scores more is text.
    :ivar similarity: share of its text in elements that the site has.
    """

    __slots__ = ("_least", "_reader", "_reading", "_roles", "_roles_of_text", "_tree", "_verdict", "similarity")

    similarity: float

    def __init__(self, tree: Tree, reader: SiteReader, reading: Reading, verdict: Verdict, least: float) -> None:
        self._tree = tree
        self._reader = reader
        self._reading = reading
        self._verdict = verdict
        self._least = least
        self.similarity = known_share(reading)
        self._roles: list[Role | None] | None = None
        self._roles_of_text: list[Role | None] | None = None

    @property
    def text_roles(self) -> frozenset[Role]:
        """The roles of blocks that make up its text."""
        return _text_roles_of(self._verdict)

    def texts(self, roles: Collection[Role], everywhere: bool) -> list[str]:
        """See :meth:`Labels.texts`; none of the blocks that were not read is text."""
        only_text = OTHER_ROLES.isdisjoint(roles)
        if everywhere and self._may_be_unread(only_text):
            return [one.block.text for one in self._everywhere() if one.role in roles]
        return texts_of(self._reading, self._roles_of(only_text), roles)

    def html(self, roles: Collection[Role]) -> str:
        """See :meth:`Labels.html`."""
        only_text = OTHER_ROLES.isdisjoint(roles)
        if self._may_be_unread(only_text):
            regions, blocks = None, [one.whole for one in self._everywhere() if one.role in roles]
        else:
            regions, blocks = self._reading.regions, blocks_of(self._reading, self._roles_of(only_text), roles)
        return self._reader.html(self._tree, regions, blocks)

    def _may_be_unread(self, only_text: bool) -> bool:
        """Whether some blocks of the roles that are asked for may stand where the page was not read.

        :param only_text: see :meth:`_roles_of`.
        """
        return self._reading.regions is not None and not only_text

    def _roles_of(self, only_text: bool) -> list[Role | None]:
        """The roles of the blocks that were read; worked out once.

        :param only_text: whether those of text are enough.
        """
        known = self._roles
        if known is None and only_text:
            known = self._roles_of_text
        if known is None:
            known = roles_of(self._reading, self._verdict, self._least, only_text, self._roles_of_text)
            if only_text:
                self._roles_of_text = known
            else:
                self._roles = known
        return known

    def kind(self) -> PageKind:
        """See :meth:`Labels.kind`."""
        return kind_of(self._reading, self._verdict)

    def confidence(self) -> float:
        """See :meth:`Labels.confidence`."""
        return confidence_of(self._reading, self._verdict, self._reader.model, self.similarity)

    def title(self) -> str | None:
        """The heading that names the page, as far as its head agrees; what the head says where there is none."""
        head, parts = self._reading.outline.head, self._reader.model.title_parts
        index = self._verdict.around.title
        if index < 0:
            return own_title(head, parts)
        return agreed_title(self._reading.evidence[index].block.text, own_titles(head, parts))

    def blocks(self) -> Iterator[LabelledBlock]:
        """All blocks of the page; those that were not read are no text."""
        seen = self._everywhere()
        pieces = self._reader.stretches(self._tree, None, (one.whole for one in seen))
        return map(_labelled, seen, pieces)

    def _everywhere(self) -> list[_Seen]:
        """All blocks of the page."""
        reading, verdict, least = self._reading, self._verdict, self._least
        read = [_Seen(reading, verdict, index, least, found.block) for index, found in enumerate(reading.evidence)]
        if reading.regions is None:
            return read
        page = self._reader.whole(self._tree, reading.regions)
        whole, verdict, rest = page.reading, decide(page.reading, self._reader.model), iter(read)
        return [
            replace(next(rest), whole=found.block)
            if was_read
            else _Seen(whole, verdict, index, math.inf, found.block, is_unread=True)
            for index, (found, was_read) in enumerate(zip(whole.evidence, page.was_read, strict=True))
        ]


def _text_roles_of(verdict: Verdict) -> frozenset[Role]:
    return OPEN_ROLES if verdict.around.openness >= OPEN else MAIN_ROLES


def match_of(name: str, root: etree._Element, reader: SiteReader, diffscore: float) -> PageMatch | None:
    """A page as the pattern of its site labels it; ``None`` when it has no text.

    :param name: the pattern's name.
    :param root: see :func:`page_of`, ``reader`` and ``diffscore`` too.
    """
    page = page_of(root, reader, diffscore)
    if page is None:
        return None
    return PageMatch(name, page.similarity, LazyBlocks(page.blocks), (), _text_roles_of(page._verdict), page)


def page_of(root: etree._Element, reader: SiteReader, diffscore: float) -> EvidencePage | None:
    """A page as its site's reader sees it; ``None`` when it has no text.

    :param root: its tree, which is not changed.
    :param diffscore: blocks with a noise confidence of ``1 - diffscore`` or more are not text.
    """
    tree = tree_of(root)
    reading = reader.read_tree(tree)
    if not reading.evidence:
        return None
    return EvidencePage(tree, reader, reading, decide(reading, reader.model), _least_score(diffscore))


def _least_score(diffscore: float) -> float:
    """The score above which a noise confidence is less than ``1 - diffscore``."""
    if diffscore == 0.5:
        # What all but a few ask for.
        return 0.0
    if diffscore <= 0 or diffscore >= 1:
        return -math.inf if diffscore <= 0 else math.inf
    return math.log(diffscore / (1 - diffscore))


def _labelled(seen: _Seen, pieces: Sequence[Stretch]) -> LabelledBlock:
    found, decision = seen.reading.evidence[seen.index], seen.verdict.decision(seen.index)
    block = _layout_block(seen.reading.paths, found.place, found.block, pieces)
    noise = 1.0 / (1.0 + math.exp(decision.score))
    evidence = strongest(decision)
    if seen.is_unread:
        noise, evidence = max(UNREAD_NOISE, noise), (UNREAD, *evidence[: MAX_EVIDENCE - 1])
    return LabelledBlock(block, seen.role, noise, evidence)


def strongest(decision: Decision) -> tuple[str, ...]:
    """The pieces of evidence that decided most, with what they added to the score."""
    strongest = sorted(decision.terms, key=lambda term: -abs(term[1]))[:MAX_EVIDENCE]
    return tuple(f"{name} {value:+.1f}" for name, value in strongest)


def _layout_block(paths: PathTree, place: Place, block: TextBlock, stretches: Sequence[Stretch]) -> LayoutBlock:
    names = [paths.row(number)[1] for number in paths.line(place.path)[-PATH_PARTS:]]
    sig = significant(block.text)
    outside = len(sig) * (block.weight - block.anchor_weight) // block.weight
    pieces = tuple(Piece(element, is_tail) for element, is_tail in stretches)
    return LayoutBlock("/".join(names), block.text, sig, len(sig), outside, pieces=pieces)

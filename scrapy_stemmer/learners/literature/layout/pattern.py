"""The layout pattern of Webstemmer: the sequence of sections that the pages of one layout share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

from scrapy_stemmer.core.document import Document
from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.learners.literature.layout.alignment import ALIGNMENTS
from scrapy_stemmer.patterns.base import LabelledBlock, MatchOptions, PageMatch, Pattern, Role
from scrapy_stemmer.patterns.record import Between, Record, Share

UNKNOWN_NOISE = 0.5  # noise confidence of a block that no section takes: nothing is known about it


@dataclass(frozen=True, slots=True)
class Section:
    """One element of a layout pattern: the blocks of a feature, their path, at one place of the sequence."""

    feature: str
    diffscore: Share  # how much its text differs from page to page
    mainscore: Annotated[float, Between(0.0)]  # how many varying characters outside links it holds on average
    support: Annotated[int, Between(0)] = 0  # pages of the cluster that have it
    # texts of single blocks that stood in it on several pages; template wherever they return
    repeated: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LayoutPattern(Pattern):
    """A layout of a site."""

    kind: ClassVar[str] = "layout"

    sections: tuple[Section, ...]  # the sequence of sections
    title_index: int | None = None  # index of the section that holds the title; ``None`` when none was found
    block_options: BlockOptions = BlockOptions()  # how pages are cut into blocks, as when the pattern was learned
    alignment: str = "runs"  # one of ALIGNMENTS

    @cached_property
    def features(self) -> tuple[str, ...]:
        return tuple(section.feature for section in self.sections)

    def match(self, document: Document, options: MatchOptions) -> PageMatch | None:
        """Label a page when more than the threshold of its text lies in sections. Only the page's text counts: a page
        may lack sections (as in extract.py), unless ``options.strict``, which asks for those that every page of the
        cluster had."""
        blocks = document.blocks(self.block_options)
        roles = [self.role_of(index, options) for index in range(len(self.sections))]
        owners = ALIGNMENTS[self.alignment](self.features, blocks)
        filled = owners if self.alignment == "original" else fill_gaps(owners, roles)
        total = sum(block.weight for block in blocks)
        known = sum(block.weight for block, owner in zip(blocks, filled, strict=True) if owner is not None)
        similarity = known / total if total else 0.0
        if similarity <= (options.site_threshold if self.site_wide else options.threshold):
            return None
        required = {index for index, section in enumerate(self.sections) if section.support in (0, self.support)}
        if options.strict and not required <= set(owners):
            return None
        labelled = []
        for block, owner, assigned in zip(blocks, filled, owners, strict=True):
            if owner is None:
                role, noise = Role.TEMPLATE, UNKNOWN_NOISE
            elif block.text in self.sections[owner].repeated:
                role, noise = Role.TEMPLATE, 1.0
            else:
                role, noise = roles[owner], UNKNOWN_NOISE if assigned is None else 1.0 - self.sections[owner].diffscore
            labelled.append(LabelledBlock(block, role, noise))
        return PageMatch(self.name, similarity, tuple(labelled))

    def role_of(self, index: int, options: MatchOptions) -> Role:
        """What a section is: title, main text, sub text, or template when it hardly varies."""
        section = self.sections[index]
        if index == self.title_index:
            return Role.TITLE
        if section.diffscore < options.diffscore:
            return Role.TEMPLATE
        after_title = self.title_index is None or index > self.title_index
        return Role.MAIN if after_title and section.mainscore >= options.mainscore else Role.SUB

    def to_record(self) -> dict[str, Any]:
        sections = [asdict(section) for section in self.sections]
        return {
            "alignment": self.alignment,
            "blocks": self.block_options,
            "sections": [{name: value for name, value in section.items() if value != ()} for section in sections],
            "title": self.title_index,
        }

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        sections = tuple([entry.read(Section) for entry in record.records("sections")])
        title = None if record.is_null("title") else record.whole("title", least=0)
        if title is not None and title >= len(sections):
            raise record.error("title", f"must be the index of one of the {len(sections)} sections, not {title}")
        blocks = record.record("blocks")
        options = blocks.read(BlockOptions, mangle=blocks.expression("mangle", BlockOptions().mangle))
        alignment = record.choice("alignment", tuple(ALIGNMENTS), "runs")
        return cls(sections=sections, title_index=title, block_options=options, alignment=alignment, **common)


def fill_gaps(owners: Sequence[int | None], roles: Sequence[Role]) -> list[int | None]:
    """The sections of blocks by index, those without one (``None``) given to main text before or else after them.

    What a layout does not know and what stands beside its main text is nearly always text too, since template
    is what all pages share: of such blocks on real news pages nine in ten words are text (measured).
    """
    filled = list(owners)
    for direction in (range(len(filled)), reversed(range(len(filled)))):
        neighbour: int | None = None
        for index in direction:
            if filled[index] is None and neighbour is not None and roles[neighbour] is Role.MAIN:
                filled[index] = neighbour
            neighbour = filled[index]
    return filled

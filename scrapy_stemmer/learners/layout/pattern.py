"""The layout pattern of Webstemmer: the sequence of sections that the pages of one layout share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

from scrapy_stemmer.core.blocks import BlockOptions, LayoutBlock
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.learners.layout.alignment import absorb, match_weighted, original_assign, runs_of
from scrapy_stemmer.patterns.base import LabelledBlock, MatchOptions, PageMatch, Pattern, Role
from scrapy_stemmer.patterns.record import Record

ALIGNMENTS = ("runs", "original")
"""How pages are aligned with sections: collapsed runs and weighted LCS, or Webstemmer's own way."""

UNKNOWN_NOISE = 0.5
"""Noise confidence of a block that no section takes: nothing is known about it."""


@dataclass(frozen=True, slots=True)
class Section:
    """One element of a layout pattern: the blocks of a feature at one place of the sequence.

    :param feature: path of its blocks.
    :param diffscore: how much its text differs from page to page, from 0 to 1.
    :param mainscore: how many varying characters outside links it holds on average.
    :param support: pages of the cluster that have it.
    :param repeated: texts of single blocks that stood in it on several pages; template wherever they return.
    """

    feature: str
    diffscore: float
    mainscore: float
    support: int = 0
    repeated: tuple[str, ...] = ()


def assign_runs(features: Sequence[str], blocks: Sequence[LayoutBlock]) -> list[int | None]:
    """The index of the section that each block belongs to, by weighted alignment of runs.

    :param features: the sections' features in order.
    """
    numbers = {feature: number for number, feature in enumerate(dict.fromkeys(features))}
    pattern = [numbers[feature] for feature in features]
    runs = runs_of(blocks, numbers)
    weights = [max(1, weight) for weight in runs.weights]
    matches = match_weighted(pattern, [0] * len(pattern), runs.features, weights)
    section_of = {match.second: match.first for match in matches}
    owners = absorb(runs, [match.second for match in matches])
    assigned: list[int | None] = [None] * len(blocks)
    for run, owner in owners.items():
        for block in range(runs.starts[run], runs.starts[run + 1]):
            assigned[block] = section_of[owner]
    return assigned


@dataclass(frozen=True, kw_only=True)
class LayoutPattern(Pattern):
    """A layout of a site.

    :param sections: the sequence of sections.
    :param title_index: index of the section that holds the title; ``None`` when none was found.
    :param block_options: how pages are cut into blocks, as when the pattern was learned.
    :param alignment: one of :data:`ALIGNMENTS`.
    """

    kind: ClassVar[str] = "layout"

    sections: tuple[Section, ...]
    title_index: int | None = None
    block_options: BlockOptions = BlockOptions()
    alignment: str = "runs"

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The sections' features."""
        return tuple(section.feature for section in self.sections)

    def match(self, document: Document, options: MatchOptions) -> PageMatch | None:
        """Label a page when more than the threshold of its text lies in sections.

        Only the page's text counts: a page may lack sections, unless ``options.strict`` (as in extract.py).
        """
        threshold = options.site_threshold if self.site_wide else options.threshold
        blocks = document.blocks(self.block_options)
        roles = [self.role_of(index, options) for index in range(len(self.sections))]
        owners = self.assign(blocks)
        taken = owners if self.alignment == "original" else fill_gaps(owners, roles)
        similarity = _assigned_share(blocks, taken)
        if similarity <= threshold or (options.strict and not self._complete(owners)):
            return None
        labelled = tuple(
            self._label(block, owner, None if owner is None else roles[owner], is_certain=owner == assigned)
            for block, owner, assigned in zip(blocks, taken, owners, strict=True)
        )
        return PageMatch(self.name, similarity, labelled)

    def assign(self, blocks: Sequence[LayoutBlock]) -> list[int | None]:
        """The index of the section that each block of a page belongs to, ``None`` for none."""
        if self.alignment == "original":
            return original_assign(self.features, blocks)
        return assign_runs(self.features, blocks)

    def role_of(self, index: int, options: MatchOptions) -> Role:
        """What a section is: title, main text, sub text, or template when it hardly varies."""
        section = self.sections[index]
        if index == self.title_index:
            return Role.TITLE
        if section.diffscore < options.diffscore:
            return Role.TEMPLATE
        after_title = self.title_index is None or index > self.title_index
        return Role.MAIN if after_title and section.mainscore >= options.mainscore else Role.SUB

    def _complete(self, owners: Sequence[int | None]) -> bool:
        """Whether no section is empty that every page of the cluster had."""
        required = {index for index, section in enumerate(self.sections) if section.support in (0, self.support)}
        return required <= set(owners)

    def _label(self, block: LayoutBlock, owner: int | None, role: Role | None, *, is_certain: bool) -> LabelledBlock:
        if owner is None or role is None:
            return LabelledBlock(block, Role.TEMPLATE, UNKNOWN_NOISE)
        section = self.sections[owner]
        if block.text in section.repeated:
            return LabelledBlock(block, Role.TEMPLATE, 1.0)
        return LabelledBlock(block, role, 1.0 - section.diffscore if is_certain else UNKNOWN_NOISE)

    def to_record(self) -> dict[str, Any]:
        """The fields of this kind as JSON values."""
        return {
            "alignment": self.alignment,
            "blocks": _options_record(self.block_options),
            "sections": [_section_record(section) for section in self.sections],
            "title": self.title_index,
        }

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        """The pattern of a record; see :meth:`Pattern.from_record`."""
        sections = tuple(_section(entry) for entry in record.records("sections"))
        title = None if record.is_null("title") else record.whole("title", least=0)
        if title is not None and title >= len(sections):
            raise record.error("title", f"must be the index of one of the {len(sections)} sections, not {title}")
        return cls(
            sections=sections,
            title_index=title,
            block_options=_block_options(record.record("blocks")),
            alignment=record.choice("alignment", ALIGNMENTS, "runs"),
            **common,
        )


def fill_gaps(owners: Sequence[int | None], roles: Sequence[Role]) -> list[int | None]:
    """The owners of blocks, those without one given to a section of main text next to them.

    What a layout does not know and what stands beside its main text is nearly always text too, since template
    is what all pages share: of such blocks on real news pages nine in ten words are text (measured). The
    section before the gap is preferred to the one after it.

    :param owners: for each block the index of its section, ``None`` for none.
    :param roles: for each section its role.
    """
    filled = list(owners)
    for direction in (range(len(filled)), reversed(range(len(filled)))):
        neighbour: int | None = None
        for index in direction:
            if filled[index] is None and neighbour is not None and roles[neighbour] is Role.MAIN:
                filled[index] = neighbour
            neighbour = filled[index]
    return filled


def _assigned_share(blocks: Sequence[LayoutBlock], owners: Sequence[int | None]) -> float:
    total = sum(block.weight for block in blocks)
    assigned = sum(block.weight for block, owner in zip(blocks, owners, strict=True) if owner is not None)
    return assigned / total if total else 0.0


def _section_record(section: Section) -> dict[str, Any]:
    record = asdict(section)
    if section.repeated:
        record["repeated"] = list(section.repeated)
    else:
        del record["repeated"]
    return record


def _section(record: Record) -> Section:
    return Section(
        feature=record.text("feature"),
        diffscore=record.number("diffscore", least=0.0, most=1.0),
        mainscore=record.number("mainscore", least=0.0),
        support=record.whole("support", least=0, default=0),
        repeated=record.texts("repeated"),
    )


def _options_record(options: BlockOptions) -> dict[str, Any]:
    record = asdict(options)
    record["vocabulary"] = None if options.vocabulary is None else sorted(options.vocabulary)
    return record


def _block_options(record: Record) -> BlockOptions:
    default = BlockOptions()
    return BlockOptions(
        mangle=record.expression("mangle", default.mangle),
        html5=record.flag("html5", default.html5),
        normalize_class=record.flag("normalize_class", default.normalize_class),
        min_chars=record.whole("min_chars", least=0, default=default.min_chars),
        invisible=record.flag("invisible", default.invisible),
        ascii_values=record.flag("ascii_values", default.ascii_values),
        vocabulary=None if record.is_null("vocabulary") else frozenset(record.texts("vocabulary")),
    )

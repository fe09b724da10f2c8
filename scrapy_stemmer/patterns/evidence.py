"""What the evidence learner knows of a site, as a pattern."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.core.evidence.classes import ClassMeans, Means
from scrapy_stemmer.core.evidence.decision import Decision, decide
from scrapy_stemmer.core.evidence.model import Namer, Reading, SiteModel, read
from scrapy_stemmer.core.evidence.outline import TextBlock
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.core.evidence.prior import MAX_LOG_ODDS, Evidence
from scrapy_stemmer.core.evidence.surroundings import OPEN
from scrapy_stemmer.core.evidence.titles import own_title
from scrapy_stemmer.patterns.base import LabelledBlock, MatchOptions, PageMatch, Pattern, Role
from scrapy_stemmer.patterns.record import Record

PATH_PARTS = 3
"""Components of a block's path that its feature shows."""

MAX_EVIDENCE = 3
"""Pieces of evidence that a block names."""

MIN_SUB_SCORE = -4.0
"""Blocks in the region that are not text, and score above this without returning on other pages, are sub text."""

PROFILE = ("static", "link_of_class", "long", "worth")
"""The columns of a class: what blocks of it are like, see :class:`scrapy_stemmer.core.evidence.classes.Profile`."""

PATH_COLUMNS = ("parent", "component", "vote", "link", "repeated", *PROFILE)
"""The columns of a path: the number of the path above it, its last component, the votes that it is the region, the
shares of its text in links and on several pages, and what its own blocks are like, if it has any."""

_HASH = re.compile("[0-9a-f]{16}")

KNOWN_LEVEL = 1
"""A block is known when the site has its element, with the same names, somewhere."""


@dataclass(frozen=True, kw_only=True)
class EvidencePattern(Pattern):
    """A site as the evidence learner sees it; one pattern for all its pages.

    :param model: what was learned.
    """

    kind: ClassVar[str] = "evidence"

    model: SiteModel

    def match(self, document: Document, options: MatchOptions) -> PageMatch | None:
        """Label a page when the site's paths know more than ``options.site_threshold`` of its text.

        Blocks with a noise confidence of ``1 - options.diffscore`` or more are not text; the other options are for
        patterns of layouts.
        """
        reading = read(document.outline, self.model, self._namer)
        similarity = self._known_share(reading)
        if similarity <= options.site_threshold:
            return None
        verdict = decide(reading, self.model)
        blocks = tuple(
            _labelled(reading, found, decision, most_noise=1.0 - options.diffscore)
            for found, decision in zip(reading.evidence, verdict.decisions, strict=True)
        )
        text_roles = {Role.MAIN, Role.TITLE} if verdict.openness >= OPEN else {Role.MAIN}
        return PageMatch(
            pattern=self.name,
            similarity=similarity,
            blocks=blocks,
            text_roles=frozenset(text_roles),
            head_title=own_title(document.outline.head, self.model.title_parts),
        )

    @cached_property
    def _namer(self) -> Namer:
        return Namer(self.model.names)

    def _known_share(self, reading: Reading) -> float:
        total = sum(found.block.weight for found in reading.evidence)
        known = sum(found.block.weight for found in reading.evidence if self._is_known(reading, found.path))
        return known / total if total else 0.0

    def _is_known(self, reading: Reading, path: int) -> bool:
        found = self.model.classes.of(reading.paths, path)
        return found is not None and found[1] >= min(KNOWN_LEVEL, len(reading.paths.suffixes(path)) - 1)

    def to_record(self) -> dict[str, Any]:
        """The fields of this kind as JSON values."""
        model = self.model
        return {
            "article_share": model.article_share,
            "classes": [[suffix, *means] for suffix, means in sorted(model.classes.by_suffix.items())],
            "dominance": model.dominance,
            "fingerprints": sorted(map(_hex, model.fingerprints)),
            "names": None if model.names is None else sorted(model.names),
            "pages": model.pages,
            "paths": [_path_row(model, path) for path in range(len(model.paths))],
            "repeats": [[text, count] for text, count in sorted((_hex(t), n) for t, n in model.repeats.items())],
            "threshold": model.threshold,
            "title_parts": sorted(model.title_parts),
        }

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        """The pattern of a record; see :meth:`Pattern.from_record`."""
        pages = record.whole("pages", least=1)
        paths = record.rows("paths", PATH_COLUMNS)
        model = SiteModel(
            pages=pages,
            names=_names(record, pages),
            fingerprints=_fingerprints(record),
            repeats=dict(_repeat(row, pages) for row in record.rows("repeats", ("text", "pages"))),
            paths=_tree(record, paths),
            classes=ClassMeans(
                {number: _means(row) for number, row in enumerate(paths) if PROFILE[0] in row},
                {row.text("suffix"): _means(row) for row in record.rows("classes", ("suffix", *PROFILE))},
            ),
            threshold=record.number("threshold"),
            votes={number: vote for number, row in enumerate(paths) if (vote := row.number("vote", least=0.0))},
            shares={number: (_unit(row, "link"), _unit(row, "repeated")) for number, row in enumerate(paths)},
            dominance=record.number("dominance", least=0.0, most=1.0),
            article_share=record.number("article_share", least=0.0, most=1.0),
            title_parts=frozenset(record.texts("title_parts")),
        )
        return cls(model=model, **common)


def _path_row(model: SiteModel, path: int) -> list[Any]:
    parent, component = model.paths.row(path)
    link, static = model.shares.get(path, (0.0, 0.0))
    return [parent, component, model.votes.get(path, 0.0), link, static, *model.classes.by_path.get(path, ())]


def _names(record: Record, pages: int) -> frozenset[str] | None:
    """The names that count in paths; null for a single page, whose names are told by their looks."""
    if pages == 1 and record.is_null("names"):
        return None
    record.items("names")
    return frozenset(record.texts("names"))


def _tree(record: Record, rows: Sequence[Record]) -> PathTree:
    if not rows:
        raise record.error("paths", "must have at least the path of the body")
    found: dict[tuple[int, str], int] = {}
    for number, row in enumerate(rows):
        parent, component = row.whole("parent", least=-1), row.text("component")
        if not (parent < number and (parent >= 0) == (number > 0)):
            raise row.error("parent", f"must be the number of an earlier path, -1 for the first, not {parent}")
        if found.setdefault((parent, component), number) != number:
            raise row.error("component", f"stands below path {parent} already, as path {found[parent, component]}")
    return PathTree(found)


def _means(row: Record) -> Means:
    *shares, worth = PROFILE
    return (*(_unit(row, name) for name in shares), row.number(worth, least=-MAX_LOG_ODDS, most=MAX_LOG_ODDS))


def _unit(row: Record, field: str) -> float:
    return row.number(field, least=0.0, most=1.0)


def _repeat(row: Record, most: int) -> tuple[int, int]:
    pages = row.whole("pages", least=1)
    if pages > most:
        raise row.error("pages", f"must be at most the pages of the sample, {most}, not {pages}")
    return _from_hex(row, "text", row.text("text")), pages


def _fingerprints(record: Record) -> frozenset[int]:
    texts = record.texts("fingerprints")
    return frozenset(_from_hex(record, f"fingerprints[{index}]", text) for index, text in enumerate(texts))


def _hex(value: int) -> str:
    return f"{value:016x}"


def _from_hex(record: Record, field: str, text: str) -> int:
    if not _HASH.fullmatch(text):
        raise record.error(field, f"must be 16 hexadecimal digits, not {text!r}")
    return int(text, 16)


def _labelled(reading: Reading, found: Evidence, decision: Decision, *, most_noise: float) -> LabelledBlock:
    """A block with its role.

    :param most_noise: text is what has less noise confidence than this, from 0 to 1.
    """
    strongest = sorted(decision.terms, key=lambda term: -abs(term[1]))[:MAX_EVIDENCE]
    evidence = tuple(f"{name} {value:+.1f}" for name, value in strongest)
    noise = 1.0 / (1.0 + math.exp(decision.score))
    role = _role(decision, is_text=noise < most_noise, repeated=found.repeated)
    return LabelledBlock(_layout_block(reading, found.block), role, noise, evidence)


def _role(decision: Decision, *, is_text: bool, repeated: bool) -> Role:
    if decision.is_title:
        return Role.TITLE
    if is_text:
        return Role.MAIN
    is_sub = decision.inside and not repeated and decision.score > MIN_SUB_SCORE
    return Role.SUB if is_sub else Role.TEMPLATE


def _layout_block(reading: Reading, block: TextBlock) -> LayoutBlock:
    path = reading.places[block.node].path
    names = [reading.paths.row(number)[1] for number in reading.paths.line(path)[-PATH_PARTS:]]
    outside = len(block.sig) * (block.weight - block.anchor_weight) // block.weight
    return LayoutBlock("/".join(names), block.text, block.sig, len(block.sig), outside, pieces=block.pieces)

"""What the evidence learner knows of a site, as a pattern."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from scrapy_stemmer.core.blocks import LayoutBlock, Piece
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.core.evidence.ablation import EvidenceKind
from scrapy_stemmer.core.evidence.classes import ClassMeans, Means
from scrapy_stemmer.core.evidence.confidence import confidence_of
from scrapy_stemmer.core.evidence.decision import Decision, Verdict, decide
from scrapy_stemmer.core.evidence.kinds import kind_of
from scrapy_stemmer.core.evidence.model import Reading, Regions, SiteModel, known_share
from scrapy_stemmer.core.evidence.outline import Stretch, TextBlock
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.core.evidence.places import Place
from scrapy_stemmer.core.evidence.prior import MAX_LOG_ODDS
from scrapy_stemmer.core.evidence.reading import SiteReader
from scrapy_stemmer.core.evidence.roles import blocks_of, role_of, roles_of, texts_of
from scrapy_stemmer.core.evidence.surroundings import OPEN
from scrapy_stemmer.core.evidence.titles import agreed_title, own_title, own_titles
from scrapy_stemmer.core.evidence.walk import Tree, tree_of
from scrapy_stemmer.core.labels import MAIN_ROLES, SUB_ROLES, PageKind, Role
from scrapy_stemmer.core.text import significant
from scrapy_stemmer.patterns.base import LabelledBlock, Labels, LazyBlocks, MatchOptions, PageMatch, Pattern
from scrapy_stemmer.patterns.record import Record

PATH_PARTS = 3
"""Components of a block's path that its feature shows."""

MAX_EVIDENCE = 3
"""Pieces of evidence that a block names."""

PROFILE = ("static", "link_of_class", "long", "worth")
"""The columns of a class: what blocks of it are like, see :class:`scrapy_stemmer.core.evidence.classes.Profile`."""

PATH_COLUMNS = ("parent", "component", "vote", "link", "repeated", *PROFILE)
"""The columns of a path: the number of the path above it, its last component, the votes that it is the region, the
shares of its text in links and on several pages, and what its own blocks are like, if it has any."""

MAX_PAGES = 1_000_000_000
"""Nobody learns from more; larger numbers in a pattern file are a mistake."""

_HASH = re.compile("[0-9a-f]{16}")

OPEN_ROLES = MAIN_ROLES | {Role.TITLE}
"""The roles of the text of a page that is no article: the title is a part of it."""

OTHER_ROLES = SUB_ROLES | {Role.TEMPLATE}
"""The roles that blocks have which are not text."""

UNREAD = "no text there in the sample -4.6"
"""The evidence of blocks that were not read, since the page's region was known before."""

UNREAD_NOISE = 0.99
"""The noise confidence of such a block."""


@dataclass(frozen=True, kw_only=True)
class EvidencePattern(Pattern):
    """A site as the evidence learner sees it; one pattern for all its pages.

    :param model: what was learned.
    """

    kind: ClassVar[str] = "evidence"

    model: SiteModel

    def match(self, document: Document, options: MatchOptions) -> PageMatch | None:
        """Label any page that has text; how well it fits is what its confidence tells.

        ``options.site_threshold`` of 1 switches that off. Blocks with a noise confidence of ``1 - options.diffscore``
        or more are not text; the other options are for patterns of layouts.
        """
        if options.site_threshold >= 1.0:
            return None
        tree = tree_of(document.root)
        reading = self._reader.read_tree(tree)
        if not reading.evidence:
            return None
        similarity = known_share(reading)
        verdict = decide(reading, self.model)
        labels = _Labels(tree, self._reader, reading, verdict, similarity, _least_score(options.diffscore))
        return PageMatch(
            pattern=self.name,
            similarity=similarity,
            blocks=LazyBlocks(labels.blocks),
            text_roles=OPEN_ROLES if verdict.openness >= OPEN else MAIN_ROLES,
            labels=labels,
        )

    @classmethod
    def read_by(cls, reader: SiteReader, **common: Any) -> Self:
        """A pattern whose pages are read by a reader that knows its site already.

        :param common: the fields of every pattern.
        """
        pattern = cls(model=reader.model, **common)
        vars(pattern)["_reader"] = reader
        return pattern

    def stamped(self, learned: str) -> Self:
        """See :meth:`Pattern.stamped`; what its reader knows of the site's pages is kept."""
        pattern = super().stamped(learned)
        vars(pattern)["_reader"] = self._reader
        return pattern

    @cached_property
    def _reader(self) -> SiteReader:
        return SiteReader(self.model)

    def to_record(self) -> dict[str, Any]:
        """The fields of this kind as JSON values."""
        model = self.model
        return {
            "article_share": model.article_share,
            "classes": [[suffix, *means] for suffix, means in sorted(model.classes.by_suffix.items())],
            "dominance": model.dominance,
            "names": None if model.names is None else sorted(model.names),
            "pages": model.pages,
            "paths": [_path_row(model, path) for path in range(len(model.paths))],
            "outposts": sorted(model.outposts),
            "regions": [[list(regions), value] for regions, value in sorted(model.regions.items())],
            "repeats": [[text, count] for text, count in sorted((_hex(t), n) for t, n in model.repeats.items())],
            "singles": _texts_by_page(model),
            "threshold": model.threshold,
            "title_parts": sorted(model.title_parts),
            **({"without": sorted(model.without)} if model.without else {}),
        }

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        """The pattern of a record; see :meth:`Pattern.from_record`."""
        pages = record.whole("pages", least=1, most=MAX_PAGES)
        paths = record.rows("paths", PATH_COLUMNS)
        model = SiteModel(
            pages=pages,
            names=_names(record, pages),
            repeats=dict(_repeat(row, pages) for row in record.rows("repeats", ("text", "pages"))),
            singles=_singles(record, pages),
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
            regions=dict(_regions(row, len(paths)) for row in record.rows("regions", ("paths", "value"))),
            outposts=frozenset(_outposts(record, len(paths))),
            without=_without(record),
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


def _without(record: Record) -> frozenset[EvidenceKind]:
    """The kinds of evidence that are switched off; none in the patterns of earlier versions."""
    given = record.texts("without")
    for index, kind in enumerate(given):
        if kind not in set(EvidenceKind):
            raise record.error(f"without[{index}]", f"must be one of {', '.join(EvidenceKind)}, not {kind!r}")
    return frozenset(map(EvidenceKind, given))


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
    first, second, third, worth = PROFILE
    shares = _unit(row, first), _unit(row, second), _unit(row, third)
    return *shares, row.number(worth, least=-MAX_LOG_ODDS, most=MAX_LOG_ODDS)


def _unit(row: Record, field: str) -> float:
    return row.number(field, least=0.0, most=1.0)


def _repeat(row: Record, most: int) -> tuple[int, int]:
    pages = row.whole("pages", least=1)
    if pages > most:
        raise row.error("pages", f"must be at most the pages of the sample, {most}, not {pages}")
    return _from_hex(row, "text", row.text("text")), pages


def _texts_by_page(model: SiteModel) -> list[list[str]]:
    """The texts of one page only, a list for each page."""
    lists: list[list[str]] = [[] for _ in range(model.pages)]
    for text, page in model.singles.items():
        lists[page].append(_hex(text))
    return [sorted(texts) for texts in lists]


def _singles(record: Record, pages: int) -> dict[int, int]:
    lists = record.items("singles")
    if len(lists) > pages:
        raise record.error("singles", f"must have a list for each page of the sample, {pages}, not {len(lists)}")
    found: dict[int, int] = {}
    for page, texts in enumerate(lists):
        field = f"singles[{page}]"
        if not isinstance(texts, list):
            raise record.error(field, f"must be a list, not {texts!r}")
        for text in texts:
            found[_from_hex(record, field, text)] = page
    return found


def _regions(row: Record, paths: int) -> tuple[Regions, float]:
    found = tuple(_path(row, f"paths[{index}]", path, paths) for index, path in enumerate(row.items("paths")))
    if not found:
        raise row.error("paths", "must have the number of a path at least")
    return found, row.number("value")


def _outposts(record: Record, paths: int) -> Iterator[int]:
    for index, path in enumerate(record.items("outposts")):
        yield _path(record, f"outposts[{index}]", path, paths)


def _path(record: Record, field: str, path: Any, paths: int) -> int:
    if isinstance(path, int) and not isinstance(path, bool) and 0 <= path < paths:
        return path
    raise record.error(field, f"must be the number of a path, 0 to {paths - 1}, not {path!r}")


def _hex(value: int) -> str:
    return f"{value:016x}"


def _from_hex(record: Record, field: str, text: Any) -> int:
    if not isinstance(text, str) or not _HASH.fullmatch(text):
        raise record.error(field, f"must be 16 hexadecimal digits, not {text!r}")
    return int(text, 16)


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


class _Labels(Labels):
    """A page whose blocks get their roles when they are asked for.

    :param tree: its tree.
    :param reader: what read it.
    :param reading: what was read.
    :param verdict: what was decided on that.
    :param similarity: share of its text in elements that the site has.
    :param least: what scores more is text.
    """

    __slots__ = ("_least", "_reader", "_reading", "_roles", "_similarity", "_tree", "_verdict")

    def __init__(
        self, tree: Tree, reader: SiteReader, reading: Reading, verdict: Verdict, similarity: float, least: float
    ) -> None:
        self._tree = tree
        self._reader = reader
        self._reading = reading
        self._verdict = verdict
        self._similarity = similarity
        self._least = least
        # Those of all blocks by False, those of text alone by True, once they were asked for.
        self._roles: dict[bool, list[Role | None]] = {}

    def texts(self, roles: Collection[Role], everywhere: bool) -> list[str]:
        """See :meth:`Labels.texts`; none of the blocks that were not read is text."""
        if everywhere and self._may_be_unread(roles):
            return [one.block.text for one in self._everywhere() if one.role in roles]
        return texts_of(self._reading, self._roles_of(roles), roles)

    def html(self, roles: Collection[Role]) -> str:
        """See :meth:`Labels.html`."""
        if self._may_be_unread(roles):
            regions, blocks = None, [one.whole for one in self._everywhere() if one.role in roles]
        else:
            regions, blocks = self._reading.regions, blocks_of(self._reading, self._roles_of(roles), roles)
        return self._reader.html(self._tree, regions, blocks)

    def _may_be_unread(self, roles: Collection[Role]) -> bool:
        """Whether some blocks of these roles may stand where the page was not read."""
        return self._reading.regions is not None and not OTHER_ROLES.isdisjoint(roles)

    def _roles_of(self, wanted: Collection[Role]) -> list[Role | None]:
        """The roles of the blocks that were read, of those at least that are wanted; worked out once."""
        only_text = OTHER_ROLES.isdisjoint(wanted)
        known = self._roles.get(False) or self._roles.get(only_text)
        if known is None:
            text = self._roles.get(True)
            known = self._roles[only_text] = roles_of(self._reading, self._verdict, self._least, only_text, text)
        return known

    def kind(self) -> PageKind:
        """See :meth:`Labels.kind`."""
        return kind_of(self._reading, self._verdict)

    def confidence(self) -> float:
        """See :meth:`Labels.confidence`."""
        return confidence_of(self._reading, self._verdict, self._reader.model, self._similarity)

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


def _least_score(diffscore: float) -> float:
    """The score above which a noise confidence is less than ``1 - diffscore``."""
    if diffscore <= 0 or diffscore >= 1:
        return -math.inf if diffscore <= 0 else math.inf
    return math.log(diffscore / (1 - diffscore))


def _layout_block(paths: PathTree, place: Place, block: TextBlock, stretches: Sequence[Stretch]) -> LayoutBlock:
    names = [paths.row(number)[1] for number in paths.line(place.path)[-PATH_PARTS:]]
    sig = significant(block.text)
    outside = len(sig) * (block.weight - block.anchor_weight) // block.weight
    pieces = tuple(Piece(element, is_tail) for element, is_tail in stretches)
    return LayoutBlock("/".join(names), block.text, sig, len(sig), outside, pieces=pieces)

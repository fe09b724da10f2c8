"""What the evidence learner knows of a site, as a pattern."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

from scrapy_stemmer.core.document import Document
from scrapy_stemmer.core.evidence.ablation import EvidenceKind
from scrapy_stemmer.core.evidence.classes import ClassMeans, Means
from scrapy_stemmer.core.evidence.model import Regions, SiteModel
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.core.evidence.prior import MAX_LOG_ODDS
from scrapy_stemmer.core.evidence.reading import SiteReader
from scrapy_stemmer.patterns.base import MatchOptions, PageMatch, Pattern
from scrapy_stemmer.patterns.evidence_page import match_of
from scrapy_stemmer.patterns.record import Record

PROFILE = ("static", "link_of_class", "long", "worth")
"""The columns of a class: what blocks of it are like, see :class:`scrapy_stemmer.core.evidence.classes.Profile`."""

PATH_COLUMNS = ("parent", "component", "vote", "link", "repeated", *PROFILE)
"""The columns of a path: the number of the path above it, its last component, the votes that it is the region, the
shares of its text in links and on several pages, and what its own blocks are like, if it has any."""

MAX_PAGES = 1_000_000_000
"""Nobody learns from more; larger numbers in a pattern file are a mistake."""

_HASH = re.compile("[0-9a-f]{16}")


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
        return match_of(self.name, document.root, self._reader, options.diffscore)

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

"""Documents of a site: layouts with their rules, and sample pages block by block."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, groupby, islice
from operator import or_
from pathlib import Path
from typing import Any, NamedTuple

from lxml import etree

from scrapy_stemmer.fields.rules import FieldRule
from scrapy_stemmer.learners.rules.learn.fewest_rules import candidates
from scrapy_stemmer.learners.rules.pattern import AnyRule, RulesPattern
from scrapy_stemmer.learners.rules.site.columns import Signature, Signatures, body_of
from scrapy_stemmer.learners.rules.site.known_texts import ReturningText
from scrapy_stemmer.learners.rules.site.paths import Component, HashedNames, PathIndex, looks_lasting, names_of
from scrapy_stemmer.learners.rules.site.reading import read_page
from scrapy_stemmer.learners.rules.site.site import Placer
from scrapy_stemmer.page.blocks import SUB_ROLES, Role
from scrapy_stemmer.page.document import Document, Page
from scrapy_stemmer.page.selectors import Selector, written
from scrapy_stemmer.patterns.base import LabelledBlock, Pattern, StripOptions
from scrapy_stemmer.patternset import Stripped, strip_by
from scrapy_stemmer.report.drawing import frame_of, rendered
from scrapy_stemmer.report.figures import PageFigures, SiteFigures, worst_first

MIN_RUN = 4  # folded blocks of template in a row, at least
MAX_LISTED = 1000  # worst pages listed of a layout


@dataclass(frozen=True, slots=True)
class ReportOptions:
    uri: str
    folder: Path
    strip_options: StripOptions
    charset: str
    is_online: bool  # shown pages may load images and style sheets
    key: str  # key of the corrections kept by a browser


@dataclass(frozen=True, slots=True)
class ReportedPage:
    figures: PageFigures
    blocks: tuple[LabelledBlock, ...]
    groups: tuple[str, ...]  # group of each block: ``title``, ``text``, ``sub`` or ``template``
    offers: tuple[Offers, ...]  # place of each block, and selectors for corrections
    frame: str  # document with the drawn page
    markdown: str
    fields: Mapping[str, tuple[str, str]]  # (text, source) of each field found

    @property
    def runs(self) -> list[tuple[bool, list[int]]]:
        runs = []
        for group, numbers in groupby(range(len(self.groups)), key=self.groups.__getitem__):
            run = list(numbers)
            is_run = group == "template" and len(run) >= MIN_RUN
            runs += [(True, run)] if is_run else [(False, [number]) for number in run]
        return runs


def read_samples(
    patterns: Sequence[Pattern], pages: Sequence[Page], options: ReportOptions, failures: list[str]
) -> list[ReportedPage]:
    """Return the shown pages, worst first; add a line on each failed page to the failures."""
    documents = [Document(page, options.charset) for page in pages]
    rules = next((pattern for pattern in patterns if isinstance(pattern, RulesPattern)), None)
    selecting = None
    if rules is not None:
        selecting = SelectorOffers((document.root for document in documents), HashedNames(rules.knowledge.names))
    samples = []
    for number, document in enumerate(documents):
        try:
            offers = selecting.of_page(number) if selecting else []
            samples.append(_reported(patterns, document, offers, options))
        except Exception as error:  # a page must not cost a site
            failures.append(f"{document.page.url}: not shown: {type(error).__name__}: {error}")
    return sorted(samples, key=lambda page: (page.figures.health, page.figures.matched, page.figures.url))


def _reported(
    patterns: Sequence[Pattern], document: Document, offers: Sequence[Offers], options: ReportOptions
) -> ReportedPage:
    page, stripped = document.page, strip_by(patterns, document, options.strip_options)
    blocks = tuple(stripped.blocks)
    groups = tuple(_group(block, stripped) for block in blocks)
    figures, markdown, fields = PageFigures.of(page, stripped), stripped.markdown, _shown_fields(stripped)
    if len(offers) != len(blocks):  # another learner has other blocks and no rules
        offers = [Offers(block.path) for block in blocks]
    # The tree changes from here on: the stripped page is not used any more.
    frame = frame_of(document.root, blocks, groups, page.url if options.is_online else None)
    return ReportedPage(figures, blocks, groups, tuple(offers), frame, markdown, fields)


def _shown_fields(stripped: Stripped) -> dict[str, tuple[str, str]]:
    fields = stripped.fields.as_dict()
    known = ((name, fields[name], source) for name, source in fields["sources"].items())
    return {name: (value if isinstance(value, str) else ", ".join(value), source) for name, value, source in known}


def _group(block: LabelledBlock, stripped: Stripped) -> str:
    if block.role is Role.TITLE:
        return "title"
    if block.role in stripped.text_roles:
        return "text"
    return "sub" if block.role in SUB_ROLES else "template"


def site_documents(
    site: SiteFigures, patterns: Sequence[Pattern], samples: Sequence[ReportedPage], options: ReportOptions
) -> Iterator[tuple[str, str]]:
    taught = taught_in(patterns)
    shared: dict[str, Any] = {"site": site, "key": options.key, "taught": taught}
    by_name: dict[str | None, Pattern] = {pattern.name: pattern for pattern in patterns}
    for number, layout in enumerate(site.layouts, 1):
        yield f"layout-{number}.html", _layout_document(layout, by_name.get(layout), samples, **shared)
    own_rules = {(action, where) for _, action, where in taught}
    for number, page in enumerate(samples, 1):
        parts = {name: rendered(f"{name}.html", page=page) for name in ("blocks", "result")}
        packed = packed_of({"frame": page.frame, "data": data_of(site.site, page, own_rules), **parts})
        shown = {"page": page, "number": number, "last": len(samples), "packed": packed, "is_online": options.is_online}
        yield f"page-{number}.html", rendered("page.html", **shown, **shared)


def _layout_document(
    layout: str | None, pattern: Pattern | None, samples: Sequence[ReportedPage], *, site: SiteFigures, **shared: Any
) -> str:
    figures = site.of_layout(layout)
    listed = worst_first(page for page in figures.pages if page.layout == layout)
    chars: Counter[str] = Counter()  # characters of text decided by each reason; the scorer's decisions count together
    for block in (block for page in samples if page.figures.layout == layout for block in page.blocks):
        reason = block.evidence[0] if block.evidence else ""
        chars["scored" if reason.startswith("scored ") else reason] += len(block.text)
    return rendered(
        "layout.html",
        layout=layout,
        figures=figures,
        pattern=pattern,
        rules=pattern.rules if isinstance(pattern, RulesPattern) else None,
        field_rules=pattern.field_rules if isinstance(pattern, RulesPattern) else (),
        chars=chars,
        pages=listed[:MAX_LISTED],
        more=len(listed[MAX_LISTED:]),
        numbers=page_numbers(samples),
        site=site,
        **shared,
    )


def page_numbers(samples: Sequence[ReportedPage]) -> dict[str, int]:
    return {page.figures.url: number for number, page in enumerate(samples, 1)}


def taught_in(patterns: Sequence[Pattern]) -> list[tuple[str, str, str]]:
    return [
        (pattern.site, rule.action, _target_of(rule))
        for pattern in patterns
        if isinstance(pattern, RulesPattern)
        for rule in pattern.all_rules
        if rule.is_users
    ]


def _target_of(rule: AnyRule) -> str:
    if isinstance(rule, ReturningText):
        return rule.text
    return rule.target if isinstance(rule, FieldRule) else str(rule.selector)


def why_in_words(evidence: Sequence[str], taught: Container[tuple[str, str]] = ()) -> str:
    reason = evidence[0] if evidence else ""
    if reason.startswith("scored "):
        return f"no rule here; the scorer gave {reason.removeprefix('scored ')} (above 0 is text)"
    action, _, selector = reason.partition(" ")
    kind = "your rule" if (action, selector) in taught else "rule"
    return f"{kind}: {reason}" if reason else "not told by this learner"


def packed_of(parts: Mapping[str, Any]) -> str:
    """Return parts of a document as compressed JSON in base64, a fifth in size, for the report's script."""
    content = json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return b64encode(gzip.compress(content, mtime=0)).decode("ascii")


def data_of(site: str, page: ReportedPage, taught: Container[tuple[str, str]] = ()) -> dict[str, Any]:
    distinct = {id(offers): offers for offers in page.offers}
    places = {key: place for place, key in enumerate(distinct)}
    table: dict[Offer, int] = {}
    paths: list[dict[str, Any]] = []
    for of_path in distinct.values():
        around = [table.setdefault(offer, len(table)) for offer in of_path.around]
        own = [table.setdefault(offer, len(table)) for offer in of_path.own]
        paths.append({**of_path._asdict(), "around": around, "own": own})
    blocks = [
        {"path": places[id(offers)], "why": why_in_words(block.evidence, taught)}
        for block, offers in zip(page.blocks, page.offers, strict=True)
    ]
    return {"site": site, "url": page.figures.url, "offers": [*table], "paths": paths, "blocks": blocks}


# Selectors offered for corrections of each block, and the blocks selected by them

MAX_OFFERED_LEVELS = 8  # ancestors of a block with offered selectors, besides the body

MAX_PATHS = 3000
"""Most paths of all pages with offered selectors; real sites have fewer, and time grows with their number."""

SHOWN_LEVELS = 4  # ancestors of a block in its shown path
MAX_TRIED = 8  # selectors tried for each element, shortest first

MAX_OF_ELEMENT = 2
"""Most selectors offered for each element: each selects other blocks, and a person has to compare them."""


class Offer(NamedTuple):
    selector: str
    here: tuple[int, ...]  # block numbers of one page
    blocks: int  # number on all pages
    pages: int  # pages with any of them


class Offers(NamedTuple):
    """Place of the blocks with one path, and the selectors offered for them."""

    path: str  # innermost elements
    around: tuple[Offer, ...] = ()  # selectors of ancestors, fewest blocks first; empty where no rule is possible
    start: int = 0  # index of the suggested selector
    own: tuple[Offer, ...] = ()  # selectors of the innermost element alone, for rules for titles


class _NamingPlacer(Placer):
    """Placer by names known on a site, or lasting ones."""

    def component(self, signature: Signature) -> Component:
        placed = super().component(signature)
        lasting = () if placed.names else sorted({name for name in names_of(signature) if looks_lasting(name)})
        return placed._replace(names=placed.names or tuple(lasting))


def _ones(bits: int) -> Iterator[int]:
    """Yield the places of set bits, the lowest first."""
    written = f"{bits:b}"[::-1]
    at = written.find("1")
    while at >= 0:
        yield at
        at = written.find("1", at + 1)


class SelectorOffers:
    """Selectors for the blocks of some pages of a site; trees are not changed."""

    def __init__(self, roots: Iterable[etree._Element], names: Container[str]) -> None:
        signatures = Signatures()
        placer = _NamingPlacer(names)
        self._paths = placer.paths
        self._pages: list[list[int]] = []
        for root in roots:
            columns = read_page(body_of(root), signatures)
            placer.place_page(columns, list(signatures))
            self._pages.append(columns.block_paths)
        self._own = [0] * len(self._paths)
        for number, path in enumerate(chain.from_iterable(self._pages)):
            self._own[path] |= 1 << number
        self._below = list(self._own)
        for path in range(len(self._paths) - 1, 0, -1):
            self._below[self._paths.parents[path]] |= self._below[path]
        self._index = PathIndex(self._paths)
        self._taken: dict[tuple[str, bool], int] = {}  # the blocks of each selector
        self._distinct: dict[tuple[int, bool], dict[int, Selector]] = {}
        self._offers: dict[tuple[str, int, int], Offer] = {}

    def of_page(self, page: int) -> list[Offers]:
        """Return the offers for each block of a page, equal for blocks of one path."""
        known = {path: self._of_path(path, page) for path in set(self._pages[page])}
        return [known[path] for path in self._pages[page]]

    def _of_path(self, path: int, page: int) -> Offers:
        line = [path]
        while (above := self._paths.parents[line[-1]]) >= 0:
            line.append(above)
        shown = [written(*self._paths.components[step][:2]) for step in reversed(line[:SHOWN_LEVELS])]
        text = " > ".join(["…", *shown] if len(line) > SHOWN_LEVELS else shown)
        if len(self._paths) > MAX_PATHS:
            return Offers(text)
        around: dict[int, Selector] = {}
        for place in (*line[:MAX_OFFERED_LEVELS], 0):
            inner = self._distinct_of(place, is_own=False)
            new = [taken for taken in inner if taken not in around and (place in (path, 0) or inner[taken].names)]
            around.update((taken, inner[taken]) for taken in new[:MAX_OF_ELEMENT])
        first = next((taken for taken, selector in around.items() if selector.names), next(iter(around)))
        start = sorted(around, key=int.bit_count).index(first)
        own = self._distinct_of(path, is_own=True)
        return Offers(text, self._offered(around, page), start, self._offered(own, page))

    def _distinct_of(self, path: int, *, is_own: bool) -> dict[int, Selector]:
        """Map each set of blocks selected by a path's selectors to the first such selector, preferably with names."""
        known = self._distinct.get((path, is_own))
        if known is None:
            known = self._distinct[path, is_own] = {}
            selectors = chain.from_iterable(group for _, group in candidates(self._paths, path))
            for selector in islice(selectors, MAX_TRIED):
                taken = self._taken_by(selector, is_own=is_own)
                if taken not in known or (selector.names and not known[taken].names):
                    known[taken] = selector
        return known

    def _taken_by(self, selector: Selector, *, is_own: bool) -> int:
        """Return the set of blocks selected by their own paths or by paths around."""
        key = selector.text, is_own
        if key not in self._taken:
            blocks = self._own if is_own else self._below
            self._taken[key] = reduce(or_, (blocks[path] for path in self._index.matching(selector)), 0)
        return self._taken[key]

    def _offered(self, selectors: Mapping[int, Selector], page: int) -> tuple[Offer, ...]:
        offers = []
        for taken in sorted(selectors, key=int.bit_count):
            key = selectors[taken].text, taken, page
            if key not in self._offers:
                on_pages, rest = [], taken
                for blocks in self._pages:
                    on_pages.append(rest & ((1 << len(blocks)) - 1))
                    rest >>= len(blocks)
                here = tuple(_ones(on_pages[page]))
                self._offers[key] = Offer(key[0], here, taken.bit_count(), sum(map(bool, on_pages)))
            offers.append(self._offers[key])
        return tuple(offers)

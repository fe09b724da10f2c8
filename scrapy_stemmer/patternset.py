"""Stripping by the patterns of many sites: the choice of a page's pattern, and reasons for pages without text.

Patterns are loaded and saved here, and share a budget of memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from math import inf
from os import PathLike
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from lxml import etree
from parsel import Selector

from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.fields.dates import latest_day
from scrapy_stemmer.fields.reading import NO_FIELDS, Fields, checked_names, read_fields
from scrapy_stemmer.fields.rules import FieldRule, own_fields
from scrapy_stemmer.page.arguments import check, each_of
from scrapy_stemmer.page.blocks import MAIN_ROLES, SUB_ROLES, TEXT_ROLES, PageKind, Piece, Reason
from scrapy_stemmer.page.document import DEFAULT_CHARSET, Document, Page
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.shown import ShownTree, Source
from scrapy_stemmer.page.text import writable
from scrapy_stemmer.patterns.base import (
    LabelledBlock,
    Labels,
    LazyBlocks,
    PageCounter,
    PageSection,
    Pattern,
    Role,
    StripOptions,
    level_for,
)
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.base import (
    PatternsInMemory,
    SitePatterns,
    by_site,
    corrected,
    log_unreadable,
    own_fields_of,
    read_all,
)
from scrapy_stemmer.writing.outline import ContentImage, Heading, headings_of, images_of
from scrapy_stemmer.writing.plain_text import text_of_pieces
from scrapy_stemmer.writing.pruned_html import pruned_html

if TYPE_CHECKING:
    from scrapy_stemmer.learners.rules.decide.scorer import Scorer


_NO_CONTENT: Mapping[PageKind | None, Reason] = {PageKind.ERROR: Reason.ERROR, PageKind.CONSENT: Reason.CONSENT}
_NO_PAGES_OF_THE_SITE = (Reason.EMPTY, Reason.ERROR, Reason.CONSENT)

_WITH_TITLE = (None, Reason.NO_MAIN_TEXT)
"""Reasons of pages with a title and sub text: a gallery has a title and captions."""


MAX_TITLE_SHOWN = 60  # characters of a title in the representation of a result


TEXTS = ("text", "sub_text", "html", "markdown")
CONTENTS = ("title", *TEXTS, "headings", "images")
"""Results for pages with text: attributes of :class:`Stripped`, item fields, and columns of commands."""

FLAGS = ("matched", "pattern", "similarity", "kind", "confidence", "reason", "skipped_hidden", "source")
"""Results for pages without text too."""


@dataclass(frozen=True, repr=False)
class Stripped:
    """Page without its template.

    :param matched: a pattern of the page's site fits and labelled the page, not the scorer of ``rules`` alone.
    :param pattern: name of the pattern that fits, or else knows most of the page.
    :param similarity: share of the page's text, from 0 to 1, known to the pattern; 0 without a pattern.
    :param blocks: layout blocks in order, each with its role and noise confidence.
    :param sections: sections with their importance, from learners that make sections.
    :param text_roles: roles of the blocks in :attr:`text` and :attr:`html`; by default title, main text, subtitle,
        tables and code.
    :param path_share: share of the pattern's usual element paths on the page, from 0 to 1; ``None`` without a pattern
        or from learners without it.
    :param source: place of the text: ``page``, or ``noscript`` or ``script`` for pages with hardly any text elsewhere.
        All text read from a script counts as main text.
    :param min_confidence: pages with a lower :attr:`confidence` have no text.
    :param markdown_links: keep links in :attr:`markdown`; ``markdown_images`` likewise.
    :param skipped: reason why the page was not stripped at all.
    """

    matched: bool
    pattern: str | None = None
    similarity: float = 0.0
    blocks: Sequence[LabelledBlock] = ()
    sections: tuple[PageSection, ...] = ()
    text_roles: frozenset[Role] = TEXT_ROLES
    path_share: float | None = None
    source: Source = Source.PAGE
    min_confidence: float = 0.0
    skipped: Reason | None = None
    markdown_links: bool = True
    markdown_images: bool = True
    _labels: Labels | None = field(default=None, repr=False, compare=False)
    _reads_fields: FieldReader | None = field(default=None, repr=False, compare=False)
    _root: etree._Element | None = field(default=None, repr=False, compare=False)
    _url: str = field(default="", repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        made = {name: getattr(self, name) for name in (*FLAGS, *CONTENTS, "fields") if name != "markdown"}
        return {**fields, **made, "blocks": tuple(self.blocks), "_labels": None, "_reads_fields": None, "_root": None}

    def __repr__(self) -> str:
        title = self.title or ""
        shown = f"{title[:MAX_TITLE_SHOWN]}…" if len(title) > MAX_TITLE_SHOWN else title
        return f"<{type(self).__name__} {f'{shown!r}, ' if shown else ''}{self._findings}>"

    @property
    def _findings(self) -> str:
        found = [f"no text: {self.reason}" if self.reason else f"{len(self.text):,} characters"]
        found += [str(self.kind)] if self.kind else []
        found += [f"confidence {self.confidence:.2f}"] if self.confidence is not None else []
        return ", ".join([*found, "matched" if self.matched else "no pattern fits"])

    @cached_property
    def reason(self) -> Reason | None:
        """The reason why the page has neither text nor title nor HTML, or ``None``."""
        if self.skipped is not None:
            return self.skipped
        if self._labels is None and not self.blocks:  # with labels, blocks are made on demand
            return Reason.EMPTY
        if self._labels is not None and (kind := self._labels.placeholder()) in _NO_CONTENT:
            return _NO_CONTENT[kind]
        if self.min_confidence and self.confidence is not None and self.confidence < self.min_confidence:
            return Reason.LOW_CONFIDENCE
        return None if self._has_more_than_a_title else Reason.NO_MAIN_TEXT

    def _is_unusual(self, patterns: Iterable[Pattern]) -> bool:
        """Return True if the page is unlike the pages that its site was learned from, errors and consent walls
        excepted."""
        level = None if self.reason in _NO_PAGES_OF_THE_SITE else level_for(patterns, self.pattern)
        return level is not None and level.is_unusual(self)

    def count_in(self, counter: PageCounter) -> Sequence[str]:
        """Count the page, and return the texts newly found to be template; none of a page kept without blocks."""
        return () if self._labels is None else counter.add(self._labels)

    @cached_property
    def kind(self) -> PageKind | None:
        """The purpose of the page; ``None`` without text, or from learners without kinds."""
        return None if self._labels is None else self._labels.kind()

    @cached_property
    def confidence(self) -> float | None:
        """The probability, from 0 to 1, that nine tenths of the text are right; ``None`` where :attr:`kind` is."""
        return None if self._labels is None else self._labels.confidence()

    @cached_property
    def skipped_hidden(self) -> int | None:
        """The characters, without white space, of what would be text if it were not hidden from readers; words within a
        line do not count. ``None`` where :attr:`kind` is."""
        return None if self._labels is None else self._labels.hidden_chars()

    @cached_property
    def title(self) -> str | None:
        """The title; ``None`` without one in the pattern or on the page, and for pages with a :attr:`reason`."""
        if self.reason not in _WITH_TITLE:
            return None
        if self._labels is not None:
            title = self._labels.title()
        else:
            title = " ".join(block.text for block in self._of({Role.TITLE}))
        return (title and writable(title).strip()) or None

    @property
    def main(self) -> tuple[LabelledBlock, ...]:
        """The blocks of the main text: running text, subtitle, tables, code."""
        return self._of(MAIN_ROLES)

    @property
    def sub(self) -> tuple[LabelledBlock, ...]:
        """The varying blocks outside the main text: captions, dates, comments, related links."""
        return self._of(SUB_ROLES)

    @cached_property
    def text(self) -> str:
        """The text of the page: one line per block and per table row, with code unchanged; see
        :func:`scrapy_stemmer.writing.plain_text.plain_text`.
        """
        return "" if self.reason else self._main_text

    @property
    def _has_more_than_a_title(self) -> bool:
        """True if the page has text besides its title, or any text when only the title is requested."""
        others = self.text_roles - {Role.TITLE}
        if others == self.text_roles or not others or "\n" in self._main_text:
            return bool(self._main_text)
        return bool(self._text(others))

    @cached_property
    def _main_text(self) -> str:
        return self._text(self.text_roles)

    @cached_property
    def sub_text(self) -> str:
        """The sub text next to the main text; more sub text may be among :attr:`blocks`."""
        return "" if self.reason not in _WITH_TITLE else self._text(SUB_ROLES)

    @cached_property
    def html(self) -> str:
        """The main text as HTML: its elements with links and images.

        It is read from the page's tree on first access; a tree passed by the user must not change before.
        """
        if self.reason:
            return ""
        if self._labels is not None:
            return self._labels.html(self.text_roles)
        if self._root is None:
            return ""
        return pruned_html(self._root, self._pieces, self._url)

    @cached_property
    def markdown(self) -> str:
        """:attr:`html` as Markdown; see :func:`scrapy_stemmer.writing.markdown.markdown_of`."""
        from scrapy_stemmer.writing import markdown  # rarely needed

        options = self.markdown_links, self.markdown_images
        if self.reason:
            return ""
        if self._labels is not None:
            return self._labels.markdown(self.text_roles, *options)
        if self._root is not None:
            return markdown.markdown_of_pieces(self._root, self._pieces, self._url, *options)
        return markdown.markdown_of(self.html, self._url, links=options[0], images=options[1])

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """The headings of the main text with their levels and anchors, in order."""
        if self.reason:
            return ()
        return headings_of(self.html, None if self._reads_fields is None else self._reads_fields.shown.root)

    @cached_property
    def images(self) -> tuple[ContentImage, ...]:
        """The images of the main text with their captions."""
        if self.reason:
            return ()
        return images_of(self._labels.html(self.text_roles | {Role.CAPTION}) if self._labels is not None else self.html)

    @cached_property
    def selector(self) -> Selector:
        """:attr:`html` as a parsel selector with the page's URL."""
        return Selector(self.html, base_url=self._url or None)

    @cached_property
    def fields(self) -> Fields:
        """The page's authors, dates and other fields, read on first access."""
        return NO_FIELDS if self._reads_fields is None else self._reads_fields(None)

    def read_fields(self, names: Iterable[str]) -> Fields:
        """Read some of :attr:`fields`, looking only at the parts of the page that they need.

        :param names: names of fields; the result has all fields if they were read before.
        :raises TypeError: for a text in place of names.
        :raises ValueError: for an unknown name.
        """
        reader = self._reads_fields
        return self._fields_named(checked_names(names, reader.own if reader is not None else self.fields.own))

    def _fields_named(self, names: Iterable[str]) -> Fields:
        """Read some fields, except for names of the user's fields on other sites."""
        return self.fields if self._reads_fields is None or "fields" in vars(self) else self._reads_fields(names)

    @property
    def _pieces(self) -> Iterator[Piece]:
        return (piece for block in self._shown(self.text_roles) for piece in block.block.pieces)

    def _of(self, roles: Collection[Role]) -> tuple[LabelledBlock, ...]:
        return tuple(block for block in self.blocks if block.role in roles)

    def _shown(self, roles: Collection[Role]) -> tuple[LabelledBlock, ...]:
        return tuple(block for block in self._of(roles) if block.role is not Role.TITLE or block.block.path != "title")

    def _text(self, roles: Collection[Role]) -> str:
        """Return the text of blocks by role, making blocks only if necessary; see :meth:`Labels.text`."""
        if self._labels is not None:
            return writable(self._labels.text(roles))
        blocks = self._shown(roles)
        if self._root is None:
            return writable("\n".join(block.text for block in blocks))
        return writable(text_of_pieces(self._root, ((block.text, block.block.pieces) for block in blocks)))


EMPTY = Stripped(matched=False)


def strip_by(patterns: Iterable[Pattern], document: Document, options: StripOptions | None = None) -> Stripped:
    """Label a page by the pattern that knows most of the text, or by the scorer if no pattern fits.

    :param patterns: patterns of the page's site; the first wins ties.
    """
    options = StripOptions.checked(options)
    # Only some learners of the literature set a limit.
    used = [pattern for pattern in patterns if pattern.max_work == inf or document.work <= pattern.max_work]
    if document.refusal is not None:
        used = []
    for chosen in (  # layouts first, then patterns of the whole site
        [pattern for pattern in used if not pattern.site_wide],
        [pattern for pattern in used if pattern.site_wide],
    ):
        matches = [match for pattern in chosen if (match := pattern.match(document)) is not None]
        if matches:
            best = max(matches, key=lambda match: match.similarity if match.path_share is None else match.path_share)
            made = {name: getattr(best, name) for name in ("pattern", "similarity", "blocks", "sections", "path_share")}
            reader = FieldReader.of(document, best.field_rules)
            return _stripped(document, options, matched=best.fits, _labels=best.labels, _reads_fields=reader, **made)
    rules = next((pattern.field_rules for pattern in used if pattern.field_rules), None)
    return _alone(document, options, rules=rules)


def strip(
    page: Page,
    options: StripOptions | None = None,
    *,
    default_charset: str = DEFAULT_CHARSET,
    scorer: Scorer | None = None,
) -> Stripped:
    """Strip a single page without patterns, by the scorer of the learner ``rules``.

    With more pages of the site, :func:`learn` gives better results, since it finds returning texts and layouts.
    The result is never ``matched``, names no pattern, and has a similarity of 0. A page without text has no blocks. A
    tree in the page is not changed.

    :param default_charset: for bytes that declare no charset; found by their content by default.
    :param scorer: replaces the package's scorer.
    :raises TypeError: for an argument of a wrong type, which it names.
    """
    if scorer is not None and not hasattr(scorer, "check"):
        raise TypeError(f"scorer must be a Scorer or None, not {type(scorer).__name__}")
    return _alone(Document(page, default_charset), StripOptions.checked(options), scorer)


def _alone(
    document: Document,
    options: StripOptions,
    scorer: Scorer | None = None,
    rules: Sequence[FieldRule] | None = None,
) -> Stripped:
    if (refusal := document.refusal) is not None:
        return Stripped(matched=False, skipped=refusal)
    # Imported late: to read and write patterns takes no learner.
    from scrapy_stemmer.learners.rules.decide.page import RulesPage
    from scrapy_stemmer.learners.rules.site.site import Site

    labels = RulesPage(Site.of_page(document), scorer=scorer)
    reader = FieldReader.of(document, rules)
    if not labels.has_text:
        return replace(EMPTY, _reads_fields=reader)
    blocks = LazyBlocks(labels.blocks)
    return _stripped(document, options, matched=False, blocks=blocks, _labels=labels, _reads_fields=reader)


def _stripped(document: Document, options: StripOptions, **results: Any) -> Stripped:
    return Stripped(
        **results,
        text_roles=options.text_roles,
        source=document.shown.source,
        min_confidence=options.min_confidence,
        markdown_links=options.links,
        markdown_images=options.images,
        _root=None if results.get("_labels") else document.root,
        _url=document.page.url,
    )


class FieldReader(NamedTuple):
    """Reader of a page's fields."""

    shown: ShownTree
    url: str
    rules: Sequence[FieldRule] | None = None  # rules of the page's site; ``None`` for a page alone

    @classmethod
    def of(cls, document: Document, rules: Sequence[FieldRule] | None = None) -> Self:
        return cls(document.shown, document.page.url, rules)

    def __call__(self, names: Iterable[str] | None) -> Fields:
        return read_fields(self.shown.root, self.url, latest_day(), self.rules, names, self.shown.metadata)

    @property
    def own(self) -> tuple[str, ...]:
        return own_fields(self.rules)


MEMORY = 100_000_000  # bytes of all sites
SITES = 2_000  # sites in memory: Python's garbage collector takes half a second for six thousand small sites
BYTES_PER_BYTE = 10  # memory of a pattern for each byte of its line


@dataclass(slots=True)
class _Kept:
    stored: SitePatterns
    patterns: tuple[Pattern, ...]
    parsed: int  # approximate bytes of parsed lines
    counted: int = 0  # bytes counted in the total


class PatternMemory:
    """Memory of the sites used last, within a budget of bytes: patterns, and caches of patterns for pages.

    Thread-safe.
    """

    def __init__(self, budget: int = MEMORY) -> None:
        self.budget = budget
        self._lock = Lock()
        self._kept: dict[str, _Kept] = {}  # least recently used first
        self._total = 0

    def patterns(self, stored: SitePatterns) -> tuple[Pattern, ...]:
        """Return and keep the patterns of a site; unreadable patterns count as none."""
        with self._lock:
            if self._kept:  # the site used before may remember more than it did
                self._count(next(reversed(self._kept.values())))
            kept = self._kept.pop(stored.site, None)
            if kept is None or kept.stored is not stored:
                self._total -= 0 if kept is None else kept.counted
                patterns = stored.readable()
                is_parsed = not isinstance(stored, PatternsInMemory) and stored.error is None
                size = BYTES_PER_BYTE * sum([len(line.text) for line in stored.lines]) if is_parsed else 0
                kept = _Kept(stored, patterns, size)
            self._kept[stored.site] = kept
            while self._total > self.budget or len(self._kept) > SITES:
                oldest = self._kept.pop(next(iter(self._kept)))
                self._total, oldest.counted = self._total - oldest.counted, 0
                for pattern in oldest.patterns:
                    pattern.forget()  # they may still be in use
            self._kept.setdefault(stored.site, kept)  # the site alone may exceed the budget
        return kept.patterns

    def _count(self, kept: _Kept) -> None:
        size = kept.parsed + sum([pattern.remembered_bytes for pattern in kept.patterns])
        self._total, kept.counted = self._total + size - kept.counted, size


class PatternSet:
    """Immutable set of patterns of any number of sites.

    Patterns of a file are read when their site is used. A site with an unreadable line counts as unknown, with a log
    message on loading or use; saving keeps its lines.

    :param patterns: the patterns, in any order.
    """

    def __init__(self, patterns: Iterable[Pattern] = ()) -> None:
        self._by_site: Mapping[str, SitePatterns] = by_site(each_of("patterns", patterns, Pattern, "Pattern"))
        self._memory = PatternMemory()

    @classmethod
    def _of(cls, by_site: Mapping[str, SitePatterns]) -> Self:
        patterns = cls()
        patterns._by_site = by_site
        return patterns

    def _within(self, memory: PatternMemory) -> PatternSet:
        """Return this set with a shared budget of memory; the default budget is 100 MB."""
        patterns = self._of(self._by_site)
        patterns._memory = memory
        return patterns

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """Patterns of all sites, by site and falling score."""
        return tuple(pattern for of_site in self._by_site.values() for pattern in of_site.readable())

    @property
    def sites(self) -> tuple[str, ...]:
        """The sites with readable patterns, sorted."""
        return tuple(site for site, patterns in self._by_site.items() if patterns.error is None)

    @property
    def broken(self) -> dict[str, PatternFileError]:
        """The errors of sites found unreadable so far; ``load(strict=True)`` reads all."""
        return {site: patterns.error for site, patterns in self._by_site.items() if patterns.error is not None}

    def of_site(self, site: str) -> tuple[Pattern, ...]:
        """Return the patterns of a site; empty for an unknown site."""
        check("site", site, str, "a str")
        stored = self._by_site.get(site)
        return () if stored is None else self._memory.patterns(stored)

    @property
    def own_fields(self) -> tuple[str, ...]:
        """The names of the users' fields on the sites."""
        return own_fields_of(self._by_site.values())

    def replace(self, *others: PatternSet) -> PatternSet:
        """Return this set with the sites of other sets in place of its own; later sets win.

        Readable lines are never replaced by unreadable ones.
        """
        merged = dict(self._by_site)
        for other in each_of("others", others, PatternSet, "PatternSet"):
            for site, patterns in other._by_site.items():
                if patterns.error is None or site not in merged or merged[site].error is not None:
                    merged[site] = patterns
        return PatternSet._of({site: merged[site] for site in sorted(merged)})

    def without(self, sites: Iterable[str]) -> PatternSet:
        """Return this set without some sites."""
        left = set(each_of("sites", sites, str, "str"))
        return PatternSet._of({site: patterns for site, patterns in self._by_site.items() if site not in left})

    def corrected_by(self, earlier: Iterable[Pattern]) -> PatternSet:
        """Return this set with corrections made by hand in earlier patterns of its sites."""
        there = PatternSet(each_of("earlier", earlier, Pattern, "Pattern"))
        mended = (corrected(patterns.readable(), there.of_site(site)) for site, patterns in self._by_site.items())
        return PatternSet(chain.from_iterable(mended))

    def _stamped(self, learned: str) -> PatternSet:
        """Return this set with the time ``learned`` on all patterns without one."""
        return PatternSet(known if known.learned else replace(known, learned=learned) for known in self.patterns)

    def strip(
        self, page: Page, options: StripOptions | None = None, *, default_charset: str = DEFAULT_CHARSET
    ) -> Stripped:
        """Strip a page of its template; a tree in the page is not changed.

        :param default_charset: for bytes that declare no charset; found by their content by default.
        """
        document = Document(page, default_charset)
        return strip_by(self.of_site(page.site), document, options)

    def save(self, uri: str | PathLike[str]) -> None:
        """Write the patterns, replacing a file or store only after a complete write; see also :meth:`merge_into`.

        :param uri: a file's path, or the URI of a store.
        :raises PatternFileError: if writing fails.
        """
        open_store(uri).write(self._by_site.values())

    def merge_into(self, uri: str | PathLike[str]) -> None:
        """Merge the patterns into a pattern file or store, keeping its other sites even from concurrent writers.

        Corrections by hand are kept.

        :param uri: a file's path, or the URI of a store; created if missing.
        :raises PatternFileError: if reading or writing fails.
        """
        readable = ((site, patterns.readable()) for site, patterns in self._by_site.items())
        open_store(uri).merge({site: patterns for site, patterns in readable if patterns})

    @classmethod
    def load(cls, uri: str | PathLike[str], *, strict: bool = False) -> Self:
        """Load patterns; those of a large file are parsed when their site is used.

        Sites with an unreadable line count as unknown, with a log message.

        :param strict: read everything, and raise for an unreadable line.
        :raises PatternFileError: without patterns, or naming line and field of an invalid file.
        """
        check("strict", strict, bool, "True or False")
        by_site = open_store(uri).open()
        if strict:
            read_all(by_site.values())
        loaded = cls._of(by_site)
        if strict and (broken := loaded.broken):
            raise next(iter(broken.values()))
        log_unreadable(by_site.values())
        return loaded

    def __len__(self) -> int:
        return sum([len(patterns) for patterns in self._by_site.values() if patterns.error is None])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PatternSet) and self.patterns == other.patterns

    def __hash__(self) -> int:
        return hash(self.patterns)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.patterns,)

    def __repr__(self) -> str:
        return f"<PatternSet of {len(self)} patterns for {len(self._by_site)} sites>"

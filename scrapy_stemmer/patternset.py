"""Stripping: of the patterns of many sites, the one that knows most of a page labels its blocks; the rest is template.

The patterns are loaded and saved, and share a budget of memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from itertools import chain
from math import inf
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

from lxml import etree
from parsel import Selector

from scrapy_stemmer.core.blocks import MAIN_ROLES, SUB_ROLES, TEXT_ROLES, PageKind, Reason
from scrapy_stemmer.core.document import DEFAULT_CHARSET, Document, Page
from scrapy_stemmer.core.plain_text import text_of_pieces
from scrapy_stemmer.core.pruned_html import pruned_html
from scrapy_stemmer.core.shown import Source
from scrapy_stemmer.core.text import UNWRITABLE
from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.fields.dates import latest_day
from scrapy_stemmer.fields.reading import NO_FIELDS, Fields, checked_names, read_fields
from scrapy_stemmer.fields.rules import FIELDS, FieldRule
from scrapy_stemmer.patterns.base import (
    LabelledBlock,
    Labels,
    LazyBlocks,
    MatchOptions,
    PageSection,
    Pattern,
    Role,
    in_use,
    level_for,
)
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.base import Change, PatternStore, SitePatterns, by_site, corrected, tell

if TYPE_CHECKING:
    from scrapy_stemmer.learners.rules.scorer import Scorer


_NO_CONTENT: Mapping[PageKind | None, Reason] = {PageKind.ERROR: Reason.ERROR, PageKind.CONSENT: Reason.CONSENT}
_NO_PAGES_OF_THE_SITE = (Reason.EMPTY, Reason.ERROR, Reason.CONSENT)

_WITH_TITLE = (None, Reason.NO_MAIN_TEXT)
"""A page of a title and captions, such as a gallery, has a title and sub text all the same."""


SHOWN = 60  # characters of a title in the representation of a result


_CONTROL_BYTES = bytes(code for code in (*range(32), 0x7F) if chr(code) not in "\t\n\r")


def writable(text: str) -> str:
    """Return a text without control characters, for which feeds fail and terminals act."""
    # Nearly all have none, which bytes tell in a tenth of the time.
    with suppress(UnicodeEncodeError):
        data = text.encode()
        is_clean = len(data.translate(None, _CONTROL_BYTES)) == len(data)
        if is_clean and (text.isascii() or not (b"\xc2" in data or "\ufffe" in text or "\uffff" in text)):
            return text
    return UNWRITABLE.sub("", text)


@dataclass(frozen=True, repr=False)
class Stripped:
    """A page without its template.

    :param matched: whether a pattern of the page's site fits, and has labelled it. Else the scorer of the learner
        ``rules`` has, which knows nothing of the site.
    :param pattern: name of the pattern that fits, or that knows most of a page that none fits.
    :param similarity: share of the page's text, from 0 to 1, that the pattern knows; 0 without a pattern.
    :param blocks: the page's layout blocks in order, each with its role and noise confidence.
    :param sections: the page's sections with their importance, of systems that make sections.
    :param text_roles: the roles of blocks that make up :attr:`text` and :attr:`html`: those that the user asked for;
        else title, main text, subtitle, tables and code.
    :param path_share: share of the pattern's usual element paths, from 0 to 1, that the page has; ``None`` without a
        pattern, or when the learner gives none.
    :param source: where the text of the page stands: ``page``, or ``noscript`` or ``script`` where it has next to none
        elsewhere. All that is read of a script is taken for text.
    :param min_confidence: a page whose :attr:`confidence` is below this has no text.
    :param markdown_links: whether :attr:`markdown` has links.
    :param markdown_images: whether :attr:`markdown` has images.
    :param skipped: why the page was not stripped at all; ``None`` for one that was.
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
    _reads_fields: Callable[[Iterable[str]], Fields] | None = field(default=None, repr=False, compare=False)
    _root: etree._Element | None = field(default=None, repr=False, compare=False)
    _url: str = field(default="", repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """For a copy, or another process: all that it says of the page, read now, without the page itself."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        names = ("kind", "confidence", "reason", "title", "text", "sub_text", "html", "fields")
        said = {name: getattr(self, name) for name in names}
        return {**fields, **said, "blocks": tuple(self.blocks), "_labels": None, "_reads_fields": None, "_root": None}

    def __repr__(self) -> str:
        """Return one line: the title, and what was found."""
        title = self.title or ""
        shown = f"{title[:SHOWN]}…" if len(title) > SHOWN else title
        return f"<{type(self).__name__} {f'{shown!r}, ' if shown else ''}{self._findings}>"

    def _repr_html_(self) -> str:
        """Return title, findings and text for a notebook, which calls this."""
        parts = [
            f"<strong>{escape(self.title)}</strong><br>" if self.title else "",
            f"<em>{escape(self._findings)}</em>",
        ]
        below = self.text.removeprefix(f"{self.title}\n")
        text = f'<pre style="white-space: pre-wrap">{escape(below)}</pre>' if below else ""
        return f"<div>{''.join(parts)}{text}</div>"

    @property
    def _findings(self) -> str:
        """The length of the text, or why there is none, kind and confidence, for people."""
        found = [f"no text: {self.reason}" if self.reason else f"{len(self.text):,} characters"]
        found += [str(self.kind)] if self.kind else []
        found += [f"confidence {self.confidence:.2f}"] if self.confidence is not None else []
        return ", ".join([*found, "matched" if self.matched else "no pattern fits"])

    @cached_property
    def reason(self) -> Reason | None:
        """Why the page has neither text nor title nor HTML; ``None`` for one that has."""
        if self.skipped is not None:
            return self.skipped
        if self._labels is None and not self.blocks:  # with labels, blocks are made when they are asked for
            return Reason.EMPTY
        if self._labels is not None and (kind := self._labels.placeholder()) in _NO_CONTENT:
            return _NO_CONTENT[kind]
        if self.min_confidence and self.confidence is not None and self.confidence < self.min_confidence:
            return Reason.LOW_CONFIDENCE
        return None if self._has_more_than_a_title else Reason.NO_MAIN_TEXT

    def is_unusual(self, patterns: Iterable[Pattern]) -> bool:
        """Whether the page is unlike those that its site was learned from; errors and walls say nothing of that.

        :param patterns: those of its site, which have stripped it.
        """
        level = None if self.reason in _NO_PAGES_OF_THE_SITE else level_for(patterns, self.pattern)
        return level is not None and level.is_missed_by(self)

    def without_page(self, names: Iterable[str]) -> Stripped:
        """What it says of the page, and of its contents these alone: without blocks, and without the tree.

        :param names: of properties, and of fields, which are worked out now.
        """
        wanted = frozenset(names)
        said = {name: getattr(self, name) for name in ("reason", "kind", "confidence", *wanted.difference(FIELDS))}
        if asked := wanted.intersection(FIELDS):
            said["fields"] = self.read_fields(asked)
        found = replace(self, blocks=(), sections=(), _labels=None, _reads_fields=None, _root=None)
        vars(found).update(said)
        return found

    @cached_property
    def kind(self) -> PageKind | None:
        """The purpose of the page; ``None`` for one without text, or when the pattern's system can't say."""
        return None if self._labels is None else self._labels.kind()

    @cached_property
    def confidence(self) -> float | None:
        """The probability, from 0 to 1, that nine tenths of the text are right; ``None`` where :attr:`kind` is."""
        return None if self._labels is None else self._labels.confidence()

    @cached_property
    def title(self) -> str | None:
        """The title; ``None`` when the pattern has no title or the page lacks it, and for pages with a reason."""
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
        """The blocks that vary from page to page and are not main text: captions, dates, comments, related links."""
        return self._of(SUB_ROLES)

    @cached_property
    def text(self) -> str:
        """The text of the page: a block a line, but code as it stands, and a row of a table a line; see
        :func:`scrapy_stemmer.core.plain_text.plain_text`."""
        return "" if self.reason else self._main_text

    @property
    def _has_more_than_a_title(self) -> bool:
        """Whether the page has text beside its title, or at all where nothing but the title is asked for."""
        others = self.text_roles - {Role.TITLE}
        if others == self.text_roles or not others or "\n" in self._main_text:
            return bool(self._main_text)
        return bool(self._text(others, everywhere=True))

    @cached_property
    def _main_text(self) -> str:
        return self._text(self.text_roles, everywhere=True)

    @cached_property
    def sub_text(self) -> str:
        """The sub text beside the main text, in the same form; further sub text may be among :attr:`blocks`."""
        return "" if self.reason not in _WITH_TITLE else self._text(SUB_ROLES, everywhere=False)

    @cached_property
    def html(self) -> str:
        """The main text as HTML: its elements with links and images kept, everything else left out.

        It is read off the page's tree when it is first asked for; a tree of the user's must not be changed before.
        """
        if self.reason:
            return ""
        if self._labels is not None:
            return self._labels.html(self.text_roles)
        if self._root is None:
            return ""
        pieces = (piece for block in self._shown(self.text_roles) for piece in block.block.pieces)
        return pruned_html(self._root, pieces, self._url)

    @cached_property
    def markdown(self) -> str:
        """:attr:`html` as Markdown; see :func:`scrapy_stemmer.core.markdown.markdown_of`."""
        from scrapy_stemmer.core.markdown import markdown_of  # which few ask for

        return markdown_of(self.html, self._url, links=self.markdown_links, images=self.markdown_images)

    @cached_property
    def selector(self) -> Selector:
        """:attr:`html` as a selector of parsel, which knows the URL of the page."""
        return Selector(self.html, base_url=self._url or None)

    @cached_property
    def fields(self) -> Fields:
        """Authors, dates and what else the page says and shows of itself, read when it is first asked for."""
        return NO_FIELDS if self._reads_fields is None else self._reads_fields(FIELDS)

    def read_fields(self, names: Iterable[str]) -> Fields:
        """Some of :attr:`fields`, in less time: of the page only what tells these is looked at.

        :param names: those that are wanted. Where all are known already, the others are there too.
        :raises TypeError: for a text in place of names.
        :raises ValueError: for a name that no field has.
        """
        wanted = checked_names(names)
        return self.fields if self._reads_fields is None or "fields" in vars(self) else self._reads_fields(wanted)

    def _of(self, roles: Collection[Role]) -> tuple[LabelledBlock, ...]:
        return tuple(block for block in self.blocks if block.role in roles)

    def _shown(self, roles: Collection[Role]) -> tuple[LabelledBlock, ...]:
        """The blocks of some roles, without a title that the page does not show: that of its head."""
        return tuple(block for block in self._of(roles) if block.role is not Role.TITLE or block.block.path != "title")

    def _text(self, roles: Collection[Role], *, everywhere: bool) -> str:
        """See :meth:`Labels.text`: blocks are made only where that is needed."""
        if self._labels is not None:
            return writable(self._labels.text(roles, everywhere))
        blocks = self._shown(roles)
        if self._root is None:
            return writable("\n".join(block.text for block in blocks))
        return writable(text_of_pieces(self._root, ((block.text, block.block.pieces) for block in blocks)))


EMPTY = Stripped(matched=False)  # a page without text


def strip_by(patterns: Iterable[Pattern], document: Document, options: MatchOptions | None = None) -> Stripped:
    """Label a page by the pattern that knows most of it, or by the scorer when none fits.

    :param patterns: the patterns of the page's site; on ties the first one wins. Retired ones are passed over.
    """
    options = MatchOptions.checked(options)
    # Only most of the literature's systems have a limit of their own.
    used = [pattern for pattern in in_use(patterns) if pattern.max_work == inf or document.work <= pattern.max_work]
    if document.refusal is not None:
        used = []
    for chosen in (  # layouts first, then what is for all pages of the site
        [pattern for pattern in used if not pattern.site_wide],
        [pattern for pattern in used if pattern.site_wide],
    ):
        matches = [match for pattern in chosen if (match := pattern.match(document, options)) is not None]
        if matches:
            best = max(matches, key=lambda match: match.similarity if match.path_share is None else match.path_share)
            said = {name: getattr(best, name) for name in ("pattern", "similarity", "blocks", "sections", "path_share")}
            reader = _reader(document, best.field_rules)
            return _stripped(document, options, matched=best.fits, _labels=best.labels, _reads_fields=reader, **said)
    return _alone(document, options)


def strip(
    page: Page,
    options: MatchOptions | None = None,
    *,
    default_charset: str = DEFAULT_CHARSET,
    scorer: Scorer | None = None,
) -> Stripped:
    """Strip a single page, without patterns; a tree in the page is not changed.

    The scorer of the learner ``rules`` decides on each block. Where other pages of the site are at hand, :func:`learn`
    finds what returns on them, and knows more. The result is never ``matched``, names no pattern, and has a similarity
    of 0; all else is there as with patterns. A page without text has no blocks.

    :param options: of these ``diffscore``, ``text_roles`` and ``min_confidence`` count; the defaults when ``None``.
    :param default_charset: for bytes that declare no charset.
    :param scorer: scores the blocks; that of this package when ``None``.
    """
    return _alone(Document(page, default_charset), MatchOptions.checked(options), scorer)


def _alone(document: Document, options: MatchOptions, scorer: Scorer | None = None) -> Stripped:
    if (refusal := document.refusal) is not None:
        return Stripped(matched=False, skipped=refusal)
    # With numpy, which takes longer than the rest of the package: who strips with patterns mostly does without.
    from scrapy_stemmer.learners.rules.page import RulesPage
    from scrapy_stemmer.learners.rules.site import Site

    labels = RulesPage(document.shown, Site.of_page(document), document.page.url, options.diffscore, scorer)
    if not labels.has_text:
        return replace(EMPTY, _reads_fields=_reader(document))
    blocks, reader = LazyBlocks(labels.blocks), _reader(document)
    return _stripped(document, options, matched=False, blocks=blocks, _labels=labels, _reads_fields=reader)


def _stripped(document: Document, options: MatchOptions, **said: Any) -> Stripped:
    """A page with what is said of it."""
    return Stripped(
        **said,
        text_roles=options.text_roles,
        source=document.shown.source,
        min_confidence=options.min_confidence,
        markdown_links=options.markdown_links,
        markdown_images=options.markdown_images,
        _root=document.root,
        _url=document.page.url,
    )


def _reader(document: Document, rules: Sequence[FieldRule] | None = None) -> Callable[[Iterable[str]], Fields]:
    """What reads the fields of a page; see :func:`read_fields`."""
    shown, url = document.shown, document.page.url
    return lambda names: read_fields(shown.root, url, latest_day(), rules, names, shown.said)


MEMORY = 100_000_000  # bytes that all sites together may hold in memory, unless said otherwise

SITES = 2_000
"""Sites that hold anything in memory, at most. Python's garbage collector searches all of it again and again, for half
a second with six thousand small sites, and a crawl stands still meanwhile; to read a site again takes a millisecond."""


class PatternMemory:
    """What all sites hold in memory between their pages, within one budget of bytes. Several threads may use it."""

    def __init__(self, budget: int = MEMORY) -> None:
        self.budget = budget
        self._lock = Lock()
        self._held: dict[str, tuple[SitePatterns, int]] = {}  # with their bytes; the sites used last are at the end
        self._total = 0

    def use(self, site: str, patterns: SitePatterns) -> None:
        """Note that a site is used now. Those used longest ago forget what is beyond the budget or :data:`SITES`.

        What a site holds grows while its page is stripped, so it is measured when the next one is used.
        """
        with self._lock:
            if self._held:
                last, (held, size) = self._held.popitem()
                self._held[last] = held, held.held_bytes
                self._total += self._held[last][1] - size
            held, size = self._held.pop(site, (patterns, 0))
            if held is not patterns:
                self._total, size = self._total - size, 0
            self._held[site] = patterns, size
            while self._total > self.budget or len(self._held) > SITES:
                held, size = self._held.pop(next(iter(self._held)))
                self._total -= size
                held.forget()
            self._held.setdefault(site, (patterns, 0))  # which may have been too large by itself


class PatternSet:
    """Patterns of any number of sites; never changes once made.

    Those of a pattern file are read when their site is used. A site of which a line can't be read is as unknown, which
    is logged when the file is loaded, or when the site is used; saving leaves its lines as they are.

    :param patterns: the patterns, in any order.
    """

    def __init__(self, patterns: Iterable[Pattern] = ()) -> None:
        self._by_site: Mapping[str, SitePatterns] = by_site(patterns)
        self._memory = PatternMemory()

    @classmethod
    def of_sites(cls, by_site: Mapping[str, SitePatterns]) -> Self:
        """A set of what stores give: the patterns of each site, sorted by site."""
        patterns = cls()
        patterns._by_site = by_site
        return patterns

    def within(self, memory: PatternMemory) -> PatternSet:
        """The same set, which shares a budget of memory with others; on its own it has 100 MB for what it reads of its
        file and remembers of pages."""
        patterns = PatternSet.of_sites(self._by_site)
        patterns._memory = memory
        return patterns

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """All patterns, by site, then by falling score."""
        return tuple(pattern for of_site in self._by_site.values() for pattern in of_site.readable())

    @property
    def sites(self) -> tuple[str, ...]:
        """The sites that have patterns, sorted."""
        return tuple(site for site, patterns in self._by_site.items() if patterns.error is None)

    @property
    def broken(self) -> dict[str, PatternFileError]:
        """Why sites can't be read, as far as they have been looked at; see also :meth:`unreadable`."""
        return {site: patterns.error for site, patterns in self._by_site.items() if patterns.error is not None}

    def unreadable(self) -> dict[str, PatternFileError]:
        """Why sites can't be read; all are looked at."""
        for patterns in self._by_site.values():
            patterns.check()
        return self.broken

    def of_site(self, site: str) -> tuple[Pattern, ...]:
        """The patterns of a site, empty when it is unknown."""
        stored = self._by_site.get(site)
        if stored is None:
            return ()
        patterns = stored.readable(keep=True)
        self._memory.use(site, stored)
        return patterns

    def has(self, site: str) -> bool:
        """Whether a site has patterns; none is read for that."""
        return site in self._by_site

    def digest_of(self, site: str) -> bytes | None:
        """A hash of the patterns of a site as they stand in pattern files; ``None`` when it is unknown.

        :raises PatternFileError: when they can't be read.
        """
        patterns = self._by_site.get(site)
        return patterns.digest if patterns is not None else None

    def replace(self, *others: PatternSet) -> PatternSet:
        """This set with the sites of other sets in place of its own; later sets take the place of earlier ones.

        Lines that can't be read take no place of those that can.
        """
        merged = dict(self._by_site)
        for other in others:
            for site, patterns in other._by_site.items():
                if patterns.error is None or site not in merged or merged[site].error is not None:
                    merged[site] = patterns
        return PatternSet.of_sites({site: merged[site] for site in sorted(merged)})

    def without(self, sites: Iterable[str]) -> PatternSet:
        """This set without some sites; those that it doesn't have make no difference."""
        left = set(sites)
        return PatternSet.of_sites({site: patterns for site, patterns in self._by_site.items() if site not in left})

    def corrected_by(self, earlier: Iterable[Pattern]) -> PatternSet:
        """This set with what somebody has corrected by hand in earlier patterns of the same sites."""
        there = PatternSet(earlier)
        mended = (corrected(patterns.readable(), there.of_site(site)) for site, patterns in self._by_site.items())
        return PatternSet(chain.from_iterable(mended))

    def stamped(self, learned: str) -> PatternSet:
        """This set with the time ``learned`` on all patterns that have none.

        :param learned: an ISO 8601 time in UTC.
        """
        return PatternSet(known if known.learned else replace(known, learned=learned) for known in self.patterns)

    def strip(
        self, page: Page, options: MatchOptions | None = None, *, default_charset: str = DEFAULT_CHARSET
    ) -> Stripped:
        """Strip a page of its template; a tree in the page is not changed.

        :param options: thresholds; the defaults of extract.py when ``None``.
        :param default_charset: for bytes that declare no charset.
        """
        document = Document(page, default_charset)
        return strip_by(self.of_site(page.site), document, options)

    def save(self, uri: str) -> None:
        """Write the patterns, replacing what is there only when all is written; see also :meth:`merge_into`.

        :param uri: a file's path, or the URI of a store.
        :raises PatternFileError: when it can't be written.
        """
        open_store(uri).write(self._by_site.values())

    def merge_into(self, uri: str) -> None:
        """Put the patterns into a pattern file, in which all other sites stay as they are, whoever writes to it too.

        What somebody has corrected by hand there is kept, and so are patterns that were learned later than these.

        :param uri: a file's path, or the URI of a store; made when it isn't there.
        :raises PatternFileError: when what is there can't be read, or nothing can be written.
        """
        readable = ((site, patterns.readable()) for site, patterns in self._by_site.items())
        open_store(uri).merge({site: Change(patterns) for site, patterns in readable if patterns})

    @classmethod
    def load(cls, uri: str, *, strict: bool = False) -> Self:
        """Read patterns; of a large file only where each site's patterns are.

        Sites of which a line can't be read are as unknown, which is logged.

        :param strict: whether all is read, and a line that can't be is an error.
        :raises PatternFileError: when there are none, or it is no pattern file; names the line and field.
        """
        return cls.of_store(open_store(uri), strict=strict)

    @classmethod
    def of_store(cls, store: PatternStore, *, strict: bool = False) -> Self:
        """The patterns of a store; see :meth:`load`."""
        loaded = cls.of_sites(store.open())
        if strict and (broken := loaded.unreadable()):
            raise next(iter(broken.values()))
        tell((patterns, patterns.error) for patterns in loaded._by_site.values() if patterns.error is not None)
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

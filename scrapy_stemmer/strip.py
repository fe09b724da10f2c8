"""From labelled blocks to what is left of a page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from lxml import etree

from scrapy_stemmer.core.document import Document
from scrapy_stemmer.core.labels import MAIN_ROLES, SUB_ROLES, PageKind
from scrapy_stemmer.core.prune import pruned_html
from scrapy_stemmer.patterns.base import LabelledBlock, Labels, MatchOptions, PageMatch, PageSection, Pattern, Role

T = TypeVar("T")


@dataclass(frozen=True)
class Stripped:
    """A page without its template.

    :param matched: whether a pattern of the page's site fits; if not, there are no blocks and no text.
    :param pattern: name of the pattern.
    :param similarity: share of the page's text, from 0 to 1, that the pattern knows; 0 when none fits.
    :param blocks: the page's layout blocks in order, each with its role and noise confidence.
    :param sections: the page's sections with their importance, of systems that make sections.
    :param text_roles: the roles of blocks that make up :attr:`text` and :attr:`html`: those that the user asked for;
        else main text, subtitle, tables and code, and the title too on pages of which it is a part, such as
        documentation and products.
    """

    matched: bool
    pattern: str | None = None
    similarity: float = 0.0
    blocks: Sequence[LabelledBlock] = ()
    sections: tuple[PageSection, ...] = ()
    text_roles: frozenset[Role] = MAIN_ROLES
    _labels: Labels | None = field(default=None, repr=False, compare=False)
    _root: etree._Element | None = field(default=None, repr=False, compare=False)

    @property
    def kind(self) -> PageKind | None:
        """What the page is there for; ``None`` when no pattern fits, or the pattern's system can't say."""
        return _once(self, "kind", _kind_of)

    @property
    def confidence(self) -> float | None:
        """How sure it is that nine tenths of the text are right, from 0 to 1; ``None`` where :attr:`kind` is."""
        return _once(self, "confidence", _confidence_of)

    @property
    def title(self) -> str | None:
        """The title; ``None`` when the pattern has no title or the page lacks it."""
        return _once(self, "title", _title_of)

    @property
    def main(self) -> tuple[LabelledBlock, ...]:
        """The blocks of the main text: running text, subtitle, tables, code."""
        return self._of(MAIN_ROLES)

    @property
    def sub(self) -> tuple[LabelledBlock, ...]:
        """The blocks that vary from page to page and are not main text: captions, dates, comments, related links."""
        return self._of(SUB_ROLES)

    @property
    def text(self) -> str:
        """The text of the page, a block a line."""
        return _once(self, "text", _text_of)

    @property
    def sub_text(self) -> str:
        """The sub text beside the main text, a block a line; further sub text may be among :attr:`blocks`."""
        return _once(self, "sub_text", _sub_text_of)

    @property
    def html(self) -> str:
        """The main text as HTML: its elements with links and images kept, everything else left out.

        It is read off the page's tree when it is first asked for; a tree of the user's must not be changed before.
        """
        return _once(self, "html", _html_of)

    def _of(self, roles: Collection[Role]) -> tuple[LabelledBlock, ...]:
        return tuple(block for block in self.blocks if block.role in roles)


def _once(page: Stripped, name: str, make: Callable[[Stripped], T]) -> T:
    """What is worked out when it is first asked for, and kept: properties go before what is kept by their names.

    :param make: works it out; one function for all pages, since one of each page would have to be made each time.
    """
    known = page.__dict__
    if name not in known:
        known[name] = make(page)
    value: T = known[name]
    return value


def _said(page: Stripped, roles: Collection[Role], everywhere: bool) -> Sequence[str]:
    """What blocks of some roles say, without making those blocks where that is not needed.

    :param everywhere: whether all of the page is to be looked at, or no more than is read for its text.
    """
    if page._labels is not None:
        return page._labels.texts(roles, everywhere)
    return [block.text for block in page._of(roles)]


def _kind_of(page: Stripped) -> PageKind | None:
    return None if page._labels is None else page._labels.kind()


def _confidence_of(page: Stripped) -> float | None:
    return None if page._labels is None else page._labels.confidence()


def _title_of(page: Stripped) -> str | None:
    if page._labels is not None:
        return page._labels.title()
    return " ".join(_said(page, {Role.TITLE}, True)) or None


def _text_of(page: Stripped) -> str:
    return "\n".join(_said(page, page.text_roles, True))


def _sub_text_of(page: Stripped) -> str:
    return "\n".join(_said(page, SUB_ROLES, False))


def _html_of(page: Stripped) -> str:
    if page._labels is not None:
        return page._labels.html(page.text_roles)
    if page._root is None:
        return ""
    return pruned_html(page._root, (piece for block in page._of(page.text_roles) for piece in block.block.pieces))


UNMATCHED = Stripped(matched=False)
"""A page that no pattern fits."""

DEFAULT_OPTIONS = MatchOptions()


def strip(patterns: Iterable[Pattern], document: Document, options: MatchOptions | None = None) -> Stripped:
    """Label a page by the pattern that knows most of it.

    :param patterns: the patterns of the page's site; on ties the first one wins.
    """
    options = options or DEFAULT_OPTIONS
    best = best_match(patterns, document, options)
    if best is None:
        return UNMATCHED
    stripped = Stripped.__new__(Stripped)
    # Past the constructor: to set the fields of what can't be changed took a tenth of the time of a small page.
    fields = stripped.__dict__
    fields["matched"] = best.fits
    fields["pattern"] = best.pattern
    fields["similarity"] = best.similarity
    fields["blocks"] = best.blocks
    fields["sections"] = best.sections
    fields["text_roles"] = best.text_roles if options.text_roles is None else options.text_roles
    fields["_labels"] = best.labels
    fields["_root"] = document.root
    return stripped


def best_match(patterns: Iterable[Pattern], document: Document, options: MatchOptions) -> PageMatch | None:
    """The match of highest similarity, of layouts first, else of site-wide patterns; ``None`` without any."""
    if isinstance(patterns, tuple) and len(patterns) == 1:
        only: Pattern = patterns[0]
        return only.match(document, options)
    layouts: list[Pattern] = []
    site_wide: list[Pattern] = []
    for pattern in patterns:
        (site_wide if pattern.site_wide else layouts).append(pattern)
    return _most_similar(layouts, document, options) or _most_similar(site_wide, document, options)


def _most_similar(patterns: Iterable[Pattern], document: Document, options: MatchOptions) -> PageMatch | None:
    best: PageMatch | None = None
    for pattern in patterns:
        match = pattern.match(document, options)
        if match is not None and (best is None or match.similarity > best.similarity):
            best = match
    return best

"""Stripping: the pattern that knows most of a page labels its blocks; the result is the page without its template."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from lxml import etree

from scrapy_stemmer.core.blocks import MAIN_ROLES, SUB_ROLES, PageKind
from scrapy_stemmer.core.document import Document, pruned_html
from scrapy_stemmer.patterns.base import LabelledBlock, Labels, MatchOptions, PageMatch, PageSection, Pattern, Role


@dataclass(frozen=True)
class Stripped:
    """A page without its template.

    :param matched: whether a pattern of the page's site fits. If not, there are no blocks and no text, except with
        patterns that label pages of unknown layouts too, as those of the default learner do.
    :param pattern: name of the pattern that labelled the page.
    :param similarity: share of the page's text, from 0 to 1, that the pattern knows; 0 without a pattern.
    :param blocks: the page's layout blocks in order, each with its role and noise confidence.
    :param sections: the page's sections with their importance, of systems that make sections.
    :param text_roles: the roles of blocks that make up :attr:`text` and :attr:`html`: those that the user asked for;
        else main text, subtitle, tables and code, and the title too on pages of which it is a part, such as
        documentation and products.
    :param path_share: share of the pattern's usual element paths, from 0 to 1, that the page has; ``None`` without a
        pattern, or when the learner gives none.
    """

    matched: bool
    pattern: str | None = None
    similarity: float = 0.0
    blocks: Sequence[LabelledBlock] = ()
    sections: tuple[PageSection, ...] = ()
    text_roles: frozenset[Role] = MAIN_ROLES
    path_share: float | None = None
    _labels: Labels | None = field(default=None, repr=False, compare=False)
    _root: etree._Element | None = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """For a copy, or another process: all that it says of the page, read now, without the page itself."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        said = {name: getattr(self, name) for name in ("kind", "confidence", "title", "text", "sub_text", "html")}
        return {**fields, **said, "blocks": tuple(self.blocks), "_labels": None, "_root": None}

    @cached_property
    def kind(self) -> PageKind | None:
        """The purpose of the page; ``None`` without a pattern, or when the pattern's system can't say."""
        return None if self._labels is None else self._labels.kind()

    @cached_property
    def confidence(self) -> float | None:
        """The probability, from 0 to 1, that nine tenths of the text are right; ``None`` where :attr:`kind` is."""
        return None if self._labels is None else self._labels.confidence()

    @cached_property
    def title(self) -> str | None:
        """The title; ``None`` when the pattern has no title or the page lacks it."""
        if self._labels is not None:
            return self._labels.title()
        return " ".join(self._texts({Role.TITLE}, everywhere=True)) or None

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
        """The text of the page, a block a line."""
        return "\n".join(self._texts(self.text_roles, everywhere=True))

    @cached_property
    def sub_text(self) -> str:
        """The sub text beside the main text, a block a line; further sub text may be among :attr:`blocks`."""
        return "\n".join(self._texts(SUB_ROLES, everywhere=False))

    @cached_property
    def html(self) -> str:
        """The main text as HTML: its elements with links and images kept, everything else left out.

        It is read off the page's tree when it is first asked for; a tree of the user's must not be changed before.
        """
        if self._labels is not None:
            return self._labels.html(self.text_roles)
        if self._root is None:
            return ""
        return pruned_html(self._root, (piece for block in self._of(self.text_roles) for piece in block.block.pieces))

    def _of(self, roles: Collection[Role]) -> tuple[LabelledBlock, ...]:
        return tuple(block for block in self.blocks if block.role in roles)

    def _texts(self, roles: Collection[Role], *, everywhere: bool) -> Sequence[str]:
        """The texts of the blocks of some roles; those blocks are made only where that is needed.

        :param everywhere: whether all of the page is to be looked at, or no more than is read for its text.
        """
        if self._labels is not None:
            return self._labels.texts(roles, everywhere)
        return [block.text for block in self._of(roles)]


UNMATCHED = Stripped(matched=False)
"""A page that no pattern fits."""

DEFAULT_OPTIONS = MatchOptions()


def strip(patterns: Iterable[Pattern], document: Document, options: MatchOptions | None = None) -> Stripped:
    """Label a page by the pattern that knows most of it.

    :param patterns: the patterns of the page's site; on ties the first one wins. Retired ones are passed over.
    """
    options = options or DEFAULT_OPTIONS
    best = best_match(patterns, document, options)
    if best is None:
        return UNMATCHED
    return Stripped(
        matched=best.fits,
        pattern=best.pattern,
        similarity=best.similarity,
        blocks=best.blocks,
        sections=best.sections,
        text_roles=best.text_roles if options.text_roles is None else options.text_roles,
        path_share=best.path_share,
        _labels=best.labels,
        _root=document.root,
    )


def best_match(patterns: Iterable[Pattern], document: Document, options: MatchOptions) -> PageMatch | None:
    """The match that is most alike, of layouts first, else of site-wide patterns; ``None`` without any."""
    layouts: list[Pattern] = []
    site_wide: list[Pattern] = []
    for pattern in patterns:
        if pattern.retired is not None:
            continue
        (site_wide if pattern.site_wide else layouts).append(pattern)
    return _most_similar(layouts, document, options) or _most_similar(site_wide, document, options)


def _most_similar(patterns: Iterable[Pattern], document: Document, options: MatchOptions) -> PageMatch | None:
    best: PageMatch | None = None
    for pattern in patterns:
        match = pattern.match(document, options)
        if match is not None and (best is None or _likeness(match) > _likeness(best)):
            best = match
    return best


def _likeness(match: PageMatch) -> float:
    """How much a page is of a pattern's layout, where several match."""
    return match.similarity if match.path_share is None else match.path_share

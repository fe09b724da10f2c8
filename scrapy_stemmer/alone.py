"""The function strip: a page of which no other is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Document, Page
from scrapy_stemmer.patterns.base import LazyBlocks, MatchOptions
from scrapy_stemmer.patternset import UNMATCHED, Stripped

if TYPE_CHECKING:
    from scrapy_stemmer.learners.rules.scorer import Scorer


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

    :param options: of these ``diffscore`` and ``text_roles`` count; the defaults when ``None``.
    :param default_charset: for bytes that declare no charset.
    :param scorer: scores the blocks; that of this package when ``None``.
    """
    # With numpy, which takes longer than the rest of the package: who strips with patterns mostly does without.
    from scrapy_stemmer.learners.rules.page import RulesPage
    from scrapy_stemmer.learners.rules.site import Site

    options, document = options or MatchOptions(), Document(page, default_charset)
    placed = Site.of_page(document.root)
    labels = RulesPage(document.root, placed, page.url, options.diffscore, scorer, document.source)
    if not labels.has_text:
        return UNMATCHED
    return Stripped(
        matched=False,
        blocks=LazyBlocks(labels.blocks),
        text_roles=labels.text_roles if options.text_roles is None else options.text_roles,
        source=document.source,
        _labels=labels,
        _root=document.root,
        _url=page.url,
    )

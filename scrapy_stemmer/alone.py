"""The function strip: a page of which no other is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Document, Page
from scrapy_stemmer.patterns.base import MatchOptions
from scrapy_stemmer.patternset import Stripped, strip_alone

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

    :param options: of these ``diffscore``, ``text_roles`` and ``min_confidence`` count; the defaults when ``None``.
    :param default_charset: for bytes that declare no charset.
    :param scorer: scores the blocks; that of this package when ``None``.
    """
    return strip_alone(Document(page, default_charset), options or MatchOptions(), scorer)

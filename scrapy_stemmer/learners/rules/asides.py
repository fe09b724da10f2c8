"""Consent, comments and reviews beside the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from scrapy_stemmer.learners.rules.columns import Columns, Signature, any_is

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

MIN_BEFORE = 250  # characters of kept text outside links before comments; with as many behind they are a section
MIN_REVIEWS = 300  # characters of a list of reviews

_CONSENT = re.compile(
    r"onetrust|^ot-(?:pc|sdk|desc|grp|cat|ven|sel|hlst|lst|fltr)(?:-|$)|didomi|usercentrics|cookiebot|cybotcookie|"
    r"trustarc|^truste[-_]|qc-cmp|osano|iubenda|^cky-|^cmplz|^fc-consent|cookielaw|^klaro$|^ccc-(?:notify|module|overlay)",
    re.IGNORECASE,
)
_CONSENT_WORDS = (
    *"onetrust ot- didomi usercentrics cookie trustarc truste qc-cmp osano".split(),
    *"iubenda cky- cmplz fc-consent klaro ccc-".split(),
)
_COMMENT_WORDS = ("comment", "disqus", "livefyre")
_PARTS = "list|section|area|thread|container|wrapper|wrap|box|block|holder|content"
_COMMENTS = re.compile(
    rf"(?:(?:wp|post|article|blog|entry|user|reader)-)?comment(?:s(?:[-_]?(?:{_PARTS}))*|(?:[-_]?(?:{_PARTS}))+)$|"
    r"disqus[-_]thread$|fb-comments$|livefyre[-\w]*$",
    re.IGNORECASE,
)
_REVIEWS = re.compile(
    r"(?<!p)reviews|yotpo|bazaarvoice|^bv[-_]|okendo|judgeme|jdgm|^stamped-|powerreviews|^pr-review|turnto",
    re.IGNORECASE,
)
_FORUM = re.compile(r"(?:^|[-_ ])forum", re.IGNORECASE)
_FORUM_PARTS = frozenset(
    "board boards bbs community discuss discussion discussions issue issues question questions r t thread threads "
    "ticket tickets topic topics".split()
)
"""Names in front of the last part of a discussion's address."""


def is_forum(url: str, columns: Columns | ReadPage, by_number: Sequence[Signature]) -> bool:
    """Return True if the address or a name in the page says that a page is a discussion."""
    around = re.split("[./]", url.lower().partition("?")[0])[:-1]
    if any(part in _FORUM_PARTS or "forum" in part for part in around):
        return True
    return any_is(by_number, columns, _is_of_forum, ("forum",))


@lru_cache(4096)
def _is_of_forum(signature: Signature) -> bool:
    return _FORUM.search(f"{signature.id} {signature.classes}") is not None


def _named(names: Callable[[str], object], signature: Signature, words: Sequence[str]) -> bool:
    """Return True if a name with one of some words satisfies a predicate; most elements have no such word."""
    text = f"{signature.classes} {signature.id}".lower()
    for word in words:  # without a generator, in a third of the time
        if word in text:
            return any(map(names, text.split()))
    return False


CONSENT_PARTS = tuple(word.replace("-", " ") for word in _CONSENT_WORDS)
COMMENT_PARTS = _COMMENT_WORDS


def is_consent(signature: Signature) -> bool:
    return _named(_CONSENT.search, signature, _CONSENT_WORDS)


def is_comments(signature: Signature) -> bool:
    return _named(_COMMENTS.match, signature, _COMMENT_WORDS)


@lru_cache(4096)
def is_reviews(signature: Signature) -> bool:
    return any(map(_REVIEWS.search, (*signature.classes.split(), signature.id)))


def within(
    columns: Columns | ReadPage,
    by_number: Sequence[Signature],
    is_one: Callable[[Signature], bool],
    words: Sequence[str] = (),
) -> dict[int, int]:
    """Return the blocks within elements that satisfy a predicate, each with the number of the outermost one.

    :param words: see :func:`scrapy_stemmer.learners.rules.columns.any_is`.
    """
    if not any_is(by_number, columns, is_one, words):
        return {}  # most pages
    outer: list[int] = []
    for element, (parent, number) in enumerate(zip(columns.parents, columns.signatures, strict=True)):
        above = outer[parent] if parent > 0 else 0
        outer.append(above or (element if element and is_one(by_number[number]) else 0))
    return {at: outer[element] for at, element in enumerate(columns.elements) if outer[element]}


def reviews_in(columns: Columns | ReadPage, by_number: Sequence[Signature]) -> list[int]:
    """Return the blocks of lists of reviews; quotations and sums of ratings are shorter."""
    found = within(columns, by_number, is_reviews)
    sizes: Counter[int] = Counter()
    for at, element in found.items():
        sizes[element] += columns.lengths[at]
    return [at for at, element in found.items() if sizes[element] >= MIN_REVIEWS]


def behind_text(
    columns: Columns | ReadPage, found: dict[int, int], is_text: Sequence[bool], odds: Sequence[float]
) -> list[int]:
    """Return the kept blocks of an element behind longer and surer text.

    None where several elements have some, or where the text goes on behind the element.
    """
    kept = [at for at in found if is_text[at]]
    if not kept or len({found[at] for at in kept}) > 1:
        return []
    before = [at for at in range(kept[0]) if is_text[at] and at not in found]
    behind = [at for at in range(kept[-1] + 1, len(is_text)) if is_text[at] and at not in found]
    lengths, linked = columns.lengths, columns.linked
    if sum(lengths[at] - linked[at] for at in before) < MIN_BEFORE:
        return []
    if sum(lengths[at] - linked[at] for at in behind) >= MIN_BEFORE:
        return []
    return kept if _mean(odds, lengths, kept) <= _mean(odds, lengths, before) else []


def _mean(odds: Sequence[float], lengths: Sequence[int], blocks: Sequence[int]) -> float:
    return sum(odds[at] * lengths[at] for at in blocks) / sum(lengths[at] for at in blocks)

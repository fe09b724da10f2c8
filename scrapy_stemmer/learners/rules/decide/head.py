"""Titles in the head of a page: without parts in common with further pages, and cut into parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scrapy_stemmer.learners.rules.site.columns import text_key
from scrapy_stemmer.page.lazily import short_cache
from scrapy_stemmer.page.shown import TITLES, Head

_SEPARATOR = re.compile(
    r"(?<!\s)\s++(?:[-\u2013\u2014:\u00b7\u2022/\u00ab\u2039\u203a<>~]|::|--)\s++|(?:(?<!\s)\s++)?[|\u00bb\uff5c]\s*+|:\s++|"
    r"(?<!\s)\s++(?=\([^()]++\)$)"
)
_QUOTED = re.compile(r"(?<!\s)\s++(?:[-\u2013\u2014:\u00b7\u2022/~]|::|--)\s++|(?:(?<!\s)\s++)?[|\uff5c]\s*+|:\s++")
_CUT = re.compile(
    rf"{_SEPARATOR.pattern}|(?:(?<!\s)\s++)?(?:[-_,\u2013\u2014~\uff1a\uff0d\u00b7]|::)+\s*+|"
    r"(?<!\s)\s++(?:at|on|bei|auf|sur|en|su|\u043d\u0430|@)\s++"
)
_PAIRS = (("\u00ab", "\u00bb"), ("\u00bb", "\u00ab"), ("\u2039", "\u203a"), ("\u203a", "\u2039"))  # quotation marks
MAX_CUTS = 40  # cuts in a title, half from each end


def _has_quotation(title: str) -> bool:
    return any(-1 < title.find(opening) < title.rfind(closing) for opening, closing in _PAIRS)


class Cut(NamedTuple):
    """A title in two parts."""

    part: str  # at an end
    rest: str
    is_before: bool = False  # True if the part comes first
    is_weak: bool = False  # True if the separator is more frequent within names and sentences


def cuts_of(title: str) -> tuple[Cut, ...]:
    """Return the cuts of a title where the site's name may begin or end, the outermost first."""
    return tuple(_cuts_of(title))


def _cuts_of(title: str) -> Iterator[Cut]:
    separator = _QUOTED if _has_quotation(title) else _CUT
    found = [
        (*each.span(), separator is _CUT and not _SEPARATOR.fullmatch(each[0]), each[0])
        for each in separator.finditer(title)
    ]
    able = [each for each in found if title[: each[0]].strip() and title[each[1] :].strip()]
    for start, end, is_weak, sign in able[: -MAX_CUTS // 2 - 1 : -1]:
        if not (sign.strip().isalpha() and title[end].islower()):  # ``on the beach`` is no name
            yield Cut(title[end:], title[:start], is_weak=is_weak or sign[0] == ":")
    for start, end, is_weak, sign in able[: MAX_CUTS // 2]:
        if not sign.strip().isalpha():
            yield Cut(title[:start], title[end:], is_before=True, is_weak=is_weak or sign[0] == ":")


def title_parts_of(title: str) -> list[str]:
    return [title[start:end] for start, end in title_spans(title)]


@short_cache(64)
def title_spans(title: str) -> tuple[tuple[int, int], ...]:
    separator = _QUOTED if _has_quotation(title) else _SEPARATOR
    edges = [0, *(edge for found in separator.finditer(title) for edge in found.span()), len(title)]
    return tuple((start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if title[start:end].strip())


def of_several(pages: Iterable[Iterable[str]]) -> frozenset[str]:
    counts = Counter(text for texts in pages for text in set(texts))
    return frozenset(text for text, count in counts.items() if count >= 2)


def own_title(head: Head, common: frozenset[str]) -> str | None:
    return first_title(own_titles(head, common), head)


def first_title(own: Sequence[str], head: Head) -> str | None:
    """Return the first of :func:`own_titles`, else, as on the home page, the whole title; ``None`` without a title."""
    return next(iter(own), head.title) or None


def own_titles(head: Head, common: frozenset[str]) -> list[str]:
    """Return the titles in the head without common parts at their ends, the most trustworthy first."""
    titles = dict.fromkeys(filter(None, map(head.texts.get, TITLES)))
    return list(dict.fromkeys(filter(None, (without_common(title, common) for title in titles))))


def without_common(title: str, common: frozenset[str]) -> str:
    """Return a title without common parts at its ends, "" if nothing is left."""
    own = [(start, end) for start, end in title_spans(title) if title[start:end] not in common]
    found = title[own[0][0] : own[-1][1]] if own else ""
    ends = tuple(common)
    while found and found.startswith(ends) | found.endswith(ends):  # most titles have none
        if found in common:
            return ""
        shorter = next((cut.rest for cut in cuts_of(found) if cut.part in common), None)
        if shorter is None:
            break
        found = shorter
    return found


def shared_ends(titles: Sequence[str]) -> frozenset[str]:
    """Return the ends of titles of half of the pages, with any separator, and ends of two pages before a common end."""
    ends = Counter(part for title in titles for part in {cut.part for cut in cuts_of(title)})
    most = frozenset(part for part, times in ends.items() if times >= max(2, len(titles) / 2))
    if not most:
        return most
    cut = [rest for title in titles if (rest := without_common(title, most)) and rest != title]
    return most | of_several({each.part for each in cuts_of(title)} for title in cut)


def title_keys(head: Head, common: frozenset[str]) -> frozenset[int]:
    """Return the keys of texts that may be a page's title: titles in the head, whole and in parts."""
    titles = [*own_titles(head, common), *head.texts.values()]
    parts = (part for title in head.texts.values() for part in title_parts_of(title))
    texts = {" ".join(text.split()) for text in (*titles, *parts)} - {""}
    return frozenset(text_key(text) for text in texts)

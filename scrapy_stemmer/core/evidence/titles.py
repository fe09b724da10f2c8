"""The name of a page without the name of its site, and which of its headings is that name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile

from rapidfuzz.fuzz import ratio

from scrapy_stemmer.core.evidence.head import TITLES, AnyHead, Head

MIN_AGREED = 0.5
"""What a heading and the page's head agree on is the title where it is at least this share of the heading's words."""

_WORD = re.compile(r"\w+")
_BOUNDARY = re.compile(r"\s*(?:[:|\u2013\u2014\u00bb\u00b7\uff5c]|\s-\s|$)")
_SEPARATOR = re.compile(r"\s+[-|\u2013\u2014:\u00bb\u00b7\u2022/]\s+|\s*[|\u00bb\uff5c]\s*")


def parts_of(title: str) -> list[str]:
    """The parts of a title between separators such as dashes and bars."""
    return [title[start:end] for start, end in _spans(title)]


def _spans(title: str) -> list[tuple[int, int]]:
    """Where the parts begin and end."""
    separators = list(_SEPARATOR.finditer(title))
    starts = [0, *(separator.end() for separator in separators)]
    ends = [*(separator.start() for separator in separators), len(title)]
    return [(start, end) for start, end in zip(starts, ends, strict=True) if title[start:end].strip()]


def common_parts(heads: Iterable[AnyHead]) -> frozenset[str]:
    """The parts that the titles of at least two pages have: the names of the site and its departments."""
    counts = Counter(part for head in heads for part in set(parts_of(head.title)))
    return frozenset(part for part, count in counts.items() if count >= 2)


def own_title(head: AnyHead, common: frozenset[str]) -> str | None:
    """A page's title without parts that other pages have at its ends; ``None`` when it has no title.

    A title of common parts alone, such as that of the home page, is kept as it is.

    :param common: see :func:`common_parts`.
    """
    title = head.title
    own = [(start, end) for start, end in _spans(title) if title[start:end] not in common]
    return title[own[0][0] : own[-1][1]] if own else title or None


def own_titles(head: AnyHead, common: frozenset[str]) -> list[str]:
    """All that the head calls the page, each without the parts that other pages have at its ends."""
    named = (Head({name: head.texts[name]}) for name in TITLES if head.texts.get(name))
    return [title for title in (own_title(one, common) for one in named) if title]


def common_headings(pages: Iterable[Iterable[str]]) -> frozenset[str]:
    """The main headings that at least two pages have, such as a site's name.

    :param pages: for each page the texts of its ``h1``.
    """
    counts = Counter(text for headings in pages for text in set(headings))
    return frozenset(text for text, count in counts.items() if count >= 2)


def best_heading(headings: Sequence[str], wanted: Sequence[str], common: frozenset[str]) -> int | None:
    """The index of the heading that names the page; ``None`` where none does.

    It is one that has no other words than what the head calls the page, else the one that is most like that. The
    heading of several pages counts only in the first case.

    :param headings: the texts of the page's ``h1``.
    :param wanted: see :func:`own_titles`.
    :param common: see :func:`common_headings`.
    """
    scored = []
    for index, heading in enumerate(headings):
        is_contained = any(_has_words(title, heading) for title in wanted)
        if is_contained or heading not in common:
            likeness = max((ratio(heading.lower(), title.lower()) for title in wanted), default=0.0)
            scored.append((is_contained, likeness, -index))
    return -max(scored)[2] if scored else None


def agreed_title(heading: str, wanted: Sequence[str]) -> str:
    """What a page's heading and its head agree on: the heading, or its start where the rest is in none of the titles.

    The start is a run of words that ends where a title has an end or a colon, or parts between separators; such as
    ``Rain fell`` of ``Rain fell [Video]`` and of ``Rain fell | 2nd edition``.

    :param wanted: see :func:`own_titles`.
    """
    if any(_has_words(title, heading) for title in wanted):
        return heading
    agreed = [_common_start(heading, title) for title in wanted] + [_parts_of_title(heading, title) for title in wanted]
    best = max(agreed, key=len, default="")
    enough = len(_WORD.findall(best)) >= MIN_AGREED * len(_WORD.findall(heading))
    return best if best and enough else heading


def _has_words(title: str, text: str) -> bool:
    return set(_WORD.findall(text.lower())) <= set(_WORD.findall(title.lower()))


def _common_start(heading: str, title: str) -> str:
    """The words at the start of a heading that the title has in one run, up to an end or a colon; "" without any."""
    words, spans = _WORD.findall(heading.lower()), list(_WORD.finditer(heading))
    others = list(_WORD.finditer(title))
    best = 0
    for begin in range(len(others)):
        pairs = zip(words, others[begin:], strict=False)
        run = [other for _, other in takewhile(lambda pair: pair[0] == pair[1].group().lower(), pairs)]
        if len(run) > best and _BOUNDARY.match(title, run[-1].end()):
            best = len(run)
    return heading[: spans[best - 1].end()] if best else ""


def _parts_of_title(heading: str, title: str) -> str:
    """The parts at the start of a heading whose words are all in the title."""
    kept = list(takewhile(lambda span: _has_words(title, heading[span[0] : span[1]]), _spans(heading)))
    return heading[kept[0][0] : kept[-1][1]] if kept else ""

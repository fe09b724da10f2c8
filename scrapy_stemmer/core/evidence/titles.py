"""The name of a page without the name of its site, and which of its headings is that name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile

from rapidfuzz.fuzz import ratio

from scrapy_stemmer.core.evidence.head import TITLES, AnyHead

MIN_AGREED = 0.5
"""What a heading and the page's head agree on is the title where it is at least this share of the heading's words."""

_WORD = re.compile(r"\w+")
_BOUNDARY = re.compile(r"\s*(?:[:|\u2013\u2014\u00bb\u00b7\uff5c]|\s-\s|$)")
_ALWAYS = "|\u00bb\uff5c"
"""Characters that separate parts with white space around them or without."""

_SEPARATOR = re.compile(f"[-\u2013\u2014:\u00b7\u2022/{_ALWAYS}]")
"""These, and those that separate parts only with white space on both sides."""


def parts_of(title: str) -> list[str]:
    """The parts of a title between separators such as dashes and bars."""
    return [title[start:end] for start, end in _spans(title)]


def _spans(title: str) -> list[tuple[int, int]]:
    """Where the parts begin and end; white space belongs to the separator before it rather than to the next."""
    spans = []
    begin = 0
    for separator in _SEPARATOR.finditer(title):
        at = separator.start()
        end = begin + len(title[begin:at].rstrip())
        following = len(title) - len(title[at + 1 :].lstrip())
        if title[at] in _ALWAYS or (end < at and following > at + 1):
            spans.append((begin, end))
            begin = following
    spans.append((begin, len(title)))
    return [(start, end) for start, end in spans if title[start:end].strip()]


def common_parts(heads: Iterable[AnyHead]) -> frozenset[str]:
    """The parts that the titles of at least two pages have: the names of the site and its departments."""
    counts = Counter(part for head in heads for part in set(parts_of(head.title)))
    return frozenset(part for part, count in counts.items() if count >= 2)


def own_title(head: AnyHead, common: frozenset[str]) -> str | None:
    """A page's title without parts that other pages have at its ends; ``None`` when it has no title.

    A title of common parts alone, such as that of the home page, is kept as it is.

    :param common: see :func:`common_parts`.
    """
    return _without_common(head.title, common) or None


def _without_common(title: str, common: frozenset[str]) -> str:
    own = [(start, end) for start, end in _spans(title) if title[start:end] not in common]
    return title[own[0][0] : own[-1][1]] if own else title


def own_titles(head: AnyHead, common: frozenset[str]) -> list[str]:
    """All that the head calls the page, each without the parts that other pages have at its ends."""
    titles = [title for title in map(head.texts.get, TITLES) if title]
    own = {title: _without_common(title, common) for title in set(titles)}
    return [own[title] for title in titles]


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
        is_contained = heading in wanted or any(_has_words(title, heading) for title in wanted)
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
    if heading in wanted or any(_has_words(title, heading) for title in wanted):
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

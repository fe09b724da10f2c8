"""The name of a page without the name of its site."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from scrapy_stemmer.core.evidence.head import Head

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


def common_parts(heads: Iterable[Head]) -> frozenset[str]:
    """The parts that the titles of at least two pages have: the names of the site and its departments."""
    counts = Counter(part for head in heads for part in set(parts_of(head.title)))
    return frozenset(part for part, count in counts.items() if count >= 2)


def own_title(head: Head, common: frozenset[str]) -> str | None:
    """A page's title without parts that other pages have at its ends; ``None`` when it has no title.

    A title of common parts alone, such as that of the home page, is kept as it is.

    :param common: see :func:`common_parts`.
    """
    title = head.title
    own = [(start, end) for start, end in _spans(title) if title[start:end] not in common]
    return title[own[0][0] : own[-1][1]] if own else title or None

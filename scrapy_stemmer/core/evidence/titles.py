"""The name of a page without the name of its site."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from scrapy_stemmer.core.evidence.head import Head

_SEPARATOR = re.compile(r"\s+[-|\u2013\u2014:\u00bb\u00b7\u2022/]\s+|\s*[|\u00bb\uff5c]\s*")


def parts_of(title: str) -> list[str]:
    """The parts of a title between separators such as dashes and bars."""
    return [part for part in _SEPARATOR.split(title) if part.strip()]


def common_parts(heads: Iterable[Head]) -> frozenset[str]:
    """The parts that the titles of at least two pages have: the names of the site and its departments."""
    counts = Counter(part for head in heads for part in set(parts_of(head.title)))
    return frozenset(part for part, count in counts.items() if count >= 2)


def own_title(head: Head, common: frozenset[str]) -> str | None:
    """A page's title without parts that other pages have at its ends; ``None`` when it has no title."""
    parts = parts_of(head.title)
    own = [index for index, part in enumerate(parts) if part not in common]
    if not own:
        return head.title or None
    start = head.title.find(parts[own[0]])
    end = head.title.rfind(parts[own[-1]]) + len(parts[own[-1]])
    return head.title[start:end].strip() or None

"""Texts of footnotes: labels, names, and arrows back."""

from __future__ import annotations

import re

from scrapy_stemmer.page.addresses import SCHEMES

_NOTE = re.compile(r"\[?\(?(\w{1,12}|[*†‡§]+)\)?\]?")
_NAME = re.compile(r"#_?(?:fn|ftn|ftnt|footnote|endnote)[-_:.]?\w")
_BACK = re.compile(r"[\W_]*|\W*(?:back|return|jump up)\W*", re.IGNORECASE)
_UP = re.compile(r"(?:\^\s*+)?")
_OPENS = re.compile(r"\\?\[\s*+")
_CLOSES = re.compile(r"\s{0,8}+\\?\]\s*+")
_ENDS = re.compile(r"\\?[.):]\s++")
_WAYS_BACK = re.compile(r"(?:\*?\\?\([\s,]*+\)\*?\s*+)?(?:[.:]\s++)?")


_LINK = re.compile(r"([a-z][a-z0-9+.-]*+):\S++\s*+(?:$|[\"'(])", re.IGNORECASE)
"""Line that defines a link where footnotes are unknown: an address, perhaps with a title."""


def label_of(text: str) -> str | None:
    """Return the label of the footnote marked by a text; ``None`` for a text without a mark."""
    found = _NOTE.fullmatch(text)
    return found and found[1]


def is_name_of_note(address: str) -> bool:
    return _NAME.match(address) is not None


def says_back(text: str) -> bool:
    return _BACK.fullmatch(text) is not None


def without_label(line: str, label: str) -> str:
    """Return the first line of a footnote in Markdown, without the leading label and without links to scripts."""
    # No expression contains the label: a page with thousands of footnotes would need thousands of expressions.
    at = _end(_UP, line, 0)
    inside = _end(_OPENS, line, at)
    has_label = line.startswith(label, inside)
    if inside > at:
        at = _end(_CLOSES, line, inside + has_label * len(label), at)
    elif has_label:
        at = _end(_ENDS, line, at + len(label), at)
    text = line[_end(_WAYS_BACK, line, at) :]
    found = _LINK.match(text.replace("\\", ""))
    # A space without width keeps ``[^1]: javascript:a`` from leading to a script.
    return f"\u200b{text}" if found is not None and found[1].lower() not in SCHEMES else text


def _end(expression: re.Pattern[str], line: str, at: int, otherwise: int | None = None) -> int:
    found = expression.match(line, at)
    return found.end() if found else at if otherwise is None else otherwise

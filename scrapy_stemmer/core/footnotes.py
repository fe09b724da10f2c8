"""Footnotes of a page: how their labels, names and ways back look."""

from __future__ import annotations

import re

_NOTE = re.compile(r"\[?\(?(\w{1,12}|[*†‡§]+)\)?\]?")
_TERM = re.compile(rf"{_NOTE.pattern}(?: ?\([\d, ]+\))?")  # with the ways back from several marks
_NAME = re.compile(r"#_?(?:fn|ftn|ftnt|footnote|endnote)[-_:.]?\w")
_BACK = re.compile(r"[\W_]*|\W*(?:back|return|jump up)\W*", re.IGNORECASE)
_LABEL = r"(?:\^\s*+)?(?:\\?\[\s*+(?:{0}\s*+)?\\?\]\s*+|{0}\\?[.):]\s++)?(?:\*?\\?\([\s,]*+\)\*?\s*+)?(?:[.:]\s++)?"


def label_of(text: str) -> str | None:
    """Return the label of the footnote that a text is the mark of; ``None`` for any other text."""
    found = _NOTE.fullmatch(text)
    return found and found[1]


def label_of_term(text: str) -> str | None:
    """Return the label of the footnote that a term in a list of footnotes is the label of; ``None`` for others."""
    found = _TERM.fullmatch(text)
    return found and found[1]


def is_name_of_note(address: str) -> bool:
    """Tell whether an address in the page is called that of a footnote."""
    return _NAME.match(address) is not None


def says_back(text: str) -> bool:
    """Tell whether the text of a link in a footnote says that it leads back."""
    return _BACK.fullmatch(text) is not None


def without_label(line: str, label: str) -> str:
    """Return the first line of a footnote, in Markdown, without the label that it begins with."""
    return re.sub(_LABEL.format(re.escape(label)), "", line, count=1)

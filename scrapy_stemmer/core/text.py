"""Text measures that every system shares: significant text and word tokens."""

from __future__ import annotations

import re

_WORD_RUN = re.compile(r"\w+")

CJK = "\u2e80-\u2fdf\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f"
"""Scripts written without spaces between words, as the inside of a character class: kana, Han, Hangul."""

_TOKEN = re.compile(rf"[{CJK}]|[^\W{CJK}]+")


def significant(text: str) -> str:
    """The letters, digits and underscores of a text, lower-cased and joined (Webstemmer's ``sig_text``)."""
    return "".join(_WORD_RUN.findall(text)).lower()


def tokens(text: str) -> list[str]:
    """The words of a text, lower-cased; each kana, Han or Hangul character is a word of its own."""
    return _TOKEN.findall(text.lower())


def collapse(text: str) -> str:
    """The text with every run of white space as one space, none at the ends."""
    return " ".join(text.split())

"""The text of a page that is in its scripts alone: as JSON-LD, or as the JSON that a script makes the page from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape, unescape
from typing import Any

from lxml import etree

LD_JSON = "ld+json"  # what the types of scripts that are JSON-LD have

TYPES = (LD_JSON, "application/json")  # what the types of scripts that are JSON have

KEYS = frozenset("articlebody body bodyhtml bodytext content contenthtml html rendered text".split())
"""Keys of texts, in lower case and without ``_`` and ``-``."""

BEST = "articlebody"  # the key that says for certain that this is the page's text

ASIDE = frozenset(
    "comment comments consent cookie cookies i18n legal locale messages recommended related settings "
    "translations".split()
)
"""Keys of objects that hold other texts than the page's own; they are not looked into."""

MAX_CHARS = 5_000_000  # characters of JSON that are read of a page; further scripts are not
MAX_DEPTH = 50  # levels of it
MIN_LETTERS = 0.6  # a text has this share of letters: style sheets, addresses and data have fewer
MAX_WORD = 30  # characters of its words in the mean, but in scripts that write none apart: data in base64 has no words

_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")
_MARKUP = re.compile(r"<(?:p|div|br|h[1-6]|ul|ol|li|section|article|figure|blockquote|table|span|a)\b[^<>]*>", re.I)
_ESCAPED_MARKUP = re.compile(r"&lt;(?:p|div|br|h[1-6])\b", re.I)
_TRAILING = re.compile(r",(\s*[}\]])")


def json_in(texts: Iterable[str], most: int) -> Iterator[Any]:
    """The values of texts that are JSON, also where that stands in a comment or has a comma too many; broken ones are
    left out, and so is what is nested deeper than Python reads.

    :param most: characters that are read; the first text that has more of them is the end.
    """
    for text in texts:
        most -= len(text)
        if most < 0:
            return
        value = _parsed(text)
        if value is not None:
            yield value


def _parsed(text: str) -> Any:
    """The value of JSON; ``None`` for what is none."""
    for mend in (str, _mended):
        try:
            return json.loads(mend(text), strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _mended(text: str) -> str:
    text = text.strip()
    for start in ("//", "<!--", "<![CDATA["):
        text = text.removeprefix(start).lstrip()
    for end in (";", "-->", "]]>", "//", ";"):
        text = text.removesuffix(end).rstrip()
    return _TRAILING.sub(r"\1", text)


def html_in(scripts: Iterable[etree._Element], least: int) -> str | None:
    """The text of a page as HTML: of all texts under one key, in whatever list, the one with the most letters.

    :param scripts: any; those that are not JSON, or broken, are left out.
    :param least: characters that it must have, white space left out.
    """
    best, most = None, (False, least - 1)
    for texts, is_best in _groups(scripts):
        plain = [_TAG.sub(" ", text) for text in texts]
        size = (is_best, sum(sum(map(len, text.split())) for text in plain))
        if size[1] >= least and size > most and _is_prose(" ".join(plain)):
            best, most = texts, size
    return None if best is None else "".join(map(_as_html, best))


def _groups(scripts: Iterable[etree._Element]) -> Iterator[tuple[Sequence[str], bool]]:
    """Texts that are under the same keys, with only their places in lists different, and whether their key is
    :data:`BEST`."""
    able = (script for script in scripts if any(kind in script.get("type", "").lower() for kind in TYPES))
    for data in json_in((script.text or "" for script in able), MAX_CHARS):
        by_key: dict[tuple[int, str], list[str]] = {}
        for path, key, found in _texts(data):
            by_key.setdefault((path, key), []).append(found)
        for (_, key), texts in by_key.items():
            yield list(dict.fromkeys(texts)), key == BEST


def _texts(data: object) -> Iterator[tuple[int, str, str]]:
    """The texts under :data:`KEYS` in document order, each with the number of the path of its object."""
    numbers: dict[tuple[int, str], int] = {}
    # Nuxt writes a list of all values, in which objects hold the numbers of theirs.
    values = data if isinstance(data, list) else []
    stack: list[tuple[object, int, int]] = [(data, 0, 0)]
    while stack:
        node, path, depth = stack.pop()
        if depth > MAX_DEPTH:
            continue
        if isinstance(node, list):
            stack += [(each, path, depth + 1) for each in reversed(node) if isinstance(each, list | dict)]
        elif isinstance(node, dict):
            for key, value in node.items():
                name = key.lower().replace("_", "").replace("-", "")
                if isinstance(value, int) and 0 <= value < len(values):
                    value = values[value]
                if name in KEYS and isinstance(value, str):
                    yield path, name, value
            inner = [
                (key, each) for key, each in node.items() if isinstance(each, list | dict) and key.lower() not in ASIDE
            ]
            for key, each in reversed(inner):
                stack.append((each, numbers.setdefault((path, key), len(numbers) + 1), depth + 1))


def _is_prose(text: str) -> bool:
    """Whether a text is written in a language."""
    words = text.split()
    size = sum(map(len, words))
    has_words = size <= MAX_WORD * len(words) or not text.isascii()
    return has_words and sum(map(str.isalpha, text)) >= MIN_LETTERS * size


def _as_html(text: str) -> str:
    """A text as it stands in JSON as HTML: it is that, or has it escaped once more, or has a paragraph a line."""
    if _MARKUP.search(text):
        return text
    if _ESCAPED_MARKUP.search(text):
        return unescape(text)
    return "".join(f"<p>{escape(unescape(line))}</p>" for line in text.splitlines() if line.strip())

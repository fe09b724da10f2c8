"""Text in scripts: the JSON from which a script makes a page, read when ``shown`` asks, and formulas of MathJax."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape, unescape
from typing import Any

from lxml import etree

from scrapy_stemmer.page.text import UNWANTED, collapse

LD_JSON = "ld+json"  # part of the types of JSON-LD scripts
TYPES = (LD_JSON, "application/json")  # parts of the types of JSON scripts

KEYS = frozenset("articlebody body bodyhtml bodytext content contenthtml html rendered text".split())
"""Keys of texts, in lower case and without ``_`` and ``-``."""

BEST = "articlebody"  # the key of the page's own text for certain

ASIDE = frozenset(
    "comment comments consent cookie cookies i18n legal locale messages recommended related settings "
    "translations".split()
)
"""Keys of objects whose texts are not the page's own and are skipped."""

MAX_CHARS = 5_000_000  # characters of JSON read on a page; further scripts are skipped
MAX_JSON_DEPTH = 50  # nested levels of JSON
MIN_LETTERS = 0.6  # smallest share of letters in a text: style sheets, addresses and data have fewer
MAX_WORD = 30  # mean length of words, except in scripts without spaces: data in base64 has no words

_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")
_MARKUP = re.compile(r"<(?:p|div|br|h[1-6]|ul|ol|li|section|article|figure|blockquote|table|span|a)\b[^<>]*>", re.I)
_ESCAPED_MARKUP = re.compile(r"&lt;(?:p|div|br|h[1-6])\b", re.I)
_TRAILING = re.compile(r",(\s*[}\]])")

# In damaged JSON-LD
MAX_AUTHORS = 2_000  # characters of all authors
_ARTICLE = re.compile(
    r"""["']?@type["']?\s{0,9}:\s{0,9}\[?\s{0,9}["']([A-Za-z]{0,30}(?:Article|Posting|Report|Recipe|Review|Event|Page))\b"""
)
_DATE = re.compile(r"""["']?\b(date(?:Published|Modified|Created))["']?\s{0,9}:\s{0,9}["']([\w:.,+ /-]{4,40})""")
_AUTHOR = re.compile(r"""["']?\bauthor["']?\s{0,9}:\s{0,9}(?=[\[{"'])""")
_STRING = re.compile(r'"((?:[^"\\\n]|\\.){1,80})"')
_NAME = re.compile(r"""["']?\bname["']?\s{0,9}:\s{0,9}"((?:[^"\\\n]|\\.){1,80})\"""")


def json_in(texts: Iterable[str], most: int) -> Iterator[Any]:
    """Yield the values of JSON texts, also of JSON in comments or with extra commas.

    Of damaged JSON-LD the type, dates and authors of an article are read; other broken or deep JSON is skipped.
    """
    for text in texts:
        most -= len(text)
        if most < 0:
            return
        value = _parsed(text)
        if value is not None:
            yield value


def _parsed(text: str) -> Any:
    for mend in (str, _mended):
        try:
            return json.loads(mend(text), strict=False)
        except (ValueError, RecursionError):
            continue
    return _salvaged(text)


def _salvaged(text: str) -> dict[str, Any] | None:
    """Return type, dates and authors of the first article in damaged JSON-LD."""
    kind = _ARTICLE.search(text)
    if kind is None:
        return None
    found: dict[str, Any] = {"@type": kind[1]}
    for name, value in _DATE.findall(text):
        found.setdefault(name, value)
    if (start := _AUTHOR.search(text)) is not None:
        behind = text[start.end() : start.end() + MAX_AUTHORS]
        whole = _STRING.match(behind)
        part = behind.partition("]" if behind[:1] == "[" else "}")[0]
        found["author"] = [_unescaped(name) for name in ([whole[1]] if whole else _NAME.findall(part))]
    return found


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text.replace("\\", "")


def _mended(text: str) -> str:
    text = text.strip()
    for start in ("//", "<!--", "<![CDATA["):
        text = text.removeprefix(start).lstrip()
    for end in (";", "-->", "]]>", "//", ";"):
        text = text.removesuffix(end).rstrip()
    return _TRAILING.sub(r"\1", text)


def html_in(scripts: Iterable[etree._Element], least: int) -> str | None:
    """Return the text of a page as HTML: the texts under one key, in any list, with the most letters."""
    best, most = None, (False, least - 1)
    for texts, is_best in _groups(scripts):
        plain = [_TAG.sub(" ", text) for text in texts]
        size = (is_best, sum(sum(map(len, text.split())) for text in plain))
        if size[1] >= least and size > most and _is_prose(" ".join(plain)):
            best, most = texts, size
    return None if best is None else "".join(map(_as_html, best))


def _groups(scripts: Iterable[etree._Element]) -> Iterator[tuple[Sequence[str], bool]]:
    """Yield texts with common keys, apart from places in lists, with a flag for keys in :data:`BEST`."""
    able = (script for script in scripts if any(kind in script.get("type", "").lower() for kind in TYPES))
    for data in json_in((script.text or "" for script in able), MAX_CHARS):
        by_key: dict[tuple[int, str], list[str]] = {}
        for path, key, found in _texts(data):
            by_key.setdefault((path, key), []).append(found)
        for (_, key), texts in by_key.items():
            yield list(dict.fromkeys(texts)), key == BEST


def _texts(data: object) -> Iterator[tuple[int, str, str]]:
    numbers: dict[tuple[int, str], int] = {}
    # Nuxt writes a list of all values, and numbers of the list in objects.
    values = data if isinstance(data, list) else []
    stack: list[tuple[object, int, int]] = [(data, 0, 0)]
    while stack:
        node, path, depth = stack.pop()
        if depth > MAX_JSON_DEPTH:
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
    words = text.split()
    size = sum(map(len, words))
    has_words = size <= MAX_WORD * len(words) or not text.isascii()
    return has_words and sum(map(str.isalpha, text)) >= MIN_LETTERS * size


def _as_html(text: str) -> str:
    if _MARKUP.search(text):
        return text
    if _ESCAPED_MARKUP.search(text):
        return unescape(text)
    return "".join(f"<p>{escape(unescape(line))}</p>" for line in text.splitlines() if line.strip())


# Scripts of MathJax


def is_of_mathjax(element: etree._Element) -> bool:
    return "math/tex" in (element.get("type") or "").lower()


def show_formula(script: etree._Element) -> None:
    tex = collapse(UNWANTED.sub("", script.text or ""))
    script.tag, script.text = "math", None
    script.set("alttext", tex)
    if "display" in (script.get("type") or "").lower():
        script.set("display", "block")
    etree.SubElement(script, "mtext").text = tex

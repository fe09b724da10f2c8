"""Marks of a browser's rendering in the HTML of a page: script, reader and removal.

The script writes attributes, documented in ``rendering.js``, so that any parser finds the elements again.
``without_marks`` removes them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple

from lxml import etree

BLOCK_MARK = "data-stemmer-block"
HIDDEN_MARK = "data-stemmer-hidden"
STYLES_MARK = "data-stemmer-styles"

UNRENDERED = frozenset({"script", "style", "noscript", "template"})  # elements never rendered as text

SCRIPT = files("scrapy_stemmer.learners.literature").joinpath("rendering.js").read_text(encoding="utf-8")
"""JavaScript function that marks the current page and returns the numbers of blocks and styles."""

_BLOCK_VALUE = re.compile(r"(\d{1,9}) (\d{1,9})")
_MARK = re.compile(rf'\s(?:{BLOCK_MARK}="\d+ \d+"|{HIDDEN_MARK}=""|{STYLES_MARK}="[^"]*")')
_ATTRIBUTES = r'(?:\s[^\s=<>]++(?:="[^"]*")?)*+\s?/?>'
_RAW = "script|style|noscript|template|textarea|title|iframe|xmp|noembed|noframes"
_TAG_OR_RAW = re.compile(
    rf"(?P<skipped><!--.*?(?:-->|\Z))"
    rf"|(?P<raw><(?P<name>{_RAW})(?=[\s/>]){_ATTRIBUTES})(?P<content>.*?(?=</(?P=name)>|\Z))"
    rf"|<[a-zA-Z][^\s/<>]*+{_ATTRIBUTES}",
    re.DOTALL,
)


class Look(NamedTuple):
    """Look of a block: its width in px, and the CSS different from the body's as ``name: value; …`` by name."""

    style: str
    width: int


class Rendering:
    """Marks of a page, read from its root; malformed marks are ignored."""

    def __init__(self, root: etree._Element) -> None:
        body = root.find("body")
        try:
            styles = json.loads("" if body is None else body.get(STYLES_MARK, ""))
        except (ValueError, RecursionError):
            styles = None
        are_ours = isinstance(styles, list) and all(isinstance(style, dict) for style in styles)
        self._styles = [style_text(style) for style in styles] if are_ours else []

    def __bool__(self) -> bool:
        return bool(self._styles)

    def look(self, element: etree._Element) -> Look | None:
        match = _BLOCK_VALUE.fullmatch(element.get(BLOCK_MARK, ""))
        if match is None or int(match[2]) >= len(self._styles):
            return None
        return Look(self._styles[int(match[2])], min(int(match[1]), 1_000_000))

    def hides(self, element: etree._Element) -> bool:
        return HIDDEN_MARK in element.attrib


def style_text(style: Mapping[str, object]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in sorted(style.items()))


def is_marked(html: str) -> bool:
    return STYLES_MARK in html


def without_marks(html: str) -> str:
    """Remove the attributes written by :data:`SCRIPT` from HTML as a browser writes it."""

    def unmarked(part: re.Match[str]) -> str:
        """Clean a start tag, with the contents of an element that holds no tags."""
        if "data-stemmer-" not in part[0] or part["skipped"]:
            return part[0]
        return _MARK.sub("", part["raw"] or part[0]) + (part["content"] or "")

    return _TAG_OR_RAW.sub(unmarked, html)

"""What a browser knows of a page's texts, noted down in the page itself: the script that writes it, and its reader.

The script writes it into attributes, so that the elements are found again whatever parser reads the page's HTML;
``rendering.js`` says which. ``without_marks`` takes them out of the HTML again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple

from lxml import etree

BLOCK = "data-stemmer-block"
HIDDEN = "data-stemmer-hidden"
STYLES = "data-stemmer-styles"
BOX = "data-stemmer-box"

UNRENDERED = frozenset({"script", "style", "noscript", "template"})  # elements whose text is never on the screen

SCRIPT = files("scrapy_stemmer.learners.literature").joinpath("rendering.js").read_text(encoding="utf-8")
"""JavaScript: a function that marks the page it runs in, and gives the numbers of blocks and styles."""

_BLOCK_VALUE = re.compile(r"(\d{1,9}) (\d{1,9})")
_MARK = re.compile(rf'\s(?:{BLOCK}="\d+ \d+"|{BOX}="[-\d ]+"|{HIDDEN}=""|{STYLES}="[^"]*")')
_ATTRIBUTES = r'(?:\s[^\s=<>]++(?:="[^"]*")?)*+\s?/?>'
_RAW = "script|style|noscript|template|textarea|title|iframe|xmp|noembed|noframes"
_TAG_OR_RAW = re.compile(
    rf"(?P<skipped><!--.*?(?:-->|\Z))"
    rf"|(?P<raw><(?P<name>{_RAW})(?=[\s/>]){_ATTRIBUTES})(?P<content>.*?(?=</(?P=name)>|\Z))"
    rf"|<[a-zA-Z][^\s/<>]*+{_ATTRIBUTES}",
    re.DOTALL,
)


class Look(NamedTuple):
    """How a block looks: the CSS that differs from the body's, as ``name: value; …`` by name, and its width in px."""

    style: str
    width: int


class Rendering:
    """The marks of a page, given its root; those that are not ours, whoever has written them, are none."""

    def __init__(self, root: etree._Element) -> None:
        body = root.find("body")
        try:
            styles = json.loads("" if body is None else body.get(STYLES, ""))
        except (ValueError, RecursionError):
            styles = None
        are_ours = isinstance(styles, list) and all(isinstance(style, dict) for style in styles)
        self._styles = [style_text(style) for style in styles] if are_ours else []

    def __bool__(self) -> bool:
        """Whether the page has been rendered."""
        return bool(self._styles)

    def look(self, element: etree._Element) -> Look | None:
        """How an element that texts belong to looks; ``None`` for any other element."""
        match = _BLOCK_VALUE.fullmatch(element.get(BLOCK, ""))
        if match is None or int(match[2]) >= len(self._styles):
            return None
        return Look(self._styles[int(match[2])], min(int(match[1]), 1_000_000))

    def hides(self, element: etree._Element) -> bool:
        """Whether an element's own text can't be seen."""
        return HIDDEN in element.attrib


def style_text(style: Mapping[str, object]) -> str:
    """A style in one line, by name of property."""
    return "; ".join(f"{name}: {value}" for name, value in sorted(style.items()))


def is_marked(html: str) -> bool:
    """Whether HTML may hold marks."""
    return STYLES in html


def without_marks(html: str) -> str:
    """HTML, as a browser writes it, without the attributes of :data:`SCRIPT`; all else stays as it is."""

    def unmarked(part: re.Match[str]) -> str:
        """A start tag; with it comes the content of an element in which there are no tags."""
        if "data-stemmer-" not in part[0] or part["skipped"]:
            return part[0]
        return _MARK.sub("", part["raw"] or part[0]) + (part["content"] or "")

    return _TAG_OR_RAW.sub(unmarked, html)

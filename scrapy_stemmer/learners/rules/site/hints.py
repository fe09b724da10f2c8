"""Hints at a block's role, and traits of elements, by tags, identifiers and class names."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_stemmer._engine import native
from scrapy_stemmer.learners.rules.site.columns import Signature, Signatures
from scrapy_stemmer.learners.rules.site.paths import Component, Paths, length_of_component
from scrapy_stemmer.page.lazily import short_cache
from scrapy_stemmer.page.text import has_word

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

_VOCABULARY = json.loads(Path(__file__).with_name("hints.json").read_bytes())

WORDS: Mapping[str, str] = _VOCABULARY["groups"]
"""Words of identifiers and class names by hint. Plurals in -s and compounds such as ``comment-list`` match too. A list
of comments is no single comment, which is often the text of a page."""

ROLLS: Mapping[str, str] = _VOCABULARY["rolls"]
"""Words, by language, of lists of latest, most read or related pages. They hint at ``related``; ``python -m
training.names`` measures the text in elements with these names."""

GROUPS = tuple(WORDS)

HIDDEN_NAMES = frozenset(_VOCABULARY["hidden"].split())  # class names of hidden elements

MIN_STEM = 6  # shorter words match no part of a longer word such as ``articlebyline``

_BY_WORD: dict[str, int] = {}
for _number, _group in enumerate(GROUPS):
    for _word in " ".join([WORDS[_group], *(ROLLS.values() if _group == "related" else ())]).split():
        _BY_WORD[_word] = _BY_WORD.get(_word, 0) | 1 << _number
_STEMS: dict[str, list[tuple[str, int]]] = {}  # by first letters, for speed
for _word, _bits in _BY_WORD.items():
    if len(_word) >= MIN_STEM:
        _STEMS.setdefault(_word[:MIN_STEM], []).append((_word, _bits))
_RUNS = re.compile(r"[a-z]+")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_]+")


_NO_HINT = re.compile(
    r"^__next$|^(?:full|short)comment(?:top)?$|"
    r"(?:text|border|margin|padding|align|float|pull|push|offset)(?:-(?:xs|sm|md|lg|xl))?[-_]"
    r"(?:left|right|top|bottom)(?![a-z])",
    re.IGNORECASE,
)
"""Exceptions to :data:`WORDS`: the root of Next.js pages, descriptions by Scaladoc, and styles such as ``text-left``
and ``border-bottom``."""

_EXCEPTED = b"next", b"comment", b"left", b"right", b"top", b"bottom"  # parts of names with an exception


@short_cache(8192)
def hints_of(name: str) -> int:
    """Return the hints of a name as bits, by group of :data:`WORDS`."""
    if has_word(name, _EXCEPTED):
        name = _NO_HINT.sub("", name)
    hints, lower, before = 0, name.lower(), ""
    runs = _RUNS.findall(lower)
    for word in runs if lower == name and name.isascii() else map(str.lower, _PARTS.findall(name)):
        hints |= _BY_WORD.get(word, 0) | _BY_WORD.get(before + word, 0)
        if word.endswith("s"):
            hints |= _BY_WORD.get(word[:-1], 0)
        before = word
    for run in runs:
        if len(run) >= MIN_STEM:
            hints |= _hints_within(run)
    return hints


def _hints_within(run: str) -> int:
    """Return the hints of long words anywhere in a run of letters."""
    hints = 0
    for at in range(len(run) - MIN_STEM + 1):
        for stem, bits in _STEMS.get(run[at : at + MIN_STEM], ()):
            if run.startswith(stem, at):
                hints |= bits
    return hints


def hints_of_names(signature: Signature) -> int:
    """Return the hints of an element's names."""
    hints = 0
    for name in f"{signature.id} {signature.classes}".split():
        hints |= hints_of(name)
    return hints


# Elements around a site's paths

FAR = 99  # levels up to an absent element

TAGS = ("p", "li", "h1", "h2", "h3", "td", "dd", "dt", "pre", "div", "section", "article", "blockquote")
"""Tags of blocks; see :data:`SAME_TAG`."""

SAME_TAG = {"h4": "h3", "h5": "h3", "h6": "h3", "th": "td", "tr": "td"}  # tag by equivalent tag

CONTAINERS = "main article nav aside footer header form figure table ul dl blockquote pre section details".split()
"""Tags around blocks."""

SAME_AROUND = {"ol": "ul", "menu": "ul", "figcaption": "figure", "caption": "figure", "tbody": "table", "td": "table"}
"""Equivalents in :data:`CONTAINERS`."""

ROLES = {
    "navigation": "nav",
    "complementary": "aside",
    "contentinfo": "footer",
    "banner": "header",
    "main": "main",
    "search": "form",
    "article": "article",
}
"""Equivalents of ARIA roles in :data:`CONTAINERS`."""

HIDDEN = len(CONTAINERS) + len(GROUPS)  # index of hidden elements, after :data:`CONTAINERS` and groups
WIDTH = HIDDEN + 1  # levels known of a path

_WITHOUT_TEXT = "byline related social subscribe popup ad legal button comment review navigation footer search"

NOISE = [
    *map(CONTAINERS.index, "nav aside footer header form".split()),
    *(len(CONTAINERS) + GROUPS.index(group) for group in _WITHOUT_TEXT.split()),
    HIDDEN,
]
"""Elements of boilerplate on nearly all sites, under names too rare to be learned one by one."""

_TAG = {**{tag: number for number, tag in enumerate(TAGS)}, **{tag: TAGS.index(as_) for tag, as_ in SAME_TAG.items()}}
_AROUND = {tag: number for number, tag in enumerate(CONTAINERS)}
_AROUND_BY_TAG = {**_AROUND, **{tag: _AROUND[as_] for tag, as_ in SAME_AROUND.items()}}
_AROUND_BY_ROLE = {role: _AROUND[tag] for role, tag in ROLES.items()}

add_rows: Callable[..., None] = native("site.add_rows")
"""Add the rows of new paths to :class:`PathFeatures`."""


Shape = tuple[int, str, str, str, str]  # depth of a path and its four innermost tags


class PathFeatures:
    """Features of a site's paths: a row of bytes for each, without the body."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self.tags = bytearray()  # by path: index in :data:`TAGS`, or their count
        # By path, :data:`WIDTH` levels up: to the nearest tag of :data:`CONTAINERS`, name of a group, hidden element.
        self.levels = bytearray()
        # By path, a number for its depth and innermost tags: on sites with generated names only these tell paragraphs
        # from cards.
        self.shapes = array("i")
        self._shapes: dict[Shape, int] = {}
        self.update()

    def update(self) -> None:
        add_rows(self._paths.tree, self.tags, self.levels, self.shapes, self._shapes, _facts_of, WIDTH, FAR)


@short_cache(4096, length=length_of_component)
def _facts_of(component: Component) -> tuple[int, tuple[int, ...]]:
    return _TAG.get(component.tag, len(TAGS)), numbers_of(component)


def numbers_of(component: Component) -> tuple[int, ...]:
    """Return an element's hints, with repetition: :data:`CONTAINERS`, then groups of names, then :data:`HIDDEN`."""
    tag, names, role, is_hidden = component
    found = [_AROUND_BY_TAG[tag]] if tag in _AROUND_BY_TAG else []
    if role in _AROUND_BY_ROLE:
        found.append(_AROUND_BY_ROLE[role])
    for name in names:
        if hints := hints_of(name[1:]):
            found += [len(CONTAINERS) + number for number in range(len(GROUPS)) if hints >> number & 1]
        if name[1:].lower() in HIDDEN_NAMES:
            found.append(HIDDEN)
    if is_hidden:
        found.append(HIDDEN)
    return tuple(found)


_BOXES = frozenset("div aside section p footer form".split())  # tags of boxes
CAPTION, CELL = 1 << 9, 1 << 10  # by tag
_NAMED = ("consent", "maybe consent", "comments", "reviews", "forum", "sale", "box", "error", "apart")
CONSENT, MAYBE_CONSENT, COMMENTS, REVIEWS, FORUM, SALE, BOX, ERROR, APART = (1 << bit for bit in range(len(_NAMED)))

_OF_TAGS = {
    **dict.fromkeys(("aside", "figure"), APART),
    **dict.fromkeys(("caption", "figcaption"), CAPTION),
    **dict.fromkeys(("td", "th"), CELL),
    "amp-ad": BOX,
}

_TRAITS = json.loads(Path(__file__).with_name("traits.json").read_bytes())
_OF_NAMES = {1 << bit: re.compile("|".join(_TRAITS["expressions"][name])) for bit, name in enumerate(_NAMED)}
"""Expressions for names in small letters. Consent is of known tools; boxes are about an author, a newsletter or an
advertisement. A quotation pulled from the text stands apart from it."""

PARTS_OF_NAMES = tuple(_TRAITS["parts"].encode().split())
"""Parts of names, of which names with a trait have any: most names have none."""


@lru_cache(4096)
def traits_of(signature: Signature) -> int:
    """Return an element's traits as bits."""
    found = 0
    for name in f"{signature.classes} {signature.id}".split():
        found |= _traits_of_name(name)
    if found & BOX and signature.tag not in _BOXES:
        found ^= BOX
    return found | _OF_TAGS.get(signature.tag, 0)


def _traits_of_name(name: str) -> int:
    if not has_word(name, PARTS_OF_NAMES):
        return 0
    lower = name.lower()
    return sum(trait for trait, expression in _OF_NAMES.items() if expression.search(lower))


def traits_in(signatures: Signatures) -> list[int]:
    """Return the traits of signatures, by number."""
    known = signatures.traits
    if len(known) < len(signatures):
        # A new list: threads may be reading the known one.
        known = signatures.traits = [*known, *map(traits_of, signatures[len(known) :])]
    return known


def has_trait(signatures: Signatures, columns: ReadPage, trait: int) -> bool:
    """Return True if any element of a page has a trait."""
    return columns.any_marked(traits_in(signatures), trait)

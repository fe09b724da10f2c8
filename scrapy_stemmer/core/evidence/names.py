"""What identifiers and class names hint at: the vocabulary that makers of web pages share in all languages.

A hint never decides alone; see the weights in :mod:`scrapy_stemmer.core.evidence.decision`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from functools import partial

from scrapy_stemmer.core.evidence.memo import MAX_KNOWN, Memo
from scrapy_stemmer.core.evidence.outline import Shape


class Hint:
    """What a name hints at, as bits of a whole number. (Flags of ``enum`` would take half of the time.)"""

    CAPTION = 1
    BYLINE = 2
    RELATED = 4
    SOCIAL = 8
    COMMENT = 16
    REVIEW = 32
    NAVIGATION = 64
    SUBTITLE = 128
    HIDDEN = 256
    CHROME = 512


WORDS: Mapping[int, str] = {
    Hint.CAPTION: "caption credit figure",
    Hint.BYLINE: "byline bio author dateline timestamp contributor",
    Hint.RELATED: "related promo recirc card teaser readmore recommend recommended recommendation trending "
    "popular outbrain taboola carousel latest",
    Hint.SOCIAL: "share sharing social newsletter subscribe subscription paywall popup modal cookie banner ad ads "
    "advert disclaimer copyright button btn toc",
    Hint.COMMENT: "comment disqus reply",
    Hint.REVIEW: "review testimonial",
    Hint.NAVIGATION: "breadcrumb menu nav navigation footer sidebar header tags topics meta skip rail widget pager",
    Hint.SUBTITLE: "dek deck subhead subheading subheadline standfirst excerpt sortdec subtitle summary lede lead",
    Hint.CHROME: "breadcrumb breadcrumbs menu nav navigation footer sidebar cookie cookies modal popup "
    "newsletter consent",
}
"""The words of each hint; they count in a plural with -s too."""

HIDDEN_NAMES = frozenset(
    "hidden visually-hidden visuallyhidden sr-only d-none screen-reader-text screen-reader-only screenreader hide "
    "is-hidden u-hidden aok-hidden offscreen invisible".split()
)
"""Class names that, as a whole, say that an element is not shown."""

CONSENT_NAME = re.compile("consent|gdpr|cookie", re.IGNORECASE)
"""Names of what asks for consent; see :mod:`scrapy_stemmer.core.evidence.kinds`."""

MIN_STEM = 6
"""Words of this length count inside longer words too, as in ``articlebyline``; those of subtitles also where they are
written in parts, as in ``sub-headline``."""

STARTS = 4096
"""Places in the table of the words' first letters; nearly all stay empty."""

NEGATIVE = ~(Hint.REVIEW | Hint.SUBTITLE | Hint.HIDDEN | Hint.CHROME)
"""The hints that speak against a block as such."""


def any_of(words: Iterable[str]) -> str:
    """A regular expression that finds any of some words; common beginnings once, which makes it three times as fast."""
    tree: dict[str, list[str]] = {}
    for word in words:
        tree.setdefault(word[:1], []).append(word[1:])
    if "" in tree:
        return ""
    branches = [re.escape(first) + any_of(rest) for first, rest in sorted(tree.items())]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


# As numbers of C, where they are compiled.
_MIX, _FOUR_LETTERS = 0x9E3779B1, 0xFFFFFFFF


def _starts_of(stems: Iterable[str]) -> bytes:
    """A table of the first four letters of some words; see :func:`_may_have_stem`."""
    found = bytearray(STARTS)
    for stem in stems:
        found[_slot(int.from_bytes(stem[:4].encode(), "big"))] = 1
    return bytes(found)


def _slot(letters: int) -> int:
    """The place of four letters in a table of :data:`STARTS`, by their codes of eight bits each."""
    return (letters * _MIX >> 20) & 0xFFF


_BY_WORD: dict[str, int] = {}
for _hint, _words in WORDS.items():
    for _word in _words.split():
        _BY_WORD[_word] = _BY_WORD.get(_word, 0) | _hint
_NOT_CHROME = ~Hint.CHROME
_STEMS = {word: hint & _NOT_CHROME for word, hint in _BY_WORD.items() if len(word) >= MIN_STEM}
_WHOLE_STEMS = [(stem, hint) for stem, hint in _STEMS.items() if hint != Hint.SUBTITLE]
_PARTED_STEMS = [(stem, hint) for stem, hint in _STEMS.items() if hint == Hint.SUBTITLE]
_ANY_STEM = re.compile(any_of(_STEMS))
_STARTS = _starts_of(_STEMS)
_BREAKS = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
_PARTS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])|[^\W_]+")
_DIGITS = re.compile(r"\d+")
_THREE_DIGITS = re.compile(r"\d\D*\d\D*\d")
_MIXED = re.compile(r"[A-Z]|\d[a-z]|[a-z]\d")
_RESPONSIVE = re.compile(r":(flex|block|grid|inline|table|contents)")


HIDDEN = ".hidden!"
"""Marks the component of an element that an attribute hides."""


class NameHints:
    """Looks names up, and remembers them."""

    def __init__(self) -> None:
        self._known = Memo(_hints_of, MAX_KNOWN)

    def of(self, identifier: str, classes: Iterable[str], hidden: bool) -> int:
        """The hints of an element, bits of :class:`Hint`.

        :param identifier: its id, or "".
        :param classes: its class names.
        :param hidden: whether an attribute says that it is not shown.
        """
        known = self._known
        hints = known[identifier] if identifier else 0
        for name in classes:
            hints |= known[name]
        return hints | Hint.HIDDEN if hidden or _is_hidden(classes) else hints

    def of_shape(self, shape: Shape) -> int:
        """The hints of an element."""
        return self.of(shape.id, shape.classes, shape.hidden)

    def forget(self) -> None:
        """Forget all names."""
        self._known.clear()


def _hints_of(name: str) -> int:
    hints = 0
    lower = name.lower()
    joined = lower.replace("-", "").replace("_", "")
    # Most names are simple ones, for which nothing slow is needed.
    is_simple = lower == name and joined.isascii() and joined.isalnum()
    if is_simple:
        words = lower.replace("_", "-").split("-")
    elif lower == name and name.isascii():
        words = lower.translate(_BREAKS).split()
    else:
        words = [part.lower() for part in _PARTS.findall(name)]
    for word in words:
        hint = _BY_WORD.get(word)
        if hint:
            hints |= hint
        if word[-1:] == "s":
            hint = _BY_WORD.get(word[:-1])
            if hint:
                hints |= hint & _NOT_CHROME
    if len(lower) < MIN_STEM:
        return hints
    if _may_have_stem(joined) and _ANY_STEM.search(joined):
        hints |= _hints_of_stems(lower, joined)
    if "read-more" in lower:
        hints |= Hint.RELATED
    return hints


def _may_have_stem(joined: str) -> bool:
    """Whether a name has four letters that a stem may begin with: most have none, and need not be searched."""
    letters = 0
    for char in joined:
        letters = (letters << 8 | ord(char)) & _FOUR_LETTERS
        if _STARTS[_slot(letters)]:
            return True
    return False


def _hints_of_stems(lower: str, joined: str) -> int:
    """The hints of the words that a name holds within longer ones.

    :param lower: the name in lower case.
    :param joined: the same, its parts joined.
    """
    hints = 0
    for stem, hint in _WHOLE_STEMS:
        if stem in lower:
            hints |= hint
    for stem, hint in _PARTED_STEMS:
        if stem in joined:
            hints |= hint
    return hints


def _is_hidden(classes: Iterable[str]) -> bool:
    """Whether class names hide an element at every width of the window."""
    for name in classes:
        if name.lower() in HIDDEN_NAMES:
            return not _RESPONSIVE.search(" ".join(classes).lower())
    return False


def names_of(shape: Shape) -> list[str]:
    """The identifier and the class names of an element, as they stand in components."""
    identifier = [f"#{_without_numbers(shape.id)}"] if shape.id else []
    return identifier + [f".{name}" for name in shape.classes]


def _without_numbers(name: str) -> str:
    """A name with a zero for each number."""
    for char in name:
        if char.isdecimal():
            return _DIGITS.sub("0", name)
    return name


class Namer:
    """Tells the path component and the name hints of elements, and remembers them.

    :param known: the names that count in components; ``None``: those that don't look made for one page.
    """

    def __init__(self, known: frozenset[str] | None) -> None:
        self._names = NameHints()
        self._components = Memo[Shape, str](partial(component_of, known=known), MAX_KNOWN)
        self._hints = Memo(self._names.of_shape, MAX_KNOWN)

    def keep(self, shapes: Set[Shape]) -> None:
        """Forget all elements but some."""
        self._names.forget()
        self._hints.keep(shapes)
        self._components.keep(shapes)

    def component(self, shape: Shape) -> str:
        """An element's part of paths."""
        return self._components[shape]

    def hints(self, shape: Shape) -> int:
        """What the names of an element hint at, as bits of :class:`Hint`."""
        return self._hints[shape]


def component_of(shape: Shape, known: frozenset[str] | None) -> str:
    """An element as a part of paths: its tag, and those of its names that count; see :class:`Namer`."""
    kept = [name for name in names_of(shape) if (_looks_lasting(name) if known is None else name in known)]
    component = shape.tag + "".join(kept) if kept else shape.tag
    return component + HIDDEN if shape.hidden else component


def _looks_lasting(name: str) -> bool:
    """Whether a name looks as if people had chosen it, for all pages."""
    if _THREE_DIGITS.search(name):
        return False
    if len(name) <= 6 or not _MIXED.search(name):
        return True
    return not (any([char.isdigit() for char in name]) and any(["a" <= char <= "z" for char in name]))  # noqa: C419

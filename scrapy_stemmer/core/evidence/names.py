"""What identifiers and class names hint at: the vocabulary that makers of web pages share in all languages.

A hint never decides alone; see the weights in :mod:`scrapy_stemmer.core.evidence.decision`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set

from scrapy_stemmer.core.evidence.memo import MAX_KNOWN, K, V
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
"""Places in the table of the first four letters of long words; nearly all stay empty."""

PAIRS = 1024
"""Places in the table of the first two letters of all words."""

NEGATIVE = ~(Hint.REVIEW | Hint.SUBTITLE | Hint.HIDDEN | Hint.CHROME)
"""The hints that speak against a block as such."""


# As numbers of C, where they are compiled.
_MIX, _FOUR_LETTERS, _MIN_STEM = 0x9E3779B1, 0xFFFFFFFF, MIN_STEM
_HIDDEN = Hint.HIDDEN


def _by_start(stems: Mapping[str, int]) -> dict[int, list[tuple[str, int, bool]]]:
    """Some words with their hints by the codes of their first four letters, and whether they count in parts too."""
    found: dict[int, list[tuple[str, int, bool]]] = {}
    for stem, hint in stems.items():
        letters = int.from_bytes(stem[:4].encode(), "big")
        found.setdefault(letters, []).append((stem, hint, hint == Hint.SUBTITLE))
    return found


def _starts_of(letters: Iterable[int]) -> bytes:
    """A table of what words begin with; see :func:`_hints_of_stems`."""
    found = bytearray(STARTS)
    for four in letters:
        found[_slot(four)] = 1
    return bytes(found)


def _pairs_of(words: Iterable[str]) -> bytes:
    """A table of the first two letters of some words; see :func:`_hints_of_word`."""
    found = bytearray(PAIRS)
    for word in words:
        found[_pair(ord(word[0]), ord(word[1]))] = 1
    return bytes(found)


def _pair(first: int, second: int) -> int:
    """The place of two letters, of whatever case, in a table of :data:`PAIRS`."""
    return (first & 31) << 5 | (second & 31)


def _slot(letters: int) -> int:
    """The place of four letters in a table of :data:`STARTS`, by their codes of eight bits each."""
    return (letters * _MIX >> 20) & 0xFFF


_BY_WORD: dict[str, int] = {}
for _hint, _words in WORDS.items():
    for _word in _words.split():
        _BY_WORD[_word] = _BY_WORD.get(_word, 0) | _hint
_NOT_CHROME = ~Hint.CHROME
_STEMS = {word: hint & _NOT_CHROME for word, hint in _BY_WORD.items() if len(word) >= MIN_STEM}
_BY_START = _by_start({**_STEMS, "read-more": Hint.RELATED})
_STARTS = _starts_of(_BY_START)
_PAIRS = _pairs_of(_BY_WORD)
_PARTS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])|[^\W_]+")
_THREE_DIGITS = re.compile(r"\d\D*\d\D*\d")
_MIXED = re.compile(r"[A-Z]|\d[a-z]|[a-z]\d")
_RESPONSIVE = re.compile(r":(flex|block|grid|inline|table|contents)")


HIDDEN = ".hidden!"
"""Marks the component of an element that an attribute hides."""


def _remember(known: dict[K, V], key: K, value: V) -> None:
    """Add a value to what is known; when there are :data:`MAX_KNOWN`, all of them are forgotten first."""
    if len(known) >= MAX_KNOWN:
        known.clear()
    known[key] = value


class NameHints:
    """Looks names up, and remembers them."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def of(self, identifier: str, classes: Iterable[str], hidden: bool) -> int:
        """The hints of an element, bits of :class:`Hint`.

        :param identifier: its id, or "".
        :param classes: its class names.
        :param hidden: whether an attribute says that it is not shown.
        """
        hints = self._of_name(identifier) & ~_HIDDEN if identifier else 0
        for name in classes:
            hints |= self._of_name(name)
        if hints & _HIDDEN and _is_responsive(classes):
            hints &= ~_HIDDEN
        return hints | _HIDDEN if hidden else hints

    def _of_name(self, name: str) -> int:
        known = self._known
        found = known.get(name)
        if found is None:
            found = _hints_of(name)
            _remember(known, name, found)
        return found

    def of_shape(self, shape: Shape) -> int:
        """The hints of an element."""
        return self.of(shape.id, shape.classes, shape.hidden)

    def forget(self) -> None:
        """Forget all names."""
        self._known.clear()


def _hints_of(name: str) -> int:
    """The hints of a name; :data:`Hint.HIDDEN` is that of :data:`HIDDEN_NAMES`."""
    lower = name.lower()
    hints = _HIDDEN if lower in HIDDEN_NAMES else 0
    if name.isascii():
        hints |= _hints_of_words(name, lower)
    else:
        for part in _PARTS.findall(name):
            hints |= _hints_of_word(part.lower())
    return hints | _hints_of_stems(lower) if len(lower) >= _MIN_STEM else hints


def _hints_of_words(name: str, lower: str) -> int:
    """The hints of the words of a name in ASCII.

    :param lower: the name in lower case.
    """
    hints = start = 0
    while start < len(name):
        end = _end_of_word(name, start)
        # Most words begin with letters that none of ours begins with.
        if end - start > 1 and _PAIRS[_pair(ord(name[start]), ord(name[start + 1]))]:
            hints |= _hints_of_word(lower[start:end])
        start = max(end, start + 1)
    return hints


def _end_of_word(name: str, start: int) -> int:
    """Where in a name in ASCII the word from some place on ends; there, when no word begins.

    The same as a match of :data:`_PARTS`, character by character.
    """
    end = start
    if _is_capital(name[end]):
        end += 1
        if end == len(name) or not _is_small(name[end]):
            while end < len(name) and _is_capital(name[end]):
                end += 1
            # The last capital before small letters is the first letter of their word.
            is_before_letter = end < len(name) and "a" <= name[end] <= "z"
            return end - 1 if is_before_letter else end
    while end < len(name) and _is_small(name[end]):
        end += 1
    return end


def _is_capital(char: str) -> bool:
    return "A" <= char <= "Z"


def _is_small(char: str) -> bool:
    """Whether it is a letter in lower case, or a digit."""
    return "a" <= char <= "z" or "0" <= char <= "9"


def _hints_of_word(word: str) -> int:
    """The hints of a word in lower case; in a plural they count too, but for those of chrome."""
    hints = _BY_WORD.get(word, 0)
    if word[-1:] == "s":
        hints |= _BY_WORD.get(word[:-1], 0) & _NOT_CHROME
    return hints


def _hints_of_stems(lower: str) -> int:
    """The hints of the words that a name in lower case holds within longer ones.

    Most names have no four letters, hyphens and underscores left out, that such a word begins with.
    """
    hints = letters = 0
    for char in lower:
        if char not in ("-", "_"):
            letters = (letters << 8 | ord(char)) & _FOUR_LETTERS
            if _STARTS[_slot(letters)]:
                hints |= _hints_of_start(letters, lower)
    return hints


def _hints_of_start(letters: int, lower: str) -> int:
    """The hints of those words of four first letters that a name has; see :func:`_hints_of_stems`."""
    hints = 0
    for stem, hint, in_parts in _BY_START.get(letters, ()):
        if stem in (lower.replace("-", "").replace("_", "") if in_parts else lower):
            hints |= hint
    return hints


def _is_responsive(classes: Iterable[str]) -> bool:
    """Whether class names show an element at some width of the window."""
    return _RESPONSIVE.search(" ".join(classes).lower()) is not None


def id_name(identifier: str) -> str:
    """An identifier as it stands in components."""
    return "#" + _without_numbers(identifier)


def class_name(name: str) -> str:
    """A class name as it stands in components."""
    return "." + name


def _without_numbers(name: str) -> str:
    """A name with a zero for each number."""
    parts: list[str] = []
    start = 0
    for index, char in enumerate(name):
        if char.isdecimal():
            if index > start or not index:
                parts.append(name[start:index])
            start = index + 1
    if not parts:
        return name
    parts.append(name[start:])
    return "0".join(parts)


class Namer:
    """Tells the path component and the name hints of elements, and remembers them.

    :param known: the names that count in components; ``None``: those that don't look made for one page.
    """

    def __init__(self, known: frozenset[str] | None) -> None:
        self._known = known
        self._names = NameHints()
        self._classes: dict[str, str] = {}
        self._components: dict[Shape, str] = {}
        self._hints: dict[Shape, int] = {}

    def keep(self, shapes: Set[Shape]) -> None:
        """Forget all elements but some."""
        self._names.forget()
        self._classes.clear()
        self._components = {shape: known for shape, known in self._components.items() if shape in shapes}
        self._hints = {shape: known for shape, known in self._hints.items() if shape in shapes}

    def component(self, shape: Shape) -> str:
        """An element's part of paths."""
        found = self._components.get(shape)
        if found is None:
            found = self._component_of(shape)
            _remember(self._components, shape, found)
        return found

    def _component_of(self, shape: Shape) -> str:
        """Its tag, and those of its names that count."""
        parts = [shape.tag]
        if shape.id:
            name = id_name(shape.id)
            if self._counts(name):
                parts.append(name)
        for name in shape.classes:
            part = self._classes.get(name)
            if part is None:
                part = self._note_class(name)
            if part:
                parts.append(part)
        if shape.hidden:
            parts.append(HIDDEN)
        return "".join(parts) if len(parts) > 1 else shape.tag

    def _note_class(self, name: str) -> str:
        """A class name as it stands in components; "" for one that doesn't count."""
        part = class_name(name)
        if not self._counts(part):
            part = ""
        _remember(self._classes, name, part)
        return part

    def _counts(self, name: str) -> bool:
        return _looks_lasting(name) if self._known is None else name in self._known

    def hints(self, shape: Shape) -> int:
        """What the names of an element hint at, as bits of :class:`Hint`."""
        found = self._hints.get(shape)
        if found is None:
            found = self._names.of_shape(shape)
            _remember(self._hints, shape, found)
        return found


def _looks_lasting(name: str) -> bool:
    """Whether a name looks as if people had chosen it, for all pages."""
    if _THREE_DIGITS.search(name):
        return False
    if len(name) <= 6 or not _MIXED.search(name):
        return True
    return not (any([char.isdigit() for char in name]) and any(["a" <= char <= "z" for char in name]))  # noqa: C419

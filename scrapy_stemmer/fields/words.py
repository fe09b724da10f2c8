"""Vocabulary for texts and elements: labels before dates and names, and names of elements.

=============  =================================================================
bylines.json   words around names of people by language and kind
labels.json    words before dates, tags and categories by language and kind
months.json    months by language
words.json     names of elements, of ``meta`` elements, in addresses, of nobody
=============  =================================================================
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from scrapy_stemmer.page.lazily import short_cache


class Sign:
    """Meanings of an element's names, as bits."""

    NOTHING = 0
    PUBLISHED = 1
    DATED = 2
    CHANGED = 4
    AUTHOR = 8
    ABOUT_AUTHOR = 16
    TAG = 32
    CATEGORY = 64
    PICTURE = 128
    ASIDE = 256
    PERHAPS_ASIDE = 512
    NAME = 1024
    FOOTER = 2048
    HEADER = 4096
    CODE = 8192
    EVENT = 16384


def vocabulary(name: str) -> Any:
    """Return the content of a vocabulary's file."""
    return json.loads(Path(__file__).with_name(f"{name}.json").read_bytes())


WORDS = vocabulary("words")
_BY_LANGUAGE = [*vocabulary("bylines").values(), *vocabulary("labels").values()]


def said(*kinds: str) -> set[str]:
    """Return the words of some kinds in all languages; ``*`` stands for any letters.

    ================  ==========================================================================================
    by                before a name: ``written by``
    weak              before two capitalized words or more, since ambiguous: ``de``
    piece             a kind of text, with an ``article`` before it and a word ``of`` behind: ``an essay by``
    author            before a colon: ``writer:``
    sure              the same, with no other meaning
    alone             the same, also without a colon, as the text of an element
    short             before a name and a sign or space, in East Asia
    behind            behind a name
    role              anywhere before a person with another role: ``edited by``
    other             the same, as a whole word
    published         before a date of publication, with a word ``on`` behind
    changed           the same of a change, perhaps of ``somebody`` on a ``day``; ``changed within`` other words
    event             before a date of another thing; ``dated``: before the word ``date``; ``date of``: behind it
    tags, categories  before links
    number            before the number of an issue or a volume, without marks of letters
    ================  ==========================================================================================
    """
    return {word for language in _BY_LANGUAGE for kind in kinds for word in language.get(kind, ())}


def any_of(words: Iterable[str]) -> str:
    """Return an expression for one of some words, the longest first."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(map(re.escape, ordered)).replace(r"\*", r"\w{1,20}")


def any_said(*kinds: str) -> str:
    """Return an expression for the words of some kinds."""
    return any_of(said(*kinds))


# Names of elements


def _signs(kind: str) -> dict[str, int]:
    signs: defaultdict[str, int] = defaultdict(int)
    for meaning, words in WORDS[kind].items():
        for word in words.split():
            signs[word] |= getattr(Sign, meaning.upper())
    return signs


_OF_WORDS, _OF_NAMES = _signs("words"), _signs("names")  # words between hyphens; whole names without hyphens
_OF_PARTS: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)  # anywhere in a name, by the first letters
for _part, _sign in _signs("parts").items():
    _OF_PARTS[_part[:3]].append((_part, _sign))
_DATED_STARTS = ("date", "datum", "fecha", "time", "zeit")
_DATED_ENDS = ("date", "time", "stamp")


@short_cache(4096)
def signs_of(names: str) -> int:
    """Return the meaning of an element's classes, identifier, ``itemprop`` or ``rel``."""
    signs = Sign.NOTHING
    for name in names.lower().split():
        signs |= _signs_of_name(name)
    return signs


@short_cache(4096)
def _signs_of_name(name: str) -> int:
    words = name.replace("_", "-").split("-")
    plain = "".join(words)
    signs = _OF_NAMES.get(plain, Sign.NOTHING)
    for at in range(len(plain) - 2):
        for part, sign in _OF_PARTS.get(plain[at : at + 3], ()):
            if plain.startswith(part, at):
                signs |= sign
    for word in words:
        signs |= _OF_WORDS.get(word, Sign.NOTHING)
        if word.startswith(_DATED_STARTS) or word.endswith(_DATED_ENDS):
            signs |= Sign.DATED
    return signs


# Labels at the end of a text before a date or name

_END = rf"(?:\s+(?:{any_said('on')}))*\s*[:：于於-]?\s*(?:\w{{2,12}}[.,]*\s*)?$"
_PUBLISHED = rf"(?<!\w)(?:{any_said('published')})"
_CHANGED = rf"(?:(?<!\w)(?:{any_said('changed')})|{any_said('changed within')})"
_BY_SOMEBODY = (
    rf"(?:\s+(?:{any_said('somebody')})(?:\s+(?!{_PUBLISHED})[^\s\d:|•·]+){{1,6}}\s+(?:{any_said('day')})\s)?"
)
_OF_PUBLISHED = re.compile(_PUBLISHED + _END, re.IGNORECASE)
_OF_CHANGED = re.compile(_CHANGED + _BY_SOMEBODY + _END, re.IGNORECASE)

_CHANGE_BEFORE_NUMBER = re.compile(rf"{_CHANGED}\D{{0,50}}\d", re.IGNORECASE)


def says_change(text: str) -> bool:
    """Return True if a longer text has a word for a change followed by a number."""
    return _CHANGE_BEFORE_NUMBER.search(text) is not None


_OF_EVENT = re.compile(
    rf"(?<!\w)(?:{any_said('event')}|version(?:\s*[\d.]+)?)(?!\w)\W*(?:\w{{2,12}}\W*)?$|©\W*$", re.IGNORECASE
)
_SURELY_OF_EVENT = re.compile(
    rf"(?<!\w)(?:(?:{any_said('dated')}) dates?|dates? of (?:{any_said('date of')}))\W*$|(?:^|\s)by\W*$|"
    r"(?<![\d:.,/])\d{1,2}\.?\s?[-–]\s?$",
    re.IGNORECASE,
)
"""Labels with priority over others: ``Due date:``, ``Apply by``, or the first day of an event."""


class Label(NamedTuple):
    """Meaning of the words before a date."""

    kind: int  # ``Sign.PUBLISHED``, ``Sign.CHANGED``, ``Sign.EVENT`` for other things; else nothing
    word: str  # the first word for publication or change


@short_cache(4096)
def label_in(text: str) -> Label:
    published, changed = _OF_PUBLISHED.search(text), _OF_CHANGED.search(text)
    match = changed or published
    word = match.group().split()[0].strip(":：").casefold() if match else ""
    if _SURELY_OF_EVENT.search(text) or (published is None and _OF_EVENT.search(text)):
        return Label(Sign.EVENT, word)
    return Label(Sign.CHANGED if changed else Sign.PUBLISHED if published else Sign.NOTHING, word)


_TAGS = re.compile(rf"(?:{any_said('tags')})(?:\s*+[:：])?\s*+$", re.IGNORECASE)
_CATEGORIES = re.compile(rf"(?:{any_said('categories')})\s*+[:：]\s*+$", re.IGNORECASE)
_LONGEST_BEFORE = 30  # characters


@short_cache(4096)
def announced_by(before: str) -> str:
    end = before[-_LONGEST_BEFORE:]
    return "tags" if _TAGS.search(end) else "categories" if _CATEGORIES.search(end) else ""


# Addresses of links: expressions for paths begin with a slash, and are ten times as fast as those for queries

_PROFILE = r"(?:memberlist|profile)\.php"
_QUERIES = {
    "authors": rf"[?&]author=|{_PROFILE}(?:(?!{_PROFILE}).)*?viewprofile|member\.php\?",
    "tags": r"[?&]tag=",
    "categories": r"[?&]cat(?:egory)?=",
}
_ADDRESSES = {
    field: (re.compile(rf"/(?:{any_of(WORDS['addresses'][field].split())})/[^/?#]", re.I), re.compile(query, re.I))
    for field, query in _QUERIES.items()
}
HANDLE_LINK = re.compile(r"/@[\w.-]+(?:$|[?#])")  # addresses of people, but also of subjects of a text
OF_ACCOUNT = re.compile(r"log-?_?(?:in|out)|sign-?_?(?:up|in|out)|register|join|password|settings", re.IGNORECASE)


def leads_to(field: str, href: str) -> bool:
    """Return True for an address of authors, tags or categories."""
    path, query = _ADDRESSES[field]
    is_able = "=" in href or "php?" in href
    return path.search(f"/{href}") is not None or (is_able and query.search(href) is not None)

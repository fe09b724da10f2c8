"""Names of people in bylines, with the words before and behind names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from scrapy_stemmer.fields.dates import dates_in, is_of_calendar, month_of
from scrapy_stemmer.fields.words import WORDS, any_of, any_said, label_in, said
from scrapy_stemmer.page.lazily import short_cache

MAX_NAME_CHARS = 60  # characters of a name; longer texts are sentences
MAX_BYLINE_LABEL = 30  # characters of a text of words before a name only
MAX_BEFORE_NAME = 2_000  # characters of a text searched for the words before a name
MAX_BEFORE_DATE = 4  # characters between a name and a date, such as ``on``
MIN_SPACES = 3  # least spaces after a name in a sentence
MAX_WORDS = 6  # words of a name, if some are in lower case
MAX_AUTHORS = 12  # names on a page; more names are no list of authors
SHORT = 90  # characters of a label or a byline; longer texts are sentences

_COLON = "[:：՝፦ঃ]"
_PIECE = rf"(?:(?:{any_said('article')})\s)?(?:{any_said('piece')}) (?:{any_said('of')})"
_BY_WORDS = rf"{any_said('by')}|{_PIECE}"
_CAPITAL = r"[^\W\d_a-zß-ÿά-ώ]"
_WEAK = rf"(?-i:(?i:{any_said('weak')})(?=\s{_CAPITAL}[^\s,]+\s{_CAPITAL}))"
_LAST_WORDS = frozenset(word.casefold().split()[-1] for word in said("by", "weak"))
_SHORT_LABELS = frozenset(word[:2] for word in said("short"))
_OTHER = re.compile(rf"(?:{any_said('other')})\.?(?:\s*{_COLON}|\s)", re.IGNORECASE)
_ANY_LABEL = re.compile(rf"[^\W\d_][\w.'’-]*(?:\s[\w'’-]+)?\s*{_COLON}\s+(?=[^\W\d_])")
_BEHIND = re.compile(rf"(?<=\w)\s+(?:{any_said('behind')})\W*$")
"""Words behind a name."""

_AUTHOR_WORDS = any_said("author", "sure", "alone")
# words before a name
BY = re.compile(rf"(?:^|(?<=[\s|•·,–—-]))(?:{_BY_WORDS})(?:\s*{_COLON}|\s)\s*|^(?:{_WEAK})\s+", re.IGNORECASE)

LABEL = re.compile(
    rf"(?:^|(?<=[\s|•·,–—-]))(?:{_AUTHOR_WORDS})\s*{_COLON}\s*|^(?:{any_said('short')})[\s/／・=|｜]+",
    re.IGNORECASE,
)
"""Words before a name with a colon."""

_SURE = re.compile(rf"(?:{any_said('sure')})\s*{_COLON}", re.IGNORECASE)
"""Labels with a single meaning."""

_OTHER_ROLE = re.compile(
    rf"(?:{any_said('role')}|(?<!\w)(?:{any_said('other')})\.?)\s*+,?\s*+"
    rf"(?:(?:by|von|par|por|di|da|door)(?:\s++(?:dr|prof)\.?)?)?\s*+{_COLON}?\s*+$",
    re.IGNORECASE,
)
_LABELS = frozenset(map(str.casefold, said("alone")))
"""Words that may announce a name alone, without a colon."""

_SEPARATORS = "|•·,–—-:/)("
# The next expressions are for collapsed texts.
_END_OF_NAME = re.compile(
    r"\s?(?:(?<![^\W_])\d|[|•·\[<>{}/?!;\"“”„»«@(…\t]|\s[-–—]+\s|,?\s(?:on|in|am|um|at|il|le|el|op|den|dne|de(?= \d)|"
    r"published|posted|updated|for|from|via|with|special to|says|wrote|writes|veröffentlicht|publié|publicado|"
    r"\d)(?:\s|$)|\s[\w.+-]+@\w|"
    r"[:：,](?=\s*$)|,\s(?=\d)|\.\s(?=\w+:)|\s(?:投稿日|公開日|更新|掲載|发表|发布|日期|时间|来源)|$)",
    re.IGNORECASE,
)
# In capitals, words of one or two letters may be initials or names.
_BETWEEN = re.compile(
    r"\s?(?:,|;|&|\||/|、|，|\s(?:[Aa]nd|AND|und|UND|et|y|e|en|og|och|i|oraz|ve|и|with|mit|avec|con)(?=\s))\s?"
    r"(?:(?:[Aa]nd|AND|und|UND|et|y|e)\s)?"
)
_FIRST_AND = re.compile(r"^(?:[Aa]nd|AND|und|UND|et|y)\s+")
_DIGIT = re.compile(r"\d")
_SAYS = re.compile(r"(?:says|wrote|writes)(?: on\b|\W*$)")
_HANDLE = re.compile(r"(?<=\w)\s+@\w+$")
_MONTH = re.compile(r"(?:\d+\W+(?:de\s+)?)?([^\W\d_]+)\b")
_DAY_ALONE = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun)(?:\w*day)?\.?", re.IGNORECASE)
_DAY_OF_MONTH = re.compile(r"[0-3]?\d\W*")
_WORD = re.compile(r"[^\W\d_]")
_NO_LETTERS = re.compile(r"[:!?&|/()\"#%+\d]")
_NO_NAME = re.compile(
    r"^(?-i:on|at|in|am|um|le|il|el|op|den|vom)\s|https?:|www\.|\bCC[ -]BY\b|\$|\(\)|^\w+[:：]|@\w+\.\w|^[\W\d_]+$|©|"
    r"^@|^\d+\s|^[\[(#]|^(?:follow|about|with)\s|\.(?:com|net|org|de|html?)\b|[=<>{}]|\w[.!?]\s+\w{3,}.*(?<!\b[js]r)(?<!\bd)[.!?]$",
    re.IGNORECASE,
)
_PEOPLE = {kind: frozenset(words.split()) for kind, words in WORDS["people"].items()}
_NOBODY = _PEOPLE["nobody"]
_NEVER_IN_NAMES = _PEOPLE["never"]  # words capitalised in headings and on buttons
_NEVER_BEHIND_BY = _NEVER_IN_NAMES | _PEOPLE["means"]
_CONNECTIVES = _PEOPLE["and"]
_NO_NAMES = _NOBODY | _CONNECTIVES
_TITLES = _PEOPLE["titles"]
_GENERATIONS = _PEOPLE["generations"]  # belong to a name even after a comma
_PARTICLES = _PEOPLE["particles"]

_SURNAMES = frozenset(("y", "e", "i"))
_SURNAME = re.compile(r"[^\W\d_][\w'’-]*[^\W\d_A-Z]")  # possible second of two surnames; words in capitals are agencies

_PLACED = re.compile(r"((?>[^,;&|/][^,;&|/ ]*) [^,;&|/]++), [A-ZÀ-Þ][a-zà-ÿ]+")
"""Names of two words or more and, after the only comma, a single word for their place."""

TURNED = re.compile(
    r"((?:[^\W\d_]|['’-]){2,}+(?<=[a-zà-ÿ])), (?!(?i:jr|sr|phd|md|mba|esq|msc|bsc)\b)"
    r"([^\W\d_]++(?<=[a-zà-ÿ])(?: [^\W\d_]\.)*)"
)
"""Single name as libraries write it, last name first, perhaps with initials: ``Lee, Ann``."""

_AGENCIES = frozenset(WORDS["agencies"])
"""follow the name of a person in their employ"""

_ROLES = re.compile(rf"\b(?:{any_of(WORDS['roles'])})\b", re.IGNORECASE)

_NICKNAME = re.compile(
    r"(?<=[^\W\d_])\s(?:\"[^\W\d_][^\"]{0,20}\"|“[^\W\d_][^”]{0,20}”|„[^\W\d_][^“”]{0,20}[“”]|«[^\W\d_][^»]{0,20}»|"
    rf"\((?!(?i:{any_of(_AGENCIES)})\))[A-ZÀ-ÞΑ-ΩА-Я][^\W\d_A-Z]{{1,12}}\))\s(?=[A-ZÀ-ÞΑ-ΩА-Я])"
)
"""Nickname in quotation marks or parentheses between the words of a name."""


@short_cache(4096)
def by_in(text: str) -> re.Match[str] | None:
    text = text[:MAX_BEFORE_NAME]
    is_able = text[:2].strip(" /／・=|｜") in _SHORT_LABELS or not _LAST_WORDS.isdisjoint(text.casefold().split())
    if not (is_able or any(colon in text for colon in _COLON)):
        return None
    by = LABEL.search(text) or BY.search(text)
    return by if by is not None and _may_follow(by.group(), text[: by.start()].strip()) else None


def of_another_role(text: str) -> bool:
    return len(text) <= SHORT and _OTHER_ROLE.search(text) is not None


def _may_follow(by: str, before: str) -> bool:
    """Return True if a word for ``by`` announces an author after ``before``: not in ``Specified by``."""
    is_plain = " " in by.strip() or _SURE.fullmatch(by.strip()) is not None
    return not before or is_plain or before[-1] in _SEPARATORS or _DIGIT.search(before[-12:]) is not None


@short_cache(4096)
def announces(text: str) -> bool:
    """Return True if a text ends with words before a name."""
    text = text.strip()
    by = by_in(f"{text} ") if 0 < len(text) <= MAX_BYLINE_LABEL else None
    return text.casefold() in _LABELS or (by is not None and by.end() > len(text))


def is_signed(text: str) -> bool:
    """Return True if a text ends with a word behind a name, as for a reporter."""
    return _BEHIND.search(text) is not None


def unlabelled(text: str) -> str:
    """Return a text of an element for authors without a label in any language; "" with a label for another role."""
    label = _ANY_LABEL.match(text)
    if label is None:
        return text
    return "" if of_another_role(label[0]) else text[label.end() :]


def goes_on(text: str) -> bool:
    return _FIRST_AND.match(text) is not None and bool(names_in(text))


def joins(text: str) -> bool:
    return text.strip(" ,").casefold() in _CONNECTIVES or text.strip() in (",", "&", "/", "、", "，", ";")


@short_cache(4096)
def names_in(text: str, *, is_whole: bool = False) -> tuple[str, ...]:
    """Return the distinct names at the start of a text, or after words for ``by``."""
    text = " ".join(text.split()).strip(" \u200b\ufeff:：<(").partition("<")[0].rstrip()
    by = by_in(text)
    if (has_by := by is not None) and (not is_whole or (by.start() == 0 and not _may_begin_name(by.group()))):
        text = text[by.end() :]
    elif not has_by and (announces(text) or of_another_role(text) or _OTHER.match(text) or _is_nobody(text, is_whole)):
        return ()
    text = _before_others(text, is_able=has_by, is_whole=is_whole)
    if not is_whole:
        undated = _before_date(text)
        start = _capitalized_start(undated[: _end_of_name(undated)])
        behind = "" if has_by else text[len(start) :].lstrip()
        has_more = behind[:1].islower() or behind[:1].isdigit() or (behind != "" and undated != text)
        text = _before_sentence(start, behind) if has_more else start
        text = placed[1] if (placed := _PLACED.fullmatch(text)) else text
    parts = [_bare(part) for part in _parts(f"{text} ")]
    if is_whole and not all(len(part) <= MAX_NAME_CHARS and _is_short(part) for part in parts):
        return ()  # a sentence, or no name at all
    is_able = is_name if is_whole else partial(_may_be, has_by=has_by)
    return distinct(name for name in _joined(parts) if is_able(name))[:MAX_AUTHORS]


def _parts(text: str) -> Iterator[str]:
    """Split a text into names.

    Outside of lists, a single word after ``y``, ``e`` or ``i`` continues a name of several words: ``José Ortega y
    Gasset``.
    """
    start = 0
    for between in _BETWEEN.finditer(text):
        before = text[start : between.start()]
        is_able = not start and between.group().strip() in _SURNAMES and " " in before.strip()
        if not (is_able and _is_surname(text[between.end() :])):
            yield before
            start = between.end()
    yield text[start:]


def _is_surname(text: str) -> bool:
    """Return True if a text begins with a single word that may be a second surname, not an agency or a staff."""
    word = _BETWEEN.split(text, maxsplit=1)[0].strip()
    key = word.casefold()
    return _SURNAME.fullmatch(word) is not None and not (key in _AGENCIES or key in _NOBODY or _ROLES.search(word))


def _bare(part: str) -> str:
    part = _BEHIND.sub("", part.strip())
    name = _HANDLE.sub("", part).strip(" .,:*-–—~·•|\u00a0'\"")
    is_short = part.endswith(".") and f"{name.rpartition(' ')[2]}.".casefold() in _TITLES
    return f"{name}." if is_short else name


def _end_of_name(text: str) -> int:
    """Return the end of the names at the start of a text.

    A particle before a capital continues a name, as in ``John le Carré``, unless a day follows: ``Ana le Lundi``. So
    does a nickname in quotation marks, as in ``Ken "Caesar" Fisher``.
    """
    kept = {at for nickname in _NICKNAME.finditer(text) for at in range(*nickname.span())}
    for end in _END_OF_NAME.finditer(text, 1):
        behind = text[end.end() :]
        is_particle = end.group().strip().casefold() in _PARTICLES and behind[:1].isupper()
        if end.start() not in kept and not (is_particle and not is_of_calendar(behind.split()[0].strip(".,"))):
            return end.start()
    return len(text)


def _before_others(text: str, *, is_able: bool, is_whole: bool) -> str:
    if (by := BY.search(text, 1)) is None:
        return text
    before = text[: by.start()].rstrip()
    if role := _OTHER_ROLE.search(text, 0, by.end()):
        before = text[: role.start()].rstrip()
        return before if is_able or not before[-1:].isalnum() else ""
    if _may_begin_name(by.group()):
        return text
    return before if looks_personal(before) else text if is_able or is_whole else ""


def _may_be(text: str, *, has_by: bool) -> bool:
    """Return True if a text may be a name: not ``Breaking News``, nor ``Tuesday`` or ``Bus`` after ``by``."""
    nobody = _NEVER_BEHIND_BY if has_by else _NEVER_IN_NAMES
    return is_name(text) and not ((has_by and is_of_calendar(text)) or nobody.issuperset(text.casefold().split()))


def _before_date(text: str) -> str:
    date = next(iter(dates_in(text)), None)
    if date is None or not date.start:
        return text
    before = text[: date.start].rstrip(" ,")
    name, _, last = before.rpartition(" ")
    return name.rstrip(" ,") if " " in name and _DAY_ALONE.fullmatch(last) else before


def _before_sentence(start: str, behind: str) -> str:
    """Return the start of a text if likely to be names alone; "" for a start of a sentence or a label of a date."""
    if _DAY_OF_MONTH.fullmatch(behind):  # a date without a year
        before, _, last = start.rstrip().rpartition(" ")
        start = before.rstrip(" ,") if month_of(last) and " " in before.strip() else start
    is_sentence = len(behind) > SHORT or (behind[-1] in ".!?" and behind.count(" ") >= MIN_SPACES)
    is_label = _DIGIT.search(behind) is not None and label_in(start).word != ""
    if is_label or (is_sentence and behind[:1].islower()):
        return ""
    names = map(str.strip, _BETWEEN.split(f"{start} "))
    is_able = any(looks_personal(name) or name.casefold() in _AGENCIES for name in names)
    is_able = is_able or any(date.start <= MAX_BEFORE_DATE for date in dates_in(behind))
    return start if is_able or _SAYS.match(behind) or start[:1].lower() == start[:1].title() else ""


def _may_begin_name(by: str) -> bool:
    """Return True for a word for ``by`` that may begin a name: ``Di Stefano``, ``Von Miller``."""
    word = by.strip().casefold()
    return word != "by" and word in _LAST_WORDS


def _is_nobody(text: str, is_whole: bool) -> bool:
    """Return True for a date, unless of programs, or a text that begins as no name does."""
    word = _MONTH.match(text) if not is_whole and _DIGIT.search(text) else None
    is_date = word is not None and month_of(word[1]) is not None
    is_date = is_date or (not is_whole and any(date.start == 0 for date in dates_in(text)))
    return is_date or _NO_NAME.search(text[:MAX_NAME_CHARS]) is not None


def _capitalized_start(text: str) -> str:
    """Return the start of a text up to the first word in lower case outside of names.

    A phrase after a single word, such as ``Bank of England``, is a name. A role after a comma is left out completely.
    """
    if not text[:1].isupper():
        return text
    for number, word in enumerate(re.finditer(r"[^\s,;&]+", text)):
        lower, before = word.group(), text[: word.start()]
        is_role_of = _ROLES.match(lower) is not None
        is_in_name = lower in _CONNECTIVES or _is_particle(lower) or (number == 1 and lower in _OF)
        if lower[0].islower() and not is_in_name and not (is_role_of and is_role(before)):
            return before.rpartition(",")[0] if is_role_of and "," in before else before
    return text


def _joined(parts: Iterable[str]) -> list[str]:
    """Join generations (``Jr.``) to the name before, and drop titles, roles and agencies after names."""
    names: list[str] = []
    for part in (_FIRST_AND.sub("", part) for part in parts):
        is_agency = part.casefold() in _AGENCIES or (
            part.isupper() and part.isascii() and " " not in part and len(part) < 6
        )
        if names and part.lower() in _GENERATIONS:
            names[-1] = f"{names[-1]} {part}"
        elif not names or not (is_agency or part.lower() in _TITLES or _ROLES.search(part)):
            names.append(part)
    return names


def is_name(text: str) -> bool:
    """Return True if a text may be a name: short, with letters, no address, and not a word such as ``Admin``."""
    return (
        1 < len(text) <= MAX_NAME_CHARS
        and _is_short(text)
        and _WORD.search(text) is not None
        and not _NO_NAME.search(text)
        and text.lower().strip(" +") not in _NO_NAMES
        and not announces(text)
    )


def is_small(sign: str) -> bool:
    """Return True for a small letter where names begin with a capital, unlike in Georgian."""
    return sign.islower() and sign != sign.title()


def _is_short(text: str) -> bool:
    """Return True for few words, or for more words that only names have."""
    words = text.split()
    if len(words) <= MAX_WORDS:
        return True
    is_able = not (_NO_LETTERS.search(text) or text.isupper()) and _NEVER_IN_NAMES.isdisjoint(text.casefold().split())
    return is_able and all(word[0].isupper() or _is_particle(word) for word in words)


def is_role(text: str) -> bool:
    return _ROLES.search(text) is not None


def looks_personal(text: str) -> bool:
    words = _NICKNAME.sub(" ", text).split()
    return (
        2 <= len(words) <= 4
        and _NEVER_IN_NAMES.isdisjoint(text.casefold().split())
        and is_name(text)
        and all(not is_small(word[0]) or _is_particle(word) for word in words)
        and not _NO_LETTERS.search(text)
    )


_OF = frozenset(("of", "for"))
_JOINED_PARTICLE = re.compile(
    r"(?:(?:al|el|ul|an|ar|as|ash|at|az|bin|ben|ibn|abu)-|[^\W\d_]{1,4}['\u2019])(?=[^\W\d_])"
)
"""Start of a word with a joined particle: ``el-Sayed``, ``d'Ormesson``."""


def _is_particle(word: str) -> bool:
    """Return True if a word in lower case may be in a name: a particle, alone or joined to a capital."""
    if word.lower() in _PARTICLES:
        return True
    joined = _JOINED_PARTICLE.match(word)
    return joined is not None and word[joined.end()].isupper()


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    by_case: dict[str, str] = {}
    for name in names:
        by_case.setdefault(name.casefold(), name)
    return tuple(by_case.values())

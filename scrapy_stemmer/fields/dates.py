"""Dates in texts of many languages, as ISO 8601, if plausible, and evidence for the order of day and month."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import chain
from typing import NamedTuple

from scrapy_stemmer.fields.words import WORDS, any_of, any_said, label_in, vocabulary
from scrapy_stemmer.page.lazily import joined_length, short_cache
from scrapy_stemmer.page.text import decomposed

FIRST_YEAR = 1990  # the beginning of the web; earlier dates belong to the content
DMY, MDY = "dmy", "mdy"  # order of day and month in dates of numbers
ASSUMED = "?"  # order of a date that can be read in both
MAX_DATE_TEXT = 200  # characters of a text to search for dates
BUDDHIST = 543  # years that Thai calendars are ahead

FARTHEST = "14:00"
"""Largest time zone offset from UTC; a larger number after a time of day is another time, such as an end."""

CLOCK_REACH = 30  # characters before a date to search for its time of day


class TextDate(NamedTuple):
    start: int  # offset
    end: int  # offset
    value: str  # as ISO 8601
    # of numbers: DMY or MDY if evident, ASSUMED if read in the order asked for; "" if both orders give one day
    order: str = ""


def folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    return "".join(letter for letter in decomposed(text.casefold()) if not unicodedata.combining(letter))


@cache
def _months() -> Mapping[str, Mapping[str, int]]:
    return {
        language: {word: int(number) for number, words in by_number.items() for word in words.split()}
        for language, by_number in vocabulary("months").items()
    }


def month_of(word: str, language: str = "") -> int | None:
    months, word = _months(), key_of(word)
    return months.get(language, {}).get(word) or months[""].get(word)


def key_of(month: str) -> str:
    return folded(month).strip(".॰").replace(" ", "_")


def is_of_calendar(word: str) -> bool:
    calendar, word = _months(), folded(word)
    return word in calendar["days"] or (len(word) > 3 and word in calendar[""])


_LETTERS = re.compile(r"[^\W\d_]+")
_CJK_DATE = re.compile("[月火水木金土日]曜日?|(?:星期|周)[一二三四五六日天]|[一二三四五六七八九十]{1,2}月")


@cache
def _weekdays() -> Mapping[str, int]:
    """Return the days of the week, with short forms of two to four letters for a single day."""
    days = _months()["days"]
    short: defaultdict[str, set[int]] = defaultdict(set)
    for word, number in days.items():
        for length in (2, 3, 4):
            short[word[:length]].add(number)
    return {**{word: numbers.pop() for word, numbers in short.items() if len(numbers) == 1}, **days}


@cache
def _date_words() -> frozenset[str]:
    """Return words that belong to dates: months and days of the week, with short forms."""
    return frozenset(chain(*_months().values(), (day[:3] for day in _months()["days"]), ("am", "pm")))


def without_date_words(text: str) -> list[str]:
    return [word for word in _LETTERS.findall(_CJK_DATE.sub(" ", folded(text))) if word not in _date_words()]


# A word; or letters with marks, short forms of Thai and Lao with dots in them, and in Arabic two words, or a month with
# its regional name: ``آذار/مارس``.
_MARKED, _ARABIC = r"[\u0900-\u0d7f\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]", r"[\u0620-\u064a]"
_WORD = (
    rf"(?P<{{0}}>[^\W\d_]{{{{2,}}}}+|(?=[\u0620-\u17ff])(?:{_MARKED}{{{{2,}}}}|(?:{_MARKED}{{{{1,3}}}}\.){{{{2}}}}|"
    rf"(?:(?:كانون|تشرين) )?{_ARABIC}+(?:/{_ARABIC}+)?))\.?"
)
_OF = r"(?:(?i:de|del|of|di|do|da|i|ng|سنة|พ\.ศ\.|ค\.ศ\.)\s+|ឆ្នាំ\s?)?"
_DAY = r"(?<![\d:])(?P<{0}d>\d{{1,2}})(?i:st|nd|rd|th|er|[ºª°]|-?[ея]|\.)?"
_YEAR = r"(?P<{0}y>(?:19|20|13|14|25)\d\d)(?!\d)"
_SEP = r"[\s.,/\u2019'\u060c-]{0,4}"
_WRITTEN = re.compile(
    "|".join(
        (
            # 2024-05-01, 2024/5/1, 2024年5月1日, 2024년 5월 1일
            r"(?<![\d/-])(?P<iy>(?:19|20)\d\d)\s?(?:[-/.\u2010-\u2012]|年|"
            r"년\s?)\s?(?P<im>\d{1,2})\s?(?:[-/.\u2010-\u2012]|月|월\s?)\s?(?P<id>\d{1,2})(?!\d)[日일]?",
            # Mar 29 09:26:03 MST 2004
            _WORD.format("tm") + r"\s+" + _DAY.format("t")
            + r",?\s+(?P<time>\d{1,2}[:.h]\d\d(?::\d\d)?(?:\s+[A-Za-z+-][A-Za-z\d]{1,5})?)\s+" + _YEAR.format("t"),
            # 1 May 2024, 1. Mai 2024, 1 de mayo de 2024, 1-May-2024
            _DAY.format("a") + _SEP + _OF + _WORD.format("am") + _SEP + _OF + _YEAR.format("a"),
            # May 1, 2024
            _WORD.format("bm") + r"\s*(?P<bd>\d{1,2})(?i:st|nd|rd|th)?(?:,|\s|\.|\u060c)+" + _OF + _YEAR.format("b"),
            # 2024 May 1, 2024. május 1.
            r"(?<!\d)" + _YEAR.format("c") + r"(?:\s?ခုနှစ်)?[\s.,/၊-]+"
            + _WORD.format("cm") + r"[\s.,/-]*(?P<cd>\d{1,2})(?!\d)",
            # 1 tháng 5, 2024
            r"(?<!\d)(?P<vd>\d{1,2})\s+(?i:tháng|thg)\s+(?P<vm>\d{1,2}),?\s+(?i:năm\s+)?" + _YEAR.format("v"),
            # 1 May 24
            _DAY.format("e") + r"[\s.-]?" + _WORD.format("em") + r"[\s.,'\u2019-]{1,2}(?P<ey>\d\d)(?![\d:])",
            # 01.05.2024, 5/1/2024, 1. 5. 2024
            r"(?<![\d/.:-])(?P<n1>\d{1,2})\s?(?P<s>[./|-])\s?(?P<n2>\d{1,2})\s?(?P=s)?\s?(?P<ny>(?:19|"
            r"20)\d\d)(?!\d)",
            # 01.05.24
            r"(?<![\d/.:-])(?P<m1>\d{1,2})(?P<s2>[./-])(?P<m2>\d{1,2})(?P=s2)(?P<my>\d\d)(?![\d/.:-])",
        )
    )
)  # fmt: skip
_ZONES: Mapping[str, str] = WORDS["zones"]  # short names
_ZONE = rf"Z\b|(?:(?:UTC|GMT)\s?)?[+-]\d\d:?\d\d\b|(?:UTC|GMT)(?:\s?[+-]\d\d?(?::?\d\d)?\b)?|(?-i:{any_of(_ZONES)})\b"
_CLOCK = re.compile(
    r"(?<![\d.:$€£])(?P<hour>\d{1,2})\s?[:.h\u6642\u65f6]\s?(?P<minute>\d\d)(?:[:\u5206](?P<second>\d\d)(?:[.,]\d+)?)?+"
    rf"(?!\d|\s?[%€£]|\s?(?:{any_of(WORDS['units'].split())})(?![\w'’]))\s*(?P<half>[ap]\.?\s?m\b\.?)?\s*"
    rf"(?P<zone>{_ZONE})?",
    re.IGNORECASE,
)
_BEFORE_CLOCK = re.compile(r"\s*(?:T|[^\w\d]{0,3}\s?(?:[^\W\d]{1,9}\.?)?[^\w\d]{0,3})\s*", re.IGNORECASE)
_NAME = re.compile(r"(?<![^\W_])[A-ZÀ-ÞΑ-ΩА-Я][^\W\d_]{3,}\s\Z")  # ``At`` and ``Sun`` are shorter
_BETWEEN = re.compile(r"[^\w\d]{0,3}(?:[^\W\d]{1,9})?[^\w\d]{0,3}")
_DIGIT = re.compile(r"\d")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_THAI = re.compile("[\u0e01-\u0e5b]")
# Every date matches; this is ten times as fast as the search for dates.
_FULL_YEAR = r"(?:19|20|13|14|25)\d\d"
_HINT = re.compile(
    rf"\d\D{{1,60}}{_FULL_YEAR}(?!\d)|{_FULL_YEAR}\D{{1,60}}\d|"
    r"\d\s?[./|-]\s?\d{1,2}\s?[./|-]\s?\d\d|\d[\s.-]?[^\W\d_]{3,}\.?[\s.,'\u2019-]{1,2}\d\d"
)


_BEFORE_DAY = re.compile(r"(?<![^\W\d_])([^\W\d_]{2,}+)\.?,?\s*+\Z")
_NUMBERED = re.compile(rf"(?<![^\W_])(?:{any_said('number')})[.:]?\s*\Z")
"""End of a folded text before the number of an issue or a volume."""
_BESIDE_VERSION = re.compile(r"(?<![^\W\d_])[^\W\d_]{4,}+[\s.-]*+\Z|[^\W_]\Z")  # a name; prepositions are shorter
_OF_VERSION = re.compile(r"(?:version\s*+|[A-Za-z])\Z", re.IGNORECASE)
_TITLE = re.compile(r"[A-ZÀ-Þ][^\W\d_]*\s[A-ZÀ-Þ][^\W\d_]+[\s.-]*+\Z")  # or a name: ``Ann Moe 12.10.11``
_POINTED = re.compile(r"[1-9]\d?\.[1-9]\d?\.(\d\d)?\d\d")
_WORD_BEHIND = re.compile(r"\s[^\W\d_]{4,}+")


def dates_in(text: str, order: str = "", language: str = "") -> tuple[TextDate, ...]:
    if not _DIGIT.search(text):
        return ()
    text = text[: MAX_DATE_TEXT + 60]
    if not text.isascii():
        text = _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit.group())), text)
    return _dates_in(text, order or DMY, language)


@short_cache(4096, length=joined_length)
def _dates_in(text: str, order: str, language: str) -> tuple[TextDate, ...]:
    dates: list[TextDate] = []
    at = 0 if _HINT.search(text) else len(text)
    while (match := _WRITTEN.search(text, at)) is not None:
        day_order = _read(match, order, language)
        if day_order is None:
            at = match.start() + 1
            continue
        day, ambiguous = day_order
        start, end, clock = _clock_beside(text, match)
        if not clock and _is_version(match):
            at = match.start() + 1
            continue
        dates.append(TextDate(start, end, day.isoformat() + clock, ambiguous))
        at = max(end, match.end())
    return tuple(dates)


def _read(match: re.Match[str], order: str, language: str) -> tuple[date, str] | None:
    parts = {name: value for name, value in match.groupdict().items() if value is not None}
    kind = next(name[0] for name in parts if name.endswith("y"))
    year = int(parts[f"{kind}y"])
    year += 2000 if year < 70 else 1900 if year < 100 else 0
    try:
        if kind in "nm":  # day and month in either order
            first, second = int(parts[f"{kind}1"]), int(parts[f"{kind}2"])
            known = _order_of(match, first, second, year)
            day, month = (second, first) if (known or order) == MDY else (first, second)
            is_of_points = parts.get("s", parts.get("s2")) == "." and max(first, second) <= 12
            return date(year, month, day), "" if first == second or is_of_points else known or ASSUMED
        name = parts[f"{kind}m"]
        number = int(name) if name.isdigit() else month_of(name.partition("/")[0], language)
        if year > FIRST_YEAR + BUDDHIST and _THAI.match(name):
            year -= BUDDHIST
        is_numbered = number is not None and kind in "ae" and _NUMBERED.search(folded(match.string[: match.start()]))
        return None if number is None or is_numbered else (date(year, number, int(parts[f"{kind}d"])), "")
    except ValueError:
        return None


def _weekday_before(match: re.Match[str]) -> int | None:
    word = _BEFORE_DAY.search(match.string, 0, match.start())
    return _weekdays().get(folded(word[1]).strip(".")) if word else None


def _is_version(match: re.Match[str]) -> bool:
    """Return True for points between numbers without zeros in front, beside a word: ``Django 2.2.11``."""
    pointed, before = _POINTED.fullmatch(match[0]), match.string[: match.start()]
    if pointed is None or label_in(before).word or _weekday_before(match) is not None:
        return False
    if pointed[1]:  # a year of four digits
        return _OF_VERSION.search(before) is not None
    if len(match[0]) == len("12.10.11") and _TITLE.search(before):
        return False
    return (_BESIDE_VERSION.search(before) or _WORD_BEHIND.match(match.string, match.end())) is not None


def _order_of(match: re.Match[str], first: int, second: int, year: int) -> str:
    """Return the order of day and month evident from two numbers or a day of the week before them, or ""."""
    if first > 12 or second > 12:
        return DMY if first > 12 else MDY
    weekday = _weekday_before(match)
    if weekday is not None and first != second:
        is_day_first, is_month_first = (
            date(year, month, day).isoweekday() == weekday for day, month in ((first, second), (second, first))
        )
        if is_day_first != is_month_first:
            return DMY if is_day_first else MDY
    return DMY if "." in match[0].rstrip(".") else ""


def _clock_beside(text: str, match: re.Match[str]) -> tuple[int, int, str]:
    start, end = match.span()
    if inside := match["time"]:
        return start, end, _iso_time(_CLOCK.match(inside))
    gap = _BEFORE_CLOCK.match(text, end)
    behind = _CLOCK.match(text, gap.end()) if gap and not _is_named(gap[0]) else None
    if behind is not None and (time := _iso_time(behind)):
        return start, len(text[: behind.end()].rstrip()), time
    for before in list(_CLOCK.finditer(text, max(0, start - CLOCK_REACH), start))[-1:]:
        is_beside = _BETWEEN.fullmatch(text, before.end(), start) and not _is_named(text[: before.start()])
        if is_beside and (time := _iso_time(before)):
            return before.start(), end, time
    return start, end, ""


def _is_named(before: str) -> bool:
    """Return True if a name is before a number: ``John 3:16`` is no time, unlike ``Updated 3:16``."""
    return _NAME.search(before) is not None and not label_in(before).word


def _iso_time(match: re.Match[str] | None) -> str:
    """Format a time of day for a date, or return "" for an invalid one."""
    if match is None:
        return ""
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"] or 0)
    half, zone = (match["half"] or "").lower()[:1], _zone(match["zone"])
    is_hour = 1 <= hour <= 12 if half else hour <= 23
    if not is_hour or minute > 59 or second > 59 or zone[1:] > FARTHEST or zone[4:] > "59":
        return ""
    hour = hour % 12 + 12 * (half == "p") if half else hour
    return f"T{hour:02}:{minute:02}:{second:02}{zone}"


_OFFSET = re.compile(r"([+-])(\d\d?):?(\d\d)?$")


def _zone(text: str | None) -> str:
    offset = _OFFSET.search(_ZONES.get(text or "", text or ""))
    if offset is None:
        return "+00:00" if text else ""
    sign, hours, minutes = offset.groups()
    found = f"{int(hours):02}:{minutes or '00'}"
    return "+00:00" if found == "00:00" else sign + found


def first_date(text: str, order: str = "", language: str = "") -> str | None:
    return iso_date(text) or next((date.value for date in dates_in(text, order, language)), None)


_ISO = re.compile(rf"(\d{{4}}-\d\d-\d\d)(?:(?:T|\s+)(\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)?\s*({_ZONE})?)?", re.IGNORECASE)
_STAMP = re.compile(r"1\d{9}(?:\d{3})?")
_BASIC = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)(?:T?\d{2,6}Z?)?")


def iso_date(text: str) -> str | None:
    """Normalize a date written by programs as ISO 8601 or seconds since 1970; return ``None`` for others."""
    text = text.strip()
    try:
        if match := _ISO.match(text):
            day, time, zone = match.groups()
            full = f"{day}T{time}{'' if time.count(':') > 1 else ':00'}{_zone(zone)}" if time else day
            datetime.fromisoformat(full)
            return full
        if _STAMP.fullmatch(text):
            return datetime.fromtimestamp(int(text[:10]), UTC).isoformat()
        if basic := _BASIC.fullmatch(text):
            return date(*map(int, basic.groups())).isoformat()
    except ValueError:
        pass
    return None


def swapped(value: str) -> str:
    return f"{value[:5]}{value[8:10]}-{value[5:7]}{value[10:]}"


def is_plausible(value: str, latest: str) -> bool:
    return str(FIRST_YEAR) <= value[:10] <= latest


def latest_day() -> str:
    """Return the last possible day of publication: tomorrow, since some time zone is ahead."""
    return (datetime.now(UTC).date() + timedelta(days=1)).isoformat()


def is_before(one: str, other: str) -> bool:
    """Compare two dates, by time if both have a time zone, else by day."""
    times = datetime.fromisoformat(one), datetime.fromisoformat(other)
    return times[0] < times[1] if all(time.tzinfo for time in times) else one[:10] < other[:10]


def is_near(one: str, other: str) -> bool:
    return abs(date.fromisoformat(one[:10]) - date.fromisoformat(other[:10])) <= timedelta(days=1)


_IN_URL = re.compile(r"(?<!\d)((?:19|20)\d\d)(?:/|-|_|\.|)(\d\d)(?:(?:/|-|_|\.|)(\d\d))?(?!\d)")


def date_in_url(url: str) -> str | None:
    """Return the date in an address, perhaps without a day: ``2024-05-01`` or ``2024-05``."""
    found = []
    for year, month, day in _IN_URL.findall(url):
        with suppress(ValueError):
            date(int(year), int(month), int(day or 1))
            found.append("-".join(filter(None, (year, month, day))))
    return max(found, key=len, default=None)  # the first with a day


# Order of day and month, as in 03/04/2021: by dates and metadata of pages, country and language

MONTH_FIRST = frozenset({"us", "ph", "pr", "gu", "fm", "pw", "mh"})  # countries where the month stands first
UNDECIDED = frozenset({"ca"})  # a country where both orders are used


def winning_order(votes: Mapping[str, int]) -> str:
    return DMY if votes.get(DMY, 0) > votes.get(MDY, 0) else MDY if votes.get(MDY, 0) else ""


def order_votes(dates: Iterable[tuple[str, str]], known: Collection[str]) -> Counter[str]:
    """Count evident orders once, and twice each assumed order that gives a known date."""
    votes: Counter[str] = Counter()
    for value, order in dates:
        if order in (DMY, MDY):
            votes[order] += 1
        elif order == ASSUMED:
            votes[DMY] += 2 * any(is_near(value, date) for date in known)
            votes[MDY] += 2 * any(is_near(swapped(value), date) for date in known)
    return votes


def order_of_region(language: str, countries: Iterable[str]) -> str:
    for country in countries:
        if country not in UNDECIDED:
            return MDY if country in MONTH_FIRST else DMY
        if language == "en":
            return ""
    return MDY if language == "en" else DMY if language else ""

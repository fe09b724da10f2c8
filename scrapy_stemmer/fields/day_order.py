"""Order of day and month, as in 03/04/2021: by the site's rule, dates and metadata of pages, country, language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from scrapy_stemmer.fields.dates import ASSUMED, DMY, MDY, is_near, swapped

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

"""Prices, and signs of a product's page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from scrapy_stemmer._engine import native
from scrapy_stemmer.learners.rules.columns import Columns, Signature
from scrapy_stemmer.learners.rules.traits import SALE, has_trait
from scrapy_stemmer.page.shown import Metadata

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

_AMOUNT = r"\d[\d.,\u2019' \u00a0]*(?:[.,][-\u2013\u2014]{1,2})?"
_SIGNS = frozenset("$\u20ac\u00a3\u00a5\u20b9\u20bd\u20a9\u20ba\u20b4\u20ab\u0e3f\uffe5")
_NAMES = (
    "USD EUR GBP CHF SFr Fr CAD AUD NZD JPY CNY RMB INR Rs RUB PLN CZK SEK NOK DKK kr HUF Ft RON lei BRL TRY TL ZAR "
    "z\u0142 K\u010d \u0440\u0443\u0431 \u0433\u0440\u043d \u5143 \u5186 \uc6d0"
).split()
CODES = tuple(map(str.lower, _NAMES))
HAS_CURRENCY = re.compile(
    rf"[{''.join(sorted(_SIGNS))}]|(?:{'|'.join(CODES)})(?![^\W\d_])"
).search  # on lower-case text; fast enough for every page
_CURRENCY = rf"(?:[{''.join(sorted(_SIGNS))}]|(?:US|CA|AU|NZ|HK|R|S)\$|(?:{'|'.join(_NAMES)})\b\.?)"
PRICE = re.compile(rf"{_CURRENCY}\s?{_AMOUNT}|{_AMOUNT}\s?{_CURRENCY}", re.IGNORECASE)
MAX_PRICE = 60  # characters of a price with its label and the old price
MAX_PRICE_LABEL = 24  # letters of its label
_PRODUCT = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"(?:Individual)?Product(?:Group|Model)?"')
_LISTED = re.compile(r'"@type"\s*:\s*"(?:ItemList|CollectionPage|SearchResultsPage)"')
_METAS = frozenset({"product:price:amount", "og:price:amount", "product:availability", "product:price.amount"})
_NOTICE = re.compile(r"notif|e-?mail|\bsave\b|\bsubscri", re.IGNORECASE)


def says_product(metadata: Metadata) -> bool:
    for tag, names, value in metadata:
        if tag == "meta" and (not _METAS.isdisjoint(names) or ("og:type" in names and "product" in value[:30].lower())):
            return "group" not in value
        if tag == "script" and len(_PRODUCT.findall(value)) == 1 and _LISTED.search(value) is None:
            return True
    return False


with_currency: Callable[[list[str] | ReadPage], list[int]] = native("site.WithCurrency")(MAX_PRICE, CODES)
"""Return the indexes of texts with a digit and maybe a currency, of at most :data:`MAX_PRICE` characters."""


def prices_in(texts: list[str] | ReadPage, able: Iterable[int] | None = None) -> list[int]:
    """Return the indexes of prices.

    :param able: the indexes of :func:`with_currency`, if known.
    """
    text = texts.__getitem__ if isinstance(texts, list) else texts.text
    return [index for index in (with_currency(texts) if able is None else able) if is_price(text(index))]


@lru_cache(4096)  # the pages of a site share most short texts
def is_price(text: str) -> bool:
    if len(text) > MAX_PRICE or not any(map(str.isdigit, text)) or not HAS_CURRENCY(text.lower()):
        return False
    if _NOTICE.search(text):
        return False
    rest, times = PRICE.subn(" ", text)
    return 0 < times <= 2 and sum(map(str.isalpha, rest)) <= MAX_PRICE_LABEL and not any(map(str.isdigit, rest))


def may_be_bought(columns: Columns | ReadPage, by_number: Sequence[Signature]) -> bool:
    """Return True if any element is named as a form to buy something, which few pages have."""
    return has_trait(by_number, columns, SALE)

"""Price, availability and short description on product pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from scrapy_stemmer._engine import native
from scrapy_stemmer.learners.rules.columns import Columns, Signature
from scrapy_stemmer.learners.rules.traits import SALE, has_trait, traits_of
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
MAX_STOCK = 60  # characters of a text on availability
_STOCK = re.compile(
    r"\b(?:in|out of|low) stock\b|\bavailability\b|\bavailable\b|\bsold out\b|\bback ?order|\bpre-?order\b|"
    r"\bverf\u00fcgbar|\bauf lager\b|\blieferbar|\blieferzeit|\bausverkauft|\bvorr\u00e4tig|\ben stock\b|"
    r"\bdisponib|\brupture|\b\u00e9puis\u00e9|\bagotado|\bexistencias\b|\besgotado|\besaurito|\bop voorraad|"
    r"\buitverkocht|\bleverbaar|\bskladem\b|\bna sklade\b|\bvyprod|\bdost\u0119pn|\bi lager\b|"
    r"\bp\u00e5 lager\b|\bvarastossa\b|\brakt\u00e1ron|\bstokta\b|"
    r"\u0432 \u043d\u0430\u043b\u0438\u0447\u0438\u0438|"
    r"\u043d\u0435\u0442 \u0432 \u043d\u0430\u043b\u0438\u0447\u0438\u0438|"
    r"\u043d\u0430 \u0441\u043a\u043b\u0430\u0434\u0435|\u6709\u8d27|\u7f3a\u8d27|\u73b0\u8d27|\u5728\u5eab|"
    r"\u54c1\u5207",
    re.IGNORECASE,
)
_PRODUCT = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"(?:Individual)?Product(?:Group|Model)?"')
_LISTED = re.compile(r'"@type"\s*:\s*"(?:ItemList|CollectionPage|SearchResultsPage)"')
_METAS = frozenset({"product:price:amount", "og:price:amount", "product:availability", "product:price.amount"})
_ASIDE = re.compile(
    r"related|up-?sell|cross-?sell|recommend|recent|similar|also|mini-?cart|cart_|compare|carousel|slider|bundle|review|"
    r"shipping|total|wishlist|summary-?total",
    re.IGNORECASE,
)
_SHORT = re.compile(r"short[-_]?desc|(?:quick|product)[-_]?overview", re.IGNORECASE)
_NOTICE = re.compile(r"notif|e-?mail|\bsave\b|\bsubscri", re.IGNORECASE)
MAX_UP = 8  # elements searched around the product's name
MAX_PRICES = 4  # prices of one product: old, new, per unit, with taxes
MAX_BLOCKS = 150  # blocks in the element around name and price


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


@lru_cache(4096)
def _is_aside(signature: Signature) -> bool:
    is_hidden = signature.hidden or not {"hide", "hidden", "d-none"}.isdisjoint(signature.classes.split())
    return is_hidden or _ASIDE.search(f"{signature.id} {signature.classes}") is not None


@lru_cache(4096)
def _is_priced(signature: Signature) -> bool:
    return "price" in signature.classes.lower()


@lru_cache(4096)
def _is_short(signature: Signature) -> bool:
    return _SHORT.search(signature.classes) is not None


def facts_of_product(
    columns: Columns | ReadPage, by_number: Sequence[Signature], name: int, *, is_stated: bool
) -> list[int]:
    """Return the blocks with a product's price, availability and short description; none if there are several products.

    They are searched in the smallest element around the product's name that contains a price.
    """
    prices = prices_in(columns.texts)
    if not prices:
        return []
    parents = columns.parents
    around = columns.elements[name]
    signature_of = columns.signatures
    for _ in range(MAX_UP):
        around = parents[around]
        if around <= 0:
            return []
        within = [at for at in range(len(columns.texts)) if _is_within(columns, around, columns.elements[at])]
        found = sorted(set(prices).intersection(within))
        own = [at for at in found if not _has(columns, by_number, around, at, _is_aside)]
        if own:
            break
    else:
        return []
    sells = is_stated or any(
        traits_of(by_number[signature_of[element]]) & SALE
        for element in range(len(parents))
        if _is_within(columns, around, element) or element == around
    )
    if not sells or len(own) > MAX_PRICES or len(within) > MAX_BLOCKS:
        return []
    texts = columns.texts
    own = list({texts[at]: at for at in reversed(own)}.values())  # themes repeat a price
    able = (at for at in within if len(texts[at]) <= MAX_STOCK and _STOCK.search(texts[at]))
    stock = [
        at for at in able if not _NOTICE.search(texts[at]) and not _has(columns, by_number, around, at, _is_priced)
    ]
    short = [at for at in within if _has(columns, by_number, around, at, _is_short)]
    others = (at for at in (*stock[:2], *short) if not _has(columns, by_number, around, at, _is_aside))
    return sorted({*own, *others})


def may_be_bought(columns: Columns | ReadPage, by_number: Sequence[Signature]) -> bool:
    """Return True if any element is named as a form to buy something, which few pages have."""
    return has_trait(by_number, columns, SALE)


def _is_within(columns: Columns | ReadPage, outer: int, element: int) -> bool:
    while element > outer:
        element = columns.parents[element]
    return element == outer


def _has(
    columns: Columns | ReadPage,
    by_number: Sequence[Signature],
    outer: int,
    block: int,
    is_one: Callable[[Signature], bool],
) -> bool:
    """Return True if an element around a block, inside ``outer``, satisfies a predicate."""
    element = columns.elements[block]
    while element > outer:
        if is_one(by_number[columns.signatures[element]]):
            return True
        element = columns.parents[element]
    return False

"""Price and other fields of products, from JSON-LD, microdata and ``meta`` elements.

Only the product of the page counts, not products in lists and similar products.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from scrapy_stemmer.fields.metadata import JSON_LD, MICRODATA, PageTree, Shown, Statement, listed, types_of, value_text
from scrapy_stemmer.fields.words import WORDS

PRODUCT_FIELDS = ("price", "currency", "availability", "sku", "brand", "rating")

MAX_DIGITS = 15  # characters of a price

_PRODUCTS = re.compile(r"\w*Product(?:Group|Model)?|Vehicle|Car", re.IGNORECASE)  # types of schema.org
_SPACES = r"\s'’"
_NUMBER = re.compile(rf"\d(?:[\d.,{_SPACES}]*\d)?")
_THOUSANDS = re.compile(r"[.,](?!\d{1,2}$)")  # marks of thousands: any mark except the decimal one
_SIGNS: Mapping[str, str] = WORDS["currencies"]  # of one currency, unlike ``$``, ``¥`` and ``kr``
_CODES = "|".join(WORDS["codes"].split())
_CURRENCY = re.compile(
    rf"{'|'.join(map(re.escape, _SIGNS))}|\b(?:{_CODES})(?=\W*\d)|(?:(?<=\d)|(?<=\d\s))(?:{_CODES})\b"
)
_AVAILABILITY: Mapping[str, str] = {
    word.lower(): name or word for name, words in WORDS["availability"].items() for word in words.split()
}


def product_value(field: str, text: str, is_number: bool = False) -> str:
    """Return a value of a product's field in the usual form, or "" for a text without a value.

    :param is_number: the text is a number for programs, with a point before decimals.
    """
    text = " ".join(text.split())
    if field in ("price", "rating"):
        return _number(text, field == "price", is_number)
    if field == "currency":
        return text.upper() if re.fullmatch(r"[A-Za-z]{3}", text) else _currency_in(text)
    if field == "availability":
        return _AVAILABILITY.get(re.sub(r"[\W_]", "", text.rpartition("/")[2]).lower(), "")
    return text


def _currency_in(text: str) -> str:
    """Return the currency of a price, or "" for a price without any or with several."""
    found = {_SIGNS.get(each, each) for each in _CURRENCY.findall(text)}
    return found.pop() if len(found) == 1 else ""


def _number(text: str, is_price: bool, is_number: bool) -> str:
    """Return the first number of a text: ``1299`` of ``1.299,00 €``, and ``1299.50`` of ``1,299.5``."""
    found = _NUMBER.search(text)
    if found is None or (is_number and text.startswith("-")):
        return ""
    digits = re.sub(rf"[{_SPACES}]", "", found[0])
    is_plain = is_number or not is_price
    if not (is_plain and re.fullmatch(r"\d+(\.\d+)?", digits)):
        digits = _THOUSANDS.sub("", digits).replace(",", ".")
    if len(digits) > MAX_DIGITS:
        return ""
    whole, _, cents = digits.partition(".")
    cents = cents.rstrip("0").ljust(2, "0") if cents.strip("0") else ""
    return digits if not is_price else f"{int(whole)}.{cents}" if cents else str(int(whole))


def statements_of_product(tree: PageTree, field: str) -> Iterator[Statement]:
    """Yield the values of a field of the page's product by source, the most trusted one first.

    The first value counts, except for a lower price, or a variant in stock.
    """
    declared, shown = _products(tree.nodes), _products(tree.things)
    if len({value_text(node.get("name")) for node in tree.own_of(declared)}) > 1:
        # a list of products, unless the page has the title of a product
        declared = [node for node in declared if tree.is_titled(value_text(node.get("name")) or "")]
    shown = [*shown, *(thing for thing in tree.things if "@type" not in thing)]
    first = next(([thing] for thing in shown if not _PROPERTIES.isdisjoint(thing)), [])
    for source, products in ((JSON_LD, tree.own_of(declared)), (MICRODATA, first)):
        found = [value for product in products for value in _values(product, field)]
        if field in _BEST:
            found.sort(key=_BEST[field])
        yield Statement(tuple(found[:1]), source)
    for _, (source, texts) in sorted(tree.metas.get(field, {}).items()):
        yield Statement(tuple(filter(None, [product_value(field, texts[0], is_number=True)])), source)


_BEST: Mapping[str, Callable[[str], float]] = {"price": float, "availability": "InStock".__ne__}
_NAMES = {
    "price": ("price", "lowPrice", "minPrice"),
    "currency": ("priceCurrency",),
    "availability": ("availability",),
    "sku": ("sku",),
    "brand": ("name",),
    "rating": ("ratingValue",),
}
_PARTS = {"brand": "brand", "rating": "aggregateRating"}
"""Properties whose objects hold a field. The product and its offers hold the other fields."""
_PROPERTIES = frozenset({"offers", *_PARTS.values(), *(name for names in _NAMES.values() for name in names)} - {"name"})


def _products(nodes: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [node for node in nodes if any(map(_PRODUCTS.fullmatch, types_of(node)))]


def _values(product: Mapping[str, Any], field: str) -> list[str]:
    offers = _dicts(product.get("offers"))
    inner = [each for offer in offers for name in ("priceSpecification", "offers") for each in _dicts(offer.get(name))]
    things = _dicts(product.get(_PARTS[field])) if field in _PARTS else [product, *offers, *inner]
    stated = [each.get(name) for each in things for name in _NAMES[field]] or [product.get(field)]
    every = (each for values in stated for each in listed(values))
    found = (product_value(field, value_text(each) or "", not isinstance(each, Shown)) for each in every)
    return list(filter(None, found))


def _dicts(value: Any) -> list[Mapping[str, Any]]:
    return [each for each in listed(value) if isinstance(each, dict)]

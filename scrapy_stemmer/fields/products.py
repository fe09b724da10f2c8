"""Price and other fields of products, from JSON-LD, microdata and ``meta`` elements.

Only the product of the page counts, not products in lists and similar products.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from lxml import etree

from scrapy_stemmer.fields.metadata import JSON_LD, MICRODATA, PageTree, type_names, value_text
from scrapy_stemmer.fields.words import WORDS
from scrapy_stemmer.page.elements import first_chars, having

PRODUCT_FIELDS = ("price", "currency", "availability", "sku", "brand", "rating")

MAX_PROPERTIES = 2_000  # elements read with a property of a product
MAX_LEVELS = 50  # elements searched around a property
MAX_CHARS = 10_000  # characters of a value shown on the page
MAX_DIGITS = 15  # characters of a price

_PRODUCTS = re.compile(r"\w*Product(?:Group|Model)?|Vehicle|Car", re.IGNORECASE)  # types of schema.org
_OFFERS = re.compile(r"\w*Offer|\w*PriceSpecification")
_OF_PRODUCT = {
    "price": "price",
    "lowprice": "price",
    "pricecurrency": "currency",
    "availability": "availability",
    "sku": "sku",
    "brand": "brand",
    "ratingvalue": "rating",
}
"""Fields by property of microdata, in lower case."""

_INNER = {("AggregateRating", "rating"), ("Brand", "brand"), ("Organization", "brand")}  # things within a product
_OF_OTHERS = frozenset({"isrelatedto", "issimilarto", "itemlistelement"})

_SPACES = r"\s'’"
_NUMBER = re.compile(rf"\d(?:[\d.,{_SPACES}]*\d)?")
_DECIMALS = re.compile(r"[.,](\d{1,2})$")
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
        decimals = _DECIMALS.search(digits)
        whole = re.sub(r"\D", "", digits[: decimals.start()] if decimals else digits)
        digits = f"{whole}.{decimals[1]}" if decimals else whole
    whole, _, decimals_of = digits.partition(".")
    if len(digits) > MAX_DIGITS:
        return ""
    if not is_price:
        return digits
    cents = decimals_of.rstrip("0")
    return f"{int(whole)}.{cents.ljust(2, '0')}" if cents else str(int(whole))


def product_of(tree: PageTree) -> Mapping[str, tuple[tuple[str], str]]:
    """Return the known fields of the page's product with their sources, each from the most trusted one."""
    found: dict[str, tuple[tuple[str], str]] = {}
    for source, values in ((JSON_LD, _from_json(tree)), (MICRODATA, _from_microdata(tree))):
        for field, value in values.items():
            found.setdefault(field, ((value,), source))
    for field in PRODUCT_FIELDS:
        for _, (source, texts) in sorted(tree.metas.get(field, {}).items()):
            if value := product_value(field, texts[0], is_number=True):
                found.setdefault(field, ((value,), source))
    return found


def _put(values: dict[str, str], field: str, value: str) -> None:
    """Note a value. The first value counts, except for a lower price, or a variant in stock."""
    before = values.setdefault(field, value)
    if (field == "price" and float(value) < float(before)) or (field == "availability" and value == "InStock"):
        values[field] = value


# JSON-LD


def _from_json(tree: PageTree) -> Mapping[str, str]:
    nodes, _ = tree.nodes
    products = [node for node in nodes if any(map(_PRODUCTS.fullmatch, type_names(node)))]
    own = tree.own_of(products)
    names = {value_text(node.get("name")) for node in own}
    if len(names) > 1:  # a list of products, unless the page has the title of a product
        own = [node for node in own if tree.is_titled(value_text(node.get("name")) or "")]
    found: dict[str, str] = {}
    for node in own:
        for field, text in _stated(node):
            if value := product_value(field, text, is_number=True):
                _put(found, field, value)
    return found


def _stated(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    offers = _dicts(node.get("offers"))
    inner = [each for offer in offers for name in ("priceSpecification", "offers") for each in _dicts(offer.get(name))]
    brand = _dicts(node.get("brand"))
    values = [
        *((field, each.get(name)) for each in (*offers, *inner) for name, field in _OF_OFFER.items()),
        ("sku", node.get("sku")),
        ("brand", brand[0].get("name") if brand else node.get("brand")),
        *(("rating", each.get("ratingValue")) for each in _dicts(node.get("aggregateRating"))),
    ]
    return ((field, text) for field, value in values if (text := value_text(value)))


_OF_OFFER = {
    **dict.fromkeys(("price", "lowPrice", "minPrice"), "price"),
    "priceCurrency": "currency",
    "availability": "availability",
}


def _dicts(value: Any) -> list[Mapping[str, Any]]:
    values = value if isinstance(value, list) else [value]
    return [each for each in values[:50] if isinstance(each, dict)]


# Microdata


def _from_microdata(tree: PageTree) -> Mapping[str, str]:
    """Return the fields of the product around the page's heading, or of the first product of the page."""
    by_product: dict[etree._Element | None, dict[str, str]] = {}
    for element in islice(having(tree.root, "itemprop"), MAX_PROPERTIES):
        for field in filter(None, map(_OF_PRODUCT.get, element.get("itemprop", "").lower().split())):
            is_of, product = _product_around(element, field)
            if is_of and (value := product_value(field, *_shown(element))):
                _put(by_product.setdefault(product, {}), field, value)
    own = [product for product in by_product if product is not None and product in tree.trunk]
    return next((by_product[product] for product in (*own, *by_product)), {})


def _product_around(element: etree._Element, field: str) -> tuple[bool, etree._Element | None]:
    """Return True for a likely property of a product on the page, and the product's element or ``None``."""
    for scope in islice(element.iterancestors(), MAX_LEVELS):
        if scope.get("itemscope") is None:
            continue
        kind = scope.get("itemtype", "").strip("/ ").rpartition("/")[2]
        if _PRODUCTS.fullmatch(kind):
            return scope.get("itemprop", "").lower() not in _OF_OTHERS, scope
        if not (_OFFERS.fullmatch(kind) or (kind, field) in _INNER):
            return False, None
    return field in ("price", "currency", "availability", "sku"), None


def _shown(element: etree._Element) -> tuple[str, bool]:
    """Return the value of a property, and True for a number for programs."""
    if element.get("itemscope") is not None:
        element = next(iter(having(element, "itemprop", "name")), element)
    if stated := element.get("content") or element.get("href"):
        return stated, True
    return first_chars(map(str, element.itertext("*")), MAX_CHARS, 50), False

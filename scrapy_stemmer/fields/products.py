"""Price and other fields of products, from JSON-LD, microdata and ``meta`` elements.

Only the product that a page is about counts: not those in lists, nor similar ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from lxml import etree

from scrapy_stemmer.fields.metadata import JSON_LD, MICRODATA, PageTree, Statement, type_names, value_text
from scrapy_stemmer.page.elements import having

PRODUCT_FIELDS = ("price", "currency", "availability", "sku", "brand", "rating")

MAX_PROPERTIES = 2_000  # elements with a property of a product that are read
MAX_SCOPES = 4  # things around a property, such as an offer and its product
MAX_DIGITS = 15  # of a price

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

_SPACES = r"\s'’"
_NUMBER = re.compile(rf"\d(?:[\d.,{_SPACES}]*\d)?")
_DECIMALS = re.compile(r"[.,](\d{1,2})$")
_AVAILABILITY = {
    name.lower(): name
    for name in (
        "BackOrder Discontinued InStock InStoreOnly LimitedAvailability MadeToOrder OnlineOnly OutOfStock PreOrder "
        "PreSale Reserved SoldOut"
    ).split()
}
_AVAILABILITY |= {"available": "InStock", "oos": "OutOfStock", "unavailable": "OutOfStock", "notinstock": "OutOfStock"}


def product_value(field: str, text: str, *, is_number: bool = False) -> str:
    """Return a value of a product's field in its usual form, or "" for a text without one.

    :param is_number: the text is a number for programs, whose point is followed by decimals.
    """
    text = " ".join(text.split())
    if field in ("price", "rating"):
        return _number(text, is_price=field == "price", is_number=is_number)
    if field == "currency":
        return text.upper() if re.fullmatch(r"[A-Za-z]{3}", text) else ""
    if field == "availability":
        return _AVAILABILITY.get(re.sub(r"[\W_]", "", text.rpartition("/")[2]).lower(), "")
    return text


def _number(text: str, *, is_price: bool, is_number: bool) -> str:
    """Return the first number of a text, with a point before its decimals: ``1299.00`` of ``1.299,00 €``."""
    found = _NUMBER.search(text)
    if found is None:
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
    return f"{int(whole)}.{decimals_of.rstrip('0').ljust(2, '0')}" if decimals_of else str(int(whole))


def product_statements(tree: PageTree, field: str) -> Iterator[Statement]:
    """Yield the values of a product's field, the most trusted source first."""
    for source, values in ((JSON_LD, _from_json(tree)), (MICRODATA, _from_microdata(tree))):
        if value := values.get(field):
            yield Statement(field, source, (value,))
    for _, (source, texts) in sorted(tree.metas.get(field, {}).items()):
        if value := product_value(field, texts[0], is_number=True):
            yield Statement(field, source, (value,))


def _put(values: dict[str, str], field: str, value: str) -> None:
    """Note a value; the first one counts, but the lower price, and a product is in stock if a variant of it is."""
    before = values.setdefault(field, value)
    if (field == "price" and float(value) < float(before)) or (field == "availability" and value == "InStock"):
        values[field] = value


# JSON-LD


def _from_json(tree: PageTree) -> Mapping[str, str]:
    nodes, _ = tree.nodes
    products = [node for node in nodes if any(map(_PRODUCTS.fullmatch, type_names(node)))]
    own = tree.own_of(products)
    names = {value_text(node.get("name")) for node in own}
    if len(names) > 1:  # a list, unless one of them has the title of the page
        own = [node for node in own if tree.is_titled(value_text(node.get("name")) or "")]
    found: dict[str, str] = {}
    for node in own:
        for field, text, is_number in _stated(node):
            if value := product_value(field, text, is_number=is_number):
                _put(found, field, value)
    return found


def _stated(node: Mapping[str, Any]) -> Iterator[tuple[str, str, bool]]:
    def of(field: str, value: Any) -> Iterator[tuple[str, str, bool]]:
        if text := value_text(value):
            yield field, text, True

    for offer in _dicts(node.get("offers")):
        inner = [*_dicts(offer.get("priceSpecification")), *_dicts(offer.get("offers"))]
        for each in (offer, *inner):
            for name in ("price", "lowPrice", "minPrice"):
                yield from of("price", each.get(name))
            yield from of("currency", each.get("priceCurrency"))
            yield from of("availability", each.get("availability"))
    yield from of("sku", node.get("sku"))
    brand = next(iter(_dicts(node.get("brand"))), None)
    yield from of("brand", brand.get("name") if brand is not None else node.get("brand"))
    for rating in _dicts(node.get("aggregateRating")):
        yield from of("rating", rating.get("ratingValue"))


def _dicts(value: Any) -> list[Mapping[str, Any]]:
    values = value if isinstance(value, list) else [value]
    return [each for each in values[:50] if isinstance(each, dict)]


# Microdata

_Scope = etree._Element | None


def _from_microdata(tree: PageTree) -> Mapping[str, str]:
    """Return the fields of the product around the page's heading, or of the first one of the page."""
    scopes: dict[etree._Element, _Scope] = {}
    by_product: dict[_Scope, dict[str, str]] = {}
    for element in islice(having(tree.root, "itemprop"), MAX_PROPERTIES):
        for name in element.get("itemprop", "").lower().split():
            field = _OF_PRODUCT.get(name)
            if field is None:
                continue
            is_of, product = _product_around(element, field, scopes)
            text, is_number = _shown(element)
            if is_of and (value := product_value(field, text, is_number=is_number)):
                _put(by_product.setdefault(product, {}), field, value)
    around = set(tree.trunk)
    own = [product for product in by_product if product is not None and product in around]
    return next((by_product[product] for product in (*own, *by_product)), {})


def _product_around(element: etree._Element, field: str, scopes: dict[etree._Element, _Scope]) -> tuple[bool, _Scope]:
    """Return whether a property may be that of a product on the page, and the element of the product, if any."""
    scope = _scope_around(element, scopes)
    for _ in range(MAX_SCOPES):
        if scope is None:
            return field in ("price", "currency", "availability", "sku"), None
        kind = scope.get("itemtype", "").strip("/ ").rpartition("/")[2]
        if _PRODUCTS.fullmatch(kind):
            return scope.get("itemprop", "").lower() not in ("isrelatedto", "issimilarto", "itemlistelement"), scope
        is_inner = _OFFERS.fullmatch(kind) or (kind == "AggregateRating" and field == "rating")
        if not (is_inner or (kind in ("Brand", "Organization") and field == "brand")):
            return False, None
        scope = _scope_around(scope, scopes)
    return False, None


def _scope_around(element: etree._Element, known: dict[etree._Element, _Scope]) -> _Scope:
    """Return the nearest element around that stands for a thing, and note it for the elements between."""
    passed = []
    found: _Scope = None
    for outer in element.iterancestors():
        if outer in known:
            found = known[outer]
            break
        passed.append(outer)
        if outer.get("itemscope") is not None:
            known[outer] = found = outer
            passed.pop()
            break
    known.update(dict.fromkeys(passed, found))
    return found


def _shown(element: etree._Element) -> tuple[str, bool]:
    """Return the value of a property, and whether it is meant for programs."""
    for name in ("content", "href"):
        if value := element.get(name):
            return value, True
    named = having(element, "itemprop", "name") if element.get("itemscope") is not None else ()
    for inner in named:
        return inner.get("content") or "".join(map(str, inner.itertext("*"))), False
    return "".join(islice((str(text) for text in element.itertext("*")), 50)), False

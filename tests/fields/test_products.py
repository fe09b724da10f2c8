"""Price, availability and other fields of the product that a page is about."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scrapy_stemmer.fields.products import product_value
from tests.fields.pages import read_page

PRODUCT: dict[str, Any] = {"@type": "Product", "name": "A red chair"}


def offer(price: object, **others: object) -> dict[str, Any]:
    return {
        "@type": "Offer",
        "price": price,
        "priceCurrency": "EUR",
        "availability": "http://schema.org/InStock",
        **others,
    }


def json_ld(*objects: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(objects)}</script>'


def read(head: str = "", body: str = "") -> dict[str, Any]:
    page = f"<html><head><title>A red chair | Shop</title>{head}</head><body><h1>A red chair</h1>{body}</body></html>"
    return read_page(page).as_dict()


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("19.90", "19.90"),
        ("20.00", "20"),
        ("£19", "19"),
        ("19,9 €", "19.90"),
        ("1.299,00 €", "1299"),
        ("$1,299.5", "1299.50"),
        ("1 299,05 kr", "1299.05"),
        ("CHF 1'299.–", "1299"),
        ("$24.990", "24990"),
        ("Rs 6,35,000", "635000"),
        ("from 5 to 7", "5"),
        ("0012", "12"),
        ("on request", ""),
        ("", ""),
        ("9" * 40, ""),
    ],
)
def test_a_price_is_a_number_with_a_point_before_two_decimals_other_than_zeros(text: str, price: str) -> None:
    assert product_value("price", text) == price


def test_a_number_for_programs_has_no_mark_of_thousands_and_is_no_price_below_zero() -> None:
    prices = {"2.500": "2.50", "24990": "24990", "450.0": "450", "-5": ""}
    assert {text: product_value("price", text, is_number=True) for text in prices} == prices


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("€60.31", "EUR"),
        ("1 299,00 zł", "PLN"),
        ("19.90 CHF", "CHF"),
        ("USD19.90", "USD"),
        ("US$ 19.90", "USD"),
        ("$19.90", ""),
        ("TRY OUR 5 CUPS", ""),
        ("€19.90 (£17)", ""),
        ("usd", "USD"),
    ],
)
def test_a_currency_is_a_code_or_a_sign_of_one_currency(text: str, currency: str) -> None:
    assert product_value("currency", text) == currency


@pytest.mark.parametrize(
    ("text", "availability"),
    [
        ("http://schema.org/InStock", "InStock"),
        ("in stock", "InStock"),
        ("out_of_stock", "OutOfStock"),
        ("https://schema.org/PreOrder", "PreOrder"),
        ("ask us", ""),
    ],
)
def test_availability_is_a_name_of_schema_org(text: str, availability: str) -> None:
    assert product_value("availability", text) == availability


def test_all_fields_of_json_ld_with_their_source() -> None:
    brand, rating = {"@type": "Brand", "name": "Sit"}, {"@type": "AggregateRating", "ratingValue": 4.5}
    found = read(json_ld({**PRODUCT, "sku": "C-1", "brand": brand, "aggregateRating": rating, "offers": offer(19.9)}))
    expected = {
        "price": "19.90", "currency": "EUR", "availability": "InStock", "sku": "C-1", "brand": "Sit", "rating": "4.5",
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    assert {found["sources"][name] for name in expected} == {"json-ld"}


@pytest.mark.parametrize(
    ("head", "price"),
    [
        (json_ld({**PRODUCT, "offers": [offer(30), offer(20)]}), "20"),
        (json_ld({**PRODUCT, "offers": {"@type": "AggregateOffer", "lowPrice": "12.00", "highPrice": "20.00"}}), "12"),
        (json_ld({**PRODUCT, "offers": {"@type": "Offer", "priceSpecification": {"price": 19.5}}}), "19.50"),
        (json_ld({**PRODUCT, "@type": "product", "offers": offer("7")}), "7"),
        (json_ld({**PRODUCT, "@type": ["Product", "Thing"], "offers": offer("7")}), "7"),
        (json_ld({**PRODUCT, "offers": offer("8"), "isRelatedTo": {**PRODUCT, "offers": offer("7")}}), "8"),
        (
            json_ld(
                {**PRODUCT, "offers": offer("8")}, {"@type": "Product", "name": "A blue table", "offers": offer("7")}
            ),
            "8",
        ),
        (json_ld(*({"@type": "Product", "name": name, "offers": offer("7")} for name in ("Table", "Lamp"))), None),
        (json_ld({"@type": "ItemList", "itemListElement": [{**PRODUCT, "offers": offer("7")}]}), None),
        (json_ld({**PRODUCT, "offers": {"price": {"deep": [1]}}}), None),
        ("<meta property=product:price:amount content=9.99>", "9.99"),
        ("<meta property=og:price:amount content='9,99'>", "9.99"),
        ("<meta property=product:price:amount content=9>" + json_ld({**PRODUCT, "offers": offer("8")}), "8"),
    ],
)
def test_the_price_in_the_head(head: str, price: str | None) -> None:
    assert read(head).get("price") == price


THING = "itemscope itemtype=http://schema.org/"


@pytest.mark.parametrize(
    ("body", "price"),
    [
        (f"<div {THING}Product><p itemprop=offers {THING}Offer><b itemprop=price>£19</b></p></div>", "19"),
        (f"<div {THING}Product><p itemprop=offers {THING}Offer><meta itemprop=price content=19.5></p></div>", "19.50"),
        (f"<div {THING}Product><i itemprop=price>30</i><i itemprop=price>20</i></div>", "20"),
        (f"<div {THING}Product><i itemprop=price>8</i></div><div {THING}Product><i itemprop=price>7</i></div>", "8"),
        (f"<div {THING}Product itemprop=isRelatedTo><i itemprop=price>8</i></div>", None),
        (f"<div {THING}Event><i itemprop=price>8</i></div>", None),
        ("<i itemprop=price>8</i>", "8"),
    ],
)
def test_the_price_in_microdata(body: str, price: str | None) -> None:
    assert read(body=body).get("price") == price


def test_of_several_products_in_microdata_the_one_around_the_heading_counts() -> None:
    others = f"<div {THING}Product><i itemprop=price>8</i></div>"
    page = f"<title>A red chair</title>{others}<div {THING}Product><h1>A red chair</h1><i itemprop=price>9</i></div>"
    assert (read_page(page).price, read_page(page).sources["price"]) == ("9", "microdata")


def test_a_product_is_in_stock_if_one_of_its_variants_is() -> None:
    offers = [offer(5, availability="OutOfStock"), offer(5), offer(5, availability="OutOfStock")]
    assert read(json_ld({**PRODUCT, "offers": offers}))["availability"] == "InStock"


def test_the_rating_of_a_review_is_not_that_of_the_product() -> None:
    review = f"<div itemprop=review {THING}Review><i itemprop=ratingValue>1</i></div>"
    average = f"<div itemprop=aggregateRating {THING}AggregateRating><i itemprop=ratingValue>4,5</i></div>"
    assert read(body=f"<div {THING}Product>{review}{average}</div>")["rating"] == "4.5"


def test_an_article_has_no_price() -> None:
    article = {"@type": "NewsArticle", "headline": "A red chair", "offers": offer("8")}
    assert "price" not in read(json_ld(article))

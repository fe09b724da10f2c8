"""Price and availability on a product's page."""

from __future__ import annotations

import time

import pytest

from scrapy_stemmer import Page, strip
from scrapy_stemmer.learners.rules.columns import Signatures
from scrapy_stemmer.learners.rules.products import facts_of_product, is_price, may_be_bought
from scrapy_stemmer.learners.rules.sample_columns import read
from scrapy_stemmer.page.document import parse

ABOUT = (
    "<p>This lamp was made for boats that are out at night, and it burns for nine hours on one filling of oil.</p>" * 3
)


@pytest.mark.parametrize(
    "text", ["$19.99", "Price: € 1.299,00", "49,00 CHF", "£5", "1 200 Kč", "¥900", "Was $9 now $7"]
)
def test_prices(text: str) -> None:
    assert is_price(text)


@pytest.mark.parametrize(
    "text", ["19.99", "You save $5", "Orders over $50 ship free within the whole of the country", ""]
)
def test_other_texts(text: str) -> None:
    assert not is_price(text)


@pytest.mark.parametrize(
    ("price", "stock"), [("$21.50", "Availability: In stock"), ("21,50 €", "Auf Lager"), ("21,50 CHF", "En stock")]
)
def test_price_and_availability_are_text_of_a_product(price: str, stock: str) -> None:
    shop = f"<div class=product-shop><h1>Storm lamp</h1><p class=stock>{stock}</p><div class=price-box>{price}</div>"
    form = "<form class=add-to-cart-form><button>Add to cart</button></form>"
    html = f"<title>Storm lamp</title><body><main>{shop}{form}<div class=description>{ABOUT}</div></div></main></body>"
    text = strip(Page("https://lamps.example/storm", html)).text
    assert price in text
    assert stock in text
    assert "Add to cart" not in text


def seconds_for(prices: int) -> float:
    inside = "".join(f"<p>${number}.50</p>" for number in range(prices))
    signatures = Signatures()
    columns = read(parse(f"<body><main><h1>Lamps</h1>{inside}</main>")[0], signatures)
    times = []
    for _ in range(3):
        begin = time.thread_time()
        assert facts_of_product(columns, list(signatures), 0, is_stated=True) == []
        times.append(time.thread_time() - begin)
    return min(times)


def test_many_prices_take_time_in_proportion() -> None:
    assert seconds_for(4000) < 24 * seconds_for(500)


@pytest.mark.parametrize(
    ("name", "is_one"), [("add-to-cart", True), ("buy-box", True), ("newsletter", False), ("", False)]
)
def test_forms_to_buy_something(name: str, *, is_one: bool) -> None:
    signatures = Signatures()
    columns = read(parse(f"<body><p>a</p><form class='{name}'><p>b</p></form>")[0], signatures)
    assert may_be_bought(columns, list(signatures)) is is_one

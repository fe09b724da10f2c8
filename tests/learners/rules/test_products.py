"""Prices, and signs of a product's page."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.rules.columns import Signatures
from scrapy_stemmer.learners.rules.products import is_price, may_be_bought
from scrapy_stemmer.learners.rules.sample_columns import read
from scrapy_stemmer.page.document import parse


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
    ("name", "is_one"), [("add-to-cart", True), ("buy-box", True), ("newsletter", False), ("", False)]
)
def test_forms_to_buy_something(name: str, *, is_one: bool) -> None:
    signatures = Signatures()
    columns = read(parse(f"<body><p>a</p><form class='{name}'><p>b</p></form>")[0], signatures)
    assert may_be_bought(columns, list(signatures)) is is_one

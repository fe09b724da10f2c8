"""Names and prices of a collection's products."""

from __future__ import annotations

import time

import pytest

from scrapy_stemmer import Page, strip
from scrapy_stemmer.learners.rules.cards import MIN_CARDS, cards_of, is_collection, texts_in_cards
from scrapy_stemmer.learners.rules.columns import Columns, Signatures
from scrapy_stemmer.learners.rules.paths import common_names
from scrapy_stemmer.learners.rules.products import prices_in
from scrapy_stemmer.learners.rules.sample_columns import read
from scrapy_stemmer.learners.rules.site import Placer
from scrapy_stemmer.page.document import parse

NAMES = [f"{kind} lamp of {metal}" for kind in ("Storm", "Table", "Wall") for metal in ("tin", "brass", "iron", "gold")]


def card(name: str, price: str = "$9.50") -> str:
    return (
        f"<li class=card><a href=/x><p>{name}</p></a><h3><a href=/x>{name}</a></h3><b>{price}</b><p>Quick view</p></li>"
    )


CARDS = "".join(card(name, f"${number}.50") for number, name in enumerate(NAMES, 10))


class Made:
    """Cards found in a page."""

    def __init__(self, inside: str) -> None:
        signatures = Signatures()
        self.columns: Columns = read(parse(f"<body>{inside}</body>")[0], signatures)
        by_number = list(signatures)
        self.prices = prices_in(self.columns.texts)
        paths = Placer(common_names([self.columns], by_number)).place(self.columns, by_number)
        self.cards = cards_of(self.columns, paths, by_number, self.prices)
        self.texts = texts_in_cards(self.columns, self.cards, self.prices)


def test_texts_of_cards_stand_once_and_without_buttons() -> None:
    made = Made(f"<ul class=products>{CARDS}</ul><p>Oil</p>")
    assert len(made.cards) == len(NAMES)
    texts = [made.columns.texts[at] for at in made.texts]
    assert texts[:4] == ["Storm lamp of tin", "$10.50", "Storm lamp of brass", "$11.50"]


@pytest.mark.parametrize(
    "inside",
    [
        f"<section class=related-products><ul>{CARDS}</ul></section>",
        f"<aside><ul>{CARDS}</ul></aside>",
        f"<ul>{''.join(map(card, NAMES[: MIN_CARDS - 1]))}</ul>",
        f"<ul>{''.join(f'<li><p>{name}</p></li>' for name in NAMES)}</ul>",
        "",
    ],
)
def test_other_lists(inside: str) -> None:
    assert Made(f"{inside}<p>Oil</p>").cards == []


@pytest.mark.parametrize(
    ("length", "text_odds", "card_odds", "is_one"),
    [(100, 3.0, -1.0, True), (10_000, 0.0, -1.0, False), (100, 3.0, -2.0, False), (100, 2.0, -2.0, True)],
)
def test_a_page_is_a_collection_unless_other_text_is_much_longer_or_surer(
    length: int, text_odds: float, card_odds: float, *, is_one: bool
) -> None:
    made = Made(f"<ul>{CARDS}</ul><p>{'o' * length}</p>")
    kept = [text.startswith("o") for text in made.columns.texts]
    odds = [text_odds if each else card_odds for each in kept]
    assert is_collection(made.columns, made.cards, made.texts, kept, odds) is is_one


def test_a_collection_keeps_names_and_prices() -> None:
    about = "<p>These lamps were made for boats that are out at night, and each burns for nine hours.</p>"
    html = f"<title>Lamps</title><body><main><h1>Lamps</h1>{about}<ul class=grid>{CARDS}</ul></main></body>"
    text = strip(Page("https://lamps.example/lamps", html)).text
    assert all(name in text for name in NAMES)
    assert "$10.50" in text


def test_many_prices_take_time_in_proportion() -> None:
    def seconds(count: int) -> float:
        inside = "<ul>" + "".join(card(f"Lamp {number}") for number in range(count)) + "</ul>"
        times = []
        for _ in range(3):
            begin = time.thread_time()
            assert Made(inside).cards
            times.append(time.thread_time() - begin)
        return min(times)

    assert seconds(1600) < 24 * seconds(200)

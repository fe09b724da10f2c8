"""Selectors offered for corrections."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.rules.site.paths import Selector
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.report.documents import Offers, SelectorOffers

NAMES = frozenset({".story", ".box", "#main"})


def page(story: str) -> str:
    return f"<div id=main><div class=story>{story}<div class=box><p>Subscribe<p>Now</div></div></div><p class=foot>Foot"


@pytest.fixture(scope="module")
def offering() -> SelectorOffers:
    return SelectorOffers([parse(page("<h1>A</h1><p>One<p>Two")), parse(page("<p>Three"))], NAMES)


def offers_of(offering: SelectorOffers, block: int, page: int = 0) -> Offers:
    return offering.of_page(page)[block]


def test_a_block_has_selectors_from_narrow_to_wide_with_what_each_takes(offering: SelectorOffers) -> None:
    offers = offers_of(offering, 3)  # "Subscribe"
    assert offers.path == "… > div#main > div.story > div.box > p"
    taken = {offer.selector: (offer.here, offer.blocks, offer.pages) for offer in offers.around}
    assert taken[".box > p"] == ((3, 4), 4, 2)
    assert taken[".story"] == ((0, 1, 2, 3, 4), 8, 2)
    sizes = [offer.blocks for offer in offers.around]
    assert sizes == sorted(sizes)
    assert offers.around[offers.start].selector == ".box > p"
    assert offers.around[-1].selector == "body"
    assert len({offer.selector for offer in offers.around}) == len(offers.around)


def test_on_another_page_it_takes_the_blocks_of_that_page(offering: SelectorOffers) -> None:
    offers = offers_of(offering, 1, page=1)
    assert {offer.selector: offer.here for offer in offers.around}[".box > p"] == (1, 2)


def test_rules_for_titles_are_about_the_element_itself(offering: SelectorOffers) -> None:
    own = {offer.selector: (offer.here, offer.blocks) for offer in offers_of(offering, 0).own}
    assert own[".story > h1"] == ((0,), 1)
    assert ".story" not in own


def test_every_offer_is_a_selector_of_rules() -> None:
    hostile = "<p class='a\"onclick=x </script> ..// 🦊 1a'>Text<div><div><div>Deep</div></div></div>Loose"
    offering = SelectorOffers([parse(hostile)], frozenset())
    for offers in offering.of_page(0):
        assert offers.around
        for offer in (*offers.around, *offers.own):
            assert str(Selector.parse(offer.selector)) == offer.selector
            assert offer.here

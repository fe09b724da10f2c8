"""Text beside a page's own: consent, comments, reviews."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from scrapy_stemmer import Page, strip
from scrapy_stemmer.learners.rules.decide.corrections.dropped import (
    MIN_BEFORE,
    MIN_REVIEWS,
    comments,
    is_forum,
    reviews,
)
from tests.learners.rules.decide.corrections.views import view_of

TEXT = f"<p>{'o' * MIN_BEFORE}</p>"
COMMENT = "<p>I wholly agree with the keeper of the lamp.</p>"


@pytest.mark.parametrize(
    ("url", "inside", "is_one"),
    [
        ("https://lamps.example/news/oil", "", False),
        ("https://lamps.example/2018/09/open-thread-on-keyboards/", "", False),
        ("https://forum.lamps.example/oil", "", True),
        ("https://lamps.example/travel-forum/oil", "", True),
        ("https://lamps.example/t/oil/12", "", True),
        ("https://lamps.example/node/4", "<div class='node-type forum-post'><p>Oil</p></div>", True),
        ("https://lamps.example/node/4", "<div class='informal'><p>Oil</p></div>", False),
    ],
)
def test_forums(url: str, inside: str, *, is_one: bool) -> None:
    assert is_forum(view_of(inside, url=url)) is is_one


BOX = partial("<div id=comments>{}</div>".format)


@pytest.mark.parametrize(
    ("inside", "odds", "blocks"),
    [
        (TEXT + BOX(COMMENT * 2), (3, 1, 1), [1, 2]),
        (TEXT + BOX(COMMENT * 2), (3, -1, 1), [2]),
        (TEXT + BOX(COMMENT), (1, 3), []),  # the comments are surer: the page is there for them
        (BOX(TEXT) + TEXT, (1, 3), []),  # nothing before
        (COMMENT + BOX(COMMENT), (3, 1), []),  # too little before
        (TEXT + BOX(COMMENT) + BOX(COMMENT), (3, 1, 1), []),  # one box a text
        (TEXT + BOX(COMMENT) + TEXT, (3, 1, 3), []),  # a section amid the text
        (TEXT + COMMENT, (3, 1), []),
    ],
)
def test_comments_behind_a_text(inside: str, odds: Sequence[float], blocks: list[int]) -> None:
    assert list(comments(view_of(inside, odds))) == blocks


def test_lists_of_reviews_are_longer_than_quotations() -> None:
    review = f"<p>{'o' * (MIN_REVIEWS // 2)}</p>"
    inside = f"<div id=user-reviews>{review * 2}</div><p>Oil</p><div class=press-reviews>{review}</div>"
    form = "<form class=add-to-cart-form><p>Cart</p></form>"
    assert set(reviews(view_of(f"{inside}<p>{'o' * MIN_REVIEWS}</p>{form}"))) == {0, 1}
    assert not reviews(view_of(f"{inside}<p>{'o' * MIN_REVIEWS}</p>")), "nothing is sold"


def test_reviews_are_no_text_of_a_product() -> None:
    about = "<p>This lamp was made for boats that are out at night, and it burns for nine hours on one filling.</p>"
    shop = f"<div class=product><h1>Storm lamp</h1><div class=price>$21.50</div><div>{about * 3}</div></div>"
    form = "<form class=add-to-cart-form><button>Add to cart</button></form>"
    reviews = "".join(f"<p>I took {number} of these lamps to sea, and I was very pleased.</p>" for number in range(9))
    html = f"<title>Storm lamp</title><body><main>{shop}{form}<div class=shop-reviews>{reviews}</div></main></body>"
    text = strip(Page("https://lamps.example/storm", html)).text
    assert "$21.50" in text
    assert "to sea" not in text

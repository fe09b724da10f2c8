"""Repeated elements: for two screens, in quotes, and hidden."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.rules.decide.corrections.dropped import MIN_DOUBLE, pulled, repeated
from scrapy_stemmer.learners.rules.decide.corrections.view import SCORER
from tests.learners.rules.decide.corrections.views import view_of
from tests.learners.rules.made import prose

TWICE = f"<p>{prose('ferry', 5)}</p><p>{prose('ferry', 6)}</p>"
LONG = f"<p>{prose('gull', 40) * 5}</p>"  # so that the rest is less than a quarter of the page
DESKTOP, MOBILE = f"<div class='hero wide'>{TWICE}</div>", f"<div class=hero-mobile>{TWICE}</div>"


def numbers(html: str, *dropped: int) -> list[int]:
    """Return the numbers of the repeated blocks, when all but some are text."""
    view = view_of(html)
    for block in dropped:
        view.verdicts.set(block, False, -3.0, SCORER)
    return repeated(view)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (DESKTOP + MOBILE, [2, 3]),
        (DESKTOP + "<p>Between</p>" + MOBILE, [3, 4]),
        (DESKTOP + MOBILE + f"<div class=print>{TWICE}</div>", [2, 3, 4, 5]),
        (f"<section>{DESKTOP}{MOBILE}</section>", [2, 3]),
        (DESKTOP + DESKTOP, []),  # on purpose
        (f"{DESKTOP}<section>{MOBILE}</section>{LONG}", []),  # not beside each other
        (f"{DESKTOP}<section class=hero-mobile>{TWICE}</section>{LONG}", []),
        (f"{DESKTOP}<div class=hero-mobile>{TWICE}<p>More</p></div>{LONG}", []),
        (f"{DESKTOP}<div class=hero-mobile>{TWICE[:-4]}!</p></div>", []),
        ("<div class=a>Add to cart</div><div class=b>Add to cart</div>", []),
        (f"<div class=row-odd>{TWICE}</div><div class=row-even>{TWICE}</div>", []),
        (f"<table><tr class=a><td>{TWICE}<tr class=b><td>{TWICE}</table>", []),
        ("", []),
    ],
)
def test_of_two_elements_for_other_screens_the_second_is_left_out(html: str, expected: list[int]) -> None:
    assert numbers(html) == expected


def test_what_is_text_in_one_of_them_alone_stays() -> None:
    assert numbers(DESKTOP + MOBILE, 0) == [3]
    assert numbers(DESKTOP + MOBILE, 3) == [2]


SAID, REPLY = prose("ferry", 5), f"<div>{prose('ferry', 6)}</div>"
POST, QUOTE = f"<div>{SAID}</div>", f"<blockquote><cite>Marta wrote</cite><div>{SAID}</div></blockquote>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (POST + QUOTE + REPLY, [2]),
        (POST + QUOTE + REPLY + QUOTE, [2, 5]),
        (f"{POST}<blockquote>{QUOTE}{REPLY}</blockquote>", [2]),  # a quote in a quote
        (f"<blockquote>{SAID}</blockquote>{REPLY}{POST}", [0]),  # a passage set apart
        (f"{POST}<div hidden>{REPLY}<p>{SAID}</p></div>", [2]),
        (f"<div class=d-none>{POST}</div><section>{POST}</section>", [0]),
        (f"<div class='d-none d-md-block'>{SAID}</div><div class=d-md-none>{SAID}</div>", [1]),  # not both
        (QUOTE + REPLY + QUOTE, []),  # repeated without a speaker on the page
        (POST + REPLY + POST, []),
        (f"<div>{SAID} More.</div>{QUOTE}", []),
        (f"{POST}<p>I agree</p><blockquote><p>I agree</p><p>{SAID}</p></blockquote>", [3]),
    ],
)
def test_what_quotes_and_hidden_elements_say_again_is_left_out(html: str, expected: list[int]) -> None:
    assert numbers(html) == expected


def test_quotes_of_what_is_no_text_stay() -> None:
    assert numbers(POST + QUOTE, 0) == []
    assert numbers(POST + QUOTE, 2) == []


@pytest.mark.parametrize("length", [MIN_DOUBLE - 1, MIN_DOUBLE])
def test_little_text_is_no_double(length: int) -> None:
    html = "".join(f"<div class={name}>{'x' * length}</div>" for name in "ab")
    assert numbers(html) == [1] * (length >= MIN_DOUBLE)


SENTENCE = "We counted thirty boats that night, and then it was too dark to see."
AROUND = f"<p>{prose('ferry', 5)} “{SENTENCE}” {prose('ferry', 6)}</p><p>{prose('ferry', 7)}</p>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"{AROUND}<aside><p>{SENTENCE}</p></aside>", [2]),
        (f"<aside class=pullquote>“{SENTENCE}”</aside>{AROUND}", [0]),
        (f"{AROUND}<blockquote class=pull-right><p>“{SENTENCE}”</p></blockquote>", [2]),
        (f"{AROUND}<blockquote><p>“{SENTENCE}”</p></blockquote>", []),  # may be its source
        (f"{AROUND}<figure><blockquote>{SENTENCE}</blockquote></figure>", [2]),
        (f"{AROUND}<div class=pull-quote>{SENTENCE.upper()}</div>", [2]),
        (f"{AROUND}<div class='c-quote big'>«{SENTENCE}»</div>", [2]),
        (f"{AROUND}<p>{SENTENCE}</p>", []),  # not apart from the text
        (f"{AROUND}<blockquote>{prose('gull', 3)}</blockquote>", []),  # of somebody else
        (f"{AROUND}<aside>Boats</aside>", []),  # too short
        (f"{AROUND}<div class=forum></div><div class=quote>{SENTENCE}</div>", []),  # what a reply answers
    ],
)
def test_a_quotation_pulled_from_the_text_is_left_out(html: str, expected: list[int]) -> None:
    assert pulled(view_of(html)) == expected

"""Counts of images of articles that are missing, and of decorations."""

from __future__ import annotations

import lxml.html
import pytest

from benchmarks.images import addresses_of, counts_of, is_decoration, is_of_article
from benchmarks.sets import GoldPage

URL = "https://a.example/d/p"
SENTENCE = "The herring shed of Lundmere was found to lean, which surprised the people who live there. "


def image_in(html: str) -> lxml.html.HtmlElement:
    return next(lxml.html.fragment_fromstring(html, create_parent="article").iter("img"))


def page_of(html: str) -> GoldPage:
    return GoldPage("a.example", "1", URL, f"<html><body><main><h1>Title</h1>{html}</main></body></html>", "")


def test_images_in_figures_between_kept_paragraphs_are_wanted() -> None:
    text = f"<p>{3 * SENTENCE}</p>"
    figure = "<figure><img src=/i.png><noscript><img src=/i.png></noscript></figure>"
    teaser = "<div class=related><figure><img src=/j.png></figure></div>"
    found = counts_of(page_of(f"{text}{figure}{text}{teaser}{text}<figure><img src=/last.png></figure>"))
    assert (found["wanted"], found["kept"]) == (1, 1)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<img src=i.png>", {"https://a.example/d/i.png"}),
        ("<img src='data:image/png;base64,x' data-src=/i.png alt='a.b'>", {"https://a.example/i.png"}),
        ("<picture><source srcset='/i.png 1x, /j.png 2x'><img></picture>", {"https://a.example/i.png"}),
        ("<figure><img><noscript><img src=/i.png></noscript></figure>", {"https://a.example/i.png"}),
        ("<img src='data:image/gif;base64,x'>", set()),
    ],
)
def test_an_image_may_have_several_addresses(html: str, expected: set[str]) -> None:
    found = addresses_of(image_in(html), URL)
    assert expected <= found
    assert bool(found) == bool(expected)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<figure><img></figure>", True),
        ("<img>", False),
        ("<a href=/x><figure><img></figure></a>", False),
        ("<div class=teaser><figure><img></figure></div>", False),
        ("<figure><a href=/x><img></a></figure>", True),
    ],
)
def test_images_of_figures_that_lead_nowhere_else_are_of_the_article(html: str, expected: bool) -> None:
    assert is_of_article(image_in(html)) is expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<img src=/i.png>", False),
        ("<img src=/i.png width=640 height=480>", False),
        ("<img src=/i.png width=32>", True),
        ("<div class=avatar><span><img src=/i.png></span></div>", True),
        ("<img src=/facebook.svg>", True),
        ("<img src=/i.png alt=Logo>", True),
        ("<div class=shared-space><img src=/i.png></div>", False),
    ],
)
def test_decorations_are_small_or_called_so(html: str, expected: bool) -> None:
    assert is_decoration(image_in(html)) is expected

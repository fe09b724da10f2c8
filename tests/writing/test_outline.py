"""Headings and images of the content of a page."""

from __future__ import annotations

import pickle

import pytest

from scrapy_stemmer import Page, Stripped, strip

TEXT = "<p>" + "The harbour was seen by everyone in town, and it was good. " * 6 + "</p>"


def stripped(content: str) -> Stripped:
    menu = "<div class=nav><h2><a href=/>Menu</a></h2></div>"
    page = f"<html><head><title>Harbour | Example</title></head><body>{menu}{content}"
    return strip(Page("https://a.example/b/c.html", page))


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("<h2 id=a>Boats</h2>", "a"),
        ("<h2><a name=a></a>Boats</h2>", "a"),
        ("<h2><span id=a>Boats</span></h2>", "a"),
        ("<h2>Boats<a class=headerlink href=#a>¶</a></h2>", "a"),
        ("<section id=a><h2>Boats</h2></section>", "a"),
        ("<section id=a><h2><a href=#boats>Boats</a><a class=headerlink href=#a>¶</a></h2></section>", "a"),
        ("<section id=a><header><h2>Boats</h2></header></section>", "a"),
        ("<a name=a></a><h2>Boats</h2>", "a"),
        ("<section id=a><p>By boat, and by other means that people have.</p><h2>Boats</h2></section>", ""),
        ("<h2>Boats <a href=/b>and more</a></h2>", ""),
    ],
)
def test_a_heading_has_its_level_its_text_and_its_anchor(heading: str, anchor: str) -> None:
    page = stripped(f"<h1>Harbour</h1>{TEXT}{heading}{TEXT}")
    found = [(each.level, each.text.removesuffix(" and more"), each.anchor) for each in page.headings]
    assert found == [(1, "Harbour", ""), (2, "Boats", anchor)]


def test_a_heading_of_several_blocks_is_one() -> None:
    page = stripped(f"<h1>Harbour</h1>{TEXT}<h3><div>Boats</div><div>and ships</div></h3>{TEXT}")
    assert [each.text for each in page.headings] == ["Harbour", "Boats and ships"]


def test_an_image_has_its_absolute_address_its_text_and_its_caption() -> None:
    figure = "<figure><img src=boat.png alt='A  boat'><figcaption>A boat in <b>June</b></figcaption></figure>"
    again = "<p><img src=/b.jpg> seen from above</p><p><img src=/b.jpg></p>"
    page = stripped(f"<h1>Harbour</h1>{TEXT}{figure}{TEXT}{again}{TEXT}")
    assert [(each.url, each.alt, each.caption) for each in page.images] == [
        ("https://a.example/b/boat.png", "A boat", "A boat in June"),
        ("https://a.example/b.jpg", "", ""),
    ]


def test_a_page_without_text_has_neither() -> None:
    page = strip(Page("https://a.example/", "<title>None</title>"))
    assert (page.headings, page.images) == ((), ())


def test_a_copy_has_them_too() -> None:
    page = stripped(f"<h1 id=a>Harbour</h1>{TEXT}<p><img src=/b.jpg alt=b></p>")
    copy = pickle.loads(pickle.dumps(page))
    assert (copy.headings, copy.images) == (page.headings, page.images)
    assert page.headings[0].anchor == "a"

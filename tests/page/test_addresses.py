"""Addresses in a page."""

from __future__ import annotations

from functools import partial

import pytest
from lxml import etree

from scrapy_stemmer.page.addresses import (
    LONGEST_BASE,
    LONGEST_FOREIGN,
    MAX_SIZES,
    Addresses,
    safe_address,
    safe_srcset,
    shape_of,
)

URL = "https://a.example/d/p?q=1#part"
PAGE = URL.partition("#")[0]


def addresses(head: str = "", url: str = URL) -> Addresses:
    return Addresses(etree.HTML(f"<html><head>{head}</head><body></body></html>"), url)


@pytest.mark.parametrize(
    ("address", "absolute"),
    [
        ("/x", "https://a.example/x"),
        ("x.html", "https://a.example/d/x.html"),
        ("../x", "https://a.example/x"),
        ("../../y/../x?a=1#b", "https://a.example/x?a=1#b"),
        ("../../b/x?a=1#b", "https://a.example/b/x?a=1#b"),
        ("?q=2", "https://a.example/d/p?q=2"),
        ("#there", "https://a.example/d/p?q=1#there"),
        ("//b.example/x", "https://b.example/x"),
        ("http://b.example/a b", "http://b.example/a b"),
        ("mailto:me@a.example", "mailto:me@a.example"),
        (" \n/x\t", "https://a.example/x"),
        ("javascript:alert(1)", None),
        ("\x01java\nscript:alert(1)", None),
        ("data:text/html,x", None),
        ("data:image/png;base64,x", None),
        ("http://[x", None),
    ],
)
def test_links(address: str, absolute: str | None) -> None:
    assert addresses().absolute(address) == absolute


@pytest.mark.parametrize("url", ["", "http://[::1", "javascript:x", "file:///tmp/a.html"])
def test_links_stay_as_they_are_where_the_page_has_no_address_on_the_web(url: str) -> None:
    assert addresses(url=url).absolute("../x") == "../x"
    assert addresses(url=url).absolute("javascript:x") is None


@pytest.mark.parametrize(
    ("base", "found"),
    [
        ("/b/", "https://a.example/b/x"),
        ("//c.example/", "https://c.example/x"),
        ("javascript:x", "https://a.example/d/x"),
    ],
)
def test_the_base_element_counts(base: str, found: str) -> None:
    assert addresses(f'<base target="_top"><base href="{base}"><base href="/other/">').absolute("x") == found


def test_what_would_make_each_address_very_long_does_not_count() -> None:
    """A page of 200 kB, half a base and half links, became half a gigabyte."""
    base = "https://a.example/" + "b/" * LONGEST_BASE
    assert addresses(f"<base href='{base}'>").absolute("../x") == "../x"
    assert addresses(url=base).absolute("/x?y#z") == "/x?y#z"
    assert addresses(f"<base href='{base}'>").absolute("https://a.example/x") == "https://a.example/x"


@pytest.mark.parametrize("start", ["https://", "//", "/", ""])
def test_addresses_that_would_take_long_to_be_joined_lead_nowhere(start: str) -> None:
    assert addresses().absolute(start + "\u00e9" * (LONGEST_FOREIGN + 1)) is None
    assert addresses().absolute(start + "\u00e9" * 20) is not None


@pytest.mark.parametrize(("url", "head"), [("http:////[", ""), ("", "<base href='https:////['>")])
def test_a_base_whose_second_parsing_fails_leads_nowhere(url: str, head: str) -> None:
    assert addresses(head, url).absolute("x") in (None, "x")


def test_only_an_image_may_stand_in_its_address() -> None:
    for absolute in (addresses().absolute, partial(safe_address, base=URL)):
        assert absolute("data:image/png;base64,x", is_image=True) == "data:image/png;base64,x"
        assert absolute("data:text/html,x", is_image=True) is None
        assert absolute("data:image/png;base64,x") is None
        assert absolute("/a.png", is_image=True) == "https://a.example/a.png"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("/a.png 1x, b.png 2x", "https://a.example/a.png 1x, https://a.example/d/b.png 2x"),
        ("/a,b.png 300w,/c.png 600w", "https://a.example/a,b.png 300w, https://a.example/c.png 600w"),
        ("javascript:x 1x, /a.png", "https://a.example/a.png"),
        ("data:image/gif;base64,x 1x", None),
        (" ", None),
    ],
)
def test_images_for_several_sizes(value: str, found: str | None) -> None:
    assert safe_srcset(value, partial(safe_address, base=URL)) == found


def test_of_very_many_sizes_the_first_are_kept() -> None:
    value = ", ".join(f"/{number}.png {number}w" for number in range(MAX_SIZES + 9))
    assert (safe_srcset(value) or "").split(", ") == value.split(", ")[:MAX_SIZES]


@pytest.mark.parametrize(
    ("url", "shape"),
    [
        ("http://a.example/", "a.example"),
        ("http://a.example:80/2025/03/the-new-bridge.html?page=2&a=1", "a.example:80/0/0/*?a,page"),
        ("http://a.example/news/12345", "a.example/news/0"),
        ("http://a.example/tag/town/", "a.example/tag/word"),
        (
            "http://a.example/tag/%D1%81%D1%82%D0%B0%D1%80%D1%8B%D0%B9_%D0%B3%D0%BE%D1%80%D0%BE%D0%B4",
            "a.example/tag/word",
        ),
        ("http://a.example/old-town-hall", "a.example/*"),
        ("http://[a/old-town-hall", ""),
        ("http://a.example/averyverylongnamewithoutanyhyphen/x", "a.example/*/word"),
    ],
)
def test_addresses_of_one_kind_have_one_shape(url: str, shape: str) -> None:
    assert shape_of(url) == shape

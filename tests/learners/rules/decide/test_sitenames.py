"""The name of a site in the title of a single page."""

from __future__ import annotations

import pytest
from lxml import etree

from scrapy_stemmer import Page, learn, strip
from scrapy_stemmer.learners.rules.decide.head import SiteNames

URL = "https://kelpmoor.example/news/9"
TEXT = "".join(
    f"<p>The {number}th barge left the quay before noon, and the keeper wrote that down.</p>" for number in range(7)
)


def title(head: str, body: str = "", url: str = URL) -> str | None:
    return strip(Page(url, f"<html lang=en><head>{head}</head><body>{body}<main>{TEXT}</main></body></html>")).title


NAMED = '<meta property="og:site_name" content="Kelp Moor Post">'


@pytest.mark.parametrize("end", [" - |", " · |", " — |", " : |", " |  | ", "\t-\n|"])
def test_separators_without_a_name_are_none_of_the_title(end: str) -> None:
    assert title(f"<title>Nine barges left{end}</title>") == "Nine barges left"


@pytest.mark.parametrize("separator", [" | ", " - ", " – ", " — ", " · ", " :: ", "_", " « ", " > ", " at "])
def test_a_site_that_names_itself_is_none_of_the_title(separator: str) -> None:
    assert title(f"<title>Nine barges left{separator}Kelp Moor Post</title>{NAMED}") == "Nine barges left"


@pytest.mark.parametrize("separator", [": ", " | ", " » ", " - "])
def test_nor_is_it_before_the_title(separator: str) -> None:
    assert title(f"<title>Kelp Moor Post{separator}Nine barges left</title>{NAMED}") == "Nine barges left"


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("Quay Notes", '<header><a href="/">Quay Notes</a></header>'),
        ("Quay Notes", '<a href="https://kelpmoor.example/"><img alt="Quay Notes" src="x.png"></a>'),
        ("Kelpmoor", ""),
        ("kelpmoor.example", ""),
    ],
)
def test_links_and_hosts_name_the_site(name: str, body: str) -> None:
    assert (
        title(f"<title>Barges - a short history of them - {name}</title>", body) == "Barges - a short history of them"
    )


@pytest.mark.parametrize(
    "kept",
    ["The mayor fears «a long winter»", "Rain - a love story", "ARM: what new chips can do", "Issue 12 (2024)"],
)
def test_other_parts_stay(kept: str) -> None:
    assert title(f"<title>{kept}</title>{NAMED}") == kept


@pytest.mark.parametrize("tag", ["h2", "h3", "p", "strong", "div"])
def test_a_heading_that_names_the_section_is_not_the_title(tag: str) -> None:
    body = f'<nav><a href="/n">Notices</a></nav><h1>Notices</h1><{tag}>Nine barges left the old quay</{tag}>'
    assert title(f"<title>Nine barges left the old quay | Kelp Moor Post</title>{NAMED}", body) == (
        "Nine barges left the old quay"
    )


@pytest.mark.parametrize("separator", ["-", "_", " :: ", ", ", " at "])
def test_titles_show_what_they_share_whatever_parts_it(separator: str) -> None:
    names = ["Nine barges left", "The keeper is back", "Who mends nets", "Fog over town", "A lamp went out"]
    pages = [
        Page(
            f"https://x.example/{number}",
            f"<title>{name}{separator}Quay Notes</title><body><main>{TEXT}{number}</main>",
        )
        for number, name in enumerate(names)
    ]
    assert learn(pages[1:]).strip(pages[0]).title == "Nine barges left"


ADDRESSES = [
    ("/", True),
    ("", False),
    ("/index.html", True),
    ("/Home.aspx", True),
    ("/news/", False),
    ("//kelpmoor.example/", True),
    ("http://www.kelpmoor.example/", True),
    ("https://other.example/", False),
    ("https://kelpmoor.example:80/", False),
    ("/?a=1", False),
    ("#", False),
    ("mailto:a@b", False),
    ("http://[", False),
    (None, False),
]


@pytest.mark.parametrize(("address", "is_home"), ADDRESSES)
def test_a_link_leads_home(address: str | None, is_home: bool) -> None:
    root = etree.HTML("<a>Grey Heron</a>")
    if address is not None:
        root[0][0].set("href", address)
    names = SiteNames([], URL, root)
    assert names.is_exact("Grey heron") is is_home
    assert names.is_link("Grey heron") is not is_home

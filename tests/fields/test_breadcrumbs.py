"""Breadcrumbs of a page, and its path in the site."""

from __future__ import annotations

import json

import pytest

from scrapy_stemmer.fields.breadcrumbs import Crumb, breadcrumbs_of
from scrapy_stemmer.fields.metadata import PageTree
from scrapy_stemmer.page.document import parse
from tests.fields.pages import read_page

URL = "https://a.example/docs/tools/hammer.html"
LINKS = "<a href=/>Home</a> » <a href=/docs/>Docs</a> » <a href='../'>Tools</a>"
ITEMS = [
    {"@type": "ListItem", "position": n, "name": name, "item": f"/{name}/"} for n, name in ((2, "Docs"), (1, "Home"))
]
THING = "itemscope itemtype=http://schema.org/"


@pytest.mark.parametrize(
    ("body", "breadcrumbs", "section"),
    [
        (f"<nav class=breadcrumb>{LINKS}</nav>", ["Home", "Docs", "Tools"], "Docs > Tools"),
        (f"<div id=breadcrumbs>{LINKS} » Hammer</div>", ["Home", "Docs", "Tools"], "Docs > Tools"),
        (f"<nav aria-label=Breadcrumb>{LINKS} <span>&gt;</span></nav>", ["Home", "Docs", "Tools"], "Docs > Tools"),
        ("<ul class='nav-breadcrumbs'><li><a href=/docs/>Docs</a><li>Hammer</ul>", ["Docs"], "Docs"),
        ("<li><a href=/>Manual</a> »<li><a href=..>Tools</a> »<li><a href=/x>Next</a>", ["Manual", "Tools"], "Tools"),
        ("<a href=/>Home</a> » <a href=/x>Other</a>", None, "docs > tools"),
        ("<a href=/17>17</a> / <a href=/16>16</a> / <a href=/15>15</a>", None, "docs > tools"),
        (
            "<nav class=breadcrumb><a href=/index.html>Home</a> <a href=/x>Hammer</a></nav>",
            ["Home", "Hammer"],
            "docs > tools",
        ),
        ("<ul class=breadcrumbs></ul>", None, "docs > tools"),
        ("<p class=breadcrumbless><a href=/>Home</a>", None, "docs > tools"),
        ("<body class=has-breadcrumb><p><a href=/>Home</a>", None, "docs > tools"),
        ("", None, "docs > tools"),
    ],
)
def test_breadcrumbs_are_the_links_of_the_element_called_so(
    body: str, breadcrumbs: list[str] | None, section: str
) -> None:
    found = read_page(f"<title>Hammer</title>{body}<h1>Hammer</h1>", url=URL).as_dict()
    assert (found.get("breadcrumbs"), found["section"]) == (breadcrumbs, section)
    assert found["sources"]["section"] == ("url" if section == "docs > tools" else "breadcrumbs")


@pytest.mark.parametrize(
    ("links", "breadcrumbs"),
    [
        ("<link rel=home href=index.html title='The Manual'><link rel=up href=ch1.html title='1. Tools'>", True),
        ("<a accesskey=P href=x title='Nails'>Prev</a><a accesskey=U href=ch1.html title='1. Tools'>Up</a>"
         "<a accesskey=h href=index.html title='The Manual'>Home</a>", True),
        ("<a accesskey=u href=/us title='About us'>Us</a><a accesskey=h href=/ title=Home>Home</a>", False),
        ("<link rel=home href=/ title=Home><link rel=up href=ch1.html>", False),
    ],
)  # fmt: skip
def test_a_manual_names_the_page_above_in_its_links(links: str, breadcrumbs: bool) -> None:
    found = read_page(f"<title>Hammer</title>{links}<h1>Hammer</h1>", url=URL)
    assert found.breadcrumbs == (("The Manual", "1. Tools") if breadcrumbs else ())
    assert found.section == ("The Manual > 1. Tools" if breadcrumbs else "docs > tools")
    assert found.sources.get("breadcrumbs") == ("link[rel=up]" if breadcrumbs else None)


def test_declared_breadcrumbs_come_first_and_in_their_order() -> None:
    declared = json.dumps({"@type": "BreadcrumbList", "itemListElement": ITEMS})
    page = f"<script type=application/ld+json>{declared}</script><nav class=breadcrumb>{LINKS}</nav>"
    found = read_page(page, url=URL)
    assert (found.breadcrumbs, found.sources["breadcrumbs"]) == (("Home", "Docs"), "json-ld")


def test_breadcrumbs_of_microdata_have_absolute_addresses() -> None:
    items = "".join(
        f"<li itemprop=itemListElement {THING}ListItem><a href={url} itemprop=item><b itemprop=name>{name}</b></a></li>"
        for name, url in (("Docs", "/docs/"), ("Tools", "../"))
    )
    tree = PageTree(parse(f"<ol {THING}BreadcrumbList>{items}</ol>"), URL)
    crumbs = (Crumb("Docs", "https://a.example/docs/"), Crumb("Tools", "https://a.example/docs/"))
    assert breadcrumbs_of(tree) == (crumbs, "microdata")


def test_a_page_without_address_and_breadcrumbs_has_no_section() -> None:
    assert read_page("<p>Text", url="").section is None

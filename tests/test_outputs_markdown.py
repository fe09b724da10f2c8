"""Markdown of whole pages."""

from __future__ import annotations

import json
from html import escape

import pytest

from scrapy_stemmer import Page, StripOptions, Stripped, strip
from scrapy_stemmer.outputs import markdown_of, markdown_page
from scrapy_stemmer.outputs.markdown import markdown_file, titled
from tests.samplesite import article, headline, paragraphs

URL = "http://a.example/d/p"


def test_front_matter_then_the_title_then_the_text() -> None:
    html = article(1).replace("<head>", "<head><meta name=author content='Ann Lee'><meta name=keywords content=''>")
    head, _, text = markdown_page(URL, strip(Page(URL, html))).partition("\n\n")
    told = {line.partition(": ")[0]: line.partition(": ")[2] for line in head.split("\n")[1:-1]}
    assert list(told)[:5] == ["title", "url", "matched", "kind", "confidence"]
    assert (told["title"], told["url"], told["authors"]) == (f'"{headline(1)}"', f'"{URL}"', '["Ann Lee"]')
    assert "tags" not in told
    assert text == "\n\n".join([f"# {headline(1)}", *paragraphs(1)]) + "\n"


def test_a_page_without_text_has_its_front_matter() -> None:
    head = f'---\ntitle: null\nurl: "{URL}"\nmatched: false\nkind: null\nconfidence: null\n---\n\n'
    assert markdown_page(URL, Stripped(matched=False)) == f"{head}\n"


def test_names_of_an_item_are_quoted_in_the_front_matter_unless_they_are_plain() -> None:
    assert (
        markdown_file({"unit-price": 1, "k: e\n---": 2}, "Text.")
        == '---\nunit-price: 1\n"k: e\\n---": 2\n---\n\nText.\n'
    )


def test_any_html_as_markdown_with_links_made_absolute() -> None:
    assert markdown_of("<p>See <a href='../x'>this</a>.</p>", URL).strip() == "See [this](http://a.example/x)."


@pytest.mark.parametrize(
    ("title", "markdown", "expected"),
    [
        ("The tide", "Text.", "# The tide\n\nText."),
        ("The tide", "# The tide\n\nText.", "# The tide\n\nText."),
        ("9.1. Logical Operators", "## 9.1. Logical Operators ¶\n\nText.", "## 9.1. Logical Operators ¶\n\nText."),
        ("The tide", "By Ann Lee\n\n### [The *tide*](http://a.example/)\n\nText.", None),
        ("The tide", "## ![Logo](logo.png)The tide\n\nText.", None),
        ("get_value", "## `get_value`\n\nText.", None),
        ("The tide", "The tide\n\nText.", "# The tide\n\nText."),
        ("The tide", "Home\n\n**The tide**\n\nText.", "Home\n\n# **The tide**\n\nText."),
        ("The tide", "The tide\nis high.", "# The tide\n\nThe tide\nis high."),
        ("The tide", "- The tide\n\nText.", "# The tide\n\n- The tide\n\nText."),
        ("The tide", "## Tides\n\nText.", "# The tide\n\n## Tides\n\nText."),
        ("The tide", "# Weather: the tide\n\nText.", None),
        ("The tide", "1\n\n" * 9 + "## The tide", "# The tide\n\n" + "1\n\n" * 9 + "## The tide"),
        ("...", "Text.", "Text."),
        (None, "Text.", "Text."),
        ("The tide", "", "# The tide\n\n"),
    ],
)
def test_the_title_is_a_heading_once(title: str | None, markdown: str, expected: str | None) -> None:
    """A title among the first lines stays, at any level; ``None`` changes nothing."""
    assert titled(title, markdown) == (markdown if expected is None else expected)


def test_links_and_images_can_be_left_out() -> None:
    html = (
        "<h2><a href='/t'>Tides</a></h2><p>See <a href='/x'>this <b>page</b></a><sup><a href='#n'>1</a></sup>.</p>"
        "<p><a href='/big'><img src='a.png' alt='A boat'></a></p><p>So <code>a(<a href='/b'>b</a>)</code> "
        "<img src='f.png' alt='{\\displaystyle x^2}'></p><ol><li id='n'>A note.</li></ol>"
    )
    whole = markdown_of(html, URL)
    assert "[this **page**](http://a.example/x)" in whole
    assert "[![A boat](http://a.example/d/a.png)](http://a.example/big)" in whole
    without = markdown_of(html, URL, links=False, images=False)
    assert without.split("\n\n")[:3] == ["## Tides", "See this **page**[^1].", "So `a(b)` ${\\displaystyle x^2}$"]
    assert "](http" not in without
    assert "![A boat](http://a.example/d/a.png)" in markdown_of(html, URL, links=False)
    page = Page(URL, article(1).replace("</p>", " <a href='/more'>More of it</a> <img src='/a.png'></p>", 1))
    assert "](http://a.example/more)" in strip(page).markdown
    assert "](http" not in strip(page, StripOptions(links=False, images=False)).markdown


def test_a_title_is_no_html_and_no_link_and_its_front_matter_is_yaml() -> None:
    title = "# A <img src=x onerror=a> [b](javascript:c) \x7f\u2028\ufeff\U0001f600"
    html = f"<title>{escape(title)}</title><body><p>{paragraphs(1)[0]}</p>"
    lines = markdown_page("http://a.example/\ud800", strip(Page(URL, html))).split("\n")
    assert lines[2] == r'url: "http://a.example/\ud800"'
    told = lines[1].removeprefix("title: ")
    assert told.isprintable()
    assert json.loads(told).startswith("# A <img src=x onerror=a> [b](javascript:c)")
    heading = next(line for line in lines if line.startswith("# "))
    assert heading.startswith(r"# \# A \<img src=x onerror=a> \[b]\(javascript:c)")

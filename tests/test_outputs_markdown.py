"""Markdown of whole pages."""

from __future__ import annotations

import json
from html import escape

from scrapy_stemmer import Page, Stripped, strip
from scrapy_stemmer.outputs import markdown_of, markdown_page
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


def test_any_html_as_markdown_with_links_made_absolute() -> None:
    assert markdown_of("<p>See <a href='../x'>this</a>.</p>", URL).strip() == "See [this](http://a.example/x)."


def test_a_title_is_no_html_and_no_link_and_its_front_matter_is_yaml() -> None:
    title = "# A <img src=x onerror=a> [b](javascript:c) \x7f\u2028\ufeff\U0001f600"
    html = f"<title>{escape(title)}</title><body><p>{paragraphs(1)[0]}</p>"
    lines = markdown_page(URL, strip(Page(URL, html))).split("\n")
    told = lines[1].removeprefix("title: ")
    assert told.isprintable()
    assert json.loads(told).startswith("# A <img src=x onerror=a> [b](javascript:c)")
    heading = next(line for line in lines if line.startswith("# "))
    assert heading.startswith(r"# \# A \<img src=x onerror=a> \[b]\(javascript:c)")

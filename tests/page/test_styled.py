"""What browsers show by a style: marks of quotations, lines, notes beside the text, posts from elsewhere."""

from __future__ import annotations

import re

import pytest
from lxml import etree

from scrapy_stemmer.page.document import parse
from scrapy_stemmer.page.shown import shown


def seen(html: str, lang: str = "en") -> str:
    """The body of a page as it is read."""
    root = parse(f"<html lang={lang}><body>{html}</body></html>")
    body = shown(root, parse, is_own=False).tree.find("body")
    assert body is not None
    return etree.tostring(body, encoding="unicode").removeprefix("<body>").removesuffix("</body>").strip()


def plain(html: str, lang: str = "en") -> str:
    return "".join(map(str, etree.fromstring(f"<x>{seen(html, lang)}</x>").itertext()))


@pytest.mark.parametrize(
    ("html", "lang", "expected"),
    [
        ("<p>He said <q>yes</q>.</p>", "en", "He said “yes”."),
        ("<p><q>He said <q>yes</q> twice</q></p>", "en-GB", "“He said ‘yes’ twice”"),
        ("<p>Er sagte <q>ja</q></p>", "de-AT", "Er sagte „ja“"),
        ("<p>Er sagte <q lang=fr>oui</q></p>", "de", "Er sagte «oui»"),
        ("<p><q>да</q></p>", "uk", "«да»"),
        ("<p><q>hai</q></p>", "ja", "「hai」"),
        ("<p><q><em>all</em> of it</q></p>", "", "“all of it”"),
        ("<p><q>“yes”</q></p>", "en", "“yes”"),
    ],
)
def test_quotations_have_the_marks_of_their_language(html: str, lang: str, expected: str) -> None:
    assert plain(html, lang) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p><i {0}>a</i><i {0}>b</i></p>", "<p><i>a</i><br/><i>b</i></p>"),
        ("<p>a <i {0}>b</i> c</p>", "<p>a<br/><i>b</i><br/> c</p>"),
        ("<p><b>a</b><i {0}>b</i></p>", "<p><b>a</b><br/><i>b</i></p>"),
        ("<p><i {0}>a</i><b>b</b></p>", "<p><i>a</i><br/><b>b</b></p>"),
        ("<p><i {0}>a</i></p>", "<p><i>a</i></p>"),
        ("<p>a<i {0}><img src='x'/></i>b</p>", "<p>a<i><img src='x'/></i>b</p>"),
        ("<p>a<i style='display:inline-block'>b</i></p>", "<p>a<i style='display:inline-block'>b</i></p>"),
    ],
)
def test_lines_by_a_style_are_parted_from_what_is_around(html: str, expected: str) -> None:
    style = 'style="text-indent:-1em; DISPLAY : block"'
    found = seen(html.replace("i ", "span ").replace("</i>", "</span>").format(style))
    found = re.sub(" ?<br/> ?(?=<)", "<br/>", found)
    assert found.replace(f" {style}", "").replace("span", "i") == expected.replace("'", '"')


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<span class=sidenote>N</span> b</p><p>c</p>", "<p>a b</p><p class='sidenote'>N</p><p>c</p>"),
        ("<p>a<label class=margin-toggle>⊕</label><input><span class=marginnote>N</span> b</p>",
            "<p>a<label class='margin-toggle'/><input/> b</p><p class='marginnote'>N</p>"),
        ("<p>a<span class=sidenote>M</span> b<span class='x side-note'>N</span></p>",
            "<p>a b</p><p class='sidenote'>M</p><p class='x side-note'>N</p>"),
        ("<ul><li>a<span class=sidenote>N</span> b</li></ul>", "<ul><li>a b<div class='sidenote'>N</div></li></ul>"),
        ("<h2>a<span class=marginnote>N</span></h2>b", "<h2>a</h2><p class='marginnote'>N</p>b"),
        ("<p>a<span class=footnote>N</span></p>", "<p>a<span class='footnote'>N</span></p>"),
    ],
)  # fmt: skip
def test_notes_beside_the_text_go_behind_their_paragraph(html: str, expected: str) -> None:
    assert seen(html) == expected.replace("'", '"')


def test_a_linked_post_from_elsewhere_is_a_quotation() -> None:
    post = "<div class='twitter-embed'><a href='https://x.example/1'><div>Said there.</div></a></div>"
    assert seen(post) == '<blockquote class="twitter-embed"><div><div>Said there.</div></div></blockquote>'


def test_a_page_with_thousands_of_notes_has_the_first_of_them_moved() -> None:
    found = seen(f"<p>{'a<span class=sidenote>N</span>' * 3_000}</p>")
    assert found.startswith(f"<p>{1_000 * 'a'}a<span")
    assert found.count("</p>") == 1_001

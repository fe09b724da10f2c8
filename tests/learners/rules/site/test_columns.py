"""Columns of a tree: beginnings of blocks, their contents, and excluded text."""

from __future__ import annotations

import pytest
from lxml import etree

from scrapy_stemmer.learners.rules.site.columns import (
    Signature,
    Signatures,
    body_of,
    text_key,
)
from scrapy_stemmer.learners.rules.site.reading import read_page
from tests.learners.rules.made import body, columns


def blocks(html: str | etree._Element) -> list[tuple[str, str]]:
    """The tag and the text of each block."""
    signatures = Signatures()
    found = read_page(body(html) if isinstance(html, str) else html, signatures)
    tags = [signature.tag for signature in signatures]
    return [(tags[found.signatures[element]], text) for element, text in zip(found.elements, found.texts, strict=True)]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<p>One</p><p>Two</p>", [("p", "One"), ("p", "Two")], id="paragraphs"),
        pytest.param("<p>One <b>and <i>two</i></b>.</p>", [("p", "One and two.")], id="nested inline elements"),
        pytest.param("<div>One<p>two</p>three</div>", [("div", "One"), ("p", "two"), ("div", "three")], id="around"),
        pytest.param("<p> One\n\ttwo&nbsp; three </p>", [("p", "One two three")], id="white space"),
        pytest.param("<p>One<span></span>two</p>", [("p", "Onetwo")], id="an empty element is no white space"),
        pytest.param("<p>—</p><p>…</p><p>7</p>", [("p", "7")], id="no letter and no digit"),
        pytest.param("<x-card>One</x-card>", [("x-card", "One")], id="a custom element is a block"),
        pytest.param("<div><blink>One</blink></div>", [("div", "One")], id="an unknown one is not"),
        pytest.param("<p>One<script>no</script> two<!-- no --></p>", [("p", "One two")], id="scripts and comments"),
        pytest.param("<form><p>One</p><select><option>no</select><button>n</button></form>", [("p", "One")], id="form"),
        pytest.param("<div><svg><title>no</title><text>A</text><text>B</text></svg></div>",
                     [("svg", "A"), ("svg", "B")], id="labels of a drawing stand alone"),
        pytest.param("<p><span class=sr-only>no</span>One</p>", [("p", "One")], id="for screen readers"),
        pytest.param("<p><span style='DISPLAY : none'>no</span>One</p>", [("p", "One")], id="hidden by style"),
        pytest.param("<p><span style='display:block'>One</span></p>", [("p", "One")], id="shown by style"),
        pytest.param("<div hidden>One</div>", [("div", "One")], id="a hidden block is read, and noted as such"),
        pytest.param("<pre>a\n  b</pre>", [("pre", "a b")], id="code"),
        pytest.param("<h2>One<a href=#one>¶</a></h2>", [("h2", "One")], id="a permalink"),
        pytest.param("<p>a <a href=/x>b<i><svg></svg></i></a>, c", [("p", "a b, c")], id="the icon of a link"),
        pytest.param("<p>Click <svg></svg> or <svg></svg> <b>Save</b>.", [("p", "Click or Save.")], id="icons"),
        pytest.param("<div>a <svg></svg><div>b", [("div", "a"), ("div", "b")], id="an icon behind a line"),
        pytest.param("<p>a<g-emoji>b</g-emoji>c", [("p", "abc")], id="within a line by a script"),
        pytest.param("<p><x-y>a <b>b</b></x-y> c", [("p", "a b c")], id="a custom element in a paragraph"),
        pytest.param("<div>1500 <x-y>watts</x-y></div>", [("div", "1500 watts")], id="a custom element behind a word"),
        pytest.param("<p>a <span class='mwe-math-mathml-inline mwe-math-mathml-a11y' style='display: none'><math><mi>x"
            "</mi></math></span>", [("p", "a x")], id="a formula behind its image"),
        pytest.param("", [], id="nothing"),
        pytest.param("<head><title>x</title></head>", [], id="no body"),
        pytest.param("<details><summary>A?</summary><p>B</p></details>", [("summary", "A?"), ("p", "B")], id="details"),
    ],
)  # fmt: skip
def test_the_blocks_of_a_page(html: str, expected: list[tuple[str, str]]) -> None:
    assert blocks(html or etree.Element("body")) == expected


@pytest.mark.parametrize(
    "xml",
    [
        pytest.param("<html xmlns='http://www.w3.org/1999/xhtml'><body><p>One</p></body></html>", id="XHTML"),
        pytest.param("<html><head><p>One</p></head></html>", id="no body: the head"),
        pytest.param("<rss><p>One</p></rss>", id="neither: the root"),
    ],
)
def test_trees_of_xml_are_read_too(xml: str) -> None:
    assert blocks(body_of(etree.fromstring(xml))) == [("p", "One")]


def test_what_is_noted_of_an_element() -> None:
    signatures = Signatures()
    columns("<div id=a class='b c' role=main><p hidden>x</p><ul style='visibility:hidden'><li>y</ul></div>", signatures)
    assert list(signatures) == [
        Signature("body"),
        Signature("div", "a", "b c", "main"),
        Signature("p", hidden=True),
        Signature("ul", hidden=True),
        Signature("li"),
    ]


@pytest.mark.parametrize(
    ("html", "linked"),
    [
        ("<p>One <a href=/>two</a></p>", [3]),
        ("<p><a href=/><b>One</b> two</a> three</p>", [6]),
        ("<a href=/><p>One</p></a><p>Two</p>", [3, 0]),
        ("<p><a id=x>One</a> <a href=/>two</a> <a name=y>three</a></p>", [3]),
        ("<a name=top><p>One</p><p><a href='#x'>two</a></p>", [0, 3]),
    ],
)
def test_characters_in_links_are_counted_without_white_space(html: str, linked: list[int]) -> None:
    assert columns(html).linked == linked


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("5 minutes ago", "17 Minutes AGO", True),
        ("Page 1 of 20", "Page 12 of 3", True),
        ("5", "17", False),
        ("2026-03-02", "2026-03-03", False),
        ("5 minutes ago", "5 hours ago", False),
        ("Rain", "rain", True),
    ],
)
def test_texts_that_return_but_for_their_numbers_have_one_key(one: str, other: str, same: bool) -> None:
    assert (text_key(one) == text_key(other)) is same


@pytest.mark.parametrize(
    ("attributes", "is_hidden"),
    [
        ("hidden", True),
        ("style='display:none'", True),
        ("hidden role=tabpanel", False),
        ("hidden aria-labelledby=a", False),
        ("hidden role=region", True),
        ("hidden role=dialog aria-labelledby=a", True),
        ("hidden=until-found", False),
        ("role=tabpanel", False),
    ],
)
def test_panels_that_a_click_unfolds_are_not_hidden(attributes: str, is_hidden: bool) -> None:
    signatures = Signatures()
    assert columns(f"<div {attributes}>Text</div>", signatures).texts == ["Text"]
    assert [signature.hidden for signature in signatures] == [False, is_hidden]

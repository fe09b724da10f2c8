"""Blocks as plain text, whoever made the blocks."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer import strip
from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.learners.rules.decide.page import RulesPage
from scrapy_stemmer.learners.rules.site.site import Site
from scrapy_stemmer.page.blocks import Role
from scrapy_stemmer.page.document import Document, Page, parse
from scrapy_stemmer.writing.plain_text import text_of_pieces
from tests.strategies import CONTAINERS, markup

LONG = "a" * 301  # too long for a cell of a row

CASES = {
    "paragraphs": ("<p>a  b</p><div>c</div><h2>d</h2>", "a b\nc\nd"),
    "a break": ("<p>a<br>b</p>", "a\nb"),
    "words": ("<p>un<b>be</b><i>liev</i>able x<wbr>y</p>", "unbelievable xy"),
    "code": ("<p>a</p><pre>\n  <b>def</b> f():\n\n\treturn 1  \n\n</pre><p>b</p>", "a\n  def f():\n\n\treturn 1\nb"),
    "two pieces of code": ("<pre>a\n b</pre><pre>c</pre>", "a\n b\nc"),
    "lines of code that are elements": ("<pre><div>a</div><div>  b</div></pre>", "a\n  b"),
    "code with its numbers": ('<table><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>a\n b</pre>'
        "</td></tr></table>", "a\n b"),
    "a page in pre": ("<pre><p>a\nb</p><h2>c</h2></pre>", "a b\nc"),
    "a list": ("<ul><li>a</li><li>b<ul><li>c</li><li>d</li></ul></li></ul>", "- a\n- b\n  - c\n  - d"),
    "items of several blocks": ("<ul><li><p>a</p><p>b</p></li><li>c<br>d</li></ul>", "- a\n  b\n- c\n  d"),
    "an item without text of its own": ("<ul><li><ul><li>a</li></ul></li></ul>", "  - a"),
    "lists beside the items of others": ("<ul><li>a</li><ul><li>b</li></ul></ul><ol><li>c</li><ol><li>d</li></ol></ol>",
        "- a\n  - b\n1. c\n   1. d"),
    "numbers": ("<ol><li>a</li><li value=7>b</li><li>c</li></ol>", "1. a\n7. b\n8. c"),
    "numbers from elsewhere": ("<ol start=9><li>a</li><li>b</li></ol>", "9. a\n10. b"),
    "numbers backwards": ("<ol reversed><li>a</li><li>b</li></ol>", "2. a\n1. b"),
    "starts as browsers read them": ("<ol start=' +7'><li>a</ol><ol start=5abc><li>b</ol><ol start=٣><li>c</ol>",
        "7. a\n5. b\n1. c"),
    "numbers that no letters write": ("<ol type=I start=4000><li>a</ol><ol type=A start=0><li>b<li>c</ol>",
                                      "4000. a\n0. b\nA. c"),
    "an odd start": ("<ol start=x><li>a</li></ol>", "1. a"),
    "tasks": ("<ul><li><input type=checkbox disabled checked>a<ul><li>b</li></ul></li><li><p>"
        "<input type=checkbox disabled>c</p><p>d</p></li><li><input type=checkbox>e</li></ul>",
        "- [x] a\n  - b\n- [ ] c\n  d\n- e"),
    "a row": ("<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2 <i>3</i></td></tr></table>", "A | B\n1 | 2 3"),
    "cells without words": ("<table><tr><td>a</td><td></td><td>✓</td><td> </td></tr></table>", "a |  | ✓"),
    "a cell alone in its row": ("<table><tr><th>a<th>b</tr><tr><td><td>c</tr><tr><td>d<td></tr></table>",
        "a | b\n | c\nd"),
    "single cells of a layout": ("<table><tr><td><td>a</tr><tr><td><td><p>b<p>c</tr></table>", "a\nb\nc"),
    "blocks in a cell": ("<table><tr><td><p>a</p><p>b</p></td><td>c<br>d</td></tr></table>", "a b | c d"),
    "columns of a layout": (f"<table><tr><td>{LONG}</td><td>b</td></tr></table>", f"{LONG}\nb"),
    "a table in a cell": ("<table><tr><td>a<table><tr><td>b</td><td>c</td></tr></table></td><td>d</td></tr></table>",
        "a\nb | c\nd"),
    "a caption": ("<table><caption>T</caption><tr><td>a</td><td>b</td></tr></table>", "T\na | b"),
    "a table in an item": ("<ul><li>a<table><tr><td>b</td><td>c</td></tr></table></li></ul>", "- a\n  b | c"),
    "readings of characters": ("<ruby>漢<rt>かん</rt>字<rp>[</rp><rt>じ</rt><rp>]</rp></ruby>", "漢(かん)字[じ]"),
    "soft hyphens": ("<p>un\u00adbe\u00adliev\u00adable</p><p>x\u00ady</p>", "unbelievable\nxy"),
    "a quote": ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n> b"),
    "definitions": ("<dl><dt>a</dt><dd>b</dd><dd><p>c</p></dd></dl>", "a\n    b\n    c"),
    "definitions without end tags": ("<dl><dt>a<dd>b<dd><p>c</p><dd><dl><dt>d<dd>e</dl></dl>",
        "a\n    b\n    c\n    d\n        e"),
    "code at the margin": ("<ul><li>a<pre>b\n c</pre>d</li></ul>", "- a\nb\n c\n  d"),
    "a style around that keeps white space": ('<div style="white-space:pre"><p>a\n   b</p><i>c   d</i></div>',
        "a\n   b\nc   d"),
    "a style that keeps white space": ('<p style="white-space:pre-wrap">a\n   b</p>', "a\n   b"),
}  # fmt: skip


def by_layout(html: str) -> str:
    """The text of a page by the blocks of Webstemmer."""
    root = parse(html)
    return text_of_pieces(root, ((block.text, block.pieces) for block in BlockOptions().blocks_of(root)))


def by_rules(html: str) -> str:
    """Return the text of a page by all blocks of the default learner."""
    document = Document(Page("https://site.example/", html))
    return RulesPage(Site.of_page(document)).text(frozenset(Role))


@pytest.mark.parametrize("text_of", [by_layout, by_rules])
@pytest.mark.parametrize("name", CASES)
def test_text(name: str, text_of: object) -> None:
    html, text = CASES[name]
    assert callable(text_of)
    assert text_of(f"<html><body><div>{html}</div></body></html>") == text


def test_signs_in_a_table_in_a_cell_are_a_line() -> None:
    assert by_rules("<table><tr><td>a</td><td><table><tr><td>...</td></tr></table></td></tr></table>") == "a\n..."


def test_a_tree_that_has_lost_elements_since_it_was_read() -> None:
    html = "<ol><li>a<li>b</ol><table><tr><td>c<td>d</table><pre>e\nf</pre>"
    document = Document(Page("https://site.example/", etree.HTML(html)))
    page = RulesPage(Site.of_page(document))
    for element in list(document.root[0]):
        document.root[0].remove(element)
    assert page.text(frozenset(Role)) == "a\nb\nc\nd\ne f"
    assert page.html(frozenset(Role)) == ""


def test_a_formula_stands_on_its_line() -> None:
    fraction = "<mfrac><mi>b</mi><mrow><mi>c</mi><mo>+</mo><mn>10</mn></mrow></mfrac>"
    assert by_rules(f"<p>a <math>{fraction}</math>, <math><msup><mi>x</mi><mn>2</mn></msup></math> d</p>") == (
        "a b/(c+10), x^2 d"
    )
    assert by_rules(f"<ul><li><table><tr><td><math>{fraction}</math><td>d</table>") == "- b/(c+10) | d"


def test_the_arrow_that_leads_back_from_a_note_is_no_text() -> None:
    assert by_rules("<ol><li id=n>a note <a href=#m>↩\ufe0e</a></li></ol>") == "1. a note"
    assert by_rules("<ol><li id=n>a<pre>b</pre><p><a href=#m>↩</a></p></li></ol><p>c</p>") == "1. a\nb\nc"
    assert by_rules("<table><tr><td>a</td><td>↩</td></tr></table>") == "a | ↩"
    assert by_rules("<p>a ↩ b</p>") == "a ↩ b"


def test_a_formula_is_read_once() -> None:
    tex = '<annotation encoding="application/x-tex">\\frac x</annotation>'
    formula = f'<span class="katex"><span class="katex-mathml"><math><mi>x</mi>{tex}</math></span>'
    assert by_rules(f'<p>a {formula}<span class="katex-html">x</span></span> b</p>') == "a x b"
    assert by_rules(f'<p>a</p><p><span class="katex-html">x</span>{formula}</span></p><p>b</p>') == "a\nx\nb"
    maths = "<mjx-math><mjx-mi>x</mjx-mi></mjx-math><mjx-assistive-mml><math><mi>x</mi></math></mjx-assistive-mml>"
    assert by_rules(f"<p>a <mjx-container>{maths}</mjx-container> b</p>") == "a x b"
    drawn = '<span class="MathJax"><nobr>x</nobr></span>'
    assert by_rules(f"<p>a {drawn}<script type='math/tex'>x_1  = y</script> b</p>") == "a x_1 = y b"
    # Each of a thousand nested formulas was read with its contents, which took 20 seconds.
    assert by_rules("<p>a <math><mi>x</mi><mo>+</mo><math><mi>y</mi></math></math> b</p>") == "a x+y b"


@given(markup(), st.sampled_from([*CONTAINERS, "pre", "td", "dd"]))
@example(("_", "_"), "pre")
def test_the_words_are_those_of_the_blocks(case: tuple[str, str], around: str) -> None:
    html = f"<table><tr><td>x</td><td><{around}>{case[0]}</{around}></td></tr></table>"
    root = parse(html)
    told = " ".join(block.text for block in BlockOptions().blocks_of(root))
    # Code has no space where a block of it ends, as before a coloured word.
    words = r"\w" if around == "pre" else r"\w+"
    assert re.findall(words, by_layout(html)) == re.findall(words, told)


@pytest.mark.parametrize("name", ["ul><li", "blockquote", "dl><dd"])
def test_deep_nesting_takes_no_room(name: str) -> None:
    assert len(by_layout(f"<{name}>a" * 500)) < 30_000


def test_what_marks_a_cell_of_a_row_is_not_that_of_the_row() -> None:
    before = "<table><tr><td>a<td>b<tr><td><td>"
    assert by_layout(f"{before}<blockquote>c</blockquote></table>") == "a | b\n | c"
    lists = "<table><tr><td>b<td>c<tr><td><ul><li>d<li>e</ul><td>f</table>"
    assert by_layout(lists) == "b | c\nd e | f"
    assert by_layout(f"<ul><li>{lists}</ul>") == "- b | c\n  d e | f"


def test_the_blocks_in_a_formula_without_an_end_are_written_once_each() -> None:
    body = "".join(f"<p>The river rose over meadow {number}." for number in range(30))
    text = strip(Page("https://a.example/", f"<h1>A</h1><p>It was so: <math><mi>x</mi>{body}")).text
    assert [text.count(f"meadow {number}.") for number in range(30)] == [1] * 30


def test_a_formula_of_several_blocks_is_written_with_the_first() -> None:
    text = strip(Page("https://a.example/", f"<h1>A</h1><p>It was so:<math>{'<a-b>word ' * 9}</math>")).text
    assert text.count("word") == 9

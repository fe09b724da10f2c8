"""The native writer of text, on any tree."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer._engine import text as native
from scrapy_stemmer.learners.rules.page import RulesPage
from scrapy_stemmer.learners.rules.site import Site
from scrapy_stemmer.page.blocks import Role
from scrapy_stemmer.page.document import Document, Page, parse
from scrapy_stemmer.writing.plain_text import TextElements, TextLines
from tests.engine.test_prune import pages
from tests.writing.test_plain_text import CASES

URL = "http://a.example/d/p"

TAGS = (
    "<ul> <ol> <ol start=3> <ol reversed> <li> <li value=7> <li> <dl> <dd> <blockquote> <menu> <p> <div> <table> <tr> "
    "<td> <td> <td rowspan=2> <td colspan=3> <th> <pre> <pre> <code> <span> <span class=lineno> <span class=line> <br> "
    "<input type=checkbox\tdisabled> <ruby> <rt> <rp> <math> <mfrac> "
    "<mi> <annotation> <table class=lntable> <p style=white-space:pre> <a href=x> <b> <div class=line> "
    "</ul> </ol> </li> </table> </tr> </td> </pre> </dd> </blockquote> </div> </p> </span>"
).split(" ")
TEXTS = (
    "a",
    "b c",
    "1",
    "2\n",
    "12 13 ",
    "\n",
    " ",
    "def f():\n\treturn",
    "é",
    "=",
    "✓",
    "\u00a0",
    "x" * 301,
    "\r\n",
    "&shy;a",
    "¶",
)


def right(root: etree._Element) -> str:
    """Return the text of all blocks, once it has the letters of the blocks in their order."""
    labels = RulesPage(Site.of_page(Document(Page(URL, root))))
    if not labels.has_text:
        return ""
    text = labels.text(frozenset(Role))
    if root.find(".//{*}math") is None:  # formulas are written otherwise, and once
        assert letters_of(text) == letters_of("".join(labels.placed.columns.texts))
    return text


def letters_of(text: str) -> str:
    """Return the letters of a text; numbers may be those of items or lines."""
    return "".join(filter(str.isalpha, text.replace("[x] ", "")))


@given(st.lists(st.sampled_from(TAGS) | st.sampled_from(TEXTS), max_size=40).map("".join))
@example("<ol><li>a<li>b</ol><ol start=999999999><li>a<li>b<li value=1234567890>c<li value=-3x>d</ol>")
def test_of_any_markup(html: str) -> None:
    right(parse(f"<body>{html}</body>"))


IN_CODE = st.sampled_from(
    ["<div>", "<div>", "</div>", "<b>", "</b>", "a", "1", "b c", "\n", "\n\n", " ", "é", "<div class=line>", "<!--c-->"]
)


@given(st.lists(IN_CODE, max_size=20).map("".join))
@example("a<div>b<div>c\n</div></div>d<div></div>\n<div>1</div>e")
def test_of_code_with_parts(html: str) -> None:
    right(parse(f"<body><p>a</p><pre>x{html}</pre>"))


@given(pages())
def test_of_pages_with_code_and_tables(root: etree._Element) -> None:
    right(root)


@pytest.mark.parametrize("html", [html for html, _ in CASES.values()])
def test_of_all_that_has_a_form(html: str) -> None:
    right(parse(html))


def test_lists_in_lists_and_tables_in_tables_of_any_depth() -> None:
    lists = "".join(f"<ol start={number}><li>a{number}" for number in range(300))
    tables = "".join(f"<table><tr><td>b{number}<td>c" for number in range(80))
    assert right(parse(f"<body>{lists}</body>"))
    assert right(parse(f"<body>{tables}</body>"))


def test_elements_that_the_tree_has_lost_since_are_as_empty_ones() -> None:
    body = parse("<body><ol><li>a</li></ol></body>")[0]
    outline = TextElements([-1, 0, 1, 0], ["body", "ol", "li", "pre"], range(4), [0, 7, 8, 9], lambda _: "", False)
    lines = TextLines(["a", "b", "c"], [2, 3, 0], [False, False, True], lambda _: [1000])
    assert native.plain_text(body, lines, outline) == "- a\nb"


def test_what_does_not_fit_the_elements_is_refused() -> None:
    body = parse("<body>a</body>")[0]
    outline = TextElements([-1], ["body"], [0], [0], lambda _: "", False)
    lines = TextLines(["a"], [0], [False], lambda _: [])
    assert native.plain_text(body, lines, outline) == "a"
    with pytest.raises(ValueError, match="one of the elements"):
        native.plain_text(body, lines._replace(nodes=[1]), outline)
    with pytest.raises(ValueError, match="an element each"):
        native.plain_text(body, lines._replace(nodes=[]), outline)
    with pytest.raises(ValueError, match="a name and a number"):
        native.plain_text(body, lines, outline._replace(named=[]))
    for other in (outline._replace(tags=[]), outline._replace(named=[-1]), outline._replace(parents=[0])):
        with pytest.raises(ValueError, match="behind the one around them"):
            native.plain_text(body, lines, other)


def test_blocks_of_which_a_style_keeps_white_space_are_read_from_the_tree() -> None:
    body = parse("<body><p style=white-space:pre>a  <b>b\xad</b>\n  c<!-- d -->\n</p></body>")[0]
    outline = TextElements([-1, 0], ["body", "p"], [0, 1], [0, 1], lambda _: "", False)
    lines = TextLines(["a b c"], [1], [True], lambda _: [2, 4, 5, 6, 7])
    assert native.plain_text(body, lines, outline) == "a  b\n  c"

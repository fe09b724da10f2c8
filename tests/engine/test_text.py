"""The native writer of text, on any tree."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer._engine import text as native
from scrapy_stemmer.learners.rules.decide.page import RulesPage
from scrapy_stemmer.learners.rules.site.site import Site
from scrapy_stemmer.page.blocks import Role
from scrapy_stemmer.page.document import Document, Page, parse
from tests.engine.test_prune import pages

URL = "http://a.example/d/p"

TAGS = (
    "<ul> <ol> <ol start=3> <ol reversed> <li> <li value=7> <li> <dl> <dd> <blockquote> <menu> <p> <div> <table> <tr> "
    "<td> <td> <td rowspan=2> <td colspan=3> <th> <pre> <pre> <code> <span> <span class=lineno> <span class=line> <br> "
    "<input type=checkbox\tdisabled> <ruby> <rt> <rp> <math> <mfrac> "
    "<mi> <annotation> <table class=lntable> <p style=white-space:pre> <a href=x> <b> <div class=line> "
    "</ul> </ol> </li> </table> </tr> </td> </pre> </dd> </blockquote> </div> </p> </span>"
).split(" ")
TEXTS = (
    "a", "b c", "1", "2\n", "12 13 ", "\n", " ", "def f():\n\treturn", "é", "=", "✓", "\u00a0", "x" * 301, "\r\n",
    "&shy;a", "¶",
)  # fmt: skip


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


@given(pages())
def test_of_pages_with_code_and_tables(root: etree._Element) -> None:
    right(root)


def test_lists_in_lists_and_tables_in_tables_of_any_depth() -> None:
    lists = "".join(f"<ol start={number}><li>a{number}" for number in range(300))
    tables = "".join(f"<table><tr><td>b{number}<td>c" for number in range(80))
    assert right(parse(f"<body>{lists}</body>"))
    assert right(parse(f"<body>{tables}</body>"))


def test_blocks_of_which_a_style_keeps_white_space_are_read_from_the_tree() -> None:
    body = etree.HTML("<body><p style=white-space:pre>a  <b>b\xad</b>\n  c<!-- d -->\n</p></body>")[0]
    bold, comment = body[0]
    places = [(body[0], False), (bold, False), (bold, True), (comment, False), (comment, True)]
    assert native.text_of_blocks(body, [("a b c", places, True)]) == "a  b\n  c"

"""The native writer of text, compared with the plain writer on any tree."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer._engine import text as native
from scrapy_stemmer.learners.rules import output
from scrapy_stemmer.learners.rules.columns import Signs
from scrapy_stemmer.learners.rules.page import RulesPage
from scrapy_stemmer.learners.rules.site import Site
from scrapy_stemmer.page.blocks import Role
from scrapy_stemmer.page.document import Document, Page, parse
from scrapy_stemmer.writing.plain_text import TextElements, TextLines, Units, line_text, page_text
from tests.engine.test_prune import pages
from tests.reference.plain_text import plain_text_in_python
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


def in_python(
    body: etree._Element,
    asked: list[int],
    is_shaped: list[bool],
    is_any: bool,
    signs: list[Signs],
    outline: TextElements,
    units: Units | None = None,
    parted: Sequence[etree._Element] = (),
) -> str | None:
    """Return the text by the reference, which has blocks and elements of a page as lists."""
    page = outline.page
    assert page is not None
    listed = outline._replace(parents=page.parents, named=page.signatures, numbers=page.numbers, body=body)
    blocks = [
        (block, line_text(page.texts[block]), page.elements[block], page.spaced[block], page.pieces_of(block))
        if is_any or page.spaced[block] or is_shaped[page.path_of(block)]
        else (block, line_text(page.texts[block]), -1, page.spaced[block], ())
        for block in asked
    ]
    runs = [(run.before, line_text(run.text), run.element, run.is_spaced, run.pieces) for run in signs]
    rows = sorted([*runs, *blocks], key=itemgetter(0))
    lines = TextLines(*([row[at] for row in rows] for at in (1, 2, 3)), lambda line: rows[line][4])
    return plain_text_in_python(body.getroottree().getroot(), lines, listed, has_units=is_any, parted=parted)


def both(root: etree._Element) -> str:
    document = Document(Page(URL, root))
    labels = RulesPage(Site.of_page(document))
    if not labels.has_text:
        return ""
    texts = []
    for each in (page_text, in_python):
        with patch.object(output, "page_text", each):
            texts.append(labels.text(frozenset(Role)))
    assert texts[0] == texts[1]
    return texts[0]


@given(st.lists(st.sampled_from(TAGS) | st.sampled_from(TEXTS), max_size=40).map("".join))
@example("<ol><li>a<li>b</ol><ol start=999999999><li>a<li>b<li value=1234567890>c<li value=-3x>d</ol>")
def test_of_any_markup(html: str) -> None:
    both(parse(f"<body>{html}</body>"))


IN_CODE = st.sampled_from(
    ["<div>", "<div>", "</div>", "<b>", "</b>", "a", "1", "b c", "\n", "\n\n", " ", "é", "<div class=line>", "<!--c-->"]
)


@given(st.lists(IN_CODE, max_size=20).map("".join))
@example("a<div>b<div>c\n</div></div>d<div></div>\n<div>1</div>e")
def test_of_code_with_parts(html: str) -> None:
    both(parse(f"<body><p>a</p><pre>x{html}</pre>"))


@given(pages())
def test_of_pages_with_code_and_tables(root: etree._Element) -> None:
    both(root)


@pytest.mark.parametrize("html", [html for html, _ in CASES.values()])
def test_of_all_that_has_a_form(html: str) -> None:
    both(parse(html))


def test_lists_in_lists_and_tables_in_tables_of_any_depth() -> None:
    lists = "".join(f"<ol start={number}><li>a{number}" for number in range(300))
    tables = "".join(f"<table><tr><td>b{number}<td>c" for number in range(80))
    assert both(parse(f"<body>{lists}</body>"))
    assert both(parse(f"<body>{tables}</body>"))


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

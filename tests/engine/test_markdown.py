"""The native writer of Markdown, on any HTML."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer.writing.markdown import markdown_of
from tests.engine.promises import markdown_right
from tests.engine.test_prune import pages
from tests.refused import refuse_markup
from tests.strategies import markup
from tests.writing.test_pruned_html import all_pieces, some_pieces

URL = "http://a.example/d/p"

TAGS = (
    "<ul> <ol> <ol\tstart=3> <ol\treversed> <li> <li\tvalue=7> <li\tclass=task> <dl> <dt> <dd> "
    "<blockquote> <menu> <p> <div> <table> <tr> <td> <td> <td\trowspan=2> <td\tcolspan=3> <th> "
    "<caption> <pre> <pre> <code> <code> <kbd> <span> <span\tclass=lineno> <span\tclass=line> <br> <br> "
    "<hr> <input\ttype=checkbox\tdisabled> <p\tstyle=white-space:pre> <code\tstyle=white-space:pre> "
    "<a\thref=x> <a\thref=#n\tid=r> <a\thref=#r> <a\thref=#m\tid=s> <a> <li\tid=n> <p\tid=m> <sup> <sub> <b> "
    '<b> <i> <em> <strong> <del> <ruby> <rt> <rp> <h2> <h2\tid=n> <img\tsrc=i\talt="[a\t*b"> <img> '
    "<math\talttext=x> <math\tdisplay=block><mi>x</mi></math> <script> <button> <base\thref=/e/> "
    "<aside\tid=n> <wbr> </ul> </ol> </li> </table> </tr> </td> </pre> </dd> </blockquote> </div> </p> "
    "</span> </a> </a> </b> </i> </code> </sup>"
).split(" ")

TEXTS = (
    "a", "b c", " ", "\n", "1", "[1]", "^", "1. ", "12) x", "\u0661. x", "- ", "# ", "#", "> ", ": x", "===",
    "---", "*", "**a**", "_", "a_b", "\u00e9_", "`", "``", "~~", "\\", "\\(x_1\\)", "\\[y\\]", "$$z$$", "$x^2$",
    "$5 to $6",
    "[", "]", "](", "[x]: y", "[ ] z", "!", "&amp;amp;", "&lt;b>", "&lt;a@b.c>", "&shy;", "a&shy;b",
    "\u00a0", "\u2003x", "x" * 1001, "|", "\r\n", "\n  y", "\\]",
    "\u65e5\u672c", "&#13;", "&lt;", "{\\displaystyle x}", "\x85",
)  # fmt: skip


def right(html: str) -> str:
    """Return the Markdown of HTML, once nothing in it becomes markup, with links and images or without."""
    for url, links, images in ((None, False, False), (URL, True, True)):
        found = markdown_of(html, url, links=links, images=images)
        refuse_markup(found)
        assert not links or found == markdown_of(html, url)
    return found


@given(st.lists(st.sampled_from(TAGS) | st.sampled_from(TEXTS), max_size=40).map("".join))
def test_of_any_markup(html: str) -> None:
    right(f"<body>{html}</body>")
    right(html)


@given(markup())
def test_of_markup_with_words(case: tuple[str, str]) -> None:
    right(case[0])


@given(st.lists(st.sampled_from(TAGS) | st.sampled_from(TEXTS), max_size=30).map("".join))
def test_of_what_is_kept_of_any_markup(html: str) -> None:
    root = etree.fromstring(f"<body>{html}x</body>", etree.HTMLParser())
    markdown_right(root, all_pieces(root), URL)


@given(pages(), st.data())
def test_of_pages_with_images_and_code(root: etree._Element, data: st.DataObject) -> None:
    markdown_right(root, some_pieces(data, root), URL)


GROWING: dict[str, Callable[[int], str]] = {
    "lists": lambda size: "<ul><li>a" * (size // 9),
    "quotes": lambda size: "<blockquote>a" * (size // 13),
    "tables": lambda size: "<table><tr><td>a<td>b" * (size // 21),
    "rows": lambda size: f"<table>{'<tr><td>a<td rowspan=9 colspan=9>b' * (size // 34)}</table>",
    "links": lambda size: "<a href=x>a</a> " * (size // 16),
    "links around blocks": lambda size: "<a href=/x><div>a</div></a>" * (size // 27),
    "links to a footnote": lambda size: f"<p>{'<a href=#f>1</a>' * (size // 16)}<p id=f>1",
    "emphasis": lambda size: "<b>a<i> b</b>" * (size // 13),
    "emphasis in itself": lambda size: "<b><i>" * (size // 6),
    "empty emphasis": lambda size: "<p>" + "<b></b><br>" * (size // 11),
    "code": lambda size: "<pre>a\n b</pre>" * (size // 14),
    "code in lines": lambda size: "<code>a</code>" * (size // 14),
    "brackets": lambda size: "[" * size,
    "ampersands": lambda size: "&amp;a" * (size // 6),
    "elements in themselves": lambda size: "<span>" * (size // 6),
    "definitions": lambda size: "<dl>" + "<dt>a<dd>b" * (size // 10),
}
"""HTML of so many bytes that might take longer than its size tells."""


@pytest.mark.slow
@pytest.mark.parametrize("name", GROWING)
def test_time_grows_as_the_size(name: str) -> None:
    small, large = (min(seconds(GROWING[name](size)) for _ in range(3)) for size in (50_000, 400_000))
    assert large < 2 * 8 * max(small, 0.002)


def seconds(html: str) -> float:
    """Return the time to write HTML as Markdown."""
    began = time.thread_time()
    markdown_of(html, URL)
    return time.thread_time() - began

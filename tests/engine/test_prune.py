"""The native writer of HTML, on any tree."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer._engine import prune as native
from tests.engine.promises import Pieces, pruned_right
from tests.engine.test_read import DEEP, on_a_small_stack
from tests.refused import refuse_scripts
from tests.writing.test_pruned_html import NAMES, REWRITTEN_NAMES, all_pieces, nasty, some_pieces

ODD = """<!DOCTYPE x [<!ENTITY said "<b>s</b>"><!ENTITY name "n&amp;">]>
<x xmlns:h="http://h" h:href="no" title="&name;a">a<!-- c -->b<h:img/>c&said;d<![CDATA[<e>&]]>f<?go on?>g
<p alt=" \t&#13; ">h</p><h:p>i<br/></h:p>&#xfffd;<wbr>j<img src="k"/></wbr></x>"""
"""Nearly all constructs of XML."""

URL = "http://a.example/d/p"


def right(root: etree._Element, pieces: Pieces) -> str:
    """Return the HTML of some pieces of a tree, once nothing in it runs."""
    html = pruned_right(root, pieces, URL)
    refuse_scripts(html)
    return html


@given(nasty(names=NAMES + REWRITTEN_NAMES) | nasty(names=REWRITTEN_NAMES), st.data())
def test_of_any_tree(root: etree._Element, data: st.DataObject) -> None:
    right(root, some_pieces(data, root))


@given(st.text(alphabet="<>/=\"'&;!-? abdfhijoprsv:[]\x01\ufffe\uffff\r\né日\U0001f600"), st.data())
def test_of_any_markup(text: str, data: st.DataObject) -> None:
    root = etree.HTML(text.encode() or b"<p>", etree.HTMLParser(encoding="utf-8"))
    if root is not None:
        right(root, some_pieces(data, root))


@pytest.mark.parametrize("icon", ["\ue000", "\uf8ff", "\uf000", "\uf900", "\ud7ff", "\ue000a", "\ue000\ue000", "é"])
def test_icons_are_left_out(icon: str) -> None:
    root = etree.XML(f"<p><i>{icon}</i>{icon}<b>{icon}<!-- x --></b>a</p>")
    assert right(root, all_pieces(root)).count(icon) == 3
    pieces = native.pruned_html(root, range(8), URL, root)
    assert pieces.count(icon) == (0 if icon in ("\ue000", "\uf8ff", "\uf000") else 3)
    parted = etree.XML("<p><i>\ue000</i>a</p>")
    parted[0].append(etree.Entity("x"))
    assert "\ue000" not in native.pruned_html(parted, [2, 3], URL, parted)


@pytest.mark.slow
def test_the_paragraphs_beside_images_are_looked_at_once_for_all_of_them() -> None:
    small, large = (min(seconds_of_images(count) for _ in range(3)) for count in (2_000, 32_000))
    assert large < 2 * 16 * max(small, 0.002)


def seconds_of_images(count: int) -> float:
    """Return the time to write images beside as many paragraphs that are not kept."""
    root = etree.HTML(f"<body><h1>Kept</h1><div>{'<p>Menu</p>' * count}{'<img src=/a.png>' * count}")
    began = time.thread_time()
    assert native.pruned_html(root, [(root[0][0], False)], URL).startswith("<h1>")
    return time.thread_time() - began


@given(st.data())
def test_of_odd_trees(data: st.DataObject) -> None:
    parser = etree.XMLParser(resolve_entities=False, strip_cdata=False)
    root = etree.XML(ODD, parser)
    every = [(element, is_tail) for element in root.iter() for is_tail in (False, True)]
    right(root, data.draw(st.lists(st.sampled_from(every), unique=True)))


def test_pieces_of_another_tree_hold_nothing() -> None:
    root, other = etree.XML("<p>a<b>c</b></p>"), etree.XML("<p>b</p>")
    assert right(root, [(other, False)]) == "<p></p>"
    assert right(root, [(other, False), (root[0], False)]) == "<b>c</b>"


def test_a_comment_may_be_the_root() -> None:
    root = etree.Comment("a & b")
    assert right(root, [(root, False), (root, True)]) == "<span>a &amp; b</span>"


@pytest.mark.slow
def test_many_pieces_in_a_deep_tree() -> None:
    root = etree.Element("div")
    element = root
    for number in range(DEEP):
        element.text = str(number)
        element = etree.SubElement(element, ("i", "p", "x-y", "o.p")[number % 4])
        element.tail = "t"
    html = on_a_small_stack(lambda: right(root, all_pieces(root)))
    assert html.count("t</") == DEEP


@pytest.mark.parametrize("wrong", [None, "a", 1])
def test_what_is_no_element_is_refused(wrong: Any) -> None:
    root = etree.Element("p")
    with pytest.raises(TypeError):
        native.pruned_html(wrong, [])
    with pytest.raises(TypeError):
        native.pruned_html(root, [(wrong, False)])
    with pytest.raises((TypeError, ValueError)):
        native.pruned_html(root, [wrong])


def test_an_element_without_a_node_is_refused() -> None:
    root, made = etree.Element("p"), etree._Element.__new__(etree._Element)
    with pytest.raises(TypeError):
        native.pruned_html(made, [(root, False)])
    with pytest.raises(TypeError):
        native.pruned_html(root, [(made, True)])


ADDRESSES = (
    "#", "#a", "#b c", "#é", "x", "x#", "x?", "x#a", "p#a", "p?#a", "/d/p#a", "//h.example/x", "/x//y", "x/./y", "../x",
    "../../x/y?z=1#w", "../x/", "../.x", "../x?", "../x#", "./x", "?q", "", " x ", "x y", "x\ty", "a:b", "mailto:x@y.z",
    "javascript:x", "JavaScript:x", "http://b.example", "http://b.example/", "http://b.example/x//y/.z", "https:x",
    "HTTP://B.example/X", "http://b.example/x?y#z", "http://[::1", "x;y", "x:y/z", "é.png", "i.png", "/i.png?w=1",
    "data:image/png;base64,AA", "data:text/html,x", "i.png?", "a..b/c", "\ufffe", "http://a.example/d/p#a", "d/p#a",
    "@x",
)  # fmt: skip
"""Addresses of all kinds."""


SIZES = (
    "a.png 1x, b.png 2x", "a.png 1x,b.png 2x", "a,b 2w, c 3w", " a.png  100w ,\tb.png", ",", "é.png 1x, b.png",
    "a.png 1w", "javascript:x 1x, b.png 2x", ", ".join(["c.png 2x"] * 103), "a 1x,,b", "x y z 1x,\nb 2x,",
)  # fmt: skip

LOOKS = (
    "k", "kn", "line", "lineno", "linenos", "gutter", "copy", "sr-only", "language-py", "brush: js", "hljs rust",
    "lazy", "katex-html", "code highlight", "rouge-table", "num", "task-list",
    "mwe-math-fallback-image-inline", "a é", "",
)  # fmt: skip

STYLES = ("display: none", "display:block", "WHITE-SPACE : Pre", "white-space:normal", "user-select: none", "x")

TEXTS = (
    "a", " ", "\n", "1", "12 13 ", "\u00a0", "f(x) {", "a &amp; b", "é", "\u0663", "¶", "✓", "\r", "x\ny", "\n\n", "",
    "\u200b",
)  # fmt: skip

VALUES: dict[str, tuple[str, ...]] = {
    "href": ADDRESSES, "src": ADDRESSES, "data-src": ADDRESSES, "cite": ADDRESSES, "srcset": SIZES,
    "data-srcset": SIZES,
    "class": LOOKS, "style": STYLES, "id": ("a", "b c", "é", "", "z"), "name": ("a", "code", "w", "z"), "hidden": ("",),
    "width": ("1", "0px", "20", "21", "0020", "\u0663", "1px", "00020", "x"), "height": ("1", "9"),
    "alt": (" a\n'b' ", "\x1c\x0c"),
    "title": ("é", "a  b"), "data-lang": ("c", "text", "é!"), "language": ("Go",), "data-line-number": ("1",),
    "colspan": ("2", ""),
    "type": ("checkbox",), "checked": ("",), "disabled": ("",), "content": ADDRESSES, "lang": ("en",), "x-y": ("z",),
}  # fmt: skip

TAGS = (
    "p div span a a a img img img pre pre code table tr td th figure figcaption noscript picture source br hr ul li "
    "input label b h2 math base button center x-y script blockquote"
).split()


@st.composite
def pages(draw: st.DrawFn) -> etree._Element:
    """Return the tree of a page with addresses, images, code, cells and boxes."""
    root = etree.Element(draw(st.sampled_from(("div", "p", "pre", "a", "table", "figure", "noscript"))))
    open_ = [root]
    for _ in range(draw(st.integers(1, 25))):
        step = draw(st.integers(0, 9))
        if step == 0 and len(open_) > 1:
            open_.pop()
            continue
        element = etree.SubElement(open_[-1], draw(st.sampled_from(TAGS)))
        for name in draw(st.lists(st.sampled_from(sorted(VALUES)), max_size=4)):
            with suppress(ValueError):
                element.set(name, draw(st.sampled_from(VALUES[name])))
        for place in ("text", "tail"):
            text = draw(st.sampled_from(TEXTS))
            with suppress(ValueError):
                setattr(element, place, text.replace("&amp;", "&"))
        if step > 4:
            open_.append(element)
    return root


@given(pages(), st.data())
def test_of_pages_with_all_that_is_written_in_several_ways(root: etree._Element, data: st.DataObject) -> None:
    right(root, some_pieces(data, root))


@given(pages(), st.data())
def test_of_a_part_of_a_page(root: etree._Element, data: st.DataObject) -> None:
    part = data.draw(st.sampled_from(list(root.iter("*"))))
    right(part, some_pieces(data, part))

"""The native reader of pages, on any tree."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer._engine import read as native
from scrapy_stemmer.learners.rules.site.columns import Signature, Signatures
from scrapy_stemmer.learners.rules.site.reading import within_lines
from tests.engine.promises import read_right
from tests.strategies import markup

T = TypeVar("T")

TAGS = (
    "div p li h2 body x-y g-emoji o:p section a a a span span b time em br hr text script svg svg title desc option "
    "pre td noscript"
).split()
"""Of each kind, links most of all."""

SPACES = " \t\n\r\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"
"""White space by Python's rules that may be set as text, with the ends of each range."""

TEXTS = st.sampled_from(["#", "¶", "\ue000"]) | st.text(
    alphabet="aB7.,-&é日²Ⅷ\U0001f600\U0001d7d8\u0301\u200b\ufeff\u2007\u200f\u2030" + SPACES, max_size=8
)

VALUES = {
    "class": st.sampled_from(
        ["", "a", "a b", "x SR-Only", "sr-only\u00a0x", "Visually-Hidden é", " a ", "mwe-math-mathml-a11y"]
    ),
    "id": st.sampled_from(["", "a", "é", "1"]),
    "role": st.sampled_from(["", "main", "TabPanel", "region", "dialog"]),
    "hidden": st.sampled_from(["", "until-found"]),
    "aria-labelledby": st.sampled_from(["", "a"]),
    "style": st.sampled_from(
        ["", "display:none", "color: red; DISPLAY :\tNone", "visibility:hidden", "white-space:pre"]
    ),
    "href": st.sampled_from(["", "/a", "/é?a=1&b=2", "#x", "/é#x"]),
    "{http://n}class": st.just("sr-only"),
    "classes": st.just("sr-only"),
}


DEEP = 4_000
"""Levels of a tree too deep for recursion: Python allows 1,000, a small stack has no room."""


def on_a_small_stack(work: Callable[[], T]) -> T:
    """Return the result of a call in a thread with 256 KiB of stack."""
    before = threading.stack_size(1 << 18)
    try:
        with ThreadPoolExecutor(1) as threads:
            return threads.submit(work).result()
    finally:
        threading.stack_size(before)


@st.composite
def elements(draw: st.DrawFn) -> etree._Element:
    """Draw an element with any of the names and attributes that count, without children."""
    tag = draw(st.sampled_from(TAGS))
    if ":" in tag:
        # The API refuses such names, parsers don't.
        element = etree.HTML(f"<{tag}></{tag}>")[0][0]
    else:
        element = etree.Element(draw(st.sampled_from(["", "", "", "{http://n}"])) + tag)
    for name in draw(st.lists(st.sampled_from(sorted(VALUES)), max_size=3, unique=True)):
        element.set(name, draw(VALUES[name]))
    element.text = draw(TEXTS)
    return element


LEAVES: dict[str, Callable[[], etree._Element]] = {
    "comment": lambda: etree.Comment("unseen"),
    "instruction": lambda: etree.ProcessingInstruction("unseen", "x"),
    "entity": lambda: etree.Entity("amp"),
}


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> etree._Element:
    """Draw a tree with everything that a parser can build."""
    top = draw(elements())
    inner = [(top, depth)]
    while inner:
        parent, left = inner.pop()
        for _ in range(draw(st.integers(0, 3)) if left else 0):
            kind = draw(st.sampled_from(["element"] * 6 + sorted(LEAVES)))
            child = draw(elements()) if kind == "element" else LEAVES[kind]()
            child.tail = draw(TEXTS)
            parent.append(child)
            if kind == "element":
                inner.append((child, left - 1))
    return top


@given(trees())
def test_any_tree(top: etree._Element) -> None:
    read_right(top)
    for element in top.iter():
        read_right(element)


@given(markup(), st.booleans())
def test_any_markup(case: tuple[str, str], is_known: bool) -> None:
    read_right(etree.HTML(f"<body>{case[0]}</body>"), [Signature("div", "", "b a")] if is_known else ())


@given(markup(), st.data())
def test_any_marked_elements(case: tuple[str, str], data: st.DataObject) -> None:
    body = etree.HTML(f"<body><p>a <a href=/a>b <i>c</i></a> d</p>{case[0]}</body>")[0]
    in_lines = set(within_lines(body.iter()))
    assert in_lines == set(body.iter("a", "b", "em", "i", "span"))
    able = [number for number, element in enumerate(body.iter()) if number and element in in_lines]
    read_right(body, marked=data.draw(st.dictionaries(st.sampled_from(able), st.booleans())))


def test_marked_elements_are_blocks_or_not_read() -> None:
    body = etree.HTML("<body><p>a <i>b</i> <b>c <i>d</i></b> e<a href=/x>f</a></p></body>")[0]
    assert [element.tag for element in body.iter()] == ["body", "p", "i", "b", "i", "a"]
    found = read_right(body, marked={2: False, 4: True, 5: True})
    assert (found.texts, found.links) == (["a c", "d", "e", "f"], [])
    assert read_right(body, marked={3: False, 5: False}).texts == ["a b e"]


COMMENTED = ("<!--c--> <svg></svg> <a\thref=/x> </a> <p> <h2> </p> <x-y> </x-y> <b> </b> <br> x . y\tz").split(" ")


@given(st.lists(st.sampled_from(COMMENTED), max_size=14).map("".join))
@example("e<!--c--><svg></svg>/")
@example("<a href=/x>x<svg></svg><!--c--></a>y")
@example("x<x-y><!--c--></x-y>z")
def test_comments_change_no_text(markup: str) -> None:
    """Scrapy's trees have comments, and pages parsed from bytes have none."""
    with_them, without = (
        native.read_page(etree.HTML(f"<body><div>{markup}", etree.HTMLParser(remove_comments=each))[0], Signatures())
        for each in (False, True)
    )
    assert (with_them.texts, with_them.links) == (without.texts, without.links)


@given(TEXTS | st.text(alphabet="aaaB7.,é  \n\t\x7f", max_size=60))
@example("ab cdefgh ijk  lm nopqrst uvwxyz ")
@example("abcdefgh ijklmno pqrstuv ")
def test_any_text(text: str) -> None:
    top = etree.Element("div")
    top.text = text
    etree.SubElement(top, "a").text = text
    read_right(top)


@pytest.mark.slow
def test_each_character_is_taken_as_python_takes_it() -> None:
    codes = [*range(1, 0xD800), *range(0xE000, 0x34000), *range(0xE0000, 0xE0200), *range(0x10FFF0, 0x110000)]
    characters = [chr(code) for code in codes if chr(code) not in "<&"]
    lines = ["".join(characters[start : start + 8]) for start in range(0, len(characters), 8)]
    html = "".join(f"<p>{'|'.join(line)}<a href={number}>{line}</a>" for number, line in enumerate(lines))
    top = etree.HTML(html.encode(), etree.HTMLParser(encoding="utf-8", huge_tree=True))
    assert {"\x1c", "\x0b", "\u00a0", "\U0010ffff"} <= set("".join(top.itertext()))
    read_right(top)


def test_known_signatures_keep_their_numbers() -> None:
    known = [Signature("body"), Signature("p", classes="x"), Signature("div")]
    assert read_right(etree.XML("<body><p/><p class='x'/><div/><p/></body>"), known).signatures == [0, 3, 1, 2, 3]


def test_a_deep_tree() -> None:
    top = inner = etree.Element("div")
    for number in range(DEEP):
        inner = etree.SubElement(inner, ("div", "a", "b")[number % 3])
        inner.text = "x"
    assert len(on_a_small_stack(lambda: read_right(top)).texts) > 1


def test_many_names() -> None:
    names = "".join(f"<t{number}>x</t{number}><x-{number}>y</x-{number}>" for number in range(500))
    read_right(etree.XML(f"<div>{names}</div>"))


def test_what_only_xml_has() -> None:
    source = """<!DOCTYPE x [<!ENTITY said "<b>s</b>"><!ENTITY name "n&amp;">]>
<x xmlns:h="http://h" h:href="no" class="&name;a">a<!-- c -->b<h:img/>c&said;d<![CDATA[<e>&]]>f<?go on?>g
<p id=" \t&#13; " style="display:&name;">h</p><h:p hidden="&name;">i<br/></h:p><a href="&name;/é">j</a></x>"""
    for resolve in (True, False):
        root = etree.XML(source, etree.XMLParser(resolve_entities=resolve, strip_cdata=False))
        for element in root.iter():
            read_right(element)


def test_included_text_is_one_stretch() -> None:
    root = etree.XML(
        "<p xmlns:i='http://www.w3.org/2001/XInclude'>a<i:include href='x'><i:fallback>b</i:fallback></i:include>c</p>"
    )
    root.getroottree().xinclude()
    assert read_right(root).texts == ["abc"]


def test_only_elements_are_read() -> None:
    with pytest.raises(TypeError):
        native.read_page(None, Signatures())
    with pytest.raises(TypeError):
        native.read_page("p", Signatures())

"""From a tree to layout blocks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from lxml import etree

from scrapy_stemmer.learners.literature.blocks import ORIGINAL_BLOCKS, BlockOptions, renamed, visit
from scrapy_stemmer.page.blocks import LayoutBlock, Piece, path_of
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.page.text import collapse, significant
from tests.microexample import blocks as example_blocks
from tests.strategies import markup, without_implied_p


def cut(html: str, **options: Any) -> list[LayoutBlock]:
    return BlockOptions(**options).blocks_of(parse(html))


def paths_and_texts(html: str, **options: Any) -> list[tuple[str, str]]:
    return [(block.path, block.text) for block in cut(html, **options)]


ORACLE = [
    pytest.param(
        "<span>abcde<div>fghij</div>klmno</span>",
        [("span", "abcde", 5, 5), ("span/div", "fghij", 5, 5), ("span", "klmno", 5, 5)],
        id="a block element parts the text around it",
    ),
    pytest.param(
        "<div>abcde<b>fghij</b>k<br>lmnop</div>",
        [("div", "abcdefghijk", 11, 11), ("div", "lmnop", 5, 5)],
        id="inline elements don't part, br does",
    ),
    pytest.param(
        '<section class=X><p ID=Para CLASS="B  a">Hello <a href=x>World</a>!</p></section>',
        [("p:class=b  a:id=para", "Hello World!", 10, 5)],
        id="attributes sorted, values lower-cased whole, HTML5 elements as good as absent",
    ),
    pytest.param(
        '<table><tr VALIGN=Top><td id="CnnCol" width=5><h1>Big news!</h1>',
        [("tr:valign=top/td:id=cnncol/h1", "Big news!", 7, 7)],
        id="the last three elements, attributes of the list only",
    ),
    pytest.param("<p>日本語です 12_3</p>", [("p", "日本語です 12_3", 9, 9)], id="weight counts every script and _"),
    pytest.param(
        '<p>abcd</p><p><img alt="T">his is it</p>',
        [("p", "This is it", 8, 8)],
        id="drop capital; a block below five characters is dropped",
    ),
    pytest.param('<div class="café">hello</div>', [("div:class=caf?", "hello", 5, 5)], id="paths are ASCII"),
]
"""Values of Webstemmer 0.7.1 itself (algorithms §1.1)."""


@pytest.mark.parametrize(("html", "expected"), ORACLE)
def test_the_original_s_blocks(html: str, expected: list[tuple[str, str, int, int]]) -> None:
    blocks = ORIGINAL_BLOCKS.blocks_of(parse(html))
    assert [(block.path, block.text, block.weight, block.weight_noanchor) for block in blocks] == expected


def test_the_original_s_weights_of_the_micro_example() -> None:
    assert [sum(block.weight for block in example_blocks(number)) for number in (1, 2, 3)] == [156, 126, 145]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<p>a<script>x</script>b<style>y</style>c</p>", [("p", "abc")], id="scripts and styles"),
        pytest.param("<p>a<!-- x -->b<?php y ?>c</p>", [("p", "abc")], id="comments and instructions"),
        pytest.param("<select><option>x</option></select><p>a</p>", [("p", "a")], id="options"),
        pytest.param("<p>a<svg><title>x</title></svg>b</p>", [("p", "ab")], id="svg, whose title is no title"),
        pytest.param("<div>a<iframe>x</iframe><video>y</video>b</div>", [("div", "ab")], id="embedded objects"),
        pytest.param("<div>a<hr>b</div>", [("div", "a"), ("div", "b")], id="hr cuts"),
        pytest.param("<div>a<p></p>b</div>", [("div", "ab")], id="an element without content does not even cut"),
        pytest.param("<div>a<p> </p>b</div>", [("div", "a"), ("div", "b")], id="one with a space does"),
        pytest.param(
            "<ul><li>a<ul><li>b</ul><li>c</ul>", [("ul/li", "a"), ("li/ul/li", "b"), ("ul/li", "c")], id="lists"
        ),
        pytest.param("<p> a \n b </p>", [("p", "a b")], id="white space is collapsed"),
        pytest.param("<p>— … !</p><p>a</p>", [("p", "a")], id="no letter, no block"),
        pytest.param("<title>a</title><p>b</p>", [("title", "a"), ("p", "b")], id="the title of the head"),
        pytest.param("text alone", [("", "text alone")], id="text without markup", marks=without_implied_p),
        pytest.param("<b><i>a</i></b>", [("", "a")], id="no block element around: an empty path"),
        pytest.param("<textarea>a</textarea><p>b", [("", "a"), ("p", "b")], id="other elements give their text"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_where_blocks_begin_and_end(html: str, expected: list[tuple[str, str]]) -> None:
    assert paths_and_texts(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param('<p><img alt="O">nce</p>', "Once", id="one letter at the start"),
        pytest.param('<p> <img alt="O">nce</p>', "Once", id="after white space"),
        pytest.param('<p>At <img alt="x">once</p>', "At once", id="not amid text"),
        pytest.param('<p><img alt="Photo">Once</p>', "Once", id="not a word"),
        pytest.param("<p><img>Once</p>", "Once", id="without alt"),
    ],
)
def test_drop_capitals(html: str, expected: str) -> None:
    assert [block.text for block in cut(html)] == [expected]


@pytest.mark.parametrize(
    ("html", "weights"),
    [
        pytest.param("<p>ab <a>cde</a> f</p>", (6, 3), id="a link inside"),
        pytest.param("<a><div>abc</div></a>", (3, 0), id="a link around a block"),
        pytest.param("<p><a>ab<b>cd</b></a>ef</p>", (6, 2), id="an element inside a link"),
        pytest.param("<p><a></a>abc</p>", (3, 3), id="an anchor without text"),
    ],
)
def test_text_of_links_counts_apart(html: str, weights: tuple[int, int]) -> None:
    assert [(block.weight, block.weight_noanchor) for block in cut(html)] == [weights]


@pytest.mark.parametrize(
    ("options", "path"),
    [
        pytest.param({}, "div:class=a b:id=post-", id="default: digits stripped, class names sorted, once each"),
        pytest.param({"mangle": None}, "div:class=a b b1:id=post-17", id="values left alone"),
        pytest.param({"mangle": "[a-z]+"}, "div:class=bab:id=post", id="matches are joined"),
        pytest.param({"normalize_class": False}, "div:class=b  a b:id=post-", id="class names as written"),
        pytest.param({"vocabulary": frozenset({"a"})}, "div:class=a", id="names outside the vocabulary left out"),
        pytest.param({"vocabulary": frozenset()}, "div", id="no names at all"),
    ],
)
def test_options_of_paths(options: dict[str, Any], path: str) -> None:
    html = '<div class="B1  a b" id="Post-17">x</div>'
    assert [block.path for block in cut(html, **options)] == [path]


@pytest.mark.parametrize(
    ("html", "options", "expected"),
    [
        pytest.param("<article>a<nav>b</nav></article>", {}, [("", "ab")], id="HTML5 elements off"),
        pytest.param(
            "<article>a<nav>b</nav></article>",
            {"html5": True},
            [("article", "a"), ("article/nav", "b")],
            id="HTML5 elements on",
        ),
        pytest.param("<p>abc</p><p>abcd</p>", {"min_chars": 4}, [("p", "abcd")], id="least characters"),
        pytest.param("<div>a<math>b</math></div>", {"invisible": False}, [("div", "ab")], id="invisible ones read"),
        pytest.param("<p>a<svg>b</svg></p>", {"invisible": False}, [("p", "a")], id="but never svg"),
        pytest.param("<p align=Ünten>a</p>", {"ascii_values": True}, [("p:align=?nten", "a")], id="ASCII values"),
    ],
)
def test_options_of_blocks(html: str, options: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert paths_and_texts(html, **options) == expected


def test_a_block_can_be_renamed_by_a_vocabulary() -> None:
    (block,) = cut('<div class="story u-x7f"><p id="p1">text</p></div>')
    short = renamed(block, frozenset({"story"}))
    assert (block.path, short.path) == ("div:class=story u-xf/p:id=p", "div:class=story/p")
    assert short.pieces == ()
    assert path_of(block.components, None) == block.path


def test_a_vocabulary_leaves_layout_attributes_alone() -> None:
    (block,) = cut('<td align="right" class="x">text</td>', vocabulary=frozenset())
    assert block.path == "td:align=right"


def test_pieces_tell_where_the_text_stands() -> None:
    root = parse("<div>ab<b>cd</b>ef<p>gh</p></div>")
    first, second = BlockOptions().blocks_of(root)
    (div,), (bold,), (paragraph,) = (list(root.iter(tag)) for tag in ("div", "b", "p"))
    assert first.pieces == (Piece(div, False), Piece(bold, False), Piece(bold, True))
    assert second.pieces == (Piece(paragraph, False),)


@given(markup())
def test_all_visible_text_is_kept_in_order(case: tuple[str, str]) -> None:
    html, seen = case
    blocks = cut(f"<html><body><div>{html}</div></body></html>")
    assert "".join(block.sig for block in blocks) == significant(seen)


@given(markup())
def test_weights_and_pieces_agree_with_the_text(case: tuple[str, str]) -> None:
    for block in cut(case[0]):
        pieces = "".join((piece.element.tail if piece.is_tail else piece.element.text) or "" for piece in block.pieces)
        assert collapse(pieces) == block.text
        assert block.sig == significant(block.text)
        assert block.weight == len(block.sig) >= block.weight_noanchor >= 0


@given(markup())
def test_the_tree_is_not_changed(case: tuple[str, str]) -> None:
    root = parse(case[0])
    before = etree.tostring(root)
    BlockOptions().blocks_of(root)
    ORIGINAL_BLOCKS.blocks_of(root)
    assert etree.tostring(root) == before


@given(markup())
def test_a_root_inside_a_larger_tree_gives_its_own_text_only(case: tuple[str, str]) -> None:
    root = parse(f"<html><body><div>{case[0]}</div> tail of the div</body></html>")
    div = next(root.iter("div"))
    assert "tail of the div" not in " ".join(block.text for block in BlockOptions().blocks_of(div))


def test_thousands_of_nested_elements_are_walked() -> None:
    depth = 2000
    html = "<div>" * depth + "deep" + "</div>" * depth + "<p>after</p>"
    assert paths_and_texts(html) == [("div/div/div", "deep"), ("p", "after")]


def test_permalinks_are_part_of_no_block_but_the_original_s() -> None:
    html = "<div>Rain fell <a href=#rain><b>#</b></a>today</div><p><a href=#x>¶</a></p>"
    assert [block.text for block in BlockOptions().blocks_of(parse(html))] == ["Rain fell today"]
    assert [block.text for block in ORIGINAL_BLOCKS.blocks_of(parse(html))] == ["Rain fell #today"]


def test_a_visit_goes_in_document_order_and_passes_over_what_is_ignored() -> None:
    calls: list[str] = []
    visit(
        etree.fromstring("<body><p>a<!-- note -->b<i>c</i>d</p><script><b/></script>e</body>"),
        {"script"},
        lambda element: calls.append(f"<{element.tag}>"),
        lambda element: calls.append(f"</{element.tag}>"),
        lambda element: calls.append(element.tail or ""),
    )
    assert calls == ["<body>", "<p>", "b", "<i>", "</i>", "d", "</p>", "", "e", "</body>"]

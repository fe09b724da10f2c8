"""From a tree to layout blocks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from scrapy_stemmer.learners.literature.blocks import BlockOptions, is_permalink
from scrapy_stemmer.page.blocks import LayoutBlock
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.page.text import significant
from tests.microexample import blocks as example_blocks
from tests.strategies import markup

ORIGINAL = BlockOptions(None, original=True)


def cut(html: str, **options: Any) -> list[LayoutBlock]:
    return BlockOptions(**options).blocks_of(parse(html))


def paths_and_texts(html: str, **options: Any) -> list[tuple[str, str]]:
    return [(block.path, block.text) for block in cut(html, **options)]


ORACLE = [
    pytest.param("<span>abcde<div>fghij</div>klmno</span>",
        [("span", "abcde", 5, 5), ("span/div", "fghij", 5, 5), ("span", "klmno", 5, 5)],
        id="a block element parts the text around it"),
    pytest.param("<div>abcde<b>fghij</b>k<br>lmnop</div>", [("div", "abcdefghijk", 11, 11), ("div", "lmnop", 5, 5)],
        id="inline elements don't part, br does"),
    pytest.param('<section class=X><p ID=Para CLASS="B  a">Hello <a href=x>World</a>!</p></section>',
        [("p:class=b  a:id=para", "Hello World!", 10, 5)],
        id="attributes sorted, values lower-cased whole, HTML5 elements as good as absent"),
    pytest.param('<table><tr VALIGN=Top><td id="CnnCol" width=5><h1>Big news!</h1>',
        [("tr:valign=top/td:id=cnncol/h1", "Big news!", 7, 7)],
        id="the last three elements, attributes of the list only"),
    pytest.param("<p>日本語です 12_3</p>", [("p", "日本語です 12_3", 9, 9)], id="weight counts every script and _"),
    pytest.param('<p>abcd</p><p><img alt="T">his is it</p>', [("p", "This is it", 8, 8)],
        id="drop capital; a block below five characters is dropped"),
    pytest.param('<div class="café">hello</div>', [("div:class=caf?", "hello", 5, 5)], id="paths are ASCII"),
]  # fmt: skip
"""Values of Webstemmer 0.7.1 itself (algorithms §1.1)."""


@pytest.mark.parametrize(("html", "expected"), ORACLE)
def test_the_original_s_blocks(html: str, expected: list[tuple[str, str, int, int]]) -> None:
    blocks = ORIGINAL.blocks_of(parse(html))
    assert [(block.path, block.text, block.weight, block.weight_noanchor) for block in blocks] == expected


def test_the_original_s_weights_of_the_micro_example() -> None:
    assert [sum(block.weight for block in example_blocks(number)) for number in (1, 2, 3)] == [156, 126, 145]


@pytest.mark.parametrize(
    ("options", "path"),
    [
        pytest.param({}, "div:class=a b:id=post-", id="default: digits stripped, class names sorted, once each"),
        pytest.param({"mangle": None}, "div:class=a b b1:id=post-17", id="values left alone"),
        pytest.param({"mangle": "[a-z]+"}, "div:class=bab:id=post", id="matches are joined"),
        pytest.param({"vocabulary": frozenset({"a"})}, "div:class=a", id="names outside the vocabulary left out"),
        pytest.param({"vocabulary": frozenset()}, "div", id="no names at all"),
    ],
)
def test_options_of_paths(options: dict[str, Any], path: str) -> None:
    html = '<div class="B1  a b" id="Post-17">x</div>'
    assert [block.path for block in cut(html, **options)] == [path]


@pytest.mark.parametrize(
    ("html", "original", "expected"),
    [
        pytest.param("<article>a<nav>b</nav></article>", False, [("", "ab")], id="elements of HTML 5 part no blocks"),
        pytest.param("<div>some<math>b</math></div>", True, [("div", "someb")], id="newer elements, in the original"),
        pytest.param("<p>texts<svg>b</svg></p>", True, [("p", "texts")], id="but never svg"),
        pytest.param("<p>a<math>b</math></p>", False, [("p", "a")], id="not in ours"),
        pytest.param("<p><img alt=T></p><p>a</p>", False, [("p", "a")], id="a drop capital without text"),
    ],
)
def test_what_is_in_blocks(html: str, original: bool, expected: list[tuple[str, str]]) -> None:
    assert paths_and_texts(html, original=original) == expected


@given(markup())
def test_all_visible_text_is_kept_in_order(case: tuple[str, str]) -> None:
    html, seen = case
    blocks = cut(f"<html><body><div>{html}</div></body></html>")
    assert "".join(block.sig for block in blocks) == significant(seen)


def test_permalinks_are_part_of_no_block_but_the_original_s() -> None:
    html = "<div>Rain fell <a href=#rain><b>#</b></a>today</div><p><a href=#x>¶</a></p>"
    assert [block.text for block in BlockOptions().blocks_of(parse(html))] == ["Rain fell today"]
    assert [block.text for block in ORIGINAL.blocks_of(parse(html))] == ["Rain fell #today"]


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("<a class=headerlink href=#x>¶</a>", True),
        ("<a href='/page.html#x'> # </a>", True),
        ("<a href=#x><span><i>\U0001f517\ufe0f</i></span> <!-- x --></a>", True),
        ("<a href=#x>\uf0c1</a>", True),
        ("<a href=#x>\u200b</a>", True),
        ("<a href=/x>#</a>", False),
        ("<a href=#x></a>", False),
        ("<a href=#x><img src=x></a>", False),
        ("<a href=#x># 12</a>", False),
        ("<a href=#x>↩</a>", False),
        (f"<a href=#x>#{' ' * 80}</a>", False),
        (f"<a href=#x>{'<b>' * 8}#</a>", True),
        (f"<a href=#x>{'<b>' * 9}#</a>", False),
        ("<h2>Ferries<a class=headerlink href=#a>Permalien</a></h2>", False),
        ("<h2>Ferries and boats<a class=headerlink href=#a>Permalien</a></h2>", True),
        ("<h2>Ferries and boats<a href=#a>Permalien</a></h2>", False),
        ("<h2>A<a class=headerlink href=#a> Permalink </a></h2>", True),
        ("<h2>A <a href=#a>[<i>link</i>]</a></h2>", True),
        ("<h2>A<a href=#a>Link to this heading</a></h2>", True),
        ("<h2>A<a href=#a>[#]</a></h2>", True),
        ("<h2>A<a href=#a>[1]</a></h2>", False),
        ("<h2>A<a href=/a>[#]</a></h2>", False),
        ("<h2><a href=#a>[#]</a></h2>", False),
        ("<h2><a class=headerlink href=#a>Permalink</a></h2>", False),
        ("<h2><a class=permalink href=#a>Ferries</a>, 2020</h2>", False),
        (f"<h2>A{'<b></b>' * 60}<a href=#a>Permalink</a></h2>", False),
        ("<a href=#x>\U000f0001</a>", True),
    ],
)
def test_permalinks_say_nothing_but_that(link: str, expected: bool) -> None:
    assert is_permalink(next(parse(f"<div>{link}</div>").iter("a"))) is expected

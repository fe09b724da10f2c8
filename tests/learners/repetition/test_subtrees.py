"""Hashes of subtrees: what makes a difference to them, and what does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from lxml import etree

from scrapy_stemmer.core.blocks import Piece, blocks_of
from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.core.text import tokens
from scrapy_stemmer.learners.repetition.subtrees import Node, Subtrees, subtrees_of
from tests.strategies import markup


def subtrees(body: str, ignored: tuple[str, ...] = ()) -> Subtrees:
    return subtrees_of(parse(f"<html><body>{body}</body></html>"), ignored)


def hash_of(element: str, ignored: tuple[str, ...] = ()) -> int:
    """The hash of the only element in a body."""
    return subtrees(element, ignored).nodes[1].hash


def shape(nodes: list[Node]) -> list[tuple[int, int, str]]:
    return [(node.parent, node.end, node.text) for node in nodes]


def test_elements_and_runs_of_text_are_nodes_in_document_order() -> None:
    page = subtrees("<div>Read <a href=/x>the news</a> today</div><p>Bye</p>")
    assert shape(page.nodes) == [
        (-1, 8, ""),  # body
        (0, 6, ""),  # div
        (1, 3, "Read"),
        (1, 5, ""),  # a
        (3, 5, "the news"),
        (1, 6, "today"),
        (0, 8, ""),  # p
        (6, 8, "Bye"),
    ]


def test_a_node_knows_what_it_holds() -> None:
    node = subtrees("<div>Read <a href=/x>the news</a> today, 日本</div>").nodes[1]
    assert (node.words, node.links, node.chars) == (6, 1, 18)


def test_a_link_needs_an_address() -> None:
    assert subtrees("<p><a name=here>here</a></p>").nodes[0].links == 0
    assert subtrees("<a href=/1><img></a><map><area href=/2></map>").nodes[0].links == 2


def test_the_root_is_no_node() -> None:
    page = subtrees_of(parse("<html><head><title>News</title></head><body><p>Rain</p></body></html>"))
    assert [node.end for node in page.nodes if node.parent == -1] == [3, 6]


def test_equal_subtrees_have_equal_hashes() -> None:
    nodes = subtrees("<ul><li class=x><b>a</b></li><li class=x><b>a</b></li></ul>").nodes
    assert nodes[2].hash == nodes[5].hash
    assert len({node.hash for node in nodes}) == 5


SAME = [
    pytest.param("<p> a \n b </p>", "<p>a b</p>", id="white space in text"),
    pytest.param("<ul> <li>a</li> </ul>", "<ul><li>a</li></ul>", id="white space between elements"),
    pytest.param("<p id=i class=c>a</p>", "<p class=c id=i>a</p>", id="order of attributes"),
    pytest.param('<p class=" b  a ">a</p>', '<p class="b a">a</p>', id="white space in attributes"),
    pytest.param("<p>a<script>1</script>b</p>", "<p>a<style>2</style>b</p>", id="scripts and styles"),
    pytest.param("<P>a</P>", "<p>a</p>", id="case of names"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_makes_no_difference(one: str, other: str) -> None:
    assert hash_of(one) == hash_of(other)


DIFFERENT = [
    pytest.param("<p>a</p>", "<p>A</p>", id="text"),
    pytest.param("<p>a</p>", "<div>a</div>", id="name"),
    pytest.param("<p id=1>a</p>", "<p id=2>a</p>", id="value of an attribute"),
    pytest.param("<p id=1>a</p>", "<p class=1>a</p>", id="name of an attribute"),
    pytest.param("<p id>a</p>", "<p>a</p>", id="empty attribute"),
    pytest.param('<p id="a" class="b">c</p>', '<p id="a class b">c</p>', id="where an attribute ends"),
    pytest.param("<p>a b</p>", "<p>a<b> b</b></p>", id="elements within"),
    pytest.param("<p><i>a</i>b</p>", "<p>b<i>a</i></p>", id="order of what it holds"),
    pytest.param("<p>a</p>", "<p><img>a</p>", id="elements without text"),
    pytest.param("<p><b><i></i></b></p>", "<p><b></b><i></i></p>", id="nesting"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_makes_a_difference(one: str, other: str) -> None:
    assert hash_of(one) != hash_of(other)


def test_attributes_can_be_ignored_by_name_and_by_how_they_begin() -> None:
    one, other = '<p data-id="1" nonce="x" id="i">a</p>', '<p data-time="2" id="i">a</p>'
    assert hash_of(one, ("nonce", "data-*")) == hash_of(other, ("nonce", "data-*"))
    assert hash_of(one, ("data-*",)) != hash_of(other, ("data-*",))
    assert hash_of("<p data=1>a</p>", ("data-*",)) != hash_of("<p>a</p>", ("data-*",))


def test_hashes_are_the_same_for_ever() -> None:
    """They are kept in pattern files."""
    found = hash_of('<p class="b" id=i>Rain <b>fell</b></p>')
    assert f"{found:016x}" == "1b0d5176b2f29850"


def test_trees_that_kept_their_comments_are_the_same_pages() -> None:
    """Scrapy's own parser keeps them, the sample's does not."""
    html = "<html><body><!-- 1 --><p>a<!-- 2 -->b<?pi?>c</p><!-- 3 --> d</body></html>"
    kept = etree.fromstring(html, etree.HTMLParser())
    assert [node.hash for node in subtrees_of(kept).nodes] == [node.hash for node in subtrees_of(parse(html)).nodes]


def test_each_piece_of_text_has_its_place() -> None:
    root = etree.fromstring("<html><body><p>ab<!-- x -->cd<b>e</b></p></body></html>", etree.HTMLParser())
    page = subtrees_of(root)
    comment, bold = root[0][0]
    assert page.nodes[page.places[Piece(comment, True)].node].text == "abcd"
    assert page.places[Piece(comment, True)].chars == 2
    assert page.nodes[page.places[Piece(bold, False)].node].text == "e"


@given(markup())
def test_every_block_is_made_of_runs(fragment: tuple[str, str]) -> None:
    root = parse(f"<html><body>{fragment[0]}</body></html>")
    page = subtrees_of(root)
    for block in blocks_of(root):
        places = [page.places[piece] for piece in block.pieces if piece in page.places]
        assert sum(place.chars for place in places) == block.weight


@given(markup())
def test_the_sizes_of_a_body_are_those_of_its_runs(fragment: tuple[str, str]) -> None:
    nodes = subtrees(fragment[0]).nodes
    runs = [tokens(node.text) for node in nodes if node.text]
    assert nodes[0].words == sum(map(len, runs))
    assert nodes[0].chars == sum(len(word) for words in runs for word in words)


def test_content_is_the_body_alone() -> None:
    pages = [
        f"<html><head><title>{title}</title></head><body>{body}</body></html>" for title, body in ("aA", "bA", "aB")
    ]
    one, titled, other = (subtrees_of(parse(html)).content for html in pages)
    assert one == titled != other


def test_nothing_at_all() -> None:
    assert [node.text for node in subtrees("").nodes] == [""]


def test_deep_trees() -> None:
    """Parsers cut them off at some depth; trees that others built may be deeper."""
    root = element = etree.Element("html")
    for _ in range(20_000):
        element = etree.SubElement(element, "div")
    element.text = "deep"
    page = subtrees_of(root)
    assert page.nodes[0].words == 1
    assert len({node.hash for node in page.nodes}) == len(page.nodes) == 20_001

"""Hashes of subtrees: relevant and irrelevant differences."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from lxml import etree

from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.learners.literature.repetition.pattern import (
    Node,
    Subtrees,
    Template,
    coalesce,
    subtrees_of,
    template_nodes,
    text_runs_of,
)
from scrapy_stemmer.page.blocks import Piece
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.page.text import tokens
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
    first, second = '<p data-id="1" nonce="x" id="i">a</p>', '<p data-time="2" id="i">a</p>'
    assert hash_of(first, ("nonce", "data-*")) == hash_of(second, ("nonce", "data-*"))
    assert hash_of(first, ("data-*",)) != hash_of(second, ("data-*",))
    assert hash_of("<p data=1>a</p>", ("data-*",)) != hash_of("<p>a</p>", ("data-*",))


def test_hashes_are_the_same_for_ever() -> None:
    """They are kept in pattern files."""
    hashed = hash_of('<p class="b" id=i>Rain <b>fell</b></p>')
    assert f"{hashed:016x}" == "1b0d5176b2f29850"


def test_trees_that_kept_their_comments_are_the_same_pages() -> None:
    """Scrapy's own parser keeps comments, the sample's parser does not."""
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
    for block in BlockOptions().blocks_of(root):
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
    plain, titled, other = (subtrees_of(parse(html)).content for html in pages)
    assert plain == titled != other


def test_nothing_at_all() -> None:
    assert [node.text for node in subtrees("").nodes] == [""]


def test_of_a_root_that_is_left_out_there_is_nothing() -> None:
    assert subtrees_of(etree.fromstring("<svg><text>a</text></svg>")).nodes == []


def test_deep_trees() -> None:
    """Parsers cut trees off at some depth; trees built by users may be deeper."""
    root = element = etree.Element("html")
    for _ in range(4_000):
        element = etree.SubElement(element, "div")
    element.text = "deep"
    page = subtrees_of(root)
    assert page.nodes[0].words == 1
    assert len({node.hash for node in page.nodes}) == len(page.nodes) == 4_001


MICRO = "<body><div id=n><a href=/>Home</a></div><p>P{}</p><div id=f>© X</div></body>"
"""The micro-example of algorithms §3."""

BODY, NAV, LINK, HOME, _, _, FOOT, OWNER = range(8)


def nodes_of(html: str) -> list[Node]:
    return subtrees_of(parse(html)).nodes


def returning(pages: list[list[Node]], lower: int) -> frozenset[int]:
    counted = Counter(hash_ for nodes in pages for hash_ in {node.hash for node in nodes})
    return frozenset(hash_ for hash_, count in counted.items() if count >= lower)


@pytest.mark.parametrize(("lower", "expected"), [(2, [NAV, FOOT]), (3, [NAV, FOOT]), (1, [BODY]), (4, [])])
def test_the_micro_example(lower: int, expected: list[int]) -> None:
    """At 2 the two ``div``, not the link within; at 1 the whole page."""
    pages = [nodes_of(MICRO.format(number)) for number in (1, 2, 3)]
    for nodes in pages:
        assert template_nodes(nodes, returning(pages, lower)) == expected


def test_a_change_deep_within_leaves_the_rest_template() -> None:
    """A changing time changes the hashes of elements around, not beside."""
    pages = [
        nodes_of(f"<div><p>Our <b>editors</b></p><div><i>{n} minutes ago</i><u>Print</u></div></div>") for n in (5, 6)
    ]
    nodes = template_nodes(pages[0], returning(pages, 2))
    assert [pages[0][text].text for text in text_runs_of(pages[0], nodes)] == ["Our", "editors", "Print"]
    assert len(nodes) == 2


def line(html: str) -> tuple[list[Node], dict[str, int]]:
    """Return the nodes of a list, and its items by text."""
    nodes = nodes_of(f"<ul>{html}</ul>")
    return nodes, {nodes[index + 1].text: index for index, node in enumerate(nodes) if node.parent == 1}


def test_siblings_are_joined() -> None:
    nodes, at = line("<li>a<li>b<li>c")
    assert coalesce(nodes, [at["a"], at["b"], at["c"]]) == [Template([at["a"], at["b"], at["c"]], [])]


def test_over_a_small_gap_too() -> None:
    nodes, at = line("<li>a<li>12:30<li>c")
    assert coalesce(nodes, [at["a"], at["c"]]) == [Template([at["a"], at["c"]], [at["12:30"]])]


def test_not_over_two_siblings_unless_they_are_allowed() -> None:
    nodes, at = line("<li>a<li>x<li>y<li>c")
    ends = [at["a"], at["c"]]
    assert coalesce(nodes, ends) == [Template([at["a"]], []), Template([at["c"]], [])]
    assert coalesce(nodes, ends, 2) == [Template([at["a"], at["c"]], [at["x"], at["y"]])]


@pytest.mark.parametrize(("chars", "templates"), [(0, 1), (40, 1), (41, 2)])
def test_not_over_more_than_forty_characters(chars: int, templates: int) -> None:
    nodes = nodes_of(f"<ul><li>a</li><li>{'x ' * chars}</li><li>c</li></ul>")
    ends = [index for index, node in enumerate(nodes) if node.text in ("a", "c")]
    assert len(coalesce(nodes, [nodes[index].parent for index in ends])) == templates


def test_only_siblings_are_joined() -> None:
    nodes = nodes_of("<div><p>a</p></div><div><p>b</p></div>")
    assert coalesce(nodes, [2, 5]) == [Template([2], []), Template([5], [])]


def test_a_gap_may_hold_templates_of_its_own() -> None:
    nodes = nodes_of("<p>a</p><div><b>x</b>12</div><p>c</p>")
    first, inner, last = 1, 4, 7
    assert coalesce(nodes, [first, inner, last]) == [Template([first, last], [3]), Template([inner], [])]


def test_texts_of_nodes_within_each_other_come_once() -> None:
    nodes = nodes_of("<div><p>a</p>b</div><p>c</p>")
    assert [nodes[text].text for text in text_runs_of(nodes, [2, 1])] == ["a", "b"]

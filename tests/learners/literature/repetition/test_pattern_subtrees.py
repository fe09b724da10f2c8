"""Hashes of subtrees: relevant and irrelevant differences."""

from __future__ import annotations

from collections import Counter

import pytest

from scrapy_stemmer.learners.literature.repetition.pattern import (
    Node,
    Subtrees,
    Template,
    coalesce,
    subtrees_of,
    template_nodes,
    text_runs_of,
)
from scrapy_stemmer.page.document import parse


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


def test_attributes_can_be_ignored_by_name_and_by_how_they_begin() -> None:
    first, second = '<p data-id="1" nonce="x" id="i">a</p>', '<p data-time="2" id="i">a</p>'
    assert hash_of(first, ("nonce", "data-*")) == hash_of(second, ("nonce", "data-*"))
    assert hash_of(first, ("data-*",)) != hash_of(second, ("data-*",))
    assert hash_of("<p data=1>a</p>", ("data-*",)) != hash_of("<p>a</p>", ("data-*",))


def test_content_is_the_body_alone() -> None:
    pages = [
        f"<html><head><title>{title}</title></head><body>{body}</body></html>" for title, body in ("aA", "bA", "aB")
    ]
    plain, titled, other = (subtrees_of(parse(html)).content for html in pages)
    assert plain == titled != other


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


def line(html: str) -> tuple[list[Node], dict[str, int]]:
    """Return the nodes of a list, and its items by text."""
    nodes = nodes_of(f"<ul>{html}</ul>")
    return nodes, {nodes[index + 1].text: index for index, node in enumerate(nodes) if node.parent == 1}


def test_over_a_small_gap_too() -> None:
    nodes, at = line("<li>a<li>12:30<li>c")
    assert coalesce(nodes, [at["a"], at["c"]]) == [Template([at["a"], at["c"]], [at["12:30"]])]


def test_texts_of_nodes_within_each_other_come_once() -> None:
    nodes = nodes_of("<div><p>a</p>b</div><p>c</p>")
    assert [nodes[text].text for text in text_runs_of(nodes, [2, 1])] == ["a", "b"]

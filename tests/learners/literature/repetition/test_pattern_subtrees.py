"""Hashes of subtrees: relevant and irrelevant differences."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.literature.repetition.pattern import Subtrees, subtrees_of
from scrapy_stemmer.page.document import parse


def subtrees(body: str) -> Subtrees:
    return subtrees_of(parse(f"<html><body>{body}</body></html>"))


def hash_of(element: str) -> int:
    """The hash of the only element in a body."""
    return subtrees(element).nodes[1].hash


def test_elements_and_runs_of_text_are_nodes_in_document_order() -> None:
    page = subtrees("<div>Read <a href=/x>the <script>1</script>news</a> today</div><p>Bye</p>")
    ends = [(node.end, node.is_text) for node in page.nodes]
    assert ends == [(8, False), (6, False), (3, True), (5, False), (5, True), (6, True), (8, False), (8, True)]
    assert {piece.text: index for piece, index in page.places.items()} == {
        "Read ": 2, "the ": 4, "news": 4, " today": 5, "Bye": 7,
    }  # fmt: skip


def test_words_and_links_tell_something() -> None:
    told = {html: subtrees(html).nodes[0].tells for html in ("<p><i>a</i></p>", "<p>…</p>", "<p><br></p>")}
    assert list(told.values()) == [True, False, False]


def test_a_link_needs_an_address() -> None:
    assert not subtrees("<p><a name=here></a></p>").nodes[0].tells
    assert subtrees("<a href=/1><img></a>").nodes[0].tells
    assert subtrees("<map><area href=/2></map>").nodes[0].tells


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


def test_what_scripts_fill_anew_makes_no_difference() -> None:
    first, second = '<p data-id="1" nonce="x" id="i">a</p>', '<p data-time="2" id="i">a</p>'
    assert hash_of(first) == hash_of(second)
    assert hash_of("<p data=1>a</p>") != hash_of("<p>a</p>")


def test_content_is_the_body_alone() -> None:
    pages = [
        f"<html><head><title>{title}</title></head><body>{body}</body></html>" for title, body in ("aA", "bA", "aB")
    ]
    plain, titled, other = (subtrees_of(parse(html)).content for html in pages)
    assert plain == titled != other


def test_of_elements_only_bare_text_is_none() -> None:
    page = subtrees("<p>a</p>b")
    returning = {page.nodes[index].hash for index in (1, 3)}
    assert page.inside(returning) == {1, 2, 3}
    assert page.inside(returning, elements_only=True) == {1, 2}

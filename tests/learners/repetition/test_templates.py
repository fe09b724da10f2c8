"""From subtrees that return to the templates of a page."""

from __future__ import annotations

import pytest

from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.learners.repetition.counting import as_hashes, count_pages
from scrapy_stemmer.learners.repetition.subtrees import Node, subtrees_of
from scrapy_stemmer.learners.repetition.templates import Template, coalesce, template_nodes, texts_of

MICRO = "<body><div id=n><a href=/>Home</a></div><p>P{}</p><div id=f>© X</div></body>"
"""The micro-example of algorithms §3."""

BODY, NAV, LINK, HOME, _, _, FOOT, OWNER = range(8)


def nodes_of(html: str) -> list[Node]:
    return subtrees_of(parse(html)).nodes


def returning(pages: list[list[Node]], lower: int) -> frozenset[int]:
    counted = count_pages([as_hashes(node.hash for node in nodes) for nodes in pages])
    return frozenset(counted.within(lower).hashes.tolist())


@pytest.mark.parametrize(("lower", "expected"), [(2, [NAV, FOOT]), (3, [NAV, FOOT]), (1, [BODY]), (4, [])])
def test_the_micro_example(lower: int, expected: list[int]) -> None:
    """At 2 the two ``div``, not the link within; at 1 the whole page."""
    pages = [nodes_of(MICRO.format(number)) for number in (1, 2, 3)]
    for nodes in pages:
        assert template_nodes(nodes, returning(pages, lower)) == expected


def test_a_change_deep_within_leaves_the_rest_template() -> None:
    """A changing time changes the hash of all that is around it, not of what is beside it."""
    pages = [
        nodes_of(f"<div><p>Our <b>editors</b></p><div><i>{n} minutes ago</i><u>Print</u></div></div>") for n in (5, 6)
    ]
    found = template_nodes(pages[0], returning(pages, 2))
    assert [pages[0][text].text for text in texts_of(pages[0], found)] == ["Our", "editors", "Print"]
    assert len(found) == 2


def line(html: str) -> tuple[list[Node], dict[str, int]]:
    """The nodes of a list, and its items by their text."""
    nodes = nodes_of(f"<ul>{html}</ul>")
    return nodes, {nodes[index + 1].text: index for index, node in enumerate(nodes) if node.parent == 1}


def test_siblings_are_joined() -> None:
    nodes, at = line("<li>a<li>b<li>c")
    assert coalesce(nodes, [at["a"], at["b"], at["c"]]) == [Template((at["a"], at["b"], at["c"]))]


def test_over_a_small_gap_too() -> None:
    nodes, at = line("<li>a<li>12:30<li>c")
    assert coalesce(nodes, [at["a"], at["c"]]) == [Template((at["a"], at["c"]), (at["12:30"],))]


def test_not_over_two_siblings_unless_they_are_allowed() -> None:
    nodes, at = line("<li>a<li>x<li>y<li>c")
    ends = [at["a"], at["c"]]
    assert coalesce(nodes, ends) == [Template((at["a"],)), Template((at["c"],))]
    assert coalesce(nodes, ends, 2) == [Template((at["a"], at["c"]), (at["x"], at["y"]))]


@pytest.mark.parametrize(("chars", "templates"), [(0, 1), (40, 1), (41, 2)])
def test_not_over_more_than_forty_characters(chars: int, templates: int) -> None:
    nodes = nodes_of(f"<ul><li>a</li><li>{'x ' * chars}</li><li>c</li></ul>")
    ends = [index for index, node in enumerate(nodes) if node.text in ("a", "c")]
    assert len(coalesce(nodes, [nodes[index].parent for index in ends])) == templates


def test_only_siblings_are_joined() -> None:
    nodes = nodes_of("<div><p>a</p></div><div><p>b</p></div>")
    assert coalesce(nodes, [2, 5]) == [Template((2,)), Template((5,))]


def test_a_gap_may_hold_templates_of_its_own() -> None:
    nodes = nodes_of("<p>a</p><div><b>x</b>12</div><p>c</p>")
    first, inner, last = 1, 4, 7
    assert coalesce(nodes, [first, inner, last]) == [Template((first, last), (3,)), Template((inner,))]


def test_texts_of_nodes_within_each_other_come_once() -> None:
    nodes = nodes_of("<div><p>a</p>b</div><p>c</p>")
    assert [nodes[text].text for text in texts_of(nodes, [2, 1])] == ["a", "b"]

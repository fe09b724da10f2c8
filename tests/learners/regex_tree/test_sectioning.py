"""How pages are cut: lists first, then large containers from the top down."""

from __future__ import annotations

import pytest

from scrapy_stemmer.core.blocks import Piece
from scrapy_stemmer.core.document import parse
from scrapy_stemmer.learners.regex_tree.page_tree import map_page, page_tree
from scrapy_stemmer.learners.regex_tree.sectioning import LeafSection, sections_of
from scrapy_stemmer.learners.regex_tree.template_tree import Feature, Leaf

WORDS = "word " * 20
"""A hundred characters."""


def sections(html: str) -> list[tuple[str, bool]]:
    """The text of each section and whether it is a list, of a page that is its own template."""
    root = parse(html)
    tree = page_tree(root)
    found = sections_of(root, tree, map_page(tree.root, tree.root))
    return [(" ".join(_text(leaf) for leaf in section.leaves), section.is_star) for section in found]


def _text(leaf: Leaf) -> str:
    text = leaf.place.element.tail if leaf.place.is_tail else leaf.place.element.text
    return " ".join((text or str(leaf.place.element.tag)).split()[:2])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("<h1>a</h1><p>b</p>", [("a b", False)], id="nothing to cut"),
        pytest.param(
            f"<div>one {WORDS}</div><table><tr><td>two {WORDS}</table>",
            [("one word", False), ("two word", False)],
            id="large containers",
        ),
        pytest.param(
            f"<div>one {WORDS}</div><section>small</section><h2>head</h2>",
            [("one word", False), ("small", False), ("head", False)],
            id="what is small stays whole",
        ),
        pytest.param("<p>a</p><h1>b</h1><hr><p>c</p>", [("a b", False), ("c", False)], id="separators"),
        pytest.param(
            f"loose <b>bold</b> <i>italic</i><div>one {WORDS}</div>after <em>that</em>",
            [("loose bold italic", False), ("one word", False), ("after that", False)],
            id="inline siblings",
        ),
        pytest.param("<ul><li>a<li>b</ul><h1>c</h1>", [("a b", True), ("c", False)], id="a list"),
        pytest.param(
            "<ul><li>x<ol><li>a<li>b</ol><li>y<ol><li>c<li>d</ol></ul>", [("x a b y c d", True)], id="outermost"
        ),
        pytest.param("<dl><dt>a<dd>b<dt>c<dd>d</dl>", [("a b c d", True)], id="a list of groups"),
        pytest.param("<h1><b>a</b>, <b>b</b>, <b>c</b></h1>", [("a , b , c", False)], id="repeats within text"),
    ],
)
def test_sections(body: str, expected: list[tuple[str, bool]]) -> None:
    assert sections(f"<body>{body}</body>") == expected


def test_areas_of_a_renderer_win() -> None:
    """By text alone the first container is too small to be cut."""
    inner = "<div {}><h1>a</h1></div><div>b</div>"
    html = f"<body {{}}><div {{}}>{inner}</div><p>{WORDS * 2}</p></body>"
    assert sections(html.format("", "", "")) == [("a b word word", False)]
    box = 'data-stemmer-box="100 {}"'
    rendered = html.format(box.format(100), box.format(80), box.format(60))
    assert sections(rendered) == [("a", False), ("b", False), ("word word", False)]


def test_noise_is_weighted_by_size() -> None:
    """The design note's example: .55 of [Home (4 characters, 1), a leaf (6 characters, .25)]."""
    home, other = parse("<p>Home</p>"), parse("<p>x1x1x1</p>")
    leaves = (Leaf(Piece(home, False), 4, (Feature("link", "/"),)), Leaf(Piece(other, False), 6, ()))
    confidences = {leaves[0].place: 1.0, leaves[1].place: 0.25}
    assert LeafSection(leaves).noise(confidences) == pytest.approx(0.55)
    assert LeafSection(leaves[:1]).noise(confidences) == 1.0
    assert LeafSection(leaves).link_share == pytest.approx(0.4)

"""Pages as folded trees with areas, their leaves by a template, and their sections."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.literature.regex_tree.pattern import (
    FoldedTree,
    page_tree,
    sections_of,
    shortened,
    text_feature,
)
from scrapy_stemmer.learners.literature.regex_tree.template_tree import (
    CHOICE,
    GROUP,
    TEXT_ITEM,
    Feature,
    Item,
    Leaf,
    map_page,
)
from scrapy_stemmer.page.blocks import Piece
from scrapy_stemmer.page.document import parse
from tests.learners.literature.regex_tree.test_template_tree import expression


def tree(body: str) -> FoldedTree:
    return page_tree(parse(f"<html><body>{body}</body></html>"))


def inside(body: str) -> str:
    return expression(tree(body).root.kids[0].kids)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h1>a</h1><p>b</p><p>c</p>", "h1p*"),
        ("<p>b</p><p>c <a href=x>d</a> e</p>", "p*"),
        ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", "dl"),
        ("<div></div><p>a</p><hr><script>1</script>", "phr"),
        ("a<br>b<br>c", "(#textbr)*#text"),
        ("<div class=x>a</div><div class=y>b</div>", "divdiv"),
        ("<div class='post-1 x'>a</div><div class='post-2 x'>b</div>", "div*"),
    ],
)
def test_repeats_are_folded_and_what_is_empty_is_left_out(body: str, expected: str) -> None:
    assert inside(body) == expected


def test_numbers_in_texts_do_not_count() -> None:
    texts = ("5 minutes ago", "12 May 2024", "12.5", " a \n b ")
    assert [text_feature(text) for text in texts] == ["0 minutes ago", "0 May 0", "12.5", "a b"]


def test_long_values_are_cut_and_still_told_apart() -> None:
    first, second = shortened("x" * 100 + "1"), shortened("x" * 100 + "2")
    assert first.startswith("x" * 40 + "… #")
    assert len(first) < 80
    assert first != second


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("<p>four</p>", 14, id="text, and 10 for a block"),
        pytest.param("<div><p>four</p></div>", 14, id="blocks within blocks count once"),
        pytest.param("<img src=x><input>", 80, id="40 for an image or control"),
    ],
)
def test_areas_by_the_measure_of_text(body: str, expected: float) -> None:
    areas = tree(body).areas
    assert [size for element, size in areas.items() if element.tag == "body"] == [expected]


# Leaves of a page by a template


def known(text: str, share: float) -> Item:
    return Item(TEXT_ITEM, noise={Feature("text", text): share})


def seen(text: str, link: str = "") -> Item:
    features = [Feature("text", text), *([Feature("link", link)] if link else [])]
    return Item(TEXT_ITEM, leaves=[Leaf(Piece(parse("<p>x</p>"), False), len(text), tuple(features))])


def noise(template: Item, page: Item) -> list[float]:
    return list(map_page(template, page).noise.values())


def body(*kids: Item) -> Item:
    return Item("body", list(kids))


def test_through_choices_and_groups() -> None:
    choice = Item(CHOICE, [Item("p", [known("a", 0.5)]), Item("ul", [known("b", 0.6)])])
    assert noise(body(choice), body(Item("ul", [seen("b")]))) == [0.6]
    group = Item(GROUP, [Item("dt", [known("c", 0.7)]), Item("dd", [known("d", 0.8)])], star=True)
    page = body(Item("dt", [seen("c")]), Item("dd", [seen("d")]))
    assert sorted(noise(body(group), page)) == [0.7, 0.8]
    assert noise(body(group), body(Item("dd", [seen("d")]))) == [0.8]


@pytest.mark.parametrize(("template_star", "page_star"), [(True, False), (False, True)])
def test_repeats_of_either_side_are_stars_unless_within_one(template_star: bool, page_star: bool) -> None:
    template = body(Item("ul", [Item("li", [known("a", 1.0)], star=template_star)], star=template_star))
    page = body(Item("ul", [Item("li", [seen("a")], star=page_star)], star=page_star))
    assert map_page(template, page).stars == page.kids


# How pages are cut: lists first, then large containers from the top down


WORDS = "word " * 20
"""A hundred characters."""


def sections(html: str) -> list[tuple[str, bool]]:
    """Return the text of each section and True for lists, on a page that is its own template."""
    root = parse(html)
    tree = page_tree(root)
    page_sections = sections_of(root, tree, map_page(tree.root, tree.root))
    return [(" ".join(_text(leaf) for leaf in section.leaves), section.is_star) for section in page_sections]


def _text(leaf: Leaf) -> str:
    text = leaf.place.element.tail if leaf.place.is_tail else leaf.place.element.text
    return " ".join((text or str(leaf.place.element.tag)).split()[:2])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("<h1>a</h1><p>b</p>", [("a b", False)], id="nothing to cut"),
        pytest.param(f"<div>one {WORDS}</div><table><tr><td>two {WORDS}</table>",
            [("one word", False), ("two word", False)], id="large containers"),
        pytest.param(f"<div>one {WORDS}</div><section>small</section><h2>head</h2>",
            [("one word", False), ("small", False), ("head", False)], id="what is small stays whole"),
        pytest.param("<p>a</p><h1>b</h1><hr><p>c</p>", [("a b", False), ("c", False)], id="separators"),
        pytest.param(f"loose <b>bold</b> <i>italic</i><div>one {WORDS}</div>after <em>that</em>",
            [("loose bold italic", False), ("one word", False), ("after that", False)], id="inline siblings"),
        pytest.param("<ul><li>a<li>b</ul><h1>c</h1>", [("a b", True), ("c", False)], id="a list"),
        pytest.param("<ul><li>x<ol><li>a<li>b</ol><li>y<ol><li>c<li>d</ol></ul>", [("x a b y c d", True)],
            id="outermost"),
        pytest.param("<dl><dt>a<dd>b<dt>c<dd>d</dl>", [("a b c d", True)], id="a list of groups"),
        pytest.param("<h1><b>a</b>, <b>b</b>, <b>c</b></h1>", [("a , b , c", False)], id="repeats within text"),
    ],
)  # fmt: skip
def test_sections(body: str, expected: list[tuple[str, bool]]) -> None:
    assert sections(f"<body>{body}</body>") == expected

"""What is read of a page: its block-level elements, its texts, nothing that isn't shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from lxml import etree

from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.core.evidence.outline import Node, outline_of, weight_of
from tests.core.evidence.made import outline
from tests.strategies import markup


def texts(html: str) -> list[str]:
    return [block.text for block in outline(html).blocks]


def tags(html: str) -> list[str]:
    return [node.tag for node in outline(html).nodes]


def test_a_block_is_a_run_of_text_in_the_same_block_level_element() -> None:
    found = outline("<div>Rain <b>fell</b>  all\n day.<p>It stopped.</p>Then snow.</div>")
    assert [(block.node, block.text) for block in found.blocks] == [
        (1, "Rain fell all day."),
        (2, "It stopped."),
        (1, "Then snow."),
    ]


def test_nodes_know_what_is_around_them() -> None:
    found = outline('<body id=b><div class="z a z" role=MAIN hidden><p id=p7>x</p></div></body>')
    assert found.nodes == (
        Node(-1, "body", id="b"),
        Node(0, "div", classes=("a", "z"), role="main", hidden=True),
        Node(1, "p", id="p7"),
    )


def test_custom_elements_and_those_of_html_5_are_block_level_and_inline_ones_are_not() -> None:
    assert tags("<x-card>a</x-card><section>b</section><span>c</span><em>d</em>") == ["body", "x-card", "section"]


@pytest.mark.parametrize("cutter", ["<br>", "<hr>"])
def test_breaks_end_a_block(cutter: str) -> None:
    assert texts(f"<p>one{cutter}two</p>") == ["one", "two"]


@pytest.mark.parametrize("tag", ["script", "style", "noscript", "template", "button", "textarea", "select", "iframe"])
def test_what_is_no_text_is_not_read_and_what_follows_is(tag: str) -> None:
    assert texts(f"<p>one <{tag}>unread</{tag}> two</p>") == ["one two"]


@pytest.mark.parametrize(
    "attribute",
    ['style="display: none"', "style='visibility:HIDDEN'", "class=sr-only", 'class="x Visually-Hidden"'],
)
def test_inline_text_that_is_not_shown_is_not_read(attribute: str) -> None:
    assert texts(f"<p>Shown <span {attribute}>not <b>shown</b></span> too</p>") == ["Shown too"]


def test_hidden_links_are_no_open_links() -> None:
    (block,) = outline("<p><a class=sr-only>Skip</a>text</p>").blocks
    assert (block.text, block.anchor_weight) == ("text", 0)


def test_block_level_elements_that_are_hidden_are_read_and_marked() -> None:
    """Much of what a script unfolds is text."""
    found = outline("<div style='display:none'>The answer</div><div hidden>Another</div>")
    assert [node.hidden for node in found.nodes] == [False, True, True]
    assert [block.text for block in found.blocks] == ["The answer", "Another"]


def test_names_of_drawings_are_not_read_and_their_texts_are_blocks() -> None:
    drawing = "<svg><title>Icon</title><defs>d</defs><text>North</text><text>South</text></svg>"
    assert texts(f"<p>A map</p>{drawing}") == ["A map", "North", "South"]


def test_the_weight_in_links() -> None:
    whole, part = outline("<p><a href=/>Read <b>on</b></a></p><p>and <a href=/>on</a>.</p>").blocks
    assert (whole.weight, whole.anchor_weight) == (6, 6)
    assert (part.weight, part.anchor_weight) == (5, 2)


def test_significant_text_is_letters_and_digits() -> None:
    (block,) = outline("<p>Über 40 %, sagt sie!</p>").blocks
    assert (block.sig, block.weight, block.punctuation) == ("über40sagtsie", 13, 2)


def test_text_without_letters_is_no_block() -> None:
    assert texts("<p>—</p><p> </p><p>|</p>") == []


@pytest.mark.parametrize(("text", "weight"), [("rain", 4), ("pluie", 5), ("雨", 3), ("大雨です", 12), ("비", 3)])
def test_a_character_of_scripts_without_spaces_weighs_three(text: str, weight: int) -> None:
    assert weight_of(text) == weight


@pytest.mark.parametrize("text", ["雨。風、雪！", "مطر، ريح؟ ثلج۔", "Rain; wind: snow…"])
def test_punctuation_of_other_scripts_counts(text: str) -> None:
    assert outline(f"<p>{text}</p>").blocks[0].punctuation == 3


def test_pieces_lead_back_to_the_tree() -> None:
    root = parse("<p>one <b>two</b> three</p>")
    (block,) = outline_of(root).blocks
    assert [(piece.element.tag, piece.is_tail) for piece in block.pieces] == [("p", False), ("b", False), ("b", True)]
    assert outline_of(root, with_pieces=False).blocks[0].pieces == ()


def test_comments_in_a_tree_of_the_users_are_passed_over() -> None:
    root = etree.HTML("<p>one <!-- unseen --> two <?pi unseen?>three</p>")
    assert [block.text for block in outline_of(root).blocks] == ["one two three"]


@pytest.mark.parametrize("html", ["<html><frameset><frame src=a></frameset></html>", "<head><title>x</title></head>"])
def test_pages_without_a_body_have_one_element_and_no_text(html: str) -> None:
    found = outline(html)
    assert (len(found.nodes), found.nodes[0].parent, found.blocks) == (1, -1, ())


def test_what_stands_in_a_frameset_for_old_browsers_is_not_read() -> None:
    assert texts("<frameset><frame src=a></frameset><noframes>Get a browser</noframes>") in ([], ["Get a browser"])


def test_20_000_nested_elements() -> None:
    """The parser cuts off at some 2,000; a tree of the user's may be deeper."""
    root = last = etree.Element("body")
    for _ in range(20_000):
        last = etree.SubElement(last, "div")
    last.text = "deep"
    found = outline_of(root)
    assert len(found.nodes) == 20_001
    assert [(block.node, block.text) for block in found.blocks] == [(20_000, "deep")]


@given(markup())
def test_all_that_is_seen_is_read_in_order(drawn: tuple[str, str]) -> None:
    html, seen = drawn
    read = "".join("".join(texts(f"<body>{html}</body>")).split())
    assert [char for char in read if char.isalnum()] == [char for char in seen if char.isalnum()]


@given(markup())
def test_the_tree_is_not_changed_and_each_parent_comes_first(drawn: tuple[str, str]) -> None:
    root = parse(f"<body>{drawn[0]}</body>")
    before = etree.tostring(root)
    found = outline_of(root)
    assert etree.tostring(root) == before
    assert all(node.parent < index for index, node in enumerate(found.nodes))
    assert all(0 <= block.anchor_weight <= block.weight and block.weight > 0 for block in found.blocks)

"""The native writer of HTML gives what the plain one gives, whatever the tree."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer.core.pruned_html import pruned_in_python, pruned_pieces_in_python
from tests.core.test_pruned_html import NAMES, REWRITTEN_NAMES, all_pieces, nasty, some_pieces
from tests.native.test_read import DEEP, on_a_small_stack

native = pytest.importorskip("scrapy_stemmer._native.prune", exc_type=ImportError)

ODD = """<!DOCTYPE x [<!ENTITY said "<b>s</b>"><!ENTITY name "n&amp;">]>
<x xmlns:h="http://h" h:href="no" title="&name;a">a<!-- c -->b<h:img/>c&said;d<![CDATA[<e>&]]>f<?go on?>g
<p alt=" \t&#13; ">h</p><h:p>i<br/></h:p>&#xfffd;<wbr>j<img src="k"/></wbr></x>"""
"""Nearly all that XML has."""

URL = "http://a.example/d/p"


def both(root: etree._Element, pieces: list[tuple[etree._Element, bool]]) -> str:
    """What both ways of writing give; the tree is as it was."""
    before = etree.tostring(root)
    html: str = native.pruned_html(root, pieces, URL)
    assert html == pruned_in_python(root, pieces, URL)
    places = {element: number for number, element in enumerate(root.iter())}
    numbers = [2 * places[element] + is_tail for element, is_tail in pieces if element in places]
    assert native.pruned_pieces(root, root, numbers, URL) == pruned_pieces_in_python(root, root, numbers, URL)
    assert etree.tostring(root) == before
    return html


@given(nasty(names=NAMES + REWRITTEN_NAMES) | nasty(names=REWRITTEN_NAMES), st.data())
def test_the_same_is_written(root: etree._Element, data: st.DataObject) -> None:
    both(root, some_pieces(data, root))


@given(st.text(alphabet="<>/=\"'&;!-? abdfhijoprsv:[]\x01\ufffe\uffff\r\né日\U0001f600"), st.data())
def test_of_any_markup(text: str, data: st.DataObject) -> None:
    root = etree.HTML(text.encode() or b"<p>", etree.HTMLParser(encoding="utf-8"))
    if root is not None:
        both(root, some_pieces(data, root))


@pytest.mark.parametrize("icon", ["\ue000", "\uf8ff", "\uf000", "\uf900", "\ud7ff", "\ue000a", "\ue000\ue000", "é"])
def test_icons_are_left_out(icon: str) -> None:
    root = etree.XML(f"<p><i>{icon}</i>{icon}<b>{icon}<!-- x --></b>a</p>")
    assert both(root, all_pieces(root)) == both(root, all_pieces(root)[::-1])
    parted = etree.XML("<p><i>\ue000</i>a</p>")
    parted[0].append(etree.Entity("x"))
    assert "\ue000" not in native.pruned_pieces(parted, parted, [2, 3])


@given(st.data())
def test_of_odd_trees(data: st.DataObject) -> None:
    parser = etree.XMLParser(resolve_entities=False, strip_cdata=False)
    root = etree.XML(ODD, parser)
    every = [(element, is_tail) for element in root.iter() for is_tail in (False, True)]
    both(root, data.draw(st.lists(st.sampled_from(every), unique=True)))


@given(st.text(alphabet="jJvdDaAsScCrRiIpPbBtTeExX:: \t\n\r\x7f\ufffeéſK"))
def test_of_any_value(value: str) -> None:
    root = etree.XML("<p>a</p>")
    etree.SubElement(root, "a")
    for address in (value, f"java{value}script:x", f"{value}data:text"):
        try:
            root[0].set("href", address)
        except ValueError:
            continue
        both(root, [(root, False), (root[0], False)])


def test_pieces_of_another_tree_hold_nothing() -> None:
    root, other = etree.XML("<p>a<b>c</b></p>"), etree.XML("<p>b</p>")
    assert both(root, [(other, False)]) == "<p></p>"
    assert both(root, [(other, False), (root[0], False)]) == "<b>c</b>"


def test_a_comment_may_be_the_root() -> None:
    root = etree.Comment("a & b")
    assert both(root, [(root, False), (root, True)]) == "<span>a &amp; b</span>"


@pytest.mark.slow
def test_many_pieces_in_a_deep_tree() -> None:
    root = etree.Element("div")
    element = root
    for number in range(DEEP):
        element.text = str(number)
        element = etree.SubElement(element, ("i", "p", "x-y", "o.p")[number % 4])
        element.tail = "t"
    html = on_a_small_stack(lambda: both(root, all_pieces(root)))
    assert html.count("t</") == DEEP


def test_any_names() -> None:
    root = etree.Element("div")
    for number in range(500):
        etree.SubElement(root, f"n{number}").text = "a"
    assert len(both(root, all_pieces(root))) > 500


@pytest.mark.parametrize("wrong", [None, "a", 1])
def test_what_is_no_element_is_refused(wrong: Any) -> None:
    root = etree.Element("p")
    with pytest.raises(TypeError):
        native.pruned_html(wrong, [])
    with pytest.raises(TypeError):
        native.pruned_html(root, [(wrong, False)])
    with pytest.raises((TypeError, ValueError)):
        native.pruned_html(root, [wrong])


def test_an_element_without_a_node_is_refused() -> None:
    root, made = etree.Element("p"), etree._Element.__new__(etree._Element)
    with pytest.raises(TypeError):
        native.pruned_html(made, [(root, False)])
    with pytest.raises(TypeError):
        native.pruned_html(root, [(made, True)])

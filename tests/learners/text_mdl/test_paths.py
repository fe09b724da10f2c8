"""The paths of a page's tree."""

from __future__ import annotations

import pytest
from hypothesis import given
from lxml import etree

from scrapy_stemmer.core.document import parse
from scrapy_stemmer.core.text import collapse
from scrapy_stemmer.learners.text_mdl.paths import (
    ROOT,
    as_paths,
    element_paths,
    example_of,
    text_path,
    text_paths,
)
from tests.strategies import markup


def tags_of(html: str) -> set[str]:
    """The paths of a page's elements, readable: names joined by slashes."""
    return {"/".join(named(element)) for element in element_paths(parse(html))}


def named(element: etree._Element) -> list[str]:
    return [str(ancestor.tag) for ancestor in reversed([element, *element.iterancestors()])]


def texts_of(html: str) -> list[str]:
    return list(text_paths(element_paths(parse(html))).values())


def test_a_path_is_the_names_from_the_root_on() -> None:
    assert tags_of("<div><p>one</p><p>two</p></div>") == {"html", "html/body", "html/body/div", "html/body/div/p"}


def test_elements_of_one_path_have_one_hash() -> None:
    paths = element_paths(parse('<ul><li class="a">1</li><li id="b">2</li></ul><ol><li>3</li></ol>'))
    items = [path for element, path in paths.items() if element.tag == "li"]
    assert items[0] == items[1] != items[2]


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        pytest.param("<p>a <b>b</b> c</p>", ["a", "c", "b"], id="text, then tails, then what is inside"),
        pytest.param("<p> a \n  b </p>", ["a b"], id="white space is collapsed"),
        pytest.param("<p>a</p><p>a</p>", ["a"], id="one place and wording counts once"),
        pytest.param("<p>a</p><div>a</div>", ["a", "a"], id="the same wording elsewhere is another path"),
        pytest.param("<p>a<script>x</script>b</p><svg><text>y</text></svg>", ["a", "b"], id="what is not seen"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_texts(html: str, texts: list[str]) -> None:
    assert texts_of(html) == texts


def test_a_text_is_no_element() -> None:
    assert len({text_path(ROOT, "p"), *element_paths(etree.Element("p")).values()}) == 2


def test_comments_in_a_given_tree_do_not_hide_the_text_after_them() -> None:
    root = etree.fromstring("<p>a<!-- x -->b<?y?>c</p>")
    assert list(text_paths(element_paths(root)).values()) == ["a", "b", "c"]


def test_the_root_of_a_part_of_a_tree_has_no_path_above_it() -> None:
    whole = etree.fromstring("<html><body><p/></body></html>")
    part = whole[0]
    assert list(element_paths(part).values()) == list(element_paths(etree.fromstring("<body><p/></body>")).values())


def test_a_page_of_20_000_nested_elements() -> None:
    root = innermost = etree.Element("html")
    for _ in range(20_000):
        innermost = etree.SubElement(innermost, "div")
    innermost.text = "deep"
    elements = element_paths(root)
    assert len(set(elements.values())) == 20_001
    assert len(text_paths(elements)) == 1


def test_an_example_shows_the_innermost_elements() -> None:
    *_, item = element_paths(parse("<div><ul><li><a>x</a></li></ul></div>"))
    assert example_of(item) == "ul/li/a"
    assert example_of(etree.Element("html")) == "html"


def test_documents_are_sorted_and_distinct() -> None:
    assert as_paths([3, 1, 3, 2**64 - 1]).tolist() == [1, 3, 2**64 - 1]


@given(markup())
def test_every_word_that_is_seen_is_in_a_text(drawn: tuple[str, str]) -> None:
    html, seen = drawn
    found = " ".join(texts_of(f"<html><body><div>{html}</div></body></html>"))
    assert set("".join(collapse(seen).split())) <= set(found)

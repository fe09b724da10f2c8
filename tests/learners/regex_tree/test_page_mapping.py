"""What a template says of the leaves of a page."""

from __future__ import annotations

import pytest

from scrapy_stemmer.core.document import parse
from scrapy_stemmer.learners.regex_tree.page_mapping import map_page
from scrapy_stemmer.learners.regex_tree.template_tree import CHOICE, GROUP, TEXT, Feature, Item, Leaf


def known(text: str, share: float) -> Item:
    return Item(TEXT, noise={Feature("text", text): share})


def seen(text: str, link: str = "") -> Item:
    features = [Feature("text", text), *([Feature("link", link)] if link else [])]
    return Item(TEXT, leaves=[Leaf(parse("<p>x</p>"), False, len(text), tuple(features))])


def noise(template: Item, page: Item) -> list[float]:
    return list(map_page(template, page).noise.values())


def body(*kids: Item) -> Item:
    return Item("body", list(kids))


def test_a_leaf_gets_the_confidence_of_its_text() -> None:
    template = body(Item("p", [known("Home", 0.8)]))
    assert noise(template, body(Item("p", [seen("Home")]))) == [0.8]
    assert noise(template, body(Item("p", [seen("Other")]))) == [0.0]


def test_text_in_a_link_gets_the_higher_one_of_text_and_link() -> None:
    leaf = Item(TEXT, noise={Feature("text", "Home"): 0.4, Feature("link", "/"): 0.9})
    assert noise(body(leaf), body(seen("Home", "/"))) == [0.9]
    assert noise(body(leaf), body(seen("Home", "/x"))) == [0.4]


def test_a_leaf_that_the_template_lacks_has_none() -> None:
    assert noise(body(Item("p", [known("Home", 1.0)])), body(Item("ul", [seen("Home")]))) == []


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


def test_the_items_that_the_page_has_are_known() -> None:
    template = body(Item("h1"), Item("p"))
    found = map_page(template, body(Item("p"))).found
    assert found == {id(template), id(template.kids[1])}

"""The selector of a field from its value on a page."""

from __future__ import annotations

import pytest
from lxml import etree

from scrapy_stemmer.fields.examples import near_texts, rules_tried
from scrapy_stemmer.page.document import parse


def shop(number: int) -> etree._Element:
    """Return a page whose values tell its number."""
    return parse(
        f"<h1>Thing {number}</h1><div class='buy x{number}'><b class=price>£{number}.90</b> <i>incl. VAT</i></div>"
        f"<p>Code: X-{number}</p><meta itemprop=weight content={number}><table><tr><th>Colour<td>red {number}"
        f"<tr><th>Size<td>{number} m</table><ul class=sizes><li>S{number}<li>M{number}</ul>"
        "<aside><b class=price>£5</b><b class=price>£6</b></aside><p id=only>The same</p>"
    )


OTHERS = [shop(number) for number in range(10, 15)]


@pytest.mark.parametrize(
    ("name", "values", "line"),
    [
        ("price", ["3.90"], "price .buy .price"),
        ("price", ["£3.90"], "price .buy .price"),
        ("offer", ["£3.90"], "offer .buy .price"),
        ("title_of_it", ["Thing 3"], "title_of_it h1"),
        ("number", ["3"], 'number [itemprop="weight"] @content'),
        ("code", ["X-3"], "code p after Code:"),
        ("colour", ["red 3"], 'colour //th[normalize-space()="Colour"]/following-sibling::td[1]'),
        ("sizes", ["S3", "M3"], "sizes .sizes li (all)"),
        ("note", ["The same"], "note #only"),
    ],
)
def test_the_rule_gives_the_value_and_one_on_all_other_pages(name: str, values: list[str], line: str) -> None:
    best = rules_tried(name, [(shop(3), tuple(values))], OTHERS)[0]
    assert best.rule.line == line
    assert (best.having, best.is_usual) == (5, True)


def test_a_rule_is_right_on_all_examples() -> None:
    pages = [parse(f"<p><b class=a>1</b><b class=b>{each}</b></p>") for each in (1, 2)]
    best = rules_tried("it", [(pages[0], ("1",)), (pages[1], ("2",))], [])[0]
    assert best.rule.line == "it .b"
    assert rules_tried("it", [(pages[0], ("1",)), (pages[1], ("3",))], []) == []


@pytest.mark.parametrize("others", [[parse("<p>1</p>")] * 3, [parse("<i>1</i>"), parse("<p>1</p>")]])
def test_a_value_on_half_of_the_pages_or_fewer_is_not_usual(others: list[etree._Element]) -> None:
    (best, *_) = rules_tried("it", [(parse("<div><i>1</i></div>"), ("1",))], others)
    assert not best.is_usual


def test_of_places_that_are_alike_the_one_called_as_the_field_is_taken() -> None:
    page = parse("<p class=a>20</p><p class='big-price'>20</p><img width=20 alt=20>")
    best, *others = rules_tried("price", [(page, ("20.00",))], [])
    assert best.rule.line == "price .big-price"
    assert all("@width" not in tried.rule.target for tried in others)


def test_names_with_numbers_are_of_one_page() -> None:
    page = parse("<div id=item-1><b class=v-7>one</b></div>")
    assert {tried.rule.target for tried in rules_tried("it", [(page, ("one",))], [])} == {"b", "div", "div > b"}


def test_what_is_nowhere_as_a_whole_has_near_texts() -> None:
    assert rules_tried("stock", [(shop(3), ("3.9",))], OTHERS) == []
    assert near_texts("3.9", shop(3))[:2] == ["£3.90", "£3.90 incl. VAT"]
    assert near_texts("gone", shop(3)) == []

"""Fields that users name: what CSS and XPath find, and what they are called."""

from __future__ import annotations

import re

import pytest

from scrapy_stemmer.fields.own import MAX_XPATH_ELEMENTS, check_name, text_of
from scrapy_stemmer.fields.rules import FIELD_ACTIONS, FieldRule, own_values
from scrapy_stemmer.fields.selecting import finder
from scrapy_stemmer.page.document import parse
from tests.fields.pages import read_page

PAGE = """
<p class=price data-cents=1990>£19.90 <s>£25</s></p><p class=code>Item no.: X-1</p>
<ul class=sizes><li>S<li> M <li><li>L</ul><dl><dt>Weight<dd>2 kg<dt>Colour<dd>red<br>and <b>b</b>lue</dl>
"""


def rule(target: str, name: str = "it", after: str = "", *, has_all: bool = False) -> FieldRule:
    return FieldRule(name, target, after, is_users=True, has_all=has_all)


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        (rule(".price"), "£19.90 £25"),
        (rule(".price", "price"), "19.90"),
        (rule(".price @data-cents"), "1990"),
        (rule(".price @title"), None),
        (rule(".code", after="Item no."), "X-1"),
        (rule(".code", after="Number"), None),
        (rule(".sizes li"), "S"),
        (rule(".sizes li", has_all=True), ("S", "M", "L")),
        (rule("//dt[.='Weight']/following-sibling::dd[1]"), "2 kg"),
        (rule("//dd[2]"), "red and blue"),
        (rule("//p/@data-cents"), "1990"),
        (rule("//li/text()", has_all=True), ("S", "M", "L")),
        (rule("(//dd)[last()]"), "red and blue"),
        (rule("//p @data-cents"), "1990"),
        (rule(".none"), None),
    ],
)
def test_a_field_has_the_first_text_or_all(asked: FieldRule, value: object) -> None:
    found = read_page(PAGE, (asked,))
    assert found.as_dict().get(asked.action) == (list(value) if isinstance(value, tuple) else value)
    assert found.sources.get(asked.action) == (None if value is None else "rule")


def test_the_first_rule_with_a_value_counts() -> None:
    rules = (rule(".none"), rule(".code"), rule(".price"))
    assert read_page(PAGE, rules).own == {"it": "Item no.: X-1"}


def test_a_rule_precedes_what_the_page_declares() -> None:
    head = "<meta property=product:price:amount content=25>"
    assert read_page(head + PAGE).price == "25"
    assert read_page(head + PAGE, (rule(".price", "price"),)).price == "19.90"
    assert read_page(head + PAGE, (rule(".none", "price"),)).price == "25"


def test_the_currency_is_that_of_a_price_found_by_a_rule() -> None:
    head = "<meta property=product:price:currency content=CHF>"
    assert read_page(head + PAGE, (rule(".price", "price"),)).currency == "CHF"
    found = read_page(PAGE, (rule(".none", "price"), rule(".price", "price", has_all=True)))
    assert (found.currency, found.sources["currency"]) == ("GBP", "rule")
    assert read_page(PAGE, (rule(".code", "price"),)).currency is None


def test_a_field_may_name_the_breadcrumbs() -> None:
    found = read_page(PAGE, (rule(".sizes li", "breadcrumbs", has_all=True),))
    assert found.breadcrumbs == ("S", "M", "L")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("two words", "can't name a field"),
        ("", "can't name a field"),
        ("a" * 51, "can't name a field"),
        ("text", "is the name of another result"),
        ("changed", "is the name of another result"),
        ("stemmer_kind", "is the name of another result"),
        ("authors", 'has rules of its own, such as {"authors": ".authors"}'),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(name: str, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        check_name(name, FIELD_ACTIONS)


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("//p[", "is no XPath"),
        ("//a:p", "is no XPath"),
        ("(1 + 1)", "finds a float"),
        ("//namespace::*", "finds a namespace"),
        ("p:::x", "is no CSS selector"),
        ("p ~ p ~ p", "would take minutes"),
    ],
)
def test_a_selector_that_cannot_be_used_is_refused(target: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        rule(target)


def test_xpath_is_not_tried_on_a_page_where_it_may_take_long(caplog: pytest.LogCaptureFixture) -> None:
    page = "<i></i>" * MAX_XPATH_ELEMENTS + PAGE
    assert read_page(page, (rule("//p"),)).own == {}
    assert "use CSS" in caplog.text
    assert read_page(page, (rule("p"),)).own == {"it": "£19.90 £25"}


def test_namespaces_that_xpath_finds_on_a_page_are_no_values() -> None:
    assert read_page(PAGE, (rule("//p/namespace::* | //li/text()"), rule("//li/namespace::*", "no"))).own == {"it": "S"}


def test_a_rule_that_fails_on_a_page_costs_only_its_own_field(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing, good = rule("//p", "first"), rule(".code", "second", "Item no.")

    def read(rule: FieldRule, root: object) -> tuple[str, ...]:
        if rule is failing:
            raise TypeError("no text")
        return own_values(rule, root)  # type: ignore[arg-type]

    monkeypatch.setattr("scrapy_stemmer.fields.rules.own_values", read)
    assert read_page(PAGE, (failing, good)).own == {"second": "X-1"}
    assert read_page(PAGE, (failing, good)).failed == ("first",)
    assert caplog.text.count("The rule 'first //p' fails on") == 1


def test_xpath_with_an_unknown_function_finds_nothing_and_the_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    assert read_page(PAGE, (rule("//p[lower(.)]"), rule("//dd"))).own == {"it": "2 kg"}
    assert "The rule 'it //p[lower(.)]' fails on" in caplog.text
    assert "Unregistered function" in caplog.text


def test_the_text_of_an_element_has_no_scripts_and_keeps_blocks_apart() -> None:
    (box,) = finder("div")(parse("<div>a<b>b</b>c<script>x<!--y--></script>d<p>e</p><p>f<!-- no -->g</p>h</div>i"))
    assert text_of(box) == "abc d e fg h"

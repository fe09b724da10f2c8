"""Elements of a CSS selector: equal to XPath, in work that grows with the page."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer.fields.selecting import CssFinder, SelectorError
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.page.selectors import xpath_of
from tests.counting import steps_of

COMPONENTS = ["div", "p", "*", ".a", "p.b", "#i", "p:first-child", "p:nth-of-type(2n)", ":not(.a)", "[class=b]"]

selectors = st.lists(
    st.lists(st.sampled_from(COMPONENTS), min_size=1, max_size=4).flatmap(
        lambda components: st.lists(
            st.sampled_from([" ", " > ", " + ", " ~ "]), min_size=len(components) - 1, max_size=len(components) - 1
        ).map(lambda signs: components[0] + "".join(map("".join, zip(signs, components[1:], strict=True))))
    ),
    min_size=1,
    max_size=2,
).map(", ".join)

trees = st.recursive(
    st.sampled_from(["<p>x</p>", "<p class=a id=i>x</p>", "<p class=b>x</p>", "<!-- no element -->", "text"]),
    lambda inside: st.tuples(st.sampled_from(["div", "div class=a", "div id=i"]), st.lists(inside, max_size=4)).map(
        lambda made: f"<{made[0]}>{''.join(made[1])}</div>"
    ),
    max_leaves=25,
)


@given(css=selectors, tree=trees)
def test_they_are_those_of_xpath_in_the_order_of_the_page(css: str, tree: str) -> None:
    root = parse(f"<body>{tree}</body>")
    assert CssFinder(css)(root) == etree.XPath(xpath_of(css))(root)


@pytest.mark.parametrize("css", ["p ~ p", "p + p + p", "div p", "div div p", "* * p", "* > * ~ p"])
def test_the_work_grows_with_the_page(css: str) -> None:
    find = CssFinder(css)

    def work(times: int) -> int:
        root = parse(f"{'<div>' * times}{'<p>text</p>' * times}{'</div>' * times}")
        return steps_of(lambda: find(root))

    assert work(800) < 6 * work(200)


@pytest.mark.parametrize(
    ("css", "html"),
    [
        ("p:nth-child(2)", "<p>text</p>" * 9_000),
        ("p:contains('text')", f"{'<div>' * 1_000}{'<p>text</p>' * 20_000}"),
        ("p:nth-last-of-type(2)", "<p>text</p>" * 9_000),
    ],
)
def test_what_would_look_at_each_sibling_or_ancestor_is_not_tried_on_pages_of_very_many(css: str, html: str) -> None:
    with pytest.raises(SelectorError, match=re.escape(css)):
        CssFinder(css)(parse(html))
    assert len(CssFinder(css)(parse(html.replace("<p>text</p>", "", 880).replace("<div>", "", 400)[:9000]))) > 0


def test_a_selector_of_very_many_components_is_refused() -> None:
    with pytest.raises(ValueError, match="101 components; 100 are allowed"):
        CssFinder(" ~ ".join(["p"] * 101))

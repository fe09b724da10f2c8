"""Selectors by people, selectors by the learner, and matches."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree
from lxml.cssselect import CSSSelector

from scrapy_stemmer.learners.rules.site.paths import Component, Paths
from scrapy_stemmer.page.selectors import MAX_STEPS, Selector, Step, escaped, written


def step(tag: str, *names: str, child: bool = False) -> Step:
    return Step(tag, frozenset(names), child)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("p", [step("p")]),
        (".post", [step("", ".post")]),
        ("*", [step("")]),
        ("div#main.wide.dark", [step("div", "#main", ".wide", ".dark")]),
        ("div#main > p", [step("div", "#main"), step("p", child=True)]),
        ("#content .box", [step("", "#content"), step("", ".box")]),
        ("#a>.b .c", [step("", "#a"), step("", ".b", child=True), step("", ".c")]),
        ("  .a   >  p ", [step("", ".a"), step("p", child=True)]),
        (r".md\:flex", [step("", ".md:flex")]),
        (r".a\.b", [step("", ".a.b")]),
        (r"#a\ b > p", [step("", "#a b"), step("p", child=True)]),
        (r"#a\>b", [step("", "#a>b")]),
        (".記事", [step("", ".記事")]),
        (r"#\31 23abc > .\32 col", [step("", "#123abc"), step("", ".2col", child=True)]),
        (r".\--x.-\31", [step("", ".--x", ".-1")]),
        ("html > body > div.a", [step("body"), step("div", ".a", child=True)]),
    ],
)
def test_what_selectors_mean(text: str, steps: list[Step]) -> None:
    assert Selector.parse(text).steps == tuple(steps)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no CSS selector"),
        ("p >", "no CSS selector"),
        (".", "no CSS selector"),
        ("p\\", "no CSS selector"),
        (".2col", "no CSS selector"),
        ("/html/body/div[2]", "no CSS selector"),
        ("p:hover", "':hover'; a rule goes by tags"),
        ("#main > div:nth-child(2) > p", r"':nth-child\(2\)'; a rule goes by tags"),
        ("div.a:not(.b)", r"':not\(.*b\)'; a rule goes by tags"),
        ("a[href]", r"'\[href\]'; a rule goes by tags"),
        ("h1 + p", r"'\+'; a rule goes by tags"),
        ("svg|a", r"'svg\|'; a rule goes by tags"),
        ("p, div", "2 selectors; write a rule for each"),
        ("p::text", "a part of an element, 'text'"),
    ],
)
def test_what_is_no_selector_is_refused_with_the_place(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem) as caught:
        Selector.parse(text)
    assert repr(text) in str(caught.value)


def test_selectors_are_written_as_they_were_read_but_for_white_space() -> None:
    assert str(Selector.parse("  #a>p   .b")) == "#a > p .b"
    assert Selector.parse(".a  p") == Selector.parse(".a p")


def test_the_names_in_a_selector() -> None:
    assert Selector.parse("#a.b > p.c").names == {"#a", ".b", ".c"}


NAME = st.text(st.characters(exclude_characters="\0\\", exclude_categories=["Cs"]), min_size=1, max_size=6)
TAG = st.sampled_from(["p", "x-y", "o:p", "my-card.v2", "é-x"])


@example("p", [".--active"])
@given(TAG, st.lists(st.tuples(st.sampled_from("#."), NAME).map("".join), max_size=3, unique=True))
def test_what_is_written_is_read_again_whatever_is_in_names(tag: str, names: list[str]) -> None:
    (step,) = Selector.parse(written(tag, names)).steps
    assert step == Step(tag, frozenset(names))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("2col", r"\32 col"),
        ("-1", r"-\31 "),
        ("--x", r"\--x"),  # browsers leave it, cssselect refuses it
        ("-", r"\-"),
        ("md:flex", r"md\:flex"),
        ("a b", r"a\ b"),
        ("a\nb", r"a\a b"),
        ("x-2_é", "x-2_é"),
    ],
)
def test_names_are_escaped_as_browsers_do(name: str, expected: str) -> None:
    assert escaped(name) == expected


@given(st.text(alphabet="ab#.> \\*:\n[]é", max_size=10))
def test_any_other_text_is_a_selector_or_a_value_error(text: str) -> None:
    try:
        selector = Selector.parse(text)
    except ValueError:
        return
    assert Selector.parse(str(selector)) == selector


COMPONENTS = st.builds(
    lambda tag, names: Component(tag, tuple(sorted(names))),
    st.sampled_from(["p", "div", "ul"]),
    st.sets(st.sampled_from(["#i", ".a", ".b", r".c:d"]), max_size=2),
)


@st.composite
def trees(draw: st.DrawFn) -> tuple[Paths, list[etree._Element]]:
    """Return paths, and a tree with an element at each path."""
    known, elements = Paths(), [etree.Element("body")]
    known.child(-1, Component("body"))
    for part in draw(st.lists(COMPONENTS, max_size=8)):
        parent = draw(st.integers(0, len(elements) - 1))
        if known.child(parent, part) == len(elements):
            element = etree.SubElement(elements[parent], part.tag)
            element.set("class", " ".join(name[1:] for name in part.names if name[0] == "."))
            element.set("id", " ".join(name[1:] for name in part.names if name[0] == "#"))
            elements.append(element)
    return known, elements


@st.composite
def selectors(draw: st.DrawFn) -> str:
    parts = draw(st.lists(COMPONENTS, min_size=1, max_size=3))
    text = written(parts[0].tag, parts[0].names)
    for part in parts[1:]:
        tag = draw(st.sampled_from([part.tag, ""])) if part.names else part.tag
        text += draw(st.sampled_from([" ", " > "])) + written(tag, part.names)
    return text


@given(trees(), selectors())
def test_selectors_match_what_css_says(made: tuple[Paths, list[etree._Element]], text: str) -> None:
    known, elements = made
    selector = Selector.parse(text)
    ours = {elements[path] for path in range(len(known)) if selector.matches(known, path)}
    assert ours == set(CSSSelector(text)(elements[0]))


def test_a_selector_that_nobody_can_read_is_refused() -> None:
    assert len(Selector.parse(" > ".join(["div"] * MAX_STEPS)).steps) == MAX_STEPS
    with pytest.raises(ValueError, match="components"):
        Selector.parse(" > ".join(["div"] * 2000))

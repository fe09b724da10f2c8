"""Selectors and their consolidation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.core.document import parse
from scrapy_stemmer.learners.visual.block_selectors import MAX_DEPTH, Levels, Selector, Step, consolidated


def selectors(*texts: str) -> list[Selector]:
    return [Selector.parse(text) for text in texts]


STEPS = st.builds(
    Step,
    tag=st.sampled_from(("div", "p", "o:p", "x-y")),
    id=st.sampled_from(("", "a-386", "main")),
    classes=st.frozensets(st.sampled_from(("p1", "p9", "article", "a_b", "Long-name"))),
)
SELECTORS = st.lists(STEPS, max_size=5).map(lambda steps: Selector(tuple(steps)))


def test_the_micro_example() -> None:
    """Algorithms §6.4, after the paper's §6."""
    found = consolidated(
        selectors(
            "body > div#a-386.article > div.p1 > p.p1.paragraph",
            "body > div#a-2383.article > div.p9 > p.p9.paragraph",
        )
    )
    assert list(map(str, found)) == ["body > div.article > div > p.paragraph"]


def test_only_selectors_of_one_path_are_consolidated() -> None:
    found = consolidated(selectors("body > div.aa > p", "body > div.bb", "body > div.bb > p", "body"))
    assert list(map(str, found)) == ["body", "body > div.bb", "body > div > p"]


@given(st.lists(SELECTORS, max_size=6))
def test_a_group_at_once_is_every_pair_in_turn(some: list[Selector]) -> None:
    """The paper intersects every pair; what is left in the end is the same for all of a group."""
    in_turn = dict.fromkeys(some)
    for _ in some:
        in_turn = {first.common(second): None for first in in_turn for second in in_turn if first.path == second.path}
    least = [s for s in in_turn if all(s.admits(other) for other in in_turn if other.path == s.path)]
    assert sorted(map(str, consolidated(some))) == sorted(map(str, least))


@given(SELECTORS)
def test_text_and_back(selector: Selector) -> None:
    assert Selector.parse(str(selector)) == selector


@pytest.mark.parametrize("text", ["", "html > body", "body > ", "body > .a", "body > p#", "body > p.1", "body>p", "p"])
def test_what_is_no_selector(text: str) -> None:
    with pytest.raises(ValueError, match="is not a selector"):
        Selector.parse(text)


def test_a_selector_admits_what_has_all_that_it_asks_for() -> None:
    rule, same, more, less, deeper = selectors(
        "body > div.aa > p",
        "body > div.aa > p",
        "body > div#x.aa.bb > p.cc",
        "body > div.bb > p",
        "body > div.aa > p > p",
    )
    assert [rule.admits(other) for other in (same, more, less, deeper)] == [True, True, False, False]


def test_vague_selectors() -> None:
    vague, named, classed = selectors("body > div > p", "body > div#a > p", "body > div > p.xx")
    assert [vague.is_vague, named.is_vague, classed.is_vague] == [True, False, False]


def test_steps_of_elements() -> None:
    root = parse(
        "<body><div id='a b' class='Big 1st x _y ok-1'><o:p id='x'>t</o:p></div>"
        "<table><tr><td>t</td></tr></table><table><tbody><tr><td>t</td></tr></tbody></table></body>"
    )
    levels = Levels(root)
    first, *cells = [element for element in root.iter() if element.text]
    assert str(levels.selector(first)) == "body > div.Big.ok-1 > o:p#x"
    assert [levels.path(cell) for cell in cells] == ["table/tr/td"] * 2, "a browser adds tbody"


def test_a_page_whose_author_left_out_the_body() -> None:
    """The parser does not know ``main`` and takes it for a part of the head."""
    root = parse("<title>t</title><main><p>a</p></main><p>b</p>")
    levels = Levels(root)
    assert [levels.path(element) for element in root.iter("p")] == ["main/p", "p"]
    assert str(levels.selector(root)) == "body"


def test_elements_of_another_tree() -> None:
    levels = Levels(parse("<p>a"))
    other = parse("<p>b")
    with pytest.raises(ValueError, match="another tree"):
        levels.path(other[0])
    with pytest.raises(ValueError, match="another tree"):
        levels.selector(other[0])


def test_levels_end_somewhere() -> None:
    """The square of 20,000 levels would be too much; what is deeper is part of what is above."""
    root = parse("<body>" + "<div>" * 20_000)
    levels = Levels(root)
    *_, deepest = root.iter()
    assert levels.path(deepest) == "/".join(["div"] * MAX_DEPTH)
    assert len(levels.selector(deepest).steps) == MAX_DEPTH


def test_a_selector_of_a_container_holds_what_is_below() -> None:
    text, below, other, beside = selectors(
        "body > div.aa > p", "body > div#x.aa > ul > li", "body > div.bb > p", "body > div.aa"
    )
    assert str(text.container) == "body > div.aa"
    assert [text.container.holds(found) for found in (text, below, other, beside)] == [True, True, False, False]
    assert beside.container.holds(text), "the body holds all"

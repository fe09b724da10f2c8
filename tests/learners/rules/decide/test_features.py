"""Features of the scorer on tiny pages; ``tests/engine/test_score.py`` has any pages, ``tests/golden`` more values."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from scrapy_stemmer.learners.rules.decide.features import FEATURE_NAMES
from scrapy_stemmer.learners.rules.decide.scorer import features
from scrapy_stemmer.learners.rules.site.hints import FAR, PathFeatures
from tests.learners.rules.made import facts, row, rows

NAN = math.nan
LONG = "Long text of a page. " * 9
OWN = f"<div><p>{LONG}</p><p>One</p></div><div><p><a href=/>Two</a></p></div>"
ALIKE = "".join(f"<div class=x{number}><p>{LONG}{number}</p></div>" for number in "abc")
SECTIONS = (
    f"<nav>x</nav><main><section><h2>A</h2><p>{LONG}</p></section><section><p>{LONG}!</p><p>B</p></section></main>"
)
IN_NAV = "<nav><div><div><div><ul class=share><li>x</ul></div></div></div></nav>"
DEEP = "<div>" * 200 + "x" + "</div>" * 200 + "<p>y</p>"

FEATURES: dict[str, tuple[str, str, dict[str, float]]] = {
    "half of it a link": ("<p><a href=/>Some</a> text</p>", "Some text", {"link": 0.5, "last_mark": 0}),
    "all of it a link": ("<p><a href=/>Some text</a></p>", "Some text", {"link": 1}),
    "ends of sentences": ("<p>One. Two! Three</p>", "One. Two! Three", {"ends": 2}),
    "digits": ("<p>ab 12</p>", "ab 12", {"digit_share": 0.5, "capital": 0}),
    "lengths of words": ("<p>ab cdef</p>", "ab cdef", {"word_length": 3}),
    "a time": ("<p><time>2 March</time></p>", "2 March", {"time": 1}),
    "a tag that counts as another": ("<h5>x</h5>", "x", {"tag_h3": 1}),
    "levels up to elements around": (
        "<article><div><p>x</p></div></article>", "x", {"in_article": 2, "in_nav": FAR, "depth": 3}),
    "elements around that hold no text on nearly all sites": (
        IN_NAV, "x", {"noise_nearest": 1, "noise_count": 2, "noise_near_count": 1}),
    "the body counts for nothing": (
        "<body class=sidebar hidden><p>x</p></body>", "x", {"name_sidebar": FAR, "name_hidden": FAR}),
    "a deep page": (DEEP, "x", {"depth": 200, "up4_own_share": 0.5}),
    "how often it stands on its own page": ("<p>More</p><p>One</p><p>More</p>", "More", {"same_page": 2}),
    "no other page is known": (
        "<p><a href=/>One</a></p>", "One", {"repeated": NAN, "repeated_any": NAN, "others": 0}),
    "text amid the page's own": (
        OWN, "One", {"up1_link": 0, "up1_own_share": 1, "in_best": 1}),
    "a link beside it": (OWN, "Two", {"up1_link": 1, "up1_own_share": 0, "in_holding": 0, "below_holding": -1}),
    "neighbours, and none at the ends": (
        "<h2>A</h2><p>B</p><p>C</p>", "B",
        {"after1_same_path": 1, "before1_same_path": 0, "before2_length": NAN, "after2_length": NAN}),
    "blocks on the same path": (
        "<ul><li>A<li>B<li>C</ul><p>x</p>", "A", {"path_count": 3, "up0_siblings": 3}),
    "blocks of the same depth and tags, whatever their names": (
        f"{ALIKE}<div><span><b>x</b></span></div>", f"{LONG}a".strip(), {"shape_count": 3, "path_count": 1}),
    "a heading of a section": (
        SECTIONS, "A",
        {"section_blocks": 2, "section_heading": 1, "section_position": 0, "section_link": 0}),
    "outside of the region there is no section": (
        f"<nav><a href=/>Home</a></nav><main><p>{LONG}</p><p>{LONG}!</p></main>", "Home", {"section_blocks": NAN}),
    "the place on the page": (
        "<p>A</p><p>B</p><p>C</p><p>D</p>", "C", {"from_start": 2, "from_end": 2, "position": 0.5}),
    "no running text around": ("<p>A</p>", "A", {"own_before": NAN, "from_title": NAN}),
    "the title": ("<p>A</p><h1>B</h1><p>C</p>", "B", {"from_title": 0}),
    "links of a block and around it": (
        "<div><p><a href=/a>A</a> <a href=/b>B</a></p><p><a href=/c>C</a></p></div>", "A B",
        {"links": 2, "up1_links": 3}),
}  # fmt: skip


@pytest.mark.parametrize(("html", "text", "expected"), FEATURES.values(), ids=FEATURES)
def test_features_of_a_block(html: str, text: str, expected: dict[str, float]) -> None:
    found = row(html, text)
    assert {name: found[name] for name in expected} == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("tag", ["p", "h1", "h2", "li", "pre", "section"])
def test_the_tag_of_a_block(tag: str) -> None:
    (found,) = rows(f"<{tag}>x</{tag}>")
    assert [name for name in FEATURE_NAMES if name.startswith("tag_") and found[name]] == [f"tag_{tag}"]


@pytest.mark.parametrize(
    ("markup", "feature"),
    [
        ("<ol><li>x</ol>", "in_ul"),
        ("<div role=navigation><p>x</p></div>", "in_nav"),
        ("<div role=Banner><p>x</p></div>", "in_header"),
        ("<table><tr><td>x</table>", "in_table"),
    ],
)
def test_elements_and_aria_roles_that_count_as_others(markup: str, feature: str) -> None:
    assert row(markup, "x")[feature] < FAR


@pytest.mark.parametrize("attribute", ["hidden", "style=display:none", "class=d-none"])
def test_what_is_hidden(attribute: str) -> None:
    assert row(f"<div {attribute}><p>x</p></div>", "x")["name_hidden"] == 1


def test_the_share_of_the_other_pages_that_have_a_text() -> None:
    one, none = (row("<p>Menu</p><p>One</p>", text, "<p>Menu</p>", "<p>x</p>") for text in ("Menu", "One"))
    assert (one["repeated"], one["repeated_any"], none["repeated"]) == (0.5, 1, 0)


def test_what_the_head_calls_the_page_is_its_title() -> None:
    (page,), known = facts(["<h1>A</h1><h2>B</h2>"])
    titled = replace(page, title_keys=frozenset(page.measures["key"][1:2].tolist()))
    values = features([titled], PathFeatures(known))
    assert values[:, FEATURE_NAMES.index("is_title")].tolist() == [0, 1]
    assert values[:, FEATURE_NAMES.index("from_title")].tolist() == [-1, 0]


@pytest.mark.parametrize(
    "html", ["<p>Short</p>", "<nav>" + 3 * "<p>All in a menu.</p>" + "</nav>", "<h2>A</h2><i></i>"]
)
def test_a_share_of_nothing_is_missing_and_nobody_is_warned(html: str) -> None:
    (page,), known = facts([html])
    with np.errstate(all="raise"):  # numpy 1.26 takes 0 / 0 for a division by zero
        values = features([page], PathFeatures(known))
    assert np.isnan(values[:, FEATURE_NAMES.index("own_before")]).all()

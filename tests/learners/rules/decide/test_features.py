"""Features of the scorer, group by group, on tiny pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules.decide.features import CJK_LENGTH, FEATURE_NAMES
from scrapy_stemmer.learners.rules.decide.scorer import features, fill, measures_of
from scrapy_stemmer.learners.rules.site.columns import text_key
from scrapy_stemmer.learners.rules.site.hints import FAR, PathFeatures
from tests.learners.rules.made import facts, of_texts, row, rows, story
from tests.strategies import markup

PAGES = st.lists(markup(3).map(lambda made: f"<div>{made[0]}</div><p>end</p>"), min_size=1, max_size=3)


# Measures of texts


def measured(text: str) -> dict[str, int]:
    """Return the measures of a text between two further texts."""
    return {name: int(row[1]) for name, row in measures_of(of_texts(["a", text, "日1."])).items()}


@pytest.mark.parametrize(
    ("text", "length", "words", "ends", "commas", "digits"),
    [
        ("Rain", 4, 1, 0, 0, 0),
        ("Rain fell.", 9, 2, 1, 0, 0),
        ("One, two; three: 4!", 16, 4, 1, 3, 1),
        ("Wirklich? Größe 12", 16, 3, 1, 0, 2),
        ("¿Qué?", 5, 1, 1, 0, 0),
        ("ما هذا؟ نعم،", 10, 3, 1, 1, 0),
    ],
)
def test_measures(text: str, length: int, words: int, ends: int, commas: int, digits: int) -> None:
    found = measured(text)
    assert (found["length"], found["words"]) == (length, words)
    assert (found["ends"], found["commas"], found["digits"]) == (ends, commas, digits)


@pytest.mark.parametrize("text", ["雨が降った。", "大雨，地震。", "ฝนตก"])
def test_scripts_without_spaces_say_more_in_a_character(text: str) -> None:
    found = measured(text)
    letters = sum(character.isalpha() for character in text)
    assert letters < found["words"]
    assert found["length"] >= (CJK_LENGTH - 1) * letters


@given(st.lists(st.text("aB\u00e9\u96e8\u0661 1.,\u3002"), max_size=4))
def test_each_text_has_the_measures_that_it_has_alone(texts: list[str]) -> None:
    page = of_texts(texts)
    found = measures_of(page)
    for number, text in enumerate(page.texts):
        assert [int(row[number]) for row in found.values()] == list(measured(text).values())
        assert found["length"][number] >= len(text) - text.count(" ")
        assert found["digits"][number] == sum(map(str.isdecimal, text))
        assert found["key"][number] == text_key(text)


# Sums over elements and pages


def line(parents: Sequence[int], element: int) -> list[int]:
    found = []
    while element >= 0:
        found.append(element)
        element = parents[element]
    return found


@given(PAGES)
def test_sums_over_elements_are_those_of_the_blocks_in_them(htmls: list[str]) -> None:
    pages, known = facts(htmls)
    values = iter(features(pages, PathFeatures(known)).tolist())
    for page in pages:
        parents, elements = page.page.columns.parents, page.page.columns.elements
        lengths = dict.fromkeys(range(len(parents)), 0)
        for element, length in zip(elements, page.measures["length"].tolist(), strict=True):
            for around in line(parents, element):
                lengths[around] += length
        for element in elements:
            found = dict(zip(FEATURE_NAMES, next(values), strict=True))
            up = line(parents, element)
            assert found["depth"] == len(up) - 1
            names = ("up1_length", "up2_length", "up3_length")
            assert [found[name] for name in names] == [lengths[(up + [0] * 3)[level]] for level in (1, 2, 3)]


@given(PAGES)
def test_the_highest_share_of_links_around_leaves_bodies_out(htmls: list[str]) -> None:
    pages, known = facts(htmls)
    values = iter(
        features(pages, PathFeatures(known))[:, [FEATURE_NAMES.index("link"), FEATURE_NAMES.index("most_link_around")]]
    )
    for page in pages:
        parents, elements = page.page.columns.parents, page.page.columns.elements
        rows = [next(values).tolist() for _ in elements]
        linked, lengths = [0.0] * len(parents), [0.0] * len(parents)
        for element, length, (link, _) in zip(elements, page.measures["length"].tolist(), rows, strict=True):
            for around in line(parents, element):
                linked[around] += link * length
                lengths[around] += length
        for element, (_, most) in zip(elements, rows, strict=True):
            shares = [linked[around] / lengths[around] for around in line(parents, element)[1:-1]]
            assert most == pytest.approx(max(shares, default=0))


def test_a_deep_page() -> None:
    found = row("<div>" * 200 + "x" + "</div>" * 200 + "<p>y</p>", "x")
    assert (found["depth"], found["up4_own_share"]) == (200, 0.5)


# Features of the scorer, group by group, on tiny pages

LONG = "Long text of a page. " * 9


class TestABlockByItself:
    @pytest.mark.parametrize(
        ("html", "feature", "value"),
        [
            ("<p>Some text, x.</p>", "link", 0),
            ("<p><a href=/>Some</a> text</p>", "link", 0.5),
            ("<p><a href=/>Some text</a></p>", "link", 1),
            ("<p>One. Two! Three</p>", "ends", 2),
            ("<p>ab 12</p>", "digit_share", 0.5),
            ("<p>ab cdef</p>", "word_length", 3),
            ("<p>Some text.</p>", "last_mark", 1),
            ("<p>Some text</p>", "last_mark", 0),
            ("<p>Some</p>", "capital", 1),
            ("<p>some</p>", "capital", 0),
            ("<p><time>2 March</time></p>", "time", 1),
        ],
    )
    def test_its_text(self, html: str, feature: str, value: float) -> None:
        (found,) = rows(html)
        assert found[feature] == pytest.approx(value)

    @pytest.mark.parametrize("tag", ["p", "h1", "h2", "li", "pre", "section"])
    def test_its_tag(self, tag: str) -> None:
        (found,) = rows(f"<{tag}>x</{tag}>")
        assert [name for name in FEATURE_NAMES if name.startswith("tag_") and found[name]] == [f"tag_{tag}"]

    @pytest.mark.parametrize(("tag", "counts_as"), [("h5", "h3"), ("th", "td")])
    def test_some_tags_count_as_others(self, tag: str, counts_as: str) -> None:
        html = f"<table><tr><{tag}>x</{tag}></table>" if tag == "th" else f"<{tag}>x</{tag}>"
        assert row(html, "x")[f"tag_{counts_as}"] == 1

    def test_levels_up_to_elements_around_it(self) -> None:
        found = row("<article><div><p>x</p></div></article>", "x")
        assert (found["in_article"], found["in_nav"], found["depth"]) == (2, FAR, 3)

    @pytest.mark.parametrize(
        ("markup", "feature"),
        [
            ("<ol><li>x</ol>", "in_ul"),
            ("<div role=navigation><p>x</p></div>", "in_nav"),
            ("<div role=Banner><p>x</p></div>", "in_header"),
            ("<table><tr><td>x</table>", "in_table"),
        ],
    )
    def test_elements_and_aria_roles_that_count_as_others(self, markup: str, feature: str) -> None:
        assert row(markup, "x")[feature] < FAR

    def test_levels_up_to_names_that_hint_at_something(self) -> None:
        found = row("<div class=sidebar><p id=caption>x</p></div>", "x")
        assert (found["name_sidebar"], found["name_caption"], found["name_footer"]) == (1, 0, FAR)

    def test_elements_around_it_that_hold_no_text_on_nearly_all_sites(self) -> None:
        found = row("<nav><div><div><div><ul class=share><li>x</ul></div></div></div></nav>", "x")
        assert (found["noise_nearest"], found["noise_count"], found["noise_near_count"]) == (1, 2, 1)
        none = row("<article><p>x</p></article>", "x")
        assert (none["noise_nearest"], none["noise_count"], none["noise_near_count"]) == (FAR, 0, 0)

    @pytest.mark.parametrize("attribute", ["hidden", "style=display:none", "class=d-none"])
    def test_what_is_hidden(self, attribute: str) -> None:
        assert row(f"<div {attribute}><p>x</p></div>", "x")["name_hidden"] == 1

    def test_the_body_counts_for_nothing(self) -> None:
        (found,) = rows("<body class=sidebar hidden><p>x</p></body>")
        assert (found["name_sidebar"], found["name_hidden"]) == (FAR, FAR)


class TestRepetition:
    def test_the_share_of_the_other_pages_that_have_a_text(self) -> None:
        same, other = "<p>Menu</p><p>One</p>", "<p>Menu</p>"
        assert row(same, "Menu", other, "<p>x</p>")["repeated"] == 0.5
        assert row(same, "Menu", other, "<p>x</p>")["repeated_any"] == 1
        assert row(same, "One", other, "<p>x</p>")["repeated"] == 0

    def test_where_no_other_page_is_known_nothing_is_said(self) -> None:
        found = row("<p><a href=/>One</a></p>", "One")
        assert math.isnan(found["repeated"])
        assert math.isnan(found["repeated_any"])
        assert found["others"] == 0

    def test_how_often_it_stands_on_its_own_page(self) -> None:
        assert row("<p>More</p><p>One</p><p>More</p>", "More")["same_page"] == 2


class TestWhatIsAround:
    HTML = f"<div><p>{LONG}</p><p>One</p></div><div><p><a href=/>Two</a></p></div>"

    def test_links_and_text_of_elements_around(self) -> None:
        assert row(self.HTML, "Two")["up1_link"] == 1
        assert row(self.HTML, "One")["up1_link"] == 0
        assert 0 < row(self.HTML, "One")["up2_link"] < 0.1
        assert row(self.HTML, "One")["up1_length"] > row(self.HTML, "Two")["up1_length"]

    def test_a_block_s_elements_hold_shares_of_what_is_the_page_s_own(self) -> None:
        assert row(self.HTML, "One")["up1_own_share"] == 1
        assert row(self.HTML, "Two")["up1_own_share"] == 0

    def test_the_region_of_the_page_is_where_its_text_is(self) -> None:
        assert row(self.HTML, "One")["in_best"] == row(self.HTML, LONG.strip())["in_holding"] == 1
        assert row(self.HTML, "Two")["in_holding"] == 0
        assert row(self.HTML, "Two")["below_holding"] == -1

    def test_neighbours_and_none_at_the_ends(self) -> None:
        found = row("<h2>A</h2><p>B</p><p>C</p>", "B")
        assert (found["after1_same_path"], found["before1_same_path"]) == (1, 0)
        assert math.isnan(found["before2_length"])
        assert math.isnan(found["after2_length"])

    def test_no_neighbour_stands_on_another_page(self) -> None:
        assert math.isnan(row("<p>A</p>", "A", "<p>B</p>")["after1_length"])

    def test_blocks_on_the_same_path(self) -> None:
        found = row("<ul><li>A<li>B<li>C</ul><p>x</p>", "A")
        assert found["path_count"] == 3
        assert found["up0_siblings"] == 3

    def test_blocks_of_the_same_depth_and_tags_whatever_their_names(self) -> None:
        html = "".join(f"<div class=x{number}><p>{LONG}{number}</p></div>" for number in "abc")
        found = row(f"{html}<div><span><b>x</b></span></div>", f"{LONG}a".strip())
        assert found["shape_count"] == 3
        assert found["shape_own_share"] > 0.9
        assert found["path_count"] == 1

    def test_the_section_of_the_region_that_a_block_is_in(self) -> None:
        first, second = f"<section><h2>A</h2><p>{LONG}</p></section>", f"<section><p>{LONG}!</p><p>B</p></section>"
        found = [row(f"<nav>x</nav><main>{first}{second}</main>", text) for text in ("A", "B")]
        assert [one["section_blocks"] for one in found] == [2, 2]
        assert [one["section_heading"] for one in found] == [1, 0]
        assert [one["section_position"] for one in found] == [0, 0.5]
        assert found[0]["section_own_share"] == pytest.approx(0.5, abs=0.01)
        assert found[0]["section_link"] == 0

    def test_outside_the_region_there_is_no_section(self) -> None:
        html = f"<nav><a href=/>Home</a></nav><main><p>{LONG}</p><p>{LONG}!</p></main>"
        assert math.isnan(row(html, "Home")["section_blocks"])

    def test_the_place_on_the_page(self) -> None:
        found = row("<p>A</p><p>B</p><p>C</p><p>D</p>", "C")
        assert (found["from_start"], found["from_end"], found["position"]) == (2, 2, 0.5)

    def test_running_text_before_and_behind(self) -> None:
        found = row(f"<p>{LONG}</p><p>One</p><p>{LONG}!</p>", "One")
        assert found["own_before"] == pytest.approx(0.5, abs=0.01)
        assert found["own_after"] == pytest.approx(0.5, abs=0.01)
        assert math.isnan(row("<p>A</p>", "A")["own_before"])


class TestTitlesAndLinks:
    def test_blocks_by_their_place_behind_the_title(self) -> None:
        found = rows("<p>A</p><h1>B</h1><p>C</p>")
        assert [one["from_title"] for one in found] == [-1, 0, 1]
        assert math.isnan(rows("<p>A</p>")[0]["from_title"])

    def test_what_the_head_calls_the_page_is_its_title(self) -> None:
        pages, known = facts(["<h1>A</h1><h2>B</h2>"])
        (page,) = pages
        titled = replace(page, title_keys=frozenset(page.measures["key"][1:2].tolist()))
        values = features([titled], PathFeatures(known))
        assert values[:, FEATURE_NAMES.index("is_title")].tolist() == [0, 1]
        assert values[:, FEATURE_NAMES.index("from_title")].tolist() == [-1, 0]

    def test_links_of_a_block_and_around_it(self) -> None:
        found = row("<div><p><a href=/a>A</a> <a href=/b>B</a></p><p><a href=/c>C</a></p></div>", "A B")
        assert (found["links"], found["up1_links"]) == (2, 3)

    def test_a_link_behind_the_last_block_belongs_to_none(self) -> None:
        assert [one["links"] for one in rows("<p>A</p><p><a href=/a></a></p>", "<p>B</p>")] == [0]


class TestAll:
    def test_a_row_for_each_block(self) -> None:
        pages, known = facts([story("storm"), story("harbour")])
        values = features(pages, PathFeatures(known))
        assert values.shape == (sum(len(page.page.columns.texts) for page in pages), len(FEATURE_NAMES))
        assert values.dtype == np.float32

    def test_each_name_is_there_once(self) -> None:
        assert len(set(FEATURE_NAMES)) == len(FEATURE_NAMES)

    def test_pages_without_blocks(self) -> None:
        pages, known = facts(["<p></p>", "<p>x</p>", "<div></div>"])
        assert len(features(pages, PathFeatures(known))) == 1

    @given(st.lists(markup(3).map(lambda made: f"<div>{made[0]}</div>"), min_size=1, max_size=4))
    def test_a_page_has_the_features_that_it_has_alone_to_the_bit(self, htmls: list[str]) -> None:
        pages, paths = facts(htmls)
        known = PathFeatures(paths)
        apart = np.concatenate([features([page], known) for page in pages])
        np.testing.assert_array_equal(features(pages, known), apart)


@pytest.mark.parametrize(
    "html", ["<p>Short</p>", "<nav>" + 3 * "<p>All in a menu.</p>" + "</nav>", "<h2>A</h2><i></i>"]
)
def test_a_share_of_nothing_is_missing_and_nobody_is_warned(html: str) -> None:
    (page,), known = facts([html])
    columns = np.empty((len(FEATURE_NAMES), len(page.repeated)), np.float32)
    with np.errstate(all="raise"):  # numpy 1.26 takes 0 / 0 for a division by zero
        fill(page, PathFeatures(known), columns)
    assert np.isnan(columns[FEATURE_NAMES.index("own_before")]).all()

"""Known texts: keys without dates, lines of pattern files, and edited lines."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer import PatternFileError, PatternSet
from scrapy_stemmer.learners.rules.site.known_texts import (
    MAX_NESTED,
    MAX_OF_TEXT,
    KnownTexts,
    ReturningText,
    _Beginnings,
    returning_key,
)
from scrapy_stemmer.learners.rules.site.paths import BODY, Component, Paths, Selector
from tests.learners.rules.returning.test_template import PLEA, article, learned, pattern_of

BOX = f"<p>{PLEA}</p>"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Share 12 shares Pin 3", "Share 804 shares Pin 77"),
        ("Updated Monday, 3 May 2021 at 10:30", "Updated Friday, 14 June 2024 at 8:05"),
        ("Stand der Seite: Mon 3. Mai 2021", "Stand der Seite: Fre 14. August 2024"),
        ("最終変更：火曜日 3 五月 2021", "最終変更：金曜日 14 六月 2024"),
    ],
)
def test_dates_and_numbers_make_no_difference_to_a_key(one: str, other: str) -> None:
    assert returning_key(one) == returning_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The May report", "The June report"),
        ("Monday", "Friday"),
        ("3 May 2021", "Chapter 3"),
        ("Our fund needs 5 pounds", "Our shop needs 5 pounds"),
        (
            "This chair is 81 cm wide and 85 cm deep, and carries a load of 117 kg.",
            "This chair is 79 cm wide and 60 cm deep, and carries a load of 90 kg.",
        ),
    ],
)
def test_other_words_make_a_difference_to_a_key(one: str, other: str) -> None:
    assert returning_key(one) != returning_key(other)


def on_path(*components: Component) -> tuple[Paths, int]:
    paths = Paths()
    path = paths.child(-1, BODY)
    for component in components:
        path = paths.child(path, component)
    return paths, path


def test_a_line_with_an_element_holds_there_alone() -> None:
    known = KnownTexts([ReturningText("Advertisement", Selector.parse(".post > p"))])
    assert known.line_for("Advertisement", *on_path(Component("div", (".post",)), Component("p")))
    assert known.line_for("Advertisement", *on_path(Component("div"), Component("p"))) is None


def test_a_line_that_ends_in_dots_holds_for_texts_that_begin_so() -> None:
    known = KnownTexts([ReturningText("Our journalism is funded by 900 readers in the valley ...", is_users=True)])
    place = on_path(Component("p"))
    assert known.line_for("Our journalism is funded by 1200 readers in the valley, and by you.", *place)
    assert known.line_for("Our journalism is funded by a bank.", *place) is None


def test_a_short_line_that_ends_in_dots_is_taken_as_it_is() -> None:
    known = KnownTexts([ReturningText("Read more ...")])
    assert known.line_for("Read more about the harbour.", *on_path(Component("p"))) is None


def test_a_text_that_begins_with_another_date_is_found() -> None:
    known = KnownTexts([ReturningText("Monday, 3 May 2021: renewed by our desk")])
    assert known.line_for("Friday, 14 June 2024: renewed by our desk", *on_path(Component("p")))


def test_only_lines_by_hand_are_beginnings() -> None:
    known = KnownTexts([ReturningText("This is made by hand in our own little workshop ...", pages=6, of=12)])
    place = on_path(Component("p"))
    assert known.line_for("This is made by hand in our own little workshop ...", *place)
    assert known.line_for("This is made by hand in our own little workshop, of oak.", *place) is None


def test_a_line_by_hand_holds_for_all_in_its_element() -> None:
    known = KnownTexts([ReturningText("Advertisement", Selector.parse(".post"), is_users=True)])
    assert known.line_for("Advertisement", *on_path(Component("div", (".post",)), Component("div"), Component("p")))
    assert known.line_for("Advertisement", *on_path(Component("div"), Component("p"))) is None


def test_space_around_a_text_by_hand_makes_no_difference() -> None:
    assert KnownTexts([ReturningText("  Read also ", is_users=True)]).line_for("Read also", *on_path(Component("p")))


@given(st.lists(st.text("ab", min_size=1, max_size=6)), st.text("ab", max_size=8))
def test_the_texts_that_a_text_begins_with_are_found(known: list[str], text: str) -> None:
    found = [start for start, _ in _Beginnings({each: [ReturningText(each)] for each in known}).of(text)]
    assert found == sorted(filter(text.startswith, set(known)), key=len, reverse=True)


def test_few_of_a_thousand_texts_are_compared_with_a_text() -> None:
    """A site, or a pattern file from elsewhere, can name texts that begin with one another."""
    known = _Beginnings({"a" * size: [] for size in range(1, 1001)})
    assert len(list(known.of("a" * 2000))) == MAX_NESTED
    index = KnownTexts(ReturningText("Read more", Selector.parse(f".x{number}")) for number in range(1000))
    assert len(index._by_key[returning_key("Read more")]) == MAX_OF_TEXT


SPLIT = [
    ("One line. And another one.", "One line.<br>And another one."),
    ("One line. And another one.", "One<br>line.<br>And another<br>one."),
    (
        "\u6211\u4eec\u9700\u8981\u4f60\u7684\u5e2e\u52a9\u3002\u8c22\u8c22\u3002",
        "\u6211\u4eec\u9700\u8981\u4f60\u7684\u5e2e\u52a9\u3002<br>\u8c22\u8c22\u3002",
    ),
]


@pytest.mark.parametrize(("known", "later"), SPLIT)
def test_line_breaks_in_a_known_text_make_no_difference(known: str, later: str) -> None:
    index, place = KnownTexts(map(ReturningText, known.split("<br>"))), on_path(Component("p"))
    parts, at = [*later.split("<br>"), "A line of the page."], 0
    while found := index.lines_from(parts[at:], *place):
        at += found[0]
    assert at == len(parts) - 1


def test_a_known_text_at_the_beginning_of_another_one_costs_nothing_of_it() -> None:
    index, place = KnownTexts([ReturningText("One line."), ReturningText("Another one.")]), on_path(Component("p"))
    for texts in (["One line. A line of the page."], ["One", "page."], ["One line. Another one. And a third."]):
        assert index.lines_from(texts, *place) is None


def test_a_plea_with_a_line_break_is_dropped_and_the_text_around_it_is_kept() -> None:
    patterns = learned(*(article(number, BOX) for number in range(10)))
    text = patterns.strip(article(99, f"<p>Own line.<br>{PLEA.replace('few. ', 'few.<br>')}<br>Last line.</p>")).text
    assert "by few" not in text
    assert "a gift" not in text
    assert {"Own line.", "Last line."} < set(text.splitlines())


def lines_of(path: Path) -> list[dict[str, object]]:
    return [
        json.loads(line.strip().rstrip(",")) for line in path.read_text("utf-8").splitlines() if '"returns"' in line
    ]


def test_a_pattern_file_has_a_readable_line_for_each_text(tmp_path: Path) -> None:
    learned(*(article(number, BOX) for number in range(6))).save(str(tmp_path / "p.jsonl"))
    (line,) = lines_of(tmp_path / "p.jsonl")
    assert {name: line[name] for name in ("returns", "on")} == {"returns": PLEA, "on": "6 of 6"}
    loaded = PatternSet.load(str(tmp_path / "p.jsonl"))
    assert PLEA not in loaded.strip(article(99, BOX)).text


def without_line(path: Path) -> None:
    lines = [line for line in path.read_text("utf-8").splitlines() if '{"returns"' not in line]
    text = "\n".join(lines)
    path.write_text(re.sub(r"},(\s*])", r"}\1", text) + "\n", "utf-8")


def test_a_text_whose_line_was_deleted_is_kept_also_when_the_site_is_learned_again(tmp_path: Path) -> None:
    pages = [article(number, BOX) for number in range(6)]
    path = tmp_path / "p.jsonl"
    learned(*pages).save(str(path))
    without_line(path)
    earlier = PatternSet.load(str(path))
    assert PLEA in earlier.strip(article(99, BOX)).text
    again = pattern_of(learned(*pages)).corrected_by(pattern_of(earlier))
    assert isinstance(again, type(pattern_of(earlier)))
    assert again.knowledge.returning == ()
    assert again.knowledge.dismissed


def test_a_line_written_by_hand_survives_learning_again(tmp_path: Path) -> None:
    pages = [article(number) for number in range(6)]
    path = tmp_path / "p.jsonl"
    learned(*pages).save(str(path))
    text = path.read_text("utf-8").replace('"rules": [', f'"rules": [\n  {{"returns": {json.dumps(PLEA)}}},', 1)
    path.write_text(text, "utf-8")
    earlier = PatternSet.load(str(path))
    assert PLEA not in earlier.strip(article(99, BOX)).text
    again = pattern_of(learned(*pages)).corrected_by(pattern_of(earlier))
    assert [line.text for line in again.knowledge.returning] == [PLEA]  # type: ignore[attr-defined]


@pytest.mark.parametrize("within", ["p", ".elsewhere p"])
def test_a_line_by_hand_replaces_the_learned_one_of_its_text_wherever_it_holds(tmp_path: Path, within: str) -> None:
    pages = [article(number, BOX) for number in range(6)]
    path = tmp_path / "p.jsonl"
    learned(*pages).save(str(path))
    text = re.sub(r'{"returns": .*}', f'{{"returns": {json.dumps(PLEA)}, "in": "{within}"}}', path.read_text("utf-8"))
    path.write_text(text, "utf-8")
    learned(*pages).merge_into(str(path))
    (line,) = lines_of(path)
    assert line == {"returns": PLEA, "in": within}
    is_kept = PLEA in PatternSet.load(str(path)).strip(article(99, BOX)).text
    assert is_kept == (within != "p")


def test_a_changed_line_counts_as_written_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    learned(*(article(number, BOX) for number in range(6))).save(str(path))
    path.write_text(path.read_text("utf-8").replace("paid for by few", "paid for by nobody"), "utf-8")
    (line,) = pattern_of(PatternSet.load(str(path))).knowledge.returning
    assert line.is_users


@pytest.mark.parametrize(
    "line",
    [
        '{"returns": ""}',
        '{"returns": "A text", "in": "p:hover"}',
        '{"returns": 3}',
        '{"returns": "A", "In": "p"}',
        '{"returns": "A", "in": ""}',
    ],
)
def test_a_line_that_cannot_be_used_is_an_error(tmp_path: Path, line: str) -> None:
    path = tmp_path / "p.jsonl"
    learned(*(article(number) for number in range(6))).save(str(path))
    path.write_text(path.read_text("utf-8").replace('"rules": [', f'"rules": [\n  {line},', 1), "utf-8")
    with pytest.raises(PatternFileError):
        PatternSet.load(str(path), strict=True)

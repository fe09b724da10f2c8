"""Known texts: keys without dates, lines of pattern files, and edited lines."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from scrapy_stemmer import PatternFileError, PatternSet
from scrapy_stemmer.learners.rules.site.known_texts import (
    MAX_OF_TEXT,
    KnownTexts,
    ReturningText,
    returning_key,
)
from scrapy_stemmer.learners.rules.site.paths import Paths, Selector
from tests.learners.rules.made import paths
from tests.learners.rules.returning.test_template import PLEA, article, learned, pattern_of

BOX = f"<p>{PLEA}</p>"


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Share 12 shares Pin 3", "Share 804 shares Pin 77", True),
        ("Updated Monday, 3 May 2021 at 10:30", "Updated Friday, 14 June 2024 at 8:05", True),
        ("Stand der Seite: Mon 3. Mai 2021", "Stand der Seite: Fre 14. August 2024", True),
        ("最終変更：火曜日 3 五月 2021", "最終変更：金曜日 14 六月 2024", True),
        ("The May report", "The June report", False),
        ("Monday", "Friday", False),
        ("3 May 2021", "Chapter 3", False),
        ("Our fund needs 5 pounds", "Our shop needs 5 pounds", False),
        ("This chair is 81 cm wide and 85 cm deep, and carries a load of 117 kg.",
         "This chair is 79 cm wide and 60 cm deep, and carries a load of 90 kg.", False),
    ],
)  # fmt: skip
def test_dates_and_numbers_alone_make_no_difference_to_a_key(one: str, other: str, is_same: bool) -> None:
    assert (returning_key(one) == returning_key(other)) is is_same


def on_path(*tags: str) -> tuple[Paths, int]:
    """Return paths with one of elements such as ``div.post``, and its number."""
    return (known := paths(" > ".join(tags))), len(known) - 1


IN_POST, ELSEWHERE, P = on_path("div.post", "p"), on_path("div", "p"), on_path("p")
OF_POSTS = ReturningText("Advertisement", Selector.parse(".post > p"))
IN_POSTS = ReturningText("Advertisement", Selector.parse(".post"), is_users=True)
FUNDED = ReturningText("Our journalism is funded by 900 readers in the valley ...", is_users=True)
BY_HAND = "This is made by hand in our own little workshop ..."
LEARNED = ReturningText(BY_HAND, pages=6, of=12)


@pytest.mark.parametrize(
    ("line", "text", "place", "is_found"),
    [
        pytest.param(OF_POSTS, "Advertisement", IN_POST, True, id="in its element"),
        pytest.param(OF_POSTS, "Advertisement", ELSEWHERE, False, id="not in others"),
        pytest.param(IN_POSTS, "Advertisement", on_path("div.post", "div", "p"), True, id="by hand: in all below it"),
        pytest.param(IN_POSTS, "Advertisement", ELSEWHERE, False, id="by hand: not in others"),
        pytest.param(FUNDED, "Our journalism is funded by 1200 readers in the valley, and by you.", P, True,
            id="by its beginning"),
        pytest.param(FUNDED, "Our journalism is funded by a bank.", P, False, id="not by another beginning"),
        pytest.param(ReturningText("Read more ..."), "Read more about it.", P, False, id="short ones as they are"),
        pytest.param(LEARNED, BY_HAND, P, True, id="learned ones as they are"),
        pytest.param(LEARNED, BY_HAND.replace(" ...", ", of oak."), P, False, id="learned: not by a beginning"),
        pytest.param(ReturningText("Monday, 3 May 2021: by our desk"), "Friday, 14 June 2024: by our desk", P, True,
            id="any date"),
        pytest.param(ReturningText("  Read also ", is_users=True), "Read also", P, True,
            id="whatever space is around it"),
    ],
)  # fmt: skip
def test_where_the_line_of_a_text_holds(
    line: ReturningText, text: str, place: tuple[Paths, int], is_found: bool
) -> None:
    assert (KnownTexts([line]).line_for(text, *place) is not None) is is_found


def test_few_of_a_thousand_texts_are_compared_with_a_text() -> None:
    """A site, or a pattern file from elsewhere, can name texts that begin with one another."""
    beginnings = (ReturningText(f"{'a' * size} ...", is_users=True) for size in range(40, 1040))
    places = (ReturningText("Read more", Selector.parse(f".x{number}")) for number in range(1000))
    assert [len(lines) for lines in KnownTexts([*beginnings, *places])._lines.values()] == [MAX_OF_TEXT] * 2


def test_the_longest_of_known_beginnings_counts() -> None:
    lines = [
        ReturningText(f"Our journalism is funded by {end} ...", is_users=True) for end in ("9 r", "9 readers", "8 re")
    ]
    found = KnownTexts(lines).line_for("Our journalism is funded by 12 readers.", *P)
    assert found is lines[1]


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
    index = KnownTexts(map(ReturningText, known.split("<br>")))
    parts, at = [*later.split("<br>"), "A line of the page."], 0
    while found := index.lines_from(parts[at:], *P):
        at += found[0]
    assert at == len(parts) - 1


def test_a_known_text_at_the_beginning_of_another_one_costs_nothing_of_it() -> None:
    index = KnownTexts([ReturningText("One line."), ReturningText("Another one.")])
    for texts in (["One line. A line of the page."], ["One", "page."], ["One line. Another one. And a third."]):
        assert index.lines_from(texts, *P) is None


def test_a_plea_with_a_line_break_is_dropped_and_the_text_around_it_is_kept() -> None:
    patterns = learned(*(article(number, BOX) for number in range(10)))
    text = patterns.strip(article(99, f"<p>Own line.<br>{PLEA.replace('few. ', 'few.<br>')}<br>Last line.</p>")).text
    assert "by few" not in text
    assert "a gift" not in text
    assert {"Own line.", "Last line."} < set(text.splitlines())


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Return a pattern file of a site with a box on all pages."""
    learned(*PAGES).save(str(tmp_path / "p.jsonl"))
    return tmp_path / "p.jsonl"


PAGES = [article(number, BOX) for number in range(6)]
LINE = re.compile(r'{"returns": .*}')


def edited(path: Path, line: str | None) -> PatternSet:
    """Return the patterns of a file with another line for the text of the box, or without one."""
    lines = (LINE.sub(lambda _: line or "", each) for each in path.read_text("utf-8").splitlines())
    path.write_text(re.sub(r"},(\s*])", r"}\1", "\n".join(filter(str.strip, lines))) + "\n", "utf-8")
    return PatternSet.load(str(path), strict=True)


def line_of(path: Path) -> dict[str, object]:
    line: dict[str, object] = json.loads(LINE.findall(path.read_text("utf-8"))[0])
    return line


def test_a_pattern_file_has_a_readable_line_for_each_text(saved: Path) -> None:
    assert {name: line_of(saved)[name] for name in ("returns", "on")} == {"returns": PLEA, "on": "6 of 6"}
    assert PLEA not in PatternSet.load(str(saved)).strip(article(99, BOX)).text


def test_a_text_whose_line_was_deleted_is_kept_also_when_the_site_is_learned_again(saved: Path) -> None:
    earlier = edited(saved, None)
    assert PLEA in earlier.strip(article(99, BOX)).text
    again = pattern_of(learned(*PAGES)).corrected_by(pattern_of(earlier))
    assert again.knowledge.returning == ()  # type: ignore[attr-defined]
    assert again.knowledge.dismissed  # type: ignore[attr-defined]


def test_a_line_written_by_hand_survives_learning_again(saved: Path) -> None:
    earlier = edited(saved, json.dumps({"returns": PLEA}))
    assert PLEA not in earlier.strip(article(99, BOX)).text
    without = learned(*(article(number) for number in range(6)))
    again = pattern_of(without).corrected_by(pattern_of(earlier))
    assert [line.text for line in again.knowledge.returning] == [PLEA]  # type: ignore[attr-defined]


@pytest.mark.parametrize("within", ["p", ".elsewhere p"])
def test_a_line_by_hand_replaces_the_learned_one_of_its_text_wherever_it_holds(saved: Path, within: str) -> None:
    line = {"returns": PLEA, "in": within}
    edited(saved, json.dumps(line))
    learned(*PAGES).merge_into(str(saved))
    assert line_of(saved) == line
    assert (PLEA in PatternSet.load(str(saved)).strip(article(99, BOX)).text) == (within != "p")


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
def test_a_line_that_cannot_be_used_is_an_error(saved: Path, line: str) -> None:
    with pytest.raises(PatternFileError):
        edited(saved, line)

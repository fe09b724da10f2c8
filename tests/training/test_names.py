"""Words of names and their worth."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.training.tiny import site_of, write_set
from training.names import has_word, insides_of, main


@pytest.mark.parametrize(
    ("name", "word", "expected"),
    [
        ("news-roll", "newsroll", True),
        ("xlentax", "lenta", False),
        ("lenta-2", "lenta", True),
        ("S-ory", "ory", True),
    ],
)
def test_long_words_count_inside_longer_ones(name: str, word: str, expected: bool) -> None:
    assert has_word(name, word) is expected


def test_how_much_of_the_text_inside_is_wanted() -> None:
    found = insides_of(site_of("a.example", 3), ["menu", "foot", "byline", "nowhere"])
    assert set(found) == {"menu", "foot", "byline"}
    assert {inside.wanted for inside in found.values()} == {0.0}
    assert all(0 < inside.share < 0.5 for inside in found.values())


def test_elements_with_most_of_a_page_say_nothing() -> None:
    assert not insides_of(site_of("a.example", 3), ["story"])


def test_a_line_for_each_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_set(tmp_path, sites=2, pages=3)
    assert main(["--data", str(tmp_path), "foot", "menu"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["foot", "menu"]
    assert all("0.0" in line for line in lines[2:])

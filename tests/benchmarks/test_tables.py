"""Tables in Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.tables import percent, publish, replace_marked, section, table


def test_a_table_can_be_read_as_text() -> None:
    assert table(["set", "F1"], [["news", "97.7"], ["a|b", ""]]) == (
        "| set  |   F1 |\n| ---- | ---: |\n| news | 97.7 |\n| a\\|b |      |"
    )


def test_percent() -> None:
    assert [percent(0.97654), percent(0.5, 0), percent(None)] == ["97.65", "50", ""]


def test_a_section_leaves_out_what_is_empty() -> None:
    assert section("Title", "", "text") == "## Title\n\ntext"


@pytest.mark.parametrize("write", [True, False])
def test_tables_are_printed_and_written_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, write: bool
) -> None:
    page = tmp_path / "docs" / "page.md"
    publish("| a |", page, "# Title", write=write)
    assert capsys.readouterr().out == "| a |\n"
    assert page.exists() == write
    if write:
        assert page.read_text(encoding="utf-8") == "# Title\n\n| a |\n"


def test_the_text_between_marks_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text("before\n<!-- x: begin -->\nold\n<!-- x: end -->\nafter\n", encoding="utf-8")
    for _ in range(2):
        replace_marked(path, "x", "new \\1")
    assert path.read_text(encoding="utf-8") == "before\n<!-- x: begin -->\nnew \\1\n<!-- x: end -->\nafter\n"
    with pytest.raises(ValueError, match="<!-- y: begin -->"):
        replace_marked(path, "y", "new")

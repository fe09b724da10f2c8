"""Tables in Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.tables import publish, replace_marked


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

"""Tables in Markdown, their pages, and files with a generated part between marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from scrapy_stemmer.page.text import visible


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table: the first column to the left, the rest to the right; cells padded, readable as text."""
    cells = [list(heads), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    widths = [max(3, *(len(row[column]) for row in cells)) for column in range(len(heads))]
    lines = [_line(row, widths) for row in cells]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([lines[0], _line(rule, widths), *lines[1:]])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    padded = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
    return f"| {' | '.join(padded)} |"


def percent(share: float | None, digits: int = 2) -> str:
    """A share as a number of hundredths; empty for ``None``."""
    return "" if share is None else f"{100 * share:.{digits}f}"


def section(title: str, *parts: str, level: int = 2) -> str:
    """Return a heading and its contents."""
    return "\n\n".join([f"{'#' * level} {title}", *filter(None, parts)])


def publish(text: str, page: Path, head: str, *, write: bool) -> None:
    """Print the tables of a benchmark.

    :param page: the page of the documentation for the tables.
    :param head: its title and introduction.
    :param write: True to write the page.
    """
    print(visible(text))
    if write:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"{head}\n\n{text}\n", encoding="utf-8")


def replace_marked(path: Path, mark: str, text: str) -> None:
    """Put a text between ``<!-- mark: begin -->`` and ``<!-- mark: end -->`` in a file.

    :raises ValueError: when the file has no such marks.
    """
    begin, end = f"<!-- {mark}: begin -->", f"<!-- {mark}: end -->"
    whole = path.read_text(encoding="utf-8")
    match = re.search(f"{re.escape(begin)}.*?{re.escape(end)}", whole, re.DOTALL)
    if match is None:
        raise ValueError(f"{path} has no {begin} and {end}")
    path.write_text(f"{whole[: match.start()]}{begin}\n{text}\n{end}{whole[match.end() :]}", encoding="utf-8")

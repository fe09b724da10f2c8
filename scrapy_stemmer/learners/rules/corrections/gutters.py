"""Numbers of lines beside code."""

from __future__ import annotations

from scrapy_stemmer.learners.rules.corrections.view import View
from scrapy_stemmer.writing.code import MAX_DIGITS, gutters_in


def numbers_of_lines(view: View) -> list[int]:
    """Return the blocks of numbers that a highlighter writes beside the lines of code."""
    numbers = view.columns.numbers_alone(view.site.in_code)
    if not any(_may_be_gutter(view, at) for at in numbers):
        return []  # nearly all pages
    gutters = gutters_in(view.page.shown.root)
    places = zip(numbers, view.page.places(numbers) if gutters else (), strict=False)
    return [at for at, pieces in places if all(piece.holder in gutters for piece in pieces)]


def _may_be_gutter(view: View, at: int) -> bool:
    """Return True if a block of numbers stands beside code, or shortly before the next number."""
    if any(is_of_code(view, beside) for beside in (at - 1, at + 1) if 0 <= beside < len(view.lengths)):
        return True
    text = view.columns.text(at)
    is_one = len(text) <= MAX_DIGITS and text.isdecimal()
    return is_one and str(int(text) + 1) in view.texts[at + 1 : at + 3]


def is_of_code(view: View, block: int) -> bool:
    return view.site.in_code[view.columns.path_of(block)]

"""Numbers of lines beside code."""

from __future__ import annotations

from collections.abc import Iterator

from scrapy_stemmer.learners.rules.decide.corrections.view import View
from scrapy_stemmer.writing.code import is_named_gutter

MAX_LEVELS = 3  # elements around a block of numbers that may be named as line numbers


def numbers_of_lines(view: View) -> list[int]:
    """Return the blocks of numbers in elements named as the line numbers of a highlighter."""
    numbers = view.columns.numbers_alone(view.site.in_code)
    return [at for at in numbers if any(map(is_named_gutter, _names_around(view, at)))]


def _names_around(view: View, block: int) -> Iterator[str]:
    element = view.elements[block]
    for _ in range(MAX_LEVELS):
        if element > 0:
            yield view.signature(element).classes
            element = view.parents[element]


def is_of_code(view: View, block: int) -> bool:
    return view.site.in_code[view.columns.path_of(block)]

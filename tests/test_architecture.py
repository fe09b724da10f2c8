"""The pictures of the package in the documentation are true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.architecture import PACKAGE, PAGE, STEPS, summary_of, tree, with_pictures
from tests.processes import printed

pytestmark = pytest.mark.slow

MAX_MODULES = 15
"""Modules that the page of an item crosses in the pipeline, at most."""


@pytest.fixture(scope="module")
def made() -> str:
    """Return the page as generated now."""
    return printed("from docs.architecture import main; main([])")


def test_the_pictures_are_those_of_the_code(made: str) -> None:
    assert PAGE.read_text(encoding="utf-8") == made, "run: python -m docs.architecture --write"


def test_a_page_crosses_few_modules(made: str) -> None:
    (count,) = re.findall(r"^(\d+) modules$", made, re.MULTILINE)
    assert int(count) <= MAX_MODULES


def test_every_step_is_one_of_the_ways(made: str) -> None:
    """A renamed function is missed at once."""
    ways = made.partition("<!-- item: begin -->")[2]
    assert [step for step in STEPS if not re.search(rf"[─ `]?{re.escape(step)} ", ways)] == []


def test_every_module_says_in_one_line_what_it_is(tmp_path: Path) -> None:
    picture = tree()
    for path in PACKAGE.rglob("*.py*"):
        if path.suffix in {".py", ".pyx"}:
            assert re.search(r"(?<!\b[A-Z])\.$", summary_of(path)), f"{path}: no sentence in the first line"
            assert path.name in picture or path.name == "__init__.py"
    module = tmp_path / "module.pyx"
    module.write_text('# cython: x\n"""The ``x`` of :class:`Page`. More.\n\nMore."""\n', encoding="utf-8")
    assert summary_of(module) == "The x of Page."


def test_a_picture_without_its_place_is_an_error() -> None:
    assert with_pictures("<!-- a: begin -->old<!-- a: end -->", {"a": "new"}).split("\n")[2] == "new"
    with pytest.raises(ValueError, match="0 places for 'a'"):
        with_pictures("", {"a": "new"})

"""Escaping of printed text, so that no page, name or error controls a terminal."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

WRITTEN_BY_CODE = {
    "example_project/demo_site/build.py:main": "a count and a folder",
    "scrapy_stemmer/commands/recover.py:_left_spools": "a folder",
    "training/__main__.py:say": "names of files and sites of the project",
    "training/months.py:main": "counts",
    "training/names.py:main": "words and counts",
}
"""Functions that print no text of pages, and their output."""


def printing() -> Iterator[tuple[str, ast.expr]]:
    """Yield the place and the argument of each call that prints."""
    for part in ("scrapy_stemmer", "benchmarks", "example_project", "training"):
        for path in sorted((ROOT / part).rglob("*.py")):
            tree = ast.parse(path.read_text("utf-8"))
            within: dict[int, str] = {}
            for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
                within |= {id(node): function.name for node in ast.walk(function)}
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and node.args and prints(node.func):
                    yield f"{path.relative_to(ROOT).as_posix()}:{within.get(id(node), '')}", node.args[0]


def prints(function: ast.expr) -> bool:
    """Return True for ``print``, ``sys.stdout.write`` and ``sys.stderr.write``."""
    return ast.unparse(function) in ("print", "sys.stdout.write", "sys.stderr.write")


def is_harmless(told: ast.expr) -> bool:
    """Return True for constants, escaped text and JSON in ASCII, also when several are joined."""
    match told:
        case ast.Constant():
            return True
        case ast.BinOp(left=left, right=right, op=ast.Add()):
            return is_harmless(left) and is_harmless(right)
        case ast.JoinedStr(values=values):
            return all(is_harmless(each) for each in values)
        case ast.FormattedValue(value=value):
            return is_harmless(value)
        case ast.Call(func=function, keywords=keywords):
            name = ast.unparse(function)
            return name == "visible" or (name == "json.dumps" and all(each.arg != "ensure_ascii" for each in keywords))
    return False


def test_all_that_is_printed_is_escaped() -> None:
    found = {place for place, told in printing() if not is_harmless(told)}
    assert found == WRITTEN_BY_CODE.keys()


@pytest.mark.parametrize("told", ["print(text)", "print(f'{error}')", "print(json.dumps(a, ensure_ascii=False))"])
def test_what_is_not_escaped_is_found(told: str) -> None:
    call = ast.parse(told, mode="eval").body
    assert isinstance(call, ast.Call)
    assert prints(call.func)
    assert not is_harmless(call.args[0])

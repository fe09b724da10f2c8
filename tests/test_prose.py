"""English of docstrings and comments: names instead of pronouns, verbs instead of questions.

Scrapy, parsel and w3lib have less than 45 vague words per 1,000, and hardly any docstring opens with one. Rewritten
folders are added to :data:`FOLDERS`.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

FOLDERS = {
    "scrapy_stemmer/commands": 50,
    "scrapy_stemmer/page": 50,
    "scrapy_stemmer/writing": 50,
    "scrapy_stemmer/crawl": 50,
    "scrapy_stemmer/fields": 50,
    "scrapy_stemmer/learners/base.py": 55,
    "scrapy_stemmer/learners/literature": 50,
    "scrapy_stemmer/learners/rules": 50,
    "scrapy_stemmer/learners/rules/returning": 50,
    "scrapy_stemmer/outputs": 50,
    "scrapy_stemmer/patterns": 50,
    "scrapy_stemmer/patternset.py": 50,
    "scrapy_stemmer/report": 50,
    "scrapy_stemmer/settings.py": 60,
    "scrapy_stemmer/signals.py": 60,
    "scrapy_stemmer/_engine": 50,
    "scrapy_stemmer/spark.py": 50,
    "scrapy_stemmer/stores": 50,
    "benchmarks": 50,
    "example_project": 60,
    "training": 50,
    "tests": 50,
    "tests/commands": 60,
    "tests/fields": 60,
    "tests/patterns": 60,
    "tests/report": 60,
    "tests/stores": 70,
}
"""Most vague words per 1,000, by folder or module."""

MAX_OPENINGS = 0.02  # share of docstrings that open with a vague word

VAGUE = frozenset(
    "what whether that those these such others other else same it its them one ones which who whom whose".split()
)
OPENINGS = frozenset(
    "what whether those these such that how where which who if as for of also it its nothing all".split()
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_MARKUP = re.compile(r"``[^`]*``|:[a-z:]+:`[^`]*`|`[^`]*`|https?://\S+")


def words_of(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(_MARKUP.sub(" x ", text))]


@cache
def docstrings_in(source: str) -> list[str]:
    return [
        text
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and (text := ast.get_docstring(node))
    ]


def comments_in(source: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not re.match(r"#!|# (?:noqa|type|ruff|fmt)\b", token.string):
            yield token.string


def docstrings_in_native(source: str) -> Iterator[str]:
    """Yield the docstrings of Cython code, which :mod:`ast` cannot parse."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.STRING and token.string.startswith('"""') and token.line.lstrip().startswith('"""'):
            yield token.string.strip('"')


def is_vague_opening(docstring: str) -> bool:
    first = words_of(docstring)[:2]
    return first[:1] == [] or first[0] in OPENINGS or first == ["the", "same"]


def sources_in(name: str) -> list[str]:
    path = ROOT / name
    return [file.read_text("utf-8") for file in ([path] if path.is_file() else sorted(path.rglob("*.py")))]


@pytest.mark.parametrize(("name", "limit"), FOLDERS.items())
def test_few_words_are_vague(name: str, limit: int) -> None:
    check_words(limit, (text for source in sources_in(name) for text in (*docstrings_in(source), *comments_in(source))))


def test_few_words_are_vague_in_native_modules() -> None:
    folder = ROOT / "scrapy_stemmer/_engine"
    sources = [path.read_text("utf-8") for path in (*folder.glob("*.pyx"), *folder.glob("*.pxd"))]
    check_words(50, (text for source in sources for text in (*docstrings_in_native(source), *comments_in(source))))


def check_words(limit: int, texts: Iterable[str]) -> None:
    words = [word for text in texts for word in words_of(text)]
    assert words
    rate = 1000 * sum(word in VAGUE for word in words) / len(words)
    assert rate <= limit, f"{rate:.0f} vague words per 1,000; name what they stand for"


@pytest.mark.parametrize("name", FOLDERS)
def test_docstrings_open_with_a_verb_or_a_noun(name: str) -> None:
    docstrings = [text for source in sources_in(name) for text in docstrings_in(source)]
    vague = [text.splitlines()[0] for text in docstrings if is_vague_opening(text)]
    assert len(vague) <= MAX_OPENINGS * len(docstrings), vague


def test_vague_openings_are_found() -> None:
    assert is_vague_opening("Whether a page is learned.")
    assert is_vague_opening("The same of another page.")
    assert not is_vague_opening("Return the title of a page.")
    assert not is_vague_opening("``None`` stands for no title.")

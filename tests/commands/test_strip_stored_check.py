"""``scrapy stemmer check``: examples are written, and compared later."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrapy_stemmer import Page, StemmerError, learn
from scrapy_stemmer.commands.strip_stored import differences
from tests.commands.subcommand import run
from tests.crawl.website import Article


@pytest.fixture
def patterns(tmp_path: Path) -> Path:
    path = tmp_path / "p.jsonl"
    learn([Page(f"http://a.example/{n}", Article(n).html()) for n in range(6)]).save(str(path))
    return path


@pytest.fixture(params=["examples.jsonl", "examples.jsonl.gz"])
def examples(request: pytest.FixtureRequest, patterns: Path, tmp_path: Path) -> Path:
    """Write two examples from a source of more pages."""
    source = tmp_path / "pages.jsonl"
    pages = [{"url": f"http://a.example/{n}", "html": Article(n).html()} for n in range(10, 19)]
    source.write_text("\n".join(map(json.dumps, pages)))
    path = tmp_path / str(request.param)
    printed = run("check", patterns, path, "--update", "--add", source, "--pages", 2)
    assert printed == [f"{path}: 2 examples, 2 new, 0 changed"]
    return path


def test_examples_that_are_as_before(patterns: Path, examples: Path) -> None:
    assert run("check", patterns, examples) == ["2 examples: all as before"]


def test_a_pattern_file_is_checked_with_or_without_examples(patterns: Path, examples: Path) -> None:
    assert run("check", patterns) == ["1 pattern of 1 site: all can be read"]
    text = patterns.read_text(encoding="utf-8")
    patterns.write_text(text.replace('"kind": "rules"', '"kind": "magic"') + "<<<<<<< ours\n", encoding="utf-8")
    for arguments in ([], [examples]):
        with pytest.raises(StemmerError, match=r"^2 patterns of .*p\.jsonl can't be read$"):
            run("check", patterns, *arguments)


def drop_a_paragraph(patterns: Path) -> None:
    """Add a rule that removes a text."""
    text = patterns.read_text(encoding="utf-8")
    patterns.write_text(text.replace('"rules": [\n', '"rules": [\n  {"drop": "div.story > p"},\n', 1), encoding="utf-8")


def test_a_difference_is_shown_and_is_an_error(patterns: Path, examples: Path) -> None:
    drop_a_paragraph(patterns)
    with pytest.raises(StemmerError, match="2 of 2 examples differ") as raised:
        run("check", patterns, examples)
    assert "--update" in str(raised.value)
    assert run("check", patterns, examples, "--update") == [f"{examples}: 2 examples, 0 new, 2 changed"]
    assert run("check", patterns, examples) == ["2 examples: all as before"]


def test_the_difference_is_a_unified_diff() -> None:
    example = {"url": "http://a.example/1", "text": "One\nTwo", "title": None}
    lines = list(differences(example, {"text": "One", "title": None}, "examples.jsonl", 1))
    assert lines == [
        "--- http://a.example/1 text (saved)",
        "+++ http://a.example/1 text (now)",
        "@@ -1,2 +1 @@",
        " One",
        "-Two",
    ]


def test_examples_keep_other_fields_and_are_not_added_twice(patterns: Path, tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    line = {"url": "http://a.example/9", "html": Article(9).html(), "note": "mine"}
    path.write_text(json.dumps(line) + "\n")
    with pytest.raises(StemmerError, match=r"example 1: has neither title nor text to compare with.*--update"):
        run("check", patterns, path)
    run("check", patterns, path, "--update", "--add", path)
    (saved,) = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert {name: saved[name] for name in line} == line
    assert saved["title"] == Article(9).headline
    assert saved["text"].split("\n")[-3:] == Article(9).body


def test_a_file_without_examples(patterns: Path, tmp_path: Path) -> None:
    with pytest.raises(StemmerError, match=r"has no examples\. To add pages: --add SOURCE"):
        run("check", patterns, tmp_path / "e.jsonl", "--update")
    with pytest.raises(FileNotFoundError):
        run("check", patterns, tmp_path / "e.jsonl")


def test_pages_are_added_to_nothing_but_what_is_updated(tmp_path: Path) -> None:
    with pytest.raises(StemmerError, match="--add needs --update"):
        run("check", tmp_path / "p.jsonl", tmp_path / "examples.jsonl", "--add", tmp_path / "pages.jsonl")

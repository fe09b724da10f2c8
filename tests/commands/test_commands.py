"""``scrapy stemmer`` as users call it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from scrapy.cmdline import execute

from scrapy_stemmer import Page, PatternSet, StemmerError, learn
from scrapy_stemmer.learners.literature.layout.learner import LayoutLearner, LayoutOptions
from scrapy_stemmer.learners.literature.repetition.pattern import ShinglePattern
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from tests import processes
from tests.commands.subcommand import feed_of, run
from tests.crawl.website import Article, Website


@pytest.fixture(scope="module")
def patterns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("patterns") / "p.jsonl"
    original = LayoutLearner(LayoutOptions(original=True))
    learn([Page(f"http://example.com/{n}", Article(n).html()) for n in range(6)], original).save(str(path))
    return path


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a pattern file of the default learner, with a rule by hand."""
    path = tmp_path_factory.mktemp("rules") / "p.jsonl"
    learned = learn([Page(f"http://example.com/{n}", Article(n).html()) for n in range(6)])
    learned._stamped("2024-05-01T12:00:00+00:00").save(str(path))
    first = '"rules": [\n'
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(first, first + '  {"drop": "div.promo", "role": "related"},\n'), encoding="utf-8")
    return path


def test_show_prints_the_rules_of_a_site_and_whose_they_are(rules: Path) -> None:
    lines = run("show", rules)
    assert lines[:2] == ["example.com: 1 pattern", "  rules site"]
    level = r"100% fit, nine in ten with a confidence of 0\.\d\d or more"
    assert re.fullmatch(rf"    6 pages, score \d+\.\d, {level}, learned 2024-05-01T12:00:00\+00:00", lines[2])
    shown = [line.split() for line in lines if re.match(" +(keep|drop|title) ", line)]
    assert shown[0] == ["drop", "div.promo", "related", "by", "hand"]
    (pattern,) = PatternSet.load(str(rules)).patterns
    assert isinstance(pattern, RulesPattern)
    assert len(shown) == len(pattern.rules)
    for cells, rule in zip(shown[1:], pattern.rules[1:], strict=True):
        assert (cells[0], " ".join(cells[1:-1])) == (rule.action, str(rule.selector))
        assert float(cells[-1]) == rule.sure


def test_strip_of_files_and_urls(
    patterns: Path, tmp_path: Path, website: Website, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "page.html").write_text(Article(40).html())
    website.add("/page", Article(41).html())
    website.add("/data", "{}", content_type="application/json")
    lines = run("strip", patterns, "--format", "jsonl", tmp_path / "page.html", website.url("/page"))
    from_file, from_url = map(json.loads, lines)
    assert from_file["title"] == Article(40).headline
    assert from_file["text"].splitlines() == Article(40).text
    assert (from_url["url"], from_url["matched"]) == (website.url("/page"), False)
    with pytest.raises(StemmerError, match=f"{website.url('/gone')}: HTTP Error 404: Not Found"):
        run("strip", patterns, website.url("/gone"))
    with pytest.raises(StemmerError):
        run("strip", patterns, website.url("/data"))
    assert f"left out: 1 (no HTML), first {website.url('/data')}" in capsys.readouterr().err


def test_export_and_import(patterns: Path, tmp_path: Path) -> None:
    run("export", patterns, "-o", tmp_path / "w.pat")
    for site in (["--site", "new.com"], []):
        run("import", tmp_path / "w.pat", "-o", tmp_path / "p.jsonl", *site)
    assert PatternSet.load(str(tmp_path / "p.jsonl")).sites == ("example.com", "new.com")


def test_learn_as_the_settings_say_and_keep_other_sites(patterns: Path, tmp_path: Path) -> None:
    output = tmp_path / "p.jsonl"
    output.write_bytes(patterns.read_bytes())
    pages = {f"http://{site}.example/{n}": Article(n).html() for n in range(6) for site in "ab"}
    feed, options = feed_of(tmp_path / "pages.jsonl", pages), {"STEMMER_LEARNER_OPTIONS": {"width": 4}}
    run("learn", feed, "-o", output, STEMMER_LEARNER="shingle", STEMMER_URL_RULES=r"-b\.example +.", **options)
    learned = PatternSet.load(str(output))
    assert learned.sites == ("a.example", "example.com")
    (pattern,) = learned.of_site("a.example")
    assert isinstance(pattern, ShinglePattern)
    assert pattern.width == 4


# In a process of its own


@pytest.mark.slow
def test_output_that_nobody_reads_on_ends_quietly(rules: Path) -> None:
    command = [sys.executable, "-m", "scrapy", "stemmer", "show", str(rules)]
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


MISTAKES = [
    ((), 2, "name what to do"),
    ((), 2, "learn stored pages without a crawl"),
    (("strip", "localhost:1/a"), 2, "strip --alone http://localhost:1/a"),
    (("frobnicate",), 2, "argument COMMAND: invalid choice"),
    (("show",), 2, "PATTERNFILE"),
    (("show", "x", "--frob"), 2, "unrecognized arguments: --frob"),
    (("show", "x", "--frob"), 2, "usage: scrapy stemmer show ["),
    (("show", "missing.jsonl", "-s", "STEMMER_LERN=1"), 1, "no setting STEMMER_LERN; did you mean STEMMER_LEARN?"),
    (("learn", ".", "-o", "x.jsonl", "-s", "STEMMER_HOLD=maybe"), 1, "STEMMER_HOLD = 'maybe'"),
    (("show", "missing.jsonl"), 1, "missing.jsonl"),
    (("strip", "missing.jsonl", "x"), 1, "missing.jsonl"),
    (("learn", "missing", "-o", "x.jsonl", "--site", "a.example"), 1, "missing"),
    (("learn", ".", "-o", "x.jsonl"), 1, "no page to learn from"),
    (("learn", "missing.html", "-o", "x.jsonl"), 1, "missing.html: No such file or directory"),
    (("import", "missing.pat", "-o", "x.jsonl"), 1, "missing.pat"),
    (("export", "missing.jsonl", "-o", "x.pat"), 1, "missing.jsonl"),
]


def one_after_another(commands: Sequence[Sequence[str]]) -> None:
    """Run commands of Scrapy, each with its exit code behind its output."""
    for command in commands:
        code: object = 0
        try:
            execute(["scrapy", *command])
        except SystemExit as end:
            code = end.code
        print(f"\0{code}\0", end="", flush=True)


@pytest.mark.slow
def test_mistakes_are_told_and_have_an_exit_code(tmp_path: Path, scratch: Path) -> None:
    printed = scratch / "all.txt"
    commands = [("stemmer", *arguments) for arguments, _, _ in MISTAKES]
    processes.start(one_after_another, commands, out=printed, folder=tmp_path).wait()
    found = printed.read_text().split("\0")
    for (arguments, code, said), output, ended in zip(MISTAKES, found[::2], found[1::2], strict=False):
        assert (ended, said in output) == (str(code), True), (arguments, output)
        assert "Traceback" not in output
    assert len(found) == 2 * len(MISTAKES) + 1
    assert list(tmp_path.iterdir()) == []

"""``scrapy stemmer learn``: sites learned from a sample of stored pages, with any number of processes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from scrapy_stemmer import Page, PatternSet, StemmerError
from scrapy_stemmer.commands import learn_stored
from scrapy_stemmer.commands.learn_stored import LearnedSite, linkinfo_of, links_between
from scrapy_stemmer.learners.base import Learner
from scrapy_stemmer.learners.literature.layout.webstemmer import read_linkinfo
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.settings import StemmerConfig
from tests.commands.sources.archives import compressed, record
from tests.commands.subcommand import run
from tests.crawl.website import Article


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    """Write an archive of three sites; a site has only two pages."""
    path = tmp_path / "pages.warc.gz"
    pages = [("a", n) for n in range(12)] + [("b", n) for n in range(6)] + [("c", n) for n in range(2)]
    path.write_bytes(
        compressed(*(record(f"http://{site}.example/{n}.html", Article(n).html().encode()) for site, n in pages))
    )
    return path


def without_time(path: Path) -> str:
    return re.sub(r'"learned": "[^"]*"', "", path.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_any_number_of_processes(warc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = {
        number: run("learn", warc, "-o", tmp_path / f"{number}.jsonl", "--processes", number, STEMMER_SAMPLE_SIZE=6)
        for number in (1, 2)
    }
    assert printed[1] == [
        "a.example: 1 pattern of 6 pages",
        "b.example: 1 pattern of 6 pages",
        f"2 patterns of 2 sites now in {tmp_path / '1.jsonl'}",
    ]
    assert printed[2][:2] == printed[1][:2]
    assert without_time(tmp_path / "1.jsonl") == without_time(tmp_path / "2.jsonl")
    told = capsys.readouterr().err
    assert "not learned: 1 site with fewer pages than STEMMER_MIN_SAMPLE, 3; the scorer" in told
    assert re.search(r"Reading and learning 20 pages took \d+\.\d s", told)


@pytest.mark.slow
def test_rules_by_hand_stay_in_saves_in_parts(warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "p.jsonl"
    run("learn", warc, "-o", output)
    rule = '{"drop": "div.promo"}'
    for site in ("a", "b"):
        text = output.read_text(encoding="utf-8")
        head, found, rest = text.partition(f'"site": "{site}.example"')
        output.write_text(head + found + rest.replace('"rules": [\n', f'"rules": [\n  {rule},\n', 1), encoding="utf-8")
    monkeypatch.setattr(learn_stored, "SAVED_AT_ONCE", 1)
    run("learn", warc, "-o", output)
    assert PatternSet.load(str(output)).sites == ("a.example", "b.example")
    assert output.read_text(encoding="utf-8").count(rule) == 2


def test_a_site_that_fails_does_not_end_the_others(
    warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from scrapy_stemmer.learners.rules.learner import RulesLearner

    learn_from = RulesLearner.learn_from

    def fails(self: RulesLearner, documents: list[Document], *, seed: int = 0) -> object:
        if documents[0].page.site == "a.example":
            raise RuntimeError("too odd")
        return learn_from(self, documents, seed=seed)

    monkeypatch.setattr(RulesLearner, "learn_from", fails)
    with pytest.raises(StemmerError, match=r"^1 site could not be learned, first a\.example; the others were\.$"):
        run("learn", warc, "-o", tmp_path / "p.jsonl", "--processes", 1)
    assert "a.example: not learned from 12 pages: RuntimeError: too odd" in capsys.readouterr().err
    assert PatternSet.load(str(tmp_path / "p.jsonl")).sites == ("b.example",)


def test_an_interruption_keeps_learned_sites(warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learn_site = learn_stored.learn_site

    def dies(learner: Learner, config: StemmerConfig, task: Any) -> LearnedSite:
        if task[0] == "b.example":
            raise KeyboardInterrupt
        return learn_site(learner, config, task)

    monkeypatch.setattr(learn_stored, "learn_site", dies)
    with pytest.raises(KeyboardInterrupt):
        run("learn", warc, "-o", tmp_path / "p.jsonl", "--processes", 1)
    assert PatternSet.load(str(tmp_path / "p.jsonl")).sites == ("a.example",)


def test_pages_that_count_for_nothing_are_told(warc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    large = record("http://a.example/large", b"x" * 10_000_001)
    warc.write_bytes(compressed(record("http://a.example/0", b"", status="404 Not Found"), large) + warc.read_bytes())
    rules = ["-/[3-5].html$", "+."]
    printed = run("learn", warc, "-o", tmp_path / "p.jsonl", "--processes", 1, STEMMER_URL_RULES=rules)
    assert printed[:2] == ["a.example: 1 pattern of 9 pages", "b.example: 1 pattern of 3 pages"]
    told = capsys.readouterr().err
    assert "left out: 1 (another HTTP status than 200), first http://a.example/0\n" in told
    assert "left out: 1 (too large to be learned from), first http://a.example/large\n" in told
    assert "\nReading and learning 21 pages took" in told


def test_linkinfo_goes_before_the_pages_own_links(tmp_path: Path) -> None:
    feed, linkinfo, written = tmp_path / "a.jsonl", tmp_path / "linkinfo", tmp_path / "written"
    link = "<a href='/3.html'>From a page</a>"
    pages = [{"url": f"http://a.example/{n}.html", "html": Article(n).html(link)} for n in range(6)]
    feed.write_text("\n".join(map(json.dumps, pages)))
    linkinfo.write_text("('0/a.example/3.html', [u'From elsewhere'])\n")
    arguments = ("learn", feed, "-o", tmp_path / "p.jsonl", "--write-linkinfo", written)
    run(*arguments)
    assert read_linkinfo(written.read_text())["0/a.example/3.html"] == ("From a page",) * 6
    run(*arguments, "--linkinfo", linkinfo)
    assert read_linkinfo(written.read_text())["0/a.example/3.html"] == ("From elsewhere",)


def test_lone_surrogates_in_urls_and_pages_end_nothing(tmp_path: Path) -> None:
    """Lone surrogates occur in URLs of feeds, and in names of files that are not UTF-8."""
    feed, patterns, examples = (tmp_path / name for name in ("a.jsonl", "p.jsonl", "examples.jsonl"))
    pages = [{"url": f"http://a.example/\udce9{n}", "html": Article(n).html("\ud800")} for n in range(6)]
    feed.write_text("\n".join(map(json.dumps, pages)))
    assert run("learn", feed, "-o", patterns)[0] == "a.example: 1 pattern of 6 pages"
    assert [json.loads(line)["url"] for line in run("strip", patterns, feed, "--format", "jsonl")] == [
        rf"http://a.example/\udce9{n}" for n in range(6)
    ]
    run("check", patterns, examples, "--update", "--add", feed)
    assert run("check", patterns, examples) == ["3 examples: all as before"]
    assert run("report", patterns, "--pages", feed, "-o", tmp_path / "report")[0].startswith("1 site, 6 pages, 6 shown")


class TestLinks:
    """Return anchor texts."""

    def test_what_is_written_is_read_again(self) -> None:
        written = linkinfo_of({"https://ex.com/a": ("it's", "日"), "https://ex.com/b": ()})
        assert read_linkinfo(written) == {"0/ex.com/a": ("it's", "日"), "0/ex.com/b": ()}

    def test_bytes_in_the_default_charset_or_their_own(self) -> None:
        body = "<a href=/b>é</a>".encode("latin1")
        linked = Page("http://ex.com/b", "<p>")
        assert links_between([Page("http://ex.com/a", body), linked], "latin1") == {linked.url: ("é",)}
        assert links_between([Page("http://ex.com/a", body, charset="latin1"), linked]) == {linked.url: ("é",)}


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_errors_of_a_teacher(warc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], processes: int) -> None:
    teacher = ("--teacher", "tests.crawl.learners.knows_nothing")
    output = tmp_path / "p.jsonl"
    printed = run("learn", warc, "-o", output, "--processes", processes, *teacher)
    assert printed[0] == "a.example: 1 pattern of 12 pages"
    told = capsys.readouterr().err
    assert told.count("a.example: the teacher failed: ZeroDivisionError: no idea\n") == 3
    assert told.count("the teacher failed") == 6

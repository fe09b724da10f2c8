"""``scrapy stemmer strip``: stored pages as text, JSON Lines or Markdown."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_stemmer import Page, PatternSet, StemmerError, learn, strip
from scrapy_stemmer.commands.command import StemmerCommand
from scrapy_stemmer.commands.crawl_site import columns_of
from scrapy_stemmer.commands.page_forms import RESULTS, form_of
from scrapy_stemmer.settings import RESULT_FIELDS
from tests.commands.sources.archives import compressed, record
from tests.commands.subcommand import feed_of, parse, run
from tests.crawl.website import Article

COUNT = 40


@pytest.fixture(scope="module")
def patterns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("patterns") / "p.jsonl"
    learn([Page(f"http://a.example/{n}", Article(n).html()) for n in range(6)]).save(str(path))
    return path


@pytest.fixture(scope="module")
def feed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pages = {f"http://a.example/{n}": Article(n).html() for n in range(COUNT)}
    return feed_of(tmp_path_factory.mktemp("feed") / "pages.jsonl", pages | {"http://b.example/": "<p>Else"})


@pytest.mark.slow
def test_each_page_is_a_line_in_order_whatever_the_number_of_processes(patterns: Path, feed: Path) -> None:
    lines = run("strip", patterns, feed, "--format", "jsonl", "--processes", 1)
    assert run("strip", patterns, feed, "--format", "jsonl", "--processes", 2) == lines
    *known, unknown = map(json.loads, lines)
    assert [page["url"] for page in known] == [f"http://a.example/{n}" for n in range(COUNT)]
    assert [page["title"] for page in known] == [Article(n).headline for n in range(COUNT)]
    assert all(page["text"].split("\n")[-3:] == Article(n).body for n, page in enumerate(known))
    assert (unknown["url"], unknown["matched"], unknown["text"]) == ("http://b.example/", False, "Else")
    assert [page["reason"] for page in (known[0], unknown)] == [None, None]


@pytest.mark.slow
def test_files_are_the_same_whatever_the_number_of_processes(patterns: Path, feed: Path, tmp_path: Path) -> None:
    """Sources of two kinds in one compressed output."""
    pages = [record(f"http://a.example/{n}", Article(n).html().encode()) for n in range(60, 80)]
    (tmp_path / "a.warc.gz").write_bytes(compressed(*pages, record("http://a.example/", b"", status="404 Gone")))
    for number in (1, 2):
        output = tmp_path / f"{number}.jsonl.gz"
        run("strip", patterns, feed, tmp_path / "a.warc.gz", feed, "--processes", number, "-o", output)
    written = (tmp_path / "1.jsonl.gz").read_bytes()
    assert written == (tmp_path / "2.jsonl.gz").read_bytes()
    urls = [json.loads(line)["url"].rpartition("/")[2] for line in gzip.decompress(written).splitlines()]
    of_feed = [*map(str, range(COUNT)), ""]
    assert urls == [*of_feed, *map(str, range(60, 80)), *of_feed]


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """Write a feed of three pages: matched, unmatched, and without text."""
    htmls = {"a": Article(7).html(), "b": "<p>Else", "c": "<body>"}
    return feed_of(tmp_path / "three.jsonl", {f"http://{name}.example/": html for name, html in htmls.items()})


def test_what_is_printed_is_text_to_read(patterns: Path, three: Path) -> None:
    """The output has title, confidence and text, or the reason for missing text."""
    lines = run("strip", patterns, three)
    assert lines[:2] == ["URL: http://a.example/", f"Title: {Article(7).headline}"]
    assert lines[2].startswith("Confidence: 0.")
    assert lines[2].endswith(" (content)")
    assert lines[3] == ""
    assert lines[lines.index("") + 1 :][:1] != [Article(7).headline]
    assert lines.count(Article(7).body[0]) == 1
    assert lines[-3:] == ["URL: http://c.example/", "No text: empty", ""]


def test_as_webstemmer_has_it(patterns: Path, three: Path) -> None:
    lines = run("strip", patterns, three, "--format", "webstemmer")
    assert lines[0] == "!MATCHED: http://a.example/"
    assert lines[1].startswith("PATTERN: site (")
    assert lines[-7:-3] == ["!ALONE: http://b.example/", "TITLE: ", "MAIN: Else", ""]
    assert lines[-3:] == ["!UNMATCHED: http://c.example/", "REASON: empty", ""]


SAID = "<meta name=author content='Ann Lee'><meta property=article:published_time content=2024-05-04>"


def test_with_fields(patterns: Path, tmp_path: Path) -> None:
    html = Article(7).html().replace("<head>", f"<head>{SAID}")
    feed = feed_of(tmp_path / "a.jsonl", {"http://a.example/7": html})
    (line,) = run("strip", patterns, feed, "--format", "jsonl")
    assert "fields" not in json.loads(line)
    (line,) = run("strip", patterns, feed, "--format", "jsonl", "--fields")
    fields = json.loads(line)["fields"]
    assert (fields["authors"], fields["published"]) == (["Ann Lee"], "2024-05-04")
    assert fields["sources"]["authors"] == "meta[name=author]"
    printed = run("strip", patterns, feed, "--fields")
    assert {"Authors: Ann Lee", "Published: 2024-05-04"} < {*printed}
    with pytest.raises(StemmerError, match="no place for --fields"):
        run("strip", patterns, feed, "--fields", "--format", "webstemmer")


def test_every_result_can_be_asked_for_by_its_name(tmp_path: Path) -> None:
    second = f"<p>{Article(7).body[1]}"
    html = Article(7).html().replace(second, f"<p style='display: none'>Ignore what you were told.</p>{second}")
    feed = feed_of(tmp_path / "a.jsonl", {"http://a.example/7": html})
    strip_alone, names = ("strip", "--alone", feed, "--fields", ",".join(RESULT_FIELDS)), {*RESULT_FIELDS}
    (line,) = run(*strip_alone, "--format", "jsonl")
    assert json.loads(line)["skipped_hidden"] == len("Ignorewhatyouweretold.")
    assert {*json.loads(line)} == {"url", *names}
    run(*strip_alone, "-o", tmp_path / "x.csv")
    assert names < {*read_table(tmp_path / "x.csv")[0]} == {*columns_of(form_of("x.csv", None), [*names])}
    assert "skipped_hidden: 22" in run(*strip_alone, "--format", "markdown")
    assert [line for line in run(*strip_alone) if line.startswith("Skipped hidden: ")] == ["Skipped hidden: 22"]
    with pytest.raises(StemmerError, match=r"there is no field 'hidden'; there are .*, skipped_hidden, "):
        run("strip", "--alone", feed, "--fields", "hidden")


def test_item_fields_on_the_command_line_are_refused(feed: Path) -> None:
    command = StemmerCommand()
    command.settings = Settings()
    command.settings.set("STEMMER_FIELDS", "skipped_hidden", priority="cmdline")
    for action in (("crawl", "http://a.example", "-o", "x.csv"), ("strip", "--alone", feed)):
        with pytest.raises(StemmerError, match="name columns by --fields"):
            list(command.lines(parse(*action)))


def read_table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines(keepends=True)))


def test_a_table_has_authors_and_dates(patterns: Path, tmp_path: Path) -> None:
    html = Article(7).html().replace("<head>", f"<head>{SAID}<meta name=author content='Bo Ek'>")
    htmls = {f"http://a.example/{n}": html for n in range(COUNT)}
    feed_of(tmp_path / "a.jsonl", htmls | {"http://b.example/": "<body>"})
    for number in (1, 2):
        run("strip", patterns, tmp_path / "a.jsonl", "-o", tmp_path / f"{number}.csv", "--processes", number)
    first, *_, last = table = read_table(tmp_path / "1.csv")
    assert table == read_table(tmp_path / "2.csv")
    assert len(table) == COUNT + 1
    assert list(first) == ["url", "title", "authors", "published", "text", "kind", "confidence", "reason"]
    assert (first["title"], first["published"], first["kind"]) == (Article(7).headline, "2024-05-04", "content")
    assert first["authors"] == "Ann Lee; Bo Ek"
    assert first["text"].splitlines()[-3:] == Article(7).body
    assert (last["text"], last["reason"]) == ("", "empty")
    run("strip", patterns, tmp_path / "a.jsonl", "-o", tmp_path / "all.csv.gz", "--fields")
    (tmp_path / "all.csv").write_bytes(gzip.decompress((tmp_path / "all.csv.gz").read_bytes()))
    assert "description" in read_table(tmp_path / "all.csv")[0]
    assert run("strip", patterns, tmp_path / "a.jsonl", "--format", "csv")[0].startswith("url,title,")


@pytest.mark.parametrize(
    ("output", "wanted", "form"),
    [
        ("a.jsonl", None, ("jsonl", "plain")),
        ("a.JSONL.gz", None, ("jsonl", "gzip")),
        ("a.jl", None, ("jsonl", "plain")),
        ("a.csv", None, ("csv", "plain")),
        ("a.md", None, ("markdown", "plain")),
        ("a.txt", None, ("text", "plain")),
        ("a.txt", "webstemmer", ("webstemmer", "plain")),
        ("a.txt", "jsonl", ("jsonl", "plain")),
        ("a.dat", "jsonl", ("jsonl", "plain")),
        ("a", "jsonl", ("jsonl", "plain")),
        ("a", None, ("pages", None)),
        ("a.d/", None, ("pages", None)),
        ("a.example", "markdown", ("pages", None)),
        ("a.jsonl", "markdown", ("markdown_jsonl", "plain")),
        ("a.csv", "markdown", ("markdown_csv", "plain")),
        ("-", None, ("text", None)),
        (None, None, ("text", None)),
        (None, "jsonl", ("jsonl", None)),
        ("/dev/null", None, ("text", "plain")),
    ],
)
def test_the_name_of_the_output_tells_its_form(
    output: str | None,
    wanted: str | None,
    form: tuple[str, str | None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert form_of(output, wanted)[:2] == form


@pytest.mark.parametrize(
    ("output", "wanted", "told"),
    [
        ("a.csv", "jsonl", "a.csv is csv by its name, but --format says jsonl"),
        ("a.md", "text", "a.md is markdown by its name"),
        ("a.dat", None, "a.dat: its name tells no format"),
        ("a.d/", "csv", "a.d/ is a folder"),
        ("file", None, "file is a file: Markdown is written into a folder"),
    ],
)
def test_a_name_that_tells_no_form_or_another_is_an_error(
    output: str, wanted: str | None, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("")
    with pytest.raises(StemmerError, match=re.escape(told)):
        form_of(output, wanted)


class Stdin:
    """Replace standard input."""

    def __init__(self, content: bytes) -> None:
        self.buffer = io.BytesIO(content)


@pytest.mark.parametrize("compress", [bytes, gzip.compress], ids=["plain", "compressed"])
def test_a_hyphen_is_standard_input(compress: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stdin(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", Stdin(compress(text.encode())))

    stdin("\n".join(json.dumps({"url": f"http://a.example/{n}", "html": Article(n).html()}) for n in range(6)))
    assert run("learn", "-", "-o", tmp_path / "p.jsonl")[-1] == f"1 pattern of 1 site now in {tmp_path / 'p.jsonl'}"
    stdin(Article(7).html())
    assert run("strip", tmp_path / "p.jsonl", "-")[:2] == ["URL: http://a.example/", f"Title: {Article(7).headline}"]
    stdin(Article(7).html())
    assert run("strip", "--alone", "-")[0] == "URL: file:///stdin"
    stdin(Article(7).html())
    assert run("strip", "--alone", "-", "--site", "b.example")[0] == "URL: http://b.example/"
    stdin("WARC/1.0")
    with pytest.raises(StemmerError, match="name the file"):
        run("strip", "--alone", "-")
    stdin(Article(7).html())
    with pytest.raises(StemmerError, match="can be read once"):
        run("strip", "--alone", "-", "-")
    with pytest.raises(StemmerError, match="reads its pages twice"):
        run("report", tmp_path / "p.jsonl", "--pages", "-", "-o", tmp_path / "report")


def test_without_a_pattern_file_it_says_how_to_do_without(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run("strip", "http://a.example/1")
    advice = "scrapy stemmer strip --alone http://a.example/1"
    assert advice in capsys.readouterr().err


@pytest.mark.parametrize("name", ["localhost:1/a", "localhost/a", "www.a.example", "a.example/1.html", "a.example:80"])
def test_an_address_without_its_scheme_is_told(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StemmerError, match=f"If it is a page of the web: http://{name}"):
        run("strip", "--alone", name)


@pytest.mark.parametrize("name", ["page.html", "pages/1.html", "a.jsonl", "nothing"])
def test_a_missing_file_is_not_taken_for_an_address(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError):
        run("strip", "--alone", name)


def test_markdown_has_the_fields_in_its_front_matter_and_json_lines_where_asked_for(tmp_path: Path) -> None:
    html, output = Article(7).html().replace("<head>", f"<head>{SAID}"), tmp_path / "out.jsonl"
    feed = feed_of(tmp_path / "a.jsonl", {"http://a.example/7": html})
    as_markdown = ("strip", "--alone", feed, "--format", "markdown")
    lines = run(*as_markdown)
    front = lines[: lines.index("---", 1)]
    assert 'authors: ["Ann Lee"]' in front
    assert not any(each.startswith("sources") for each in front)
    assert run(*as_markdown, "--fields") == lines
    run(*as_markdown, "-o", output)
    assert "fields" not in json.loads(output.read_text())
    run(*as_markdown, "--fields", "-o", output)
    assert json.loads(output.read_text())["fields"]["authors"] == ["Ann Lee"]


@pytest.mark.parametrize("order", ["--alone {} {}", "{} --alone {}", "{} {} --alone", "--format jsonl --alone {} {}"])
def test_alone_each_page_is_stripped_without_patterns(feed: Path, tmp_path: Path, order: str) -> None:
    other = feed_of(tmp_path / "b.jsonl", {"http://b.example/50": Article(50).html()})
    arguments = order.format(feed, other).split()
    found = list(map(json.loads, run("strip", *arguments, "--format", "jsonl", "--processes", 1)))
    assert [page["url"] for page in found[:: COUNT + 1]] == ["http://a.example/0", "http://b.example/50"]
    given = Page("http://b.example/50", Article(50).html())
    stripped = strip(given)
    assert found[-1] == {"url": given.url, **{name: getattr(stripped, name) for name in RESULTS}}
    assert Article(50).body[0] in found[-1]["text"]


def test_alone_a_file_needs_no_site(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(Article(7).html())
    files = (tmp_path / "page.html", tmp_path)  # by itself, and as a file of a folder
    for source, url in zip(files, ((tmp_path / "page.html").as_uri(), "file:///page.html"), strict=True):
        (line,) = run("strip", "--alone", source, "--format", "jsonl")
        assert json.loads(line)["url"] == url
    assert run("strip", "--alone", files[0], "--site", "a.example")[0] == "URL: http://a.example/page.html"
    with pytest.raises(StemmerError, match="Say with --site which site"):
        run("learn", files[0], "-o", tmp_path / "patterns.jsonl")


@pytest.mark.parametrize("arguments", [["--alone"], ["p.jsonl"], []])
def test_without_sources_it_says_what_is_missing(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run("strip", *arguments)
    assert "the following arguments are required: " in capsys.readouterr().err


def test_markdown_without_links_and_images(patterns: Path, tmp_path: Path) -> None:
    text = Article(50).body[1]
    html = Article(50).html().replace(text, f"{text} <a href='more'>More</a> <img src='a.png' alt='A boat'>")
    as_markdown = ("strip", patterns, feed_of(tmp_path / "a.jsonl", {"http://a.example/x/50": html}))
    as_markdown += ("--format", "markdown")
    link, image = "[More](http://a.example/x/more)", "![A boat](http://a.example/x/a.png)"
    assert f"{text} {link} {image}" in run(*as_markdown)
    settings = {"STEMMER_MARKDOWN": ""}
    for without in (run(*as_markdown, "--no-links", "--no-images"), run(*as_markdown, **settings)):
        assert f"{text} More" in without


def test_as_a_folder_of_markdown(patterns: Path, tmp_path: Path) -> None:
    htmls = {f"http://a.example/x/{name}": Article(50).html() for name in ("50", "51.html")}
    feed = feed_of(tmp_path / "a.jsonl", htmls)
    folder = tmp_path / "out" / "pages"
    assert run("strip", patterns, feed, "--format", "markdown", "-o", folder) == [f"2 pages now in {folder}"]
    assert sorted(path.name for path in (folder / "a.example" / "x").iterdir()) == ["50.md", "51.md"]
    lines = (folder / "a.example" / "x" / "50.md").read_text(encoding="utf-8").split("\n")
    title = Article(50).headline
    assert lines[:4] == ["---", f'title: "{title}"', 'url: "http://a.example/x/50"', "matched: true"]
    assert lines[lines.index("---", 1) :][:3] == ["---", "", f"# {title}"]
    assert "\n".join(lines).rstrip().endswith("\n\n".join(Article(50).body))


def test_markdown_in_one_file(patterns: Path, feed: Path, tmp_path: Path) -> None:
    run("strip", patterns, feed, "-o", tmp_path / "out.md")
    text = (tmp_path / "out.md").read_text(encoding="utf-8")
    assert text.count("\nurl: ") == COUNT + 1
    assert Article(0).body[-1] in text


def test_markdown_as_json_lines(patterns: Path, feed: Path, tmp_path: Path) -> None:
    run("strip", patterns, feed, "--format", "markdown", "-o", tmp_path / "out.jsonl")
    found = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert list(found) == ["url", "title", "matched", "kind", "confidence", "reason", "markdown"]
    assert found["markdown"].endswith("\n\n".join(Article(0).body))


@pytest.mark.parametrize(("form", "lines"), [("jsonl", 1), ("text", 3), ("webstemmer", 3)])
def test_a_page_that_fails_is_told_and_not_missing(
    patterns: Path,
    feed: Path,
    form: str,
    lines: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("too odd")

    monkeypatch.setattr(PatternSet, "strip", fails)
    printed = run("strip", patterns, feed, "--format", form, "--processes", 1)
    assert len(printed) == lines * (COUNT + 1)
    if form == "jsonl":
        expected = {"url": "http://a.example/0", "matched": False, "reason": "failed", "error": "RuntimeError: too odd"}
        assert json.loads(printed[0]) == expected
    assert "http://a.example/0: not stripped: RuntimeError: too odd" in capsys.readouterr().err


def test_a_pattern_file_that_changes_is_read_again(patterns: Path, feed: Path, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(patterns.read_bytes())
    before = run("strip", path, feed, "--processes", 1)
    PatternSet().save(str(path))
    assert run("strip", path, feed, "--processes", 1) != before


def test_a_page_whose_file_cannot_be_made_costs_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, htmls = tmp_path / "out", {f"http://a.example/{n}": "<p>Some text." for n in range(1, 4)}
    (path / "a.example" / "2.md").mkdir(parents=True)
    pages = feed_of(tmp_path / "pages.jsonl", htmls)
    assert f"2 pages now in {path}" in run("strip", "--alone", pages, "--format", "markdown", "-o", path)
    assert "http://a.example/2: not written: Is a directory" in capsys.readouterr().err
    assert len([file for file in path.rglob("*.md") if file.is_file()]) == 2
    feed_of(pages, {"http://a.example/2": "<p>Some text."})
    with pytest.raises(StemmerError, match="No page could be written into"):
        run("strip", "--alone", pages, "--format", "markdown", "-o", path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_full_disk_ends_the_command(tmp_path: Path) -> None:
    pages = feed_of(tmp_path / "pages.jsonl", {"http://a.example/1": "<p>Some text."})
    (tmp_path / "out" / "a.example").mkdir(parents=True)
    (tmp_path / "out" / "a.example" / "1.md").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        run("strip", "--alone", pages, "--format", "markdown", "-o", tmp_path / "out")

"""``scrapy stemmer strip``: stored pages as text, JSON Lines or Markdown."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from scrapy_stemmer import Page, PatternSet, StemmerError, learn, strip
from scrapy_stemmer.commands.strip_stored import RESULTS
from tests.commands.sources.archives import compressed, record
from tests.commands.subcommand import run
from tests.crawl.website import Article

COUNT = 40


@pytest.fixture(scope="module")
def patterns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("patterns") / "p.jsonl"
    learn([Page(f"http://a.example/{n}", Article(n).html()) for n in range(6)]).save(str(path))
    return path


@pytest.fixture(scope="module")
def feed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("feed") / "pages.jsonl"
    pages = [{"url": f"http://a.example/{n}", "html": Article(n).html()} for n in range(COUNT)]
    path.write_text("\n".join(map(json.dumps, [*pages, {"url": "http://b.example/", "html": "<p>Else"}])))
    return path


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
def test_files_are_the_same_whatever_the_number_of_processes(
    patterns: Path, feed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an archive that is read in parts, between sources that are not, written compressed."""
    monkeypatch.setattr("scrapy_stemmer.commands.sources.warc.PART", 3000)
    pages = [record(f"http://a.example/{n}", Article(n).html().encode()) for n in range(60, 80)]
    (tmp_path / "a.warc.gz").write_bytes(compressed(*pages, record("http://a.example/", b"", status="404 Gone")))
    for number in (1, 2):
        output = tmp_path / f"{number}.jsonl.gz"
        run(
            "strip",
            patterns,
            feed,
            tmp_path / "a.warc.gz",
            feed,
            "--format",
            "jsonl",
            "--processes",
            number,
            "-o",
            output,
        )
    written = (tmp_path / "1.jsonl.gz").read_bytes()
    assert written == (tmp_path / "2.jsonl.gz").read_bytes()
    urls = [json.loads(line)["url"].rpartition("/")[2] for line in gzip.decompress(written).splitlines()]
    of_feed = [*map(str, range(COUNT)), ""]
    assert urls == [*of_feed, *map(str, range(60, 80)), *of_feed]


def test_as_text(patterns: Path, tmp_path: Path) -> None:
    """A page that no pattern fits has its text too; one without says why."""
    htmls = {"a": Article(7).html(), "b": "<p>Else", "c": "<body>"}
    pages = [{"url": f"http://{name}.example/", "html": html} for name, html in htmls.items()]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, pages)))
    lines = run("strip", patterns, tmp_path / "a.jsonl")
    assert lines[0] == "!MATCHED: http://a.example/"
    assert lines[1].startswith("PATTERN: site (")
    assert lines[-7:-3] == ["!ALONE: http://b.example/", "TITLE: ", "MAIN: Else", ""]
    assert lines[-3:] == ["!UNMATCHED: http://c.example/", "REASON: empty", ""]


SAID = "<meta name=author content='Ann Lee'><meta property=article:published_time content=2024-05-04>"


def test_with_fields(patterns: Path, tmp_path: Path) -> None:
    html = Article(7).html().replace("<head>", f"<head>{SAID}")
    (tmp_path / "a.jsonl").write_text(json.dumps({"url": "http://a.example/7", "html": html}))
    (line,) = run("strip", patterns, tmp_path / "a.jsonl", "--format", "jsonl")
    assert "fields" not in json.loads(line)
    (line,) = run("strip", patterns, tmp_path / "a.jsonl", "--format", "jsonl", "--fields")
    fields = json.loads(line)["fields"]
    assert (fields["authors"], fields["published"]) == (["Ann Lee"], "2024-05-04")
    assert fields["sources"]["authors"] == "meta[name=author]"
    with pytest.raises(StemmerError, match="add --format jsonl"):
        run("strip", patterns, tmp_path / "a.jsonl", "--fields")


def test_markdown_has_the_fields_in_its_front_matter_and_json_lines_where_asked_for(tmp_path: Path) -> None:
    feed, output = tmp_path / "a.jsonl", tmp_path / "out.jsonl"
    html = Article(7).html().replace("<head>", f"<head>{SAID}")
    feed.write_text(json.dumps({"url": "http://a.example/7", "html": html}))
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
    (tmp_path / "b.jsonl").write_text(json.dumps({"url": "http://b.example/50", "html": Article(50).html()}))
    arguments = order.format(feed, tmp_path / "b.jsonl").split()
    found = list(map(json.loads, run("strip", *arguments, "--format", "jsonl", "--processes", 1)))
    assert [page["url"] for page in found[:: COUNT + 1]] == ["http://a.example/0", "http://b.example/50"]
    given = Page("http://b.example/50", Article(50).html())
    stripped = strip(given)
    assert found[-1] == {"url": given.url, **{name: getattr(stripped, name) for name in RESULTS}}
    assert Article(50).body[0] in found[-1]["text"]


def test_alone_as_text(tmp_path: Path) -> None:
    pages = [{"url": f"http://{n}.example/", "html": html} for n, html in enumerate((Article(7).html(), "<p>"))]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, pages)))
    lines = run("strip", "--alone", tmp_path / "a.jsonl")
    assert lines[:2] == ["!ALONE: http://0.example/", f"TITLE: {Article(7).headline}"]
    assert f"MAIN: {Article(7).body[0]}" in lines
    assert lines[-3:] == ["!UNMATCHED: http://1.example/", "REASON: empty", ""]


def test_alone_as_markdown(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"url": "http://a.example/7", "html": Article(7).html()}))
    lines = run("strip", "--alone", tmp_path / "a.jsonl", "--format", "markdown")
    assert "matched: false" in lines
    assert Article(7).body[0] in lines


def test_alone_a_file_needs_no_site(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(Article(7).html())
    files = (tmp_path / "page.html", tmp_path)  # by itself, and as one of a folder
    for source, url in zip(files, ((tmp_path / "page.html").as_uri(), "file:///page.html"), strict=True):
        (line,) = run("strip", "--alone", source, "--format", "jsonl")
        assert json.loads(line)["url"] == url
    assert run("strip", "--alone", files[0], "--site", "a.example")[0].startswith("!ALONE: http://a.example/page.html")
    with pytest.raises(StemmerError, match="Say with --site which site"):
        run("learn", files[0], "-o", tmp_path / "patterns.jsonl")


@pytest.mark.parametrize("arguments", [["--alone"], ["p.jsonl"], []])
def test_without_sources_it_says_what_is_missing(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run("strip", *arguments)
    assert "the following arguments are required: " in capsys.readouterr().err


@pytest.mark.slow
def test_into_a_file_plain_or_compressed(patterns: Path, feed: Path, tmp_path: Path) -> None:
    plain, packed = tmp_path / "out" / "a.jsonl", tmp_path / "a.jsonl.gz"
    assert run("strip", patterns, feed, "--format", "jsonl", "-o", plain) == [f"{COUNT + 1} pages now in {plain}"]
    run("strip", patterns, feed, "--format", "jsonl", "-o", packed)
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    assert len(plain.read_text(encoding="utf-8").splitlines()) == COUNT + 1


def test_as_markdown(patterns: Path, tmp_path: Path) -> None:
    html = Article(50).html().replace("</h1>", "</h1><p>With a <a href='more'>link</a> &amp; a <b>word</b>.</p>", 1)
    (tmp_path / "a.jsonl").write_text(json.dumps({"url": "http://a.example/x/50", "html": html}))
    lines = run("strip", patterns, tmp_path / "a.jsonl", "--format", "markdown")
    title = Article(50).headline
    assert lines[:4] == ["---", f'title: "{title}"', 'url: "http://a.example/x/50"', "matched: true"]
    assert lines[lines.index("---", 1) :][:3] == ["---", "", f"# {title}"]
    assert "\n".join(lines).rstrip().endswith("\n\n".join(Article(50).body))


def test_as_a_folder_of_markdown(patterns: Path, tmp_path: Path) -> None:
    urls = ["/x/50.html", "/x/50.HTM", "/x/50?a=1&b", "/", "/..//con/aux.txt", f"/{'n' * 300}", "/x/50"]
    pages = [json.dumps({"url": f"http://a.example{url}", "html": Article(50).html()}) for url in urls]
    (tmp_path / "a.jsonl").write_text("\n".join(pages))
    folder = tmp_path / "out" / "pages"
    assert run("strip", patterns, tmp_path / "a.jsonl", "--format", "markdown", "-o", folder) == [
        f"7 pages now in {folder}"
    ]
    found = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    (long,) = (name for name in found if "nnn" in name)
    names = ["_con/_aux.txt.md", "index.md", "x/50-2.md", "x/50-a_1_b.md", "x/50.HTM.md", "x/50.md"]
    assert sorted({*found} - {long}) == sorted(f"a.example/{name}" for name in names)
    assert len(long) < 120
    text = (folder / "a.example" / "x" / "50.md").read_text(encoding="utf-8")
    assert text.startswith("---\n")
    assert text.rstrip().endswith(Article(50).body[-1])


def test_no_page_takes_the_file_or_the_folder_of_another_one(patterns: Path, tmp_path: Path) -> None:
    urls = ["/a", "/A", "/a-2", "/a.md/b", "/A-2"]
    pages = [json.dumps({"url": f"http://a.example{url}", "html": Article(50).html()}) for url in urls]
    (tmp_path / "a.jsonl").write_text("\n".join(pages))
    run("strip", patterns, tmp_path / "a.jsonl", "--format", "markdown", "-o", tmp_path / "out")
    found = {str(path.relative_to(tmp_path / "out" / "a.example")) for path in (tmp_path / "out").rglob("*.md")}
    assert found == {"a.md", "A-2.md", "a-2-2.md", "a.md_/b.md", "A-2-3.md"}
    assert len({name.lower() for name in found}) == len(urls)


def test_a_file_is_no_folder_for_markdown(patterns: Path, feed: Path, tmp_path: Path) -> None:
    (tmp_path / "out.md").write_text("")
    with pytest.raises(StemmerError, match="Markdown is written into a folder"):
        run("strip", patterns, feed, "--format", "markdown", "-o", tmp_path / "out.md")


def test_markdown_as_json_lines(patterns: Path, feed: Path, tmp_path: Path) -> None:
    run("strip", patterns, feed, "--format", "markdown", "-o", tmp_path / "out.jsonl")
    found = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert list(found) == ["url", "title", "matched", "kind", "confidence", "reason", "markdown"]
    assert found["markdown"].endswith("\n\n".join(Article(0).body))


@pytest.mark.parametrize(("form", "lines"), [("jsonl", 1), ("text", 3)])
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


def test_a_url_that_no_parser_takes_has_a_file_too(tmp_path: Path) -> None:
    pages = tmp_path / "pages.jsonl"
    urls = ("http://a.example/1", "http://[bad/2", "http://a.example/3")
    pages.write_text("".join(json.dumps({"url": url, "html": "<p>Some text."}) + "\n" for url in urls))
    run("strip", "--alone", pages, "--format", "markdown", "-o", tmp_path / "out")
    assert len(list((tmp_path / "out").rglob("*.md"))) == 3

"""Sub-commands that change pattern files, and the table of a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scrapy.settings import Settings

from scrapy_stemmer import Page, PatternSet, StemmerError, learn
from scrapy_stemmer.commands.command import StemmerCommand
from scrapy_stemmer.page.text import visible
from tests.commands.subcommand import parse, run
from tests.crawl.website import Article

RULE = '  {"drop": "div.promo"},\n'


def learned(path: Path, *sites: str, rule: str = "", first: int = 0) -> Path:
    """Write a pattern file of some sites."""
    numbers = range(first, first + 6)
    pages = [Page(f"http://{site}.example/{n}", Article(n).html()) for site in sites for n in numbers]
    learn(pages)._stamped("2024-05-01T12:00:00+00:00").save(str(path))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"rules": [\n', f'"rules": [\n{rule}'), encoding="utf-8")
    return path


def test_a_file_of_several_sites_is_shown_as_a_table(tmp_path: Path) -> None:
    head, first, second = run("show", learned(tmp_path / "p.jsonl", "b", "a", rule=RULE))
    assert head.split() == ["site", "layouts", "pages", "sure", "fits", "confidence", "by", "hand", "since"]
    assert first.split()[:3] == ["a.example", "1", "6"]
    assert first.split()[6:] == ["1", "2024-05-01"]
    assert 0.5 <= float(first.split()[3]) <= 1
    assert first.split()[4] == "100%"
    assert 0.5 <= float(first.split()[5]) <= 1
    assert second.startswith("b.example")


def broken(path: Path, site: str) -> Path:
    """Write a pattern file with an unreadable line of a site."""
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(f'{{"site": "{site}", "score"', f'{{"site": "{site}" "score"'), encoding="utf-8")
    return path


def test_a_file_with_a_broken_line_is_shown_as_far_as_it_can_be_and_is_an_error(tmp_path: Path) -> None:
    path = broken(learned(tmp_path / "p.jsonl", "a", "b", "c"), "b.example")
    lines = StemmerCommand().lines(parse("show", path))
    assert [next(lines).split()[0] for _ in range(3)] == ["site", "a.example", "c.example"]
    with pytest.raises(StemmerError, match=r"^1 site of .*p\.jsonl can't be read"):
        next(lines)
    assert run("show", path, "--site", "a.example")[0] == "a.example: 1 pattern"
    with pytest.raises(StemmerError, match=r"p\.jsonl, line \d+: The line is not JSON"):
        run("show", path, "--site", "b.example")


def test_merge_takes_the_last_and_keeps_rules_by_hand(tmp_path: Path) -> None:
    one = learned(tmp_path / "1.jsonl", "a", "b", rule=RULE)
    two = learned(tmp_path / "2.jsonl", "b", "c", first=10)
    output = tmp_path / "all.jsonl"
    assert run("merge", one, two, "-o", output) == [f"3 patterns of 3 sites now in {output}"]
    merged = PatternSet.load(str(output))
    assert merged.sites == ("a.example", "b.example", "c.example")
    assert merged.of_site("a.example") == PatternSet.load(str(one)).of_site("a.example")
    (of_b,) = merged.of_site("b.example")
    assert of_b.samples == PatternSet.load(str(two)).of_site("b.example")[0].samples
    assert output.read_text(encoding="utf-8").count('{"drop": "div.promo"}') == 2


@pytest.mark.parametrize("name", ["www.a.example", "WWW.A.Example", "http://www.a.example/x"])
def test_a_site_is_named_as_a_user_would(tmp_path: Path, name: str) -> None:
    path = learned(tmp_path / "p.jsonl", "a", "b")
    assert run("show", path, "--site", name)[0] == "a.example: 1 pattern"
    run("forget", path, name)
    assert PatternSet.load(str(path)).sites == ("b.example",)


def test_forget_removes_sites_that_there_are(tmp_path: Path) -> None:
    path = learned(tmp_path / "p.jsonl", "a", "b", "c")
    before = path.read_bytes()
    with pytest.raises(StemmerError, match=r"has no site 'd.example'; it has a.example, b.example, c.example"):
        run("forget", path, "a.example", "d.example")
    assert path.read_bytes() == before
    assert run("forget", path, "a.example", "c.example") == [f"2 sites forgotten; 1 pattern of 1 site now in {path}"]
    assert PatternSet.load(str(path)).sites == ("b.example",)


def test_lines_that_cannot_be_read_stay_where_they_are_until_they_are_forgotten(tmp_path: Path) -> None:
    path, other = broken(learned(tmp_path / "p.jsonl", "a", "b", "c"), "b.example"), learned(tmp_path / "q.jsonl", "d")
    run("merge", path, other, "-o", path)
    run("forget", path, "a.example")
    assert '{"site": "b.example" "score"' in path.read_text(encoding="utf-8")
    assert PatternSet.load(str(path)).sites == ("c.example", "d.example")
    with pytest.raises(StemmerError, match=r"no site 'a\.example'; it has c\.example, d\.example"):
        run("forget", path, "a.example")
    assert run("forget", path, "b.example")[-1].startswith("1 site forgotten")
    assert PatternSet.load(str(path), strict=True).sites == ("c.example", "d.example")


def test_what_is_printed_controls_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names and URLs may hold control characters; neither output nor warnings print them."""
    odd = "\x1b[2J\x9b"
    pages = tmp_path / "pages.jsonl"
    row = {"url": f"http://a.example/{odd}", "html": f"<title>a{odd}</title><p>Text {odd}<a href='/\x7f'>b</a>"}
    pages.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    for options in (["--format", "jsonl"], ["--format", "text"], ["--format", "markdown"], [f"{tmp_path}/{odd}.html"]):
        command = StemmerCommand()
        command.settings = Settings()
        command.run([], parse("strip", "--alone", str(pages), *options))
        printed = capsys.readouterr()
        assert "".join((printed.out + printed.err).split()).isprintable()


def test_lone_surrogates_of_a_pattern_file_or_an_example_end_no_command(tmp_path: Path) -> None:
    """JSON allows half a character, which UTF-8 does not."""
    odd, pages, examples = (tmp_path / f"{name}.jsonl" for name in ("odd", "pages", "examples"))
    learned(odd, "a", rule='  {"drop": ".\\ud800"},\n')
    odd.write_text(odd.read_text().replace('"name": "site"', r'"name": "\ud800"'))
    page = {"url": "http://a.example/50", "html": Article(50).html()}
    pages.write_text(json.dumps(page))
    examples.write_text(json.dumps({**page, "text": "x\ud800"}))
    for command in (
        "show odd.jsonl --rules",
        "export odd.jsonl -o selectors.jsonl",
        "export odd.jsonl -o ./folder --format ftr",
        "report odd.jsonl --pages pages.jsonl -o ./report",
        "strip odd.jsonl pages.jsonl -o out.jsonl",
        "strip odd.jsonl pages.jsonl -o ./texts",
    ):
        lines = run(*(tmp_path / word if "." in word else word for word in command.split()))
        assert all(visible(line).encode() for line in lines), command
    check = StemmerCommand()
    check.settings = Settings()
    with pytest.raises(StemmerError, match="1 of 1 example"):
        assert all(visible(line).encode() for line in check.lines(parse("check", odd, examples)))

"""``scrapy stemmer report``: a static site of learned patterns."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from lxml import html as lxml_html

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.commands.report_stored import drifted_at
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.fields.rules import FieldRule
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.report import documents
from scrapy_stemmer.report.drawing import frame_of
from scrapy_stemmer.report.figures import PageFigures
from tests.commands.subcommand import feed_of, run
from tests.crawl.website import Article


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a pattern file of two sites, one by another learner, and a feed with a third site."""
    folder = tmp_path_factory.mktemp("report")
    sites = {"a.example": "rules", "b.example": "layout"}
    pages = {site: [Page(f"http://{site}/{n}.html", Article(n).html()) for n in range(8)] for site in sites}
    learned = [
        learn(pages[site], learner=learner) if learner else learn(pages[site]) for site, learner in sites.items()
    ]
    gone = learn([Page(f"http://gone.example/{n}", Article(n).html()) for n in range(6)])
    PatternSet().replace(*learned, gone)._stamped("2026-01-02T00:00:00Z").save(str(folder / "p.jsonl"))
    found = [*pages["a.example"], *pages["b.example"], Page("http://new.example/", "<p>Else")]
    found.append(Page("http://b.example/other", "<p>No article at all"))
    found.append(Page("http://b.example/blank", "<body>"))
    feed_of(folder / "pages.jsonl", {page.url: str(page.html) for page in found})
    return folder


def made(folder: Path, *options: object, to: str = "out") -> Path:
    run("report", folder / "p.jsonl", "--pages", folder / "pages.jsonl", "-o", folder / to, *options)
    return folder / to


@pytest.fixture(scope="module")
def out(folder: Path) -> Path:
    """Write a report with three pages of each site."""
    return made(folder, "--samples", 3, "--processes", 1)


def text_of(path: Path) -> str:
    return " ".join(" ".join(lxml_html.fromstring(path.read_text(encoding="utf-8")).itertext()).split())


def test_the_report_has_a_page_a_layout_and_a_page_a_sample_page(out: Path) -> None:
    assert {path.name for path in out.iterdir()} == {"index.html", "report.css", "report.js", "a.example", "b.example"}
    assert sorted(path.name for path in (out / "a.example").iterdir()) == [
        "layout-1.html",
        *(f"page-{number}.html" for number in (1, 2, 3)),
    ]
    for page in out.rglob("*.html"):
        for link in lxml_html.parse(str(page)).xpath("//a/@href | //link[@rel='stylesheet']/@href | //script/@src"):
            assert link.startswith("http://") or (page.parent / link).is_file()


def test_the_index_tells_of_each_domain_and_of_what_is_not_in_it(out: Path) -> None:
    index = text_of(out / "index.html")
    assert "domains 2 pages 18 matched" in index
    assert "without text 1 Without text: 1 empty" in index
    assert "a.example 8 100%" in index
    assert index.index("b.example") < index.index("a.example 8 100%")
    assert "Not learned: 1 domain new.example (1)" in index
    assert "Learned, but without pages here: 1 domain gone.example" in index


def test_pages_of_sites_without_patterns_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learn([Page(f"http://a.example/{n}", Article(n).html()) for n in range(3)]).save(str(tmp_path / "p.jsonl"))
    lines = [json.dumps({"url": f"http://{site}.example/", "html": "<p>Else"}) for site in "cbba"]
    (tmp_path / "pages.jsonl").write_text("\n".join(lines))
    (done,) = run("report", tmp_path / "p.jsonl", "--pages", tmp_path / "pages.jsonl", "-o", tmp_path / "out")
    assert done.startswith("1 site, 1 page, 1 shown")
    told = capsys.readouterr().err
    of_sites = f"3 pages of 2 sites without patterns in {tmp_path / 'p.jsonl'}, such as b.example"
    assert f"left out: {of_sites}\n" in told
    (tmp_path / "pages.jsonl").write_text("\n".join(lines[:3]))
    with pytest.raises(StemmerError, match=re.escape(f"There is nothing to report on: {of_sites}.")):
        run("report", tmp_path / "p.jsonl", "--pages", tmp_path / "pages.jsonl", "-o", tmp_path / "other")
    assert not (tmp_path / "other").exists()


@pytest.mark.slow
def test_every_page_of_the_source_can_be_opened(folder: Path, out: Path) -> None:
    def rows(report: Path) -> list[str]:
        layouts = (report / "a.example").glob("layout-*.html")
        return [
            href for path in layouts for href in lxml_html.parse(str(path)).xpath("//ol[@class='samples']/li/a/@href")
        ]

    drawn = [href for href in rows(out) if href.startswith("page-")]
    assert (len(rows(out)), len(drawn)) == (8, 3)
    assert {*rows(out)} - {*drawn} <= {f"http://a.example/{n}.html" for n in range(8)}
    layout = Path("a.example", "layout-1.html")
    assert "5 of 8 were not drawn; links with an arrow" in text_of(out / layout)
    for to, options in {"every": ("--samples", 0), "few": ()}.items():
        every = made(folder, *options, to=to)
        assert sorted(rows(every)) == [f"page-{n}.html" for n in range(1, 9)]
        assert "drawn; links" not in text_of(every / layout)


@pytest.mark.slow
def test_a_page_of_ones_own_is_not_written_over(folder: Path, out: Path) -> None:
    mine = folder / "mine" / "index.html"
    mine.parent.mkdir()
    mine.write_text("<title>My pages</title>", encoding="utf-8")
    with pytest.raises(StemmerError, match=r"mine.index\.html is there, and no report of ours: name another folder"):
        made(folder, to="mine")
    assert mine.read_text(encoding="utf-8") == "<title>My pages</title>"
    shutil.copytree(out, folder / "again")
    assert "domains 2 pages 18" in text_of(made(folder, to="again") / "index.html")


def test_a_layout_has_its_rules(out: Path) -> None:
    layout = text_of(out / "a.example" / "layout-1.html")
    assert "keep .story" in layout
    assert "learned 2026-01-02" in layout
    assert "have no rules" in text_of(out / "b.example" / "layout-1.html")


def test_a_layout_has_its_rules_of_fields_as_show_lists_them(tmp_path: Path) -> None:
    byline = "<p class=byline>By <a href=/people/lee>Ann Lee</a></p><time class=entry-date datetime=2026-01-{:02}>"
    pages = [Page(f"http://a.example/{n}.html", Article(n).html(byline.format(n + 1))) for n in range(6)]
    learned = learn(pages)
    rules = [FieldRule("tags", "dd:nth-of-type(2)", is_users=True), FieldRule("dates", "mdy")]
    (pattern,) = learned.patterns
    assert isinstance(pattern, RulesPattern)
    PatternSet([pattern.with_rules(rules)]).save(str(tmp_path / "p.jsonl"))
    feed_of(tmp_path / "pages.jsonl", {page.url: str(page.html) for page in pages})
    shown = text_of(made(tmp_path, "--processes", 1) / "a.example" / "layout-1.html")
    (again,) = PatternSet.load(str(tmp_path / "p.jsonl")).patterns
    assert isinstance(again, RulesPattern)
    assert {"tags", "dates"} < {rule.action for rule in again.field_rules}
    for rule in again.field_rules:
        sure = "by hand" if rule.is_users else f"{rule.sure:.2f}"
        assert f"{rule.line} {sure}" in shown


@pytest.mark.slow
def test_a_report_does_not_depend_on_the_number_of_processes(folder: Path, out: Path) -> None:
    other = made(folder, "--samples", 3, "--processes", 2, to="other")
    files = [path.relative_to(out) for path in out.rglob("*.html")]
    assert {path: (out / path).read_bytes() for path in files} == {path: (other / path).read_bytes() for path in files}


def test_only_sample_pages_may_load_something_and_only_if_that_is_asked_for(folder: Path, out: Path) -> None:
    online = made(folder, "--samples", 1, "--processes", 1, "--online", to="online")
    for page in (*out.rglob("*.html"), *online.rglob("*.html")):
        (policy,) = lxml_html.parse(str(page)).xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
        assert policy.startswith("default-src 'none'; script-src 'self' file:; ")
        assert ("https:" in policy) == (page.is_relative_to(online) and page.name.startswith("page-"))


def test_a_page_that_cannot_be_shown_costs_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(root: etree._Element, blocks: Any, groups: Any, url: str | None) -> str:
        if Article(3).headline in "".join(root.itertext()):
            raise OverflowError("too large")
        return frame_of(root, blocks, groups, url)

    monkeypatch.setattr(documents, "frame_of", failing)
    report = made(folder, "--processes", 1, to="failing")
    assert len(list(report.glob("a.example*/page-*.html"))) == 7
    assert "http://a.example/3.html: not shown: OverflowError: too large" in capsys.readouterr().err


def test_a_change_is_found_as_a_crawl_finds_it() -> None:
    usual = PageFigures("", "site", True, 0.9, 100, 80, False, 0.15, None)
    pages = [usual] * 5 + [replace(usual, unusual=True)] * 12
    assert drifted_at(pages) == 17
    assert drifted_at(pages[:16]) is None
    assert drifted_at([replace(usual, unusual=None)] * 30) is None

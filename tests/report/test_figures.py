"""Figures of pages and sites, and the choice of pages to show."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrapy_stemmer import Page, learn
from scrapy_stemmer.report.figures import PageFigures, SiteFigures, sampled, worst_first
from tests.crawl.website import Article

PAGE = PageFigures("http://a.example/0", "site", True, 0.9, 100, 80, False, 0.15, None)


def pages_like(*changes: dict[str, object]) -> list[PageFigures]:
    return [replace(PAGE, url=f"http://a.example/{n}", **change) for n, change in enumerate(changes)]  # type: ignore[arg-type]


def test_a_page_has_the_figures_of_its_stripping() -> None:
    patterns = learn([Page(f"http://a.example/{n}", Article(n).html()) for n in range(6)])
    page = Page("http://a.example/9", Article(9).html(), fetched="2026-01-01T00:00:00Z")
    stripped = patterns.strip(page)
    figures = PageFigures.of(page, stripped)
    assert (figures.layout, figures.matched, figures.confidence) == ("site", True, stripped.confidence)
    assert figures.kept == len(stripped.text)
    assert figures.chars > figures.kept + len("Home World Sport")
    assert (figures.title, figures.kind, figures.reason) == (Article(9).headline, "content", None)
    assert figures.fetched == "2026-01-01T00:00:00Z"


def test_a_site_has_shares_and_means() -> None:
    site = SiteFigures(tuple(pages_like({}, {"matched": False, "confidence": 0.5, "kept": 0})))
    assert (site.matched, site.confidence, site.removed, site.unusual) == (0.5, 0.7, 0.6, 0)
    empty = SiteFigures(())
    assert (empty.matched, empty.confidence, empty.removed, empty.unusual, empty.dates) == (0, None, None, None, None)


def test_pages_without_text_and_sites_that_have_changed_are_the_worst() -> None:
    sure, unsure, empty = pages_like({}, {"confidence": 0.2}, {"reason": "empty", "confidence": 0.95})
    assert worst_first([sure, unsure, empty]) == [empty, unsure, sure]
    sites = [SiteFigures((sure,)), SiteFigures((sure, empty)), SiteFigures((sure,), drifted_at=1), SiteFigures(())]
    assert [round(site.health, 2) for site in sites] == [0.9, 0.45, 0, 0]
    assert sites[1].reasons == {"empty": 1}


def test_each_layout_and_the_least_sure_pages_are_shown() -> None:
    pages = pages_like(*[{"confidence": number / 20} for number in range(19, 0, -1)], {"layout": "other"})
    chosen = sampled(pages, 4)
    assert 19 in chosen
    assert 18 in chosen
    assert len(chosen) == 4
    assert sampled(pages, 100) == list(range(20))


@pytest.mark.parametrize(
    ("site", "folder"),
    [
        ("news.example", "news.example"),
        ("con", "_con-"),
        ("nul.example", "_nul.example-"),
        ("a.example.", "a.example-"),
        ("a.example:8000", "a.example_8000-"),
        ("", "_-"),
        ("../..", "_-"),
    ],
)
def test_the_folder_of_a_site_is_one_that_windows_takes_too(site: str, folder: str) -> None:
    name = SiteFigures((), site=site).folder
    assert name == folder if folder == site else name.startswith(folder)


def test_no_two_sites_share_a_folder() -> None:
    sites = ["con", "_con", "a.example", "a.example.", "a.example:80", "a.example_80", "a.example*80", "", "_", "."]
    assert len({SiteFigures((), site=site).folder.lower() for site in sites}) == len(sites)

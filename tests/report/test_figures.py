"""The figures of pages and sites, and which pages are shown."""

from __future__ import annotations

from dataclasses import replace

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.drift import levelled
from scrapy_stemmer.report.figures import PageFigures, SiteFigures, sampled
from tests.crawl.website import Article

PAGE = PageFigures("http://a.example/0", "site", True, 0.9, 100, 80, False, 0.15, None)


def pages_like(*changes: dict[str, object]) -> list[PageFigures]:
    return [replace(PAGE, url=f"http://a.example/{n}", **change) for n, change in enumerate(changes)]  # type: ignore[arg-type]


def test_a_page_has_the_figures_of_its_stripping() -> None:
    pages = [Page(f"http://a.example/{n}", Article(n).html()) for n in range(6)]
    patterns = PatternSet(levelled(learn(pages).patterns, pages))
    page = Page("http://a.example/9", Article(9).html(), fetched="2026-01-01T00:00:00Z")
    stripped = patterns.strip(page)
    found = PageFigures.of(page, stripped, patterns.patterns)
    assert (found.layout, found.matched, found.unusual) == ("site", True, False)
    assert found.kept == len(stripped.text)
    assert found.chars > found.kept + len("Home World Sport")
    assert found.fetched == "2026-01-01T00:00:00Z"
    odd = Page("http://a.example/10", "<p>Something else altogether</p>")
    assert PageFigures.of(odd, patterns.strip(odd), patterns.patterns).unusual
    assert PageFigures.of(odd, learn(pages).strip(odd), learn(pages).patterns).unusual is None


def test_a_site_has_shares_and_means() -> None:
    site = SiteFigures.of(pages_like({}, {"matched": False, "confidence": 0.5, "kept": 0}), drift_pages=12)
    assert (site.matched, site.confidence, site.removed, site.unusual) == (0.5, 0.7, 0.6, 0)
    empty = SiteFigures.of([], drift_pages=12)
    assert (empty.matched, empty.confidence, empty.removed, empty.unusual, empty.dates) == (0, None, None, None, None)


def test_pages_are_in_the_order_of_fetching_where_all_have_a_time() -> None:
    dated = pages_like({"fetched": "2026-02-03T00:00:00Z"}, {"fetched": "2026-01-02T00:00:00Z"})
    site = SiteFigures.of(dated, drift_pages=12)
    assert [page.url[-1] for page in site.pages] == ["1", "0"]
    assert site.dates == ("2026-01-02", "2026-02-03")
    partly = SiteFigures.of([*dated, PAGE], drift_pages=12)
    assert [page.url[-1] for page in partly.pages] == ["0", "1", "0"]
    assert partly.dates is None


def test_a_change_is_found_as_a_crawl_finds_it() -> None:
    site = SiteFigures.of(pages_like(*[{}] * 5, *[{"unusual": True}] * 12), drift_pages=12)
    assert site.drifted_at == 17
    assert SiteFigures.of(site.pages[:16], drift_pages=12).drifted_at is None
    assert SiteFigures.of(pages_like(*[{"unusual": None}] * 30), drift_pages=12).unusual is None


def test_each_layout_and_the_least_sure_pages_are_shown() -> None:
    pages = pages_like(*[{"confidence": number / 20} for number in range(19, 0, -1)], {"layout": "other"})
    chosen = sampled(pages, 4)
    assert 19 in chosen
    assert 18 in chosen
    assert len(chosen) == 4
    assert sampled(pages, 100) == list(range(20))

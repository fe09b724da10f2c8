"""The sample of the pages of each site of an archive."""

from __future__ import annotations

import random

import pytest

from scrapy_stemmer import Page
from scrapy_stemmer.crawl import page_sample
from scrapy_stemmer.crawl.page_sample import PageSample

PAGES = [Page(f"http://{site}.example/{n}", f"<p>{site} {n}") for site in "ab" for n in range(30)]


def sampled(pages: list[Page], size: int = 5) -> dict[str, list[Page]]:
    with PageSample(size) as sample:
        for page in pages:
            assert sample.add(page)
        return {site: sample.pages(site) for site in sample.sites}


def test_as_many_pages_of_each_site_whatever_their_order() -> None:
    found = sampled(PAGES)
    assert [(site, len(pages)) for site, pages in found.items()] == [("a.example", 5), ("b.example", 5)]
    for seed in range(5):
        assert sampled(random.Random(seed).sample(PAGES, len(PAGES))) == found


def test_a_sample_of_a_sample_is_the_same() -> None:
    """So samples of parts of an archive can be joined."""
    parts = [sampled(PAGES[:20]), sampled(PAGES[20:])]
    again = [page for part in parts for pages in part.values() for page in pages]
    assert sampled(again) == sampled(PAGES)


def test_pages_with_one_content_or_one_url_count_once() -> None:
    equal = [Page(f"http://a.example/{n}", "<p>Error") for n in range(9)]
    assert len(sampled(equal)["a.example"]) == 1
    first, again = Page("http://a.example/?b=1&a=2", "<p>1"), Page("http://a.example/?a=2&b=1#top", "<p>2")
    assert sampled([first, again]) == sampled([again, first])
    assert len(sampled([first, again])["a.example"]) == 1


@pytest.mark.parametrize("plain_bytes", [0, 10**9])
def test_pages_come_back_as_they_were(plain_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_sample, "PLAIN_BYTES", plain_bytes)
    pages = [Page("http://a.example/1", "é\ud800"), Page("http://a.example/2", b"\xe9\0", charset="latin-1")]
    assert sampled(pages) == {"a.example": pages}


def test_a_page_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_sample, "MAX_SAMPLED_CHARS", 10)
    with PageSample(5) as sample:
        assert not sample.add(Page("http://a.example/1", "x" * 11))
        assert sample.sites == {}

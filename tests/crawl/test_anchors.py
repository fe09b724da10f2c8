"""The texts of links and where they lead."""

from __future__ import annotations

import pytest
from scrapy.http import HtmlResponse

from scrapy_stemmer.crawl import anchors as module
from scrapy_stemmer.crawl.anchors import MAX_ANCHOR_CHARS, anchors_of, url_key
from scrapy_stemmer.crawl.responses import root_of

URL = "http://example.com/a/page"


def anchors(body: str) -> list[tuple[str, str]]:
    response = HtmlResponse(URL, body=body, encoding="utf-8")
    return list(anchors_of(response, root_of(response)))


class TestAnchors:
    def test_repeats_are_kept_and_urls_are_canonical(self) -> None:
        links = "<a href='b?y=2&x=1#top'>One <b>two</b>\n three</a><a href=' /a/b?x=1&y=2 '>other</a><a href=b>x</a>"
        key = url_key("http://example.com/a/b?x=1&y=2")
        assert anchors(links + links)[:2] == [(key, "One two three"), (key, "other")]
        assert len(anchors(links + links)) == 6

    def test_only_links_of_the_same_site_count(self) -> None:
        links = "<a href='//other.com/'>x</a><a href='mailto:a@example.com'>x</a><a href='javascript:x()'>x</a>"
        assert anchors(links) == []
        assert len(anchors("<a href='https://www.example.com/z'>x</a>")) == 1

    def test_links_without_text_or_address_and_texts_that_are_articles_do_not_count(self) -> None:
        assert anchors(f"<a href=b> </a><a>x</a><a href=''>x</a><a href=b>{'x' * (MAX_ANCHOR_CHARS + 1)}</a>") == []

    def test_areas_and_the_base_element(self) -> None:
        found = anchors("<head><base href='/base/'></head><body><map><area href=b alt='An area'></map>")
        assert found == [("http://example.com/base/b", "An area")]

    def test_comments_are_no_text(self) -> None:
        assert anchors("<a href=b>one<!-- two --></a>")[0][1] == "one"

    def test_addresses_that_are_none_are_left_out(self) -> None:
        assert anchors("<a href='http://[::1'>x</a><a href='http://example.com:x/'>y</a>") == []


def test_a_target_is_made_absolute_once_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links to places within a page are as many as its headings."""
    made: list[str] = []
    monkeypatch.setattr(module, "canonicalize_url", lambda url: made.append(url) or url)
    found = anchors("".join(f"<a href='#{n}'>n</a><a href='/b#{n}'>to b</a><a href='/b'>b</a>" for n in range(9)))
    assert len(found) == 27
    assert made == [URL, "http://example.com/b"]

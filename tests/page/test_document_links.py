"""The texts of links and where they lead."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.page import document as module
from scrapy_stemmer.page.document import MAX_ANCHOR_CHARS, MAX_ANCHOR_PIECES, anchors_of, parse, url_key

URL = "http://example.com/a/page"


def anchors(body: str) -> list[tuple[str, str]]:
    return list(anchors_of(parse(body), URL))


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


def test_a_target_is_made_absolute_once_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page has as many links to its own places as headings."""
    made: list[str] = []
    monkeypatch.setattr(module, "canonicalize_url", lambda url: made.append(url) or url)
    found = anchors("".join(f"<a href='#{n}'>n</a><a href='/b?c#{n}'>to b</a><a href='/b?c'>b</a>" for n in range(9)))
    assert len(found) == 27
    assert made == ["http://example.com/", "http://example.com/b?c"]


PARTS = st.sampled_from("/ // . .. a b.html A-b_c~ %7e %2F ; , + é ?x=1 ?y&x # : @ http:// https: ex.com".split())


@given(st.lists(PARTS, max_size=6), st.sampled_from(["http://ex.com/a/b", "https://WWW.Ex.com:8080/", "file:///a/b"]))
def test_the_usual_links_lead_where_others_lead(parts: list[str], url: str) -> None:
    root = parse(f"<a href='{''.join(parts)}'>x</a>")
    found = list(anchors_of(root, url))
    with patch.object(module, "_PLAIN_LINK", re.compile("(?!)")):
        assert found == list(anchors_of(root, url))


def test_of_hostile_pages_a_bounded_number_of_links_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert anchors("<a href=/1>y</a>" + "<a href=/2><div>x" * 100)[0] == ("http://example.com/1", "y")
    assert len(anchors("<a href=/2><div>x" * 100)) == MAX_ANCHOR_PIECES
    monkeypatch.setattr(module, "MAX_LINKS", 7)
    assert len(anchors("<a href=/1>x</a>" * 20)) == 7

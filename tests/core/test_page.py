"""Pages and the site that a URL belongs to."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page
from scrapy_stemmer.core.page import site_of


@pytest.mark.parametrize(
    ("url", "site"),
    [
        pytest.param("http://example.com/a/b.html", "example.com", id="host"),
        pytest.param("https://WWW.Example.COM/", "example.com", id="case and www. don't matter"),
        pytest.param("https://news.example.com/", "news.example.com", id="another host is another site"),
        pytest.param("http://example.com:80/", "example.com", id="the scheme's own port"),
        pytest.param("https://example.com:443/", "example.com", id="the scheme's own port, https"),
        pytest.param("http://example.com:8080/", "example.com:8080", id="another port is another site"),
        pytest.param("https://user:secret@example.com/", "example.com", id="no user, no password"),
        pytest.param("http://日本.example/", "日本.example", id="international host"),
        pytest.param("http://www.com/", "com", id="www. alone is dropped"),
        pytest.param("file:///tmp/a.html", "", id="no host: file"),
        pytest.param("a/b.html", "", id="no host: relative"),
        pytest.param("", "", id="empty"),
        pytest.param("http://[::1/", "", id="not a URL"),
        pytest.param("http://example.com:99999/", "", id="no such port"),
    ],
)
def test_site_of(url: str, site: str) -> None:
    assert site_of(url) == site
    assert Page(url, "").site == site


def test_the_markup_is_not_in_the_representation() -> None:
    assert "secret" not in repr(Page("http://example.com/", "<p>secret"))

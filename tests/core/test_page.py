"""Pages and the site that a URL belongs to."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_stemmer import Page
from scrapy_stemmer.core.page import _site_of_parts, site_of

URL_PARTS = st.sampled_from(
    "http: https: ftp: HTTP: / // www. www a.example Ä.example E - . .. : :80 :443 :8080 1 0 65535 65536 [::1] [ ] @ ? "
    "# %41 \\".split()
) | st.sampled_from("\t\n ")


@pytest.mark.parametrize(
    ("url", "site"),
    [
        pytest.param("http://example.com/a/b.html", "example.com", id="host"),
        pytest.param("https://WWW.Example.COM/", "example.com", id="case and www. don't matter"),
        pytest.param("https://news.example.com/", "news.example.com", id="another host is another site"),
        pytest.param("http://example.com:80/", "example.com", id="the scheme's own port"),
        pytest.param("https://example.com:443/", "example.com", id="the scheme's own port, https"),
        pytest.param("http://example.com:8080/", "example.com:8080", id="another port is another site"),
        pytest.param("http://example.com:8080", "example.com:8080", id="a port and nothing behind it"),
        pytest.param("https://example.com:443", "example.com", id="the scheme's own port and nothing behind it"),
        pytest.param("http://example.com:8080?q=/", "example.com:8080", id="a port and a query behind it"),
        pytest.param("http://example.com", "example.com", id="nothing behind the host"),
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


@given(
    st.sampled_from(["http://", "https://", "http://www.", "http:/", ""]),
    st.lists(URL_PARTS, max_size=5).map("".join),
    st.sampled_from(["", "/", "?q", "#f", "/a:80/b", "\n"]),
)
@example("http://www.", "", "/")
@example("http://www.", ":8080", "/")
@example("http://www.", "www.", "/")
@example("http://", "a.example:08080", "/")
@example("http://", "a.example:65535", "/")
@example("http://", "a.example:8080", "")
@example("http://", "a.example:80", "")
@example("https://", "a.example:443", "")
@example("http://", "a.example:8080", "#f")
@example("http://", "a.example:8080?q", "/")
@example("https://", "a.example:80", "/")
@example("http://", "a.example:443", "?q")
@example("http://", "a.example:4433", "?q")
def test_a_site_that_is_read_off_the_url_is_that_of_its_parts(scheme: str, host: str, rest: str) -> None:
    assert site_of(scheme + host + rest) == _site_of_parts(scheme + host + rest)


def test_the_markup_is_not_in_the_representation() -> None:
    assert "secret" not in repr(Page("http://example.com/", "<p>secret"))


@pytest.mark.parametrize(
    ("url", "html", "told"),
    [
        (None, "<p>", "The URL of a page must be a str, not NoneType"),
        ("http://a.com/", None, "The HTML of http://a.com/ must be bytes, a str or an lxml element, not NoneType"),
        ("http://a.com/", Page("http://b.com/", ""), "not Page"),
    ],
)
def test_what_is_no_page_is_told_at_once(url: Any, html: Any, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        Page(url, html)

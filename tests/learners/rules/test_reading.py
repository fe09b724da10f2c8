"""Which texts and links return."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.rules.reading import LinkKeys, Repeats

BASE = "https://www.news.example/world/storm.html?x=1"


def key(href: str, base: str = BASE) -> tuple[int, bool]:
    return LinkKeys(base).key(href)


@pytest.mark.parametrize(
    "href",
    [
        "/world/rain.html",
        "rain.html",
        "./rain.html",
        "../world/rain.html",
        " rain.html ",
        "rain.html#top",
        "https://news.example/world/rain.html",
        "http://www.NEWS.example/world/rain.html",
        "//news.example/world/rain.html",
    ],
)
def test_the_same_address_however_it_is_written(href: str) -> None:
    assert key(href) == key("/world/rain.html")
    assert key(href)[1]


@pytest.mark.parametrize(
    "href",
    [
        "/topic.php?sid=0f3e",
        "./topic.php?sid=0f3e",
        "/topic.php?SID=99",
        "/topic.php;jsessionid=1A2B",
        "/topic.php?PHPSESSID=1&",
    ],
)
def test_what_differs_from_visit_to_visit_does_not_count(href: str) -> None:
    base = "https://forum.example/index.php"
    assert key(href, base) == key("/topic.php", base)
    assert key("/topic.php?sid=0f3e&t=5", base) == key("/topic.php?t=5", base) != key("/topic.php", base)


@pytest.mark.parametrize(
    ("href", "same"), [("./", "/world/"), ("../", "/"), ("../../x", "/x"), ("./?x=1", "/world/?x=1"), ("../a/", "/a/")]
)
def test_steps_through_folders(href: str, same: str) -> None:
    assert key(href) == key(same)


@pytest.mark.parametrize(
    ("one", "other"),
    [("/a", "/b"), ("/a?x=1", "/a?x=2"), ("/a", "/a/"), ("/a", "https://other.example/a"), ("/A", "/a")],
)
def test_other_addresses_have_other_keys(one: str, other: str) -> None:
    assert key(one)[0] != key(other)[0]


@pytest.mark.parametrize("href", ["https://other.example/a", "//other.example/a", "https://sub.news.example/"])
def test_links_to_other_sites(href: str) -> None:
    assert not key(href)[1]


@pytest.mark.parametrize("href", ["mailto:a@b", "javascript:void(0)", "tel:123", "http://[", "ftp://a.example/"])
def test_what_is_no_address_of_a_page_is_of_no_site(href: str) -> None:
    assert not key(href)[1]


@pytest.mark.parametrize("href", ["", "#top", "?page=2", "/", "a b", "é", "http://", "//", ":", "\ud800"])
@pytest.mark.parametrize("base", [BASE, "", "http://[", "news.example"])
def test_any_link_of_any_page_has_a_key(href: str, base: str) -> None:
    found, _ = key(href, base)
    assert 0 <= found < 2**32


def test_a_home_page_has_one_key() -> None:
    assert key("https://news.example") == key("https://www.news.example/") == key("/")


def test_shares_are_of_the_other_pages() -> None:
    found = Repeats([[1, 1, 2], [1, 3], [2, 1]])
    assert list(found.shares_on_others([1, 2])) == [1.0, 0.5]
    assert list(found.shares_on_others([3])) == [0.0]
    assert found.several(2, 9) == {1: 3, 2: 2}
    assert list(found.several(1, 2)) == [1, 2]
    assert Repeats([]).several(1, 9) == {}

"""What a crawl knows of addresses: which is asked next, and what is written."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from scrapy_stemmer import StemmerError
from scrapy_stemmer.commands.known_pages import CONTENT, LIST, READ, KnownPages, Version, looks_like_content


@pytest.mark.parametrize(
    ("path", "text", "is_content"),
    [
        ("the-new-bridge", "", True),
        ("old-bridge", "", False),
        ("index.php?id=7", "The bridge is to close tomorrow", True),
        ("?id=7", "Next", False),
        ("the-new-bridge/index.html", "", True),
        ("2025/03/bridge.html", "", True),
        ("2025/03/", "", False),
        ("story12", "", True),
        ("x", "The bridge is to close tomorrow", True),
        ("x", "Contact", False),
        ("tag/old-town", "All that we know of the old town", False),
        ("news/page/2", "", False),
        ("", "", False),
    ],
)
def test_names_and_links_of_several_words_lead_to_content(path: str, text: str, is_content: bool) -> None:
    assert looks_like_content(f"http://a.example/{path}", text) is is_content


def put(pages: KnownPages, *urls: str, role: str = "page", depth: int = 1) -> list[bool]:
    return [
        pages.put(url.encode(), url, "a.example", role=role, depth=depth, is_likely=looks_like_content(url))
        for url in urls
    ]


def asked(pages: KnownPages) -> list[str]:
    """Return the addresses in the order in which they are asked."""
    return [each.url for each in iter(lambda: pages.ask("a.example"), None)]


def test_starts_come_before_likely_content_and_this_before_the_rest() -> None:
    pages = KnownPages(None)
    put(pages, "http://a.example/tag", "http://a.example/the-new-bridge", depth=2)
    put(pages, "http://a.example/about", depth=1)
    put(pages, "http://a.example/sitemap.xml", role="sitemap", depth=0)
    names = [url.rpartition("/")[2] for url in asked(pages)]
    assert names == ["sitemap.xml", "the-new-bridge", "about", "tag"]


def test_addresses_that_have_led_to_content_come_first_and_those_that_have_not_last() -> None:
    pages = KnownPages(None)
    put(pages, *(f"http://a.example/{kind}/{number}" for number in range(3) for kind in ("tag", "p")))
    asked(pages)
    for number in range(3):
        pages.done(f"http://a.example/tag/{number}".encode(), "no HTML")
        pages.done(f"http://a.example/p/{number}".encode(), CONTENT)
    put(pages, "http://a.example/tag/7", "http://a.example/other", "http://a.example/p/7")
    assert [url.rpartition("/")[2] for url in asked(pages)] == ["7", "other", "7"]


def test_waiting_addresses_change_their_place_by_what_such_addresses_lead_to() -> None:
    pages = KnownPages(None)
    put(pages, *(f"http://a.example/tag/{number}" for number in range(5)), "http://a.example/about")
    for number in range(3):
        pages.ask("a.example")
        pages.done(f"http://a.example/tag/{number}".encode(), "no HTML")
    assert asked(pages)[0] == "http://a.example/about"


def test_lists_come_before_addresses_that_lead_to_neither_content_nor_lists() -> None:
    pages = KnownPages(None)
    for kind, state in (("login", "HTTP status 403"), ("section", LIST)):
        for number in range(3):
            put(pages, url := f"http://a.example/{kind}/{number}")
            pages.done(url.encode(), state)
    asked(pages)
    put(pages, *(f"http://a.example/{path}/7" for path in ("login", "section")))
    assert asked(pages) == [f"http://a.example/{path}/7" for path in ("section", "login")]


def test_what_most_pages_link_to_is_not_taken_for_content() -> None:
    pages = KnownPages(None)
    put(pages, "http://a.example/how-we-report", "http://a.example/the-new-bridge")
    pages.note_links(b"", "a.example", 0, [b"http://a.example/how-we-report"] * 2)
    assert asked(pages) == ["http://a.example/the-new-bridge", "http://a.example/how-we-report"]


def test_an_address_is_asked_once() -> None:
    pages = KnownPages(None)
    assert put(pages, "http://a.example/1", "http://a.example/1") == [True, False]
    assert asked(pages) == ["http://a.example/1"]
    assert put(pages, "http://a.example/1") == [False]
    pages.try_again(b"http://a.example/1", 2)
    again = pages.ask("a.example")
    assert again is not None
    assert (again.url, again.tries) == ("http://a.example/1", 2)


class TestLater:
    """A later crawl with the same file."""

    def test_what_was_not_finished_goes_on(self, tmp_path: Path) -> None:
        pages = KnownPages(tmp_path / "seen.sqlite")
        put(pages, *(f"http://a.example/{name}" for name in ("asked", "failed", "written", "waiting")))
        for _ in range(3):
            pages.ask("a.example")
        pages.done(b"http://a.example/failed", "failed (TimeoutError)")
        pages.done(b"http://a.example/written", CONTENT, Version({"text": "1"}))
        pages.close()
        later = KnownPages(tmp_path / "seen.sqlite")
        assert later.is_later
        assert later.digests_of(b"http://a.example/written") == {"text": "1"}
        assert later.digests_of(b"http://a.example/asked") is None
        assert sorted(asked(later)) == [f"http://a.example/{name}" for name in ("asked", "failed", "waiting")]

    @pytest.mark.parametrize(
        ("state", "is_linked", "crawls"),
        [
            *(
                (state, False, 9)
                for state in ("HTTP status 403", "HTTP status 429", "HTTP status 503", "forbidden by robots.txt")
            ),
            ("HTTP status 404", False, 0),
            ("HTTP status 404", True, 4),
            ("of the kind error (STEMMER_KINDS)", True, 4),
            ("of the kind consent (STEMMER_KINDS)", True, 0),
            ("HTTP status 410", True, 0),
        ],
    )
    @pytest.mark.parametrize("url", ["http://a.example/the-new-bridge", "http://a.example/about"])
    def test_missing_pages_are_asked(self, url: str, state: str, is_linked: bool, crawls: int, tmp_path: Path) -> None:
        pages = KnownPages(tmp_path / "seen.sqlite")
        put(pages, url)
        pages.ask("a.example")
        pages.done(url.encode(), state)
        count = 0
        for day in range(1, 10):
            pages.close()
            pages = KnownPages(tmp_path / "seen.sqlite")
            pages.began = f"3025-01-0{day}"
            if is_linked:
                pages.note_links(b"", "a.example", 0, [url.encode()] * 2)
            for _ in asked(pages):
                count += 1
                pages.done(url.encode(), state)
                pages.note_links(b"", "a.example", 0, [url.encode()])
            assert pages.hosts.total() == 0
        pages.close()
        assert count == (0 if is_linked and url.endswith("about") else crawls)

    def test_starts_and_lists_are_read_again_and_pages_are_not(self, tmp_path: Path) -> None:
        pages = KnownPages(tmp_path / "seen.sqlite")
        pages.began = "2025-01-01"
        states = {"start": LIST, "sitemap": READ, "list": LIST, "page": CONTENT}
        for role, state in states.items():
            put(pages, f"http://a.example/{role}", role="page" if role == "list" else role)
            pages.done(f"http://a.example/{role}".encode(), state)
        pages.close()
        later = KnownPages(tmp_path / "seen.sqlite")
        urls = [f"http://a.example/{role}" for role in states]
        assert [later.is_earlier_list(url.encode()) for url in urls] == [True, False, True, False]
        assert [put(later, url, role=role) for url, role in zip(urls, states, strict=True)] == [[True]] * 3 + [[False]]

    def test_lists_that_brought_something_new_are_read_again_before_others(self, tmp_path: Path) -> None:
        pages = KnownPages(tmp_path / "seen.sqlite")
        pages.began = "2025-01-01"
        for url in (urls := ["http://a.example/one", "http://a.example/other"]):
            put(pages, url)
            pages.note_links(url.encode(), "a.example", int(url.endswith("other")), [])
            pages.done(url.encode(), LIST)
        pages.close()
        later = KnownPages(tmp_path / "seen.sqlite")
        put(later, *urls, role="list")
        assert asked(later) == urls[::-1]

    def test_what_this_crawl_has_found_is_fresh(self, tmp_path: Path) -> None:
        pages = KnownPages(tmp_path / "seen.sqlite")
        put(pages, "http://a.example/earlier")
        pages.close()
        later = KnownPages(tmp_path / "seen.sqlite")
        put(later, "http://a.example/now")
        fresh = [later.is_fresh(f"http://a.example/{name}".encode()) for name in ("earlier", "now", "unknown")]
        assert fresh == [False, True, True]

    def test_known_lists_are_left_out_where_the_site_has_announced_something_new(self, tmp_path: Path) -> None:
        pages = KnownPages(tmp_path / "seen.sqlite")
        pages.began = "2025-01-01"
        put(pages, "http://a.example/list")
        pages.done(b"http://a.example/list", LIST)
        pages.close()
        later = KnownPages(tmp_path / "seen.sqlite")
        put(later, "http://a.example/list", role="list")
        put(later, "http://a.example/new")
        later.fresh_hosts.add("a.example")
        assert asked(later) == ["http://a.example/new"]
        assert later.hosts.total() == 0

    @pytest.fixture
    def written(self, tmp_path: Path) -> KnownPages:
        """Return what is known of three pages that were written on different days."""
        pages = KnownPages(tmp_path / "seen.sqlite")
        for day in (3, 1, 2):
            pages.began = f"2025-01-0{day}T10:00:00+00:00"
            put(pages, f"http://a.example/{day}")
            version = Version({"text": "1"} | ({"price": "2"} if day > 1 else {}), f'"{day}"', None, f"2024-01-0{day}")
            pages.done(f"http://a.example/{day}".encode(), CONTENT, version)
        pages.close()
        return KnownPages(tmp_path / "seen.sqlite")

    def test_written_pages_come_after_new_ones_the_oldest_first(self, written: KnownPages) -> None:
        written.ask_written_again("")
        put(written, "http://a.example/new")
        assert asked(written) == [f"http://a.example/{name}" for name in ("new", "1", "2", "3")]

    def test_pages_that_lack_a_field_are_asked_without_conditions(self, written: KnownPages) -> None:
        written.ask_written_again("", ["price"])
        for day in (1, 2):
            written.announced(f"http://a.example/{day}".encode(), "2024-12-31")
        found = list(iter(lambda: written.ask("a.example"), None))
        assert [(each.url, each.etag) for each in found] == [
            ("http://a.example/1", None),
            ("http://a.example/3", '"3"'),
        ]

    def test_pages_published_before_a_day_are_not_asked_again(self, written: KnownPages) -> None:
        written.ask_written_again("2024-01-02")
        assert asked(written) == ["http://a.example/2", "http://a.example/3"]

    def test_an_interrupted_crawl_of_changes_leaves_nothing(self, written: KnownPages, tmp_path: Path) -> None:
        written.ask_written_again("")
        written.close()
        assert asked(KnownPages(tmp_path / "seen.sqlite")) == []

    @pytest.mark.parametrize(
        ("changed", "is_asked"),
        [
            ("2025-01-02T09:59:00Z", False),
            ("2025-01-02T10:30:00+01:00", False),
            ("2025-01-02T09:30:00-01:00", True),
            ("2025-01-02T09:59:00", True),  # of an unknown time zone
            ("2024-12-31", False),
            ("2025-01-01", True),
            ("2026", True),
            ("", True),
        ],
    )
    def test_pages_of_an_earlier_date_are_not_asked(self, written: KnownPages, changed: str, is_asked: bool) -> None:
        written.ask_written_again("2024-01-02")
        written.announced(b"http://a.example/2", changed)
        assert ("http://a.example/2" in asked(written)) is is_asked
        assert written.hosts.total() == 0

    def test_a_page_that_has_changed_by_its_site_is_asked_before_others(self, written: KnownPages) -> None:
        written.ask_written_again("")
        written.announced(b"http://a.example/3", "2025-01-09")
        assert asked(written)[0] == "http://a.example/3"

    def test_what_a_killed_crawl_has_not_noted_is_cut_off_its_outputs(self, tmp_path: Path) -> None:
        output, killed = tmp_path / "x.csv", tmp_path / "killed"
        pages = KnownPages(killed / "seen.sqlite", [output])
        output.write_text("one\n")
        pages.save()
        output.write_text("one\ntw")
        shutil.copytree(killed, tmp_path / "later")  # as a killed process leaves it
        pages.close()
        KnownPages(tmp_path / "later" / "seen.sqlite", [output]).close()
        assert output.read_text() == "one\n"
        output.write_text("one\nmine\n")
        KnownPages(tmp_path / "later" / "seen.sqlite", [output]).close()
        assert output.read_text() == "one\nmine\n"

    def test_what_a_failed_crawl_has_not_noted_is_cut_off_its_outputs(self, tmp_path: Path) -> None:
        output, name = tmp_path / "x.csv", tmp_path / "seen.sqlite"
        pages = KnownPages(name, [output])
        output.write_text("one\n")
        pages.save()
        output.write_text("one\ntwo\n")
        put(pages, "http://a.example/two")
        pages.fail()
        later = KnownPages(name, [output])
        assert output.read_text() == "one\n"
        assert later.is_new(b"http://a.example/two")
        later.close()

    def test_two_crawls_can_not_use_one_file(self, tmp_path: Path) -> None:
        pages = KnownPages(tmp_path / "seen.sqlite")
        with pytest.raises(StemmerError, match="another crawl is using it"):
            KnownPages(tmp_path / "seen.sqlite")
        pages.close()

    def test_a_file_of_another_version_is_refused(self, tmp_path: Path) -> None:
        with closing(sqlite3.connect(tmp_path / "seen.sqlite")) as db:
            db.execute("PRAGMA user_version = 1")
        with pytest.raises(StemmerError, match="it is of another version of scrapy-stemmer; delete it to begin anew"):
            KnownPages(tmp_path / "seen.sqlite")

    def test_a_file_that_can_not_be_opened_is_not_to_be_deleted(self, tmp_path: Path) -> None:
        (tmp_path / "seen.sqlite").mkdir()
        with pytest.raises(StemmerError, match=r"seen\.sqlite can't be used: unable to open database file\.$"):
            KnownPages(tmp_path / "seen.sqlite")

    def test_a_damaged_file_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "seen.sqlite").write_text("no database, but a text of some length" * 100)
        with pytest.raises(StemmerError, match=r"seen\.sqlite can't be used: file is not a database; delete it"):
            KnownPages(tmp_path / "seen.sqlite")

"""WARC files and WACZ archives."""

from __future__ import annotations

import gzip
import random
import re
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest

from scrapy_stemmer import MissingExtra, Page, StemmerError
from scrapy_stemmer.commands.sources.base import NO_HTML, NO_SUCCESS, TOO_LARGE, UNREADABLE_REASON, LeftOut
from scrapy_stemmer.commands.sources.files import pages_of_sources
from tests.commands.sources.archives import compressed, raw_record, record

A = record("http://ex.com/a", b"<p>A")
B = record("http://ex.com/b", "<p>é".encode("latin-1"), headers={"Content-Type": "text/html; charset=latin-1"})


def read(path: Path, left_out: LeftOut | None = None) -> list[Page]:
    return list(pages_of_sources([str(path)], left_out or LeftOut()))


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_the_pages_of_a_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(compressed(A, B) if name.endswith(".gz") else A + B)
    assert read(tmp_path / name) == [
        Page("http://ex.com/a", b"<p>A"),
        Page("http://ex.com/b", b"<p>\xe9", charset="latin-1"),
    ]
    assert {page.fetched for page in read(tmp_path / name)} == {"2026-01-01T00:00:00Z"}


def test_a_page_of_a_crawl_that_stores_no_responses(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(raw_record("resource", "http://ex.com/a", "text/html", b"<p>A"))
    assert read(tmp_path / "a.warc") == [Page("http://ex.com/a", b"<p>A")]


def test_compressed_and_chunked_bodies_are_expanded(tmp_path: Path) -> None:
    body = gzip.compress(b"<p>A")
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    headers = {"Content-Encoding": "gzip", "Transfer-Encoding": "chunked"}
    (tmp_path / "a.warc").write_bytes(record("http://ex.com/a", chunked, headers=headers))
    assert read(tmp_path / "a.warc") == [Page("http://ex.com/a", b"<p>A")]


def test_what_is_no_page_is_counted(tmp_path: Path) -> None:
    records = [
        raw_record("warcinfo", "", "application/warc-fields", b"software: x\r\n"),
        raw_record("request", "http://ex.com/a", "application/http", b"GET /a HTTP/1.1\r\n\r\n"),
        record("http://ex.com/a.png", b"\x89PNG", headers={"Content-Type": "image/png"}),
        record("http://ex.com/gone", b"<p>Gone", status="404 Not Found"),
        raw_record("resource", "dns:ex.com", "text/html", b"1.2.3.4"),
        A,
    ]
    (tmp_path / "a.warc.gz").write_bytes(compressed(*records))
    left_out = LeftOut()
    assert [page.url for page in read(tmp_path / "a.warc.gz", left_out)] == ["http://ex.com/a"]
    assert left_out.reasons == {NO_HTML: 2, NO_SUCCESS: 1}
    assert list(left_out.lines()) == [
        f"left out: 1 ({NO_SUCCESS}), first http://ex.com/gone",
        f"left out: 2 ({NO_HTML}), first http://ex.com/a.png",
    ]


LONG = record("http://ex.com/long", bytes(random.Random(0).choices(range(97, 123), k=300_000)))


@pytest.mark.parametrize("joined", [compressed, lambda *records: b"".join(records)], ids=["compressed", "plain"])
def test_a_file_that_is_cut_off_says_so_wherever(tmp_path: Path, joined: Callable[..., bytes]) -> None:
    """fastwarc may skip the rest of the file, or take it for a record."""
    first, pages = len(joined(A, A)), joined(A, A, record("http://ex.com/last", b"<p>Some text" * 9))
    for end in range(first, len(pages) + 1):
        (tmp_path / "a.warc.gz").write_bytes(pages[:end])
        left_out = LeftOut()
        found = len(read(tmp_path / "a.warc.gz", left_out))
        is_whole = pages[:end].rstrip(b"\r\n") == pages.rstrip(b"\r\n")  # all but the lines between records
        assert left_out.reasons.total() == (first < end and not is_whole), end - first
        assert found in {2 + is_whole, 2 + (joined is compressed)}, "whole behind a damaged checksum"


@pytest.mark.parametrize(
    "content",
    [compressed(A, LONG)[:-100_000], compressed(A) + b"damaged" * 100, compressed(A, LONG[:-1000])],
    ids=["cut off", "damaged", "cut off before it was compressed"],
)
def test_a_damaged_file_gives_what_can_be_read(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.warc.gz").write_bytes(content)
    left_out = LeftOut()
    assert [page.url for page in read(tmp_path / "a.warc.gz", left_out)] == ["http://ex.com/a"]
    assert left_out.reasons == {UNREADABLE_REASON: 1}


C = record("http://ex.com/c", b"<p>C")


def of_length(length: int, content: bytes) -> bytes:
    """Return a record with a wrong length."""
    return re.sub(rb"(?<=\r\nContent-Length: )\d+(?=\r\n\r\n)", str(length).encode(), content, count=1)


@pytest.mark.parametrize(
    ("damaged", "reason"),
    [
        (of_length(10**9, B), TOO_LARGE),
        (of_length(10**7, B), UNREADABLE_REASON),
        (
            of_length(10**7, raw_record("warcinfo", "", "application/warc-fields", b"software: x\r\n")),
            UNREADABLE_REASON,
        ),
        (b"damaged" * 100 + b"\r\n\r\n", UNREADABLE_REASON),
    ],
    ids=["larger than allowed", "longer than the file", "longer than the file, and no page", "no record"],
)
def test_a_damaged_record_is_named_once(tmp_path: Path, damaged: bytes, reason: str) -> None:
    for content in (A + damaged + C + A + C, compressed(A, damaged, C, A, C)):
        (tmp_path / "a.warc").write_bytes(content)
        left_out = LeftOut()
        assert read(tmp_path / "a.warc", left_out)[0].url[-1] == "a"
        assert left_out.reasons == {reason: 1}


def flipped(member: bytes) -> bytes:
    middle = len(member) // 2
    return member[:middle] + bytes([member[middle] ^ 0xFF]) + member[middle + 1 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "a byte": flipped,
    "a checksum": lambda member: member[:-5] + b"\0" + member[-4:],
    "a beginning": lambda member: b"\0" + member[1:],
    "cut off": lambda member: member[:-20],
    "zeros": lambda member: bytes(len(member)),
    "missing": lambda _: b"damaged" * 100,
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("damaged", [B, LONG], ids=["short", "long"])
def test_a_damaged_gzip_member_costs_no_earlier_one(tmp_path: Path, damaged: bytes, damage: str) -> None:
    (tmp_path / "a.warc.gz").write_bytes(compressed(A, C) + DAMAGES[damage](compressed(damaged)) + compressed(A))
    left_out = LeftOut()
    assert [page.url[-1] for page in read(tmp_path / "a.warc.gz", left_out)][:2] == ["a", "c"]
    assert left_out.reasons[UNREADABLE_REASON] == 1


@pytest.mark.parametrize("encoding", ["gzip", "gzip, gzip", "identity, deflate", ""])
@pytest.mark.parametrize("is_compressed", [False, True])
def test_large_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str, is_compressed: bool) -> None:
    monkeypatch.setattr("scrapy_stemmer.commands.sources.base.MAX_BYTES", 10_000)
    body = bytes(10_001)
    for name in filter(None, encoding.split(", ")):
        body = {"gzip": gzip.compress, "deflate": zlib.compress, "identity": bytes}[name](body)
    large = record("http://ex.com/large", body, headers={"Content-Encoding": encoding})
    (tmp_path / "a.warc").write_bytes(compressed(A, large, C) if is_compressed else A + large + C)
    left_out = LeftOut()
    assert [page.url[-1] for page in read(tmp_path / "a.warc", left_out)] == ["a", "c"]
    assert (left_out.reasons, left_out.examples) == ({TOO_LARGE: 1}, {TOO_LARGE: "http://ex.com/large"})


def test_a_response_with_a_header_of_any_length_costs_no_other(tmp_path: Path) -> None:
    long = record("http://ex.com/long", b"<p>C", headers={"X-Trace": "x" * 100_000})
    (tmp_path / "a.warc").write_bytes(A + long + B)
    left_out = LeftOut()
    assert [page.url for page in read(tmp_path / "a.warc", left_out)] == ["http://ex.com/a", "http://ex.com/b"]
    assert left_out.reasons == {UNREADABLE_REASON: 1}
    assert left_out.examples[UNREADABLE_REASON].startswith("http://ex.com/long (")


def test_what_is_no_archive_is_named(tmp_path: Path) -> None:
    for name in ("a.wacz", "b.wacz"):
        (tmp_path / name).write_bytes(b"nothing of the kind")
    with ZipFile(tmp_path / "b.wacz", "w") as archive:
        archive.writestr("datapackage.json", "{}")
    with pytest.raises(StemmerError, match=r"a.wacz can't be read as an archive"):
        read(tmp_path / "a.wacz")
    with pytest.raises(StemmerError, match=r"b.wacz holds no WARC file"):
        read(tmp_path / "b.wacz")


def test_the_warc_files_of_a_wacz_archive(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "a.wacz", "w", ZIP_STORED) as archive:
        archive.writestr("archive/2.warc.gz", compressed(B))
        archive.writestr("archive/1.warc.gz", compressed(A))
        archive.writestr("indexes/index.cdx.gz", b"")
    assert [page.url for page in read(tmp_path / "a.wacz")] == ["http://ex.com/a", "http://ex.com/b"]


def test_a_damaged_member_of_an_archive_ends_nothing(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "a.wacz", "w", ZIP_STORED) as archive:
        archive.writestr("archive/1.warc", A)
        archive.writestr("archive/2.warc", B)
        archive.writestr("archive/0.warc", b"nothing of the kind")
    content = (tmp_path / "a.wacz").read_bytes()
    (tmp_path / "a.wacz").write_bytes(content.replace(b"<p>A", b"<p>X"))
    left_out = LeftOut()
    assert read(tmp_path / "a.wacz", left_out)[-1].url == "http://ex.com/b"
    assert left_out.reasons == {UNREADABLE_REASON: 2}


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.warc").write_bytes(A)
    monkeypatch.setitem(sys.modules, "fastwarc.warc", None)
    with pytest.raises(MissingExtra, match=r"fastwarc is needed to read .*a.warc: pip install FastWARC \("):
        read(tmp_path / "a.warc")


def test_a_file_that_is_compressed_as_a_whole_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(gzip.compress(A + LONG + C))
    assert len(read(tmp_path / "a.warc.gz")) == 3

"""WARC files, plain or compressed, and WACZ archives of them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING
from zipfile import BadZipFile

from scrapy_stemmer.commands.sources import base
from scrapy_stemmer.commands.sources.base import (
    NO_HTML,
    TOO_LARGE,
    UNREADABLE,
    LeftOut,
    TooLargeError,
    bounded,
    decoded,
    opened_zip,
)
from scrapy_stemmer.core.document import Page
from scrapy_stemmer.exceptions import StemmerError, needed

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord


MAX_DAMAGES = 1000
"""Places of a file that can't be read, before it is given up: each is searched for the next record."""

CHUNK, OVERLAP = 1 << 20, 12
"""Bytes that are searched at a time for the beginning of a record, and those that it may begin with."""

SIGNS = {
    b"WARC": re.compile(rb"\n\r?\n(?P<record>WARC/[01]\.)"),
    b"\x1f\x8b": re.compile(rb"(?P<record>\x1f\x8b\x08[\x00-\x1f].{4}[\x00\x02\x04][\x00-\x0d\xff])", re.DOTALL),
    b"\x28\xb5\x2f\xfd": re.compile(rb"(?P<record>\x28\xb5\x2f\xfd)"),
}
"""What a record begins with in files that begin with some bytes: plain, gzip, Zstandard."""


def is_warc(name: str) -> bool:
    """Whether a name is that of a WARC file."""
    return name.lower().removesuffix(".gz").removesuffix(".zst").endswith(".warc")


def pages_of_wacz(name: str, left_out: LeftOut) -> Iterator[Page]:
    """The pages of a WACZ archive, a zip with WARC files in its folder ``archive``, in the order of their names.

    :raises StemmerError: when it is no such archive, or fastwarc is missing.
    """
    with opened_zip(name) as archive:
        members = sorted(filter(is_warc, archive.namelist()))
        if not members:
            raise StemmerError(f"{name} holds no WARC file.")
        for member in members:
            told = f"{name}, {member}"
            try:
                with archive.open(member) as file:
                    yield from pages_of_warc(file, told, left_out)
            except (EOFError, zlib.error, BadZipFile, RuntimeError) as error:  # the last of encrypted ones
                left_out.add_error(error, told)


def pages_of_warc(file: IO[bytes], name: str, left_out: LeftOut) -> Iterator[Page]:
    """The HTML pages among the responses and resources of an open WARC file, in its order.

    Behind a place that can't be read, and a record that is longer than its file, it goes on with the next record.

    :param name: its name in errors.
    :raises StemmerError: when it is no WARC file, or fastwarc is missing.
    """
    fastwarc = needed("fastwarc.warc", "warc", f"to read {name}")
    kinds = fastwarc.WarcRecordType
    start, read = 0, 0
    for _ in range(MAX_DAMAGES):
        try:
            for record in fastwarc.ArchiveIterator(file, parse_http=False, fsspec_args=False):
                start, read = record.stream_pos, read + 1
                if record.record_type in (kinds.response, kinds.resource):
                    record.parse_http(auto_decode="transfer")
                    yield from page_of_record(record, left_out)
        except OSError as error:
            if not read:
                raise StemmerError(f"{name} can't be read as a WARC file ({error}).") from error
            left_out.add(UNREADABLE, f"{name}, what follows record {read} ({error})")
        # Also behind the end: a record whose length is too large takes in those that follow it.
        found = _next_record(file, start + 1)
        if found is None:
            return
        start = file.seek(found)
    left_out.add(UNREADABLE, f"{name}, what follows byte {start} (damaged in {MAX_DAMAGES} places)")


def _next_record(file: IO[bytes], start: int) -> int | None:
    """Where the next record begins at or behind a place, by the first bytes of records or of what compresses them."""
    file.seek(0)
    first = file.read(4)
    sign = next((sign for magic, sign in SIGNS.items() if first.startswith(magic)), SIGNS[b"WARC"])
    file.seek(start)
    rest = b""
    while chunk := file.read(CHUNK):
        content = rest + chunk
        if found := sign.search(content):
            return start - len(rest) + found.start("record")
        start, rest = start + len(chunk), content[-OVERLAP:]
    return None


def page_of_record(record: WarcRecord, left_out: LeftOut) -> Iterator[Page]:
    """The page of a record, if it is one."""
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    http, status, content_type = record.http_headers, 200, record.headers.get("Content-Type")
    if http is not None:
        status, content_type = http.status_code or 0, record.http_content_type
    if not left_out.takes(url, status, content_type or ""):
        return
    if not url.startswith(("http:", "https:", "file:")):
        left_out.add(NO_HTML, url)
        return
    try:
        body = _body(record)
    except (OSError, ValueError) as error:
        left_out.add_error(error, url)
        return
    yield Page(
        url, body, charset=record.http_charset if http is not None else None, fetched=record.headers.get("WARC-Date")
    )


def _body(record: WarcRecord) -> bytes:
    """The body of a record.

    :raises TooLargeError: when it is too large, or says so.
    :raises ValueError: when it is cut off, or can't be expanded.
    """
    length, http = record.content_length, record.http_headers
    if length > base.MAX_BYTES:
        raise TooLargeError(TOO_LARGE)
    body = bounded(record.reader)
    if len(body) < length and not (http and "Transfer-Encoding" in http):
        raise ValueError(f"cut off: {len(body)} of {length} bytes")
    return decoded(body, (http.get("Content-Encoding") if http else None) or "")

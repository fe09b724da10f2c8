"""WARC files, plain or compressed, and WACZ archives of them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, TYPE_CHECKING

from scrapy_stemmer.commands.sources import base
from scrapy_stemmer.commands.sources.base import (
    NO_HTML,
    TOO_LARGE,
    UNREADABLE_REASON,
    LeftOut,
    TooLargeError,
    decoded,
    opened_zip,
)
from scrapy_stemmer.exceptions import MissingExtra, StemmerError, needed
from scrapy_stemmer.page.document import Page

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord


MAX_DAMAGES = 1000  # damaged places of a file before it is given up: each needs a search for the next record
CHUNK, OVERLAP = 1 << 16, 12  # bytes searched at a time for a record; most bytes of its beginning

SIGNS = {
    b"WARC": re.compile(rb"\n\r?\n(?P<record>WARC/[01]\.)"),
    b"\x1f\x8b": re.compile(rb"(?P<record>\x1f\x8b\x08[\x00-\x1f].{4}[\x00\x02\x04][\x00-\x0d\xff])", re.DOTALL),
    b"\x28\xb5\x2f\xfd": re.compile(rb"(?P<record>\x28\xb5\x2f\xfd)"),
}
"""Beginning of a record by the beginning of its file: plain, gzip, Zstandard."""


def is_warc(name: str) -> bool:
    return name.lower().removesuffix(".gz").removesuffix(".zst").endswith(".warc")


def pages_of_wacz(name: str, left_out: LeftOut) -> Iterator[Page]:
    """Yield the pages of a WACZ archive, a zip with WARC files in its folder ``archive``, by name."""
    with opened_zip(name) as archive:
        members = sorted(filter(is_warc, archive.namelist()))
        if not members:
            raise StemmerError(f"{name} holds no WARC file.")
        for member in members:
            told = f"{name}, {member}"
            try:
                with archive.open(member) as file:
                    yield from pages_of_warc(file, told, left_out)
            except MissingExtra:
                raise
            except Exception as error:  # from the disk, a decompressor, or a missing password
                left_out.add_error(error, told)


def pages_of_warc(file: IO[bytes], name: str, left_out: LeftOut) -> Iterator[Page]:
    """Yield the HTML pages among responses and resources of an open WARC file, in order."""
    kinds = needed("fastwarc.warc", "warc", f"to read {name}").WarcRecordType
    for record in _records(file, name, left_out):
        try:
            _check_length(record)
            if record.record_type not in (kinds.response, kinds.resource):
                continue
            record.parse_http(auto_decode="transfer")
        except (OSError, ValueError) as error:  # a header of more than 64 kB, for example
            left_out.add_error(error, record.headers.get("WARC-Target-URI") or name)
        else:
            yield from page_of_record(record, left_out)


def _check_length(record: WarcRecord) -> None:
    """Raise ``ValueError`` for a record whose length is missing: its header is damaged, or cut off with the file."""
    length = record.headers.get("Content-Length")
    if length is None or not (length.isascii() and length.isdigit()):
        raise ValueError(f"cut off or damaged: its Content-Length is {length!r}")


def _records(file: IO[bytes], name: str, left_out: LeftOut) -> Iterator[WarcRecord]:
    """Yield the records of a file, and go on behind damaged places."""
    fastwarc = needed("fastwarc.warc", "warc", f"to read {name}")
    begin, is_read, damages = 0, False, 0
    while True:
        place, told = file.seek(begin), left_out.reasons.total()
        try:
            for record in fastwarc.ArchiveIterator(file, parse_http=False, fsspec_args=False):
                place, is_read, told = record.stream_pos, True, left_out.reasons.total()
                yield record
        except OSError as error:
            if not is_read:
                raise StemmerError(f"{name} can't be read as a WARC file ({error}).") from error
            left_out.add(UNREADABLE_REASON, f"{name}, what follows byte {place} ({error})")
        # The search goes on behind the end too: a record with too large a length swallows the next records.
        if (found := _next_record(file, place + 1)) is None:
            break
        begin, damages = found, damages + 1
        if damages == MAX_DAMAGES:
            left_out.add(UNREADABLE_REASON, f"{name}, what follows byte {begin} (damaged in {MAX_DAMAGES} places)")
            return
    is_told = left_out.reasons.total() > told  # the last record, or the bytes behind the record, are reported already
    if not is_told and (cut := _cut_off(file, place)) is not None:
        left_out.add(UNREADABLE_REASON, f"{name}, what follows byte {cut} (cut off)")


def _next_record(file: IO[bytes], start: int) -> int | None:
    """Return the place of the next record from a place on, found by its first bytes."""
    file.seek(0)
    first = file.read(4)
    sign = next((sign for magic, sign in SIGNS.items() if first.startswith(magic)), SIGNS[b"WARC"])
    at, rest = file.seek(max(0, start - OVERLAP)), b""
    while chunk := file.read(CHUNK):
        content = rest + chunk
        for found in sign.finditer(content):
            if (place := at - len(rest) + found.start("record")) >= start:
                return place
        at, rest = at + len(chunk), content[-OVERLAP:]
    return None


def _cut_off(file: IO[bytes], place: int) -> int | None:
    """Return the place of a cut-off gzip member at the end of a file, which fastwarc does not always report, or
    ``None``."""
    at, expanding, rest = file.seek(place), zlib.decompressobj(zlib.MAX_WBITS | 16), b""
    with suppress(zlib.error):
        while chunk := rest or file.read(CHUNK):
            expanding.decompress(chunk)
            rest = expanding.unused_data
            if expanding.eof:
                at, expanding = file.tell() - len(rest), zlib.decompressobj(zlib.MAX_WBITS | 16)
        return at if at < file.tell() else None
    return None


def page_of_record(record: WarcRecord, left_out: LeftOut) -> Iterator[Page]:
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
    length, http = record.content_length, record.http_headers
    if length > base.MAX_BYTES:
        raise TooLargeError(TOO_LARGE)
    body = record.reader.read(length)
    if len(body) < length and not (http and "Transfer-Encoding" in http):
        raise ValueError(f"cut off: {len(body)} of {length} bytes")
    return decoded(body, (http.get("Content-Encoding") if http else None) or "")

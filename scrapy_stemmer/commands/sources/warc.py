"""WARC files, plain or compressed, and WACZ archives."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
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


CHUNK = 1 << 16  # bytes read at a time
GZIP = b"\x1f\x8b\x08"  # beginning of a gzip member


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
                if record.reader.consume() < record.content_length:
                    raise ValueError("cut off")
                continue
            record.parse_http(auto_decode="transfer")
        except (OSError, ValueError) as error:  # a header of more than 64 kB, for example
            left_out.add_error(error, record.headers.get("WARC-Target-URI") or name)
        else:
            yield from page_of_record(record, left_out)


def _check_length(record: WarcRecord) -> None:
    """Raise ``ValueError`` for a record without a length: the header is damaged, or cut off with the file."""
    length = record.headers.get("Content-Length")
    if length is None or not (length.isascii() and length.isdigit()):
        raise ValueError(f"cut off or damaged: its Content-Length is {length!r}")


def _records(file: IO[bytes], name: str, left_out: LeftOut) -> Iterator[WarcRecord]:
    """Yield the records of a file, up to the first damaged place, which is reported."""
    fastwarc = needed("fastwarc.warc", "warc", f"to read {name}")
    place, is_read, told, error = 0, False, 0, None
    try:
        for record in fastwarc.ArchiveIterator(file, parse_http=False, fsspec_args=False):
            place, is_read, told = record.stream_pos, True, left_out.reasons.total()
            yield record
    except OSError as damage:
        if not is_read:
            raise StemmerError(f"{name} can't be read as a WARC file ({damage}).") from damage
        error = damage
    is_told = left_out.reasons.total() > told  # the damage of the last record is reported
    cut = None if is_told else place if error is not None else _unread(file, place)
    if cut is not None:
        left_out.add(UNREADABLE_REASON, f"{name}, what follows byte {cut} ({error or 'damaged or cut off'})")


def _unread(file: IO[bytes], place: int) -> int | None:
    """Return the place of a gzip member behind a record that fastwarc has passed over; ``None`` for a whole file."""
    file.seek(0)
    if file.read(len(GZIP)) != GZIP:
        return None
    at, expanding, rest = file.seek(place), zlib.decompressobj(zlib.MAX_WBITS | 16), b""
    try:
        while chunk := rest or file.read(CHUNK):
            expanding.decompress(chunk)
            rest = expanding.unused_data
            if expanding.eof:
                at, expanding = file.tell() - len(rest), zlib.decompressobj(zlib.MAX_WBITS | 16)
    except zlib.error:
        return at
    return at if at < file.tell() else None


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

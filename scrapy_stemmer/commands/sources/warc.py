"""WARC files, plain or compressed, and WACZ archives of them."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

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
PART = 1 << 18  # bytes of a part of a WARC file
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
    return (page for _, page in WarcReader(file, WarcPart(name), left_out).pages())


class WarcPart(NamedTuple):
    """Part of a WARC file: the records that begin between two places."""

    name: str
    start: int = 0
    stop: float = math.inf
    # whether a record begins at ``start``; otherwise the first one behind it is looked for. What looks like one may
    # stand within another: :attr:`WarcReader.next` of the part before tells
    is_known: bool = True


def parts_of_warc(name: str) -> Iterator[WarcPart]:
    """Yield the parts of a WARC file for reading by several processes."""
    for start in range(0, Path(name).stat().st_size, PART):
        yield WarcPart(name, start, start + PART, is_known=start == 0)


def has_parts(name: str) -> bool:
    """Return True for a WARC file of several parts: plain, or with each record compressed by itself."""
    if not (is_warc(name) and Path(name).is_file() and Path(name).stat().st_size > PART):
        return False
    with Path(name).open("rb") as file, suppress(StemmerError):
        is_usual = file.read(2) in (b"WA", b"\x1f\x8b")  # Zstandard may need a dictionary that stands before all
        places = [place for place, _ in islice(WarcReader(file, WarcPart(name), LeftOut()).records(), 2)]
        return is_usual and len(places) == 2 and _next_record(file, places[1], places[1] + 1) == places[1]
    return False


def page_at(name: str, place: int) -> Page:
    with Path(name).open("rb") as file:
        return next(page for _, page in WarcReader(file, WarcPart(name, place), LeftOut()).pages())


class WarcReader:
    def __init__(self, file: IO[bytes], part: WarcPart, left_out: LeftOut) -> None:
        self._file, self._part, self._left_out = file, part, left_out
        self.first: int | None = None  # place of the part's first record, if any
        self.next = math.inf  # where the first record behind the part begins; infinite when there is none
        self.damages = 0  # places behind which the next record had to be looked for

    def pages(self) -> Iterator[tuple[int, Page]]:
        kinds = needed("fastwarc.warc", "warc", f"to read {self._part.name}").WarcRecordType
        for place, record in self.records():
            if record.record_type in (kinds.response, kinds.resource):
                record.parse_http(auto_decode="transfer")
                for page in page_of_record(record, self._left_out):
                    yield place, page

    def records(self) -> Iterator[tuple[int, WarcRecord]]:
        name, start, stop, is_known = self._part
        fastwarc = needed("fastwarc.warc", "warc", f"to read {name}")
        begin = start if is_known else _next_record(self._file, start, stop)
        is_read = start > 0
        self.first = begin if begin is not None and begin < stop else None
        while begin is not None and begin < stop:
            if self.damages == MAX_DAMAGES:
                give_up(name, begin, self._left_out)
                return
            place, told = self._file.seek(begin), self._left_out.reasons.total()
            try:
                for record in fastwarc.ArchiveIterator(self._file, parse_http=False, fsspec_args=False):
                    place, is_read = record.stream_pos, True
                    if place >= stop:
                        self.next = place
                        return
                    told = self._left_out.reasons.total()
                    yield place, record
            except OSError as error:
                if not is_read:
                    raise StemmerError(f"{name} can't be read as a WARC file ({error}).") from error
                self._left_out.add(UNREADABLE_REASON, f"{name}, what follows byte {place} ({error})")
            # Also behind the end: a record whose length is too large takes in those that follow it.
            begin = _next_record(self._file, place + 1)
            self.damages += begin is not None
            is_told = self._left_out.reasons.total() > told  # of the last record, or what follows it
            if begin is None and not is_told and (cut := _cut_off(self._file, place)) is not None:
                self._left_out.add(UNREADABLE_REASON, f"{name}, what follows byte {cut} (cut off)")
        self.next = math.inf if begin is None else begin


def give_up(name: str, place: float, left_out: LeftOut) -> None:
    left_out.add(UNREADABLE_REASON, f"{name}, what follows byte {place} (damaged in {MAX_DAMAGES} places)")


def _next_record(file: IO[bytes], start: int, stop: float = math.inf) -> int | None:
    """Return the place of the next record between two places, found by its first bytes."""
    file.seek(0)
    first = file.read(4)
    sign = next((sign for magic, sign in SIGNS.items() if first.startswith(magic)), SIGNS[b"WARC"])
    at, rest = file.seek(max(0, start - OVERLAP)), b""
    while at < stop and (chunk := file.read(CHUNK)):
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

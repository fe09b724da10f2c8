"""WARC files, plain or compressed, and WACZ archives of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

from scrapy_stemmer.commands.sources.base import MAX_BYTES, NO_HTML, UNREADABLE, LeftOut, opened_zip
from scrapy_stemmer.core.document import Page
from scrapy_stemmer.exceptions import StemmerError, needed

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord


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
            with archive.open(member) as file:
                yield from pages_of_warc(file, f"{name}, {member}", left_out)


def pages_of_warc(file: IO[bytes], name: str, left_out: LeftOut) -> Iterator[Page]:
    """The HTML pages among the responses and resources of an open WARC file, in its order.

    What follows a place that can't be read is left out.

    :param name: its name in errors.
    :raises StemmerError: when it is no WARC file, or fastwarc is missing.
    """
    fastwarc = needed("fastwarc.warc", "warc", f"to read {name}")
    kinds = fastwarc.WarcRecordType.response | fastwarc.WarcRecordType.resource
    read = 0
    try:
        records = fastwarc.ArchiveIterator(
            file, record_types=kinds, max_content_length=MAX_BYTES, auto_decode="all", fsspec_args=False
        )
        for record in records:
            read += 1
            yield from page_of_record(record, left_out)
    except OSError as error:
        if not read:
            raise StemmerError(f"{name} can't be read as a WARC file ({error}).") from error
        left_out.add(UNREADABLE, f"{name}, what follows record {read} ({error})")


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
        length, body = record.content_length, record.reader.read()
    except (OSError, ValueError) as error:
        left_out.add(UNREADABLE, f"{url} ({error})")
        return
    is_encoded = http is not None and any(name in http for name in ("Content-Encoding", "Transfer-Encoding"))
    if len(body) < length and not is_encoded:
        left_out.add(UNREADABLE, f"{url} (cut off: {len(body)} of {length} bytes)")
        return
    yield Page(
        url, body, charset=record.http_charset if http is not None else None, fetched=record.headers.get("WARC-Date")
    )

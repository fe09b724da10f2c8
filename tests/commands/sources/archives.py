"""WARC records as crawlers write them."""

from __future__ import annotations

import gzip
from collections.abc import Mapping


def record(url: str, body: bytes, *, status: str = "200 OK", headers: Mapping[str, str] | None = None) -> bytes:
    """A response as a record.

    :param headers: of the response; a Content-Type of HTML is among them unless they have one.
    """
    fields = {"Content-Type": "text/html", **(headers or {}), "Content-Length": str(len(body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return raw_record("response", url, "application/http", f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body)


def raw_record(kind: str, url: str, content_type: str, block: bytes) -> bytes:
    """Any record."""
    fields = {
        "WARC-Type": kind,
        "WARC-Record-ID": "<urn:uuid:00000000-0000-0000-0000-000000000000>",
        "WARC-Date": "2026-01-01T00:00:00Z",
        "WARC-Target-URI": url,
        "Content-Type": content_type,
        "Content-Length": str(len(block)),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"WARC/1.0\r\n{head}\r\n".encode() + block + b"\r\n\r\n"


def compressed(*records: bytes) -> bytes:
    """Records each in a gzip member of its own, as WARC files have them."""
    return b"".join(map(gzip.compress, records))

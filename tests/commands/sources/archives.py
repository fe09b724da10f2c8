"""WARC records as crawlers write them."""

from __future__ import annotations

import gzip
from collections.abc import Mapping


def record(url: str, body: bytes, *, status: str = "200 OK", headers: Mapping[str, str] | None = None) -> bytes:
    """Return a response as a record."""
    fields = {"Content-Type": "text/html", **(headers or {}), "Content-Length": str(len(body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return raw_record("response", url, "application/http", f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body)


def raw_record(kind: str, url: str, content_type: str, block: bytes) -> bytes:
    """Return a record of any type."""
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
    """Return records in a gzip member each, as in WARC files."""
    return b"".join(map(gzip.compress, records))

"""Bodies of responses that are stored as servers have compressed them."""

from __future__ import annotations

import zlib
from importlib import import_module

GZIP = b"\x1f\x8b"
"""How gzip streams begin."""

MAX_BYTES = 100_000_000
"""Larger bodies are cut off there: a few kilobytes can be expanded to any size."""


def expanded(body: bytes, encoding: str) -> bytes:
    """A body without one Content-Encoding.

    :param encoding: in lower case.
    :raises ValueError: when it can't be expanded.
    """
    try:
        if encoding in ("gzip", "x-gzip"):
            return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, MAX_BYTES)
        if encoding == "deflate":
            bits = zlib.MAX_WBITS if body[:1] == b"\x78" else -zlib.MAX_WBITS
            return zlib.decompressobj(bits).decompress(body, MAX_BYTES)
        if encoding == "br":
            return bytes(import_module("brotli").decompress(body))
        if encoding == "zstd":
            return bytes(import_module("zstandard").ZstdDecompressor().decompressobj().decompress(body))
    except ImportError as error:
        raise ValueError(f"it is compressed as {encoding!r}: pip install {error.name}") from error
    except Exception as error:  # each library has errors of its own
        raise ValueError(f"it can't be expanded as {encoding!r}: {error}") from error
    raise ValueError(f"it is compressed as {encoding!r}, which is not known")

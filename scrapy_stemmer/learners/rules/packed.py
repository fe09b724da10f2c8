"""Keys of texts, links, names and paths: 24 bits each, and sets of them as short text for pattern files.

One key in 50,000 of a site with 300 of them stands for another one too: such a text counts as repeated, such a path as
known.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable
from zlib import crc32

BITS = 24
MASK = (1 << BITS) - 1
_BYTES = BITS // 8


def key_of(text: str, start: int = 0) -> int:
    """The key of a text; that of a sequence of texts by giving the key of those before it.

    :param start: key of what comes before.
    """
    return crc32(text.encode("utf-8", "surrogatepass"), start) & MASK


def packed(keys: Iterable[int]) -> str:
    """A set of keys as text: base64 of three bytes a key, sorted."""
    return b64encode(b"".join(key.to_bytes(_BYTES, "big") for key in sorted(keys))).decode("ascii")


def unpacked(text: str) -> frozenset[int]:
    """The keys of a text that :func:`packed` made.

    :raises ValueError: when it is none.
    """
    data = b64decode(text, validate=True)
    if len(data) % _BYTES:
        raise ValueError(f"has {len(data)} bytes, not three for each key")
    return frozenset(int.from_bytes(data[at : at + _BYTES], "big") for at in range(0, len(data), _BYTES))

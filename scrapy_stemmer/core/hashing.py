"""Hashes that are the same in every process, and numbers drawn from them."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

MODULUS = 2**64 - 0x9E37E0C9
"""A prime, just below 2**64 for the sake of C: multiplied by what is missing, half of a product joins the other half.

Two strings have the same :func:`short_hash` where it divides the difference of their bytes as numbers, which is by
chance for one in 2**64; but never for strings of the same length that differ only

- within eight bytes: the difference is smaller than the prime, and shifted;
- by two stretches of up to eight bytes that have changed places, however far away: of some power of 256 the rest would
  be 1, but the first such power is beyond 2**62, since half of what precedes the prime is a prime as well;
- within two stretches of three bytes, up to 65,536 bytes away from one another.

It is the largest such prime from 2**64 - 0x9E3779B9 on downwards: numbers near 2**64 itself have no third property,
since 256**8 leaves a small rest there.
"""


def stable_hash(*parts: str, seed: int = 0) -> int:
    """A 64-bit hash of strings; differs for ``("ab", "c")`` and ``("a", "bc")``, and from seed to seed."""
    digest = blake2b(digest_size=8, salt=seed.to_bytes(8, "big", signed=True))
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return int.from_bytes(digest.digest(), "big")


def short_hash(text: str) -> int:
    """A 64-bit hash of one string, quick to make: its bytes in UTF-8 as a number, lowest first, modulo a prime.

    Sixteen bytes of zero come first, so that all bits of the hash depend on each byte of a short string too. NULs at
    the end don't count. The hash is no secret: who wants strings with the same one can make them. See :data:`MODULUS`
    for those that never have it.
    """
    data = text.encode("utf-8", "surrogatepass")
    return (int.from_bytes(data, "little") << 128) % MODULUS


def drawn(names: Iterable[str], most: int, seed: int) -> list[str]:
    """At most ``most`` of the names, chosen by hash: the same whatever their order, sorted."""
    chosen = sorted(set(names), key=lambda name: (stable_hash(name, seed=seed), name))[:most]
    return sorted(chosen)

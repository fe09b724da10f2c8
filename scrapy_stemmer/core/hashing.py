"""Hashes that are the same in every process, and numbers drawn from them."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b


def stable_hash(*parts: str, seed: int = 0) -> int:
    """A 64-bit hash of strings; differs for ``("ab", "c")`` and ``("a", "bc")``, and from seed to seed."""
    digest = blake2b(digest_size=8, salt=seed.to_bytes(8, "big", signed=True))
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return int.from_bytes(digest.digest(), "big")


def drawn(names: Iterable[str], most: int, seed: int) -> list[str]:
    """At most ``most`` of the names, chosen by hash: the same whatever their order, sorted."""
    chosen = sorted(set(names), key=lambda name: (stable_hash(name, seed=seed), name))[:most]
    return sorted(chosen)

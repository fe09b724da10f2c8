"""Grouping pages by layout: greedy complete link in one pass, as Webstemmer's analyze.py.

Each page joins the first cluster all of whose members are similar to it; clusters whose URLs are near come
first, since they are likely and a cluster is abandoned at its first failing member.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from scrapy_stemmer.core.text import stable_hash

MAX_DIRECTORIES = 31
"""Directories of a URL that count in the distance; deeper ones are alike."""

Similar = Callable[[int, int], bool]
"""Decides whether two pages, by index, are similar enough for one cluster."""


def complete_link(names: Sequence[str], similar: Similar, max_samples: int = 0, seed: int = 0) -> list[list[int]]:
    """Cluster pages so that all members of a cluster are similar to each other.

    :param names: the pages' URLs, sorted; their order is the order of the pass.
    :param similar: whether two pages, by index into ``names``, are similar.
    :param max_samples: compare with this many members of a cluster instead of all (``-m``); 0 for all.
    :param seed: which members those are.
    :returns: clusters as lists of ascending indices, in order of their first page.
    """
    directories = [directories_of(name) for name in names]
    clusters: list[list[int]] = []
    for page in range(len(names)):
        for cluster in _nearest_first(clusters, page, directories):
            members = _members(cluster, page, max_samples, seed)
            if all(similar(member, page) for member in members):
                cluster.append(page)
                break
        else:
            clusters.append([page])
    return clusters


def _nearest_first(clusters: list[list[int]], page: int, directories: Sequence[tuple[str, ...]]) -> list[list[int]]:
    def distance(cluster: list[int]) -> int:
        return min(directory_distance(directories[member], directories[page]) for member in cluster)

    return sorted(clusters, key=distance)


def _members(cluster: list[int], page: int, most: int, seed: int) -> list[int]:
    if not most or len(cluster) <= most:
        return cluster
    return sorted(cluster, key=lambda member: stable_hash(str(member), str(page), seed=seed))[:most]


def directories_of(url: str) -> tuple[str, ...]:
    """The host and directories of a URL, without the last part of its path."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return (url,)
    return (parts.netloc, *parts.path.split("/")[1:-1])


def directory_distance(first: Sequence[str], second: Sequence[str]) -> int:
    """How far apart two directories are: a difference at a level outweighs all deeper ones.

    Level ``i`` (from 0) adds ``2 ** (31 - i)`` when the parts differ or one of them is missing.
    """
    longest = min(max(len(first), len(second)), MAX_DIRECTORIES)
    return sum(
        2 ** (MAX_DIRECTORIES - level)
        for level in range(longest)
        if first[level : level + 1] != second[level : level + 1]
    )

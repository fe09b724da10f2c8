"""The pages of a sample as learners read them, and grouped by layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from scrapy_stemmer.core.blocks import BlockOptions, LayoutBlock, blocks_of
from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page, root_of
from scrapy_stemmer.core.text import stable_hash


@dataclass(frozen=True, slots=True)
class SampledPage:
    """A page of a sample, its blocks freed from their tree.

    :param name: the page's URL.
    :param anchors: the texts of links to it, sorted, repeats kept.
    :param blocks: its layout blocks.
    """

    name: str
    anchors: tuple[str, ...]
    blocks: tuple[LayoutBlock, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """The pages of a site's sample.

    :param pages: the distinct pages in a fixed order.
    :param options: how they were cut into blocks, with the site's vocabulary when one was asked for.
    """

    pages: tuple[SampledPage, ...]
    options: BlockOptions


def read_sample(
    pages: Iterable[Page], options: BlockOptions, *, name_pages: int, default_charset: str = DEFAULT_CHARSET
) -> Sample:
    """The distinct pages of a sample, whatever the order of ``pages``.

    Trees are let go one by one, so that memory holds one at a time.

    :param name_pages: identifiers and class names on fewer pages are left out of paths; 0 keeps all.
    """
    read = [_read(page, options, default_charset) for page in pages]
    distinct = distinct_pages(read)
    if not name_pages:
        return Sample(tuple(distinct), options)
    vocabulary = common_names(distinct, name_pages)
    named = tuple(_renamed(page, vocabulary) for page in distinct)
    return Sample(named, replace(options, vocabulary=vocabulary))


def common_names(pages: Iterable[SampledPage], least: int) -> frozenset[str]:
    """The identifiers and class names that stand in paths of at least ``least`` pages."""
    counts: Counter[str] = Counter()
    for page in pages:
        components = {component for block in page.blocks for component in block.components}
        counts.update(set().union(*(component.names() for component in components)))
    return frozenset(name for name, count in counts.items() if count >= least)


def _renamed(page: SampledPage, vocabulary: frozenset[str]) -> SampledPage:
    return replace(page, blocks=tuple(block.renamed(vocabulary) for block in page.blocks))


def _read(page: Page, options: BlockOptions, default_charset: str) -> SampledPage:
    blocks = blocks_of(root_of(page, default_charset), options)
    return SampledPage(page.url, tuple(sorted(page.anchors)), tuple(replace(block, pieces=()) for block in blocks))


def distinct_pages(pages: Sequence[SampledPage]) -> list[SampledPage]:
    """The pages sorted by name, of those with the same blocks only the first, with the anchors of all.

    A page that is served under several addresses would else make its own text look like template.
    """
    found: dict[int, SampledPage] = {}
    for page in sorted(pages, key=lambda page: (page.name, _fingerprint(page), page.anchors)):
        known = found.setdefault(_fingerprint(page), page)
        if known is not page:
            anchors = tuple(sorted(known.anchors + page.anchors))
            found[_fingerprint(page)] = replace(known, anchors=anchors)
    return list(found.values())


def _fingerprint(page: SampledPage) -> int:
    return stable_hash(*(part for block in page.blocks for part in (block.path, block.text)))


# Grouping pages by layout: greedy complete link in one pass, as Webstemmer's analyze.py.
#
# Each page joins the first cluster all of whose members are similar to it; clusters whose URLs are near come
# first, since they are likely and a cluster is abandoned at its first failing member

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

"""The pages of a sample as learners read them, and grouped by layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
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
    read = []
    for page in pages:
        blocks = blocks_of(root_of(page, default_charset), options)
        freed = tuple(replace(block, pieces=()) for block in blocks)
        read.append(SampledPage(page.url, tuple(sorted(page.anchors)), freed))
    distinct = _distinct(read)
    if name_pages:
        vocabulary = _common_names(distinct, name_pages)
        options = replace(options, vocabulary=vocabulary)
        distinct = [
            replace(page, blocks=tuple(block.renamed(vocabulary) for block in page.blocks)) for page in distinct
        ]
    return Sample(tuple(distinct), options)


def _distinct(pages: Iterable[SampledPage]) -> list[SampledPage]:
    """The pages sorted by name, of those with the same blocks only the first, with the anchors of all.

    A page that is served under several addresses would else make its own text look like template.
    """
    found: dict[tuple[tuple[str, str], ...], SampledPage] = {}
    by_content = [(page.name, tuple((block.path, block.text) for block in page.blocks), page) for page in pages]
    for _, content, page in sorted(by_content, key=lambda entry: (*entry[:2], entry[2].anchors)):
        known = found.get(content)
        found[content] = replace(known, anchors=tuple(sorted(known.anchors + page.anchors))) if known else page
    return list(found.values())


def _common_names(pages: Iterable[SampledPage], least: int) -> frozenset[str]:
    """The identifiers and class names that stand in paths of at least ``least`` pages."""
    counts: Counter[str] = Counter()
    for page in pages:
        components = {component for block in page.blocks for component in block.components}
        counts.update({name for component in components for name in component.names()})
    return frozenset(name for name, count in counts.items() if count >= least)


# Grouping pages by layout: greedy complete link in one pass, as Webstemmer's analyze.py.

MAX_DIRECTORIES = 31
"""Directories of a URL that count in the distance; deeper ones are alike."""


def complete_link(
    names: Sequence[str], similar: Callable[[int, int], bool], max_samples: int = 0, seed: int = 0
) -> list[list[int]]:
    """Cluster pages so that all members of a cluster are similar to each other.

    Each page joins the first cluster all of whose members are similar to it. Clusters whose URLs are near come first,
    since they are likely and a cluster is abandoned at its first failing member.

    :param names: the pages' URLs, sorted; their order is the order of the pass.
    :param similar: whether two pages, by index into ``names``, are similar enough for one cluster.
    :param max_samples: compare with this many members of a cluster instead of all (``-m``); 0 for all.
    :param seed: which members those are.
    :returns: clusters as lists of ascending indices, in order of their first page.
    """
    directories = [directories_of(name) for name in names]
    clusters: list[list[int]] = []
    for page, here in enumerate(directories):
        nearest = sorted(
            clusters, key=lambda cluster: min(directory_distance(directories[member], here) for member in cluster)
        )
        for cluster in nearest:
            members = cluster
            if 0 < max_samples < len(cluster):
                members = sorted(cluster, key=lambda member: stable_hash(str(member), str(page), seed=seed))
            if all(similar(member, page) for member in members[: max_samples or None]):
                cluster.append(page)
                break
        else:
            clusters.append([page])
    return clusters


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
    levels = enumerate(islice(zip_longest(first, second), MAX_DIRECTORIES))
    return sum(2 ** (MAX_DIRECTORIES - level) for level, (ours, theirs) in levels if ours != theirs)

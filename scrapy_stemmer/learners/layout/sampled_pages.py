"""The pages of a sample as learners read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

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

"""Weights of blocks: equal for every site, within a site for every page, within a page by the length of blocks; less
for a page of an unknown site."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.sets import ALONE as ONE_PAGE
from training.samples import Sample

POWER = 0.7  # of a block's length: long blocks matter more to F1, but a page must not hang on one
SMALL = 0.5  # weight of a page of a small sample, relative to a full sample

ALONE = 0.2
"""What a page of a set of single pages counts, beside a site: from .1 to .3 nothing changes, 1 costs whole sites .7."""

_LOOSE = {f"{ONE_PAGE}/cleaneval": 0.5}
_RARE = {f"{ONE_PAGE}/{name}": 2.0 for name in ("wcxb", "magichtml", "chinese")}

OF_SETS: Sequence[Mapping[str, float]] = (_LOOSE, _LOOSE | _RARE)
"""Weights of the pages of some sets, for each scorer of the shipped mean. The gold texts of CleanEval hold all
connected text, also headings and front pages. Shops, lists and forums are few beside articles: a double weight improves
them, and worsens articles."""

OPTIONAL = 0.25
"""Weight, as unwanted text, of a block left open by a gold text: most readers want neither captions nor bylines, and
most gold texts lack them."""


def weights_of(samples: Sequence[Sample], of_sets: Mapping[str, float] = OF_SETS[0]) -> list[NDArray[np.float64]]:
    """Return for each sample the weights of its blocks.

    The weights of all samples of a site sum up to 1, of a single page to :data:`ALONE`, times the weight of the set in
    ``of_sets``.
    """
    weights = []
    by_site = defaultdict[tuple[str, str], float](float)
    for sample in samples:
        of_blocks = sample.length**POWER * np.where(sample.optional, OPTIONAL, 1.0)
        of_pages = np.bincount(sample.page, of_blocks)
        of_blocks = of_blocks / np.maximum(of_pages[sample.page], 1e-9) * (SMALL if sample.is_small else 1.0)
        weights.append(of_blocks)
        by_site[_site(sample)] += of_blocks.sum()
    return [
        of_blocks
        / max(by_site[_site(sample)], 1e-9)
        * (ALONE if sample.site.is_alone else 1.0)
        * of_sets.get(sample.site.set_name, 1.0)
        for of_blocks, sample in zip(weights, samples, strict=True)
    ]


def _site(sample: Sample) -> tuple[str, str]:
    return sample.site.set_name, sample.site.name

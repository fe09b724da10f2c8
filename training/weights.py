"""How much each block counts: every site the same, of a site every page, of a page every block by its length; a page of
which nothing else is known less than a site."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.sets import ALONE as ONE_PAGE
from training.samples import Sample

POWER = 0.7  # of a block's length: long blocks matter more to F1, but a page must not hang on one
SMALL = 0.5  # what a page of a small sample counts, beside one of a full sample

ALONE = 0.2
"""What a page of a set of single pages counts, beside a site: from .1 to .3 nothing changes, 1 costs whole sites .7."""

_LOOSE = {f"{ONE_PAGE}/cleaneval": 0.5}
_RARE = {f"{ONE_PAGE}/{name}": 2.0 for name in ("wcxb", "magichtml", "chinese")}

OF_SETS: Sequence[Mapping[str, float]] = (_LOOSE, _LOOSE | _RARE)
"""What pages of some sets count beside those of others, for each scorer of which the mean is shipped. The gold texts
of CleanEval hold all that is connected, also headings and front pages. Shops, lists and forums are few beside articles:
counted twice they are read better, and articles worse."""

OPTIONAL = 0.25
"""What a block counts, as one that is not wanted, that a gold text leaves open: most readers want neither captions nor
bylines, and other gold texts are without them."""


def weights_of(samples: Sequence[Sample], of_sets: Mapping[str, float] = OF_SETS[0]) -> list[NDArray[np.float64]]:
    """For each sample the weights of its blocks. Those of all samples of a site sum up to 1, of a single
    page to :data:`ALONE`; times what its set counts, where ``of_sets`` names it."""
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

"""What the patterns of the literature share: roles of blocks by their noise confidence, and hashes as texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.learners.literature.alignment import WordMatcher, dice
from scrapy_stemmer.patterns.base import LabelledBlock, MatchOptions, Role
from scrapy_stemmer.patterns.record import Record

MIN_TITLE_DICE = 0.4
"""A heading is the title when it agrees at least so much with the ``title`` element, whose text usually holds
the site's name too."""

_HASH = re.compile("[0-9a-f]{16}")


def read_hash(record: Record, field: str, text: str) -> int:
    """A 64-bit hash of a record, from the text of one of its fields."""
    if not _HASH.fullmatch(text):
        raise record.error(field, f"must be 16 hexadecimal digits, not {text!r}")
    return int(text, 16)


def mean_noise(parts: Iterable[tuple[float, float]], unknown: float = 0.0) -> float:
    """The mean noise confidence of parts, given as size and noise confidence; ``unknown`` where none has a size."""
    size = noisy = 0.0
    for of_part, noise in parts:
        size += of_part
        noisy += of_part * noise
    return min(1.0, noisy / size) if size else unknown


def label_by_noise(
    blocks: Sequence[LayoutBlock],
    noise: Sequence[float],
    options: MatchOptions,
    *,
    site_noise: Sequence[float] | None = None,
) -> tuple[LabelledBlock, ...]:
    """Blocks with a role each, for systems that say only how likely a block is template.

    A block is template when its noise confidence is above ``1 - options.diffscore``, else main text. The title is the
    heading, not itself template, that agrees best with the ``title`` element; without such a heading that element.

    :param site_noise: noise confidences by what nearly all pages have, for systems where ``noise`` counts what is on a
        few pages only: a headline that other pages tease is a title nevertheless.
    """
    known = noise if site_noise is None else site_noise
    title = next((index for index, block in enumerate(blocks) if block.path == "title"), None)
    if title is not None:
        matcher = WordMatcher()
        scored = [
            (dice(block.text, blocks[title].text, matcher), -index)
            for index, block in enumerate(blocks)
            if block.components and block.components[-1].tag in ("h1", "h2") and known[index] < 1.0
        ]
        best, position = max(scored, default=(0.0, 0))
        title = -position if best >= MIN_TITLE_DICE else title
    labelled = []
    for index, (block, confidence) in enumerate(zip(blocks, noise, strict=True)):
        role = Role.TEMPLATE if confidence > 1.0 - options.diffscore else Role.MAIN
        labelled.append(LabelledBlock(block, Role.TITLE if index == title else role, confidence))
    return tuple(labelled)

"""Roles for systems that say only how likely a block is template."""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.learners.literature.alignment import WordMatcher, dice
from scrapy_stemmer.patterns.base import LabelledBlock, MatchOptions, Role

MIN_TITLE_DICE = 0.4
"""A heading is the title when it agrees at least so much with the ``title`` element, whose text usually holds
the site's name too."""


def label_by_noise(
    blocks: Sequence[LayoutBlock],
    noise: Sequence[float],
    options: MatchOptions,
    *,
    site_noise: Sequence[float] | None = None,
) -> tuple[LabelledBlock, ...]:
    """Blocks with a role each: title, template where noise prevails, main text elsewhere.

    The title is the heading, not itself template, that agrees best with the ``title`` element; without such a heading
    the ``title`` element itself.

    :param noise: for each block its noise confidence, from 0 to 1.
    :param site_noise: the same counted from what nearly all pages have, for systems where ``noise`` counts what is on a
        few pages only: a headline that other pages tease is a title nevertheless. ``noise`` when ``None``.
    :param options: a block is template when its noise confidence is above ``1 - options.diffscore``.
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

"""What the learners of the literature share: options and presets, the pattern of a whole site, and roles by noise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.base import MAX_SAMPLES, SITE_WIDE, Learner, Options
from scrapy_stemmer.learners.literature.alignment import WordMatcher, dice
from scrapy_stemmer.patterns.base import LabelledBlock, MatchOptions, Role, Sample
from scrapy_stemmer.patterns.record import Record

O = TypeVar("O", bound=Options)  # noqa: E741 - options

DIGITS = 6  # decimals of scores in patterns, so that files are good to read and compare

MIN_TITLE_DICE = 0.4
"""A heading is the title when it agrees at least so much with the ``title`` element, whose text usually holds
the site's name too."""

_HASH = re.compile("[0-9a-f]{16}")


class LiteratureLearner(Learner, Generic[O]):
    """A learner with options: those of its :attr:`options_class` by default."""

    def __init__(self, options: O | None = None) -> None:
        assert self.options_class is not None
        self.options: O = options or self.options_class()


def preset(options: type[O], name: str, **original: Any) -> O:
    """The options of a preset: ``default``, or ``original`` for the choices of the paper and its program.

    :raises LearnerError: for another name.
    """
    if name not in ("default", "original"):
        raise LearnerError(f"There is no preset {name!r}; use 'default' or 'original'.")
    return options(**(original if name == "original" else {}))


def of_whole_site(site: str, urls: Sequence[str], score: float) -> dict[str, Any]:
    """The fields that all patterns have, of one for all pages of a site that was learned from these."""
    samples = tuple(Sample(url) for url in urls[:MAX_SAMPLES])
    return {
        "site": site,
        "name": SITE_WIDE,
        "site_wide": True,
        "support": len(urls),
        "score": score,
        "samples": samples,
    }


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

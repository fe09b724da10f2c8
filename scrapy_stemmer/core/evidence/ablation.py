"""Switching kinds of evidence off, to see what each is worth.

What is switched off is not there for whoever looks: for the prior, the votes, the decision, roles, kinds and confidence
alike. So the switches blind what these look at, instead of setting the weights in each of them to 0. A pattern keeps
what it was learned without, and strips without it.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from enum import StrEnum

from scrapy_stemmer.core.evidence.head import Head
from scrapy_stemmer.core.evidence.outline import Outline


class EvidenceKind(StrEnum):
    """A kind of evidence that can be switched off.

    :cvar REPETITION: texts that several pages have.
    :cvar LINKS: how much of a text is in links.
    :cvar NAMES: what identifiers and class names hint at; they still tell paths apart.
    :cvar ELEMENTS: what elements and ARIA roles mean; that of the main heading stays.
    :cvar CLASSES: what blocks of one class of paths are like.
    :cvar REGION: where on a page its text lies; all of it is the region then.
    :cvar RUNNING_TEXT: which class holds most of the text.
    :cvar METADATA: what the head says.
    """

    REPETITION = "repetition"
    LINKS = "links"
    NAMES = "names"
    ELEMENTS = "elements"
    CLASSES = "classes"
    REGION = "region"
    RUNNING_TEXT = "running_text"
    METADATA = "metadata"


Without = Set[EvidenceKind]
"""What is switched off."""


def blind_outline(outline: Outline, without: Without) -> Outline:
    """A page whose links are no links, or whose head says nothing."""
    if EvidenceKind.LINKS in without:
        outline = replace(outline, blocks=[replace(block, anchor_weight=0) for block in outline.blocks])
    if EvidenceKind.METADATA in without:
        outline = replace(outline, head=Head())
    return outline

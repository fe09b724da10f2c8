"""Traits of elements by names and tags, such as captions, consent, comments and forms to buy something."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_stemmer.learners.rules.site.columns import Signature
from scrapy_stemmer.page.text import has_word

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

_BOXES = frozenset("div aside section p footer form".split())  # tags of boxes
CAPTION, CELL = 1 << 9, 1 << 10  # by tag
_NAMED = ("consent", "maybe consent", "comments", "reviews", "forum", "sale", "box", "error", "apart")
CONSENT, MAYBE_CONSENT, COMMENTS, REVIEWS, FORUM, SALE, BOX, ERROR, APART = (1 << bit for bit in range(len(_NAMED)))

_OF_TAGS = {
    **dict.fromkeys(("aside", "figure"), APART),
    **dict.fromkeys(("caption", "figcaption"), CAPTION),
    **dict.fromkeys(("td", "th"), CELL),
    "amp-ad": BOX,
}

_VOCABULARY = json.loads(Path(__file__).with_name("traits.json").read_bytes())
_OF_NAMES = {1 << bit: re.compile("|".join(_VOCABULARY["expressions"][name])) for bit, name in enumerate(_NAMED)}
"""Expressions for names in small letters. Consent is of known tools; boxes are about an author, a newsletter or an
advertisement. A quotation pulled from the text stands apart from it."""

PARTS_OF_NAMES = tuple(_VOCABULARY["parts"].encode().split())
"""Parts of names, of which names with a trait have any: most names have none."""


@lru_cache(4096)
def traits_of(signature: Signature) -> int:
    """Return an element's traits as bits."""
    found = 0
    for name in f"{signature.classes} {signature.id}".split():
        found |= _traits_of_name(name)
    if found & BOX and signature.tag not in _BOXES:
        found ^= BOX
    return found | _OF_TAGS.get(signature.tag, 0)


def _traits_of_name(name: str) -> int:
    if not has_word(name, PARTS_OF_NAMES):
        return 0
    lower = name.lower()
    return sum(trait for trait, expression in _OF_NAMES.items() if expression.search(lower))


class SignatureList(list[Signature]):
    """Signatures by number, with their traits."""

    def __init__(self, signatures: Iterable[Signature] = ()) -> None:
        super().__init__(signatures)
        self._traits: list[int] = []

    @property
    def traits(self) -> list[int]:
        known = self._traits
        if len(known) < len(self):
            # A new list: threads may be reading the known one.
            known = self._traits = [*known, *map(traits_of, self[len(known) :])]
        return known


def traits_in(signatures: Sequence[Signature]) -> list[int]:
    """Return the traits of signatures, by number."""
    return signatures.traits if isinstance(signatures, SignatureList) else list(map(traits_of, signatures))


def has_trait(signatures: Sequence[Signature], columns: ReadPage, trait: int) -> bool:
    """Return True if any element of a page has a trait."""
    return columns.any_marked(traits_in(signatures), trait)

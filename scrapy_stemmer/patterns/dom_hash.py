"""The pattern of the DOM-based system of Gibson, Punera and Tomkins: subtrees that return from page to page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from scrapy_stemmer.core.blocks import LayoutBlock
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.core.subtrees import Subtrees, subtrees_of
from scrapy_stemmer.core.templates import coalesce, template_nodes, texts_of
from scrapy_stemmer.patterns.record import Record
from scrapy_stemmer.patterns.returning import Reading, ReturningPattern

GAP_NOISE = 0.5
"""Most noise confidence that text in the gaps of templates gives to a block: it differs from page to page, so that
it is not deleted, unless :attr:`MatchOptions.diffscore` asks for more."""


class _Marks(NamedTuple):
    """The runs of text of a page that lie within template, and in the gaps of templates."""

    template: frozenset[int]
    gaps: frozenset[int]


@dataclass(frozen=True, kw_only=True)
class DomHashPattern(ReturningPattern):
    """A site's template as the subtrees that return.

    :param ignored_attributes: attributes that make no difference, see
        :func:`scrapy_stemmer.core.subtrees.subtrees_of`.
    :param max_gap_siblings: siblings that may stand between two subtrees of one template.
    :param max_gap_chars: letters and digits that they may hold.
    """

    kind: ClassVar[str] = "dom_hash"

    ignored_attributes: tuple[str, ...] = ()
    max_gap_siblings: int = 1
    max_gap_chars: int = 40

    def read(self, document: Document, blocks: list[LayoutBlock]) -> Reading:
        """A page's subtrees, and for each block the share of its characters within template."""
        page = subtrees_of(document.root, self.ignored_attributes)
        marks = self._marks(page)
        return Reading({node.hash for node in page.nodes}, [_noise(block, page, marks) for block in blocks])

    def _marks(self, page: Subtrees) -> _Marks:
        template = template_nodes(page.nodes, self.hashes)
        joined = coalesce(page.nodes, template, self.max_gap_siblings, self.max_gap_chars)
        inside = frozenset(texts_of(page.nodes, template))
        gaps = frozenset(texts_of(page.nodes, (gap for one in joined for gap in one.gaps)))
        return _Marks(inside, gaps - inside)

    def to_record(self) -> dict[str, Any]:
        """The fields of this kind as JSON values."""
        return {
            "ignored_attributes": list(self.ignored_attributes),
            "max_gap_siblings": self.max_gap_siblings,
            "max_gap_chars": self.max_gap_chars,
            **super().to_record(),
        }

    @classmethod
    def own_fields(cls, record: Record) -> dict[str, Any]:
        """The fields that only this kind has."""
        return {
            "ignored_attributes": record.texts("ignored_attributes"),
            "max_gap_siblings": record.whole("max_gap_siblings", least=0, default=cls.max_gap_siblings),
            "max_gap_chars": record.whole("max_gap_chars", least=0, default=cls.max_gap_chars),
        }


def _noise(block: LayoutBlock, page: Subtrees, marks: _Marks) -> float:
    """The share of a block's characters within template; with those in gaps too, but then no more than
    :data:`GAP_NOISE`."""
    places = [page.places[piece] for piece in block.pieces if piece in page.places]
    total = sum(place.chars for place in places)
    if not total:
        return 0.0
    template = sum(place.chars for place in places if place.node in marks.template)
    gaps = sum(place.chars for place in places if place.node in marks.gaps)
    return max(template / total, min(GAP_NOISE, (template + gaps) / total))

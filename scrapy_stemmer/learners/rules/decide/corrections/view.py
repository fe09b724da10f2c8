"""View of a page with the decisions on blocks, for corrections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from scrapy_stemmer.learners.rules.decide.title import PageTitles
from scrapy_stemmer.learners.rules.site.columns import Signature
from scrapy_stemmer.learners.rules.site.hints import has_trait, traits_in
from scrapy_stemmer.learners.rules.site.site import PlacedPage
from scrapy_stemmer.page.lazily import cached_property

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import Verdicts

SCORER = -1  # see :class:`scrapy_stemmer.learners.rules.decide.corrections.table.Decider`


class View:
    """Elements and blocks of a page with their traits, sums over blocks, and the decisions so far."""

    def __init__(self, page: PlacedPage, verdicts: Verdicts, titles: PageTitles) -> None:
        self.page, self.site, self.columns, self.verdicts, self.titles = page, page.site, page.columns, verdicts, titles

    @property
    def parents(self) -> list[int]:
        return self.columns.parents

    @property
    def elements(self) -> list[int]:
        return self.columns.elements

    @property
    def texts(self) -> list[str]:
        return self.columns.texts

    @property
    def lengths(self) -> list[int]:
        return self.columns.lengths

    @property
    def linked(self) -> list[int]:
        return self.columns.linked

    # Decisions

    @property
    def is_text(self) -> list[bool]:
        return self.verdicts.is_text

    @property
    def odds(self) -> list[float]:
        return self.verdicts.odds

    def is_scored(self, block: int) -> bool:
        return self.verdicts.by_of(block) == SCORER

    # Elements

    def signature(self, element: int) -> Signature:
        return self.site.signatures[self.columns.signatures[element]]

    def tag(self, block: int) -> str:
        return self.tag_of(self.elements[block])

    def tag_of(self, element: int) -> str:
        return self.signature(element).tag

    def around(self, block: int) -> Iterator[int]:
        """Yield the element of a block and the elements around it, the innermost first."""
        element, parents = self.elements[block], self.parents
        while element >= 0:
            yield element
            element = parents[element]

    @cached_property
    def spans(self) -> tuple[list[int], list[int]]:
        """The first block in each element, and the end of its blocks."""
        return self.columns.within()

    def within(self, element: int) -> range:
        """Return the blocks in an element."""
        starts, ends = self.spans
        return range(starts[element], ends[element])

    def has(self, trait: int) -> bool:
        """Return True if any element has a trait, which most pages lack."""
        return has_trait(self.site.signatures, self.columns, trait)

    def marked(self, trait: int) -> list[int]:
        """Return the elements with a trait."""
        return self.columns.marked_elements(traits_in(self.site.signatures), trait)

    def outermost(self, trait: int) -> dict[int, int]:
        """Return the blocks within elements of a trait, each with the number of the outermost element."""
        outer: dict[int, int] = {}
        for element in self.marked(trait) if self.has(trait) else ():
            blocks = self.within(element)
            if element and blocks and blocks.start not in outer:
                outer.update(dict.fromkeys(blocks, element))
        return outer

    def nearest(self, tag: str) -> list[int]:
        """Return for each element the nearest around it of a tag, perhaps itself; -1 without any."""
        found = list[int]()
        for element, parent in enumerate(self.parents):
            found.append(element if self.tag_of(element) == tag else found[parent] if parent >= 0 else -1)
        return found

    # Sums

    @cached_property
    def sizes(self) -> Sequence[int]:
        """The characters of the blocks before each block."""
        return [*accumulate(self.lengths, initial=0)]

    def size(self, blocks: range) -> int:
        """Return the characters of neighbouring blocks."""
        return self.sizes[blocks.stop] - self.sizes[blocks.start]

    def plain(self, blocks: Iterable[int]) -> int:
        """Return the characters of blocks outside links."""
        lengths, linked = self.lengths, self.linked
        return sum([lengths[at] - linked[at] for at in blocks])

    def mean(self, blocks: Sequence[int]) -> float:
        """Return the mean log-odds of the characters of blocks."""
        odds, lengths = self.odds, self.lengths
        return sum([odds[at] * lengths[at] for at in blocks]) / sum([lengths[at] for at in blocks])

"""Labelled blocks made on access, and the text of a page without them."""

from __future__ import annotations

from collections.abc import Iterator

from scrapy_stemmer import learn
from scrapy_stemmer.page.blocks import LayoutBlock
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.patterns.base import LabelledBlock, LazyBlocks, Role
from tests.samplesite import sample


def block(text: str, role: Role = Role.MAIN) -> LabelledBlock:
    return LabelledBlock(LayoutBlock("p", text, text, len(text), len(text)), role, 0.0)


BLOCKS = (block("a"), block("b", Role.SUB), block("c"))


class TestLazyBlocks:
    def test_they_are_made_once_and_when_they_are_first_asked_for(self) -> None:
        made: list[str] = []

        def make() -> Iterator[LabelledBlock]:
            made.append("once")
            yield from BLOCKS

        lazy = LazyBlocks(make)
        assert made == []
        assert (len(lazy), tuple(lazy), lazy[1], lazy[1:]) == (3, BLOCKS, BLOCKS[1], BLOCKS[1:])
        assert made == ["once"]

    def test_they_equal_what_holds_the_same_blocks(self) -> None:
        lazy = LazyBlocks(lambda: BLOCKS)
        assert lazy == BLOCKS
        assert tuple(BLOCKS) == lazy
        assert lazy == LazyBlocks(lambda: list(BLOCKS))
        assert lazy != BLOCKS[:2]
        assert lazy != LazyBlocks(lambda: BLOCKS[::-1])
        assert lazy != 3
        assert hash(lazy) == hash(LazyBlocks(lambda: BLOCKS))
        assert repr(lazy) == repr(BLOCKS)


def test_matches_of_one_page_in_two_trees_are_equal() -> None:
    """Blocks compare equal regardless of their place, as texts do."""
    pages = sample()
    (pattern,) = learn(pages).patterns
    first, second = (pattern.match(Document(pages[0])) for _ in range(2))
    assert first is not None
    assert second is not None
    assert first.labels is not second.labels
    assert first == second
    assert repr(first) == repr(second)

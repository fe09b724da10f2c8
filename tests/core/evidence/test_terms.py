"""What evidence adds to scores: the numbers, their sums, and the names that users read."""

from __future__ import annotations

from itertools import chain

import pytest

from scrapy_stemmer.core.evidence.terms import BLOCK_TERMS, PLACE_TERMS, BlockTerms, PlaceTerms

LATER = ("title", "subtitle", "copy")
"""What is decided when all else is known."""


def test_each_name_and_each_number_is_there_once() -> None:
    names = [name for _, name in chain(PLACE_TERMS, BLOCK_TERMS)]
    assert len(set(names)) == len(names)
    numbers = {name for name in dir(PlaceTerms) if not name.startswith("_")} - {"terms", "total"}
    assert numbers == {"inside", "region", *(attribute for attribute, _ in PLACE_TERMS)}
    assert {name for name in dir(BlockTerms) if not name.startswith("_")} - {"terms", "added_to", "clear"} == {
        attribute for attribute, _ in BLOCK_TERMS
    }


class TestPlaceTerms:
    def test_nothing_is_not_shown(self) -> None:
        assert PlaceTerms(True).terms() == []
        assert PlaceTerms(True).total() == 0.0

    @pytest.mark.parametrize(("inside", "name"), [(True, "inside the region"), (False, "outside the region")])
    def test_the_region(self, inside: bool, name: str) -> None:
        terms = PlaceTerms(inside)
        terms.region = 2.5
        assert terms.terms() == [(name, 2.5)]

    @pytest.mark.parametrize(("attribute", "name"), PLACE_TERMS)
    def test_each_of_them_counts(self, attribute: str, name: str) -> None:
        terms = PlaceTerms(False)
        terms.region = 1.0
        setattr(terms, attribute, -0.25)
        assert terms.terms() == [("outside the region", 1.0), (name, -0.25)]
        assert terms.total() == 0.75


class TestBlockTerms:
    def test_there_are_none_at_first(self) -> None:
        assert BlockTerms().terms() == []
        assert BlockTerms().added_to(1.0) == 1.0

    @pytest.mark.parametrize(("attribute", "name"), BLOCK_TERMS)
    def test_each_of_them_counts(self, attribute: str, name: str) -> None:
        terms = BlockTerms()
        setattr(terms, attribute, 0.5)
        assert terms.terms() == [(name, 0.5)]
        assert terms.added_to(1.0) == (1.0 if attribute in LATER else 1.5)
        terms.clear()
        assert terms.terms() == []

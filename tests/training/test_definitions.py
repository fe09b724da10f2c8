"""Every feature has a definition."""

from __future__ import annotations

import pytest

from tests.training.tiny import site_of
from training.definitions import DEFINITIONS, definition_of
from training.samples import sample_of


def test_every_feature_is_defined_and_every_definition_is_of_one() -> None:
    found = [definition_of(name) for name in sample_of(site_of("a.example", 2), (0, 1)).names]
    assert {text for _, text in found} == {text for group in DEFINITIONS.values() for text in group.values()}


def test_a_name_in_full_goes_before_a_pattern() -> None:
    assert definition_of("in_best")[0] == "region of the page"
    assert definition_of("in_nav")[0] == "place of the block"


def test_an_unknown_feature_is_said() -> None:
    with pytest.raises(KeyError):
        definition_of("moon")

"""Every feature has a definition."""

from __future__ import annotations

from tests.training.tiny import site_of
from training.definitions import DEFINITIONS, definition_of
from training.samples import sample_of


def test_every_feature_is_defined_and_every_definition_is_of_one() -> None:
    found = [definition_of(name) for name in sample_of(site_of("a.example", 2), (0, 1)).names]
    assert {text for _, text in found} == {text for group in DEFINITIONS.values() for text in group.values()}

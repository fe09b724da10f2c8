"""Faults of this package among failures of Scrapy's own tests."""

from __future__ import annotations

from tests.scrapy_suite import KNOWN, faults

COMPARES = "AssertionError: assert {'a': 1, 'stemmer_reason': None} == {'a': 1}"


def test_a_test_that_compares_an_item_as_a_whole_may_fail_by_default() -> None:
    assert faults({}, {}, {"t::test_items": COMPARES}) == []


def test_a_test_that_fails_for_another_reason_may_not() -> None:
    assert faults({}, {}, {"t::test_signals": "TimeoutError: 60 seconds"}) == ["t::test_signals"]


def test_without_any_field_nothing_may() -> None:
    assert faults({}, {"t::test_items": COMPARES}, {"t::test_items": COMPARES}) == ["t::test_items"]


def test_what_fails_without_the_addon_is_scrapys() -> None:
    before = {"t::test_network": "no route"}
    assert faults(before, before, before) == []


def test_what_is_known_is_passed_over() -> None:
    found = {f"t::{name}": "TypeError" for name in KNOWN}
    assert faults({}, found, found) == []

"""What the spider middleware lets pass, and what it keeps back."""

from __future__ import annotations

import sys

import pytest


def test_two_sites_that_are_learned_at_a_time_leave_the_interpreter_as_it_was() -> None:
    """As two crawls in one process may do."""
    before = sys.getswitchinterval()
    first, second = compat.short_switch_interval(), compat.short_switch_interval()
    for each in (first, second):
        each.__enter__()
    for each in (first, second):
        each.__exit__(None, None, None)
    assert sys.getswitchinterval() == before


def test_the_interpreter_changes_threads_more_often_while_a_site_is_learned() -> None:
    before = sys.getswitchinterval()
    with compat.short_switch_interval():
        assert sys.getswitchinterval() == pytest.approx(compat.SWITCH_INTERVAL)
    assert sys.getswitchinterval() == before

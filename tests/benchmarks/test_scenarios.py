"""Crawls of an invented site that begin badly."""

from __future__ import annotations

import pytest

from benchmarks import scenarios
from benchmarks.scenarios import Outcome, Visit, outcome
from tests import processes


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fork server, whose processes have their imports already."""
    monkeypatch.setattr(scenarios, "get_context", lambda _: processes.context())


def test_what_became_of_a_crawl() -> None:
    visits = [Visit("/a", "", "rain fell"), Visit("/b", "", "snow fell"), Visit("/c", "", None), Visit("/d", "", "")]
    found = outcome(visits, [("rain fell", True), ("", False), ("a list", True), ("Log in", True)])
    assert found == Outcome(f1=0.5, with_text=0.5, matched=0.5, walls_with_text=1.0)


@pytest.mark.parametrize(
    "name",
    ["lists first", "a redesign at half", "25 times first: captcha"],
)
@pytest.mark.slow
@pytest.mark.usefixtures("forked")
def test_articles_have_text_and_placeholders_have_none(name: str) -> None:
    (found,) = scenarios.outcomes([name])
    assert found.f1 > 0.95
    assert found.with_text == 1.0
    assert not found.walls_with_text

"""Crawls of an invented site that begin badly."""

from __future__ import annotations

import pytest

from benchmarks import scenarios
from benchmarks.scenarios import Outcome, Visit, outcome
from tests import processes

ALL = scenarios.scenarios()


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fork server, whose processes have their imports already."""
    monkeypatch.setattr(scenarios, "get_context", lambda _: processes.context())


def test_each_page_has_an_address_of_its_own_and_most_are_asked_for_text() -> None:
    for name, make in ALL.items():
        visits = make()
        assert len({visit.url for visit in visits}) == len(visits), name
        assert sum(bool(visit.text) for visit in visits) >= len(visits) / 2, name
        assert visits == make(), name


def test_what_became_of_a_crawl() -> None:
    visits = [Visit("/a", "", "rain fell"), Visit("/b", "", "snow fell"), Visit("/c", "", None), Visit("/d", "", "")]
    found = outcome(visits, [("rain fell", True), ("", False), ("a list", True), ("Log in", True)])
    assert found == Outcome(f1=0.5, with_text=0.5, matched=0.5, walls_with_text=1.0)


@pytest.mark.parametrize(
    "name",
    [
        "lists first",
        "a calendar first",
        "a redesign at half",
        "A/B after the sample",
        "half soft errors",
        *(f"25 times first: {wall}" for wall in ("captcha", "soft 404", "login")),
    ],
)
@pytest.mark.slow
@pytest.mark.usefixtures("forked")
def test_articles_have_text_and_placeholders_have_none(name: str) -> None:
    (found,) = scenarios.outcomes([name])
    assert found.f1 > 0.95
    assert found.with_text == 1.0
    assert not found.walls_with_text


@pytest.mark.slow
@pytest.mark.usefixtures("forked")
def test_the_report_has_a_line_a_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios.main(["alone"]) == 0
    assert "| articles alone |" in capsys.readouterr().out

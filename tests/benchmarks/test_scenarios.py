"""Crawls that begin badly, of a site that is made up."""

from __future__ import annotations

import pytest

from benchmarks import scenarios
from benchmarks.scenarios import Outcome, Visit, outcome

ALL = scenarios.scenarios()


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


WALLS_FIRST = ["25 times first: captcha", "25 times first: soft 404", "25 times first: login"]


def test_articles_have_text_and_placeholders_have_none() -> None:
    names = [
        "lists first",
        "a calendar first",
        "a redesign at half",
        "A/B after the sample",
        "half soft errors",
        *WALLS_FIRST,
    ]
    for name, found in zip(names, scenarios.outcomes(names), strict=True):
        assert found.f1 > 0.95, name
        assert found.with_text == 1.0, name
        assert not found.walls_with_text, name


def test_the_report_has_a_line_a_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios.main(["alone"]) == 0
    assert "| articles alone |" in capsys.readouterr().out

"""Crawls that begin badly, of a site that is made up."""

from __future__ import annotations

import pytest

from benchmarks import scenarios
from benchmarks.scenarios import SAMPLE, Outcome, Visit, chosen_pages, first_pages, outcome, stripped

ALL = scenarios.scenarios()


@pytest.mark.parametrize("name", ALL)
def test_each_page_has_an_address_of_its_own_and_most_are_asked_for_text(name: str) -> None:
    visits = ALL[name]()
    assert len({visit.url for visit in visits}) == len(visits)
    assert sum(bool(visit.text) for visit in visits) >= len(visits) / 2
    assert [visit.html for visit in visits] == [visit.html for visit in ALL[name]()]


def test_what_became_of_a_crawl() -> None:
    visits = [Visit("/a", "", "rain fell"), Visit("/b", "", "snow fell"), Visit("/c", "", None), Visit("/d", "", "")]
    found = outcome(visits, [("rain fell", True), ("", False), ("a list", True), ("Log in", True)])
    assert found == Outcome(f1=0.5, with_text=0.5, matched=0.5, walls_with_text=1.0)


@pytest.mark.parametrize(
    "name", ["lists first", "a calendar first", "half soft errors", "half walls of consent", "25 times first: captcha"]
)
def test_a_sample_over_layouts_and_kinds_knows_the_articles(name: str) -> None:
    visits = ALL[name]()
    sample = chosen_pages(visits)
    assert len(sample) <= SAMPLE
    found = outcome(visits, stripped(sample, visits))
    assert found.f1 > 0.98
    assert found.matched > 0.98
    assert not found.walls_with_text


@pytest.mark.parametrize("name", ["lists first", "25 times first: login", "a redesign at half"])
def test_articles_have_text_of_a_sample_without_any_of_them_too(name: str) -> None:
    visits = ALL[name]()
    found = outcome(visits, stripped(first_pages(visits), visits))
    assert found.f1 > 0.95
    assert found.with_text == 1.0


def test_the_report_has_a_line_a_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios.main(["alone"]) == 0
    assert "| articles alone |" in capsys.readouterr().out

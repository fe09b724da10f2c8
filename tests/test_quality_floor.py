"""Quality floor: the default learner strips the bundled site no worse than today. Each host is learned from 10 pages as
in ``benchmarks.quality``, and the remaining pages are stripped, with rules and alone; word F1, the mean over pages of a
kind."""

from __future__ import annotations

import statistics
from collections.abc import Mapping

import pytest

from benchmarks.quality.runs import run_alone, run_learner
from benchmarks.scoring import PageResult
from benchmarks.sets import bundled_set, digest
from scrapy_stemmer.learning import DEFAULT_LEARNER

pytestmark = pytest.mark.slow

DIGEST = "7f748fc9589866eebb92638c07dcf7dc26c807ebc947ac385ed8f0b4a6e3a0e8"
"""Digest of the pages and gold texts behind the floors, see :func:`benchmarks.sets.digest`."""

FLOORS: Mapping[str, float] = {"article": 0.990, "guide": 0.934, "index": 0.881}
"""About .005 below the measured scores."""

ALONE: Mapping[str, float] = {"article": 0.988, "guide": 0.949, "index": 0.858}
"""Floors of pages alone, about .005 below the measured scores."""

WHAT_TO_DO = "Find what has made it worse. Lowering a floor needs a reason in CHANGELOG.md."


@pytest.fixture(scope="module")
def results() -> list[PageResult]:
    return run_learner(bundled_set(), DEFAULT_LEARNER)


@pytest.fixture(scope="module")
def alone() -> list[PageResult]:
    return run_alone(bundled_set())


def test_the_floors_are_those_of_this_site() -> None:
    assert digest() == DIGEST, (
        "The bundled site or its gold text has changed: measure again with `python -m benchmarks.quality bundled "
        "--learners rules --no-peers --brief`, set DIGEST and FLOORS, and say so in CHANGELOG.md."
    )


def test_every_kind_of_page_has_a_floor(results: list[PageResult]) -> None:
    assert {result.type for result in results} == set(FLOORS) == set(ALONE)


@pytest.mark.parametrize("kind", FLOORS)
def test_quality_has_not_fallen(results: list[PageResult], alone: list[PageResult], kind: str) -> None:
    for found, floor in ((results, FLOORS[kind]), (alone, ALONE[kind])):
        of_kind = sorted((result for result in found if result.type == kind), key=lambda result: result.score.f1)
        f1 = statistics.fmean(result.score.f1 for result in of_kind)
        worst = ", ".join(f"{result.site}{result.id} {result.score.f1:.3f}" for result in of_kind[:3])
        assert f1 >= floor, f"F1 of {kind} pages is {f1:.4f}, the floor {floor}. Worst: {worst}. {WHAT_TO_DO}"


def test_no_page_is_lost(results: list[PageResult]) -> None:
    lost = [f"{result.site}{result.id}" for result in results if result.score.f1 < 0.5]
    assert not lost, f"Pages with F1 below .5: {', '.join(lost)}. {WHAT_TO_DO}"

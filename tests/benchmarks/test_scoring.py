"""Scores of texts and titles, and their means."""

from __future__ import annotations

import pytest

from benchmarks.scoring import PageResult, Score, reliability, same_title, score, summary, sure


def result(f1: float, confidence: float | None = None, **more: object) -> PageResult:
    return PageResult("set", "site", "id", Score(f1, f1, f1), confidence=confidence, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "gold", "expected"),
    [
        pytest.param("A b, c!", "a B c", Score(1, 1, 1), id="alike"),
        pytest.param("a b c d", "a b", Score(0.5, 1, 2 / 3), id="too much"),
        pytest.param("a", "a a", Score(1, 0.5, 2 / 3), id="each word counts once"),
        pytest.param("x", "a", Score(0, 0, 0), id="nothing shared"),
        pytest.param("", "", Score(1, 1, 1), id="both empty"),
        pytest.param("", "a", Score(0, 0, 0), id="nothing found"),
        pytest.param("a", "", Score(0, 0, 0), id="nothing wanted"),
        pytest.param("鳥が飛ぶ。", "鳥が鳴く。", Score(0.5, 0.5, 0.5), id="characters where there are no spaces"),
        pytest.param("ไทย", "ไทม", Score(2 / 3, 2 / 3, 2 / 3), id="Thai"),
        pytest.param("the 鳥が", "the 鳥だ bird in English words", Score(1 / 2, 1 / 6, 1 / 4), id="words elsewhere"),
    ],
)
def test_score(found: str, gold: str, expected: Score) -> None:
    assert score(found, gold) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("found", "gold", "same"),
    [
        ("A  Title – here!", "a title - here", True),
        ("ｆｕｌｌ", "Full", True),
        ("A title", "Another title", False),
        (None, "Title", False),
    ],
)
def test_same_title(found: str | None, gold: str, same: bool) -> None:
    assert same_title(found, gold) is same


def test_summary_is_the_mean_over_pages() -> None:
    found = summary([result(1), result(0.5), result(0.9, failed=True)])
    assert found is not None
    assert (found.pages, found.failed) == (3, 1)
    assert found.f1 == pytest.approx(0.8)
    assert found.good == pytest.approx(2 / 3)
    assert summary([]) is None


def test_reliability_puts_each_page_into_one_bin() -> None:
    results = [result(1, 0.2), result(0.5, 0.5), result(1, 0.95), result(0.1, 1.0), result(1)]
    found = reliability(results, (0, 0.5, 0.95, 1))
    assert [each.pages for each in found] == [1, 1, 2]
    assert [each.good for each in found] == [1, 0, 0.5]
    assert found[2].confidence == pytest.approx(0.975)


def test_sure_pages_are_above_the_bound() -> None:
    assert sure([result(1, 0.9), result(1, 0.91), result(0.1, 1.0), result(1)]).pages == 2

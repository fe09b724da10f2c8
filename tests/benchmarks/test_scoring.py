"""Scores of texts and titles, and their means."""

from __future__ import annotations

import pytest

from benchmarks.scoring import PageResult, Score, Segments, same_title, score, segments_in, summary


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
        pytest.param("鳥が飛ぶ。", "鳥が鳴く。", Score(0.5, 0.5, 0.5), id="kana and Han: each character is a word"),
        pytest.param("the 鳥が", "the 鳥だ bird", Score(2 / 3, 1 / 2, 4 / 7), id="characters among words"),
        pytest.param("web鳥site", "web site", Score(2 / 3, 1, 4 / 5), id="a character ends the word before it"),
    ],
)
def test_score(found: str, gold: str, expected: Score) -> None:
    assert score(found, gold) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("found", "gold", "optional", "expected"),
    [
        pytest.param("Ann 2 May a b", "a b", "by Ann 2 May", Score(1, 1, 1), id="kept: not punished"),
        pytest.param("a b", "a b", "by Ann 2 May", Score(1, 1, 1), id="left out: not punished"),
        pytest.param("Ann a", "a b", "Ann", Score(1, 0.5, 2 / 3), id="kept: not rewarded"),
        pytest.param("Ann Ann a b", "a b", "Ann", Score(2 / 3, 1, 4 / 5), id="forgiven as often as it is there"),
        pytest.param("a b", "a b", "a", Score(1, 1, 1), id="words of the gold text count all the same"),
        pytest.param("b", "a b", "a", Score(1, 0.5, 2 / 3), id="they are missed too"),
        pytest.param("Ann", "a", "Ann", Score(0, 0, 0), id="nothing else found"),
        pytest.param("Ann", "", "Ann", Score(1, 1, 1), id="nothing else found or wanted"),
    ],
)
def test_optional_text_may_be_there_or_not(found: str, gold: str, optional: str, expected: Score) -> None:
    assert score(found, gold, optional) == pytest.approx(expected)


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


def test_a_site_counts_by_the_mean_of_its_pages() -> None:
    of_sites = {"good": (1, 0.9), "middling": (1, 0.4), "poor": (0.6, 0.79)}
    found = summary([PageResult("s", site, "", Score(f1, f1, f1)) for site, pages in of_sites.items() for f1 in pages])
    assert found is not None
    assert (found.sites, found.poor_sites) == (3, 1)
    assert found.good_sites == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted", "expected"),
    [
        ("One two\nthree", ["two three"], ["four"], (1, 1, 1)),
        ("One two four", ["two", "three"], ["four", "five"], (1, 2, 2)),
        ("", ["two"], ["four"], (0, 0, 1)),
    ],
)
def test_segments_are_counted(text: str, wanted: list[str], unwanted: list[str], expected: tuple[int, ...]) -> None:
    assert segments_in(text, wanted, unwanted) == expected


def test_of_segments_the_score_is_that_of_all_pages_together() -> None:
    counts = [Segments(1, 1, 1), Segments(1, 4, 3)]
    found = summary([PageResult("x", "s", str(n), each.score, segments=each) for n, each in enumerate(counts)])
    assert found is not None
    assert (found.precision, found.recall, found.f1) == (2 / 5, 2 / 4, 4 / 9)
    assert found.good == 0.5
    assert Segments(0, 0, 0).score == (0, 0, 0)

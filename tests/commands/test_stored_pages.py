"""Samples of stored pages in a temporary file, and work on all cores."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest

from scrapy_stemmer import Page, StemmerError
from scrapy_stemmer.commands import stored_pages
from scrapy_stemmer.commands.stored_pages import PageSample, Progress, in_order

PAGES = [Page(f"http://{site}.example/{n}", f"<p>{site} {n}") for site in "ab" for n in range(30)]


def sampled(pages: list[Page], size: int = 5) -> dict[str, list[Page]]:
    with PageSample(size) as sample:
        for page in pages:
            assert sample.add(page)
        return {site: [kept.page() for kept in sample.pages(site)] for site in sample.sites}


def test_as_many_pages_of_each_site_whatever_their_order() -> None:
    found = sampled(PAGES)
    assert [(site, len(pages)) for site, pages in found.items()] == [("a.example", 5), ("b.example", 5)]
    for seed in range(5):
        assert sampled(random.Random(seed).sample(PAGES, len(PAGES))) == found


def test_pages_with_one_content_or_one_url_count_once() -> None:
    equal = [Page(f"http://a.example/{n}", "<p>Error") for n in range(9)]
    assert len(sampled(equal)["a.example"]) == 1
    first, again = Page("http://a.example/?b=1&a=2", "<p>1"), Page("http://a.example/?a=2&b=1#top", "<p>2")
    assert sampled([first, again]) == sampled([again, first])
    assert len(sampled([first, again])["a.example"]) == 1


def test_pages_come_back_as_they_were() -> None:
    pages = [Page("http://a.example/1", "é\ud800"), Page("http://a.example/2", b"\xe9\0", charset="latin-1")]
    assert sampled(pages) == {"a.example": pages}


def test_a_page_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_pages, "MAX_SAMPLED_CHARS", 10)
    with PageSample(5) as sample:
        assert not sample.add(Page("http://a.example/1", "x" * 11))
        assert sample.sites == {}


# Work on all cores, and its progress


def square(number: int) -> int:
    return number * number


def die(_: int) -> None:
    os._exit(1)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_results_are_in_the_order_of_tasks_that_are_taken_as_needed(processes: int) -> None:
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    results = in_order(square, tasks(), processes)
    assert next(results) == 0
    assert len(taken) <= stored_pages.AHEAD * 2 + 2
    assert [0, *results] == [number * number for number in range(100)]


@pytest.mark.slow
def test_a_process_that_dies_is_told() -> None:
    with pytest.raises(StemmerError, match="A process has died"):
        list(in_order(die, range(3), 2))


def counted(progress: Progress) -> Progress:
    assert list(progress.over("abc", "reading")) == ["a", "b", "c"]
    assert list(progress.over("de", "reading again", total=2)) == ["d", "e"]
    assert list(progress.over([2, 3], "learning", total=2, unit="site")) == [2, 3]
    return progress


def test_progress_is_told_with_a_total_where_that_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    progress = counted(Progress(every=0))
    assert progress.pages == 3
    told = [line.rpartition(", ")[0] for line in capsys.readouterr().err.splitlines()]
    assert told == [
        *("reading: 1 page", "reading: 2 pages", "reading: 3 pages"),
        *("reading again: 1 of 2 pages", "reading again: 2 of 2 pages"),
        *("learning: 1 of 2 sites", "learning: 2 of 2 sites"),
    ]

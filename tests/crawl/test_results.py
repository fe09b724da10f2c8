"""The results for a page: made once, only those that are wanted, and nothing else is kept."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any
from weakref import ref

import pytest

from scrapy_stemmer.crawl.compat import without_collection
from scrapy_stemmer.crawl.results import PageResults
from scrapy_stemmer.strip import UNMATCHED


class Made:
    """Stands in for a stripped page; notes what is asked for."""

    matched, pattern, similarity, kind = True, "p", 0.9, None

    def __init__(self, asked: list[str], confidence: float | None = None) -> None:
        self._asked = asked
        self.confidence = confidence

    def __getattr__(self, name: str) -> str:
        assert not gc.isenabled()
        self._asked.append(name)
        return f"its {name}"


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    gc.enable()
    yield
    assert gc.isenabled()


def test_only_what_is_wanted_is_made_and_only_once() -> None:
    asked: list[str] = []
    results = PageResults()
    strips = [Made(asked)]
    for _ in range(2):
        read = results.read(strips.pop, ("html",), 0.0)  # type: ignore[arg-type]
        assert (read["text"], read["html"], read["pattern"]) == ("its text", "its html", "p")
    assert asked == ["text", "html"]
    assert "title" not in read


def test_another_item_may_want_more() -> None:
    asked: list[str] = []
    results, strips = PageResults(), [Made(asked), Made(asked)]
    results.read(strips.pop, (), 0.0)  # type: ignore[arg-type]
    assert results.read(strips.pop, ("title",), 0.0)["title"] == "its title"  # type: ignore[arg-type]
    assert results.read(strips.pop, ("title",), 0.0)["text"] == "its text"  # type: ignore[arg-type]
    assert not strips


@pytest.mark.parametrize(("confidence", "least", "sure"), [(0.4, 0.5, False), (0.5, 0.5, True), (None, 0.5, True)])
def test_of_unsure_pages_only_the_text_is_made(confidence: float | None, least: float, sure: bool) -> None:
    asked: list[str] = []
    strips = [Made(asked, confidence)]
    results = PageResults()
    for _ in range(2):
        results.read(strips.pop, ("html",), least)  # type: ignore[arg-type]
    assert asked == (["text", "html"] if sure else ["text"])


def test_pages_that_do_not_match_have_flags_only() -> None:
    read = PageResults().read(lambda: UNMATCHED, ("html",), 0.0)
    assert dict(read) == {"matched": False, "pattern": None, "similarity": 0.0, "kind": None, "confidence": None}


def test_the_page_is_not_kept() -> None:
    page = Made([])
    known, strips = ref(page), [page]
    del page
    results = PageResults()
    results.read(strips.pop, ("html",), 0.0)  # type: ignore[arg-type]
    assert known() is None


def test_what_went_wrong_is_tried_again_and_collection_goes_on() -> None:
    def fail() -> Any:
        raise RuntimeError("oh")

    results = PageResults()
    with pytest.raises(RuntimeError, match="oh"):
        results.read(fail, (), 0.0)
    assert gc.isenabled()
    assert results.read(lambda: UNMATCHED, (), 0.0)["matched"] is False


def test_collection_stays_off_where_it_was_off() -> None:
    gc.disable()
    with without_collection():
        pass
    assert not gc.isenabled()
    gc.enable()

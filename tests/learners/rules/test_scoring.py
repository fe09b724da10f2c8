"""The scorer on blocks that the rules do not decide on."""

from __future__ import annotations

import pytest

from scrapy_stemmer.core.document import parse
from scrapy_stemmer.learners.rules.features import NAMES, features
from scrapy_stemmer.learners.rules.packed import MASK
from scrapy_stemmer.learners.rules.path_features import PathFeatures
from scrapy_stemmer.learners.rules.reading import measures_of
from scrapy_stemmer.learners.rules.scorer import Scorer
from scrapy_stemmer.learners.rules.scoring import scored, shipped_scorer
from scrapy_stemmer.learners.rules.site import Knowledge, SiteReader
from scrapy_stemmer.learners.rules.titles import head_of
from tests.learners.rules.made import CHROME_IS_NOISE, facts, scorer, story


def odds(html: str, knowledge: Knowledge, by: Scorer, which: list[int] | None = None) -> list[float]:
    """The odds of the blocks of a page."""
    root = parse(html)
    placed = SiteReader([], knowledge).place(root)
    texts = placed.columns.texts
    chosen = list(range(len(texts))) if which is None else which
    url = "https://news.example/x"
    return list(scored(url, placed, list(map(measures_of, texts)), head_of(root), knowledge, chosen, by))


def by_feature(name: str, threshold: float = 0.5, missing: str = "low") -> Scorer:
    """A scorer that says 1 where a feature is above a threshold, else -1."""
    return scorer([name, threshold, missing, -1, 1])


def test_the_scorer_of_this_package_knows_the_features_that_are_made() -> None:
    assert shipped_scorer() is shipped_scorer()
    assert list(shipped_scorer().names) == list(NAMES)


def test_only_blocks_that_are_asked_for() -> None:
    html = "<nav>Menu</nav><p>One</p><footer>End</footer>"
    assert odds(html, Knowledge(pages=1), CHROME_IS_NOISE) == [-3, 3, -3]
    assert odds(html, Knowledge(pages=1), CHROME_IS_NOISE, [2, 1]) == [-3, 3]


def test_what_is_known_of_texts_counts() -> None:
    known = Knowledge(pages=4, texts={measures_of("Menu").key & MASK: 3})
    assert odds("<p>Menu</p><p>One</p>", known, by_feature("repeated")) == [1, -1]


class TestOneLearnedPage:
    KNOWN = Knowledge(pages=1, texts={measures_of(text).key & MASK: 1 for text in ("Menu", "Storm", "Rain")})

    def test_what_another_page_shares_with_it_returns(self) -> None:
        assert odds("<p>Menu</p><p>Sun</p>", self.KNOWN, by_feature("repeated")) == [1, -1]

    def test_what_it_shares_with_itself_says_nothing(self) -> None:
        again = "<p>Menu</p><p>Storm</p><p>Rain</p>"
        assert odds(again, self.KNOWN, by_feature("repeated", missing="high")) == [1, 1, 1]


def test_the_head_of_the_page_counts() -> None:
    html = "<head><title>One | News</title></head><p>One</p><p>Two</p>"
    assert odds(html, Knowledge(pages=2), by_feature("is_title")) == [1, -1]


def test_paths_of_other_pages_change_nothing() -> None:
    """They are remembered with those of the page."""
    reader, root = SiteReader([], Knowledge(pages=1)), parse(story("storm"))
    found = []
    for _ in range(2):
        placed = reader.place(root)
        measures = list(map(measures_of, placed.columns.texts))
        chosen = range(len(measures))
        by = shipped_scorer()
        found.append(scored("https://news.example/x", placed, measures, head_of(root), Knowledge(pages=1), chosen, by))
        reader.place(parse("<div class=a><nav><p>Other</p></nav></div>" * 3))
    assert found[0] == found[1]


@pytest.mark.parametrize("count", [1, 60])
def test_few_and_many_rows_are_scored_alike(count: int) -> None:
    pages, known = facts(["".join(f"<p>Text {'i' * number}, of some length.</p>" for number in range(count))])
    rows = features(pages, PathFeatures(known))
    by = shipped_scorer()
    assert by.odds(rows).tolist() == pytest.approx([float(by.odds(rows[[number]])[0]) for number in range(count)])

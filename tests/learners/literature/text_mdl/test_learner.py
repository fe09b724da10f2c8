"""The learners of essential paths: patterns of a site, and clusters by costs, on the micro-example of algorithms §5."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from scrapy_stemmer import Page
from scrapy_stemmer.learners.literature.base import SITE_WIDE
from scrapy_stemmer.learners.literature.text_mdl.learner import (
    EstimatedCosts,
    PathHashes,
    PathLearner,
    TextHashLearner,
    TextHashOptions,
    TextMdlLearner,
    TextMdlOptions,
    UnitCosts,
    agglomerate,
    as_paths,
    cluster_cost,
    essential_paths,
)
from scrapy_stemmer.learners.literature.text_mdl.pattern import EssentialPathPattern
from scrapy_stemmer.patterns.base import Pattern
from tests.lettersets import BEST, EXAMPLE, SINGLES, documents, words
from tests.samplesite import FOOTER, SITE, TOPICS, article, sample

MDL, HASH = TextMdlLearner(), TextHashLearner()
NEAREST = TextHashLearner(TextHashOptions(nearest=True))


def listing(number: int) -> Page:
    """A page of another layout than the articles: a table of results with a note."""
    rows = "".join(f"<tr><th>Team {number}{row}</th><td><em>{number}-{row}</em></td></tr>" for row in range(3 + number))
    html = (
        f"<html><head><title>Results {number}</title></head><body><ul><li>Home</li></ul>"
        f"<form><fieldset><label>Search results</label><input></fieldset></form>"
        f"<table><thead><tr><td>Team</td></tr></thead><tbody>{rows}</tbody></table><address>Ring us</address>"
        f"</body></html>"
    )
    return Page(f"https://{SITE}/results/{number}", html)


TWO_LAYOUTS = [*sample(4), *(listing(number) for number in range(3))]


def layouts(patterns: list[Pattern]) -> dict[str, EssentialPathPattern]:
    return {pattern.name: pattern for pattern in patterns if isinstance(pattern, EssentialPathPattern)}


@pytest.mark.parametrize("learner", [MDL, HASH, NEAREST], ids=["text_mdl", "text_hash", "text_hash, nearest"])
def test_each_layout_has_a_pattern_and_all_pages_have_one(learner: PathLearner) -> None:
    of_name = layouts(learner.learn(TWO_LAYOUTS))
    assert {name: pattern.support for name, pattern in of_name.items()} == {
        f"https://{SITE}/2024/0.html": 4,
        f"https://{SITE}/results/0": 3,
        SITE_WIDE: 7,
    }
    assert [name for name, pattern in of_name.items() if pattern.site_wide] == [SITE_WIDE]


def test_templates_hold_the_texts_of_their_layout() -> None:
    of_name = layouts(TextMdlLearner().learn(TWO_LAYOUTS))
    texts = {name: {path.example for path in pattern.texts} for name, pattern in of_name.items()}
    assert texts[f"https://{SITE}/results/0"] == {"Home", "Search results", "Team", "Ring us"}
    assert texts[SITE_WIDE] == {*TOPICS, FOOTER[:60]}


def test_a_text_of_half_of_the_pages_is_no_template() -> None:
    pages = sample(4)
    for number in (0, 1):
        html = article(number).replace("</h1>", "</h1><p>Subscribe to our letter</p>")
        pages[number] = Page(pages[number].url, html)
    assert "Subscribe to our letter" not in {path.example for path in layouts(MDL.learn(pages))[SITE_WIDE].texts}


def test_pages_without_a_cluster_have_no_pattern_of_their_own() -> None:
    odd = Page(f"https://{SITE}/odd", "<dl><dt>odd</dt><dd><code>one</code></dd></dl>")
    assert odd.url not in layouts(TextMdlLearner().learn([*sample(3), odd]))


def least(jaccard: float) -> tuple[PathLearner, PathLearner]:
    options = {"min_jaccard": jaccard}
    return TextMdlLearner(TextMdlOptions(**options)), TextHashLearner(TextHashOptions(**options))


@pytest.mark.parametrize(
    ("letters", "learner", "clusters", "other", "other_clusters"),
    [
        ("AH CH CEF", MDL, [[0, 1], [2]], HASH, [[0], [1, 2]]),
        ("CE CH EF", MDL, [[0, 1], [2]], least(0.5)[0], [[0], [1], [2]]),
        ("CE CH EF", HASH, [[0, 1], [2]], least(0.5)[1], [[0], [1], [2]]),
        ("GH CEG ACH", HASH, [[0], [1, 2]], NEAREST, [[0, 1], [2]]),
    ],
    ids=["exact or estimated", "least", "least, estimated", "candidates"],
)
def test_where_clusters_depend_on_the_learner_and_its_options(
    letters: str, learner: PathLearner, clusters: list[list[int]], other: PathLearner, other_clusters: list[list[int]]
) -> None:
    """Clear layouts give equal patterns by any learner; pages between layouts do not."""
    assert learner.cluster(documents(letters), 0) == clusters
    assert other.cluster(documents(letters), 0) == other_clusters


def test_the_score_is_what_the_cluster_saves() -> None:
    """Two pages with a template of five element paths cost five units, not ten."""
    pages = [Page(f"https://{SITE}/{n}", f"<html><body><ul><li><p>{n}</p></li></ul></body></html>") for n in "ab"]
    assert {pattern.score for pattern in TextMdlLearner().learn(pages)} == {5.0}


# Costs of clusters, exact and estimated by signatures


@pytest.mark.parametrize(
    ("clusters", "cost"),
    [pytest.param(SINGLES, 21, id="single documents"), pytest.param(BEST, 12, id="the best clusters")],
)
def test_the_costs_of_the_micro_example(clusters: list[list[int]], cost: int) -> None:
    pages = documents(EXAMPLE)
    assert sum(cluster_cost([pages[number] for number in cluster]) for cluster in clusters) == cost


@pytest.mark.parametrize(
    ("all_paths", "essential"),
    [
        pytest.param("ABx ABy ABz", "AB AB AB", id="what single documents have is left out"),
        pytest.param("ABCDE ABCDE ABCDE ABF ABF", "ABCDE ABCDE ABCDE AB AB", id="each has its own threshold"),
        pytest.param("AB CD", "- -", id="nothing in common"),
        pytest.param("A - A", "A - A", id="a document without paths"),
        pytest.param("", "", id="no documents"),
    ],
)
def test_essential_paths(all_paths: str, essential: str) -> None:
    assert words(essential_paths(documents(all_paths))) == essential


def test_the_gains_of_the_micro_example_step_by_step() -> None:
    clusters = UnitCosts(documents(EXAMPLE))

    def gain(first: int, second: int) -> float:
        return float(clusters.saved(first, np.array([second]))[0])

    assert gain(0, 2) == gain(1, 2) == 4
    assert gain(0, 1) == gain(3, 4) == 3
    clusters.merge(0, 2)
    assert gain(0, 1) == 2
    clusters.merge(3, 4)
    clusters.merge(0, 1)
    assert gain(0, 3) == -5


@pytest.mark.parametrize(
    ("letters", "min_jaccard", "clusters"),
    [
        pytest.param(EXAMPLE, 0.2, BEST, id="the micro-example"),
        pytest.param(EXAMPLE, 0.0, BEST, id="the micro-example, without a least Jaccard index"),
        pytest.param("ABCDE EFGHI", 0.0, [[0, 1]], id="any shared path merges then"),
        pytest.param("", 0.2, [], id="no documents"),
        pytest.param("AB AB", 0.2, [[0, 1]], id="the same document twice"),
        pytest.param("AB CD", 0.2, [[0], [1]], id="nothing in common"),
        pytest.param("- -", 0.2, [[0], [1]], id="documents without paths"),
        pytest.param("ABCDE EFGHI", 0.2, [[0], [1]], id="a ninth of the paths in common, too little"),
        pytest.param("ABCDE DEFGH", 0.2, [[0, 1]], id="a fourth of the paths in common"),
        pytest.param("ABCD CDEF ABEF", 0.2, [[0, 1], [2]], id="equal gains: the lowest numbers are merged first"),
    ],
)
def test_clusters(letters: str, min_jaccard: float, clusters: list[list[int]]) -> None:
    assert agglomerate(UnitCosts(documents(letters)), min_jaccard) == clusters


def test_the_jaccard_estimate() -> None:
    pair = EstimatedCosts([as_paths(range(45)), as_paths(range(15, 60))], 512)
    assert pair.jaccard(0, np.array([0, 1])).tolist() == pytest.approx([1.0, 0.5], abs=0.06)


def thirty_pages(seed: int) -> list[PathHashes]:
    """Return documents of layouts ``n % 3``, with some paths in all layouts and some in single documents."""
    random = Random(seed)
    return [
        as_paths(
            [*range(20)]
            + [1000 * (number % 3 + 1) + path for path in range(80) if random.random() < 0.9]
            + [10_000 + random.randrange(200) for _ in range(20)]
        )
        for number in range(30)
    ]


@pytest.mark.parametrize(
    ("pages", "clusters"),
    [
        pytest.param(documents(EXAMPLE), BEST, id="the micro-example"),
        pytest.param(thirty_pages(1), [[*range(layout, 30, 3)] for layout in range(3)], id="three layouts"),
    ],
)
def test_clusters_by_estimated_costs(pages: list[PathHashes], clusters: list[list[int]]) -> None:
    assert agglomerate(EstimatedCosts(pages)) == clusters
    assert agglomerate(EstimatedCosts(pages), nearest=True) == clusters

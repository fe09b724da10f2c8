"""Tests of the computing parts of the visual benchmark."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.visual import (
    WAYS,
    Figures,
    RenderedPage,
    best_cluster,
    load,
    main,
    mean,
    measure,
    measure_sizes,
    ratio,
)
from scrapy_stemmer.learners.literature.visual.learner import ClusterScore, ngram_terms

TOPICS = ("storm", "election", "museum", "harvest")


def row(topic: str, path: str = "p", color: str = "red") -> dict[str, object]:
    """Return a page of the set: two paragraphs, a footer, and the referee's text."""
    paragraphs = [f"The {topic} of Monday.", f"After the {topic} there was {topic} again."]
    look = {"computed": {"color": color}, "bound": {"width": 700}}
    return {
        "site": "npr",
        "url": f"http://ex.com/{topic}",
        "titles": [topic.title()],
        "descriptions": [],
        "gold": " ".join(paragraphs),
        "texts": [{"text": [text], "path": ["div", path], **look} for text in paragraphs]
        + [{"text": ["Copyright"], "path": ["div", "p"], "computed": {}, "bound": {"width": 700}}],
    }


PAGES = [RenderedPage.of(row(topic)) for topic in TOPICS]


@pytest.mark.parametrize(
    ("found", "gold", "expected"),
    [
        pytest.param("a b c", "a b c", 1.0, id="alike"),
        pytest.param("a, b - c!", "a b c", 1.0, id="punctuation"),
        pytest.param("a b", "a b c d", 2 * 2 / 6, id="half of it"),
        pytest.param("b a", "a b", 0.5, id="order counts"),
        pytest.param("x", "a", 0.0, id="nothing"),
    ],
)
def test_ratio(found: str, gold: str, expected: float) -> None:
    assert ratio(found, gold) == pytest.approx(expected)


def test_the_best_cluster_must_be_on_half_of_the_pages() -> None:
    scores = {1: ClusterScore(900.0, 1.0, 1), 2: ClusterScore(50.0, 1.0, 2), 3: ClusterScore(10.0, 1.0, 4)}
    assert best_cluster(scores, 4) == 2
    assert best_cluster(scores, 5) == 3
    assert best_cluster({}, 5) is None


def test_a_perfect_site() -> None:
    assert measure(PAGES, ngram_terms()) == Figures(100.0, 100.0)


def test_pages_that_the_best_cluster_misses() -> None:
    other = RenderedPage.of(row("orchard", path="section"))
    figures = measure([*PAGES, other], ngram_terms())
    assert figures.left_out == pytest.approx(100.0)
    assert figures.as_zero == pytest.approx(80.0)


def test_nothing_found() -> None:
    same = [RenderedPage.of(row("storm"))] * 3
    assert measure(same, ngram_terms()) == Figures(0.0, 0.0)


def test_ways_of_clustering() -> None:
    looks, paths, styles = ([page.reshaped(by) for page in PAGES] for by in WAYS.values())
    assert len({shape for page in looks for shape, _ in page.texts}) == 2
    assert {shape.path for page in paths for shape, _ in page.texts} == {"div/p"}
    assert {shape.style for page in paths for shape, _ in page.texts} == {""}
    assert {shape.path for page in styles for shape, _ in page.texts} == {""}


def test_each_size_of_sample() -> None:
    figures = measure_sizes(PAGES, ngram_terms())
    assert len(figures) == 3
    assert mean(figures) == Figures(100.0, 100.0)


def test_a_set_from_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "npr.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row(topic)) + "\n" for topic in TOPICS)
    assert load(path) == ("npr", PAGES)
    main([str(path), "--sizes"])
    printed = capsys.readouterr().out
    assert "99.5" in printed
    assert "path alone" in printed
    assert "2:100.0 3:100.0 4:100.0" in printed

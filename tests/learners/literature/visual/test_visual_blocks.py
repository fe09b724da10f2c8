"""Blocks by their looks, and their clusters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.literature.visual.learner import (
    EPSILON,
    Block,
    BlockShape,
    clusters_of,
    visual_blocks,
)
from scrapy_stemmer.page.document import parse
from tests.rendered import marked

STYLES = ("", "color: red", "color: red; font-size: 12px", "color: blue", "font-size: 12px")

SHAPES = st.lists(
    st.builds(
        BlockShape,
        path=st.sampled_from(("div", "div/p", "")),
        style=st.sampled_from(STYLES),
        width=st.one_of(st.integers(0, 12), st.integers(0, 1600)),
    ),
    min_size=1,
    max_size=40,
)


def features(shapes: Sequence[BlockShape]) -> np.ndarray:
    """The vectors of the paper's program, standardised: width, and a column for each property's value and path."""
    columns: list[list[float]] = [[shape.width for shape in shapes]]
    columns += [[shape.path == path for shape in shapes] for path in sorted({shape.path for shape in shapes})]
    declared = [shape.style.split("; ") for shape in shapes]
    columns += [[value in of for of in declared] for value in sorted({v for of in declared for v in of if v})]
    matrix = np.array(columns, float).T
    deviations = matrix.std(axis=0)
    return (matrix - matrix.mean(axis=0)) / np.where(deviations > 0, deviations, 1)


def dbscan(vectors: np.ndarray) -> list[int]:
    """Return the clusters of the DBSCAN paper for ``min_samples=1``: every point is a core point."""
    labels = [-1] * len(vectors)
    for start in range(len(vectors)):
        if labels[start] < 0:
            number = max(labels) + 1
            waiting = [start]
            while waiting:
                point = waiting.pop()
                if labels[point] < 0:
                    labels[point] = number
                    near = np.linalg.norm(vectors - vectors[point], axis=1) <= EPSILON
                    waiting.extend(np.flatnonzero(near).tolist())
    return labels


def partition(labels: Sequence[int]) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(np.array(labels) == label).tolist()) for label in set(labels)}


@given(SHAPES)
def test_clusters_are_those_of_dbscan(shapes: list[BlockShape]) -> None:
    """Any different property separates clusters, as does any step of widths over half a deviation."""
    clusters = clusters_of(Counter(shapes))
    widths = sorted({shape.width for shape in shapes})
    deviation = np.std([shape.width for shape in shapes]) or 1.0
    steps = {(b - a) / deviation for a in widths for b in widths}
    if not any(abs(step - EPSILON) < 1e-9 for step in steps):  # there, rounding decides
        assert partition([clusters[shape] for shape in shapes]) == partition(dbscan(features(shapes)))


def test_chains_of_widths_are_one_cluster() -> None:
    shapes = {BlockShape("p", "", width): 1 for width in range(0, 1000, 100)}
    assert set(clusters_of(shapes).values()) == {0}


def test_clusters_are_numbered_whatever_the_order() -> None:
    shapes = [
        BlockShape("p", "", 10),
        BlockShape("h1", "", 500),
        BlockShape("p", "color: red", 10),
        BlockShape("p", "", 900),
    ]
    expected = {shapes[1]: 0, shapes[0]: 1, shapes[3]: 2, shapes[2]: 3}
    assert clusters_of(dict.fromkeys(shapes, 1)) == expected
    assert clusters_of(dict.fromkeys(reversed(shapes), 1)) == expected
    assert clusters_of({}) == {}


def blocks(page: str) -> list[Block]:
    return visual_blocks(parse(page))


def tag_of(block: Block) -> str:
    return str(block.selector).split(" > ")[-1]


def found(page: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(tag_of(block), block.texts) for block in blocks(page)]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        pytest.param("<p>one<p>two", [("p", ("one",)), ("p", ("two",))], id="paragraphs"),
        pytest.param(
            "<p>a <b>bold <i>slanted</i></b> word</p>",
            [("p", ("a ", "bold ", "slanted", " word"))],
            id="inline elements are part of what holds them",
        ),
        pytest.param("<p>a<br>b</p>", [("p", ("a", "b"))], id="a line break does not part"),
        pytest.param("<div>a<p>b</p>c</div>", [("div", ("a", "c")), ("p", ("b",))], id="text around a block"),
        pytest.param("<div><a href=/>x</a></div>", [("div", ("x",))], id="a link is inline"),
        pytest.param("<div> \n<p>&nbsp;</p></div>", [], id="white space"),
        pytest.param(
            "<div><script>s</script><style>s</style><noscript>n</noscript><template>t</template></div>",
            [],
            id="what is never on the screen",
        ),
        pytest.param("<div><script>s</script>tail</div>", [("div", ("tail",))], id="text after it"),
        pytest.param("<div>a<!-- comment -->b</div>", [("div", ("ab",))], id="comments"),
        pytest.param("<x-card>own</x-card>", [("x-card", ("own",))], id="custom elements are blocks"),
    ],
)
def test_blocks_without_a_browser(page: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert found(page) == expected


def test_links_are_counted() -> None:
    menu, text = blocks("<ul><li><a>Home</a> <a>News</a></li></ul><p>More <a>here</a></p>")
    assert (menu.link_chars, text.link_chars) == (8, 4)


class TestRendered:
    """With the marks of a browser."""

    PAGE = marked(
        "<div><p {0}>Heavy <b>rain</b></p><span {1}>shown as a block</span><p {hidden}>gone <i {hidden}>too</i></p>"
        "<section>belongs <p>to</p> no marked element</section></div>",
        (690, {"color": "red", "font-size": "12px"}),
        (300, {}),
    )

    def test_texts_belong_to_the_marked_element_around_them(self) -> None:
        assert found(self.PAGE) == [
            ("p", ("Heavy ", "rain")),
            ("span", ("shown as a block",)),
            ("body", ("belongs ", "to", " no marked element")),
        ]

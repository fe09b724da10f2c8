"""Common parts of the learners of essential paths; ``test_learner_mdl`` and its neighbour check clustering."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page
from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.literature.base import SITE_WIDE
from scrapy_stemmer.learners.literature.text_mdl.learner import (
    PathLearner,
    TextHashLearner,
    TextHashOptions,
    TextMdlLearner,
    TextMdlOptions,
)
from scrapy_stemmer.learners.literature.text_mdl.pattern import EssentialPathPattern
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern
from tests.lettersets import documents
from tests.samplesite import FOOTER, SITE, TOPICS, article, sample

MDL, HASH = TextMdlLearner(), TextHashLearner()

LEARNERS = [
    pytest.param(MDL, id="text_mdl"),
    pytest.param(HASH, id="text_hash"),
    pytest.param(TextHashLearner(TextHashOptions(candidates="nearest")), id="text_hash, nearest"),
]


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


@pytest.mark.parametrize("learner", LEARNERS)
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


def test_layouts_have_names_of_their_own() -> None:
    """The URL was fetched before and after a change of its layout."""
    url = f"https://{SITE}/"
    pages = [Page(url, article(number)) for number in range(3)] + [Page(url, listing(n).html) for n in range(3)]
    patterns = TextMdlLearner().learn(pages)
    assert {pattern.name for pattern in patterns} == {url, f"{url} (2)", SITE_WIDE}
    assert len(codec.loads(codec.dumps(patterns))) == 3


def test_pages_without_a_cluster_have_no_pattern_of_their_own() -> None:
    odd = Page(f"https://{SITE}/odd", "<dl><dt>odd</dt><dd><code>one</code></dd></dl>")
    assert odd.url not in layouts(TextMdlLearner().learn([*sample(3), odd]))


def test_repeated_texts_are_template_wherever_their_pages_are() -> None:
    pages = [*sample(4)]
    for number in (0, 1):
        html = article(number).replace("</h1>", "</h1><p>Subscribe to our letter</p>")
        pages[number] = Page(pages[number].url, html)
    faithful = layouts(TextMdlLearner().learn(pages))[SITE_WIDE]
    repeating = layouts(TextMdlLearner(TextMdlOptions(repeated_pages=2)).learn(pages))[SITE_WIDE]
    assert faithful.repeated == ()
    assert [path.example for path in repeating.repeated] == ["Subscribe to our letter"]


@pytest.mark.parametrize(
    ("words", "learner", "clusters", "other", "other_clusters"),
    [
        pytest.param("AH CH CEF", MDL, [[0, 1], [2]], HASH, [[0], [1, 2]], id="exact or estimated"),
        pytest.param(
            "CE CH EF", MDL, [[0, 1], [2]], TextMdlLearner(TextMdlOptions(min_jaccard=0.5)), [[0], [1], [2]], id="least"
        ),
        pytest.param(
            "CE CH EF",
            HASH,
            [[0, 1], [2]],
            TextHashLearner(TextHashOptions(min_jaccard=0.5)),
            [[0], [1], [2]],
            id="least, estimated",
        ),
        pytest.param(
            "AF BDH DG",
            HASH,
            [[0], [1, 2]],
            TextHashLearner(TextHashOptions(signature_length=8)),
            [[0], [1], [2]],
            id="signature",
        ),
        pytest.param(
            "GH CEG ACH",
            HASH,
            [[0], [1, 2]],
            TextHashLearner(TextHashOptions(candidates="nearest")),
            [[0, 1], [2]],
            id="candidates",
        ),
    ],
)
def test_where_clusters_depend_on_the_learner_and_its_options(
    words: str, learner: PathLearner, clusters: list[list[int]], other: PathLearner, other_clusters: list[list[int]]
) -> None:
    """Clear layouts give equal patterns by any learner; pages between layouts do not."""
    assert learner.cluster(documents(words), 0) == clusters
    assert other.cluster(documents(words), 0) == other_clusters


def test_one_page_repeats_nothing() -> None:
    with pytest.raises(LearnerError, match="not 1"):
        TextMdlOptions(repeated_pages=1)


def test_the_score_is_what_the_cluster_saves() -> None:
    """Two pages with a template of five element paths cost five units, not ten."""
    pages = [Page(f"https://{SITE}/{n}", f"<html><body><ul><li><p>{n}</p></li></ul></body></html>") for n in "ab"]
    assert {pattern.score for pattern in TextMdlLearner().learn(pages)} == {5.0}

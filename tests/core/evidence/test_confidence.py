"""How sure it is that a page was stripped well."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrapy_stemmer.core.evidence.confidence import CONFIDENCE, ConfidenceWeights, confidence_of
from scrapy_stemmer.core.evidence.decision import decide
from scrapy_stemmer.core.evidence.model import SiteModel
from tests.core.evidence.made import ARTICLE, TOPICS, prose, reading, site, story


def confidence(html: str, model: SiteModel, similarity: float = 1.0, weights: ConfidenceWeights = CONFIDENCE) -> float:
    found = reading(html, model)
    return confidence_of(found, decide(found, model), model, similarity, weights)


def long(topic: str, inside: str = "", extra: str = "") -> str:
    """An article of twelve paragraphs."""
    more = "".join(f"<p>{prose(topic, number)}</p>" for number in range(4, 12))
    return story(topic, inside=inside + more, extra=extra)


LONG = site([long(topic) for topic in TOPICS])


def test_a_plain_article_of_a_known_site_is_sure() -> None:
    assert 0.9 < confidence(long("festival"), LONG) < 1.0


def test_a_page_without_text_is_not() -> None:
    assert confidence("<body></body>", LONG) == 0.0
    assert confidence("<body><nav><a href=/>Home</a></nav></body>", LONG) == 0.0


@pytest.mark.parametrize(
    ("html", "similarity"),
    [
        pytest.param(story("festival"), 1.0, id="little text"),
        pytest.param(long("festival"), 0.6, id="other elements"),
        pytest.param(long("festival", inside=f"<aside>{prose('rain', 1)}</aside>"), 1.0, id="text left out"),
        pytest.param(long("festival", inside="".join(f"<h2>Day {'i' * n}</h2>" for n in range(20))), 1.0, id="short"),
        pytest.param(long("festival").replace("<p>", "<aside>rain</aside><p>"), 1.0, id="in pieces"),
    ],
)
def test_what_makes_it_less_sure(html: str, similarity: float) -> None:
    assert confidence(html, LONG, similarity) < confidence(long("festival"), LONG)


def test_most_of_all_a_page_unlike_all_that_was_learned() -> None:
    assert confidence(long("festival"), LONG, 0.4) < 0.5 < confidence(long("festival"), LONG, 0.6)


def test_fewer_pages_are_less_sure_a_single_one_never_very() -> None:
    found = [confidence(long("festival"), site([long(topic) for topic in TOPICS[:count]])) for count in (1, 2, 6)]
    assert found == sorted(found)
    assert found[0] < 0.9


def test_open_pages_are_less_sure() -> None:
    plain = [long(topic).replace(ARTICLE, "") for topic in TOPICS]
    assert confidence(long("festival").replace(ARTICLE, ""), site(plain)) < confidence(long("festival"), LONG)


def test_a_region_that_few_pages_voted_for_is_less_sure() -> None:
    split = replace(LONG, votes={path: vote / 2 for path, vote in LONG.votes.items()})
    assert confidence(long("festival"), split) < confidence(long("festival"), LONG)


def test_repeated_text_is_less_sure() -> None:
    model = site([long(topic, inside=f"<p>{prose('rain', 1)}</p>") for topic in TOPICS])
    repeated = replace(CONFIDENCE, unsure=0.0, rivals=0.0, pieces=0.0)
    html = long("festival", inside=f"<p>{prose('rain', 1)}</p>")
    assert confidence(html, model, weights=repeated) <= confidence(html, model, weights=replace(repeated, repeated=0.0))


def test_what_stands_outside_the_region_does_not_matter() -> None:
    aside = f"<aside>{prose('rain', 1)}</aside>"
    assert confidence(long("festival", extra=aside), LONG) == confidence(long("festival"), LONG)


def test_all_but_the_best_are_against() -> None:
    weights = {name: getattr(CONFIDENCE, name) for name in ConfidenceWeights.__slots__}
    assert weights.pop("best") > 0
    assert all(weight < 0 for weight in weights.values())

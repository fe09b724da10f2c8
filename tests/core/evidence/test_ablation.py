"""Each kind of evidence can be switched off; then it makes no difference."""

from __future__ import annotations

import pytest

from scrapy_stemmer.core.evidence.ablation import EvidenceKind
from scrapy_stemmer.core.evidence.decision import Verdict, decide
from scrapy_stemmer.core.evidence.learning import learn_site
from scrapy_stemmer.core.evidence.model import SiteModel
from tests.core.evidence.made import ARTICLE, TOPICS, outline, prose, reading, site, story


def without(kind: EvidenceKind, htmls: list[str] | None = None) -> SiteModel:
    pages = htmls or [story(topic) for topic in TOPICS]
    return learn_site([outline(page) for page in pages], frozenset({kind}))


def verdict(html: str, model: SiteModel) -> Verdict:
    return decide(reading(html, model), model)


def scores(html: str, model: SiteModel) -> list[float]:
    return [decision.score for decision in verdict(html, model).decisions]


AMID = f"<{{0}}>{prose('rain', 1)}</{{1}}>"

CASES = {
    EvidenceKind.LINKS: (AMID.format("div", "div"), AMID.format("div><a href=/x", "a></div")),
    EvidenceKind.NAMES: (AMID.format("div", "div"), AMID.format("div class=caption", "div")),
    EvidenceKind.ELEMENTS: (AMID.format("div", "div"), AMID.format("aside", "aside")),
    EvidenceKind.METADATA: ("<p>x</p>", f"{ARTICLE}<p>x</p>"),
}
"""Markup within an article that says something of that kind, and markup without."""


@pytest.mark.parametrize("kind", CASES)
def test_what_is_switched_off_makes_no_difference(kind: EvidenceKind) -> None:
    plain, telling = (story("festival", inside=markup) for markup in CASES[kind])
    plain = plain.replace(ARTICLE, "") if kind is EvidenceKind.METADATA else plain
    off = without(kind)
    assert scores(plain, off) == scores(telling, off)
    pages = [story(topic) for topic in TOPICS]
    mixed = site([*pages[:4], *(page.replace(ARTICLE, "") for page in pages[4:])])
    on = mixed if kind is EvidenceKind.METADATA else site()
    assert scores(plain, on) != scores(telling, on)


def test_repetition() -> None:
    pages = [story(topic, inside=f"<p>{prose('rain', 1)}</p>") for topic in TOPICS]
    new = [story("festival", inside=f"<p>{prose(topic, 1)}</p>") for topic in ("rain", "snow")]
    assert len({tuple(scores(html, without(EvidenceKind.REPETITION, pages))) for html in new}) == 1
    assert len({tuple(scores(html, site(pages))) for html in new}) == 2
    terms = [
        term
        for decision in verdict(new[0], without(EvidenceKind.REPETITION, pages)).decisions
        for term in decision.terms
    ]
    assert not {name for name, _ in terms} & {"repeated", "among repeated text"}


def test_classes() -> None:
    model = without(EvidenceKind.CLASSES)
    found = reading(story("festival"), model)
    assert {one.profile.worth for one in found.evidence} == {None}
    standings = [decide(found, model).around.standings.of(place) for place in found.places]
    assert all(not standing.link and not standing.static for standing in standings)


def test_region_and_running_text() -> None:
    for kind, name in ((EvidenceKind.REGION, "outside the region"), (EvidenceKind.RUNNING_TEXT, "running text")):
        on, off = (verdict(story("festival"), model) for model in (site(), without(kind)))
        assert any(term[0] == name for decision in on.decisions for term in decision.terms)
        assert not any(term[0] == name for decision in off.decisions for term in decision.terms)


@pytest.mark.parametrize("kind", EvidenceKind)
def test_the_rest_still_strips_a_plain_article(kind: EvidenceKind) -> None:
    model = without(kind)
    found = reading(story("festival"), model)
    kept = [
        one.block.text
        for one, decision in zip(found.evidence, decide(found, model).decisions, strict=True)
        if decision.score > 0 and one.tag != "h1"
    ]
    assert set(kept) >= {prose("festival", number) for number in range(4)}


def test_nothing_is_switched_off_by_default() -> None:
    assert site().without == frozenset()

"""Choice of clusters with a page's own text, on the micro-example of algorithms §6.3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log

import pytest

from scrapy_stemmer.learners.literature.visual.learner import (
    ClusterScore,
    PageTerms,
    cluster_scores,
    idf_of,
    is_english,
    ngram_terms,
    page_hints,
    page_scores,
)
from scrapy_stemmer.page.document import parse

LANGUAGES = {
    "German": "Die Stadt hat am Montag beschlossen, dass die alte Brücke im nächsten Jahr neu gebaut wird. Was das "
    "kostet, war noch nicht zu erfahren, also wird man warten müssen.",
    "French": "La ville a décidé lundi que le vieux pont sera reconstruit l'an prochain. On ne sait pas encore ce que "
    "cela va coûter, il faudra donc attendre.",
    "Spanish": "La ciudad decidió el lunes que el viejo puente se reconstruirá el próximo año. No se sabe todavía "
    "cuánto va a costar, así que habrá que esperar.",
    "Dutch": "De stad heeft maandag besloten dat de oude brug volgend jaar opnieuw wordt gebouwd. Wat dat kost was nog "
    "niet bekend, dus we moeten er op wachten.",
    "Japanese": "市は月曜日、古い橋を来年建て替えることを決めた。",
    "Russian": "Город решил в понедельник, что старый мост будет перестроен в следующем году.",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", {}, id="empty"),
        pytest.param("… — !", {}, id="no words"),
        pytest.param("Rain", {"rain": 1}, id="a word of four"),
        pytest.param("ox", {"ox": 1}, id="a shorter word"),
        pytest.param("rains rains", {"rain": 2, "ains": 2}, id="overlapping grams"),
        pytest.param("a_b", {"a": 1, "b": 1}, id="an underscore separates"),
        pytest.param("日本語", {"日本": 1, "本語": 1}, id="bigrams where words are not separated"),
        pytest.param("日", {"日": 1}, id="a single character"),
        pytest.param("NHK日本", {"nhk": 1, "日本": 1}, id="scripts are apart"),
        pytest.param("мосты", {"мост": 1, "осты": 1}, id="any alphabet"),
    ],
)
def test_ngram_terms(text: str, expected: dict[str, int]) -> None:
    assert ngram_terms()(text) == expected


def test_english_is_told_by_its_stop_words() -> None:
    assert is_english(["The city has decided on Monday that the old bridge will be built anew next year."])
    assert not is_english([])
    assert not is_english(["2024 12:30"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_languages_are_not_english(language: str) -> None:
    assert not is_english([LANGUAGES[language]])


# Choice of clusters with a page's own text, on the micro-example of algorithms §6.3

LN2 = log(2)


def counted(text: str) -> Counter[str]:
    return Counter(text.split())


def site(*pages: tuple[str, Sequence[tuple[int, str]]]) -> list[PageTerms]:
    """Return pages as hints and blocks, each block with its cluster."""
    return [
        PageTerms.of([(cluster, counted(text)) for cluster, text in blocks], counted(hints)) for hints, blocks in pages
    ]


TEXT, SHARE = 0, 1

MICRO = (
    ("alpha storm", [(TEXT, "alpha storm"), (TEXT, "alpha rain"), (SHARE, "share")]),
    ("bravo cup", [(TEXT, "bravo cup final"), (SHARE, "share")]),
)


class TestMicroExample:
    """Algorithms §6.3."""

    def test_the_page_score_is_relevance_times_coherence(self) -> None:
        """(4 ln 2 + 2 ln 2) · 4 ln 2 = 24 (ln 2)²."""
        pages = site(*MICRO)
        score = page_scores(pages[0], idf_of(pages))[TEXT]
        assert score == pytest.approx(24 * LN2**2)
        assert round(score, 3) == 11.531

    def test_what_is_on_every_page_is_dropped(self) -> None:
        pages = site(*MICRO)
        mean = (24 * LN2**2 + 4 * LN2) / 2
        assert cluster_scores(pages) == {
            TEXT: ClusterScore(pytest.approx(mean), 1.0, 2)  # type: ignore[arg-type]
        }


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("<title> Storm\n hits </title>", ["Storm hits"], id="title"),
        pytest.param('<meta name="Description" content="Rain.">', ["Rain."], id="description, any case"),
        pytest.param(
            '<meta property="og:title" content="A"><meta name="twitter:description" content="B">',
            ["A", "B"],
            id="Open Graph and Twitter",
        ),
        pytest.param('<title>A</title><meta property="og:title" content="A">', ["A", "A"], id="repeats count"),
        pytest.param('<meta name="description"><meta name="description" content=" ">', [], id="empty ones"),
        pytest.param('<meta name="keywords" content="rain">', [], id="other metadata"),
        pytest.param("<svg><title>A drawing</title></svg>", [], id="the title of a drawing"),
    ],
)
def test_hints(head: str, expected: list[str]) -> None:
    assert page_hints(parse(f"<html><head>{head}</head><body><p>text</p></body></html>")) == expected

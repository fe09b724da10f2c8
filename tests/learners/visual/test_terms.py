"""Texts as counted terms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.visual import terms
from scrapy_stemmer.learners.visual.terms import english_terms, has_stemmer, is_english, ngram_terms

needs_stemmer = pytest.mark.skipif(not has_stemmer(), reason="snowballstemmer (extra `visual`) is not installed")

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


@needs_stemmer
def test_stop_words_of_one_s_own() -> None:
    assert english_terms(["storms"])("The storm came there") == {"the": 1, "came": 1, "there": 1}


@needs_stemmer
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", {}, id="empty"),
        pytest.param("Storms storm stormed", {"storm": 3}, id="stemmed and counted, capitals or not"),
        pytest.param("the of is doing", {}, id="stop words"),
        pytest.param("go up ox", {}, id="shorter than three letters"),
        pytest.param("a" * 25, {"a" * 25: 1}, id="25 letters"),
        pytest.param("a" * 26, {}, id="26 letters are no word"),
        pytest.param("rain-fall2rain", {"rain": 2, "fall": 1}, id="all but letters separates"),
        pytest.param("relational conditional ponies", {"relat": 1, "condit": 1, "poni": 1}, id="after Porter"),
    ],
)
def test_english_terms(text: str, expected: dict[str, int]) -> None:
    assert english_terms()(text) == expected


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


def test_ngrams_serve_as_stems() -> None:
    count = ngram_terms()
    assert count("Brücken") & count("Brückenbau")
    assert not count("Brücken") & count("Straße")


@given(st.text(max_size=50))
def test_ngrams_of_any_text(text: str) -> None:
    assert all(0 < len(term) <= terms.GRAM for term in ngram_terms()(text))


def test_english_is_told_by_its_stop_words() -> None:
    assert is_english(["The city has decided on Monday that the old bridge will be built anew next year."])
    assert not is_english([])
    assert not is_english(["2024 12:30"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_languages_are_not_english(language: str) -> None:
    assert not is_english([LANGUAGES[language]])


def test_a_stemmer_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms, "STEMMER", "no_such_package_of_stemmers")
    assert not has_stemmer()
    with pytest.raises(ModuleNotFoundError):
        english_terms()

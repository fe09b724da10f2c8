"""Names in bylines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.fields.names import MAX_AUTHORS, MAX_NAME_CHARS, announces, by_in, is_role, looks_personal, names_in


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("By Ann Lee", ("Ann Lee",)),
        ("Written by Ann Lee, Bo Ek on 4 May 2024", ("Ann Lee", "Bo Ek")),
        ("By Ann Lee and Bo Ek", ("Ann Lee", "Bo Ek")),
        ("By Ann Lee And Bo Ek", ("Ann Lee", "Bo Ek")),
        ("BY ANN LEE, BO EK AND ANA LIM", ("ANN LEE", "BO EK", "ANA LIM")),
        ("Por Ana Ruiz y Luis Gil", ("Ana Ruiz", "Luis Gil")),
        ("Por Ana y Luis", ("Ana", "Luis")),
        ("Por Ana Ruiz y EFE", ("Ana Ruiz",)),
        ("Por Ana Ruiz, José Gil y Paz", ("Ana Ruiz", "José Gil", "Paz")),
        ("Octavio Paz, May 1, 2024", ("Octavio Paz",)),
        ("Amartya Sen 5 min read", ("Amartya Sen",)),
        ("Theresa May 1 May 2024", ("Theresa May",)),
        ("By Ann Lee June 1, 2024", ("Ann Lee",)),
        ("By Ann Lee Wed., May 1, 2024", ("Ann Lee",)),
        ("Ann Lee March 4", ("Ann Lee",)),
        ("BY ANN LEE, BBC", ("ANN LEE",)),
        ("von Ann Lee | 4. Mai 2024", ("Ann Lee",)),
        ("Par Zoé Müller et Bo Ek", ("Zoé Müller", "Bo Ek")),
        ("Posted by 木下修司 on 2006年02月05日 21:55", ("木下修司",)),
        ("Author: Ann Lee", ("Ann Lee",)),
        ("Autor: Von Trier", ("Von Trier",)),
        ("4 May 2024 by Ann Lee", ("Ann Lee",)),
        ("By Ann Lee, Staff Writer", ("Ann Lee",)),
        ("Ann Lee | Reuters", ("Ann Lee",)),
        ("Propos recueillis par Ann Lee", ("Ann Lee",)),
        ("Ann Lee, Bo Ek, Cy Orr, and Di Fox", ("Ann Lee", "Bo Ek", "Cy Orr", "Di Fox")),
        ("来源：新华网 作者：张伟 2024-05-04 10:20", ("张伟",)),
        ("By Ann Lee, Jr.", ("Ann Lee Jr.",)),
        ("By Dr. Ann Mary Lee Jr. and Bo Ek Sr.", ("Dr. Ann Mary Lee Jr.", "Bo Ek Sr.")),
        ("By Ann Lee Ph.D.", ("Ann Lee Ph.D.",)),
        ("By Ann Lee.", ("Ann Lee",)),
        ("By Ann van der Meer", ("Ann van der Meer",)),
        ("By Ann Lee is a writer who lives here", ("Ann Lee",)),
        ("· Ann Lee", ("Ann Lee",)),
        ("4 May 2024 - 12:30", ()),
        (": Ann Lee <ann@a.example>", ("Ann Lee",)),
        ("投稿者: Ann Lee 投稿日: 2024-05-04", ("Ann Lee",)),
        ("Text: Ann Lee, Foto: Bo Ek", ("Ann Lee",)),
        ("By Institute of Groundwater", ("Institute of Groundwater",)),
        ("By Ann Lee Special to the Example", ("Ann Lee",)),
        ("By Robert (Bob) Smith (AFP)", ("Robert (Bob) Smith",)),
        ("Ann Lee (Reuters) Berlin", ("Ann Lee",)),
        ("Staff reporter", ("Staff reporter",)),
        ("By Ana de Sá João Luis Paz Gil Salvador", ("Ana de Sá João Luis Paz Gil Salvador",)),
        ("文・山田太郎", ("山田太郎",)),
        ("By 山田太郎 yamada@a.example", ("山田太郎",)),
        ("With Ann Lee and Bo Ek", ()),
        ("Hosted by Ann Lee", ()),
        ("$parentWriter", ()),
        ("By Ann May", ("Ann May",)),
        ("marc206", ("marc206",)),
        ("Posted by", ()),
        ("4 May 2024", ()),
        ("May 2024", ()),
        ("92 comments", ()),
        ("https://a.example/ann", ()),
        ("[ date ]", ()),
        ("Facebook", ()),
        ("", ()),
    ],
)
def test_names_of_a_byline(text: str, names: tuple[str, ...]) -> None:
    assert names_in(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann Lee, Bo Ek", ("Ann Lee", "Bo Ek")),
        ("Ann Lee @annlee", ("Ann Lee",)),
        ("By Ann Lee", ("Ann Lee",)),
        ("THE ASSOCIATED PRESS", ("THE ASSOCIATED PRESS",)),
        ("ann lee; Ann Lee", ("ann lee",)),
        ("www.a.example", ()),
        ("Edited by Ann Lee", ()),
        ("Stand by Me", ("Stand by Me",)),
        ("This is a whole sentence. It says who wrote nothing at all.", ()),
        ("a name that is far too long for anybody who was ever born, on this planet or elsewhere", ()),
    ],
)
def test_names_as_programs_write_them(text: str, names: tuple[str, ...]) -> None:
    assert names_in(text, is_whole=True) == names


@pytest.mark.parametrize(
    "text",
    [
        # labels of dates
        "Updated March 4, 2025", "Updated on March 4, 2025", "Updated Tue, Mar 4, 2025", "Last modified March 4, 2025",
        "Aktualisiert am 4. März 2025", "Mis à jour le 4 mars 2025", "Publicado el 4 de marzo de 2025",
        # words of sections
        "Advertisement", "Opinion", "Live", "Exclusive", "Sponsored content", "Breaking News",
        # the start of a sentence
        "From our correspondent", "As told to Ann Lee", "Special to the Heron", "Markets fell on Monday",
        "Paris in May", "Bridge 25 opens", "Editor's note: this has changed.",
        "London has seen nothing like it since 1887, said Bo Ek.",
        "Ann Lee and her brother walked along the river on Sunday.",
        "Ann Lee " + "walked along the river and through the town " * 3,
    ],
)  # fmt: skip
def test_the_first_words_of_a_text_that_goes_on_are_no_name(text: str) -> None:
    assert names_in(text) == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann Lee in Paris", ("Ann Lee",)),
        ("Ann Lee for The Heron.", ("Ann Lee",)),
        ("Till Ek 4. Mai 2024", ("Till Ek",)),
        ("Ann Lee and agencies", ("Ann Lee",)),
        ("Mo, staff writer", ("Mo",)),
        ("Mo, Bo Ek in Paris", ("Mo", "Bo Ek")),
        ("By Mo in Paris", ("Mo",)),
        ("Mo on March 4, 2025", ("Mo",)),
        ("Mo says:", ("Mo",)),
        ("Mo wrote on Tuesday", ("Mo",)),
        ("mo", ("mo",)),
        ("Heron Team", ("Heron Team",)),
        ("山田太郎 12:30", ("山田太郎",)),
        ("ანა ლი, 12:30", ("ანა ლი",)),
    ],
)
def test_names_before_words_in_lower_case(text: str, names: tuple[str, ...]) -> None:
    assert names_in(text) == names


@given(st.text(max_size=200), st.booleans())
def test_any_text_is_read(text: str, is_whole: bool) -> None:
    names = names_in(text, is_whole=is_whole)
    assert len(names) <= MAX_AUTHORS
    assert all(0 < len(name) <= MAX_NAME_CHARS for name in names)


def test_what_comes_before_names() -> None:
    assert [announces(text) for text in ("Posted by", "Reported by:", "Author:", "geschrieben von")] == [True] * 4
    others = ("Standby", "Ann Lee", "", "by the way", "Superseded by", "Manuale di")
    assert not any(map(announces, others))


@pytest.mark.parametrize("text", ["Specified by: Ann", "Manuale di Ann Lee", "9.3 Impostare nomi di Ann", "CC BY 4.0"])
def test_a_word_for_by_within_a_sentence_says_nothing(text: str) -> None:
    assert by_in(text) is None


def test_what_a_name_looks_like() -> None:
    assert [looks_personal(text) for text in ("Ann Lee", "Ann van der Meer", "Zoé O'Hara")] == [True] * 3
    assert [looks_personal(text) for text in ("Ann", "read more here", "Page 1 Of", "Rock & Roll Band")] == [False] * 4
    assert is_role("Guardian staff reporter")
    assert not is_role("Ann Lee")


@pytest.mark.parametrize(
    "name",
    [
        "Ahmed el-Sayed", "Ali al-Hassan", "Jean d'Ormesson", "Jean d\u2019Ormesson", "Marie de la Cruz",
        "Jan van der Berg", "Jan van den Berg", "John le Carr\u00e9", "Juan del R\u00edo", "Omar ibn Said",
        "van der Berg", "Bo ter Horst",
    ],
)  # fmt: skip
def test_small_particles_belong_to_a_name(name: str) -> None:
    assert names_in(name) == names_in(f"By {name}") == names_in(f"By {name}, 5 May 2024") == (name,)
    assert looks_personal(name)


@pytest.mark.parametrize(
    "text", ["Par Ana Roy le Lundi 5 mai", "Par Ana Roy le 5 mai", "Par Ana Roy e-mail", "Ana Roy den 5. Mai"]
)
def test_a_word_before_a_day_is_no_particle(text: str) -> None:
    assert names_in(text) == ("Ana Roy",)


@pytest.mark.parametrize("name", ["José Ortega y Gasset", "Artur da Costa e Silva", "Joan Puig i Cadafalch"])
def test_two_surnames_are_of_one_name(name: str) -> None:
    assert names_in(f"By {name}") == names_in(name) == names_in(name, is_whole=True) == (name,)

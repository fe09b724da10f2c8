"""The texts of a sample: a dictionary in pure Python, a table where it is compiled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.core.evidence import texts as module
from scrapy_stemmer.core.evidence.texts import KnownTexts, known_texts

ALL = 2**64 - 1

HASHES = st.one_of(
    st.integers(0, ALL),
    # Those that begin their search in the same place, or in the last one.
    st.integers(0, 15).map(lambda number: number << 60),
    st.integers(0, 30).map(lambda number: ALL ^ number),
    st.integers(0, 9),
)

MODULES = [
    pytest.param(False, id="pure"),
    pytest.param(True, id="compiled", marks=pytest.mark.skipif(module._texts is None, reason="no C compiler")),
]


@pytest.fixture(params=MODULES)
def compiled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """With the table and without, where there is one."""
    if not request.param:
        monkeypatch.setattr(module, "_texts", None)
    return bool(request.param)


def test_what_is_told(compiled: bool) -> None:
    """The number of pages of what several have, the page of what one has."""
    known = known_texts({1: 3, ALL: 2}, {2: 0, 0: 7})
    assert (type(known) is KnownTexts) != compiled
    assert [known.told(text) for text in (1, ALL, 2, 0, 3)] == [3, 2, ~0, ~7, 0]


def test_what_several_pages_have_is_no_text_of_one(compiled: bool) -> None:
    assert known_texts({5: 2}, {5: 1}).told(5) == 2


def test_without_texts_nothing_is_told(compiled: bool) -> None:
    known = known_texts({}, {})
    assert not any(known.told(text) for text in (0, 1, ALL))


@pytest.mark.skipif(module._texts is None, reason="no C compiler")
@given(
    st.dictionaries(HASHES, st.integers(1, 10**9), max_size=60),
    st.dictionaries(HASHES, st.integers(0, 10**9), max_size=60),
    st.lists(HASHES, max_size=60),
)
def test_the_table_tells_what_the_dictionary_does(
    repeats: dict[int, int], singles: dict[int, int], others: list[int]
) -> None:
    told = {text: ~page for text, page in singles.items()} | repeats
    known = known_texts(repeats, singles)
    assert {text: known.told(text) for text in told} == told
    assert [known.told(text) for text in others] == [told.get(text, 0) for text in others]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 1000])
def test_there_is_room_for_any_number(count: int, compiled: bool) -> None:
    known = known_texts({}, {text << 50: text for text in range(count)})
    assert [known.told(text << 50) for text in range(count + 1)] == [*(~text for text in range(count)), 0]

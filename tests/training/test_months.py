"""The names of months and days: the shipped file is the script's output for CLDR."""

from __future__ import annotations

import pytest

pytest.importorskip("babel", reason="babel is not installed: pip install --group training")


def test_months_are_those_of_cldr() -> None:
    from scrapy_stemmer.fields.dates import is_of_calendar, month_of
    from training.months import days, months, words_of

    assert {month_of(word) for word in words_of("de")} == set(range(1, 13))
    assert all(
        month_of(word, language) == month for language, words in months().items() for word, month in words.items()
    )
    assert len(set(days().values())) == 7
    assert all(map(is_of_calendar, days()))

"""The line that is logged when the spider is closed."""

from __future__ import annotations

import pytest

from scrapy_stemmer.crawl.stats import summary


@pytest.mark.parametrize(
    ("stats", "told"),
    [
        ({}, ""),
        ({"stemmer/items/matched": 3}, ""),
        ({"stemmer/items/stripped": 1}, "1 item: 1 with text"),
        (
            {"stemmer/items/stripped": 1, "stemmer/items/without_field": 2},
            "3 items: 1 with text; 2 of classes without a field for it",
        ),
        (
            {"stemmer/items/stripped": 3, "stemmer/items/other_kinds": 2},
            "5 items: 3 with text; 2 of kinds that STEMMER_KINDS leaves out",
        ),
        ({"stemmer/items/dropped": 2}, "2 items: 0 with text; 2 dropped"),
        (
            {"stemmer/items/stripped": 1178, "stemmer/reasons/not_html": 1, "stemmer/reasons/empty": 6},
            "1,185 items: 1,178 with text; 7 without: 6 empty, 1 not_html",
        ),
        (
            {
                "stemmer/items/stripped": 2,
                "stemmer/items/fallback": 3,
                "stemmer/items/dropped": 4,
                "stemmer/reasons/unmatched": 1,
            },
            "10 items: 5 with text; 3 of them by STEMMER_FALLBACK; 1 without: 1 unmatched; 4 dropped",
        ),
    ],
)
def test_what_has_come_of_the_items(stats: dict[str, int], told: str) -> None:
    assert summary(stats) == told

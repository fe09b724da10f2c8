"""Leads of articles."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.rules.columns import Signatures
from scrapy_stemmer.learners.rules.leads import MIN_FIRST, leads_in
from scrapy_stemmer.learners.rules.sample_columns import read
from scrapy_stemmer.page.document import parse

LEAD = "The keeper of the lamp has sold his last oil to the ferry."
TEXT = f"<p>{'Kept ' * MIN_FIRST}</p>"


def found(inside: str) -> list[str]:
    signatures = Signatures()
    columns = read(parse(f"<body><h1>Kept title</h1>{inside}</body>")[0], signatures)
    kept = [text.startswith("Kept") for text in columns.texts]
    return [columns.texts[at] for at in leads_in(columns, list(signatures), 0, kept)]


@pytest.mark.parametrize(
    "inside",
    [
        f"<p class=article-lead>{LEAD}</p>{TEXT}",
        f"<header class=intro><div><p>{LEAD}</p></div></header><p>Kept caption</p>{TEXT}",
    ],
)
def test_named_leads_stand_between_title_and_text(inside: str) -> None:
    assert found(inside) == [LEAD]


@pytest.mark.parametrize(
    "inside",
    [
        f"<p class=note>{LEAD}</p>{TEXT}",
        f"{TEXT}<p class=lead>{LEAD}</p>{TEXT}",
        f"<p class=lead>{LEAD}</p>",
        f"<p class=lead><a href=/oil>{LEAD}</a></p>{TEXT}",
        f"<p class=lead>By Ann Lee</p>{TEXT}",
        f"<div class=lead><div><div><div><p>{LEAD}</p></div></div></div></div>{TEXT}",
    ],
)
def test_other_texts_are_no_leads(inside: str) -> None:
    assert found(inside) == []

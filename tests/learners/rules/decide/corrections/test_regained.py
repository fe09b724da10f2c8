"""Text that is regained: leads of articles."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.rules.decide.corrections.regained import MIN_FIRST, leads
from tests.learners.rules.decide.corrections.views import view_of

STANDFIRST = "What the keeper of the lamp has told us on a very long night."
LAMPS = f"<p>{'The lamp burned on. ' * (MIN_FIRST // 10)}</p>"


@pytest.mark.parametrize(
    ("inside", "odds", "is_kept"),
    [
        (f"<p class=standfirst>{STANDFIRST}</p>{LAMPS}", -1.0, True),
        (f"<div class=subtitle><div><p>{STANDFIRST}</p></div></div>{LAMPS}", -1.0, True),
        (f"<p class=standfirst>{STANDFIRST}</p>{LAMPS}", -2.0, False),
        (f"<p>{STANDFIRST}</p>{LAMPS}", -1.0, False),
        (f"{LAMPS}<p class=standfirst>{STANDFIRST}</p>", -1.0, False),
        (f"<p class=standfirst><a href=/a>{STANDFIRST}</a></p>{LAMPS}", -1.0, False),
        ("<p class=standfirst>What the keeper told.</p>" + LAMPS, -1.0, False),
    ],
)
def test_leads(inside: str, odds: float, *, is_kept: bool) -> None:
    view = view_of(f"<h1>The lamp</h1>{inside}", lambda text: 3.0 if text.startswith("The lamp") else odds)
    assert len(leads(view)) == is_kept

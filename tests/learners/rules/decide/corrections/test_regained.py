"""Text that is regained: names of the entries of lists, and leads of articles."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.rules.decide.corrections.regained import (
    LEAST_ALONE,
    MAX_BESIDE,
    MIN_ENTRIES,
    MIN_FIRST,
    leads,
    names,
)
from tests.counting import steps_of
from tests.learners.rules.decide.corrections.views import view_of

NAMES = "oil wicks lamps ropes nets boats".split()


def entry(name: str) -> str:
    teaser = f"What the keeper of the lamp told us about {name} on a long night by the quay."
    return f"<div class=item><h3><a href=/{name}>Lore of {name}</a></h3><p>{teaser}</p><p>4 May</p></div>"


def told(inside: str) -> list[str]:
    view = view_of(inside, lambda text: 3.0 if text.startswith("What") else -1.0)
    return [view.texts[at] for at in names(view)]


def test_names_stand_with_their_teasers() -> None:
    assert told("".join(map(entry, NAMES))) == [f"Lore of {name}" for name in NAMES]


@pytest.mark.parametrize(
    "inside",
    [
        "".join(map(entry, NAMES[: MIN_ENTRIES - 1])),
        "".join(entry("oil") for _ in NAMES),  # one name for all
        f"<p>What {'the keeper said ' * 90}</p>{''.join(map(entry, NAMES))}",  # the list is a small part of the page
    ],
)
def test_names_without_teasers_behind(inside: str) -> None:
    assert told(inside) == []


CONTENTS = "".join(f"<li><a href=/{name}>How the keeper makes {name}</a></li>" for name in NAMES)
LEAD = "<p>All that the keeper knows.</p>"


def alone(inside: str, odds: float = LEAST_ALONE) -> list[str]:
    view = view_of(f"{LEAD}{inside}", lambda text: 3.0 if text.startswith("All") else odds)
    return [view.texts[at] for at in names(view)]


def test_names_are_the_text_of_a_table_of_contents() -> None:
    inside = f"<main><ul>{CONTENTS}</ul></main>"
    assert alone(inside) == [f"How the keeper makes {name}" for name in NAMES]
    assert alone(inside, odds=LEAST_ALONE - 0.1) == []
    assert alone(f"<p>All {'o' * MAX_BESIDE}</p>{inside}") == []  # much other text


@pytest.mark.parametrize(
    "inside",
    [
        f"<div><ul>{CONTENTS}</ul></div>",  # not in the content
        f"<main><aside><ul>{CONTENTS}</ul></aside></main>",
        f"<main><ul class=related>{CONTENTS}</ul></main>",
        f"<main><ul>{''.join('<li><a href=/oil>How the keeper makes oil</a></li>' for _ in NAMES)}</ul></main>",
        f"<main><ul>{CONTENTS.replace('How the keeper makes', '')}</ul></main>",  # short names
        f"<main><ul>{CONTENTS.replace('How the keeper makes', 'All about lamps and')}</ul></main>",  # kept
        "",
    ],
)
def test_names_elsewhere(inside: str) -> None:
    assert alone(inside) == []


def test_names_alone_are_kept_where_all_text_is_unlikely() -> None:
    view = view_of(f"<article><ul>{CONTENTS}</ul></article>", lambda _: -3.0)
    assert len(names(view)) == len(NAMES)


def test_many_entries_take_time_in_proportion() -> None:
    def work(count: int) -> int:
        entries = (f"<li><a href=/{number}>How the keeper makes oil {number}</a></li>" for number in range(count))
        view = view_of(f"{LEAD}<main><ul>{''.join(entries)}</ul></main>", lambda _: LEAST_ALONE)
        return steps_of(lambda: names(view))

    assert work(800) < 6 * work(200)


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

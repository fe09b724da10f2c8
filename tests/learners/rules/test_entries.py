"""Names of a list's entries."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import pytest

from scrapy_stemmer.learners.rules.columns import Columns, Signature, Signatures
from scrapy_stemmer.learners.rules.entries import LEAST_ALONE, MIN_ENTRIES, names_alone, names_of_entries
from scrapy_stemmer.learners.rules.paths import common_names
from scrapy_stemmer.learners.rules.sample_columns import read
from scrapy_stemmer.learners.rules.site import Placer
from scrapy_stemmer.page.document import parse

NAMES = "oil wicks lamps ropes nets boats".split()


def entry(name: str) -> str:
    teaser = f"What the keeper of the lamp told us about {name} on a long night by the quay."
    return f"<div class=item><h3><a href=/{name}>All about {name}</a></h3><p>{teaser}</p><p>4 May</p></div>"


def made(inside: str) -> tuple[Columns, Sequence[int], list[Signature]]:
    signatures = Signatures()
    columns = read(parse(f"<body>{inside}</body>")[0], signatures)
    by_number = list(signatures)
    return columns, Placer(common_names([columns], by_number)).place(columns, by_number), by_number


def found(inside: str, is_kept: Callable[[str], bool] = lambda text: text.startswith("What")) -> list[str]:
    columns, paths, by_number = made(inside)
    kept = list(map(is_kept, columns.texts))
    return [columns.texts[at] for at in names_of_entries(columns, paths, by_number, kept)]


LIST = "".join(map(entry, NAMES))


def test_names_stand_with_their_teasers() -> None:
    assert found(LIST) == [f"All about {name}" for name in NAMES]


def test_names_that_are_kept_already_count_as_told() -> None:
    assert found(LIST, lambda text: text == "All about oil" or text.startswith("What")) == [
        f"All about {name}" for name in NAMES[1:]
    ]


@pytest.mark.parametrize(
    "inside",
    [
        "".join(map(entry, NAMES[: MIN_ENTRIES - 1])),
        "".join(entry("oil") for _ in NAMES),  # one name for all
        "".join(f"<div class=item><p>What {name} are to us, told once more by the keeper</p></div>" for name in NAMES),
        f"<p>What {'the keeper said ' * 90}</p>{LIST}",  # the list is a small part of the page
        "",
    ],
)
def test_other_pages(inside: str) -> None:
    assert found(inside) == []


def test_entries_that_begin_with_other_text_have_their_name_there() -> None:
    inside = "".join(f"<div class=item><p>What {name} are</p>{entry(name)}<b>!</b></div>" for name in NAMES)
    assert found(inside, lambda text: len(text) < 20) == []


CONTENTS = "".join(f"<li><a href=/{name}>How the keeper makes {name}</a></li>" for name in NAMES)
LEAD = "<p>All that the keeper knows.</p>"


def alone(inside: str, odds: float = LEAST_ALONE, other: int = 30) -> list[str]:
    columns, paths, by_number = made(f"{LEAD}{inside}")
    kept = [text.startswith("All") for text in columns.texts]
    likely = [3.0 if each else odds for each in kept]
    return [columns.texts[at] for at in names_alone(columns, paths, by_number, kept, likely, other)]


def test_names_without_teasers_are_the_text_of_a_table_of_contents() -> None:
    inside = f"<main><ul>{CONTENTS}</ul></main>"
    assert alone(inside) == [f"How the keeper makes {name}" for name in NAMES]
    assert alone(inside, odds=LEAST_ALONE - 0.1) == []
    assert alone(inside, other=600) == []  # much other text


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
def test_names_without_teasers_elsewhere(inside: str) -> None:
    assert alone(inside) == []


def test_names_alone_are_kept_where_all_text_is_unlikely() -> None:
    columns, paths, by_number = made(f"<article><ul>{CONTENTS}</ul></article>")
    dropped = [False] * len(columns.texts)
    assert len(names_alone(columns, paths, by_number, dropped, [-3.0] * len(dropped), 0)) == len(NAMES)


def test_many_entries_take_time_in_proportion() -> None:
    def seconds(count: int) -> float:
        columns, paths, by_number = made("".join(entry(f"oil {number}") for number in range(count)))
        kept, times = [text.startswith("What") for text in columns.texts], []
        for _ in range(3):
            begin = time.thread_time()
            assert len(names_of_entries(columns, paths, by_number, kept)) == count
            times.append(time.thread_time() - begin)
        return min(times)

    assert seconds(2000) < 24 * seconds(250)

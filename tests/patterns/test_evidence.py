"""What the evidence learner knows of a site, as a pattern: its record, and what it says of pages."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer import PatternFileError, PatternSet
from scrapy_stemmer.core.evidence import reading, surroundings
from scrapy_stemmer.core.evidence.ablation import EvidenceKind
from scrapy_stemmer.core.evidence.classes import ClassMeans
from scrapy_stemmer.core.evidence.model import SiteModel
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.evidence import EvidencePattern
from tests.core.evidence.made import TOPICS, led, made_pages, made_sites, story
from tests.patterns.learnedsite import LEARNED, ONE_PAGE, learned, match, pattern, said, strip_
from tests.strategies import json_values

HEADER = json.dumps({"format": codec.FORMAT, "version": codec.VERSION})


SMALL = SiteModel(
    pages=3,
    names=frozenset({".story", "#main"}),
    repeats={255: 3, 1: 2},
    singles={10: 2, 2**64 - 1: 0, 11: 2},
    paths=PathTree([(-1, "body"), (0, "div.story"), (1, "p"), (0, "nav")]),
    classes=ClassMeans({2: (0.25, 0.0, 1.0, 2.5)}, {"p*": (0.25, 0.0, 1.0, 2.5), "p": (0.25, 0.0, 1.0, 2.25)}),
    threshold=-0.5,
    votes={0: 1.5, 1: 3.0},
    shares={0: (0.1, 0.2), 1: (0.0, 0.0), 2: (0.0, 0.25), 3: (1.0, 1.0)},
    dominance=0.75,
    article_share=1.0,
    title_parts=frozenset({"Example News"}),
    regions={(3, 1): 250.5, (1,): 99.5, (0,): 100.0},
    outposts=frozenset({3, 2}),
)

RECORD: dict[str, Any] = {
    "article_share": 1.0,
    "classes": [["p", 0.25, 0.0, 1.0, 2.25], ["p*", 0.25, 0.0, 1.0, 2.5]],
    "dominance": 0.75,
    "names": ["#main", ".story"],
    "outposts": [2, 3],
    "pages": 3,
    "paths": [
        [-1, "body", 1.5, 0.1, 0.2],
        [0, "div.story", 3.0, 0.0, 0.0],
        [1, "p", 0.0, 0.0, 0.25, 0.25, 0.0, 1.0, 2.5],
        [0, "nav", 0.0, 1.0, 1.0],
    ],
    "regions": [[[0], 100.0], [[1], 99.5], [[3, 1], 250.5]],
    "repeats": [["0000000000000001", 2], ["00000000000000ff", 3]],
    "singles": [["ffffffffffffffff"], [], ["000000000000000a", "000000000000000b"]],
    "threshold": -0.5,
    "title_parts": ["Example News"],
}
"""What is written of that model. Files with such lines exist: every later version must be able to read it."""


def record_of(found: EvidencePattern) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(codec.dumps([found]).split("\n")[1])
    return record


def loaded(record: dict[str, Any]) -> EvidencePattern:
    (found,) = codec.loads(f"{HEADER}\n{json.dumps(record)}\n")
    assert isinstance(found, EvidencePattern)
    return found


class TestRecord:
    def test_what_was_switched_off_is_kept(self) -> None:
        off = replace(SMALL, without=frozenset({EvidenceKind.NAMES, EvidenceKind.LINKS}))
        assert pattern(off).to_record() == RECORD | {"without": ["links", "names"]}
        assert loaded(record_of(pattern(off))).model == off

    def test_what_is_written(self) -> None:
        assert pattern(SMALL).to_record() == RECORD

    def test_what_is_read(self) -> None:
        assert loaded(record_of(pattern(SMALL))) == pattern(SMALL)

    @pytest.mark.parametrize("found", [LEARNED, ONE_PAGE], ids=["six pages", "one page"])
    def test_what_was_learned_is_the_same_when_it_was_saved(self, found: EvidencePattern) -> None:
        again = loaded(record_of(found))
        assert again == found
        assert codec.dumps([again]) == codec.dumps([found])

    def test_a_saved_pattern_labels_to_the_last_digit_alike(self) -> None:
        again = loaded(record_of(LEARNED))
        for html in [*map(story, TOPICS), story("festival"), "<body><p>Something, else.</p></body>"]:
            assert match(html, again) == match(html, LEARNED)


def changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The record with another value at a place."""
    record = deepcopy(record_of(pattern(SMALL)))
    inner = record
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return record


def error_of(record: dict[str, Any]) -> PatternFileError:
    with pytest.raises(PatternFileError) as caught:
        loaded(record)
    assert caught.value.line == 2
    return caught.value


WRONG: list[tuple[tuple[Any, ...], Any, str]] = [
    (("pages",), 0, "pages"),
    (("pages",), "3", "pages"),
    (("names",), None, "names"),
    (("names",), [7], "names[0]"),
    (("singles",), None, "singles"),
    (("singles",), {}, "singles"),
    (("singles",), [[], [], [], []], "singles"),
    (("singles", 1), "000000000000000a", "singles[1]"),
    (("singles", 1), ["a"], "singles[1]"),
    (("singles", 0), ["0x0000000000000a"], "singles[0]"),
    (("singles", 2), ["000000000000000A"], "singles[2]"),
    (("singles", 2, 1), 10, "singles[2]"),
    (("singles", 2, 1), None, "singles[2]"),
    (("regions",), None, "regions"),
    (("regions",), {"1": 250.5}, "regions"),
    (("regions", 0), 1, "regions[0]"),
    (("regions", 0), [[1]], "regions[0].value"),
    (("regions", 0), [[1], 250.5, 3], "regions[0]"),
    (("regions", 1), [1, 250.5], "regions[1].paths"),
    (("regions", 1), [None, 250.5], "regions[1].paths"),
    (("regions", 1), [[], 250.5], "regions[1].paths"),
    (("regions", 1), [[4], 250.5], "regions[1].paths[0]"),
    (("regions", 1), [[-1], 250.5], "regions[1].paths[0]"),
    (("regions", 2), [[3, 4], 250.5], "regions[2].paths[1]"),
    (("regions", 2), [[3, "1"], 250.5], "regions[2].paths[1]"),
    (("regions", 2), [[3, True], 250.5], "regions[2].paths[1]"),
    (("regions", 2), [[3, [1]], 250.5], "regions[2].paths[1]"),
    (("regions", 1), [[1], "250.5"], "regions[1].value"),
    (("regions", 1), [[1], float("nan")], "regions[1].value"),
    (("outposts",), None, "outposts"),
    (("outposts",), 2, "outposts"),
    (("outposts", 0), 4, "outposts[0]"),
    (("outposts", 1), -1, "outposts[1]"),
    (("outposts", 1), "2", "outposts[1]"),
    (("outposts", 1), 2.0, "outposts[1]"),
    (("outposts", 1), True, "outposts[1]"),
    (("repeats",), {}, "repeats"),
    (("repeats", 0), ["00000000000000ff"], "repeats[0].pages"),
    (("repeats", 0), ["00000000000000ff", 0], "repeats[0].pages"),
    (("repeats", 1), ["00000000000000ff", 4], "repeats[1].pages"),
    (("repeats", 1), ["ff", 2], "repeats[1].text"),
    (("repeats", 1), ["00000000000000ff", 2, 3], "repeats[1]"),
    (("paths",), [], "paths"),
    (("paths",), None, "paths"),
    (("paths", 0, 0), 0, "paths[0].parent"),
    (("paths", 0, 0), -2, "paths[0].parent"),
    (("paths", 1, 0), -1, "paths[1].parent"),
    (("paths", 1, 0), 1, "paths[1].parent"),
    (("paths", 1, 0), 2, "paths[1].parent"),
    (("paths", 1, 1), 5, "paths[1].component"),
    (("paths", 3, 1), "div.story", "paths[3].component"),
    (("paths", 1, 2), -0.5, "paths[1].vote"),
    (("paths", 1, 3), 1.5, "paths[1].link"),
    (("paths", 1, 4), None, "paths[1].repeated"),
    (("paths", 1), [0, "div.story", 3.0], "paths[1].link"),
    (("paths", 1), [0, "div.story", 3.0, 0.0, 0.0, 0.5], "paths[1].link_of_class"),
    (("paths", 2, 5), 1.25, "paths[2].static"),
    (("paths", 2, 7), -1, "paths[2].long"),
    (("paths", 2, 8), 4.5, "paths[2].worth"),
    (("paths", 2), "p", "paths[2]"),
    (("classes", 0, 0), 1, "classes[0].suffix"),
    (("classes", 0), ["p", 0.25, 0.0, 1.0], "classes[0].worth"),
    (("classes", 1, 2), 2, "classes[1].link_of_class"),
    (("threshold",), None, "threshold"),
    (("dominance",), 1.1, "dominance"),
    (("article_share",), -0.1, "article_share"),
    (("title_parts",), "Example News", "title_parts"),
    (("without",), ["links", "luck"], "without[1]"),
]


@pytest.mark.parametrize(("path", "value", "field"), WRONG)
def test_a_wrong_field_is_named(path: tuple[Any, ...], value: Any, field: str) -> None:
    assert error_of(changed(path, value)).field == field


@pytest.mark.parametrize(
    "field",
    "pages names repeats singles paths regions outposts classes threshold dominance article_share".split(),
)
def test_a_missing_field_is_named(field: str) -> None:
    record = record_of(pattern(SMALL))
    del record[field]
    assert error_of(record).field == field


def test_an_error_tells_the_file_the_line_and_the_field(tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    path.write_text(f"{HEADER}\n{json.dumps(changed(('regions', 2), [[3, 4], 250.5]))}\n", encoding="utf-8")
    with pytest.raises(PatternFileError) as caught:
        PatternSet.load(str(path))
    assert (caught.value.line, caught.value.field) == (2, "regions[2].paths[1]")
    assert str(path) in str(caught.value)
    assert "must be the number of a path, 0 to 3, not 4" in str(caught.value)


def test_of_a_single_page_no_names_are_known() -> None:
    assert record_of(ONE_PAGE)["names"] is None
    assert loaded(record_of(ONE_PAGE)).model.names is None


@given(st.sampled_from(sorted(RECORD)), json_values())
def test_any_other_value_is_read_or_refused_and_what_is_read_can_be_used(field: str, value: Any) -> None:
    try:
        found = loaded(changed((field,), value))
    except PatternFileError:
        return
    match(story("festival"), found)


@given(st.integers(0, 3), st.integers(0, 8), json_values())
def test_any_other_value_in_a_path_too(row: int, column: int, value: Any) -> None:
    record = record_of(pattern(SMALL))
    if column >= len(record["paths"][row]):
        return
    record["paths"][row][column] = value
    try:
        found = loaded(record)
    except PatternFileError:
        return
    match(story("festival"), found)


def test_blocks_may_be_asked_for_when_the_places_of_the_page_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [story("festival", extra=f"<x-{n}><dl><dd>Rain</dd></dl></x-{n}>") for n in range(9)]
    expected = [said(strip_(html, learned(list(map(story, TOPICS))))) for html in pages]
    monkeypatch.setattr(reading, "MAX_KNOWN", 2)
    found = learned(list(map(story, TOPICS)))
    stripped = [strip_(html, found) for html in pages]
    assert [said(one) for one in stripped] == expected


def test_a_stamped_pattern_knows_the_places_of_its_sample_too() -> None:
    found = learned(list(map(story, TOPICS)))
    stamped = found.stamped("2026-11-21T12:00:00Z")
    assert stamped.learned == "2026-11-21T12:00:00Z"
    assert stamped.model is found.model
    assert stamped._reader is found._reader


def test_threads_share_a_pattern() -> None:
    """As those of a crawl do; views and places are forgotten now and then."""
    found = learned([*map(story, TOPICS[:3]), *map(led, TOPICS[3:])])
    pages = [
        story("abcdef"[n % 6], inside=f"<x-{n}><dl><dd>Rain</dd></dl></x-{n}>") if n % 2 else led("abcdef"[n % 6])
        for n in range(60)
    ]
    expected = [said(strip_(html, loaded(record_of(found)))) for html in pages]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda html: said(strip_(html, found)), pages)) == expected


def test_threads_share_a_pattern_that_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_KNOWN", 30)
    monkeypatch.setattr(surroundings, "MAX_VIEWS", 2)
    test_threads_share_a_pattern()


@given(made_sites(), st.lists(made_pages(), min_size=1, max_size=3))
def test_saved_or_not_and_whatever_was_stripped_before(sample: list[str], htmls: list[str]) -> None:
    warm = learned(sample)
    first = [said(strip_(html, warm)) for html in htmls]
    again = loaded(record_of(warm))
    assert [said(strip_(html, warm)) for html in reversed(htmls)] == first[::-1]
    assert [said(strip_(html, again)) for html in htmls] == first
    assert [said(strip_(html, learned(sample))) for html in htmls] == first
    assert warm == again == learned(sample)


def test_a_used_pattern_can_be_copied() -> None:
    found = learned([story("storm"), story("bridge")])
    first = said(strip_(story("festival"), found))
    for copy in (deepcopy(found), pickle.loads(pickle.dumps(found)), replace(found, name="other")):
        assert said(strip_(story("festival"), copy)) == first


def test_a_threshold_of_1_switches_a_pattern_off() -> None:
    assert match(story("festival"), threshold=1.0) is None

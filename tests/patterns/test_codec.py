"""Patterns as text: the form of pattern files, and errors in others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from traceback import format_exception
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer import BlockOptions, PatternFileError
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern, Section
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern, Sample
from scrapy_stemmer.patterns.codec import PATTERN_CLASSES, kind_named
from scrapy_stemmer.patterns.record import Record
from tests.processes import printed
from tests.strategies import json_values, layout_patterns


@pytest.mark.parametrize("kind", sorted(PATTERN_CLASSES))
def test_each_kind_is_found_by_its_name(kind: str) -> None:
    pattern = kind_named(Record({"kind": kind}))
    assert issubclass(pattern, Pattern)
    assert pattern.kind == kind


@pytest.mark.slow
def test_no_kind_is_imported_that_isn_t_used() -> None:
    program = (
        "import sys\n"
        "from scrapy_stemmer.patterns.codec import PATTERN_CLASSES, kind_named\n"
        "from scrapy_stemmer.patterns.record import Record\n"
        "kind_named(Record({'kind': 'rules'}))\n"
        "print(*(kind for kind, place in PATTERN_CLASSES.items() if place.split(':')[0] in sys.modules))\n"
    )
    assert printed(program).split() == ["rules"]


# Form of pattern files, and errors in others

HEADER = '{"format": "scrapy-stemmer patterns", "version": 1}'

PATTERN = LayoutPattern(
    site="example.com",
    name="https://example.com/a",
    support=12,
    score=812.5,
    samples=(Sample("https://example.com/a", "日本"), Sample("https://example.com/b")),
    learned="2024-05-01T12:00:00Z",
    sections=(
        Section("h1", 0.75, 12.25, 12),
        Section("div:class=body/p", 0.9, 800.0, 11, ("Read more",)),
    ),
    title=0,
    blocks=BlockOptions(vocabulary=frozenset({"nav", "body"})),
)

LINE = (
    '{"alignment": "runs", "blocks": {"ascii_values": false, "html5": false, "invisible": true, "mangle": "[^0-9]+", '
    '"min_chars": 1, "normalize_class": true, "vocabulary": ["body", "nav"]}, "kind": "layout", '
    '"learned": "2024-05-01T12:00:00Z", "name": "https://example.com/a", "samples": [{"title": "日本", '
    '"url": "https://example.com/a"}, {"title": null, "url": "https://example.com/b"}], "score": 812.5, "sections": '
    '[{"diffscore": 0.75, "feature": "h1", "mainscore": 12.25, "support": 12}, {"diffscore": 0.9, '
    '"feature": "div:class=body/p", "mainscore": 800.0, "repeated": ["Read more"], "support": 11}], '
    '"site": "example.com", "site_wide": false, "support": 12, "title": 0}'
)
"""Line of version 1. Every later version must read it, since files with such lines exist."""

WRITTEN = (
    '{"site": "example.com", "score": 812.5, "name": "https://example.com/a", "kind": "layout", "blocks": '
    '{"mangle": "[^0-9]+", "original": false, "vocabulary": ["body", "nav"]}, "diffscore": 0.5, '
    '"learned": "2024-05-01T12:00:00Z", "mainscore": 50.0, "samples": '
    '[{"title": "日本", "url": "https://example.com/a"}, {"title": null, "url": "https://example.com/b"}], "sections": '
    '[{"diffscore": 0.75, "feature": "h1", "mainscore": 12.25, "support": 12}, {"diffscore": 0.9, '
    '"feature": "div:class=body/p", "mainscore": 800.0, "repeated": ["Read more"], "support": 11}], '
    '"site_wide": false, "strict": false, "support": 12, "threshold": 0.8, "title": 0}'
)
"""Line as written: the identifying fields come first."""


def variant(**fields: Any) -> str:
    """Return the line with other values of some fields."""
    return json.dumps(json.loads(LINE) | fields)


def file_of(*lines: str) -> str:
    return "\n".join([HEADER, *lines, ""])


def error_of(text: str) -> PatternFileError:
    with pytest.raises(PatternFileError) as caught:
        codec.loads(text)
    return caught.value


def refusal(text: str) -> PatternFileError | None:
    """Return the reason why a text is refused, or ``None``; other errors fail the test."""
    try:
        codec.loads(text)
    except PatternFileError as error:
        return error
    return None


def test_what_is_written() -> None:
    assert codec.dumps([PATTERN]) == file_of(WRITTEN)


@pytest.mark.parametrize("line", [LINE, WRITTEN])
def test_what_is_read(line: str) -> None:
    assert codec.loads(file_of(line)) == [PATTERN]


@pytest.mark.parametrize(
    ("line", "site"),
    [
        (WRITTEN, "example.com"),
        (LINE, "example.com"),
        (WRITTEN[:-30], "example.com"),
        ('{"note": "\\"site\\": \\"b.com\\"", "site": "a.com"}', "a.com"),
        ('{"kind": 1 "site": "a.com"', "a.com"),
        ('["a.com"]', None),
        ('{"site": 7}', None),
        ("<<<<<<< ours", None),
    ],
)
def test_the_site_of_a_line_is_known_whatever_its_form(line: str, site: str | None) -> None:
    assert codec.site_in(line.encode()) == site


def test_no_patterns_are_a_header_alone() -> None:
    assert codec.dumps([]) == file_of()
    assert codec.loads(file_of()) == []


@pytest.mark.slow
def test_a_pattern_may_have_very_many_lines() -> None:
    """This many took minutes when each was compared with all before."""
    text = codec.header() + '\n{"site": "a"' + ',\n "b": 1\n# c' * 300_000 + "\n }\n{}\n"
    first, second = codec.lines_of(text.encode())
    assert (first.number, first.text.count(b"\n")) == (2, 600_001)
    assert (second.number, second.text) == (600_004, b"{}")


def test_empty_lines_comments_and_windows_line_ends_are_passed_over() -> None:
    assert codec.loads(f"# mine\r\n\r\n{HEADER}\r\n  # the news\r\n\r\n{LINE}\r\n") == [PATTERN]


RULES = (
    '{"site": "example.com", "score": 1, "name": "site", "kind": "rules", "support": 3, "samples": [], '
    '"site_wide": true, "titles_share": [], "rules": [\n  %s\n ]}'
)


@pytest.mark.parametrize(
    "rule", ['{"keep": "p"}', '{"returns": "one, ] two \\\\", "in": "p"}', '{"returns": "one \\",} two"}']
)
def test_a_comma_behind_the_last_rule_makes_no_difference(rule: str) -> None:
    """One is left where a person deletes the last rule."""
    expected = codec.loads(file_of(RULES % rule))
    for rules in (f"{rule},", f"{rule}, \n  # comment,"):
        assert codec.loads(file_of(RULES % rules)) == expected


def test_a_comma_too_many_moves_no_place_in_an_error() -> None:
    rules = '{"keep": "p",},\n  {"drop": "q" "sure": 1}'
    assert "line 3 column 16" in str(error_of(file_of(RULES % rules)))


def test_fields_that_may_be_absent() -> None:
    line = '{"kind":"layout","site":"a.b","name":"n","support":0,"score":1,"sections":[]}'
    assert codec.loads(file_of(line)) == [LayoutPattern(site="a.b", name="n", support=0, score=1.0, sections=())]


def test_fields_of_other_programs_are_passed_over() -> None:
    assert codec.loads(file_of(variant(note="checked by hand"))) == [PATTERN]


@given(st.lists(layout_patterns(), max_size=3, unique_by=lambda pattern: (pattern.site, pattern.name)))
def test_round_trip(patterns: list[LayoutPattern]) -> None:
    text = codec.dumps(patterns)
    loaded = codec.loads(text)
    assert sorted(loaded, key=lambda pattern: (pattern.site, pattern.name)) == sorted(
        patterns, key=lambda pattern: (pattern.site, pattern.name)
    )
    assert codec.dumps(loaded) == text


@given(st.permutations([(site, score) for site in ("a.b", "c.d") for score in (1.0, 2.0)]))
def test_the_order_of_patterns_does_not_matter(order: list[tuple[str, float]]) -> None:
    patterns = [LayoutPattern(site=site, name=str(score), support=1, score=score, sections=()) for site, score in order]
    written = [json.loads(line) for line in codec.dumps(patterns).splitlines()[1:]]
    assert [(entry["site"], entry["score"]) for entry in written] == [("a.b", 2), ("a.b", 1), ("c.d", 2), ("c.d", 1)]


@pytest.mark.parametrize(
    ("text", "line", "field", "message"),
    [
        pytest.param("", 1, None, "is empty", id="empty"),
        pytest.param("\n# only a comment\n", 1, None, "is empty", id="comments only"),
        pytest.param("\x89PNG\r\n\x1a\n", 1, None, "not JSON", id="binary"),
        pytest.param('{"title": "x"}\n', 1, "format", "not a pattern file", id="JSON Lines of something else"),
        pytest.param("### version=0.6.1\n(1.0, 'a', -1, [])", 2, None, "not JSON", id="a file of Webstemmer"),
        pytest.param(f"# mine\n{LINE}\n", 2, "format", "its first line must be", id="header missing"),
        pytest.param(HEADER.replace("1", "2"), 1, "version", "Upgrade scrapy-stemmer", id="newer version"),
        pytest.param(HEADER.replace("1", '"1"'), 1, "version", "version '1'", id="version as text"),
        pytest.param(file_of(LINE[:-30]), 2, None, "Was the file cut off", id="torn"),
        pytest.param(file_of(LINE, LINE), 3, "name", "line 2 already", id="the same name twice"),
        pytest.param(file_of("[" * 100_000), 2, None, "not JSON", id="nested without end"),
        pytest.param(file_of(variant(kind="magic")), 2, "kind", "known are: ", id="unknown kind"),
        pytest.param(file_of(variant(title=2)), 2, "title", "one of the 2 sections", id="title out of range"),
        pytest.param(file_of(variant(title=-1)), 2, "title", "at least 0", id="title below range"),
        pytest.param(file_of(variant(blocks={"mangle": "["})), 2, "blocks.mangle", "expression", id="expression"),
        pytest.param(file_of(variant(samples=[{}])), 2, "samples[0].url", "is missing", id="sample without URL"),
        pytest.param(
            file_of(
                *[variant(name=str(n)) for n in range(4)], "", variant(sections=[{"feature": "p", "diffscore": "x"}])
            ),
            7,
            "sections[0].diffscore",
            "must be a number, not a text",
            id="a wrong type in line 7",
        ),
    ],
)
def test_errors_name_line_and_field(text: str, line: int, field: str | None, message: str) -> None:
    error = error_of(text)
    assert (error.line, error.field) == (line, field)
    assert message in str(error)
    assert f"line {line}" in str(error)


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths to all values inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def put(value: Any, path: tuple[str | int, ...], new: Any) -> Any:
    """Return a JSON value with another value at a path, or without any for ``...``."""
    if not path:
        return new
    copy = value.copy()
    inner = put(copy[path[0]], path[1:], new)
    if inner is ...:
        del copy[path[0]]
    else:
        copy[path[0]] = inner
    return copy


WRONG: list[Any] = [..., None, True, -1, 10**400, 0.5, float("nan"), "", "x", "(", [], [None], {}, {"a": 1}]


@pytest.mark.parametrize("path", [pytest.param(path, id=".".join(map(str, path))) for path in places(json.loads(LINE))])
def test_every_mutation_of_a_field_is_read_or_refused_with_its_name(path: tuple[str | int, ...]) -> None:
    for wrong in WRONG:
        line = json.dumps(put(json.loads(LINE), path, wrong))
        error = refusal(file_of(line))
        if error is not None:
            # Without sections the title is out of range.
            assert (error.field or "").startswith((str(path[0]), "title")), f"{path} = {wrong!r}"
            assert error.line == 2


@given(json_values())
def test_arbitrary_json_never_raises_anything_else(value: Any) -> None:
    error = refusal(file_of(json.dumps(value)))
    assert error is None or error.line == 2


@given(st.text())
def test_arbitrary_text_never_raises_anything_else(text: str) -> None:
    with pytest.raises(PatternFileError):
        codec.loads(text)


@given(st.integers(0, len(file_of(LINE, LINE))))
def test_a_file_cut_off_anywhere_never_gives_half_a_pattern(length: int) -> None:
    text = file_of(LINE)
    try:
        patterns = codec.loads(text[:length])
    except PatternFileError:
        return
    assert patterns in ([], [PATTERN])


def test_the_documented_file_can_be_read_and_edited_as_documented() -> None:
    """Examples in docs/pattern-files.md: a file, and a rule to add."""
    document = (Path(__file__).parents[2] / "docs" / "pattern-files.md").read_text(encoding="utf-8")
    example, added = re.findall(r"```json\n(.*?)```", document, re.DOTALL)
    (pattern,) = codec.loads(example)
    assert isinstance(pattern, RulesPattern)
    lines = example.splitlines(keepends=True)
    (first,) = [number for number, line in enumerate(lines) if line.startswith("  {") and '"body"' in line]
    (edited,) = codec.loads("".join([*lines[: first + 1], added, *lines[first + 1 :]]))
    assert isinstance(edited, RulesPattern)
    assert len(edited.rules) == len(pattern.rules) + 1
    assert edited.rules[1].is_users


def test_a_traceback_shows_an_error_once() -> None:
    with pytest.raises(PatternFileError) as raised:
        codec.loads(f"{codec.header()}\n{{")
    text = "".join(format_exception(raised.value))
    assert text.count("The line is not JSON") == 1
    assert "JSONDecodeError" in text, "what it comes from"

"""Patterns as text: JSON Lines with a header, then a pattern a line. A line with a space at the beginning continues the
line before, so that a pattern's rules form a column. Comments begin with ``#``.

The text is meant for people too: fields, sites and patterns have a fixed order, so that files can be compared by line
and edited by hand. A line begins with the fields that identify a pattern, so that large files can be searched quickly.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, is_dataclass
from importlib.metadata import entry_points
from itertools import pairwise
from pkgutil import resolve_name
from typing import Any, NamedTuple

from scrapy_stemmer.exceptions import PatternFileError, place_of_errors
from scrapy_stemmer.patterns.base import COMMON, Pattern
from scrapy_stemmer.patterns.record import Record

PATTERN_ENTRY_POINTS = "scrapy_stemmer.patterns"  # group for kinds of further packages: ``kind = module:Class``

PATTERN_CLASSES = {
    "dom_hash": "scrapy_stemmer.learners.literature.repetition.pattern:DomHashPattern",
    "essential_path": "scrapy_stemmer.learners.literature.text_mdl.pattern:EssentialPathPattern",
    "layout": "scrapy_stemmer.learners.literature.layout.pattern:LayoutPattern",
    "regex_tree": "scrapy_stemmer.learners.literature.regex_tree.pattern:RegexTreePattern",
    "rules": "scrapy_stemmer.learners.rules.pattern:RulesPattern",
    "selector_rule": "scrapy_stemmer.learners.literature.visual.pattern:SelectorRulePattern",
    "shingle": "scrapy_stemmer.learners.literature.repetition.pattern:ShinglePattern",
}
"""The kinds of this package, imported on use: some need numpy, which imports more slowly than the package."""


def kind_named(record: Record) -> type[Pattern]:
    """Return the class of a record's ``kind``; raise PatternFileError for an unknown kind."""
    kind = record.text("kind")
    known: Mapping[str, str] = PATTERN_CLASSES
    if kind not in PATTERN_CLASSES:
        known = PATTERN_CLASSES | {
            point.name: f"{point.module}:{point.attr}" for point in entry_points(group=PATTERN_ENTRY_POINTS)
        }
    if kind not in known:
        raise record.error("kind", f"is {kind!r}, which is not known here; known are: {', '.join(sorted(known))}")
    pattern: type[Pattern] = resolve_name(known[kind])
    return pattern


FILE_FORMAT = "scrapy-stemmer patterns"  # "format" of the header

FILE_VERSION = 1  # version written; older versions are read, newer ones refused

FIRST_FIELDS = ("site", "score", "name", "kind")
"""Fields at the beginning of a line; other fields follow in alphabetical order."""

OPAQUE = "~"  # beginning of names of fields for the program only

_BEGINNING = re.compile(rb'\{"site": ("(?:[^"\\]|\\.)*+")')  # site of a line as :func:`line_of` writes it

_SITE = re.compile(rb'"site"\s*:\s*("(?:[^"\\\n]|\\.)*+")')

_NEXT = re.compile(rb"\n(?=[^\s#])")  # before a line without a space or ``#`` in front

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, as in URLs cut off or badly decoded

_COMMENTS = re.compile(r"(?m)^[ \t]*#.*$")  # skipped; no text of JSON contains an end of line

_TEXT_OR_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+"?)|,(?=\s*+[]}])')
"""A text of JSON, or a comma behind the last value of a list, as left by a person who deletes the last rule."""


class LineHead(NamedTuple):
    """Sort key of the lines of a file, which identifies a pattern."""

    site: str
    fall: float  # negated score
    name: str


class Line(NamedTuple):
    """Text of a pattern in a file."""

    number: int  # number of its first line, from 1
    text: bytes  # with continuation lines and comments


def line_head_of(pattern: Pattern) -> LineHead:
    return LineHead(pattern.site, -pattern.score, pattern.name)


def dumps(patterns: Iterable[Pattern]) -> str:
    ordered = sorted(patterns, key=line_head_of)
    return "\n".join([header(), *map(line_of, ordered)]) + "\n"


def header() -> str:
    return _json({"format": FILE_FORMAT, "version": FILE_VERSION})


def line_of(pattern: Pattern) -> str:
    """Return the line of a pattern; raise PatternFileError for a number without a form in JSON."""
    fields = {"kind": pattern.kind, **{name: getattr(pattern, name) for name in COMMON}, **pattern.to_record()}
    if fields["level"] is None:  # not measured
        del fields["level"]
    try:
        text = ", ".join(f"{_json(name)}: {_json(fields.pop(name))}" for name in FIRST_FIELDS)
        first_opaque = next((name for name in sorted(fields) if name.startswith(OPAQUE)), None)
        for name in sorted(fields):
            if name in pattern.lists and fields[name]:
                items = ",\n  ".join(map(_json, fields[name]))
                text += f", {_json(name)}: [\n  {items}\n ]"
            else:
                between = ",\n " if name == first_opaque else ", "
                text += f"{between}{_json(name)}: {_json(fields[name], sort_keys=True)}"
    except ValueError as error:
        message = (
            f"The pattern {pattern.name!r} of {pattern.site} can't be written: {error}. What was there is as it was."
        )
        raise PatternFileError(message) from error
    return "{" + _LONE_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text) + "}"


def loads(text: str) -> list[Pattern]:
    """Parse the sorted patterns of a pattern file's text; empty lines and lines beginning with ``#`` are skipped.

    :raises PatternFileError: naming line and field, for another or newer format or an invalid line.
    """
    return read_lines(lines_of(text.encode("utf-8", "surrogatepass")))


def lines_of(content: bytes) -> list[Line]:
    """Return the lines of a file behind the header; raise PatternFileError for a missing or unsupported header."""
    content = content.removeprefix(BOM_UTF8)  # written by some editors
    starts = [0, *(found.end() for found in _NEXT.finditer(content)), len(content)]
    number, lines = 1, list[Line]()
    for start, end in pairwise(starts):
        text = content[start:end]
        lines.append(Line(number, text.strip(b"\r\n")))
        number += text.count(b"\n")
    if lines and not _COMMENTS.sub("", lines[0].text.decode("utf-8", "replace")).strip():
        del lines[0]  # comments above the header
    if not lines:
        message = "The pattern file is empty: it has not even a header. Delete it, then learn again."
        raise PatternFileError(message, line=1)
    _check_header(lines.pop(0))
    return lines


def _check_header(line: Line) -> None:
    with place_of_errors(line=line.number):
        fields = _parsed(line.text)
        if not isinstance(fields, dict) or fields.get("format") != FILE_FORMAT:
            raise PatternFileError(
                "This is not a pattern file: its first line must be "
                f'{{"format": "{FILE_FORMAT}", "version": {FILE_VERSION}}}.'
                " A file of Webstemmer can be imported: `scrapy stemmer import`.",
                field="format",
            )
        version = fields.get("version")
        if type(version) is not int or not 1 <= version <= FILE_VERSION:
            raise PatternFileError(
                f"The file is of version {version!r}; this scrapy-stemmer reads versions 1 to {FILE_VERSION}. Upgrade "
                "scrapy-stemmer, or learn again.",
                field="version",
            )


def read_lines(lines: Iterable[Line], site: str | None = None) -> list[Pattern]:
    """Parse the patterns of lines, sorted; raise PatternFileError naming line and field, for an invalid line."""
    numbered = [(number, read_line(number, line)) for number, line in lines]
    for number, pattern in numbered:
        if site not in (None, pattern.site):
            message = f"The line is of another site, {pattern.site!r}. Delete it, or a second 'site' in it."
            raise PatternFileError(message, line=number, field="site")
    check_unique((number, line_head_of(pattern)) for number, pattern in numbered)
    return sorted([pattern for _, pattern in numbered], key=line_head_of)


def read_line(number: int, line: bytes) -> Pattern:
    """Parse the pattern of a line; see :func:`read_lines`."""
    with place_of_errors(line=number):
        record = Record(_parsed(line))
        kind = kind_named(record)
        return kind.from_record(record, record.values(Pattern))


def site_in(line: bytes) -> str | None:
    """Return the site of a line, broken or not; ``None`` without one."""
    match = _BEGINNING.match(line)
    if match is None:
        with suppress(PatternFileError):
            fields = _parsed(line)
            return fields["site"] if isinstance(fields, dict) and isinstance(fields.get("site"), str) else None
        match = _SITE.search(line)
    try:
        return str(json.loads(match[1].decode("utf-8", "replace"))) if match else None
    except ValueError:
        return None


def check_unique(heads: Iterable[tuple[int, LineHead]]) -> None:
    """Check that each pattern of a site has a unique name, given number and head of each line.

    :raises PatternFileError: naming the second line.
    """
    seen: dict[tuple[str, str], int] = {}
    for number, head in heads:
        first = seen.setdefault((head.site, head.name), number)
        if first != number:
            raise PatternFileError(
                f"The site {head.site!r} has a pattern of this name in line {first} already. Rename one, or delete it.",
                line=number,
                field="name",
            )


def _json(value: Any, *, sort_keys: bool = False) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=sort_keys, allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else sorted(value)


def _parsed(line: bytes) -> Any:
    try:
        text = _COMMENTS.sub("", line.decode())
        try:
            return json.loads(text)
        except ValueError:  # with spaces in place of commas, errors name the right column
            return json.loads(_TEXT_OR_COMMA.sub(lambda found: found[1] or " ", text))
    except (ValueError, RecursionError) as error:
        raise PatternFileError(
            f"The line is not JSON: {error}. Was the file cut off, or edited by hand? Correct the line, or "
            "delete it and learn the site again."
        ) from error

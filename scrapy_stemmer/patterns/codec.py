"""Patterns as text: JSON Lines, a header first, then one pattern a line.

The text is meant for people too: named fields, sorted keys, sites and patterns in a fixed order, so that a new
file can be compared with the old one line by line and edited by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.patterns.base import Pattern, Sample
from scrapy_stemmer.patterns.kinds import kind_named
from scrapy_stemmer.patterns.record import Record

FORMAT = "scrapy-stemmer patterns"
"""What the header says the file is."""

VERSION = 1
"""The version that is written. Older ones are read, newer ones are refused."""

HEADER = "format"


def dumps(patterns: Iterable[Pattern]) -> str:
    """The text of a pattern file."""
    ordered = sorted(patterns, key=lambda pattern: (pattern.site, -pattern.score, pattern.name))
    lines = [_line({HEADER: FORMAT, "version": VERSION}), *(_line(_record(pattern)) for pattern in ordered)]
    return "\n".join(lines) + "\n"


def loads(text: str) -> list[Pattern]:
    """The patterns of a pattern file's text. Empty lines and lines that begin with ``#`` are passed over.

    :raises PatternFileError: when the text is no pattern file, is of a newer version, or has a line that can't
        be understood; names the line and the field.
    """
    rows = [
        (number, row)
        for number, row in enumerate(text.split("\n"), start=1)
        if row.strip() and not row.lstrip().startswith("#")
    ]
    if not rows:
        raise PatternFileError(
            "The pattern file is empty: it has not even a header. Delete it, then learn again.", line=1
        )
    _check_header(*rows[0])
    patterns = [_at_line(number, row) for number, row in rows[1:]]
    _check_unique([number for number, _ in rows[1:]], patterns)
    return patterns


def _line(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False, sort_keys=True, allow_nan=False)


def _record(pattern: Pattern) -> dict[str, Any]:
    return {
        "kind": pattern.kind,
        "site": pattern.site,
        "name": pattern.name,
        "support": pattern.support,
        "score": pattern.score,
        "samples": [{"url": sample.url, "title": sample.title} for sample in pattern.samples],
        "learned": pattern.learned,
        "site_wide": pattern.site_wide,
        **pattern.to_record(),
    }


def _at_line(number: int, row: str) -> Pattern:
    try:
        return _pattern(Record(_parsed(row)))
    except PatternFileError as error:
        raise error.at(line=number) from error


def _parsed(row: str) -> Any:
    try:
        return json.loads(row)
    except (ValueError, RecursionError) as error:
        raise PatternFileError(
            f"The line is not JSON: {error}. Was the file cut off, or edited by hand? Correct the line, or "
            "delete it and learn the site again."
        ) from error


def _pattern(record: Record) -> Pattern:
    kind = kind_named(record)
    samples = tuple(
        Sample(sample.text("url"), sample.optional_text("title")) for sample in record.records("samples", optional=True)
    )
    common = {
        "site": record.text("site"),
        "name": record.text("name"),
        "support": record.whole("support", least=0),
        "score": record.number("score"),
        "samples": samples,
        "learned": record.optional_text("learned"),
        "site_wide": record.flag("site_wide", False),
    }
    return kind.from_record(record, common)


def _check_header(number: int, row: str) -> None:
    try:
        fields = _parsed(row)
    except PatternFileError as error:
        raise error.at(line=number) from error
    if not isinstance(fields, dict) or fields.get(HEADER) != FORMAT:
        raise PatternFileError(
            f'This is not a pattern file: its first line must be {{"{HEADER}": "{FORMAT}", "version": {VERSION}}}.'
            " A file of Webstemmer can be imported: `scrapy stemmer import`.",
            line=number,
            field=HEADER,
        )
    version = fields.get("version")
    if type(version) is not int or not 1 <= version <= VERSION:
        raise PatternFileError(
            f"The file is of version {version!r}; this scrapy-stemmer reads versions 1 to {VERSION}. Upgrade "
            "scrapy-stemmer, or learn again.",
            line=number,
            field="version",
        )


def _check_unique(numbers: list[int], patterns: list[Pattern]) -> None:
    seen: dict[tuple[str, str], int] = {}
    for number, pattern in zip(numbers, patterns, strict=True):
        first = seen.setdefault((pattern.site, pattern.name), number)
        if first != number:
            raise PatternFileError(
                f"The site {pattern.site!r} has a pattern of this name in line {first} already. Rename one, or "
                "delete it.",
                line=number,
                field="name",
            )

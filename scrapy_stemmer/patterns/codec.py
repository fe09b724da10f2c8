"""Patterns as text: JSON Lines, a header first, then one pattern a line. A line that begins with a space goes on with
the one before, so that a pattern's rules stand below each other.

The text is meant for people too: named fields in a fixed order, sites and patterns as well, so that a new file can
be compared with the old one line by line and edited by hand. A line begins with what identifies a pattern, so that
a file of many sites can be searched without reading the lines to their ends."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy_stemmer.exceptions import PatternFileError
from scrapy_stemmer.patterns.base import Level, Pattern, Sample
from scrapy_stemmer.patterns.record import Record

if TYPE_CHECKING:
    from scrapy_stemmer.patterns.base import Pattern
    from scrapy_stemmer.patterns.record import Record


ENTRY_POINTS = "scrapy_stemmer.patterns"
"""Entry point group by which other packages add kinds: ``kind = module:Class``."""

BUILT_IN = {
    "dom_hash": "scrapy_stemmer.learners.repetition.pattern:DomHashPattern",
    "essential_path": "scrapy_stemmer.learners.text_mdl.pattern:EssentialPathPattern",
    "layout": "scrapy_stemmer.learners.layout.pattern:LayoutPattern",
    "regex_tree": "scrapy_stemmer.learners.regex_tree.pattern:RegexTreePattern",
    "rules": "scrapy_stemmer.learners.rules.pattern:RulesPattern",
    "selector_rule": "scrapy_stemmer.learners.visual.pattern:SelectorRulePattern",
    "shingle": "scrapy_stemmer.learners.repetition.pattern:ShinglePattern",
}
"""The kinds of this package, imported when a pattern is of them: some need numpy, which takes longer than all else."""

GONE = {"evidence": "which scrapy-stemmer 0.1.0 learned and this version no longer reads"}
"""Kinds of earlier versions, and what is to be said of them."""


def kind_named(record: Record) -> type[Pattern]:
    """The class of a record's ``kind``.

    :raises PatternFileError: for a kind that neither this package nor an installed one has.
    """
    kind = record.text("kind")
    if kind in GONE:
        raise record.error("kind", f"is {kind!r}, {GONE[kind]}")
    if kind in BUILT_IN:
        built_in: type[Pattern] = EntryPoint(kind, BUILT_IN[kind], ENTRY_POINTS).load()
        return built_in
    for point in entry_points(group=ENTRY_POINTS, name=kind):
        found: type[Pattern] = point.load()
        return found
    known = ", ".join(sorted({*BUILT_IN, *(point.name for point in entry_points(group=ENTRY_POINTS))}))
    raise record.error("kind", f"is {kind!r}, which is not known here; known are: {known}")


# Patterns as text: JSON Lines, a header first, then one pattern a line. A line that begins with a space goes on with
# the one before, so that a pattern's rules stand below each other.
#
# The text is meant for people too: named fields in a fixed order, sites and patterns as well, so that a new file can
# be compared with the old one line by line and edited by hand. A line begins with what identifies a pattern, so that
# a file of many sites can be searched without reading the lines to their ends

FORMAT = "scrapy-stemmer patterns"
"""What the header says the file is."""

VERSION = 1
"""The version that is written. Older ones are read, newer ones are refused."""

HEADER = "format"

FIRST = ("site", "score", "name", "kind")
"""The fields that a line begins with; the others follow in the order of their names."""

OPAQUE = "~"
"""Fields whose names begin so are for the program only; each has a line of its own."""

_HEAD = re.compile(
    rb'\{"site": ("(?:[^"\\]|\\.)*+"), "score": (-?[0-9][0-9.eE+-]*+), "name": ("(?:[^"\\]|\\.)*+"), "kind": "'
)

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character, as a URL that was cut off or badly decoded may have; UTF-8 has no place for it, but JSON has."""

_COMMENTS = re.compile(r"(?m)^[ \t]*#.*$")
"""Lines that are passed over; no text of JSON has an end of line in it."""


class Head(NamedTuple):
    """What identifies a pattern, and its place among others."""

    site: str
    score: float
    name: str

    @property
    def order(self) -> tuple[str, float, str]:
        """By this the lines of a file are sorted."""
        return self.site, -self.score, self.name


def head_of(pattern: Pattern) -> Head:
    """The head of a pattern."""
    return Head(pattern.site, pattern.score, pattern.name)


def dumps(patterns: Iterable[Pattern]) -> str:
    """The text of a pattern file."""
    ordered = sorted(patterns, key=lambda pattern: head_of(pattern).order)
    return "\n".join([header(), *map(line_of, ordered)]) + "\n"


def header() -> str:
    """The first line of a pattern file."""
    return _json({HEADER: FORMAT, "version": VERSION})


def line_of(pattern: Pattern) -> str:
    """The line of a pattern."""
    fields = _record(pattern)
    first = {name: fields.pop(name) for name in FIRST}
    written = [f"{_json(name)}: {_json(first[name])}" for name in FIRST]
    text = ", ".join(written)
    for name in sorted(fields):
        if name in pattern.lists and fields[name]:
            items = ",\n  ".join(map(_json, fields[name]))
            text += f", {_json(name)}: [\n  {items}\n ]"
        else:
            between = ",\n " if name.startswith(OPAQUE) else ", "
            text += f"{between}{_json(name)}: {_json(fields[name], sort_keys=True)}"
    return "{" + _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "}"


def loads(text: str) -> list[Pattern]:
    """The patterns of a pattern file's text. Empty lines and lines that begin with ``#`` are passed over.

    :raises PatternFileError: when the text is no pattern file, is of a newer version, or has a line that can't
        be understood; names the line and the field.
    """
    rows: list[tuple[int, str]] = []
    is_open = False
    for number, row in enumerate(text.split("\n"), start=1):
        if not row.strip():
            is_open = False
        elif is_open and continues(row.encode("utf-8", "surrogatepass")):
            rows[-1] = (rows[-1][0], f"{rows[-1][1]}\n{row}")
        elif not row.lstrip().startswith("#"):
            rows.append((number, row))
            is_open = True
    if not rows:
        raise empty_file()
    check_header(*rows[0])
    patterns = [read_line(number, row) for number, row in rows[1:]]
    check_unique((number, head_of(pattern)) for (number, _), pattern in zip(rows[1:], patterns, strict=True))
    return patterns


def continues(line: bytes) -> bool:
    """Whether a line of a file goes on with the pattern of the line before."""
    return line[:1] in (b" ", b"\t") and bool(line.strip()) and not line.lstrip().startswith(b"#")


def glance(line: bytes) -> Head | None:
    """The head of a line, by its beginning and end alone.

    :returns: ``None`` for a line that has not the form of :func:`line_of`, and has to be read as a whole.
    """
    found = _HEAD.match(line)
    if found is None or not line.endswith(b"}"):
        return None
    try:
        site, name = json.loads(found[1]), json.loads(found[3])
        return Head(site, float(found[2]), name)
    except ValueError:
        return None


def read_line(number: int, row: str | bytes) -> Pattern:
    """The pattern of a line.

    :param number: the line's number, counted from 1.
    :raises PatternFileError: when it can't be understood.
    """
    try:
        return _pattern(Record(_parsed(row)))
    except PatternFileError as error:
        raise error.at(line=number) from error


def empty_file() -> PatternFileError:
    """The error for a file without a header."""
    return PatternFileError("The pattern file is empty: it has not even a header. Delete it, then learn again.", line=1)


def _json(value: Any, *, sort_keys: bool = False) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=sort_keys, allow_nan=False)


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
        **_watched(pattern),
        **pattern.to_record(),
    }


def _watched(pattern: Pattern) -> dict[str, Any]:
    """The fields that only patterns of crawls have."""
    level = {} if pattern.level is None else {"level": asdict(pattern.level)}
    return level if pattern.retired is None else {**level, "retired": pattern.retired}


def _parsed(row: str | bytes) -> Any:
    try:
        text = row if isinstance(row, str) else row.decode("utf-8")
        return json.loads(_COMMENTS.sub("", text) if "\n" in text else text)
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
        "level": None if record.is_null("level") else _level(record.record("level")),
        "retired": record.optional_text("retired"),
    }
    return kind.from_record(record, common)


def _level(record: Record) -> Level:
    def share(field: str) -> float | None:
        return None if record.is_null(field) else record.number(field, least=0.0, most=1.0)

    fits = record.number("fits", least=0.0, most=1.0)
    return Level(record.whole("pages", least=1), fits, share("confidence"), share("path_share"))


def check_header(number: int, row: str | bytes) -> None:
    """Check the first line of a file.

    :raises PatternFileError: when it is not one that this version can read.
    """
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


def check_unique(heads: Iterable[tuple[int, Head]]) -> None:
    """Check that no site has two patterns of one name.

    :param heads: the number and the head of each line.
    :raises PatternFileError: naming the second of two lines.
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

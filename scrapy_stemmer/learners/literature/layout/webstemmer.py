"""Import and export of Webstemmer's files: layout patterns and linkinfo.

A pattern file has one pattern a line as a Python literal: ``(score, name, title_index, [(diffscore, mainscore,
feature), ...])``. ``#``
begins a comment. Comments before a pattern are ``# score <name>`` and ``#<tab>page`` for each page of its sample. Pages
are named ``baseid/host/path``. The line ``!mangle_pat='...'`` holds the regular expression of analyze.py's option
``-P``. Webstemmer evaluates such lines; this module only parses literals.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from scrapy_stemmer.exceptions import PatternFileError, place_of_errors
from scrapy_stemmer.learners.literature.base import MAX_SAMPLES
from scrapy_stemmer.learners.literature.blocks import BlockOptions
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern, Section
from scrapy_stemmer.page.document import site_of
from scrapy_stemmer.page.text import collapse
from scrapy_stemmer.patterns.base import Pattern, Sample
from scrapy_stemmer.patterns.codec import check_unique, line_head_of
from scrapy_stemmer.patterns.record import Record

MANGLE = "!mangle_pat="

_HEAD, _SECTION = ("score", "name", "title_index", "sections"), ("diffscore", "mainscore", "feature")
_PAGE = re.compile(r"#(?:\t\s*|\s{2,})(\S.*)")
_ADVICE = "Correct it by hand, or delete the line."


def loads(text: str, site: str | None = None) -> list[LayoutPattern]:
    """Read the patterns of a pattern file of version 0.6 or later, in order.

    Patterns without ``site`` take the site from the names of their pages. They label pages as extract.py does.
    """
    patterns: dict[int, LayoutPattern] = {}  # by the numbers of their lines
    comments: list[str] = []
    mangle: str | None = None
    for number, line in _lines(text):
        with place_of_errors(line=number):
            if line.startswith("#"):
                comments.append(line)
            elif line.startswith("!"):
                mangle = _mangle(line)
            else:
                patterns[number] = _pattern(line, comments, site)
                comments = []
    check_unique((number, line_head_of(pattern)) for number, pattern in patterns.items())
    if not patterns and not any(comment.startswith("### ") for comment in comments):
        raise PatternFileError(
            "This is no pattern file of Webstemmer: it has neither a header (### version=...) nor a pattern. Give "
            "the file that analyze.py has printed."
        )
    blocks = BlockOptions(mangle, original=True)
    return [replace(pattern, blocks=blocks) for pattern in patterns.values()]


def dumps(patterns: Iterable[Pattern]) -> str:
    """Write the layouts among the patterns as a Webstemmer 0.6 pattern file for extract.py and :func:`loads`."""
    layouts = [pattern for pattern in patterns if isinstance(pattern, LayoutPattern)]
    layouts.sort(key=lambda pattern: (pattern.site, -pattern.score, pattern.name))
    if not all(pattern.blocks.original for pattern in layouts):
        raise PatternFileError(
            "extract.py would find few pages of these layouts. For layouts that it can use, learn with "
            "STEMMER_LEARNER_OPTIONS = {'original': True}.",
            field="blocks.original",
        )
    mangles = {pattern.blocks.mangle for pattern in layouts}
    if len(mangles) > 1:
        raise PatternFileError(
            "The patterns differ in mangle, and a Webstemmer file has one !mangle_pat for all. Put those with the "
            "same mangle into a pattern file of their own, and export that.",
            field="blocks.mangle",
        )
    lines = ["### version=0.6.1", ""]
    for mangle in mangles - {None}:
        lines += [f"{MANGLE}{mangle!r}", ""]
    for pattern in layouts:
        pages = [f"#\t{collapse(sample.url)}" for sample in pattern.samples]
        scores = ((section.diffscore, section.mainscore, section.feature) for section in pattern.sections)
        sections = [(diff, main, feature.encode("ascii", "replace").decode("ascii")) for diff, main, feature in scores]
        title = -1 if pattern.title is None else pattern.title
        values = (pattern.score, pattern.name, title, sections)
        lines += [f"# {pattern.score!r} <{collapse(pattern.name)}>", *pages, repr(values), ""]
    return "\n".join(lines)


def read_linkinfo(text: str) -> dict[str, tuple[str, ...]]:
    """Read a linkinfo file, one ``(name, [text, ...])`` a line, into anchor texts by page name, repeats kept."""
    links: dict[str, tuple[str, ...]] = {}
    for number, line in _lines(text):
        with place_of_errors(line=number):
            record = _record(_literal(line), ("name", "texts"))
            name = _python2_text(record.text("name"), line)
            links[name] = links.get(name, ()) + record.texts("texts")
    return links


def write_linkinfo(links: Mapping[str, Iterable[str]]) -> str:
    lines = (f"({name!r}, [{', '.join(f'u{text!a}' for text in texts)}])\n" for name, texts in sorted(links.items()))
    return "".join(lines)


def url_of(name: str) -> str | None:
    """Return the URL of a page from its name, ``baseid/host/path``, assuming ``http``; ``None`` without a host."""
    if "://" in name:
        return name
    address = name.partition("/")[2]
    return f"http://{address}" if address else None


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line.strip()) for number, line in enumerate(text.split("\n"), start=1) if line.strip())


def _mangle(line: str) -> str | None:
    if not line.startswith(MANGLE):
        raise PatternFileError(f"Of lines that begin with '!', only {MANGLE} is known. {_ADVICE}")
    expression = Record({"mangle_pat": _literal(line.removeprefix(MANGLE))}).expression("mangle_pat", None)
    if re.compile(expression or "").groups:
        # Webstemmer keeps the matches of groups, scrapy-stemmer the match of the whole expression.
        raise PatternFileError(
            f"The expression {expression!r} has a group. Write (?:...) for it, and lookarounds for the rest.",
            field="mangle_pat",
        )
    return expression


def _pattern(line: str, comments: Iterable[str], site: str | None) -> LayoutPattern:
    record = _record(_literal(line), _HEAD)
    name = _python2_text(record.text("name"), line)
    pages = [match[1] for match in map(_PAGE.fullmatch, comments) if match]
    if site is None:
        site = next(filter(None, (site_of(url_of(page) or "") for page in (name, *pages))), None)
    if site is None:
        raise PatternFileError(
            f"The name {name!r} does not tell the site, as baseid/host/path would. Say it with --site.", field="name"
        )
    entries = [_record(value, _SECTION, f"sections[{index}]") for index, value in enumerate(record.items("sections"))]
    sections = tuple([entry.read(Section) for entry in entries])
    return LayoutPattern(
        site=site,
        name=name,
        support=len(pages),
        score=record.number("score"),
        samples=tuple(Sample(url_of(page) or page) for page in pages[:MAX_SAMPLES]),
        sections=sections,
        title=_index(record, "title_index", len(sections)),
    )


def _index(record: Record, name: str, count: int) -> int | None:
    index = record.whole(name, least=-1)
    if index >= count:
        raise record.error(name, f"must be -1 or the index of one of the {count} sections, not {index}")
    return None if index == -1 else index


def _record(value: Any, names: tuple[str, ...], path: str = "") -> Record:
    if isinstance(value, (tuple, list)) and len(value) == len(names):
        return Record(dict(zip(names, value, strict=True)), path)
    raise PatternFileError(f"{path or 'The line'} must be ({', '.join(names)}). {_ADVICE}", field=path or None)


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise PatternFileError(
            "The line is not a Python literal of numbers, texts, tuples and lists. Nothing else is read, code is "
            f"never run. Was the file cut off? {_ADVICE}"
        ) from error


def _python2_text(text: str, line: str) -> str:
    """Decode a text written by Python 2 as ``\\x`` escapes of its bytes, in a line of ASCII."""
    if text.isascii() or not line.isascii():
        return text
    try:
        return text.encode("latin-1").decode("utf-8")
    except ValueError:
        return text

"""Output forms of stripped pages: text, JSON Lines, CSV, Markdown, a folder of files, and Webstemmer's format.

:func:`form_of` derives the form from the name of an output.
"""

from __future__ import annotations

import csv
import io
import json
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy_stemmer.commands import FORMATS
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.fields.products import PRODUCT_FIELDS
from scrapy_stemmer.fields.rules import ALL_FIELDS, FIELDS
from scrapy_stemmer.outputs import HEAD, markdown_file
from scrapy_stemmer.outputs.files import text_cell, without_front_matter
from scrapy_stemmer.page.blocks import Reason
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.patternset import CONTENTS, FLAGS, TEXTS, Stripped
from scrapy_stemmer.settings import StemmerConfig
from scrapy_stemmer.writing.outline import json_value

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

SUFFIXES = {**dict.fromkeys((".jsonl", ".jl", ".ndjson"), "jsonl"), ".csv": "csv", ".md": "markdown", ".txt": "text"}
"""Format of each suffix."""

STDOUT = "-"  # standard output or input

RESULTS = (*FLAGS, "title", "text", "sub_text", "html")  # of a line in JSON Lines

TABLE_FIELDS = ("authors", "published")  # fields in tables even without ``--fields``

COLUMNS = {
    "jsonl": RESULTS,
    "markdown_jsonl": (*HEAD, "reason", "markdown"),
    "csv": ("title", *TABLE_FIELDS, "text", "kind", "confidence", "reason"),
    "markdown_csv": ("title", *TABLE_FIELDS, "markdown", "kind", "confidence", "reason"),
}
"""Columns of a page after its URL, by form."""

IN_TEXT = ("title", "confidence", "kind", "reason", "text")  # results in the form to read

FRONT_MATTER = (*FIELDS, *PRODUCT_FIELDS)  # fields in front matter even without ``--fields``

IN_TABLES = "; "  # separates the values of a field


def with_output_options(settings: BaseSettings, options: Namespace) -> BaseSettings:
    from scrapy.settings import get_settings_priority

    if (settings.getpriority("STEMMER_FIELDS") or 0) >= get_settings_priority("cmdline"):
        raise StemmerError("STEMMER_FIELDS names fields of a project's items: name columns by --fields.")
    settings = settings.copy()
    if options.no_links or options.no_images:
        kept = [
            part for part in StemmerConfig.from_settings(settings, "").markdown if not getattr(options, f"no_{part}")
        ]
        settings.set("STEMMER_MARKDOWN", kept, priority="cmdline")
    return settings


class PageForm(NamedTuple):
    """Form of pages, and the kind of their output."""

    name: str  # a format, or ``pages`` (of Markdown), ``markdown_jsonl``, ``markdown_csv``
    container: str | None  # ``plain`` or ``gzip``; ``None`` without a file
    formulas: bool = False  # write cells of tables unchanged, though a spreadsheet may read formulas

    @property
    def is_folder(self) -> bool:
        return self.name == "pages"

    @property
    def is_markdown(self) -> bool:
        return self.name in ("markdown", "pages")

    @property
    def is_table(self) -> bool:
        return self.name in ("csv", "markdown_csv")

    def head(self, asked: Sequence[str]) -> list[str]:
        return [_row(self, ["url", *table_columns(self.name, asked)])] if self.is_table else []


def form_of(output: str | None, wanted: str | None, formats: Sequence[str] = FORMATS) -> PageForm:
    """Return the form of an output, from its name and the requested format.

    :raises StemmerError: for contradictory or unknown formats.
    """
    if output is None or output == STDOUT:
        return PageForm(wanted or "text", None)
    path = Path(output)
    if path.exists() and not path.is_file() and not path.is_dir():  # a device
        return PageForm(wanted or "text", "plain")
    form = SUFFIXES.get(Path(output.lower().removesuffix(".gz")).suffix)
    container = "gzip" if output.endswith(".gz") else "plain"
    if path.is_dir() or output.endswith("/") or (form is None and wanted == "markdown") or not (form or path.suffix):
        return _form_of_folder(output, wanted)
    if wanted is None and form is None:
        raise StemmerError(
            f"{output}: its name tells no format. Let it end in "
            f"{', '.join(suffix for suffix, name in SUFFIXES.items() if name in formats)} (or these with .gz), name a "
            f"folder for Markdown with a slash behind, as {output}/, or say --format {'|'.join(formats)}."
        )
    if wanted == "markdown" and form in ("jsonl", "csv"):
        return PageForm(f"markdown_{form}", container)
    if wanted and form not in (None, "text", wanted):
        raise StemmerError(f"{output} is {form} by its name, but --format says {wanted}: leave out one of them.")
    return PageForm(wanted or form or "text", container)


def _form_of_folder(output: str, wanted: str | None) -> PageForm:
    if wanted in (None, "markdown"):
        if Path(output).is_file():
            raise StemmerError(
                f"{output} is a file: Markdown is written into a folder, or into a file whose name ends in .md, .jsonl "
                "or .csv."
            )
        return PageForm("pages", None)
    if Path(output).is_dir() or output.endswith("/"):
        raise StemmerError(f"{output} is a folder, into which only --format markdown is written: name a file.")
    return PageForm(wanted, "plain")


def asked_fields(option: str | None, form: PageForm, own: Sequence[str]) -> tuple[str, ...]:
    """Return the fields named by ``--fields``, or all fields for the bare option.

    :param own: names of the users' fields.
    :raises StemmerError: for an unknown name.
    """
    known = (*ALL_FIELDS, *own)
    always = (*FRONT_MATTER, *own) if form.is_markdown else ()
    names = tuple(name.strip() for name in option.split(",")) if option else known if option == "" else ()
    every = (*known, *FLAGS, *CONTENTS)
    for name in names:
        if name not in every:
            raise StemmerError(
                f"--fields {option}: there is no field {name!r}; there are {', '.join(every)}. To make it: scrapy "
                f"stemmer teach PATTERNFILE --example URL {name} VALUE"
            )
    return tuple(dict.fromkeys((*always, *names)))


def table_columns(form: str, asked: Sequence[str]) -> list[str]:
    return list(dict.fromkeys((*COLUMNS[form], *asked)))


def results_wanted(form: PageForm, asked: Sequence[str]) -> list[str]:
    if form.is_table:
        return table_columns(form.name, asked)
    if form.is_markdown:
        return [name for name in (*HEAD, *asked, "markdown") if name != "url"]
    results = COLUMNS.get(form.name, IN_TEXT)
    return [name for name in (*results, *asked) if name != "url"]


def as_lines(page: Page, stripped: Stripped, form: PageForm, asked: Sequence[str] = ()) -> list[str]:
    if form.name == "webstemmer":
        return _as_webstemmer(page, stripped)
    names = results_wanted(form, asked)
    own = [name for name in names if name not in (*FLAGS, *CONTENTS)]
    fields = stripped._fields_named(own).as_dict() if own else {}
    results = {"url": page.url, **{name: json_value(getattr(stripped, name)) for name in names if name not in own}}
    if form.name in COLUMNS and not form.is_table:
        return result_lines({**results, "fields": fields} if own else results, form, asked)
    return result_lines(results | {name: fields.get(name) for name in own}, form, asked)


def result_lines(results: Mapping[str, Any], form: PageForm, asked: Sequence[str] = ()) -> list[str]:
    if form.is_table:
        return [_row(form, (results.get(name) for name in ["url", *table_columns(form.name, asked)]))]
    if form.name in COLUMNS:
        return [json.dumps(dict(results), ensure_ascii=False)]
    if form.is_markdown:
        there = {name: results.get(name) for name in HEAD}
        there |= {name: results[name] for name in asked if results.get(name) and name not in TEXTS}
        markdown = results.get("markdown") or ""
        if form.is_folder:
            return [results["url"], markdown_file(there, markdown)]
        return markdown_file(there, without_front_matter(markdown)).split("\n")
    return _as_text(results, asked)


def as_failed(page: Page, error: str, form: PageForm, asked: Sequence[str]) -> list[str]:
    """Return the lines of a page after a failure; none in Markdown."""
    if form.is_table:
        names = table_columns(form.name, asked)
        return [_row(form, [page.url, *(Reason.FAILED if name == "reason" else None for name in names)])]
    if form.name in COLUMNS:
        failed = {"url": page.url, "matched": False, "reason": Reason.FAILED, "error": error}
        return [json.dumps(failed, ensure_ascii=False)]
    if form.name == "webstemmer":
        return [f"!UNMATCHED: {page.url}", f"REASON: {Reason.FAILED}", ""]
    return [] if form.is_markdown else [f"URL: {page.url}", f"No text: {Reason.FAILED}", ""]


def _row(form: PageForm, values: Iterable[Any]) -> str:
    cells = map(_in_table, values)
    file = io.StringIO()
    csv.writer(file).writerow(cells if form.formulas else map(text_cell, cells))
    return file.getvalue().removesuffix("\r\n")


def _in_table(value: Any) -> Any:
    """Return a value as the cell of a table: items of a list with semicolons between, objects as JSON."""
    if not isinstance(value, tuple | list):
        return value
    return IN_TABLES.join(each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in value)


def _as_text(results: Mapping[str, Any], asked: Sequence[str]) -> list[str]:
    title, text = results["title"] or "", results["text"] or ""
    lines = [f"URL: {results['url']}"]
    if title:
        lines.append(f"Title: {title}")
    if results["confidence"] is not None:
        kind = f" ({results['kind']})" if results["kind"] else ""
        lines.append(f"Confidence: {results['confidence']:.2f}{kind}")
    lines += fields_as_text(results, [name for name in asked if name not in IN_TEXT])
    if results["reason"]:
        lines.append(f"No text: {results['reason']}")
    text = text.removeprefix(f"{title}\n")
    return [*lines, "", *text.split("\n"), ""] if text not in ("", title) else [*lines, ""]


def fields_as_text(results: Mapping[str, Any], asked: Sequence[str] = ALL_FIELDS) -> list[str]:
    found = ((name, results.get(name)) for name in asked)
    return [f"{name.replace('_', ' ').capitalize()}: {_in_table(value)}" for name, value in found if value]


def _as_webstemmer(page: Page, stripped: Stripped) -> list[str]:
    """Return a page as Webstemmer's extract.py prints it, with ``!ALONE`` for pages stripped by the scorer."""
    if stripped.reason not in (None, Reason.NO_MAIN_TEXT):
        return [f"!UNMATCHED: {page.url}", f"REASON: {stripped.reason}", ""]
    pattern = f"PATTERN: {stripped.pattern} ({stripped.similarity:.3f})"
    return [
        *([f"!MATCHED: {page.url}", pattern] if stripped.matched else [f"!ALONE: {page.url}"]),
        *([f"REASON: {stripped.reason}"] if stripped.reason else []),
        f"TITLE: {stripped.title or ''}",
        *(f"MAIN: {block.text}" for block in stripped.main),
        *(f"SUB: {block.text}" for block in stripped.sub),
        "",
    ]

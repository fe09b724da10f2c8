"""The sub-commands ``strip`` and ``check``: stored pages without their template, and whether that is as it was.

``strip`` works on all cores. ``check`` compares with a file of examples, JSON Lines with one page a line: ``url``,
``html``, and what was right for it, ``title`` and ``text``.
"""

from __future__ import annotations

import difflib
import gzip
import json
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from scrapy_stemmer import patternset
from scrapy_stemmer.commands.outputs import replaced, written_lines
from scrapy_stemmer.commands.sources.base import LeftOut
from scrapy_stemmer.commands.sources.files import read_page_lines, read_pages
from scrapy_stemmer.commands.stored_pages import Progress, SourcePage, in_batches, note, tell_left_out
from scrapy_stemmer.core.blocks import Reason
from scrapy_stemmer.core.document import Page, decode
from scrapy_stemmer.core.text import counted, file_name
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.outputs import HEAD, markdown_page
from scrapy_stemmer.patterns.base import MatchOptions
from scrapy_stemmer.patternset import PatternSet, Stripped
from scrapy_stemmer.settings import StemmerConfig
from scrapy_stemmer.stores import open_store

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

RESULTS = tuple("matched pattern similarity kind confidence reason source title text sub_text html".split())

COLUMNS = {"jsonl": RESULTS, "markdown_jsonl": (*HEAD, "reason", "markdown")}
"""What JSON Lines have of a page behind its URL, by the form."""


def strip(options: Namespace, settings: BaseSettings) -> Iterator[str]:
    """Pages without their template, by patterns or each alone; as extract.py has them, as JSON Lines or Markdown."""
    loaded.cache_clear()
    uri, sources = options.patterns, options.pages
    if options.alone:  # a source that stands before it was taken for the pattern file
        uri, sources = None, [*filter(None, [options.patterns]), *options.pages]
    sites = loaded(uri).sites if uri else ()
    config = StemmerConfig.from_settings(settings, "")
    form, output = options.format, options.output
    is_folder = form == "markdown" and bool(output) and not output.endswith((".jsonl", ".jsonl.gz"))
    if form == "markdown" and output:
        form = "pages" if is_folder else "markdown_jsonl"
    if options.fields and form == "text":
        raise StemmerError("Text has no place for --fields: add --format jsonl, or --format markdown.")
    container = None if is_folder or not output else "gzip" if output.endswith(".gz") else "plain"
    how = Stripping(uri, config.match_options, config.charset, form, options.fields, container)
    left_out, progress = LeftOut(), Progress()
    read = partial(read_pages, options=options, config=config, left_out=left_out, sites=sites)
    results = in_batches(partial(strip_pages, how), sources, read, left_out, options.processes)
    done = _told(progress.over_pages(results, "stripping", lambda batch: batch.pages), left_out)
    if is_folder:
        found = chain.from_iterable(batch.lines for batch in done)
        write_folder(Path(output), zip(found, found, strict=True))
    elif output:
        with replaced(output) as file:
            file.writelines(batch.content for batch in done)
    else:
        yield from chain.from_iterable(batch.lines for batch in done)
    note(progress.summary("Reading and stripping"))
    if output:
        yield f"{counted(progress.pages, 'page')} now in {output}"


class Stripping(NamedTuple):
    """How pages are stripped."""

    uri: str | None  # of the patterns; ``None`` where each page is stripped alone
    match: MatchOptions
    charset: str
    form: str
    fields: bool  # whether JSON Lines have authors, dates and other fields too, which front matter always has
    container: str | None  # of the file that is written, ``plain`` or ``gzip``; ``None`` where there is none


class StrippedBatch(NamedTuple):
    """Some pages as they are written, as lines or as the part of a file."""

    pages: int  # their number
    lines: list[str]
    content: bytes
    errors: list[str]  # what went wrong


def _told(batches: Iterable[StrippedBatch], left_out: LeftOut) -> Iterator[StrippedBatch]:
    """The same, whose errors are told, and at the end what was left out; a StemmerError when there was no page, so that
    no file is written."""
    pages = 0
    for batch in batches:
        for error in batch.errors:
            note(error)
        pages += batch.pages
        yield batch
    tell_left_out(left_out, pages, "to strip")


def strip_pages(how: Stripping, pages: Iterable[SourcePage]) -> StrippedBatch:
    """Pages as they are written in one of the formats; called in a process of its own."""
    stripped = [strip_page(how, page) for page, *_ in pages]
    lines = list(chain.from_iterable(lines for lines, _ in stripped))
    errors = [error for _, error in stripped if error]
    if how.container is None:
        return StrippedBatch(len(stripped), lines, b"", errors)
    content = "".join(f"{line}\n" for line in lines).encode("utf-8")
    if how.container == "gzip":  # of which a file may have several, one behind the other
        content = gzip.compress(content, 6, mtime=0)
    return StrippedBatch(len(stripped), [], content, errors)


@lru_cache(maxsize=1)
def loaded(uri: str) -> PatternSet:
    """The patterns, read once in each process; a command clears this first, to have them as they are now."""
    return PatternSet.load(uri)


def strip_page(how: Stripping, page: Page) -> tuple[list[str], str | None]:
    """A page as it is written, and what went wrong."""
    try:
        by = patternset.strip if how.uri is None else loaded(how.uri).strip
        stripped = by(page, how.match, default_charset=how.charset)
        return as_lines(page, stripped, how.form, how.fields), None
    except Exception as error:  # one page must not end the others
        what = f"{type(error).__name__}: {error}"
        failed = {"url": page.url, "matched": False, "reason": Reason.FAILED, "error": what}
        lines = {
            "jsonl": [json.dumps(failed, ensure_ascii=False)],
            "text": [f"!UNMATCHED: {page.url}", f"REASON: {Reason.FAILED}", ""],
        }
        return lines.get(how.form, []), f"{page.url}: not stripped: {what}"


def as_lines(page: Page, stripped: Stripped, form: str, with_fields: bool = False) -> list[str]:
    """A page as it is written."""
    if form in COLUMNS:
        results = {name: getattr(stripped, name) for name in COLUMNS[form] if name != "url"}
        if with_fields:
            results["fields"] = stripped.fields.as_dict()
        return [json.dumps({"url": page.url, **results}, ensure_ascii=False)]
    if form in ("markdown", "pages"):
        text = markdown_page(page.url, stripped)
        return [page.url, text] if form == "pages" else text.split("\n")
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


def write_folder(folder: Path, pages: Iterable[tuple[str, ...]]) -> None:
    """Write pages, each a URL and a text, into files of a folder, named as their URLs."""
    if folder.exists() and not folder.is_dir():
        raise StemmerError(
            f"{folder} is a file: Markdown is written into a folder, or into a file of JSON Lines (.jsonl)"
        )
    used: Counter[str] = Counter()
    for url, text in pages:
        name = unused = file_path_of(url)
        while used[unused.lower()]:
            used[name.lower()] += 1
            unused = f"{name}-{used[name.lower()]}"
        used[unused.lower()] += 1
        path = folder / f"{unused}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="backslashreplace")


def file_path_of(url: str) -> str:
    """The path of a page's file below a folder, without its suffix: host, then path; no system takes it for another."""
    try:
        parts = urlsplit(url)
    except ValueError:  # such as http://[a/
        return f"pages/{file_name(url)}"
    names = [parts.netloc or "pages", *(name for name in parts.path.split("/") if name.strip("."))]
    names[-1:] = [names[-1].removesuffix(".html").removesuffix(".htm")] if len(names) > 1 else [names[-1], "index"]
    if parts.query:
        names[-1] += f"-{parts.query}"
    *folders, name = map(file_name, names)
    # No folder has the name of a page's file.
    return "/".join((*(f"{each}_" if each.lower().endswith(".md") else each for each in folders), name))


COMPARED = ("title", "text")  # what is compared of a page; what an example doesn't have is not


def check(options: Namespace, settings: BaseSettings) -> Iterator[str]:
    """Strip the examples of a file, and say where title or text are others than there, or write them there; the exit
    status is 1 when some differ, or a pattern can't be read."""
    if options.add and not options.update:
        raise StemmerError("--add needs --update, which writes EXAMPLES.")
    config = StemmerConfig.from_settings(settings, "")
    patterns = PatternSet.of_sites(open_store(options.patterns).open())
    if broken := patterns.unreadable():
        yield from map(str, broken.values())
        raise StemmerError(f"{counted(len(broken), 'pattern')} of {options.patterns} can't be read")
    if options.examples is None:
        yield f"{counted(len(patterns), 'pattern')} of {counted(len(patterns.sites), 'site')}: all can be read"
        return
    path = Path(options.examples)
    examples = list(read_page_lines(options.examples, ("url", "html"))) if path.exists() or not options.update else []
    saved = len(examples)
    if options.update and options.add:
        examples += _added(options, config, {page.url for page, _ in examples})
    now = []
    for page, example in examples:
        stripped = patterns.strip(page, config.match_options)
        now.append({**example, **{name: getattr(stripped, name) for name in COMPARED}})
    if options.update:
        if not examples:
            raise StemmerError(f"{path} has no examples. To add pages: --add SOURCE")
        _write(path, now)
        new, changed = len(now) - saved, sum(example != each for (_, example), each in zip(examples, now, strict=True))
        yield f"{path}: {counted(len(now), 'example')}, {new} new, {changed - new} changed"
        return
    differ = 0
    for number, ((_, example), each) in enumerate(zip(examples, now, strict=True), 1):
        found = list(differences(example, each, options.examples, number))
        differ += bool(found)
        yield from found
    if differ:
        raise StemmerError(
            f"{differ} of {counted(saved, 'example')} differ. If what is new is right: scrapy stemmer check "
            f"{options.patterns} {options.examples} --update"
        )
    yield f"{counted(saved, 'example')}: all as before"


def differences(example: Mapping[str, Any], results: Mapping[str, Any], name: str, number: int) -> Iterator[str]:
    """What differs, as a unified diff for each of the fields."""
    fields = [field for field in COMPARED if field in example]
    if not fields:
        raise StemmerError(
            f"{name}, example {number}: has neither {' nor '.join(COMPARED)} to compare with. To write what is found "
            "now: --update"
        )
    for field in fields:
        before, after = ([] if text is None else str(text).split("\n") for text in (example[field], results[field]))
        place = f"{example['url']} {field}"
        yield from difflib.unified_diff(before, after, f"{place} (saved)", f"{place} (now)", n=1, lineterm="")


def _write(path: Path, examples: Sequence[Mapping[str, Any]]) -> None:
    """Write a file of examples, which is replaced when all is written."""
    lines = (json.dumps(each, ensure_ascii=False) for each in examples)
    with replaced(path) as file:
        file.write(written_lines(lines, path.name))


def _added(options: Namespace, config: StemmerConfig, known: set[str]) -> Iterator[tuple[Page, dict[str, Any]]]:
    """Some pages of each site of sources."""
    left_out = LeftOut()
    of_site: Counter[str] = Counter()
    for page in read_pages(options.add, options, config, left_out):
        if page.url in known or of_site[page.site] >= options.pages or not config.accepts(page.url):
            continue
        known.add(page.url)
        of_site[page.site] += 1
        html = page.html
        if isinstance(html, bytes):
            html = decode(html, page.charset, config.charset)
        yield Page(page.url, html), {"url": page.url, "html": html}
    for line in left_out.lines():
        note(line)

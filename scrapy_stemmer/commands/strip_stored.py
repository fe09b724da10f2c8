"""Sub-commands ``strip`` and ``check``: stored pages without their template, and comparison with saved results.

``strip`` uses all cores. ``check`` compares with a file of examples, JSON Lines with ``url``, ``html``, and the
expected ``title`` and ``text`` of a page.
"""

from __future__ import annotations

import difflib
import json
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy_stemmer import patternset
from scrapy_stemmer.commands import note
from scrapy_stemmer.commands.outputs import check_folder, replaced, written_lines
from scrapy_stemmer.commands.page_forms import (
    PageForm,
    as_failed,
    as_lines,
    asked_fields,
    form_of,
    with_output_options,
)
from scrapy_stemmer.commands.sources.base import LeftOut
from scrapy_stemmer.commands.sources.files import read_page_lines, read_pages
from scrapy_stemmer.commands.stored_pages import Progress, in_batches, note_left_out
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.outputs.files import PageFolder
from scrapy_stemmer.page.document import Page, decode
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.patterns.base import StripOptions
from scrapy_stemmer.patternset import PatternSet
from scrapy_stemmer.settings import StemmerConfig
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.base import read_all

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def strip(options: Namespace, settings: BaseSettings) -> Iterator[str]:
    loaded.cache_clear()
    uri, sources = options.patterns or None, options.pages
    form, output = form_of(options.output, options.format)._replace(formulas=options.csv_formulas), options.output
    if options.fields is not None and form.name == "webstemmer":
        raise StemmerError("Webstemmer's form has no place for --fields: name another --format, such as jsonl.")
    sites = loaded(uri).sites if uri else ()
    config = StemmerConfig.from_settings(with_output_options(settings, options), "")
    asked = asked_fields(options.fields, form, loaded(uri).own_fields if uri else ())
    how = Stripping(uri, config.strip_options, config.charset, form, asked)
    left_out, progress = LeftOut(), Progress()
    pages = read_pages(sources, options, config, left_out, sites=sites)
    results = in_batches(partial(strip_pages, how), pages, options.processes)
    done = _with_notes(progress.over(results, "stripping", lambda batch: batch.pages), left_out)
    if form.is_folder:
        check_folder(Path(output))
        folder, failed = PageFolder(Path(output)), 0
        found = chain.from_iterable(batch.lines for batch in done)
        for url, text in zip(found, found, strict=True):
            try:
                folder.write(url, text)
            except StemmerError as error:
                note(str(error))
                failed += 1
        progress.pages -= failed
        if failed and not progress.pages:
            raise StemmerError(f"No page could be written into {output}.")
    elif form.container:
        with replaced(output) as file:
            file.write(written_lines(form.head(asked), is_compressed=form.container == "gzip"))
            file.writelines(batch.content for batch in done)
    else:
        head = form.head(asked)
        for batch in done:
            yield from chain(head, batch.lines)
            head = []
    note(progress.summary("Reading and stripping"))
    if form.container or form.is_folder:
        yield f"{counted(progress.pages, 'page')} now in {output}"


class Stripping(NamedTuple):
    uri: str | None  # the pattern file; ``None`` to strip each page alone
    strip_options: StripOptions
    charset: str
    form: PageForm
    fields: tuple[str, ...]  # names of fields to write, of front matter all


class StrippedBatch(NamedTuple):
    pages: int
    lines: list[str]
    content: bytes
    errors: list[str]


def _with_notes(batches: Iterable[StrippedBatch], left_out: LeftOut) -> Iterator[StrippedBatch]:
    pages = 0
    for batch in batches:
        for error in batch.errors:
            note(error)
        pages += batch.pages
        yield batch
    note_left_out(left_out, pages, "to strip")


def strip_pages(how: Stripping, pages: Sequence[Page]) -> StrippedBatch:
    """Strip and format pages. Runs in a worker process."""
    lines, errors = list[str](), list[str]()
    for page in pages:
        try:
            by = patternset.strip if how.uri is None else loaded(how.uri).strip
            stripped = by(page, how.strip_options, default_charset=how.charset)
            lines += as_lines(page, stripped, how.form, how.fields)
        except Exception as error:  # one page must not end the command
            message = f"{type(error).__name__}: {error}"
            lines += as_failed(page, message, how.form, how.fields)
            errors.append(f"{page.url}: not stripped: {message}")
    if how.form.container is None:
        return StrippedBatch(len(pages), lines, b"", errors)
    return StrippedBatch(len(pages), [], written_lines(lines, is_compressed=how.form.container == "gzip"), errors)


@lru_cache(maxsize=1)
def loaded(uri: str) -> PatternSet:
    """Load patterns once in each process; commands clear this cache first."""
    return PatternSet.load(uri)


COMPARED = ("title", "text")  # results compared, if the example has them


def check(options: Namespace, settings: BaseSettings) -> Iterator[str]:
    """Compare stripped examples with saved results, or update them.

    :raises StemmerError: if some differ or a pattern is unreadable, for exit status 1.
    """
    if options.add and not options.update:
        raise StemmerError("--add needs --update, which writes EXAMPLES.")
    config = StemmerConfig.from_settings(settings, "")
    stored = open_store(options.patterns).open()
    read_all(stored.values())
    patterns = PatternSet._of(stored)
    if broken := patterns.broken:
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
        stripped = patterns.strip(page, config.strip_options)
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
    lines = (json.dumps(each, ensure_ascii=False) for each in examples)
    with replaced(path) as file:
        file.write(written_lines(lines, is_compressed=path.suffix == ".gz"))


def _added(options: Namespace, config: StemmerConfig, known: set[str]) -> Iterator[tuple[Page, dict[str, Any]]]:
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

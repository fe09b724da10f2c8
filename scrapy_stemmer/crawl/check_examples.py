"""The sub-command ``check``: saved examples are stripped and compared, so that a change of the result is seen.

A file of examples is JSON Lines, one page a line: ``url``, ``html``, and what was right for it, ``title`` and ``text``.
"""

from __future__ import annotations

import difflib
import gzip
import json
import os
import tempfile
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings, Settings

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page, decode
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.progress import counted, note
from scrapy_stemmer.crawl.sources.base import LeftOut
from scrapy_stemmer.crawl.sources.files import read_lines
from scrapy_stemmer.crawl.sources.opened import opened
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.patterns.base import MatchOptions
from scrapy_stemmer.patternset import PatternSet

COMPARED = ("title", "text")
"""What is compared of a page; what an example doesn't have is not."""

FIELDS = ("url", "html")
"""The fields of the page itself."""


def check(options: Namespace, settings: BaseSettings | None) -> Iterator[str]:
    """Strip the examples of a file, and say where title or text are others than there; or write them there.

    :raises StemmerError: when some differ, so that the exit status is 1.
    """
    config = StemmerConfig.from_settings(settings or Settings(), "")
    patterns, match = PatternSet.load(options.patterns), config.match_options
    if options.update:
        yield from _updated(options, config, patterns)
        return
    differ = count = 0
    for page, example in read_lines(options.examples, FIELDS):
        count += 1
        found = list(_differences(example, _results(patterns, page, match), options.examples, count))
        differ += bool(found)
        yield from found
    if differ:
        raise StemmerError(
            f"{differ} of {counted(count, 'example')} differ. If what is new is right: scrapy stemmer check "
            f"{options.patterns} {options.examples} --update"
        )
    yield f"{counted(count, 'example')}: all as before"


def _results(patterns: PatternSet, page: Page, match: MatchOptions) -> dict[str, str | None]:
    stripped = patterns.strip(page, match)
    return {name: getattr(stripped, name) for name in COMPARED}


def _differences(
    example: Mapping[str, Any], results: Mapping[str, str | None], name: str, number: int
) -> Iterator[str]:
    """What differs, as a unified diff for each of the fields."""
    fields = [field for field in COMPARED if field in example]
    if not fields:
        raise StemmerError(
            f"{name}, example {number}: has neither {' nor '.join(COMPARED)} to compare with. To write what is found "
            "now: --update"
        )
    for field in fields:
        before, after = _lines(example[field]), _lines(results[field])
        place = f"{example['url']} {field}"
        yield from difflib.unified_diff(before, after, f"{place} (saved)", f"{place} (now)", n=1, lineterm="")


def _lines(text: object) -> list[str]:
    return [] if text is None else str(text).split("\n")


def _updated(options: Namespace, config: StemmerConfig, patterns: PatternSet) -> Iterator[str]:
    """Write what is found now into the file of examples, and add pages of sources to it."""
    path = Path(options.examples)
    examples = list(read_lines(options.examples, FIELDS)) if path.exists() else []
    before = len(examples)
    if options.add:
        examples += _added(options, config, {page.url for page, _ in examples})
    if not examples:
        raise StemmerError(f"{path} has no examples. To add pages: --add SOURCE")
    changed = 0
    lines = []
    for page, example in examples:
        now = {**example, **_results(patterns, page, config.match_options)}
        changed += now != example
        lines.append(json.dumps(now, ensure_ascii=False))
    _write(path, lines)
    new = len(lines) - before
    yield f"{path}: {counted(len(lines), 'example')}, {new} new, {changed - new} changed"


def _added(options: Namespace, config: StemmerConfig, known: set[str]) -> Iterator[tuple[Page, dict[str, Any]]]:
    """Some pages of each site of sources."""
    left_out = LeftOut()
    of_site: Counter[str] = Counter()
    fields = (config.url_field, config.html_field or "html")
    for source in opened(options.add, left_out, site=options.site, fields=fields):
        for page in source.pages():
            if page.url in known or of_site[page.site] >= options.pages or not config.accepts(page.url):
                continue
            known.add(page.url)
            of_site[page.site] += 1
            html = page.html
            if isinstance(html, bytes):
                html = decode(html, page.charset, config.default_charset or DEFAULT_CHARSET)
            yield Page(page.url, html), {"url": page.url, "html": html}
    for line in left_out.lines():
        note(line)


def _write(path: Path, lines: Sequence[str]) -> None:
    """Replace a file of examples, when all is written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
    Path(name).chmod(path.stat().st_mode if path.exists() else 0o644)
    Path(name).replace(path)

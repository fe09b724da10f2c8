"""The sub-command ``report``: a static site that shows how stored pages are stripped, made on all cores."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from itertools import chain
from pathlib import Path

from scrapy.settings import BaseSettings, Settings

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page
from scrapy_stemmer.core.text import stable_hash
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.drift import NOTHING, Signs, is_unusual, level_for, unusual_share
from scrapy_stemmer.crawl.page_sample import PageSample
from scrapy_stemmer.crawl.progress import Progress, counted, note
from scrapy_stemmer.crawl.sources.base import LeftOut
from scrapy_stemmer.crawl.sources.opened import opened
from scrapy_stemmer.crawl.strip_stored import batches, loaded
from scrapy_stemmer.crawl.workers import cores, in_order
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patternset import PatternSet, Stripped, gc_paused
from scrapy_stemmer.report.documents import SiteRow, index_document, layout_document
from scrapy_stemmer.report.figures import PageFigures, SiteFigures, in_time, sampled
from scrapy_stemmer.report.reading import ReadOptions, SamplePage, read_samples
from scrapy_stemmer.report.sample_document import sample_document

STATIC = ("report.css", "report.js")
"""Files that all pages of a report use."""


@dataclass(frozen=True, slots=True)
class Reporting:
    """How a report is made.

    :param uri: the pattern file.
    :param folder: of the report.
    :param read: how pages are stripped and shown.
    """

    uri: str
    folder: str
    read: ReadOptions


@dataclass(frozen=True, slots=True)
class Written:
    """What was written of a site.

    :param size: in characters.
    :param errors: what went wrong.
    """

    files: int
    size: int
    errors: tuple[str, ...] = ()


def report(options: Namespace, settings: BaseSettings | None) -> Iterator[str]:
    """A report in a folder. Pages are read twice, so that no more of them than the samples are kept, in a file."""
    if options.samples < 1:
        raise StemmerError("--samples must be at least 1.")
    patterns = PatternSet.load(options.patterns)
    loaded.cache_clear()
    config = StemmerConfig.from_settings(settings or Settings(), "")
    reading = ReadOptions(config.match_options, config.default_charset or DEFAULT_CHARSET, options.online)
    how, processes = Reporting(options.patterns, options.output, reading), options.processes or cores()
    left_out, progress, folder = LeftOut(), Progress(), Path(options.output)
    measured = in_order(partial(measure, how), batches(_pages(options, config, patterns, left_out)), processes)
    found: defaultdict[str, list[tuple[int, PageFigures]]] = defaultdict(list)
    unlearned: Counter[str] = Counter()
    stripped = progress.stripping(measured, len)
    for place, (site, figures) in enumerate(chain.from_iterable(stripped)):
        if isinstance(figures, PageFigures):
            found[site].append((place, figures))
        elif figures is None:
            unlearned[site] += 1
        else:
            note(figures)
    key = f"{stable_hash(*(str(patterns.digest_of(site)) for site in sorted(found))):016x}"
    rows, chosen = [], set[int]()
    for site in sorted(found):
        places, pages = zip(*found[site], strict=True)
        rows.append(_row(patterns, site, pages, config, key))
        chosen.update(places[at] for at in sampled(pages, options.samples))
    with PageSample(options.samples) as sample:
        for place, page in enumerate(_pages(options, config, patterns, LeftOut())):
            if place in chosen and not sample.add(page):
                left_out.add("too large to be shown", page.url)
        known = sample.sites
        tasks = ((row, sample.pages(row.site) if row.site in known else []) for row in rows)
        results = in_order(partial(write_site, how), tasks, processes)
        done = list(progress.sites(results, len(rows), lambda site: site.files, "writing"))
    for line in chain(left_out.lines(), *(site.errors for site in done)):
        note(line)
    source = f"Patterns of {options.patterns}, pages of {', '.join(options.pages)}."
    index = index_document(rows, source, unlearned, sorted({*patterns.sites} - {*found}))
    size = sum(site.size for site in done) + _write(folder, "index.html", index)
    for name in STATIC:
        size += _write(folder, name, files("scrapy_stemmer.report").joinpath(name).read_text("utf-8"))
    note(progress.summary)
    written = counted(sum(site.files for site in done) + 1, "page")
    yield f"{counted(len(rows), 'site')}, {written}, {size / 1e6:.1f} MB: open {folder / 'index.html'}"


def _pages(options: Namespace, config: StemmerConfig, patterns: PatternSet, left_out: LeftOut) -> Iterator[Page]:
    only_site = patterns.sites[0] if len(patterns.sites) == 1 else None
    fields = (config.url_field, config.html_field or "html")
    for source in opened(options.pages, left_out, site=options.site, only_site=only_site, fields=fields):
        yield from source.pages()


def measure(how: Reporting, pages: Sequence[Page]) -> list[tuple[str, PageFigures | str | None]]:
    """The site of each page with its figures, or what went wrong; called in a process of its own.

    :returns: ``None`` for the figures of pages whose site has no patterns.
    """
    patterns = loaded(how.uri)
    found: list[tuple[str, PageFigures | str | None]] = []
    for page in pages:
        known, figures = patterns.of_site(page.site), None
        try:
            with gc_paused():
                stripped = patterns.strip(page, how.read.match, default_charset=how.read.charset) if known else None
                figures = _figures(page, stripped, known) if stripped is not None else None
            found.append((page.site, figures))
        except Exception as error:  # one page must not end the others
            found.append((page.site, f"{page.url}: not stripped: {type(error).__name__}: {error}"))
    return found


def _figures(page: Page, stripped: Stripped, patterns: Sequence[Pattern]) -> PageFigures:
    level = level_for(patterns, stripped.pattern)
    if level is None:
        return PageFigures.of(page, stripped)
    return PageFigures.of(page, stripped, is_unusual(Signs.of(stripped), level), unusual_share(level))


def drifted_at(pages: Sequence[PageFigures], drift_pages: int) -> int | None:
    """After how many pages a crawl would find that their site has changed; ``None`` if it would not."""
    evidence = NOTHING
    for number, page in enumerate(pages, 1):
        if page.unusual is not None:
            evidence = evidence.after(page.unusual, page.expected)
            if evidence.is_drift(drift_pages, page.expected):
                return number
    return None


def _row(patterns: PatternSet, site: str, pages: Sequence[PageFigures], config: StemmerConfig, key: str) -> SiteRow:
    layouts: list[str | None] = [pattern.name for pattern in patterns.of_site(site)]
    if any(page.layout is None for page in pages):
        layouts.append(None)
    ordered = in_time(pages)
    return SiteRow(site, SiteFigures(ordered, drifted_at(ordered, config.drift_pages)), tuple(layouts), key)


def write_site(how: Reporting, task: tuple[SiteRow, Sequence[Page]]) -> Written:
    """Write the pages of a site; called in a process of its own."""
    row, pages = task
    folder = Path(how.folder, row.folder)
    patterns = loaded(how.uri).of_site(row.site)
    samples: list[SamplePage] = []
    errors: list[str] = []
    try:
        samples = read_samples(patterns, pages, how.read)
    except Exception as error:  # one site must not end the others
        errors.append(f"{row.name}: no pages shown: {type(error).__name__}: {error}")
    by_name = {pattern.name: pattern for pattern in patterns}
    names = [f"page-{number}.html" for number in range(1, len(samples) + 1)]
    sizes = [
        _write(folder, f"layout-{number}.html", layout_document(row, by_name.get(layout or ""), samples, names))
        for number, layout in enumerate(row.layouts, 1)
    ]
    for number, name in enumerate(names):
        sizes.append(_write(folder, name, sample_document(row, samples, names, number, how.read.is_online)))
    return Written(len(sizes), sum(sizes), tuple(errors))


def _write(folder: Path, name: str, text: str) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return len(text)

"""Sub-command ``report``: a static site of stripped stored pages, worst sites and pages first."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from scrapy.settings import BaseSettings

from scrapy_stemmer.commands import note
from scrapy_stemmer.commands.sources.base import LeftOut
from scrapy_stemmer.commands.sources.files import STDIN, read_pages
from scrapy_stemmer.commands.stored_pages import KeptPage, PageSample, Progress, in_batches, in_order, note_left_out
from scrapy_stemmer.commands.strip_stored import loaded
from scrapy_stemmer.drift import DRIFT_PAGES, NO_EVIDENCE, unusual_share
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.page.text import counted, stable_hash
from scrapy_stemmer.patterns.base import level_for
from scrapy_stemmer.patternset import PatternSet
from scrapy_stemmer.report.documents import (
    ReportedPage,
    ReportOptions,
    page_numbers,
    read_samples,
    site_documents,
    taught_in,
)
from scrapy_stemmer.report.drawing import rendered
from scrapy_stemmer.report.figures import PageFigures, SiteFigures, in_time, sampled, worst_first
from scrapy_stemmer.settings import StemmerConfig

SAMPLES, ALL_OF = 6, 200  # pages shown of each site by default; size up to which all pages of a source are shown

INDEX = "index.html"
REPORT_MARK = "scrapy-stemmer report"  # in the index of a report; files without it are not overwritten
WORST = 20  # worst pages of all sites in the index


def report(options: Namespace, settings: BaseSettings) -> Iterator[str]:
    """Write a report into a folder. Pages are read twice, so that only samples are kept, in a file."""
    loaded.cache_clear()
    patterns = loaded(options.patterns)
    config = StemmerConfig.from_settings(settings, "")
    folder = Path(options.output)
    index = _checked_index(folder, options.pages)
    key = f"{stable_hash(str(Path(options.patterns).absolute())):016x}"
    how = ReportOptions(options.patterns, folder, config.strip_options, config.charset, options.online, key)
    left_out, progress = LeftOut(), Progress()
    read = partial(read_pages, options.pages, options, config, sites=patterns.sites)
    figures = in_batches(partial(measured, how), read(left_out), options.processes)
    by_site, unlearned = _by_site(chain.from_iterable(progress.over(figures, "stripping", len)))
    note_left_out(left_out, progress.pages, "to report on")
    if unlearned:
        _note_unlearned(unlearned, options.patterns, is_all=not by_site)
    number = samples_of_each(options.samples, sum(map(len, by_site.values())))
    sites = [_site(site, of_site, patterns) for site, of_site in sorted(by_site.items())]
    chosen = {[*of_site][at] for of_site in by_site.values() for at in sampled([*of_site.values()], number)}
    too_large = LeftOut()
    with PageSample(number) as sample:
        again = read(LeftOut())
        for place, page in enumerate(progress.over(again, "reading again", total=progress.pages)):
            if place in chosen and not sample.add(page):
                too_large.add("too large to be shown", page.url)
        tasks = ((site, sample.pages(site.site)) for site in sites)
        results = in_order(partial(write_site, how), tasks, options.processes)
        done = list(
            progress.over(results, "writing", lambda written: len(written.sizes), total=len(sites), unit="site")
        )
    for line in chain(too_large.lines(), chain.from_iterable(written.failures for written in done)):
        note(line)
    sizes = [
        *chain.from_iterable(written.sizes for written in done),
        _write(folder, INDEX, _index(how, sites, options.pages, done, patterns, unlearned)),
    ]
    beside = {name: files("scrapy_stemmer.report").joinpath(name).read_text("utf-8") for name in ASSETS}
    size = sum(sizes) + sum(_write(folder, name, text) for name, text in beside.items())
    note(progress.summary("Reporting on"))
    pages, shown = (sum(map(len, each)) for each in (by_site.values(), (written.numbers for written in done)))
    written = f"{counted(len(sites), 'site')}, {counted(pages, 'page')}, {shown} shown, {size / 1e6:.1f} MB"
    yield f"{written}: open {index}"


def _checked_index(folder: Path, sources: Sequence[str]) -> Path:
    """Return the path of a report's index; raise StemmerError if the report cannot be written."""
    if STDIN in sources:
        raise StemmerError("A report reads its pages twice, and standard input can be read once: name a file.")
    if (index := folder / INDEX).exists() and REPORT_MARK not in index.read_text("utf-8", "replace"):
        raise StemmerError(f"{index} is there, and no report of ours: name another folder with -o, or remove the file")
    return index


ASSETS = ("report.css", "report.js")

Measured = tuple[str, PageFigures | str | None]  # site of a page; its figures, an error, or ``None`` without patterns


def _by_site(results: Iterable[Measured]) -> tuple[dict[str, dict[int, PageFigures]], Counter[str]]:
    """Return figures by site and place in the source, first of each URL, and page counts of unlearned sites."""
    figures_of: defaultdict[str, dict[int, PageFigures]] = defaultdict(dict)
    unlearned: Counter[str] = Counter()
    seen: set[str] = set()
    for place, (site, figures) in enumerate(results):
        if figures is None:
            unlearned[site] += 1
        elif isinstance(figures, str):
            note(figures)
        elif figures.url not in seen:
            seen.add(figures.url)
            figures_of[site][place] = figures
    return figures_of, unlearned


def _note_unlearned(unlearned: Counter[str], uri: str, *, is_all: bool) -> None:
    """Report sites without patterns; raise StemmerError if no other site is left."""
    of_sites = f"{counted(unlearned.total(), 'page')} of {counted(len(unlearned), 'site')}"
    message = f"{of_sites} without patterns in {uri}, such as {min(unlearned) or '(no host)'}"
    if is_all:
        raise StemmerError(f"There is nothing to report on: {message}.")
    note(f"left out: {message}")


def _site(name: str, pages: Mapping[int, PageFigures], patterns: PatternSet) -> SiteFigures:
    ordered, layouts = in_time([*pages.values()]), [pattern.name for pattern in patterns.of_site(name)]
    outside = [None] if any(page.layout is None for page in ordered) else []
    return SiteFigures(ordered, drifted_at(ordered), name, (*layouts, *outside))


def _index(
    how: ReportOptions,
    sites: Sequence[SiteFigures],
    sources: Sequence[str],
    written: Sequence[WrittenSite],
    patterns: PatternSet,
    unlearned: Counter[str],
) -> str:
    return rendered(
        INDEX,
        key=how.key,
        taught=taught_in([pattern for site in sites for pattern in patterns.of_site(site.site)]),
        sites=sorted(sites, key=lambda site: (site.health, site.site)),
        total=SiteFigures(tuple(chain.from_iterable(site.pages for site in sites))),
        worst=worst_pages(sites, [each.numbers for each in written]),
        uri=how.uri,
        sources=sources,
        unlearned=unlearned,
        unseen=sorted({*patterns.sites} - {site.site for site in sites}),
    )


def samples_of_each(wanted: int | None, pages: int) -> int:
    if wanted is None:
        wanted = 0 if pages <= ALL_OF else SAMPLES
    return wanted or max(pages, 1)


def worst_pages(sites: Sequence[SiteFigures], numbers: Sequence[Mapping[str, int]]) -> list[tuple[PageFigures, str]]:
    found = [
        (page, f"{site.folder}/page-{of_site[page.url]}.html" if page.url in of_site else page.url)
        for site, of_site in zip(sites, numbers, strict=True)
        for page in worst_first(site.pages)[:WORST]
    ]
    return sorted(found, key=lambda each: (each[0].health, each[0].url))[:WORST]


def measured(how: ReportOptions, pages: Iterable[Page]) -> list[Measured]:
    return [_measured(how, page) for page in pages]


def _measured(how: ReportOptions, page: Page) -> Measured:
    try:
        patterns = loaded(how.uri).of_site(page.site)
        if not patterns:
            return page.site, None
        stripped = loaded(how.uri).strip(page, how.strip_options, default_charset=how.charset)
        level = level_for(patterns, stripped.pattern)
        unusual = (stripped._is_unusual(patterns), unusual_share(level)) if level is not None else ()
        return page.site, PageFigures.of(page, stripped, *unusual)
    except Exception as error:  # one page must not end the command
        return page.site, f"{page.url}: not stripped: {type(error).__name__}: {error}"


def drifted_at(pages: Sequence[PageFigures]) -> int | None:
    evidence = NO_EVIDENCE
    for number, page in enumerate(pages, 1):
        if page.unusual is not None:
            evidence = evidence.after(page.unusual, page.expected)
            if evidence.is_drift(DRIFT_PAGES, page.expected):
                return number
    return None


class WrittenSite(NamedTuple):
    sizes: list[int]  # characters of each file
    numbers: dict[str, int]  # document number of each page, by URL
    failures: list[str]  # lines on pages without a document


def write_site(how: ReportOptions, task: tuple[SiteFigures, Sequence[KeptPage]]) -> WrittenSite:
    """Write the documents of a site. Runs in a worker process."""
    site, pages = task
    patterns = loaded(how.uri).of_site(site.site)
    samples, failures = list[ReportedPage](), list[str]()
    try:
        samples = read_samples(patterns, [kept.page() for kept in pages], how, failures)
    except Exception as error:  # one site must not end the command
        failures = [f"{site.name}: no pages shown: {type(error).__name__}: {error}"]
    documents = site_documents(site, patterns, samples, how)
    sizes = [_write(how.folder / site.folder, name, text) for name, text in documents]
    return WrittenSite(sizes, page_numbers(samples), failures)


def _write(folder: Path, name: str, text: str) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return len(text)

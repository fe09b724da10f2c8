"""The sub-command ``report``: a static site that shows how stored pages are stripped, made on all cores."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.resources import files
from itertools import chain
from pathlib import Path

from scrapy.settings import BaseSettings

from scrapy_stemmer.commands.sources.base import LeftOut
from scrapy_stemmer.commands.sources.files import read_pages
from scrapy_stemmer.commands.stored_pages import TOGETHER, PageSample, Progress, in_order, note
from scrapy_stemmer.commands.strip_stored import loaded
from scrapy_stemmer.core.document import Page
from scrapy_stemmer.core.text import counted, stable_hash
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.drift import NOTHING, unusual_share
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.patterns.base import level_for
from scrapy_stemmer.report.documents import ReportOptions, read_samples, site_documents
from scrapy_stemmer.report.figures import PageFigures, SiteFigures, in_time, sampled
from scrapy_stemmer.report.templates import rendered


def report(options: Namespace, settings: BaseSettings) -> Iterator[str]:
    """A report in a folder. Pages are read twice, so that no more of them than the samples are kept, in a file."""
    if options.samples < 1:
        raise StemmerError("--samples must be at least 1.")
    loaded.cache_clear()
    patterns = loaded(options.patterns)
    config = StemmerConfig.from_settings(settings, "")
    charset, folder = config.charset, Path(options.output)
    key = f"{stable_hash(*(str(patterns.digest_of(site)) for site in patterns.sites)):016x}"
    how = ReportOptions(options.patterns, folder, config.match_options, charset, options.online, key)
    left_out, progress = LeftOut(), Progress()
    pages = read_pages(options.pages, options, config, left_out, sites=patterns.sites)
    measured = in_order(partial(measure, how), pages, options.processes, TOGETHER)
    found: defaultdict[str, dict[int, PageFigures]] = defaultdict(dict)
    unlearned: Counter[str] = Counter()
    for place, (site, figures) in enumerate(progress.over_pages(measured, "stripping")):
        if isinstance(figures, PageFigures):
            found[site][place] = figures
        elif figures is None:
            unlearned[site] += 1
        else:
            note(figures)
    sites, chosen = [], set[int]()
    for site, of_site in sorted(found.items()):
        ordered, layouts = in_time([*of_site.values()]), [pattern.name for pattern in patterns.of_site(site)]
        outside = [None] if any(page.layout is None for page in ordered) else []
        sites.append(SiteFigures(ordered, drifted_at(ordered, config.drift_pages), site, (*layouts, *outside)))
        chosen.update([*of_site][at] for at in sampled([*of_site.values()], options.samples))
    with PageSample(options.samples) as sample:
        for place, page in enumerate(read_pages(options.pages, options, config, LeftOut(), sites=patterns.sites)):
            if place in chosen and not sample.add(page):
                left_out.add("too large to be shown", page.url)
        tasks = ((site, sample.pages(site.site)) for site in sites)
        results = in_order(partial(write_site, how), tasks, options.processes)
        done = list(progress.over_sites(results, len(sites), lambda written: len(written[0]), "writing"))
    for line in chain(left_out.lines(), (error for _, error in done if error)):
        note(line)
    index = rendered(
        "index.html",
        key=key,
        sites=sites,
        uri=options.patterns,
        sources=options.pages,
        unlearned=unlearned,
        unseen=sorted({*patterns.sites} - {*found}),
    )
    sizes = [*chain.from_iterable(written for written, _ in done), _write(folder, "index.html", index)]
    size = sum(sizes)
    for name in ("report.css", "report.js"):
        size += _write(folder, name, files("scrapy_stemmer.report").joinpath(name).read_text("utf-8"))
    note(progress.summary)
    written = f"{counted(len(sites), 'site')}, {counted(len(sizes), 'page')}, {size / 1e6:.1f} MB"
    yield f"{written}: open {folder / 'index.html'}"


def measure(how: ReportOptions, page: Page) -> tuple[str, PageFigures | str | None]:
    """The site of a page with its figures, or what went wrong; called in a process of its own.

    :returns: ``None`` for the figures of a page whose site has no patterns.
    """
    try:
        patterns = loaded(how.uri).of_site(page.site)
        if not patterns:
            return page.site, None
        stripped = loaded(how.uri).strip(page, how.match, default_charset=how.charset)
        level = level_for(patterns, stripped.pattern)
        unusual = (stripped.is_unusual(patterns), unusual_share(level)) if level is not None else ()
        return page.site, PageFigures.of(page, stripped, *unusual)
    except Exception as error:  # one page must not end the others
        return page.site, f"{page.url}: not stripped: {type(error).__name__}: {error}"


def drifted_at(pages: Sequence[PageFigures], drift_pages: int) -> int | None:
    """After how many pages a crawl would find that their site has changed; ``None`` if it would not."""
    evidence = NOTHING
    for number, page in enumerate(pages, 1):
        if page.unusual is not None:
            evidence = evidence.after(page.unusual, page.expected)
            if evidence.is_drift(drift_pages, page.expected):
                return number
    return None


def write_site(how: ReportOptions, task: tuple[SiteFigures, Sequence[Page]]) -> tuple[list[int], str | None]:
    """Write the documents of a site; called in a process of its own.

    :returns: how many characters were written into each file, and what went wrong.
    """
    site, pages = task
    patterns = loaded(how.uri).of_site(site.site)
    samples, failure = [], None
    try:
        samples = read_samples(patterns, pages, how)
    except Exception as error:  # one site must not end the others
        failure = f"{site.name}: no pages shown: {type(error).__name__}: {error}"
    documents = site_documents(site, patterns, samples, how)
    return [_write(how.folder / site.folder, name, text) for name, text in documents], failure


def _write(folder: Path, name: str, text: str) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return len(text)

"""The sub-command ``learn``: the sites of stored pages are learned, on all cores, from a sample of each."""

from __future__ import annotations

from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from scrapy.http import HtmlResponse
from scrapy.settings import BaseSettings, Settings

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page, decode, parse
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.drift import levelled
from scrapy_stemmer.crawl.responses import anchors_of, url_key
from scrapy_stemmer.crawl.sources.base import LeftOut
from scrapy_stemmer.crawl.sources.files import read_linkinfo
from scrapy_stemmer.crawl.sources.opened import opened
from scrapy_stemmer.crawl.stored_pages import PageSample, Progress, cores, counted, in_order, note
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.learners.base import Learner
from scrapy_stemmer.learners.layout import webstemmer
from scrapy_stemmer.learning import learn
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patternset import PatternSet, gc_paused
from scrapy_stemmer.stores import open_store

SAVED_AT_ONCE = 500
"""Sites that are learned before the pattern file is written; they are in memory until then."""

Links = Mapping[str, tuple[str, ...]]
"""The texts of the links to each page, by the key of its URL."""


@dataclass(frozen=True, slots=True)
class LearnedSite:
    """What was learned of a site.

    :param pages: the URLs of the pages that it was learned from, each with the texts of the links to it.
    :param patterns: empty when no layout was found.
    :param error: why it could not be learned.
    :param teacher_errors: what went wrong when the teacher was asked.
    """

    site: str
    pages: Mapping[str, tuple[str, ...]]
    patterns: tuple[Pattern, ...]
    error: str | None = None
    teacher_errors: tuple[str, ...] = ()


def learn_(options: Namespace, settings: BaseSettings | None) -> Iterator[str]:
    """Stored pages learned without a crawl, as analyze.py does, by the learner that the settings choose."""
    settings = Settings() if settings is None else settings.copy()
    if options.teacher:
        settings.set("STEMMER_TEACHER", options.teacher, priority="cmdline")
    config = StemmerConfig.from_settings(settings, "")
    left_out, progress = LeftOut(), Progress()
    with PageSample(config.sample_size) as sample:
        links = _read(options, config, left_out, sample, progress)
        for line in left_out.lines():
            note(line)
        learned = _learned(sample, links, config, options.processes or cores())
        counts = {site: count for site, count in sample.sites.items() if count >= config.min_sample}
        results = progress.sites(learned, len(counts), lambda site: len(site.pages))
        yield from _saved(results, options)
        few = len(sample.sites) - len(counts)
    if few:
        note(f"not learned: {counted(few, 'site')} with fewer pages than STEMMER_MIN_SAMPLE, {config.min_sample}")
    note(progress.summary)


def _read(
    options: Namespace, config: StemmerConfig, left_out: LeftOut, sample: PageSample, progress: Progress
) -> Links | None:
    """Put the pages of the sources into the sample.

    :returns: the texts of the links to pages, ``None`` when no source has a record of them.
    """
    links: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    fields = (config.url_field, config.html_field or "html")
    for source in opened(options.pages, left_out, site=options.site, fields=fields):
        for page in progress.reading(source.pages()):
            if config.accepts(page.url) and not sample.add(page):
                left_out.add("too large to be learned from", page.url)
        _add(links, source.links())
    if options.linkinfo:
        text = Path(options.linkinfo).read_text(encoding="utf-8", errors="replace")
        _add(links, read_linkinfo(text, options.linkinfo))
    if not sample.sites:
        raise StemmerError("There is no page to learn from in what was named, or STEMMER_URL_RULES reject all of them.")
    return links or None


def _add(links: defaultdict[str, tuple[str, ...]], found: Mapping[str, tuple[str, ...]]) -> None:
    for url, texts in found.items():
        links[url_key(url)] += texts


def _learned(sample: PageSample, links: Links | None, config: StemmerConfig, processes: int) -> Iterator[LearnedSite]:
    """The sites of a sample, learned, by site."""
    charset = config.default_charset or DEFAULT_CHARSET
    function = partial(learn_site, config.make_learner(), config.seed, charset)
    sites = [site for site, count in sample.sites.items() if count >= config.min_sample]
    tasks = ((site, sample.pages(site)) for site in sites)
    with_links = ((site, pages, None if links is None else _of_pages(links, pages)) for site, pages in tasks)
    return in_order(function, with_links, processes)


def _of_pages(links: Links, pages: Iterable[Page]) -> Links:
    keys = [url_key(page.url) for page in pages]
    return {key: links[key] for key in keys if key in links}


def learn_site(
    learner: Learner, seed: int, charset: str, task: tuple[str, Sequence[Page], Links | None]
) -> LearnedSite:
    """Learn one site; called in a process of its own.

    :param task: the site, its pages, and the texts of the links to them; those between the pages when ``None``.
    """
    site, pages, links = task
    try:
        if links is None:
            links = links_between(pages, charset)
        pages = [replace(page, anchors=tuple(links.get(url_key(page.url), ()))) for page in pages]
        with gc_paused():
            patterns = tuple(levelled(learn(pages, learner, seed).patterns, pages))
    except Exception as error:  # one site must not end the others
        return LearnedSite(site, {page.url: () for page in pages}, (), f"{type(error).__name__}: {error}")
    _, errors = learner.teacher.taken() if learner.teacher else (0, [])
    texts = tuple(f"{type(error).__name__}: {error}" for error in errors)
    return LearnedSite(site, {page.url: page.anchors for page in pages}, patterns, teacher_errors=texts)


def _saved(results: Iterable[LearnedSite], options: Namespace) -> Iterator[str]:
    """Write what is learned into the pattern file, some sites at a time; what somebody has corrected there stays."""
    if open_store(options.output).exists():
        PatternSet.load(options.output)  # a mistake in it is told before anything is learned
    stamp = datetime.now(UTC).isoformat(timespec="seconds")
    learned: list[PatternSet] = []
    linkinfo: list[str] = []
    patterns = sites = 0
    try:
        for result in results:
            sites += 1
            patterns += len(result.patterns)
            yield from _told(result)
            if options.write_linkinfo:
                linkinfo.append(linkinfo_of(result.pages))
            if result.patterns:
                learned.append(PatternSet(result.patterns).stamped(stamp))
            if len(learned) >= SAVED_AT_ONCE:
                PatternSet().replace(*learned).merge_into(options.output)
                learned = []
    except BaseException:
        # Whatever ends it, a process that has died or a user, what was learned until then is kept.
        if learned:
            PatternSet().replace(*learned).merge_into(options.output)
        raise
    PatternSet().replace(*learned).merge_into(options.output)
    if options.write_linkinfo:
        Path(options.write_linkinfo).write_text("".join(linkinfo), encoding="utf-8")
    yield f"{counted(patterns, 'pattern')} of {counted(sites, 'site')} now in {options.output}"


def _told(result: LearnedSite) -> Iterator[str]:
    """What users are told of a site."""
    site, pages = result.site or "(no host)", counted(len(result.pages), "page")
    for error in result.teacher_errors:
        note(f"{site}: the teacher failed: {error}")
    if result.error is not None:
        note(f"{site}: not learned from {pages}: {result.error}")
    else:
        yield f"{site}: {counted(len(result.patterns), 'pattern')} of {pages}"


def links_between(pages: Iterable[Page], default_charset: str = DEFAULT_CHARSET) -> Links:
    """The texts of the links that pages give to pages of their own site."""
    found: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for page in sorted(pages, key=lambda page: page.url):
        text = decode(page.html, page.charset, default_charset) if isinstance(page.html, bytes) else str(page.html)
        response = HtmlResponse(page.url, body=text, encoding="utf-8")
        for key, anchor in anchors_of(response, parse(text)):
            found[key] += (anchor,)
    return found


def linkinfo_of(links: Links) -> str:
    """The texts of links to pages, by URL, as a linkinfo file of Webstemmer; the pages' ``baseid`` is ``0``."""
    return webstemmer.write_linkinfo({f"0/{url.partition('://')[2]}": texts for url, texts in links.items()})

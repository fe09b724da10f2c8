"""Sub-command ``learn``: learns the sites of stored pages from a sample of each, on all cores."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from scrapy_stemmer.commands import note
from scrapy_stemmer.commands.outputs import replaced
from scrapy_stemmer.commands.sources.base import LeftOut, bounded_file
from scrapy_stemmer.commands.sources.files import Links, add_linkinfo, read_pages
from scrapy_stemmer.commands.stored_pages import KeptPage, PageSample, Progress, in_order, note_left_out
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.learners.base import Learner
from scrapy_stemmer.learners.literature.layout import webstemmer
from scrapy_stemmer.learning import learn, of_readable
from scrapy_stemmer.page.document import DEFAULT_CHARSET, Page, anchors_of, root_of, url_key
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patternset import PatternSet
from scrapy_stemmer.settings import StemmerConfig
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.file import FileStore

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

LISTED = 20  # sites that have a line each in the output
SAVED_AT_ONCE = 500  # sites learned between two writes of the pattern file, kept in memory until then


@dataclass(frozen=True, slots=True)
class LearnedSite:
    site: str
    pages: Mapping[str, tuple[str, ...]]  # anchor texts by URL of the pages learned from
    patterns: tuple[Pattern, ...]  # empty without any layout
    error: str | None = None  # reason for a failure
    teacher_errors: tuple[str, ...] = ()


def learn_(options: Namespace, settings: BaseSettings) -> Iterator[str]:
    """Learn stored pages without a crawl, as analyze.py does, by the learner of the settings."""
    settings = settings.copy()
    if options.teacher:
        settings.set("STEMMER_TEACHER", options.teacher, priority="cmdline")
    config = StemmerConfig.from_settings(settings, "")
    if isinstance(store := open_store(options.output), FileStore):
        store.check_writable()
    left_out, progress, links = LeftOut(), Progress(), Links(tuple)
    linkinfo = replaced(options.write_linkinfo) if options.write_linkinfo else nullcontext()
    with linkinfo as linkinfo_file, PageSample(config.sample_size) as sample:
        pages = read_pages(options.pages, options, config, left_out, links=links)
        for page in progress.over(pages, "reading"):
            if config.accepts(page.url) and not sample.add(page):
                left_out.add("too large to be learned from", page.url)
        if options.linkinfo:
            add_linkinfo(bounded_file(Path(options.linkinfo)), options.linkinfo, links, left_out)
        note_left_out(left_out, len(sample.sites), "to learn from", ", or STEMMER_URL_RULES reject all of them")
        sites = [site for site, count in sample.sites.items() if count >= config.min_sample]
        few = counted(len(sample.sites) - len(sites), "site")
        few += f" with fewer pages than STEMMER_MIN_SAMPLE, {config.min_sample}"
        if not sites:
            raise StemmerError(
                f"Nothing was learned, and nothing written: only {few}. Name more of its pages, or let fewer do "
                "(-s STEMMER_MIN_SAMPLE=1). Without patterns 'scrapy stemmer strip --alone' strips each page."
            )
        function = partial(learn_site, config.make_learner(), config)
        tasks = ((site, pages, _links_of(pages, links)) for site in sites for pages in (sample.pages(site),))
        learned = in_order(function, tasks, options.processes)
        results = progress.over(learned, "learning", lambda site: len(site.pages), total=len(sites), unit="site")
        failed = yield from _saved(results, options.output, linkinfo_file, lists=len(sites) <= LISTED)
    if len(sites) < len(sample.sites):
        note(f"not learned: {few}; the scorer strips their pages without a pattern")
    note(progress.summary("Reading and learning"))
    if failed:
        raise StemmerError(f"{counted(len(failed), 'site')} could not be learned, first {failed[0]}; the others were.")


def _links_of(pages: Iterable[KeptPage], links: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]] | None:
    return {key: links[key] for key in (url_key(page.url) for page in pages) if key in links} if links else None


def learn_site(
    learner: Learner,
    config: StemmerConfig,
    task: tuple[str, Sequence[Page | KeptPage], Mapping[str, tuple[str, ...]] | None],
) -> LearnedSite:
    site, kept, links = task

    def learned(pages: Sequence[Page]) -> LearnedSite:
        texts = links_between(pages, config.charset) if links is None else links
        pages = [replace(page, anchors=tuple(texts.get(url_key(page.url), ()))) for page in pages]
        options, least = config.strip_options, config.min_sample
        found = learn(pages, learner, options=options, default_charset=config.charset, min_sample=least)
        return LearnedSite(site, {page.url: page.anchors for page in pages}, found.patterns)

    try:
        result = of_readable([each.page() if isinstance(each, KeptPage) else each for each in kept], learned)
    except Exception as error:  # one site must not end the command
        return LearnedSite(site, {each.url: () for each in kept}, (), f"{type(error).__name__}: {error}")
    errors = learner.teacher.taken() if learner.teacher else []
    return replace(result, teacher_errors=tuple(f"{type(error).__name__}: {error}" for error in errors))


def _saved(
    results: Iterable[LearnedSite], output: str, linkinfo: IO[bytes] | None, *, lists: bool
) -> Generator[str, None, list[str]]:
    """Write learned sites into the pattern file in groups, keeping corrections; return the sites that failed."""
    if open_store(output).exists():
        PatternSet.load(output)  # reports mistakes in it before learning
    stamp = datetime.now(UTC).isoformat(timespec="seconds")
    learned, counts, failed = PatternSet(), list[int](), list[str]()
    try:
        for result in results:
            counts.append(len(result.patterns))
            site, pages = result.site or "(no host)", counted(len(result.pages), "page")
            for error in result.teacher_errors:
                note(f"{site}: the teacher failed: {error}")
            if result.error is None and lists:
                yield f"{site}: {counted(len(result.patterns), 'pattern')} of {pages}"
            elif result.error is not None:
                failed.append(site)
                note(f"{site}: not learned from {pages}: {result.error}")
            if linkinfo is not None:
                linkinfo.write(linkinfo_of(result.pages).encode("utf-8", "backslashreplace"))
            learned = learned.replace(PatternSet(result.patterns)._stamped(stamp))
            if len(learned.sites) >= SAVED_AT_ONCE:
                learned.merge_into(output)
                learned = PatternSet()
    finally:  # keeps sites learned before an interruption or a crash
        learned.merge_into(output)
    look = "" if lists else f"; a line for each: scrapy stemmer show {output}"
    yield f"{counted(sum(counts), 'pattern')} of {counted(len(counts), 'site')} now in {output}{look}"
    return failed


def links_between(pages: Iterable[Page], default_charset: str = DEFAULT_CHARSET) -> Links:
    pages, found = sorted(pages, key=lambda page: page.url), Links(tuple)
    wanted = {url_key(page.url) for page in pages}
    for page in pages:
        for key, anchor in anchors_of(root_of(page, default_charset), page.url, wanted):
            found[key] += (anchor,)
    return found


def linkinfo_of(links: Mapping[str, tuple[str, ...]]) -> str:
    return webstemmer.write_linkinfo({f"0/{url.partition('://')[2]}": texts for url, texts in links.items()})

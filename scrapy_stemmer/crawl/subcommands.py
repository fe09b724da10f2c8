"""The sub-commands of ``scrapy stemmer``; each yields the lines of its output."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import Request, urlopen

from scrapy.settings import Settings

from scrapy_stemmer.core.dom import DEFAULT_CHARSET
from scrapy_stemmer.core.page import Page
from scrapy_stemmer.crawl import item_json
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.crawl_files import project_folder
from scrapy_stemmer.crawl.items import as_dict
from scrapy_stemmer.crawl.spool import HeldItem, delete_spool, expanded, left_items
from scrapy_stemmer.crawl.stored_pages import StoredPages, linkinfo_of
from scrapy_stemmer.crawl.unreleased_items import as_json
from scrapy_stemmer.exceptions import PatternFileError, StemmerError
from scrapy_stemmer.learners.layout import webstemmer
from scrapy_stemmer.learners.layout.pattern import LayoutPattern
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learning import learn
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patternset import PatternSet
from scrapy_stemmer.stores.by_uri import open_store

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from scrapy_stemmer.learners.rules.rules import Rule
    from scrapy_stemmer.strip import Stripped

TIMEOUT = 30
"""Seconds that a page may take to be fetched."""


def show(options: Namespace, _settings: BaseSettings | None) -> Iterator[str]:
    """The patterns of a file, by site."""
    patterns = _chosen(PatternSet.load(options.patterns), options.site, options.patterns)
    for site in patterns.sites:
        found = patterns.of_site(site)
        yield f"{site or '(no host)'}: {_counted(len(found), 'pattern')}"
        for pattern in found:
            yield from _shown(pattern)


def _shown(pattern: Pattern) -> Iterator[str]:
    yield f"  {pattern.kind} {pattern.name}"
    facts = [_counted(pattern.support, "page"), f"score {pattern.score:.1f}"]
    if isinstance(pattern, LayoutPattern):
        index = pattern.title_index
        facts.append(f"title in {'-' if index is None else pattern.features[index]}")
    if pattern.noise_share is not None:
        facts.append(f"noise {pattern.noise_share:.0%}")
    if pattern.learned:
        facts.append(f"learned {pattern.learned}")
    yield f"    {', '.join(facts)}"
    for sample in pattern.samples:
        yield f"    - {sample.title or '(no title)'}  {sample.url}"
    if isinstance(pattern, RulesPattern):
        yield from (f"    {line}" for line in rule_lines(pattern.rules))


def rule_lines(rules: Sequence[Rule]) -> list[str]:
    """Rules as a table: what each does, where, with which role, and how sure it is or that somebody wrote it."""
    cells = [
        (rule.action, str(rule.selector), rule.role or "", "by hand" if rule.is_users else f"{rule.sure:.2f}")
        for rule in rules
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    rows = (zip(row, widths, strict=True) for row in cells)
    return ["  ".join(f"{cell:{width}}" for cell, width in row if width).rstrip() for row in rows]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def strip(options: Namespace, settings: BaseSettings | None) -> Iterator[str]:
    """Pages without their template, as extract.py prints them, or as JSON."""
    patterns = PatternSet.load(options.patterns)
    config = StemmerConfig.from_settings(settings, "") if settings is not None else None
    charset = (config.default_charset if config else None) or DEFAULT_CHARSET
    for name in options.pages:
        page = _page(name, patterns, options.site)
        stripped = patterns.strip(page, config.match_options if config else None, default_charset=charset)
        yield from [_as_json(page, stripped)] if options.json else _as_text(page, stripped)


def _page(name: str, patterns: PatternSet, site: str | None) -> Page:
    if name.startswith(("http://", "https://")):
        request = Request(name, headers={"User-Agent": "scrapy-stemmer"})  # noqa: S310 - one of these schemes
        with urlopen(request, timeout=TIMEOUT) as response:  # noqa: S310
            return Page(response.url, response.read(), charset=response.headers.get_content_charset())
    if site is None and len(patterns.sites) != 1:
        raise StemmerError(f"Say with --site which site {name} is of: {', '.join(patterns.sites) or 'there is none'}.")
    return Page(f"http://{site or patterns.sites[0]}/{Path(name).name}", Path(name).read_bytes())


def _as_text(page: Page, stripped: Stripped) -> Iterator[str]:
    if not stripped.matched:
        yield f"!UNMATCHED: {page.url}"
    else:
        yield f"!MATCHED: {page.url}"
        yield f"PATTERN: {stripped.pattern} ({stripped.similarity:.3f})"
        yield f"TITLE: {stripped.title or ''}"
        yield from (f"MAIN: {block.text}" for block in stripped.main)
        yield from (f"SUB: {block.text}" for block in stripped.sub)
    yield ""


def _as_json(page: Page, stripped: Stripped) -> str:
    names = ("matched", "pattern", "similarity", "kind", "confidence", "title", "text", "sub_text", "html")
    results = {name: getattr(stripped, name) for name in names}
    return json.dumps({"url": page.url, **results}, ensure_ascii=False)


def import_(options: Namespace, _settings: BaseSettings | None) -> Iterator[str]:
    """Webstemmer's patterns, put into a pattern file; its other sites stay."""
    try:
        text = Path(options.webstemmer).read_text(encoding="utf-8", errors="replace")
        imported = PatternSet(webstemmer.loads(text, options.site))
    except PatternFileError as error:
        raise error.at(uri=options.webstemmer) from error
    store = open_store(options.output)
    before = PatternSet.load(options.output) if store.exists() else PatternSet()
    before.replace(imported).save(options.output)
    yield f"{len(imported)} patterns of {', '.join(imported.sites) or 'no site'} are now in {options.output}"


def export(options: Namespace, _settings: BaseSettings | None) -> Iterator[str]:
    """The layout patterns of a file, as Webstemmer reads them."""
    patterns = _chosen(PatternSet.load(options.patterns), options.site, options.patterns)
    Path(options.output).write_text(webstemmer.dumps(patterns.patterns), encoding="utf-8")
    layouts = [pattern for pattern in patterns.patterns if isinstance(pattern, LayoutPattern)]
    yield f"{len(layouts)} of {len(patterns)} patterns are now in {options.output}; only layout patterns can be"
    unlike = [pattern for pattern in layouts if webstemmer.unlike_original(pattern)]
    if unlike:
        reasons = sorted({reason for pattern in unlike for reason in webstemmer.unlike_original(pattern)})
        yield (
            f"extract.py will find few pages of {len(unlike)} of them: it has no {', no '.join(reasons)}. "
            "For patterns that it can use, learn with STEMMER_LEARNER = 'layout' and STEMMER_PRESET = 'original'."
        )


def learn_(options: Namespace, settings: BaseSettings | None) -> Iterator[str]:
    """Stored pages learned without a crawl, as analyze.py does, by the learner that the settings choose."""
    config = StemmerConfig.from_settings(settings or Settings(), "")
    stored = StoredPages(options.site, (config.url_field, config.html_field or "html"))
    for name in options.pages:
        stored.add(name)
    if options.linkinfo:
        stored.add_linkinfo(Path(options.linkinfo).read_text(encoding="utf-8", errors="replace"), options.linkinfo)
    charset = config.default_charset or DEFAULT_CHARSET
    pages = [page for page in stored.pages(charset) if config.accepts(page.url)]
    if not pages:
        raise StemmerError("There is no page to learn from in what was named, or STEMMER_URL_RULES reject all of them.")
    store = open_store(options.output)
    before = PatternSet.load(options.output) if store.exists() else PatternSet()
    learned = learn(pages, config.make_learner(), config.seed, corrections=before)
    before.replace(learned.stamped(datetime.now(UTC).isoformat(timespec="seconds"))).save(options.output)
    if options.write_linkinfo:
        Path(options.write_linkinfo).write_text(linkinfo_of(pages), encoding="utf-8")
    sites = sorted({page.site for page in pages})
    for site in sites:
        count = sum(page.site == site for page in pages)
        yield f"{site or '(no host)'}: {_counted(len(learned.of_site(site)), 'pattern')} of {_counted(count, 'page')}"
    yield f"{_counted(len(learned), 'pattern')} of {_counted(len(sites), 'site')} are now in {options.output}"


def recover(options: Namespace, settings: BaseSettings | None) -> Iterator[str]:
    """The items in spools of killed crawls, a JSON object a line; unstripped, and not seen by any pipeline."""
    if options.delete and not options.output:
        raise StemmerError("--delete needs -o: what is printed may get lost.")
    spools = [Path(name) for name in options.spools] or _spools_in(settings)
    total = 0
    for path in spools:
        if not path.is_file():
            raise StemmerError(f"There is no file {path}.")
        items = left_items(path)
        if items is None:
            if options.spools:
                raise StemmerError(f"{path} is in use: the crawl that it belongs to goes on.")
            continue
        lines = [_recovered(item, options.html) for item in items if item.item is not None]
        if options.output:
            with Path(options.output).open("a", encoding="utf-8", errors="backslashreplace") as feed:
                feed.writelines(line + "\n" for line in lines)
        else:
            yield from lines
        if options.delete:
            delete_spool(path)
        total += len(lines)
    if options.output:
        yield f"{_counted(total, 'item')} of {_counted(len(spools), 'spool')} are now in {options.output}"


def _spools_in(settings: BaseSettings | None) -> list[Path]:
    folder = StemmerConfig.from_settings(settings or Settings(), "").state_dir
    return sorted((Path(folder) if folder else project_folder()).glob("*.sqlite"))


def _recovered(held: HeldItem, field: str | None) -> str:
    """An item as a line of JSON; that of the spool where the item's class can't be imported.

    :param field: is given its page's HTML.
    """
    try:
        item = as_dict(item_json.loads(held.item or ""))
    except ValueError:
        return held.item or ""
    if field and held.body is not None:
        item.setdefault("url", held.url)
        item[field] = expanded(held.body)
    return as_json(item)


def _chosen(patterns: PatternSet, site: str | None, uri: str) -> PatternSet:
    if site is None:
        return patterns
    chosen = patterns.of_site(site)
    if not chosen:
        known: Iterable[str] = patterns.sites
        raise StemmerError(f"{uri} has no site {site!r}; it has {', '.join(known) or 'none'}.")
    return PatternSet(chosen)


Subcommand = Callable[[Namespace, "BaseSettings | None"], Iterator[str]]

SUBCOMMANDS: Mapping[str, Subcommand] = {
    "show": show,
    "strip": strip,
    "learn": learn_,
    "import": import_,
    "export": export,
    "recover": recover,
}
"""The sub-commands."""

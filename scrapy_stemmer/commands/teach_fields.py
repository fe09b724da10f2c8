"""Examples of ``scrapy stemmer teach``: the rule of a field from its value on a page."""

from __future__ import annotations

import re
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from lxml import etree
from scrapy.settings import BaseSettings

from scrapy_stemmer.commands import note
from scrapy_stemmer.commands.sources.base import LeftOut
from scrapy_stemmer.commands.sources.files import WEB, read_pages
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.fields.examples import Examples, Tried, near_texts, rules_tried
from scrapy_stemmer.fields.own import check_name
from scrapy_stemmer.fields.rules import FIELD_ACTIONS, FieldRule
from scrapy_stemmer.page.addresses import shape_of
from scrapy_stemmer.page.document import Document, Page, url_key
from scrapy_stemmer.page.text import counted, cut_short
from scrapy_stemmer.patternset import PatternSet, strip_by
from scrapy_stemmer.settings import StemmerConfig

MAX_PAGES = 40  # pages like the example for trying selectors
MAX_READ = 2_000  # pages read from the sources
MIN_ALIKE = 2  # pages with an address like the example's, enough for trying selectors
MAX_SHOWN = 3  # values of tried pages in a message
MAX_CHARS = 60  # characters of a value in a message


class Example(NamedTuple):
    """Value of a field on a page, as ``--example`` names it."""

    url: str
    name: str
    values: tuple[str, ...]


def taught_by_examples(options: Namespace, settings: BaseSettings) -> Iterator[tuple[str, str, FieldRule, str]]:
    """Yield the place, the site, the rule and a description for each field in the examples.

    :raises StemmerError: if no selector gives the values of a field.
    """
    by_field: defaultdict[tuple[str, str], list[Example]] = defaultdict(list)
    for example in map(_example, options.example):
        by_field[Page(example.url, "").site, example.name].append(example)
    patterns = PatternSet.load(options.patterns)
    config = StemmerConfig.from_settings(settings, "")
    pages = _Pages(options, config, patterns, [example.url for each in by_field.values() for example in each])
    for (site, name), examples in by_field.items():
        rule, description = _rule_of(name, examples, pages)
        yield f"--example {examples[0].url} {name}", site, rule, description


def _example(words: Sequence[str]) -> Example:
    if len(words) < 3:
        raise StemmerError(f"--example {' '.join(words)}: give the URL of a page, the name of a field, and its value")
    url, name, *values = words
    try:
        check_name(name, FIELD_ACTIONS)
    except ValueError as error:
        raise StemmerError(f"--example {url} {name}: {error}") from error
    return Example(url, name, tuple(" ".join(value.split()) for value in values))


class _Pages:
    """Pages of sources; without sources, the fetched pages of the examples and of the sample."""

    def __init__(self, options: Namespace, config: StemmerConfig, patterns: PatternSet, urls: Sequence[str]) -> None:
        self._patterns, left_out = patterns, LeftOut()
        known = chain.from_iterable(patterns.of_site(site) for site in {Page(url, "").site for url in urls})
        sample = (each.url for pattern in known for each in pattern.samples)
        sources = options.pages or [url for url in dict.fromkeys((*urls, *sample)) if url.startswith(WEB)]
        self._by_url: dict[str, Page] = {}
        for page in islice(read_pages(sources, options, config, left_out, sites=patterns.sites), MAX_READ):
            self._by_url.setdefault(url_key(page.url), page)
        missing = [url for url in dict.fromkeys(urls) if url_key(url) not in self._by_url]
        self._by_url |= {url_key(page.url): page for page in read_pages(missing, options, config, left_out)}
        for line in left_out.lines():
            note(line)

    def root_of(self, url: str) -> etree._Element:
        page = self._by_url.get(url_key(url))
        if page is None:
            raise StemmerError(f"--example {url}: there is no such page: name a source that has it with --pages")
        return Document(page).shown.root

    def like(self, urls: Iterable[str]) -> tuple[str, list[etree._Element]]:
        """Return a name for the pages similar to examples, and their trees: similar by address, or else by kind."""
        those = [self._by_url[url_key(url)] for url in urls]
        site, shapes = those[0].site, {_folder_of(page.url) for page in those}
        others = [page for page in self._by_url.values() if page.site == site and page not in those]
        alike, called = [page for page in others if _folder_of(page.url) in shapes], "pages with such an address"
        if len(alike) < MIN_ALIKE:
            kinds = {self._kind(page) for page in those}
            alike, called = [page for page in others[:MAX_PAGES] if self._kind(page) in kinds], "pages of this kind"
        return called, [Document(page).shown.root for page in alike[:MAX_PAGES]]

    def _kind(self, page: Page) -> object:
        return strip_by(self._patterns.of_site(page.site), Document(page)).kind


def _folder_of(url: str) -> str:
    """Return the shape of an address with any words for a name: a name of few words may be of a page of content."""
    return re.sub(r"/word(?=$|\?)", "/*", shape_of(url))


def _rule_of(name: str, examples: Sequence[Example], pages: _Pages) -> tuple[FieldRule, str]:
    trees = [(pages.root_of(example.url), example.values) for example in examples]
    called, others = pages.like(example.url for example in examples)
    tried = rules_tried(name, trees, others)
    where, wanted = f"--example {examples[0].url} {name}", " ".join(map(repr, examples[0].values))
    if not tried:
        raise StemmerError(f"{where}: {_why_none(name, trees)}")
    best = next((each for each in tried if each.is_usual or each.is_telling), tried[0])
    if not (best.is_usual or best.is_telling):
        raise StemmerError(
            f"{where}: no selector gives {wanted} and a value on most {called}; {best.rule.target} gives one on "
            f"{best.having} of {len(best.values)}. Name more pages of its kind with --pages, or write the rule by hand."
        )
    return best.rule, _description(best, called, wanted)


def _why_none(name: str, examples: Examples) -> str:
    for tree in examples:
        text = tree[1][0]
        if rules_tried(name, [tree], []):
            continue
        if not (near := near_texts(text, tree[0])):
            return f"the page has no text {text!r}. Is it filled in by a script?"
        if text not in near:
            return f"no element has exactly {text!r}. Give the whole text of one, such as {_shown(near)}"
    return "no selector gives the values of all examples, and as the first ones of their pages"


def _description(best: Tried, called: str, wanted: str) -> str:
    if not best.values:
        return f"gives {wanted}; there was no other page to try it on: name some with --pages"
    count, such = counted(len(best.values), "other page"), _shown(dict.fromkeys(filter(None, best.values)))
    return f"gives {wanted}, and a value on {best.having} of {count} ({called}), such as {such}"


def _shown(values: Iterable[str]) -> str:
    return ", ".join(repr(cut_short(value, MAX_CHARS)) for value in islice(values, MAX_SHOWN))

"""Mehta and Madaan's learner: a template of the whole site, as a regular expression over trees with repeating items.

Section 2.1 of the paper leaves open how to generalise templates; docs/learners/literature.md explains this
implementation and its gains.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from lxml import etree

from scrapy_stemmer.learners.literature.base import LiteratureLearner, LiteratureOptions, distinct, of_whole_site
from scrapy_stemmer.learners.literature.regex_tree.pattern import (
    SHARE_DIGITS,
    RegexTreePattern,
    element_names,
    items_in_order,
    page_tree,
    rows_of,
)
from scrapy_stemmer.learners.literature.regex_tree.template_tree import CHOICE, COMPOSITE, Item, generalise
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.page.text import drawn, stable_hash
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.record import Between, Share

MIN_PAGES = 2  # least pages with an item of a template, and with a feature at a leaf
NAME_PAGES = 2  # least pages of the sample with an identifier or class name used to tell items apart
MAX_FEATURES = 1000  # most features of a leaf, by noise confidence


@dataclass(frozen=True, slots=True)
class RegexTreeOptions(LiteratureOptions):
    """Options for learning a template."""

    # pages to learn from, the paper's k; drawn from a larger sample
    sample_pages: Annotated[int, Between(MIN_PAGES)] = 15
    node_support: Share = 0.2  # least share of ``sample_pages`` with an item of the template (section 2.1, step 4)
    min_confidence: Share = 0.2  # noise confidence up to which features are dropped


class RegexTreeLearner(LiteratureLearner[RegexTreeOptions]):
    """Learner that generalises a template over a site's pages, and counts the features of the template."""

    name: ClassVar[str] = "regex_tree"
    options_class: ClassVar[type[Any] | None] = RegexTreeOptions
    max_work: ClassVar[float] = RegexTreePattern.max_work

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """Learn the template of one site; see :meth:`Learner.learn`."""
        sample = self._sample(pages, seed)
        if len(sample) < MIN_PAGES:
            return []
        template, urls = generalised(sample)
        on_one_page = (
            len(value)
            for _, item in items_in_order(template)
            for (kind, value), count in item.features.items()
            if kind == "text" and count == 1
        )
        score = math.log(len(urls)) * sum(on_one_page) / len(urls)
        finish(template, len(urls), self.options)
        return [RegexTreePattern(**of_whole_site(pages[0].site, urls, score), rows=tuple(rows_of(template)))]

    def _sample(self, pages: Sequence[Page], seed: int) -> list[tuple[str, etree._Element]]:
        """Return URLs and trees of at most ``sample_pages`` different pages, sorted by URL."""
        trees = ((page.url, self.root_of(page)) for page in pages)
        read = distinct((url, content_of(root), (url, root)) for url, root in trees)
        chosen = frozenset(drawn((url for url, _ in read), self.options.sample_pages, seed))
        return [(url, root) for url, root in read if url in chosen]


def content_of(root: etree._Element) -> int:
    """Return a hash of a page's elements, texts, links and images."""
    contents = []
    for element in root.iter(etree.Element):
        target = element.get("href") or element.get("src") or ""
        contents.append(f"{element.tag!s} {target} {(element.text or '').strip()} {(element.tail or '').strip()}")
    return stable_hash("\n".join(contents))


def generalised(pages: Sequence[tuple[str, etree._Element]]) -> tuple[Item, list[str]]:
    """Generalise a template over pages; return it with the URLs of the pages used."""
    counts: Counter[str] = Counter()
    for _, root in pages:
        counts.update({name for element in root.iter(etree.Element) for name in element_names(element)})
    vocabulary = frozenset(name for name, count in counts.items() if count >= NAME_PAGES)
    template = page_tree(pages[0][1], vocabulary).root
    urls = [pages[0][0]]
    for url, root in pages[1:]:
        page = page_tree(root, vocabulary).root
        if page.name == template.name:
            generalise(template, page)
            urls.append(url)
    return template, urls


def finish(template: Item, pages: int, options: RegexTreeOptions) -> None:
    """Turn the counts of a template into noise confidences and drop rare items and features."""
    items = [template]
    for item in items:
        shares = {
            feature: round(count / item.support, SHARE_DIGITS)
            for feature, count in item.features.items()
            if count >= min(MIN_PAGES, pages) and feature.value
        }
        kept = [(feature, share) for feature, share in shares.items() if share > options.min_confidence]
        item.noise = dict(sorted(kept, key=lambda entry: (-entry[1], entry[0]))[:MAX_FEATURES])
        item.features = {}
        item.kids = [
            kid
            for kid in item.kids
            if kid.support >= min(MIN_PAGES, pages) and kid.support / pages > options.node_support
        ]
        items += item.kids
    for item in reversed(items):
        item.kids = [kept for kid in item.kids for kept in _without_empty(kid)]


def _without_empty(item: Item) -> list[Item]:
    """Return the item, or the remaining items of a group or choice with less than two."""
    if item.name not in COMPOSITE or len(item.kids) > 1:
        return [item]
    for kid in item.kids:
        kid.star = kid.star or item.star
        kid.optional = kid.optional or item.optional or item.name == CHOICE
    return item.kids

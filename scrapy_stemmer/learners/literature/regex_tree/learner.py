"""Mehta and Madaan's learner: a template of the whole site, as a regular expression over trees with repeating items.

Section 2.1 of the paper leaves open how to generalise templates; docs/learners/literature.md explains this
implementation and its gains.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated, Any, ClassVar

from lxml import etree

from scrapy_stemmer.learners.base import Options
from scrapy_stemmer.learners.literature.base import LiteratureLearner, of_whole_site
from scrapy_stemmer.learners.literature.regex_tree.pattern import (
    SHARE_DIGITS,
    RegexTreePattern,
    element_names,
    items_in_order,
    page_tree,
    rows_of,
)
from scrapy_stemmer.learners.literature.regex_tree.template_tree import CHOICE, COMPOSITE, Item, generalise
from scrapy_stemmer.page.document import DEFAULT_CHARSET, Page, root_of
from scrapy_stemmer.page.text import stable_hash
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.record import Between, Share

MIN_ITEM_PAGES = 2  # least pages with an item of a template, unless the sample has fewer


@dataclass(frozen=True, slots=True)
class RegexTreeOptions(Options):
    """Options for learning a template."""

    # pages to learn from, the paper's k; drawn from a larger sample
    sample_pages: Annotated[int, Between(MIN_ITEM_PAGES)] = 15
    node_support: Share = 0.2  # least share of ``sample_pages`` with an item of the template (section 2.1, step 4)
    min_confidence: Share = 0.2  # noise confidence up to which features are dropped
    feature_pages: Annotated[int, Between(1)] = 2  # least pages of a larger sample with a feature at a leaf
    max_features: Annotated[int, Between(1)] = 1000  # most features of a leaf, by noise confidence
    # least pages of the sample with an identifier or class name used to tell items apart
    name_pages: Annotated[int, Between(1)] = 2
    default_charset: str = DEFAULT_CHARSET


class RegexTreeLearner(LiteratureLearner[RegexTreeOptions]):
    """Learner that generalises a template over a site's pages, and counts the features of the template."""

    name: ClassVar[str] = "regex_tree"
    options_class: ClassVar[type[Any] | None] = RegexTreeOptions
    max_work: ClassVar[float] = RegexTreePattern.max_work

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """Learn the template of one site; see :meth:`Learner.learn`."""
        if not pages:
            return []
        sample = sample_of(pages, self.options, seed)
        template, urls = generalised(sample, self.options)
        on_one_page = (
            len(value)
            for _, item in items_in_order(template)
            for (kind, value), count in item.features.items()
            if kind == "text" and count == 1
        )
        score = math.log(len(urls)) * sum(on_one_page) / len(urls)
        finish(template, len(urls), self.options)
        common = of_whole_site(pages[0].site, urls, round(score, SHARE_DIGITS))
        pattern = RegexTreePattern(**common, rows=tuple(rows_of(template)))
        return [pattern.measured(root for _, root in sample)]


def sample_of(pages: Sequence[Page], options: RegexTreeOptions, seed: int) -> list[tuple[str, etree._Element]]:
    """Return URLs and trees of at most ``options.sample_pages`` different pages, sorted by URL."""

    def draw(page: Page) -> bytes:
        html = page.html if isinstance(page.html, (bytes, str)) else str(_content(page.html))
        data = html.encode("utf-8", "surrogatepass") if isinstance(html, str) else html
        return blake2b(data, digest_size=8, salt=seed.to_bytes(8, "big", signed=True)).digest()

    drawn: dict[int, tuple[str, etree._Element]] = {}
    for page in sorted(pages, key=lambda page: (draw(page), page.url)):
        root = root_of(page, options.default_charset)
        content = _content(root)
        if content not in drawn or page.url < drawn[content][0]:
            drawn[content] = page.url, root
        if len(drawn) == options.sample_pages:
            break
    return [page for _, page in sorted(drawn.items(), key=lambda entry: (entry[1][0], entry[0]))]


def _content(root: etree._Element) -> int:
    """Return a hash of a page's elements, texts, links and images."""
    contents = []
    for element in root.iter(etree.Element):
        target = element.get("href") or element.get("src") or ""
        contents.append(f"{element.tag!s} {target} {(element.text or '').strip()} {(element.tail or '').strip()}")
    return stable_hash("\n".join(contents))


def generalised(pages: Sequence[tuple[str, etree._Element]], options: RegexTreeOptions) -> tuple[Item, list[str]]:
    """Generalise a template over pages; return it with the URLs of the pages used."""
    counts: Counter[str] = Counter()
    for _, root in pages:
        counts.update({name for element in root.iter(etree.Element) for name in element_names(element)})
    vocabulary = frozenset(name for name, count in counts.items() if count >= options.name_pages)
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
            if count >= min(options.feature_pages, pages) and feature.value
        }
        kept = [(feature, share) for feature, share in shares.items() if share > options.min_confidence]
        item.noise = dict(sorted(kept, key=lambda entry: (-entry[1], entry[0]))[: options.max_features])
        item.features = {}
        item.kids = [
            kid
            for kid in item.kids
            if kid.support >= min(MIN_ITEM_PAGES, pages) and kid.support / pages > options.node_support
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

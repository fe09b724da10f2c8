"""Mehta and Madaan's learner: one template of a site, a regular expression over trees, with what repeats in it.

After R. R. Mehta and A. Madaan, "Web page sectioning using regex-based template" (WWW 2008), section 2.1. The
paper does not say how templates are generalised; how it is done here, and what that gained, is in
docs/learners/regex_tree.md.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, ClassVar, NamedTuple

from lxml import etree

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page, root_of
from scrapy_stemmer.core.text import stable_hash
from scrapy_stemmer.learners.base import MAX_SAMPLES, SITE_WIDE, Learner, check_least, check_shares
from scrapy_stemmer.learners.regex_tree.generalisation import merge
from scrapy_stemmer.learners.regex_tree.page_tree import names_of, page_tree
from scrapy_stemmer.learners.regex_tree.pattern import BLOCKS, DIGITS, RegexTreePattern, rows_of
from scrapy_stemmer.learners.regex_tree.template_tree import CHOICE, COMPOSITE, Feature, Item, Shapes, align, similarity
from scrapy_stemmer.patterns import base

MIN_PAGES = 2
"""Pages that an item of a template must stand on, if the sample has so many: what one page has need not return."""


@dataclass(frozen=True, slots=True)
class RegexTreeOptions:
    """How a template is learned.

    :param sample_pages: pages that it is learned from, the paper's k; of more, so many are drawn.
    :param node_support: share of these pages, from 0 to 1, that must have an item for it to stay in the
        template (section 2.1, step 4).
    :param min_confidence: features with a noise confidence up to this, from 0 to 1, are dropped.
    :param feature_pages: pages of a larger sample on which a feature must stand at a leaf; 1 keeps those of single
        pages too, as the paper does.
    :param max_features: features that a leaf keeps, those of highest confidence.
    :param name_pages: identifiers and class names on fewer pages of the sample don't tell items apart.
    :param min_fit: pages with less in common with the template so far, from 0 to 1, are skipped; 0 skips none.
    :param default_charset: for pages that declare no charset.
    """

    sample_pages: int = 15
    node_support: float = 0.2
    min_confidence: float = 0.2
    feature_pages: int = 2
    max_features: int = 1000
    name_pages: int = 2
    min_fit: float = 0.0
    default_charset: str = DEFAULT_CHARSET

    def __post_init__(self) -> None:
        check_least(self, MIN_PAGES, "sample_pages")
        check_least(self, 1, "feature_pages", "max_features", "name_pages")
        check_shares(self, "node_support", "min_confidence", "min_fit")


class RegexTreeLearner(Learner):
    """Generalises one template over a sample of a site's pages and counts what returns in it.

    :param options: see :class:`RegexTreeOptions`.
    """

    name: ClassVar[str] = "regex_tree"
    options_class: ClassVar[type[Any] | None] = RegexTreeOptions

    def __init__(self, options: RegexTreeOptions | None = None) -> None:
        self.options = options or RegexTreeOptions()

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[base.Pattern]:
        """The template of one site; see :meth:`Learner.learn`.

        A sample of one page, or of copies of one, gives a template too: all that it holds is template on other
        pages. Such a pattern does not match that page itself.
        """
        if not pages:
            return []
        sample = sample_of(pages, self.options, seed)
        template, names = generalised(sample, self.options)
        score = math.log(len(names)) * _varying_size(template) / len(names)
        finish(template, len(names), self.options)
        pattern = RegexTreePattern(
            site=pages[0].site,
            name=SITE_WIDE,
            support=len(names),
            score=round(score, DIGITS),
            samples=tuple(base.Sample(name) for name in names[:MAX_SAMPLES]),
            site_wide=True,
            rows=tuple(rows_of(template)),
        )
        return [pattern.measured(page.root for page in sample)]


class ReadPage(NamedTuple):
    """A page of the sample.

    :param name: its URL.
    :param content: a hash of its texts, links and images.
    """

    name: str
    content: int
    root: etree._Element


def sample_of(pages: Sequence[Page], options: RegexTreeOptions, seed: int) -> list[ReadPage]:
    """At most ``options.sample_pages`` pages of different content, sorted by name.

    They are drawn by hashes of the pages, so that neither order nor repeats change the sample, and only those
    that are drawn are parsed.
    """
    drawn: dict[int, ReadPage] = {}
    for page in sorted(pages, key=lambda page: (_draw(page, seed), page.url)):
        if len(drawn) == options.sample_pages:
            break
        read = _read(page, options.default_charset)
        known = drawn.get(read.content)
        if known is None or read.name < known.name:
            drawn[read.content] = read
    return sorted(drawn.values(), key=lambda page: page[:2])


def _draw(page: Page, seed: int) -> bytes:
    """A hash of a page as it was given."""
    html = page.html if isinstance(page.html, (bytes, str)) else str(_content(page.html))
    data = html.encode("utf-8", "surrogatepass") if isinstance(html, str) else html
    return blake2b(data, digest_size=8, salt=seed.to_bytes(8, "big", signed=True)).digest()


def _read(page: Page, default_charset: str) -> ReadPage:
    root = root_of(page, default_charset)
    return ReadPage(page.url, _content(root), root)


def _content(root: etree._Element) -> int:
    """A hash of a page's elements, texts, links and images."""
    return stable_hash("\n".join(_contents(root)))


def _contents(root: etree._Element) -> Iterator[str]:
    for element in root.iter(etree.Element):
        target = element.get("href") or element.get("src") or ""
        yield f"{element.tag!s} {target} {(element.text or '').strip()} {(element.tail or '').strip()}"


def generalised(pages: Sequence[ReadPage], options: RegexTreeOptions) -> tuple[Item, list[str]]:
    """The template of the pages, and the names of those that it was generalised over."""
    blocks = replace(BLOCKS, vocabulary=_common_names([page.root for page in pages], options.name_pages))
    shapes = Shapes()
    template = page_tree(pages[0].root, blocks, shapes, keep=False).root
    names = [pages[0].name]
    for page in pages[1:]:
        root = page_tree(page.root, blocks, shapes, keep=False).root
        if root.name == template.name and fit(template, root) >= options.min_fit:
            merge(template, root)
            shapes.put_below(template)
            names.append(page.name)
    return template, names


def _common_names(roots: Sequence[etree._Element], least: int) -> frozenset[str]:
    counts: Counter[str] = Counter()
    for root in roots:
        counts.update(frozenset[str]().union(*(names_of(element) for element in root.iter(etree.Element))))
    return frozenset(name for name, count in counts.items() if count >= least)


def fit(template: Item, page: Item) -> float:
    """How well a page fits a template, from 0 to 1: the similarities of what is aligned right below the body,
    over all that is there and must be.
    """
    matched = total = 0.0
    for pair in align(_body(template).kids, _body(page).kids):
        if pair.first and pair.second:
            matched += 2 * similarity(pair.first, pair.second)
            total += 2
        elif pair.second or (pair.first and not pair.first.optional):
            total += 1
    return matched / total if total else 1.0


def _body(root: Item) -> Item:
    return next((kid for kid in root.kids if kid.name == "body"), root)


def noise_confidence(pages: int, support: int) -> float:
    """The noise confidence of a feature: the share of the pages with a leaf that have the feature there.

    Not of all pages, so that what is noise on a part of a site only is noise too (section 2.1, step 3).
    """
    return round(pages / support, DIGITS)


def finish(template: Item, pages: int, options: RegexTreeOptions) -> None:
    """Turn the counts of a template into noise confidences, and drop what too few pages have.

    :param pages: number of pages that it was generalised over.
    """
    items = [template]
    for item in items:
        item.noise = dict(_noise(item, min(options.feature_pages, pages), options))
        item.features = {}
        item.kids = [kid for kid in item.kids if _is_supported(kid, pages, options)]
        items += item.kids
    for item in reversed(items):
        item.kids = [kept for kid in item.kids for kept in _without_empty(kid)]
        item.changed()


def _is_supported(item: Item, pages: int, options: RegexTreeOptions) -> bool:
    return item.support >= min(MIN_PAGES, pages) and item.support / pages > options.node_support


def _noise(item: Item, least: int, options: RegexTreeOptions) -> list[tuple[Feature, float]]:
    shares = [
        (feature, noise_confidence(pages, item.support))
        for feature, pages in item.features.items()
        if pages >= least and feature.value
    ]
    kept = [entry for entry in shares if entry[1] > options.min_confidence]
    return sorted(kept, key=lambda entry: (-entry[1], entry[0]))[: options.max_features]


def _without_empty(item: Item) -> list[Item]:
    """The item; of a group or choice in which less than two items are left, what is left."""
    if item.name not in COMPOSITE or len(item.kids) > 1:
        return [item]
    for kid in item.kids:
        kid.star = kid.star or item.star
        kid.optional = kid.optional or item.optional or item.name == CHOICE
    return item.kids


def _varying_size(template: Item) -> int:
    """The characters of texts that stand on one page each."""
    size = 0
    waiting = [template]
    while waiting:
        item = waiting.pop()
        waiting += item.kids
        size += sum(len(value) for (kind, value), pages in item.features.items() if kind == "text" and pages == 1)
    return size

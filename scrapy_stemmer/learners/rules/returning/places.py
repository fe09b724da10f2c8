"""Places with text that returns as a whole, alone or in variants (A/B), and menus."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from scrapy_stemmer.learners.rules.returning.content import ContentPage
from scrapy_stemmer.learners.rules.returning.counts import FREQUENT_SHARE, MAX_REPETITIONS, MIN_PAGES, Counts
from scrapy_stemmer.learners.rules.site.paths import Paths, Selector

SHARE = 0.4  # share of pages with the place
MOSTLY_WHOLE = 0.6  # share of elements that return as a whole
MAX_OTHERS = 0.2  # share of elements without returning text; two are allowed in a small sample
MAX_DISTINCT = 0.6  # distinct contents as a share of the elements
NEARLY_ALL_PAGES = 0.9  # share of pages with variants, at places with more returning texts
MIN_BALANCE = 0.4  # pages of the rarest variant, as a share of the most frequent
MAX_VARIANTS = 4  # variants


class _Instance(NamedTuple):
    page: int
    element: int
    returns: bool  # True if the whole text returns


def places_in(contents: Sequence[ContentPage], counts: Counts, paths: Paths) -> set[int]:
    """Return the outermost paths of elements with returning text only.

    So a box with a text drawn anew for each page is found: each text is rare, but the element is frequent.
    """
    wholes: Counter[int] = Counter()  # by path, elements with wholly returning text
    mixed, elements = {0}, list[tuple[set[int], set[int]]]()
    for page in contents:
        returning = [block for block in page.blocks if page.keys[block] in counts.once]
        with_returning = page.around(returning)
        with_other = page.around(set(page.blocks).difference(returning))
        mixed.update(page.placed[element] for element in with_returning & with_other)
        elements.append((with_returning, with_other))
        wholes.update(page.placed[element] for element in with_returning - with_other)
    able = {path for path, times in wholes.items() if times >= MIN_PAGES and path not in mixed}
    by_path: defaultdict[int, list[_Instance]] = defaultdict(list)
    for number, (page, (with_returning, with_other)) in enumerate(zip(contents, elements, strict=True)):
        for element in with_returning | with_other if able else ():
            if page.placed[element] in able:
                by_path[page.placed[element]].append(_Instance(number, element, element in with_returning))
    found: set[int] = set()
    for path in sorted(able):
        if found.isdisjoint(paths.line(path)) and _returns_as_a_whole(by_path[path], contents, counts):
            found.add(path)
    return found


def _returns_as_a_whole(instances: Sequence[_Instance], contents: Sequence[ContentPage], counts: Counts) -> bool:
    """Return True if elements of a path return as a whole or not at all, and mostly do."""
    pages = len({each.page for each in instances})
    if pages < counts.at_least(SHARE) or len(instances) > MAX_REPETITIONS * pages:
        return False
    whole = sum(each.returns for each in instances)
    if whole < MOSTLY_WHOLE * len(instances) or len(instances) - whole > max(2, MAX_OTHERS * len(instances)):
        return False
    blocks = [(contents[each.page], contents[each.page].blocks_in(each.element)) for each in instances]
    if whole < len(instances) and not all(any(map(page.is_prose, own)) for page, own in blocks):
        return False  # differing short texts are no variants
    texts = {frozenset(page.keys[block] for block in own) for page, own in blocks}
    if len(texts) == 1:
        return pages >= counts.least  # a single text counts as elsewhere
    return len(texts) <= MAX_DISTINCT * len(instances)


def variants_in(contents: Sequence[ContentPage], counts: Counts, paths: Paths) -> set[int]:
    """Return the keys of running texts that are variants of a text in similar elements.

    Together the variants cover half of the pages, with a variant on each page. Where similar elements have many further
    returning texts, variants must cover nearly all pages.
    """
    by_path: defaultdict[Selector, dict[int, set[int]]] = defaultdict(dict)
    for number, page in enumerate(contents):
        for block in page.blocks:
            key = page.keys[block]
            if key is not None and key in counts.once and page.is_prose(block) and not page.is_exempt(block):
                by_path[paths.end_selector(page.paths[block])].setdefault(key, set()).add(number)
    found: set[int] = set()
    for texts in by_path.values():
        group, covered, most = set[int](), set[int](), max(map(len, texts.values()))
        for key in sorted(texts, key=lambda key: (-len(texts[key]), key)):
            is_alike = len(texts[key]) > MIN_BALANCE * most
            if len(texts[key]) >= 2 and is_alike and texts[key].isdisjoint(covered):
                group.add(key)
                covered |= texts[key]
        share = FREQUENT_SHARE if len(texts) <= 2 * len(group) else NEARLY_ALL_PAGES
        if 2 <= len(group) <= MAX_VARIANTS and len(covered) >= counts.at_least(share):
            found |= group
    return found

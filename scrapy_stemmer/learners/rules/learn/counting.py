"""The pages of a sample that count: no placeholders, and one page of each group of copies."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy_stemmer.learners.rules.decide.head import title_parts_of
from scrapy_stemmer.learners.rules.decide.placeholders import (
    FEW_WORDS,
    MAX_PLAIN,
    NEARLY_ALL,
    Outline,
    facts_about,
    fit,
    fold,
    folded,
    known_facts,
    own_address,
    plain_of,
)
from scrapy_stemmer.learners.rules.site.columns import Signatures
from scrapy_stemmer.learners.rules.site.paths import name_key
from scrapy_stemmer.learners.rules.site.reading import SamplePage
from scrapy_stemmer.learners.rules.site.site import Remembered
from scrapy_stemmer.page.addresses import split_address
from scrapy_stemmer.page.blocks import PageKind

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage


def counting_pages(
    pages: Sequence[SamplePage], signatures: Signatures
) -> tuple[list[SamplePage], tuple[Remembered, ...], dict[str, int]]:
    """Return the sample's pages with content, a page of each group of copies, sorted independently of input order; also
    the signs of placeholders and the number of pages left out by reason.

    Copies under several addresses would make their own text look like template; links to all of them count for the
    page.
    """

    def order(page: SamplePage) -> tuple[Any, ...]:
        # Print versions have fewer blocks. Signature numbers depend on reading order, so they sort nothing.
        elements = [signatures[number] for number in page.columns.signatures]
        read = page.columns
        columns = read.parents, read.elements, read.texts, read.lengths, read.linked, read.times, read.links
        return -len(read.texts), page.url, elements, columns, sorted(page.head.texts.items()), page.head.is_article

    with_text = [page for page in pages if page.columns.texts]
    with_text.sort(key=lambda page: (page.url, page.columns.texts, page.columns.linked))
    sorting = sorted_out([Outline(page.url, page.head, page.columns, signatures) for page in with_text])
    left_out = dict(sorting.left_out)
    if len(with_text) < len(pages):
        left_out[NO_TEXT] = len(pages) - len(with_text)
    with_text = [with_text[number] for number in sorting.kept]
    firsts = []
    for group in copies_in([page.columns for page in with_text]):
        copies = [with_text[number] for number in group]
        anchors = sorted({text for page in copies for text in page.anchors})
        firsts.append(replace(min(copies, key=order), anchors=anchors) if len(copies) > 1 else copies[0])
    if len(firsts) < len(with_text):
        left_out[COPIES] = len(with_text) - len(firsts)
    firsts.sort(key=lambda page: (page.url, page.columns.texts))
    return firsts, sorting.remembered, left_out


# Placeholders

SEVERAL = 3  # pages of equal few words that have no text
MANY = 5  # pages of equal text without links to the site that have none
WORDY = 0.6  # share of letters from which pages that differ in numbers are equal, and no results
SAME_WORDS = "same few words"  # sort of pages known only to be repeated
COPIES, NO_TEXT = "copies", "empty"  # sorts of copies, and of pages without text
REMEMBERED, TEXTS_EACH = 20, 12  # placeholders remembered of a site, and longest texts of each


class SortedOut(NamedTuple):
    """A sample without placeholders."""

    kept: list[int]  # numbers of the regular pages
    left_out: Mapping[str, int]  # number of placeholders by sort
    remembered: tuple[Remembered, ...]  # marks of the placeholders


def sorted_out(pages: Sequence[Outline]) -> SortedOut:
    template = template_of([page.columns for page in pages])
    own = [[block for block, text in enumerate(page.columns.texts) if text not in template] for page in pages]
    placeholders: dict[int, tuple[str, PageKind]] = {}
    for number, page in enumerate(pages):
        facts = facts_about(page, own[number])
        if facts is not None:
            placeholders[number] = facts.sort, facts.kind
    few = [
        number
        for number, page in enumerate(pages)
        if number not in placeholders and sum(page.plain[block] for block in own[number]) <= MAX_PLAIN
    ]
    for group in _groups([pages[number] for number in few], [own[number] for number in few]):
        members = [few[index] for index in group]
        if (told := _told(pages, own, members)) is not None:
            placeholders.update(dict.fromkeys(members, told))
    kept = [number for number in range(len(pages)) if number not in placeholders]
    others = [pages[number] for number in kept]
    kinds = {
        number: kind
        for number, (sort, kind) in placeholders.items()
        if sort != SAME_WORDS or not _may_be_published(pages[number], own[number], others)
    }
    counts = Counter(sort for sort, _ in placeholders.values())
    return SortedOut(kept, dict(sorted(counts.items())), _remembered(pages, kinds))


def _groups(pages: Sequence[Outline], own: Sequence[Sequence[int]]) -> list[list[int]]:
    titles = [fold(page.head.title, own_address(page.url)) for page in pages]
    times = Counter(titles)
    # Folding texts takes long, and most titles are unique.
    several = [number for number, title in enumerate(titles) if times[title] >= SEVERAL]
    texts = [folded(pages[number], pages[number].columns.lengths, own[number]) for number in several]

    def are_alike(one: int, other: int) -> bool:
        same = titles[several[one]] == titles[several[other]]
        return same and shared(texts[one], texts[other]) >= NEARLY_ALL

    groups = (group for group in alike(texts, are_alike) if len(group) >= SEVERAL)
    return [[several[index] for index in group] for group in groups]


def _told(pages: Sequence[Outline], own: Sequence[Sequence[int]], group: Sequence[int]) -> tuple[str, PageKind] | None:
    first = pages[group[0]]
    # All text looks like template in a sample of equal pages.
    blocks = range(len(first.plain)) if len(group) == len(pages) else own[group[0]]
    length = sum(first.plain[block] for block in blocks)
    if length > MAX_PLAIN:
        return None
    texts = {tuple(pages[number].columns.texts) for number in group}
    words = "".join(folded(first, first.columns.lengths, blocks))
    is_same = len(texts) == 1 or sum(map(str.isalpha, words)) >= WORDY * len(words)
    if not is_same:
        return None
    for facts in known_facts():
        if fit(facts.titles, first.titles) or any(say in first.said for say in facts.sayings):
            return facts.sort, facts.kind
    paths = {_path_of(pages[number].url) for number in group}
    is_told = length < FEW_WORDS or (first.is_bare and min(len(group), len(paths)) >= MANY)
    return (SAME_WORDS, PageKind.ERROR) if is_told else None


def _may_be_published(page: Outline, own: Iterable[int], others: Iterable[Outline]) -> bool:
    """Return True for a page with the site's frame and a unique title over the text, as on pages of users.

    Copies by users must not make a placeholder of the copied page.
    """
    titles = {plain_of(text) for text in (page.head.title, *title_parts_of(page.head.title))}
    is_titled = any(plain_of(page.columns.texts[block]) in titles for block in own)
    return is_titled and (not page.is_bare or any(other.is_bare for other in others))


def _path_of(url: str) -> str:
    try:
        return split_address(url).path
    except ValueError:  # a broken URL
        return url


def _remembered(pages: Sequence[Outline], kinds: Mapping[int, PageKind]) -> tuple[Remembered, ...]:
    if not kinds:
        return ()
    regular = (page for number, page in enumerate(pages) if number not in kinds)
    others = {text for page in regular for text in folded(page, page.columns.lengths)}
    counts: Counter[Remembered] = Counter()
    for number, kind in kinds.items():
        said = folded(pages[number], pages[number].plain)
        texts = {text: length for text, length in said.items() if text not in others}
        longest = sorted(texts, key=lambda text: (-texts[text], text))[:TEXTS_EACH]
        if longest:
            counts[Remembered(kind, frozenset(map(name_key, longest)))] += 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], sorted(item[0].keys)))
    return tuple(sorted((each for each, _ in ordered[:REMEMBERED]), key=lambda each: each.kind))


# Copies of a page
#
# One article under several addresses, its print version, or variants of a product: their texts return
# like template, so they count once. Near-copies are compared without the texts of nearly all pages.

SHARED = 0.8  # share of their own text, outside links, in common between copies
ENOUGH_TEXT = 200  # characters of this text on both pages; with less, links count too, and nearly all is shared
COMPARED_TEXTS = 8  # longest texts of a page, at least one shared by copies
MAX_NEAR = 50  # groups of copies tried for each of these texts


def template_of(pages: Sequence[ReadPage]) -> set[str]:
    having = Counter(text for page in pages for text in set(page.texts))
    return {text for text, count in having.items() if count > 1 and count >= NEARLY_ALL * len(pages)}


def copies_in(pages: Sequence[ReadPage]) -> list[list[int]]:
    """Return the pages by number in groups of copies, each with its first page in front."""
    template = template_of(pages)
    own, plain = [], []
    for page in pages:
        outside = [max(0, length - linked) for length, linked in zip(page.lengths, page.linked, strict=True)]
        own.append(own_texts(page.texts, page.lengths, template))
        plain.append(own_texts(page.texts, outside, template))

    def are_copies(one: int, other: int) -> bool:
        if min(sum(plain[one].values()), sum(plain[other].values())) >= ENOUGH_TEXT:
            return shared(plain[one], plain[other]) >= SHARED
        return shared(own[one], own[other]) >= NEARLY_ALL

    return alike(own, are_copies)


def alike(pages: Sequence[Mapping[str, int]], are_alike: Callable[[int, int], bool]) -> list[list[int]]:
    groups: list[list[int]] = []
    by_text: defaultdict[str, list[list[int]]] = defaultdict(list)
    for number, texts in enumerate(pages):
        longest = sorted(texts, key=lambda text: (-texts[text], text))[:COMPARED_TEXTS] or [""]
        near = (group for text in longest for group in by_text[text][:MAX_NEAR])
        found = next((group for group in near if are_alike(group[0], number)), None)
        if found is None:
            found = []
            groups.append(found)
            for text in longest:
                by_text[text].append(found)
        found.append(number)
    return groups


def own_texts(texts: Sequence[str], weights: Sequence[int], template: set[str]) -> dict[str, int]:
    return {text: weight for text, weight in zip(texts, weights, strict=True) if text not in template and weight > 0}


def shared(first: Mapping[str, int], second: Mapping[str, int]) -> float:
    total = max(sum(first.values()), sum(second.values()))
    return sum(weight for text, weight in first.items() if text in second) / total if total else 1.0

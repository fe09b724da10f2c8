"""Decision on returning content of a sample: boxes, menus and short lines are template, labels are not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scrapy_stemmer.learners.rules.decide.corrections.dropped import is_advertisement
from scrapy_stemmer.learners.rules.decide.features import PageFacts
from scrapy_stemmer.learners.rules.returning.arrays import Floats
from scrapy_stemmer.learners.rules.returning.content import ContentPage, is_within, letters_of, word_count
from scrapy_stemmer.learners.rules.returning.places import MIN_PAGES, MIN_TELLING_PAGES, Counts, places_in, variants_in
from scrapy_stemmer.learners.rules.site.columns import MOSTLY_LINKS
from scrapy_stemmer.learners.rules.site.known_texts import RUNNING_LETTERS
from scrapy_stemmer.learners.rules.site.paths import Component, Paths
from scrapy_stemmer.page.elements import HEADINGS

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

MOSTLY_TEXT = 0.9  # share of the labelled text kept by the scorer
MAX_LABELLED = 20  # blocks under a label
MAX_SHARE = 0.5  # share of the page's text under a label
CONSTANT_SHARE = 0.5  # share of other pages with constant text
MAX_SERIES = 50  # labels compared on a page


def labels_of_text(facts: PageFacts, paths: Paths, odds: Floats) -> Iterator[tuple[int, float]]:
    """Yield labels of kept varying text, with the mean log-odds of the text.

    A label is the first block of an element, short and not a link.

    :param facts: the page, and the share of further pages with each text.
    :param odds: log-odds of the blocks.
    """
    columns = facts.page.columns
    lengths, letters, repeated = columns.lengths, facts.measures["length"], facts.repeated
    kept = float(np.asarray(lengths)[odds > 0].sum())
    is_doubted = (odds <= 0) & (np.asarray(repeated) > 0) & (letters < RUNNING_LETTERS)
    for block in np.flatnonzero(is_doubted[:-1]).tolist():
        around = columns.parents[columns.elements[block]]
        is_first = block == 0 or not is_within(columns, block - 1, around)
        is_link = columns.linked[block] > MOSTLY_LINKS * lengths[block]
        if around <= 0 or not is_first or is_link:
            continue
        text = _behind(columns, block, around)
        if not text or paths.components[facts.paths[columns.elements[text[0]]]].tag in HEADINGS:
            continue
        length = sum(lengths[each] for each in text)
        wanted = sum(lengths[each] for each in text if odds[each] > 0 and repeated[each] < CONSTANT_SHARE)
        are_links = all(columns.linked[each] > MOSTLY_LINKS * lengths[each] for each in text)
        if wanted >= MOSTLY_TEXT * length and length <= MAX_SHARE * kept and not are_links:
            yield block, float(sum(odds[each] * lengths[each] for each in text) / length)


def _behind(columns: ReadPage, block: int, around: int) -> list[int]:
    found: list[int] = []
    for each in range(block + 1, min(len(columns.lengths), block + MAX_LABELLED + 2)):
        if not is_within(columns, each, around):
            return found
        found.append(each)
    return found if len(found) <= MAX_LABELLED else []


def series_in(pages: Iterable[Sequence[tuple[int, int]]]) -> set[int]:
    """Return the keys of labels in the same order on all pages, such as labels of sections.

    A line between paragraphs, such as ``Advertisement``, has no place in the order.

    :param pages: kind of element, and key, of the labels on each page, in order.
    """
    before: Counter[tuple[int, int]] = Counter()
    for labels in pages:
        by_kind: defaultdict[int, dict[int, None]] = defaultdict(dict)
        for kind, key in labels[:MAX_SERIES]:
            by_kind[kind][key] = None
        for keys in map(list, by_kind.values()):
            before.update((one, other) for at, one in enumerate(keys) for other in keys[at + 1 :])
    in_order, in_both = Counter[int](), Counter[int]()
    for one, other in before:
        (in_both if (other, one) in before else in_order).update((one, other))
    return {key for key, others in in_order.items() if 2 * others >= in_both[key]}


MENU = 3  # links of a menu
SHORT_ODDS = 2.0  # highest log-odds of short template
ALWAYS = 0.9  # share of pages with the text of a layout cell, or with text beyond copying by users
MIN_ITEMS = 1.5  # mean number of elements of an item on a page, such as posts of a thread
MAX_ON_PATH = 3  # distinct texts on the path of short template
TELLING = 15  # letters of template known without a place
LINK_ODDS = 2.0  # highest log-odds of a label of links
LINK_WORDS = 3  # mean words of links to stories; names of things have one or two
CLEAN = 0.02  # share of other text in a place of template
COLONS = (":", "\uff1a")


class Found(NamedTuple):
    """Returning template in the content of a sample."""

    blocks: list[set[int]]  # by page, blocks of template
    texts: dict[tuple[int, int], tuple[int, str]]  # by key and path, or -1 for any: number of pages, and text
    places: list[int]  # paths of elements that hold template alone


def find_template(contents: Sequence[ContentPage], odds: Sequence[Floats], paths: Paths) -> Found:
    """Find returning template in the content of a sample.

    :param contents: content by page.
    :param odds: log-odds of the blocks, by page.
    """
    blocks: list[set[int]] = [set() for _ in contents]
    if len(contents) < MIN_PAGES:
        return Found(blocks, {}, [])
    counts = Counts(contents, odds)
    places = places_in(contents, counts, paths)
    judge = _Judge(contents, counts, paths, places, variants_in(contents, counts, paths), items_in(contents, paths))
    texts = dict(judge.template(blocks))
    places = {*judge.clean_places(), *judge.headline_places(blocks)}
    return Found(blocks, texts, sorted(places))


def _placed_around(page: ContentPage) -> set[int]:
    """Return the paths of all elements around the content of a page."""
    return {page.placed[element] for element in page.around(page.blocks)}


def items_in(contents: Sequence[ContentPage], paths: Paths) -> set[int]:
    """Return the paths of named elements with several on a page, as posts of a thread."""
    elements, pages = Counter[int](), Counter[int]()
    for page in contents:
        on_page = Counter(page.placed[element] for element in page.around(page.blocks))
        elements.update(on_page)
        pages.update(on_page.keys())
    several = (path for path, times in elements.items() if times >= MIN_ITEMS * pages[path])
    return {path for path in several if paths.components[path].names}


class _Judge:
    """Judgement on returning parts of pages.

    :param places: paths of elements that return as a whole.
    :param variants: keys of texts in variants.
    :param items: paths of elements of which a page has several.
    """

    def __init__(
        self,
        contents: Sequence[ContentPage],
        counts: Counts,
        paths: Paths,
        places: Collection[int],
        variants: Collection[int],
        items: Collection[int],
    ) -> None:
        self._contents, self._counts, self._paths = contents, counts, paths
        self._places, self._items = places, items
        self._first_of_end: dict[tuple[Component, Component | None], int] = {}
        self._in_place = [page.outermost(places) for page in contents]
        self._candidates = [
            {block for block in page.blocks if self._is_candidate(page, block, in_place[block], variants)}
            for page, in_place in zip(contents, self._in_place, strict=True)
        ]
        self._parts = [page.parts(found) for page, found in zip(contents, self._candidates, strict=True)]
        self._short_runs = [page.runs(partial(self._is_short, number)) for number, page in enumerate(contents)]
        self._series = series_in(map(self._labels, range(len(contents))))
        # By path, lists of links under a label: page and blocks.
        self._lists: defaultdict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
        self._template_in: Counter[int] = Counter()
        self._content_in: Counter[int] = Counter()

    def template(self, found: Sequence[set[int]]) -> Iterator[tuple[tuple[int, int], tuple[int, str]]]:
        """Add template to the blocks of each page, and yield its texts by key and path, where most of their places
        agree."""
        for (key, path), ones in self._votes().items():
            if 2 * sum(is_out for _, _, is_out in ones) > len(ones):
                for number, block, _ in ones:
                    found[number].add(block)
                times, text = self._counts.times(key), self._contents[ones[0][0]].texts[ones[0][1]]
                # Copies by users count where they are written, not on the copied page.
                is_anywhere = (
                    path >= 0
                    or times >= ALWAYS * self._counts.pages
                    or all(self._is_alone(self._contents[number], [block]) for number, block, _ in ones)
                )
                for place in [path] if is_anywhere else self._paths_of(ones):
                    if times >= 2:
                        yield (key, place), (times, text)
        for number, page in enumerate(self._contents):
            for block, links in self._labels_of_links(page):
                found[number].add(block)
                key = page.keys[block] or 0
                yield (key, page.paths[block]), (self._counts.times(key), page.texts[block])
                self._add_list(number, block, links)

    def _add_list(self, number: int, label: int, links: Sequence[int]) -> None:
        """Note a list of links to further pages, by path and page."""
        page = self._contents[number]
        around = page.columns.parents[page.columns.elements[label]]
        if page.has_prose and not page.is_main(around):
            self._lists[page.placed[around]].append((number, (label, *links)))

    def headline_places(self, found: Sequence[set[int]]) -> Iterator[int]:
        """Add the lists of headlines under a returning label to the template of each page, and yield the lists' paths.

        A list stands once on nearly all pages with the list's element, and on most pages of the sample.
        """
        having = Counter(element for page in self._contents for element in _placed_around(page))
        for path, lists in self._lists.items():
            pages = {number for number, _ in lists}
            if len(pages) >= max(self._counts.least, ALWAYS * having[path]) and len(lists) == len(pages):
                yield path
                for number, blocks in lists:
                    found[number].update(blocks)

    def _is_alone(self, page: ContentPage, blocks: Sequence[int]) -> bool:
        """Return True if no text varies on the paths of some blocks."""
        return all(self._counts.is_of_few(page.paths[block], MAX_ON_PATH) for block in blocks)

    def _paths_of(self, votes: Sequence[tuple[int, int, bool]]) -> list[int]:
        """Return the paths with template on two pages or more."""
        pages: defaultdict[int, set[int]] = defaultdict(set)
        for number, block, is_out in votes:
            if is_out:
                pages[self._contents[number].paths[block]].add(number)
        return [path for path, having in pages.items() if len(having) >= 2]

    def _votes(self) -> dict[tuple[int, int], list[tuple[int, int, bool]]]:
        """Return for each text the blocks, as page and number, with a flag for parts that are template."""
        votes: defaultdict[tuple[int, int], list[tuple[int, int, bool]]] = defaultdict(list)
        for number, (page, parts) in enumerate(zip(self._contents, self._parts, strict=True)):
            for top, blocks in parts.items():
                is_template = self._is_template(number, top, blocks)
                for block in blocks:
                    is_out = is_template and not page.is_exempt(block)
                    votes[self._identity(page, block)].append((number, block, is_out))
                    if (element := self._in_place[number][block]) >= 0:
                        sums = self._template_in if is_out else self._content_in
                        sums[page.placed[element]] += page.lengths[block]
        return votes

    def clean_places(self) -> list[int]:
        """Return the places of template alone."""
        sums = self._template_in, self._content_in
        return [path for path in self._places if sums[0][path] > 0 and sums[1][path] <= CLEAN * sums[0][path]]

    def _is_candidate(self, page: ContentPage, block: int, element: int, variants: Collection[int]) -> bool:
        key, counts = page.keys[block], self._counts
        if element >= 0 or key in variants:
            return True
        # Several pages quote the same text, such as a law.
        return counts.returns(key, counts.least_prose) and (
            counts.times(key) >= counts.least or not page.is_quotation(block)
        )

    def _identity(self, page: ContentPage, block: int) -> tuple[int, int]:
        """Return the key of a block's text, and a path with its last components if the text is short.

        Lines of a pattern file name no more of a place.
        """
        is_telling = page.is_prose(block) or letters_of(page.texts[block]) >= TELLING
        path = page.paths[block]
        return page.keys[block] or 0, -1 if is_telling else self._end(path)

    def _end(self, path: int) -> int:
        """Return one of the paths with the last components of a path."""
        return self._first_of_end.setdefault(self._paths.end(path), path)

    def _is_template(self, number: int, top: int, blocks: Sequence[int]) -> bool:
        page, counts, in_place = self._contents[number], self._counts, self._in_place[number]
        if self._may_be_copied(number, blocks):
            return False
        if any(page.is_prose(block) and not page.is_exempt(block) for block in blocks):
            return True
        is_often = all(in_place[block] >= 0 or counts.times(page.keys[block]) >= counts.least for block in blocks)
        if not is_often:
            return False
        if len(blocks) >= MENU and all(map(page.is_link, blocks)):
            return True
        return top >= 0 and self._is_short_template(number, top, blocks)

    def _may_be_copied(self, number: int, blocks: Sequence[int]) -> bool:
        """Return True for a part within several items, such as posts, unless nearly all pages have the part.

        Users can copy a text to further pages, at no cost to the copied page.
        """
        page, counts = self._contents[number], self._counts
        if min(counts.times(page.keys[block]) for block in blocks) >= ALWAYS * counts.pages:
            return False
        if self._is_alone(page, blocks):
            return False  # users write where other text varies
        return any(page.placed[element] in self._items for element in page.elements_around(blocks[0], ()))

    def _is_short_template(self, number: int, top: int, blocks: Sequence[int]) -> bool:
        """Return True for a part without running text, dropped by the scorer and no label."""
        page, counts = self._contents[number], self._counts
        is_always = all(counts.times(page.keys[block]) >= ALWAYS * counts.pages for block in blocks)
        may_vary = is_always and (page.is_cell(top) or not any(map(page.is_heading, blocks)))
        if not (may_vary or self._is_alone(page, blocks)):
            return False
        able = [block for block in blocks if not page.is_exempt(block)]
        are_links = all(map(page.is_link, able))
        if not able or (any(map(page.is_link, able)) and not (is_always and are_links)):
            return False
        most = inf if is_always and (are_links or counts.pages >= MIN_TELLING_PAGES) else SHORT_ODDS
        wanted = sum(counts.odds[page.keys[block] or 0] * page.lengths[block] for block in able)
        if wanted > most * sum(page.lengths[block] for block in able):
            return False
        return not self._is_label(number, top, blocks, able)

    def _is_label(self, number: int, top: int, blocks: Sequence[int], able: Sequence[int]) -> bool:
        """Return True if short text labels varying text after it in an element."""
        page, candidates = self._contents[number], self._candidates[number]
        around = page.columns.parents[top]
        if all(map(page.is_heading, able)):
            return True
        # Adjacent short texts, as heads of columns, count as one.
        before, follows = page.beyond(blocks, around, self._short_runs[number])
        if follows is None or follows in candidates:
            return False
        if page.texts[blocks[-1]].endswith(COLONS):
            return True
        is_first = before is None or not page.is_within(before, around)
        # On a short page a label with its text may be most of the content.
        is_first = is_first and (not page.is_main(around) or len(page.blocks_in(around)) <= len(blocks) + 1)
        is_begin = (is_first and around > 0) or any(map(page.is_heading, able))
        return page.is_within(follows, around) and (is_begin or self._heads_section(number, blocks, follows))

    def _heads_section(self, number: int, blocks: Sequence[int], follows: int) -> bool:
        """Return True for a bold line, or a line in the same order on several pages, before varying text."""
        page = self._contents[number]
        if any(map(page.is_link, (*blocks, follows))) or is_advertisement(page.texts[blocks[0]]):
            return False
        return all(map(page.is_bold, blocks)) or all(page.keys[block] in self._series for block in blocks)

    def _labels(self, number: int) -> list[tuple[int, int]]:
        """Return the path and the key of each short returning line before varying text of a page, in order."""
        page, found = self._contents[number], list[tuple[int, int]]()
        for top, (block, *others) in self._parts[number].items():
            key = page.keys[block] or 0
            if top < 0 or others or page.is_prose(block) or page.is_link(block) or page.is_exempt(block):
                continue
            around = page.columns.parents[top]
            _, follows = page.beyond([block], around, self._short_runs[number])
            is_before_text = follows is not None and page.is_within(follows, around) and not page.is_link(follows)
            if is_before_text and follows not in self._candidates[number] and not is_advertisement(page.texts[block]):
                found.append((self._end(page.paths[block]), key))
        return found

    def _is_short(self, number: int, block: int) -> bool:
        return block in self._candidates[number] and not self._contents[number].is_prose(block)

    def _labels_of_links(self, page: ContentPage) -> Iterator[tuple[int, Sequence[int]]]:
        """Yield short returning texts above varying links, in an element with nothing more, and the links."""
        counts = self._counts
        for block in page.blocks:
            key = page.keys[block]
            if key is None or key not in counts.once or counts.times(key) < counts.least:
                continue
            if page.is_link(block) or page.is_prose(block) or page.is_exempt(block):
                continue
            follows = page.beside(block, 1)
            if follows is None or not page.is_link(follows) or counts.times(page.keys[follows]) >= counts.least:
                continue
            around = page.columns.parents[page.columns.elements[block]]
            if around <= 0:
                continue
            first, *links = page.blocks_in(around)
            if first == block and links and all(map(page.is_link, links)) and self._is_needless(page, key, links):
                yield block, links

    def _is_needless(self, page: ContentPage, key: int, links: Sequence[int]) -> bool:
        """Return True for labels of links dropped by the scorer: contents of a page, or headlines of further pages."""
        addresses = [address for block in links for address in page.addresses.get(block, ())]
        if addresses and all(address.startswith("#") for address in addresses):
            return True
        words = sum(word_count(page.texts[block]) for block in links)
        return self._counts.odds[key] <= LINK_ODDS and words >= LINK_WORDS * max(len(links), len(addresses))

"""Title rules: where titles stand on a site, by the heads of a sample's pages and the links to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scrapy_stemmer.learners.rules.paths import Paths, Selector
from scrapy_stemmer.learners.rules.read_py import MOSTLY_LINKS
from scrapy_stemmer.learners.rules.reading import SamplePage
from scrapy_stemmer.learners.rules.rules import TITLE, PathIndex, Rule, shortest_selector
from scrapy_stemmer.learners.rules.titles import MAX_TIMES, of_several, own_titles

MAX_TITLE_RULES = 3
"""Pages of different layouts may have their titles at different places."""

MIN_VOTES, MIN_RIGHT = 0.1, 0.5
"""A path holds titles where it has the votes of this share of the pages, at least of two, and of this share of those
that have a block there."""


def learned_title_rules(
    paths: Paths, pages: Sequence[SamplePage], placed: Sequence[Sequence[int]], title_parts: frozenset[str]
) -> list[Rule]:
    """Rules for the elements whose text is what links and heads call the pages.

    :param placed: for each page the paths of its elements.
    :param title_parts: texts that titles of several pages share.
    """
    # The texts of links that lead to several pages, such as ``Next``.
    shared = of_several(map(_folded, page.anchors) for page in pages)
    votes: Counter[int] = Counter()
    having: Counter[int] = Counter()
    for page, page_paths in zip(pages, placed, strict=True):
        votes.update(_votes_of(page, page_paths, title_parts, shared))
        having.update({page_paths[element] for element in page.columns.elements})
    least = max(min(2, len(pages)), MIN_VOTES * len(pages))
    chosen = [path for path, count in votes.items() if count >= max(least, MIN_RIGHT * having[path])]
    titles = sorted(chosen, key=lambda path: (-votes[path], path))[:MAX_TITLE_RULES]
    others = PathIndex(paths, [path for path in range(len(paths)) if path not in titles])
    found: dict[Selector, Rule] = {}
    for path in titles:
        selector = shortest_selector(paths, path, others)
        if selector is not None:
            found.setdefault(selector, Rule(TITLE, selector, sure=round(votes[path] / len(pages), 2)))
    return list(found.values())


def _votes_of(page: SamplePage, placed: Sequence[int], title_parts: frozenset[str], shared: frozenset[str]) -> set[int]:
    """The paths of the blocks of a page that are called what the page is called; the first block of each text votes.

    Webstemmer takes the text of most links that lead to a page for its title (Shinyama 2005); here links and head
    have a vote alike. Links do not vote: a menu calls each page by its name.
    """
    names = {_folded(text) for text in own_titles(page.head, title_parts)}
    names |= {_folded(text) for text in page.anchors} - shared
    columns = page.columns
    times = Counter(placed[element] for element in columns.elements)
    found: set[int] = set()
    for element, text, linked in zip(columns.elements, columns.texts, columns.linked, strict=True):
        path, name = placed[element], text.lower()
        is_candidate = linked <= MOSTLY_LINKS * (len(text) - text.count(" ")) and times[path] <= MAX_TIMES
        if is_candidate and name in names and text not in title_parts:
            names.remove(name)
            found.add(path)
    return found


def _folded(text: str) -> str:
    return " ".join(text.split()).lower()

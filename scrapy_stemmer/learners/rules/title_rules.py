"""Where the titles of a site's pages stand: a vote of the links that lead to them and of what their heads say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scrapy_stemmer.learners.rules.roles import MOSTLY_LINKS
from scrapy_stemmer.learners.rules.rules import TITLE, Rule, SelectorIndex
from scrapy_stemmer.learners.rules.sample import Paths
from scrapy_stemmer.learners.rules.selectors import Selector
from scrapy_stemmer.learners.rules.titles import own_titles

if TYPE_CHECKING:
    from scrapy_stemmer.learners.rules.reading import SamplePage

MAX_TITLE_RULES = 3
"""Pages of different layouts may have their titles at different places."""

MAX_TIMES = 3
"""A page has at most so many blocks on the path of its title."""

MIN_RIGHT = 0.5
"""Of the pages that have a block on the path at least this share vote for it."""

MIN_VOTES = 0.1
"""A path holds titles where it has the votes of this share of the pages, at least of two."""


def learned_title_rules(
    paths: Paths, pages: Sequence[SamplePage], placed: Sequence[Sequence[int]], title_parts: frozenset[str]
) -> list[Rule]:
    """Rules for the elements whose text is what links and heads call the pages.

    :param placed: for each page the paths of its elements.
    :param title_parts: texts that titles of several pages share.
    """
    shared = _shared_anchors(pages)
    votes: Counter[int] = Counter()
    having: Counter[int] = Counter()
    for page, page_paths in zip(pages, placed, strict=True):
        votes.update(_votes_of(page, page_paths, title_parts, shared))
        having.update({page_paths[element] for element in page.columns.elements})
    least = max(min(2, len(pages)), MIN_VOTES * len(pages))
    chosen = [path for path, count in votes.items() if count >= max(least, MIN_RIGHT * having[path])]
    titles = sorted(chosen, key=lambda path: (-votes[path], path))[:MAX_TITLE_RULES]
    index = SelectorIndex(paths, [path in set(titles) for path in range(len(paths))], [True] * len(paths))
    found: dict[Selector, Rule] = {}
    for path in titles:
        selector = index.selector(path)
        if selector is not None:
            found.setdefault(selector, Rule(TITLE, selector, sure=round(votes[path] / len(pages), 2)))
    return list(found.values())


def _shared_anchors(pages: Sequence[SamplePage]) -> frozenset[str]:
    """The texts of links that lead to several pages, such as ``Next``."""
    counts = Counter(text for page in pages for text in {_folded(text) for text in page.anchors})
    return frozenset(text for text, count in counts.items() if count > 1)


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
    seen: set[str] = set()
    for element, text, linked, measures in zip(
        columns.elements, columns.texts, columns.linked, page.measures, strict=True
    ):
        lower, path = text.lower(), placed[element]
        is_candidate = linked <= MOSTLY_LINKS * measures.length and times[path] <= MAX_TIMES
        if is_candidate and lower in names and lower not in seen and text not in title_parts:
            seen.add(lower)
            found.add(path)
    return found


def _folded(text: str) -> str:
    return " ".join(text.split()).lower()

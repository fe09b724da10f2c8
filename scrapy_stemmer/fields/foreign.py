"""Comments, and teasers of further pages, whose names and dates are not of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, islice, takewhile

from lxml import etree

from scrapy_stemmer.fields.dates import dates_in
from scrapy_stemmer.fields.metadata import PageTree, title_words
from scrapy_stemmer.fields.names import SHORT, looks_personal
from scrapy_stemmer.fields.words import Sign, is_of_account, is_of_author, is_of_category, is_of_tag, signs_of
from scrapy_stemmer.page.lazily import cached_property

NEIGHBOURS = 4  # siblings before and after an element compared with it
MAX_ELEMENT_TEXTS = 200  # texts of an element to look at
LEVELS_OF_PART = 60  # elements around an element that may be comments or teasers; pages nest up to 55
MOST_COMPARED = 200  # elements of a sibling that are searched for a place, and links of titles
MIN_RUNNING_TEXT = 40  # characters of running text; a shorter sentence may be the motto of the site
MIN_TITLE_SHARE = 0.6  # share of the title's words in a link that names the page itself

_SENTENCE = re.compile(r"(?:\S++\s++){3}.*[.!?…。！？][\"'”’»)]*$", re.DOTALL)
_NO_TEXT = frozenset("script style noscript template head title a h1 h2 h3 h4 h5 h6 button label option".split())
"""Elements whose own text is no running text, even as a sentence."""

_OF_OWN_LINKS = (is_of_author, is_of_account, is_of_tag, is_of_category)


class ForeignParts:
    """Detector of elements in comments and teasers.

    Comments are found by their names, or as several similar elements with dates and texts; teasers as several elements,
    each with a link named by another title than the page. Both stand below the page's text: the first post of a thread,
    and the first entry of a list, belong to the page whatever their names.
    """

    def __init__(self, tree: PageTree) -> None:
        self._tree = tree
        self._is_comment = cache(_is_like_comment)
        self._is_below: dict[etree._Element, bool] = {}  # by element that is not around the text
        self._known_links: dict[etree._Element, list[tuple[etree._Element, str]]] = {}

    def have(self, element: etree._Element) -> bool:
        """Return True if an element belongs to a comment, or to a teaser of another page."""
        path: list[etree._Element] = []
        for item in self._below_text(element):
            names = f"{item.get('class', '')} {item.get('id', '')}"
            if signs_of(names) & Sign.COMMENT or (item.tag != "p" and self._is_one_of_several(item, path)):
                return True
            path.insert(0, item)
        return False

    def _below_text(self, element: etree._Element) -> list[etree._Element]:
        """Return an element and its ancestors after the first running text, innermost first."""
        way, below = self._way_to_text, self._is_below
        line: list[etree._Element] = []
        is_below = False
        for item in (element, *element.iterancestors()) if way else ():
            if item in below:
                is_below = below[item]
                break
            if item in way:
                is_below = bool(line) and item.index(line[-1]) >= way[item]
                break
            line.append(item)
        below.update(dict.fromkeys(line, is_below))
        if not is_below:
            return []
        around = (element, *islice(element.iterancestors(), LEVELS_OF_PART - 1))
        return list(takewhile(lambda item: item not in way, around))

    @cached_property
    def _way_to_text(self) -> Mapping[etree._Element, int]:
        """The element of the first running text after the title, and its ancestors, each with the index of the next
        child."""
        item = next(filter(_is_text, self._behind_title()), None)
        if item is None:
            return {}
        way = {item: len(item) if item is self._tree.heading else 0}
        for outer in item.iterancestors():
            way[outer] = outer.index(item) + 1
            item = outer
        return way

    def _behind_title(self) -> Iterator[etree._Element]:
        heading = self._tree.heading
        if heading is None:
            yield from self._tree.root.iter(etree.Element)
            return
        yield heading
        for outer in (heading, *heading.iterancestors()):
            for sibling in outer.itersiblings():
                yield from sibling.iter(etree.Element)

    def _is_one_of_several(self, item: etree._Element, path: Sequence[etree._Element]) -> bool:
        near = chain(islice(item.itersiblings(preceding=True), NEIGHBOURS), islice(item.itersiblings(), NEIGHBOURS))
        alike = [
            (sibling, holder)
            for sibling in near
            if _are_alike(sibling, item) and (holder := _first_at(sibling, path)) is not None
        ]
        if not alike:
            return False
        several = [(item, path[-1] if path else item), *alike]
        if all(self._is_comment(one) for one, _ in several):
            return True
        titles: list[set[str]] = []
        for one, holder in several:
            if not (own := self._titles_in(one, holder)):
                return False
            titles.append(own)
        return all(own - set().union(*titles[:at], *titles[at + 1 :]) for at, own in enumerate(titles))

    def _titles_in(self, item: etree._Element, holder: etree._Element) -> set[str]:
        """Return the texts of links in an element, such as titles of further pages, except links around or in
        ``holder``."""
        inside = () if holder is item else islice(holder.iter("a"), MOST_COMPARED)
        own = {holder, *inside, *islice(holder.iterancestors(), LEVELS_OF_PART)}
        return {text for link, text in self._links_in(item) if link not in own}

    def _links_in(self, item: etree._Element) -> list[tuple[etree._Element, str]]:
        if item not in self._known_links:
            self._known_links[item] = [
                (link, text) for link in islice(item.iter("a"), MOST_COMPARED) if (text := self._title_of(link))
            ]
        return self._known_links[item]

    def _title_of(self, link: etree._Element) -> str:
        href = link.get("href") or "#"
        if href.startswith("#") or any(is_own(href) for is_own in _OF_OWN_LINKS):
            return ""
        text = _text_of(link)
        if len(text.split()) < 2 or looks_personal(text) or dates_in(text):
            return ""
        shared = len(self._title & title_words(text))
        return text if not shared or shared < MIN_TITLE_SHARE * len(self._title) else ""

    @cached_property
    def _title(self) -> frozenset[str]:
        return title_words(_text_of(self._tree.heading)) if self._tree.heading is not None else frozenset()


def _text_of(element: etree._Element) -> str:
    return " ".join(" ".join(islice(element.itertext(), MAX_ELEMENT_TEXTS)).split())


def _is_text(element: etree._Element) -> bool:
    tag, tail = element.tag, element.tail
    if tail and len(tail) > MIN_RUNNING_TEXT and _is_running(tail.strip()):
        return True
    own = _text_of(element) if tag == "p" else element.text
    return own is not None and len(own) > MIN_RUNNING_TEXT and tag not in _NO_TEXT and _is_running(own.strip())


def _is_running(text: str) -> bool:
    return len(text) > MIN_RUNNING_TEXT and (len(text) > 2 * SHORT or _SENTENCE.match(text) is not None)


def _are_alike(one: etree._Element, other: etree._Element) -> bool:
    if one.tag != other.tag:
        return False
    mine, theirs = one.get("class"), other.get("class")
    return mine == theirs or _share(mine or "", theirs or "")


@lru_cache(4096)
def _share(one: str, other: str) -> bool:
    mine, theirs = set(one.split()), set(other.split())
    return mine == theirs or not mine.isdisjoint(theirs)


def _first_at(element: etree._Element, path: Sequence[etree._Element]) -> etree._Element | None:
    stack = [(element, 0)]
    for _ in range(MOST_COMPARED):
        if not stack:
            break
        holder, level = stack.pop()
        if level == len(path):
            return holder
        children = islice(holder, MOST_COMPARED)
        stack += [(child, level + 1) for child in children if _are_alike(child, path[level])][::-1]
    return None


def _is_like_comment(item: etree._Element) -> bool:
    texts = [text for text in islice(item.itertext(), MAX_ELEMENT_TEXTS) if text.strip()]
    return len(texts) > 2 and (any(time.get("datetime") for time in item.iter("time")) or any(map(dates_in, texts)))

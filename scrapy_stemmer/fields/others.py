"""What of a page is not its own: names and dates in comments, and in teasers of other pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import chain, islice

from lxml import etree

from scrapy_stemmer.fields.dates import dates_in
from scrapy_stemmer.fields.names import SHORT, looks_personal
from scrapy_stemmer.fields.words import ACCOUNT_LINK, AUTHOR_LINK, CATEGORY_LINK, TAG_LINK, Sign, signs_of

NEIGHBOURS = 4
"""Elements before one, and behind it, among which its like are looked for."""

MOST_TEXTS = 200
"""Texts of an element that are looked at."""

MIN_TEXT = 40
"""Characters of running text; a shorter sentence may be the motto of the site."""

MIN_SHARED = 0.6
"""The share of the words of the title with which a link names the page itself."""

_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"(?:\S+\s+){3,}.*[.!?…。！？][\"'”’»)]*$", re.DOTALL)
_NO_TEXT = frozenset("script style noscript template head title a h1 h2 h3 h4 h5 h6 button label option".split())
"""Elements whose own text is no running text, though it may be a sentence."""

_OWN_LINKS = (AUTHOR_LINK, ACCOUNT_LINK, TAG_LINK, CATEGORY_LINK)


class Others:
    """Tells of elements of a page whether they are in parts of others.

    Comments are told by their names, or by being several that are alike, with dates and texts; teasers by being
    several, each with a link that is called by another title than the page. Both stand below the text of the page: the
    first post of a thread, and the first entry of a list, above which there is none, are its own, whatever their names.

    :param heading: the title of the page; ``None`` where it shows none.
    """

    def __init__(self, root: etree._Element, heading: etree._Element | None) -> None:
        self._root, self._heading = root, heading
        self._title = _words_of(heading) if heading is not None else frozenset()

    def have(self, element: etree._Element) -> bool:
        """Whether an element is one of a comment, or of a teaser of another page."""
        path: list[etree._Element] = []
        for item in (element, *element.iterancestors()):
            if item in self._above_text or item.tag in ("body", "html"):
                return False
            names = f"{item.get('class', '')} {item.get('id', '')}"
            if signs_of(names) & Sign.COMMENT or (item.tag != "p" and self._is_one_of_several(item, path)):
                return True
            path.insert(0, item)
        return False

    @cached_property
    def _above_text(self) -> set[etree._Element]:
        """The elements that begin before the end of the first running text behind the title."""
        found: set[etree._Element] = set()
        is_behind, inside = self._heading is None, set(() if self._heading is None else self._heading.iterdescendants())
        for element in self._root.iter(etree.Element):
            found.add(element)
            is_behind = is_behind or element is self._heading
            if is_behind and element not in inside and _is_text(element):
                break
        return found

    def _is_one_of_several(self, item: etree._Element, path: Sequence[etree._Element]) -> bool:
        """Whether an element stands beside others that are like it as far as what it holds at a path, and each is a
        comment or a teaser."""
        near = chain(islice(item.itersiblings(preceding=True), NEIGHBOURS), islice(item.itersiblings(), NEIGHBOURS))
        alike = [(each, holder) for each in near if _are_alike(each, item) for holder in _at(each, path)[:1]]
        if not alike:
            return False
        every = [(item, path[-1] if path else item), *alike]
        if all(_is_like_comment(each) for each, _ in every):
            return True
        titles = [self._titles_in(each, holder) for each, holder in every]
        return all(own - set().union(*titles[:at], *titles[at + 1 :]) for at, own in enumerate(titles))

    def _titles_in(self, item: etree._Element, holder: etree._Element) -> set[str]:
        """The texts of the links in an element that may be titles of other pages."""
        found = set()
        for link in item.iter("a"):
            href, text = link.get("href") or "#", _text_of(link)
            is_holders = link is holder or link in holder.iterancestors() or (holder in link.iterancestors())
            is_own = href.startswith("#") or is_holders or any(pattern.search(href) for pattern in _OWN_LINKS)
            if not is_own and len(text.split()) > 1 and not looks_personal(text) and not any(dates_in(text)):
                shared = len(self._title & _words_of(link))
                if not shared or shared < MIN_SHARED * len(self._title):
                    found.add(text)
        return found


def _text_of(element: etree._Element) -> str:
    return " ".join(" ".join(islice(element.itertext(), MOST_TEXTS)).split())


def _words_of(element: etree._Element) -> frozenset[str]:
    return frozenset(_WORD.findall(_text_of(element).casefold()))


def _is_text(element: etree._Element) -> bool:
    """Whether an element, or what follows it, is running text."""
    own = "" if element.tag in _NO_TEXT else _text_of(element) if element.tag == "p" else element.text or ""
    return any(
        len(text) > MIN_TEXT and (len(text) > 2 * SHORT or _SENTENCE.match(text))
        for text in (own.strip(), (element.tail or "").strip())
    )


def _are_alike(one: etree._Element, other: etree._Element) -> bool:
    """Whether two elements have the same tag, and a class in common where they have any."""
    if one.tag != other.tag:
        return False
    mine, theirs = set((one.get("class") or "").split()), set((other.get("class") or "").split())
    return mine == theirs or not mine.isdisjoint(theirs)


def _at(element: etree._Element, path: Sequence[etree._Element]) -> list[etree._Element]:
    """The elements that another one holds as the first of a path holds its last."""
    found = [element]
    for step in path:
        found = [child for each in found for child in each if _are_alike(child, step)]
    return found


def _is_like_comment(item: etree._Element) -> bool:
    """Whether an element holds a date, and two texts more at least."""
    texts = [text for text in islice(item.itertext(), MOST_TEXTS) if text.strip()]
    is_dated = any(each.get("datetime") for each in item.iter("time")) or any(any(dates_in(text)) for text in texts)
    return is_dated and len(texts) > 2

"""Title of a page: the choice of a heading, compared with the titles in the head."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import takewhile

from rapidfuzz.fuzz import ratio

from scrapy_stemmer.learners.rules.decide.head import (
    IDEOGRAPHIC,
    MIN_LEFT,
    Headlines,
    SiteNames,
    first_title,
    own_titles,
    parts_of_site,
    plain_name,
    title_spans,
    without_common,
    words_in,
)
from scrapy_stemmer.learners.rules.site.site import PlacedPage
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.shown import HEADLINE, MAX_NAMED, TITLES, Head
from scrapy_stemmer.page.text import tokens

MAX_TIMES = 3  # blocks on the path of a title, at most
MIN_AGREED = 0.5  # share of words in common, at least, where a heading agrees with a title or a link
MOST_SIGNS = 5  # bytes, for each byte of the letters and digits of a title
MIN_NAME = 5  # words of an article's name, at least, behind a kicker
_WORD = re.compile(r"\w+")
_BAR = re.compile(r"(?:(?<!\s)\s++)?[|\u00bb\uff5c]\s*+")


def naming_texts(texts: Sequence[str], is_heading: Sequence[bool], names: Iterable[str]) -> list[int]:
    """Return the indices of the texts that name a page: the first heading that agrees with a name, and before it the
    first further text equal to a name.

    A heading agrees with a name if all words of the shorter are in the longer, and are half of its words: menus leave
    out words such as ``Class`` or a number, and cards add some. Further texts must equal a name, in any case: short
    texts, as of breadcrumbs, dates and cells, are part of many names.
    """
    known = {name.lower() for name in names} - {""}
    known_words = [frozenset(_words(name)) for name in known]
    others: list[int] = []
    for index, text in enumerate(map(str.lower, texts)):
        if not is_heading[index]:
            others += [index] if text in known else []
        elif text in known or any(_agree(frozenset(_words(text)), words) for words in known_words):
            return [*others[:1], index]
    return others[:1]


def _words(text: str) -> list[str]:
    return _WORD.findall(text[: 2 * MAX_NAMED].lower())


def _agree(words: frozenset[str], others: frozenset[str]) -> bool:
    shorter, longer = sorted((words, others), key=len)
    return bool(shorter) and shorter <= longer and len(shorter) >= MIN_AGREED * len(longer)


def best_heading(headings: Sequence[str], wanted: Sequence[str], common: frozenset[str]) -> int | None:
    """Return the index of the ``h1`` that names the page, or ``None``.

    Best are headings without words that a wanted title lacks, then the most similar. A text in common with further
    pages counts only in the first case.
    """
    known = []
    for index, heading in enumerate(headings):
        is_contained = any(_has_words(title, heading) for title in wanted)
        if is_contained or heading not in common:
            likeness = max((ratio(heading[: 2 * MAX_NAMED].lower(), title.lower()) for title in wanted), default=0.0)
            known.append((is_contained, likeness, -index))
    return -max(known)[2] if known else None


def agreed_title(heading: str, head: Head) -> str:
    """Return the title that heading and head agree on: mostly the heading.

    The kicker of an article, as in ``Weather: Rain fell``, is left out if a title in the head lacks it. Marks that
    style sheets write between lines are taken from the head. Parts behind a bar, as in ``Rain fell | 2nd edition``, are
    left out if unknown to the head.
    """
    names = [head.texts[name] for name in TITLES if name in head.texts]
    if len(heading) > 2 * MAX_NAMED:
        return heading
    if head.is_article:
        known = {tuple(_words(name)): name for name in reversed(names)}
        words = _words(heading)
        for start, _ in title_spans(heading)[1:]:
            end = _words(heading[start:])
            if len(end) >= max(MIN_NAME, MIN_AGREED * len(words)) and tuple(end) in known:
                return heading[start:]
        if len(name := known.get(tuple(words), "")) > len(heading):
            return name
    elif heading in names:
        return heading  # most headings
    if not any(_has_words(name, heading) for name in names):
        parts = _BAR.split(heading)
        for name in names:
            kept = list(takewhile(partial(_has_words, name), parts))
            if kept:
                return heading[: heading.index(kept[-1]) + len(kept[-1])]
    return heading


def _has_words(title: str, text: str) -> bool:
    """Return True if a title has the words of a text, or the characters where spaces part no words."""
    return set(_words(text)).issubset(_words(title)) or (
        IDEOGRAPHIC.search(text) is not None and set(tokens(text)).issubset(tokens(title))
    )


class PageTitles:
    """The blocks of a page as titles, kept or dropped."""

    def __init__(self, page: PlacedPage) -> None:
        self._page, self._site, self._head = page, page.site, page.shown.head

    def text(self, block: int) -> str:
        """Return the text of a block, with the further lines of its heading."""
        return " ".join(map(self._page.columns.text, self._page.columns.lines_of_heading(block)))

    @cached_property
    def naming_block(self) -> int | None:
        rules = self._site.rules
        for number, index in self._found:
            if number < len(rules) and rules[number].is_users:
                return index
        if (headline := self._headline) is not None:
            return headline
        return self._best_heading([*self._headings, *([] if self._knows_title else self._named)])

    @cached_property
    def _found(self) -> list[tuple[int, int]]:
        """The blocks on the paths of titles, by number of the rule; main headings have the number behind all rules."""
        return self._page.columns.named()

    @cached_property
    def _headings(self) -> list[int]:
        """The first block of each title rule, then further main headings."""
        found, others = self._found, len(self._site.rules)
        numbers, firsts = [number for number, _ in found], dict(reversed(found))
        headings = [firsts[each] for each in sorted(firsts) if each < others and numbers.count(each) <= MAX_TIMES]
        return headings + [index for number, index in found if number == others]

    @cached_property
    def _knows_title(self) -> bool:
        """True if a title rule of the site finds a block. Otherwise the page is read as a page alone."""
        return self._site.knowledge.pages > 1 and any(number < len(self._site.rules) for number, _ in self._found)

    @property
    def _names_site(self) -> bool:
        """True if all titles in the head have parts in common with learned pages, such as the name of the site."""
        known = self._site.knowledge
        parts = known.title_parts if known.pages > 1 else ()
        return all(without_common(title, parts) != title for title in self._head.texts.values()) if parts else False

    @cached_property
    def _site_names(self) -> SiteNames:
        return SiteNames(self._page.shown.metadata, self._page.url, self._page.shown.root)

    @cached_property
    def shared_parts(self) -> frozenset[str]:
        """Texts in common among titles or headings of several pages; on a page alone the names of its site, too."""
        known = self._site.knowledge
        if self._knows_title or self._names_site or not self._head.texts or self._site_names.is_home:
            return known.title_parts
        titles, names = self._head.texts.values(), self._site_names
        shared = parts_of_site(titles, names, Headlines(self._is_line, self._is_head))
        mains = (self.text(at) for _, at in self._found)
        return shared.union(known.title_parts, (text for text in mains if text and names.is_exact(text)))

    @cached_property
    def own(self) -> list[str]:
        """Titles in the head without parts in common with further pages."""
        return own_titles(self._head, self.shared_parts)

    @property
    def of_head(self) -> str | None:
        return first_title(self.own, self._head)

    def _is_head(self, plain: str) -> bool:
        """Return True if a heading of several words has these letters and digits."""
        return any(self._page.is_heading(at) and words_in(self.text(at)) >= 2 for at in self._saying(plain))

    def _is_line(self, plain: str) -> bool:
        """Return True if a heading or a line of several words, no link, has these letters and digits."""
        for at in self._saying(plain):
            text, is_heading = self.text(at), self._page.is_heading(at)
            if is_heading and words_in(text) >= 2:
                return True
            if len(text) <= MAX_NAMED and not self._page.is_link(at) and words_in(text) >= MIN_LEFT:
                return True
        return False

    def _saying(self, plain: str) -> list[int]:
        """Return the blocks with the given letters and digits, a heading by all lines."""
        return [
            at
            for at in self._page.columns.lines_of_size(len(plain), MOST_SIGNS * (len(plain.encode()) + 1))
            if plain_name(self.text(at)) == plain
        ]

    def _best_heading(self, headings: Sequence[int]) -> int | None:
        if not headings:
            return None
        parts = self.shared_parts
        if len(headings) == 1 and self.text(headings[0]) not in parts:
            return headings[0]
        names = self.own
        if not names:
            # Common parts are the title of a list, or of the site, also in a heading of most pages.
            names = list(self._head.texts.values())
            headings = [index for index in headings if not self._page.is_repeated(index)]
        best = best_heading(list(map(self.text, headings)), names, parts)
        return None if best is None else headings[best]

    @property
    def _headline(self) -> int | None:
        """First heading equal to the article's headline in JSON-LD."""
        headline = self._head.texts.get(HEADLINE)
        said = (at for at in self._page.columns.headings() if self.text(at) == headline) if headline else ()
        return next(iter(said), None)

    @property
    def _named(self) -> list[int]:
        names = self.own
        heads = set(self._page.columns.headings())
        found = sorted(heads.union(*(self._saying(plain_name(name)) for name in names)))
        texts, is_link = list(map(self.text, found)), list(map(self._page.is_link, found))
        is_heading = [at in heads for at in found]
        # A link is no title, but a heading in a link, as of a card, ends the search.
        able = [
            text if heads or not links else "" for text, heads, links in zip(texts, is_heading, is_link, strict=True)
        ]
        named = naming_texts(able, is_heading, names)
        return [found[index] for index in named if not is_link[index] or texts[index] in names]

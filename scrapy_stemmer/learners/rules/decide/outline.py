"""Outlines of pages, by which placeholders are found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy_stemmer.learners.rules.decide.head import title_parts_of
from scrapy_stemmer.learners.rules.site.columns import Signature
from scrapy_stemmer.learners.rules.site.traits import has_trait, traits_in
from scrapy_stemmer.page.document import site_of
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.shown import Head

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

FEW_LINKS = 3  # a page with more links to its site has the site's frame, and is judged by text of the page alone
MAX_TITLE = 200  # characters of a placeholder's title
MAX_BEFORE_HEADING = 100  # characters outside links before a placeholder's heading
LOOKED_AT = 100  # blocks searched for binary data,
BEGINNING = 1500  # and characters
GARBLED = 0.1  # share of characters in images and compressed data that texts never have
_ABSOLUTE = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
_NO_PAGE = ("javascript:", "mailto:", "tel:", "data:", "about:")
_OF_A_SERVICE = "/cdn-cgi/"
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ue000-\uf8ff\ufffd]")
_POST = re.compile(r"(?:^|[\s_-])(?:comment|reply|respon[sd]e?)(?:$|[\s_-])", re.IGNORECASE)  # names of readers' posts


@dataclass(frozen=True)
class Outline:
    """Parts of a page by which placeholders are found."""

    url: str
    head: Head
    columns: ReadPage
    signatures: Sequence[Signature]  # of the elements, by number

    @cached_property
    def plain(self) -> list[int]:
        sizes = zip(self.columns.lengths, self.columns.linked, strict=True)
        return [max(0, length - linked) for length, linked in sizes]

    @cached_property
    def length(self) -> int:
        return sum(self.plain)

    @cached_property
    def is_bare(self) -> bool:
        """True if hardly any link leads to a page of the site."""
        site, own = site_of(self.url), self.url.partition("#")[0]
        targets: set[str] = set()
        for _, address in self.columns.each_link():
            target = address.strip().partition("#")[0]
            if not target or target.lower().startswith(_NO_PAGE) or _OF_A_SERVICE in target or own.endswith(target):
                continue
            if (
                "//" not in target
                or not _ABSOLUTE.match(target)
                or site_of(f"https:{target}" if target[0] == "/" else target) == site
            ):
                targets.add(target)
                if len(targets) > FEW_LINKS:
                    return False
        return True

    @cached_property
    def titles(self) -> list[str]:
        """Title, whole and in parts, and the first heading of both main levels near the beginning.

        Headings behind some text may be readers'.
        """
        title = self.head.title
        firsts: dict[str, str] = {}
        before = 0
        for text, element, length in zip(self.columns.texts, self.columns.elements, self.plain, strict=True):
            firsts.setdefault(self.signatures[self.columns.signatures[element]].tag, text)
            if (before := before + length) >= MAX_BEFORE_HEADING:
                break
        headings = (firsts[tag] for tag in ("h1", "h2") if tag in firsts)
        texts = (title, *title_parts_of(title), *headings)
        return list(dict.fromkeys(plain_of(text) for text in texts if len(text) <= MAX_TITLE))

    @cached_property
    def said(self) -> str:
        """Whole text, normalized by :func:`plain_of`."""
        return plain_of(" ".join(self.columns.texts))

    @cached_property
    def texts_of_site(self) -> Sequence[str]:
        """Texts outside readers' posts: what only they say tells nothing of a page."""
        columns, posted = self.columns, self._posted
        if not any(posted):
            return columns.texts
        return [text for text, element in zip(columns.texts, columns.elements, strict=True) if not posted[element]]

    @cached_property
    def said_by_site(self) -> str:
        """Text outside readers' posts, normalized by :func:`plain_of`."""
        return self.said if not any(self._posted) else plain_of(" ".join(self.texts_of_site))

    @cached_property
    def _posted(self) -> list[bool]:
        """Flags of elements within a post: named as a comment or reply, or a container like an earlier sibling."""
        columns, plain = self.columns, [0] * len(self.columns.parents)
        for element, length in zip(columns.elements, self.plain, strict=True):
            if columns.parents[element] >= 0:  # an element is no container of its own text
                plain[columns.parents[element]] += length
        for element in range(len(plain) - 1, -1, -1):
            if columns.parents[element] >= 0:
                plain[columns.parents[element]] += plain[element]
        found = list[bool]()
        earlier = set[tuple[int, str, str]]()
        for element, (parent, number) in enumerate(zip(columns.parents, columns.signatures, strict=True)):
            signature = self.signatures[number]
            kind = (parent, signature.tag, signature.classes)
            is_like = kind in earlier
            if plain[element]:
                earlier.add(kind)
            is_posted = (is_like and plain[element] > 0) or _POST.search(f"{signature.classes} {signature.id}")
            found.append(bool(is_posted) or (parent >= 0 and found[parent]))
        return found

    @property
    def is_garbled(self) -> bool:
        """True if the page begins with bytes rather than text."""
        start = "".join(self.columns.texts[:LOOKED_AT])[:BEGINNING]
        if start.isprintable() and "\ufffd" not in start:
            return False  # most pages, in a hundredth of the time
        return len(_NO_TEXT.findall(start)) > GARBLED * len(start)

    def within(self, trait: int, blocks: Iterable[int]) -> list[int]:
        """Return the blocks within elements of a trait."""
        columns = self.columns
        if not has_trait(self.signatures, columns, trait):
            return []
        found, traits = list[bool](), traits_in(self.signatures)
        for parent, number in zip(columns.parents, columns.signatures, strict=True):
            found.append(traits[number] & trait != 0 or (parent >= 0 and found[parent]))
        return [block for block in blocks if found[columns.elements[block]]]


def plain_of(text: str) -> str:
    """Return a text in lower case, with collapsed white space and plain apostrophes."""
    return " ".join(text.lower().replace("\u2019", "'").split())

"""Reading the pages of a sample: which of their texts and links return, and which pages are copies of each other.

The native reader is used where it is built for this version of lxml, else the plain one.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit
from zlib import crc32

from lxml import etree

from scrapy_stemmer._native import is_pure_wanted
from scrapy_stemmer.learners.rules.read_py import Columns, Measures, MeasuresOfPage, Signatures, body_of
from scrapy_stemmer.learners.rules.titles import Head, head_of

__all__ = [
    "Copies",
    "LinkKeys",
    "PageTexts",
    "Repeats",
    "SamplePage",
    "SampleReader",
    "copies_in",
    "measures_of",
    "read",
]

try:
    if is_pure_wanted():
        raise ImportError("plain Python is asked for")
    from scrapy_stemmer._native.measure import measures_of
    from scrapy_stemmer._native.read import read
except (ImportError, TypeError, ValueError):
    from scrapy_stemmer.learners.rules.read_py import measures_in_python as measures_of
    from scrapy_stemmer.learners.rules.read_py import read


MAX_TEXTS = 10_000
"""Texts whose measures are remembered while a sample is read."""


@dataclass(frozen=True)
class SamplePage:
    """A page of a sample, read and measured.

    :param anchors: texts of links to it.
    :param links: for each link with an address its key, and whether it leads to the same site.
    """

    url: str
    columns: Columns
    measures: MeasuresOfPage
    head: Head
    anchors: Sequence[str]
    links: Sequence[tuple[int, bool]]

    @property
    def text_keys(self) -> Sequence[int]:
        """For each block the key of its text."""
        return self.measures.keys

    @property
    def link_keys(self) -> list[int]:
        """For each link its key."""
        return [key for key, _ in self.links]


class SampleReader:
    """Reads the pages of a sample; a text that returns soon is measured once."""

    def __init__(self) -> None:
        self.signatures: Signatures = {}
        self._measures: dict[str, Measures] = {}

    def read(self, url: str, root: etree._Element, anchors: Sequence[str] = ()) -> SamplePage:
        """A page of the sample; its tree is not kept."""
        columns = read(body_of(root), self.signatures)
        known = self._measures
        if len(known) > MAX_TEXTS:
            known.clear()
        measures = []
        for text in columns.texts:
            found = known.get(text)
            if found is None:
                found = known[text] = measures_of(text)
            measures.append(found)
        keys = LinkKeys(url)
        links = [keys.key(href) for _, href in columns.links]
        return SamplePage(url, _packed(columns), MeasuresOfPage(measures), head_of(root), anchors, links)


def _packed(columns: Columns) -> Columns:
    """What learning needs of a page, numbers in four bytes each."""
    return columns._replace(
        parents=array("i", columns.parents),
        signatures=array("i", columns.signatures),
        elements=array("i", columns.elements),
        linked=array("i", columns.linked),
        starts=array("i"),
        ends=array("i"),
    )


# How many pages of a sample have each text and each link

_SESSION = re.compile(r"(?<=[?&;])(?:sid|s?session_?id|jsessionid|phpsessid)=[^&;#]*[&;]?", re.IGNORECASE)
"""The part of an address that differs from visit to visit."""


class LinkKeys:
    """Finds keys of what the links of a page lead to: the same for the same address, however it is written.

    :param base: address of the page.
    """

    def __init__(self, base: str) -> None:
        self._base = base
        try:
            parts = urlsplit(base)
        except ValueError:
            parts = urlsplit("")
        self._host = _host_of(parts.netloc)
        self._folders = parts.path.split("/")[:-1] or [""]
        self._folder = f"{self._host}{'/'.join(self._folders)}/"
        self._own = self._joined("")

    def key(self, href: str) -> tuple[int, bool]:
        """A 32-bit hash of where a link leads, and whether that is the same site; (0, False) when it is none.

        Common forms are taken as they stand: the library's way takes as long as all else of learning.
        """
        href = _cleaned(href)
        if not href:
            return self._own
        if href.startswith("../"):
            return self._from_above(href)
        if href.startswith("?") or "./" in href:
            return self._joined(href)
        scheme, found, rest = href.partition("://")
        if found:
            if scheme.lower() not in ("http", "https"):
                return 0, False
            target = rest
        elif href.startswith("//"):
            target = href[2:]
        elif href.startswith("/"):
            return _key_of(self._host + href), True
        elif ":" in href:
            return 0, False
        else:
            return _key_of(self._folder + href), True
        host, slash, path = target.partition("/")
        host = _host_of(host)
        return _key_of(f"{host}/{path}" if slash else f"{host}/"), host == self._host

    def _from_above(self, href: str) -> tuple[int, bool]:
        """The key of an address that begins with steps up."""
        steps, rest = 0, href
        while rest.startswith("../"):
            steps, rest = steps + 1, rest[3:]
        if "./" in rest or rest in (".", "..") or rest.startswith("?"):
            return self._joined(href)
        folder = "/".join(self._folders[: max(1, len(self._folders) - steps)])
        return _key_of(f"{self._host}{folder}/{rest}"), True

    def _joined(self, href: str) -> tuple[int, bool]:
        try:
            target = urlsplit(urljoin(self._base, href))
        except ValueError:
            return 0, False
        host = _host_of(target.netloc)
        query = f"?{target.query}" if target.query else ""
        return _key_of(f"{host}{target.path or '/'}{query}"), host == self._host


def _cleaned(href: str) -> str:
    """An address as it stands without what does not change where it leads."""
    href = href.strip().partition("#")[0]
    if "id=" in href or "ID=" in href:
        href = _SESSION.sub("", href).rstrip("?&;")
    return href[2:] if href.startswith("./") and href[2:3] not in ("", "?", ".") else href


def _host_of(netloc: str) -> str:
    return netloc.lower().removeprefix("www.")


def _key_of(address: str) -> int:
    return crc32(address.encode("utf-8", "surrogatepass"))


class Repeats:
    """How many of some pages have each key.

    :param pages: the keys of each page.
    :param mask: the bits of keys that count.
    """

    def __init__(self, pages: Sequence[Sequence[int]], mask: int = -1) -> None:
        import numpy as np  # takes longer than all else, and to strip a page needs none of this

        self._others = len(pages) - 1
        distinct = [np.unique(np.asarray(keys, np.int64) & mask) for keys in pages]
        self._keys, self._counts = np.unique(np.concatenate(distinct or [np.empty(0, np.int64)]), return_counts=True)

    def shares_on_others(self, keys: Sequence[int]) -> Sequence[float]:
        """For each key of one of the pages the share of the others that have it."""
        places = self._keys.searchsorted(list(keys))
        return array("d", ((self._counts[places] - 1) / self._others).tolist())

    def several(self, least: int, most: int) -> dict[int, int]:
        """The keys that some pages have, with how many: those of most pages first, then the lowest.

        :param least: of how many pages.
        :param most: how many keys.
        """
        found = (self._counts >= least).nonzero()[0]
        pairs = zip((-self._counts[found]).tolist(), self._keys[found].tolist(), strict=True)
        return {key: -count for count, key in sorted(pairs)[:most]}


# Which pages of a sample are copies of each other, and which have no text of their own
#
# The same article under many addresses, its print version, variants of a product: their texts return as those of a
# template do, so they count once. Near-copies are told by what is not on nearly all pages: most of that they share.
# Several pages of the same few words are no content at all: soft errors, walls of consent and login, shells of scripts.

NEARLY_ALL = 0.9
"""Texts of this share of the pages are template, whoever copies whom."""

SHARED = 0.8
"""Pages that share so much of their own running text are copies."""

ENOUGH = 200
"""Characters of running text of its own that a page must have to be compared by them; pages with less are copies when
nearly all else is the same too, links included."""

COMPARED_BY = 8
"""The longest texts of a page by which others are found that may be copies."""

PLACEHOLDERS = 3
"""So many pages with the same few words have no text of their own."""

FEW_WORDS = 150
"""Characters of running text below which words are few: about thirty words."""

FEW = 50
"""Of so many pages with the same text each is compared with each; of more only neighbours, and each with the first."""


class PageTexts(NamedTuple):
    """The texts of a page as far as they tell copies.

    :param texts: for each block its text, numbers included: weather and results differ in nothing else.
    :param lengths: for each block its characters.
    :param plain: for each block those of them outside links.
    """

    texts: Sequence[str]
    lengths: Sequence[int]
    plain: Sequence[int]


class Copies(NamedTuple):
    """Pages that are copies of each other, by their numbers.

    :param pages: one or more.
    :param are_placeholders: whether they have no text of their own.
    """

    pages: tuple[int, ...]
    are_placeholders: bool


def copies_in(pages: Sequence[PageTexts]) -> list[Copies]:
    """All pages in groups of copies, in the order of their first members."""
    having = Counter(text for page in pages for text in set(page.texts))
    template = {text for text, count in having.items() if count > 1 and count >= NEARLY_ALL * len(pages)}
    own = [_own(page, page.lengths, template) for page in pages]
    plain = [_own(page, page.plain, template) for page in pages]
    groups = _Groups(len(pages))
    for first, second in _pairs(pages, template):
        if _are_copies(own[first], own[second], plain[first], plain[second]):
            groups.join(first, second)
    return [Copies(members, _are_placeholders(members, pages, plain)) for members in groups.found()]


def _own(page: PageTexts, weights: Sequence[int], template: set[str]) -> dict[str, int]:
    """The texts of a page that are not template, each with its weight."""
    return {
        text: weight for text, weight in zip(page.texts, weights, strict=True) if text not in template and weight > 0
    }


def _pairs(pages: Sequence[PageTexts], template: set[str]) -> list[tuple[int, int]]:
    """Pages that may be copies: the same text is among the longest of both; or they have none but the template's."""
    by_text: defaultdict[str, list[int]] = defaultdict(list)
    bare: list[int] = []
    for number, page in enumerate(pages):
        texts = _own(page, page.lengths, template)
        longest = sorted(texts, key=lambda text: (-texts[text], text))[:COMPARED_BY]
        for text in longest:
            by_text[text].append(number)
        if not longest:
            bare.append(number)
    found: set[tuple[int, int]] = set(pairwise(bare))
    for numbers in by_text.values():
        if len(numbers) <= FEW:
            found.update(combinations(numbers, 2))
        else:
            found.update(pairwise(numbers))
            found.update((numbers[0], other) for other in numbers[1:])
    return sorted(found)


def _are_copies(
    own: dict[str, int], other_own: dict[str, int], plain: dict[str, int], other_plain: dict[str, int]
) -> bool:
    least = min(sum(plain.values()), sum(other_plain.values()))
    if least >= ENOUGH:
        return _shared(plain, other_plain) >= SHARED
    return _shared(own, other_own) >= NEARLY_ALL


def _shared(first: dict[str, int], second: dict[str, int]) -> float:
    """The share of the page with more text that both have."""
    total = max(sum(first.values()), sum(second.values()))
    return sum(weight for text, weight in first.items() if text in second) / total if total else 1.0


def _are_placeholders(members: Sequence[int], pages: Sequence[PageTexts], plain: Sequence[dict[str, int]]) -> bool:
    if len(members) < PLACEHOLDERS:
        return False
    if len(members) == len(pages):
        # All that they share looks like template.
        return max(sum(pages[number].plain) for number in members) < FEW_WORDS
    return max(sum(plain[number].values()) for number in members) < FEW_WORDS


class _Groups:
    """Numbers in groups that grow together, whatever the order."""

    def __init__(self, count: int) -> None:
        self._first = list(range(count))

    def _first_of(self, number: int) -> int:
        while self._first[number] != number:
            self._first[number] = number = self._first[self._first[number]]
        return number

    def join(self, first: int, second: int) -> None:
        """Make one group of those of two numbers."""
        low, high = sorted((self._first_of(first), self._first_of(second)))
        self._first[high] = low

    def found(self) -> list[tuple[int, ...]]:
        """The groups."""
        groups: defaultdict[int, list[int]] = defaultdict(list)
        for number in range(len(self._first)):
            groups[self._first_of(number)].append(number)
        return [tuple(numbers) for _, numbers in sorted(groups.items())]

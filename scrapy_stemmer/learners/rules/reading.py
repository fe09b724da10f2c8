"""Reading the pages of a sample: which of their texts and links return, and which pages are copies of each other.

The native reader is used where it is built for this version of lxml, else the plain one.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit
from zlib import crc32

from lxml import etree

from scrapy_stemmer._native import is_pure_wanted
from scrapy_stemmer.learners.rules.read_py import Columns, MeasuresOfPage, Signatures, body_of
from scrapy_stemmer.learners.rules.titles import Head, head_of

__all__ = [
    "Copies",
    "LinkKeys",
    "PageTexts",
    "SamplePage",
    "copies_in",
    "measures_of",
    "read",
    "sample_page",
]

try:
    if is_pure_wanted():
        raise ImportError("plain Python is asked for")
    from scrapy_stemmer._native.measure import measures_of
    from scrapy_stemmer._native.read import read
except (ImportError, TypeError, ValueError):
    from scrapy_stemmer.learners.rules.read_py import measures_in_python as measures_of
    from scrapy_stemmer.learners.rules.read_py import read


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


def sample_page(url: str, root: etree._Element, signatures: Signatures, anchors: Sequence[str] = ()) -> SamplePage:
    """A page of a sample, read and measured; its tree is not kept.

    :param signatures: numbers of the signatures that are known; those of the tree are added.
    """
    columns = read(body_of(root), signatures)
    keys = LinkKeys(url)
    return SamplePage(
        url=url,
        # What learning needs of it, numbers in four bytes each: a sample may have thousands of pages.
        columns=columns._replace(
            parents=array("i", columns.parents),
            signatures=array("i", columns.signatures),
            elements=array("i", columns.elements),
            linked=array("i", columns.linked),
            starts=array("i"),
            ends=array("i"),
        ),
        measures=MeasuresOfPage(map(measures_of, columns.texts)),
        head=head_of(root),
        anchors=anchors,
        links=[keys.key(href) for _, href in columns.links],
    )


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
        self._folder = parts.path.rpartition("/")[0] + "/"

    def key(self, href: str) -> tuple[int, bool]:
        """A 32-bit hash of where a link leads, and whether that is the same site; (0, False) when it is none."""
        href = href.strip().partition("#")[0]
        if _SESSION.search(href):
            href = _SESSION.sub("", href).rstrip("?&;")
        try:
            if href[:1] in ("", ".", "?") or "/." in href:
                href = urljoin(self._base, href)  # takes three times as long as all else here
            parts = urlsplit(href)
        except ValueError:
            return 0, False
        if parts.scheme not in ("", "http", "https"):
            return 0, False
        host = _host_of(parts.netloc) if parts.netloc else self._host
        folder = "" if parts.netloc or parts.path.startswith("/") else self._folder
        query = f"?{parts.query}" if parts.query else ""
        address = f"{host}{folder}{parts.path or '/'}{query}"
        return crc32(address.encode("utf-8", "surrogatepass")), host == self._host


def _host_of(netloc: str) -> str:
    return netloc.lower().removeprefix("www.")


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
"""A page is compared with so many others that have the same text among their longest."""


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
    """All pages in groups of copies of the first one, in the order of these."""
    having = Counter(text for page in pages for text in set(page.texts))
    template = {text for text, count in having.items() if count > 1 and count >= NEARLY_ALL * len(pages)}
    own = [_own(page.texts, page.lengths, template) for page in pages]
    plain = [_own(page.texts, page.plain, template) for page in pages]
    groups: list[list[int]] = []
    by_text: defaultdict[str, list[int]] = defaultdict(list)
    for number, texts in enumerate(own):
        # Pages that may be copies have the same text among their longest, or none but the template's.
        longest = sorted(texts, key=lambda text: (-texts[text], text))[:COMPARED_BY] or [""]
        near = dict.fromkeys(group for text in longest for group in by_text[text][:FEW])
        for group in near:
            first = groups[group][0]
            if _are_copies(own[first], own[number], plain[first], plain[number]):
                groups[group].append(number)
                break
        else:
            for text in longest:
                by_text[text].append(len(groups))
            groups.append([number])
    return [Copies(tuple(members), _are_placeholders(members, pages, plain)) for members in groups]


def _own(texts: Sequence[str], weights: Sequence[int], template: set[str]) -> dict[str, int]:
    """The texts of a page that are not template, each with its weight."""
    return {text: weight for text, weight in zip(texts, weights, strict=True) if text not in template and weight > 0}


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
    # Where all pages are copies, all that they share looks like template.
    is_all = len(members) == len(pages)
    return max(sum(pages[each].plain if is_all else plain[each].values()) for each in members) < FEW_WORDS

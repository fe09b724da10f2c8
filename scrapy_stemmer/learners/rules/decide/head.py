"""Titles in the head of a page, cut into parts, and the names of sites and sections in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.learners.rules.site.columns import text_key
from scrapy_stemmer.page.addresses import host_of, joined, split_address
from scrapy_stemmer.page.lazily import cached_property, short_cache
from scrapy_stemmer.page.shown import TITLES, Head, Metadata
from scrapy_stemmer.page.text import CJK, decomposed, tokens

_SEPARATOR = re.compile(
    r"(?<!\s)\s++(?:[-\u2013\u2014:\u00b7\u2022/\u00ab\u2039\u203a<>~]|::|--)\s++|(?:(?<!\s)\s++)?[|\u00bb\uff5c]\s*+|:\s++|"
    r"(?<!\s)\s++(?=\([^()]++\)$)"
)
_QUOTED = re.compile(r"(?<!\s)\s++(?:[-\u2013\u2014:\u00b7\u2022/~]|::|--)\s++|(?:(?<!\s)\s++)?[|\uff5c]\s*+|:\s++")
_CUT = re.compile(
    rf"{_SEPARATOR.pattern}|(?:(?<!\s)\s++)?(?:[-_,\u2013\u2014~\uff1a\uff0d\u00b7]|::)+\s*+|"
    r"(?<!\s)\s++(?:at|on|bei|auf|sur|en|su|\u043d\u0430|@)\s++"
)
_PAIRS = (("\u00ab", "\u00bb"), ("\u00bb", "\u00ab"), ("\u2039", "\u203a"), ("\u203a", "\u2039"))  # quotation marks
MAX_CUTS = 40  # cuts in a title, half from each end


def _has_quotation(title: str) -> bool:
    return any(-1 < title.find(opening) < title.rfind(closing) for opening, closing in _PAIRS)


class Cut(NamedTuple):
    """A title in two parts."""

    part: str  # at an end
    rest: str
    is_before: bool = False  # True if the part comes first
    is_weak: bool = False  # True if the separator is more frequent within names and sentences


def cuts_of(title: str) -> tuple[Cut, ...]:
    """Return the cuts of a title where the site's name may begin or end, the outermost first."""
    return tuple(_cuts_of(title))


def _cuts_of(title: str) -> Iterator[Cut]:
    separator = _QUOTED if _has_quotation(title) else _CUT
    found = [
        (*each.span(), separator is _CUT and not _SEPARATOR.fullmatch(each[0]), each[0])
        for each in separator.finditer(title)
    ]
    able = [each for each in found if title[: each[0]].strip() and title[each[1] :].strip()]
    for start, end, is_weak, sign in able[: -MAX_CUTS // 2 - 1 : -1]:
        if not (sign.strip().isalpha() and title[end].islower()):  # ``on the beach`` is no name
            yield Cut(title[end:], title[:start], is_weak=is_weak or sign[0] == ":")
    for start, end, is_weak, sign in able[: MAX_CUTS // 2]:
        if not sign.strip().isalpha():
            yield Cut(title[:start], title[end:], is_before=True, is_weak=is_weak or sign[0] == ":")


def title_parts_of(title: str) -> list[str]:
    return [title[start:end] for start, end in title_spans(title)]


@short_cache(64)
def title_spans(title: str) -> tuple[tuple[int, int], ...]:
    separator = _QUOTED if _has_quotation(title) else _SEPARATOR
    edges = [0, *(edge for found in separator.finditer(title) for edge in found.span()), len(title)]
    return tuple((start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if title[start:end].strip())


def of_several(pages: Iterable[Iterable[str]]) -> frozenset[str]:
    counts = Counter(text for texts in pages for text in set(texts))
    return frozenset(text for text, count in counts.items() if count >= 2)


def own_title(head: Head, common: frozenset[str]) -> str | None:
    return first_title(own_titles(head, common), head)


def first_title(own: Sequence[str], head: Head) -> str | None:
    """Return the first of :func:`own_titles`, else, as on the home page, the whole title; ``None`` without a title."""
    return next(iter(own), head.title) or None


def own_titles(head: Head, common: frozenset[str]) -> list[str]:
    """Return the titles in the head without common parts at their ends, the most trustworthy first."""
    titles = dict.fromkeys(filter(None, map(head.texts.get, TITLES)))
    return list(dict.fromkeys(filter(None, (without_common(title, common) for title in titles))))


def without_common(title: str, common: frozenset[str]) -> str:
    """Return a title without common parts at its ends, "" if nothing is left."""
    own = [(start, end) for start, end in title_spans(title) if title[start:end] not in common]
    found = title[own[0][0] : own[-1][1]] if own else ""
    ends = tuple(common)
    while found and found.startswith(ends) | found.endswith(ends):  # most titles have none
        if found in common:
            return ""
        shorter = next((cut.rest for cut in cuts_of(found) if cut.part in common), None)
        if shorter is None:
            break
        found = shorter
    return found


def shared_ends(titles: Sequence[str]) -> frozenset[str]:
    """Return the ends of titles of half of the pages, with any separator, and ends of two pages before a common end."""
    ends = Counter(part for title in titles for part in {cut.part for cut in cuts_of(title)})
    most = frozenset(part for part, times in ends.items() if times >= max(2, len(titles) / 2))
    if not most:
        return most
    cut = [rest for title in titles if (rest := without_common(title, most)) and rest != title]
    return most | of_several({each.part for each in cuts_of(title)} for title in cut)


def title_keys(head: Head, common: frozenset[str]) -> frozenset[int]:
    """Return the keys of texts that may be a page's title: titles in the head, whole and in parts."""
    titles = [*own_titles(head, common), *head.texts.values()]
    parts = (part for title in head.texts.values() for part in title_parts_of(title))
    texts = {" ".join(text.split()) for text in (*titles, *parts)} - {""}
    return frozenset(text_key(text) for text in texts)


META_NAMES = frozenset({"og:site_name", "application-name", "apple-mobile-web-app-title", "dc.publisher", "publisher"})
"""Names of ``meta`` elements with a site's name."""

MAX_SITE_LINKS = 100  # links searched for the home page
MIN_LABEL = 3  # characters of a host label
MIN_PART = 5  # characters of a name that shares a beginning with the host
MOST = 0.6  # shorter length as a share of the longer
MIN_LEFT = 3  # words left of a title if only a separator precedes the name
MAX_BEHIND = 5  # words of a name after a separator
WORD_CHARS = 2  # rough length of Chinese and Japanese words

_PUBLISHER = re.compile(
    r'"publisher"\s*:\s*\{[^{}]*?"name"\s*:\s*"([^"\\]{1,80})"|"@type"\s*:\s*"(?:WebSite|\w*Organization)"'
    r'(?:(?!"@type")[^{}])*?"name"\s*:\s*"([^"\\]{1,80})"'
)
_HOMES = re.compile(r"/?(?:index|home|default)?(?:\.\w{3,5})?", re.IGNORECASE)
_MAY_LEAD_HOME = re.compile(rf"\s*(?:(?:https?:)?//[^/?#]*+)?[/.]*{_HOMES.pattern}(?:[?#]|\s*$)(?<!^#)", re.IGNORECASE)
_SERVICES = frozenset(
    "co com org net gov gob gouv ac edu or ne go www blogspot wordpress github archive web blog blogs news shop store "
    "docs help support forum wiki dev app apps events info online page pages site sites media press www2".split()
)
"""Host labels that name no site."""
_BEHIND = re.compile(r"(?<!\s)(\s++)(?:[-|\u2013\u2014\u00b7\u2022\u00ab\u2039\uff5c]|::|--)\s+(?=[^\W_])")
_DASH = re.compile("[-\u2013\u2014]")
IDEOGRAPHIC = re.compile(f"[{CJK}]")


class SiteNames:
    """The names of a page's site, in order of trust."""

    def __init__(self, metadata: Metadata, url: str, root: etree._Element) -> None:
        self._metadata, self._url, self._root = metadata, url, root

    def __contains__(self, text: str) -> bool:
        plain = plain_name(text)
        is_one = any(map(str.isalpha, plain)) and len(title_parts_of(text)) < 2
        return (is_one and self._is_host(plain)) or self.is_exact(text)

    def is_exact(self, text: str) -> bool:
        return self.is_stated(text) or (any(map(str.isalpha, text)) and plain_name(text) in self._home_names)

    def is_stated(self, text: str) -> bool:
        plain = plain_name(text)
        if not any(map(str.isalpha, plain)):
            return False
        return plain in self._labels or any(plain == plain_name(name) for name in self._stated_names)

    def is_link(self, text: str) -> bool:
        return plain_name(text) in self._links

    @cached_property
    def _stated_names(self) -> list[str]:
        names: list[str] = []
        for tag, named, value in self._metadata:
            if tag == "meta" and not META_NAMES.isdisjoint(each.lower() for each in named):
                names.append(value)
            elif tag == "script":
                names += (one or other for one, other in _PUBLISHER.findall(value))
        return [name for name in names if name.strip()]

    @cached_property
    def _labels(self) -> list[str]:
        host = host_of(self._url)
        if host is None:
            return []
        *labels, last = host.split(".")
        named = [label for label in labels if label not in _SERVICES and len(label) >= MIN_LABEL]
        return [plain_name(each) for each in (*named, *(f"{label}{last}" for label in named), host)]

    def _is_host(self, plain: str) -> bool:
        pairs = (sorted((plain, label), key=len) for label in self._labels)
        return any(
            len(shorter) >= max(MIN_PART, MOST * len(longer)) and longer.startswith(shorter)
            for shorter, longer in pairs
        )

    @cached_property
    def _home_names(self) -> frozenset[str]:
        """Names in home links."""
        names: list[str] = []
        for link in self._of_links(is_home=True):
            alts = (each.get("alt", "") for each in link.iter("img"))
            names += (_text_of(link), link.get("title", ""), link.get("aria-label", ""), *alts)
        return frozenset(map(plain_name, names)) - {""}

    def _of_links(self, *, is_home: bool) -> list[etree._Element]:
        return [each for each, leads in self._first_links if leads is is_home]

    @cached_property
    def _first_links(self) -> Sequence[tuple[etree._Element, bool]]:
        """The first links of the page, and whether each leads home."""
        links = list(islice(self._root.iter("a"), MAX_SITE_LINKS))
        leads = {address: self._is_home(address) for address in {link.get("href") for link in links}}
        return [(link, leads[link.get("href")]) for link in links]

    @cached_property
    def _links(self) -> frozenset[str]:
        """Texts of links that do not lead home."""
        return frozenset(plain_name(_text_of(link)) for link in self._of_links(is_home=False)) - {""}

    @cached_property
    def is_home(self) -> bool:
        return self._is_home(self._url)

    def _is_home(self, address: str | None) -> bool:
        if address is None or self._host is None or _MAY_LEAD_HOME.match(address) is None:
            return False  # most addresses
        if "//" in address and self._host.removeprefix("www.") not in address:
            return False
        try:
            target = split_address(joined(self._url, address))
        except ValueError:
            return False
        is_own = target.netloc.removeprefix("www.") == self._host.removeprefix("www.")
        return is_own and not target.query and _HOMES.fullmatch(target.path) is not None

    @cached_property
    def _host(self) -> str | None:
        """Host of the page with its port; ``None`` for a broken URL."""
        try:
            return split_address(self._url).netloc
        except ValueError:
            return None


def _text_of(link: etree._Element) -> str:
    return "".join(islice(link.itertext(), MAX_SITE_LINKS))


@short_cache(4096)
def plain_name(text: str) -> str:
    """Return the letters and digits of a name in lower case, without accents."""
    return "".join(filter(str.isalnum, text.lower() if text.isascii() else decomposed(text.casefold())))


def words_in(text: str) -> float:
    """Return the number of words, estimated for scripts without spaces."""
    if text.isascii():
        return len(tokens(text))
    return sum(1 if each.isascii() or len(each) > 1 else 1 / WORD_CHARS for each in tokens(text))


def name_behind(title: str) -> str:
    """Return the part of a title after the last separator as a possible name of the site, or ""."""
    separators = list(_BEHIND.finditer(title))
    if not separators:
        return ""
    last = separators[-1]
    before, behind = title[: last.start()], title[last.end() :]
    long_words = [word for word in behind.split() if len(word) > MIN_LABEL]
    is_name = not _DASH.search(last[0]) or not any(word[0].islower() for word in long_words)
    is_short = words_in(behind) <= min(MAX_BEHIND, words_in(before))
    is_name = is_name and not any(map(str.isdigit, behind))
    return behind if is_name and is_short and words_in(before) >= MIN_LEFT else ""


class Headlines(NamedTuple):
    """Possible headlines of a page, asked as given by :func:`plain_name`."""

    are_lines: Callable[[str], bool]
    are_heads: Callable[[str], bool]


def parts_of_site(titles: Collection[str], names: SiteNames, headlines: Headlines) -> frozenset[str]:
    found: set[str] = set()
    for title in dict.fromkeys(titles):
        others = frozenset(plain_name(other) for other in titles if other != title)
        rest, cut = title, _first_cut(title, names, headlines, others, is_cut=False)
        while cut is not None:
            found.add(cut.part)
            rest, cut = cut.rest, _first_cut(cut.rest, names, headlines, others, is_cut=True)
        if rest in names if rest != title else names.is_stated(rest):
            found.add(rest)
        elif rest == title and not headlines.are_lines(plain_name(title)):
            part = name_behind(title)
            found |= {part} if part and not headlines.are_lines(plain_name(part)) else set()
    return frozenset(found)


def _first_cut(
    title: str, names: SiteNames, headlines: Headlines, others: Collection[str], *, is_cut: bool
) -> Cut | None:
    cuts = [cut for cut in cuts_of(title) if plain_name(cut.part) not in others and any(map(str.isalpha, cut.rest))]
    for cut in cuts:
        is_exact = cut.is_before or cut.is_weak
        if is_exact and cut.is_weak and (is_cut or (cut.is_before and words_in(cut.rest) < MIN_LEFT)):
            continue
        if names.is_exact(cut.part) if is_exact else cut.part in names:
            return cut
        is_behind = not is_exact and words_in(cut.rest) >= MIN_LEFT
        if is_behind and any(part in names for part in title_parts_of(cut.part)[:1]):  # a motto follows the name
            return cut
    if headlines.are_lines(plain_name(title)):
        return None
    for cut in cuts:
        left, part, rest = words_in(cut.rest), words_in(cut.part), plain_name(cut.rest)
        if left < part or (cut.is_weak and not IDEOGRAPHIC.search(title)):
            continue
        is_section = is_cut and left >= MIN_LEFT and part < MIN_LEFT and names.is_link(cut.part)
        if is_section or (headlines.are_heads if cut.is_before else headlines.are_lines)(rest):
            return cut
    return None

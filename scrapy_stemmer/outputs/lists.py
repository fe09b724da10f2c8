"""Entries of a list page: links in the kept content with teasers, and the next page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.page.addresses import safe_address
from scrapy_stemmer.page.elements import HEADINGS
from scrapy_stemmer.patterns.base import LabelledBlock
from scrapy_stemmer.patternset import Stripped

MAX_LEVELS = 8  # elements between a text and the link around
MAX_BESIDE = 0.3  # share of text outside links in the name of an entry
MAX_NEXT = 40  # characters of a link to the next page

_NEXT = re.compile(
    r"\W*(?:next(?: page)?|older(?: (?:posts|entries|articles))?|nächste(?: seite)?|weiter|suivante?|page suivante|"
    r"siguiente|successiv[ao]|próxim[ao]|volgende|следующая|далее|下一页|下一頁|次へ|次のページ|다음)\W*",
    re.IGNORECASE,
)


class Entry(NamedTuple):
    url: str
    name: str
    teaser: str = ""
    day: str = ""  # date in the ``time`` element, unparsed


class _Name(NamedTuple):
    entry: Entry
    place: str  # path of the block, shared by the entries of a list
    is_heading: bool


def entries_of(stripped: Stripped) -> list[Entry]:
    """Return the entries of the list with most of the linked text, each address once."""
    names: dict[str, _Name] = {}
    last = ""
    for block in stripped._shown(stripped.text_roles):
        name = _name_of(block, stripped._url)
        if name is not None and name.entry.url not in names:
            names[name.entry.url], last = name, name.entry.url
        elif last and (name is None or name.entry.url == last):
            before = names[last]
            teaser = " ".join(filter(None, (before.entry.teaser, block.text)))
            day = before.entry.day or next(_days(block), "")
            names[last] = before._replace(entry=before.entry._replace(teaser=teaser, day=day))
    places = Counter[str]()
    for each in names.values():
        places[each.place] += len(each.entry.name)
    most = max(places, key=lambda place: places[place], default="")
    has_headings = any(each.is_heading for each in names.values() if each.place == most)
    return [each.entry for each in names.values() if each.place == most or (each.is_heading and has_headings)]


def _name_of(block: LabelledBlock, base: str) -> _Name | None:
    """Return a block as the name of an entry, if the block links to a different page."""
    layout = block.block
    if not layout.pieces or layout.weight_noanchor > MAX_BESIDE * layout.weight:
        return None
    holder = layout.pieces[0].holder
    line = [holder, *islice(holder.iterancestors(), MAX_LEVELS)]
    link = next((each for each in line if each.tag == "a" and each.get("href")), None)
    url = None if link is None else safe_address(link.get("href") or "", base)
    if url is None or url.partition("#")[0] == base.partition("#")[0] or not url.startswith("http"):
        return None
    return _Name(Entry(url, block.text), block.path, any(each.tag in HEADINGS for each in line))


def _days(block: LabelledBlock) -> Iterator[str]:
    for piece in block.block.pieces[:3]:
        for each in (piece.holder, *islice(piece.holder.iterancestors(), 2)):
            if each.tag == "time" and (day := each.get("datetime")):
                yield day


def next_page(root: etree._Element, url: str) -> str | None:
    """Return the address of the next page of a list."""
    for link in root.iter("link", "a"):
        href = link.get("href")
        is_named = "next" in (link.get("rel") or "").lower().split()
        if href and (is_named or (link.tag == "a" and _NEXT.fullmatch("".join(islice(link.itertext(), 5))[:MAX_NEXT]))):
            return safe_address(href, url)
    return None

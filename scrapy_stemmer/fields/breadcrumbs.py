"""Path of a page within the site, from declared or shown breadcrumbs, or from the folders of the address."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Any, NamedTuple
from urllib.parse import unquote

from lxml import etree

from scrapy_stemmer.fields.metadata import JSON_LD, MICRODATA, PageTree, listed, types_of, value_text
from scrapy_stemmer.fields.own import text_of
from scrapy_stemmer.page.addresses import safe_address, split_address
from scrapy_stemmer.page.elements import having

PLACE_FIELDS = ("breadcrumbs", "section")
URL = "url"  # source of sections, and of dates, in addresses
SHOWN = "breadcrumbs"  # source of breadcrumbs shown on the page
UP = "link[rel=up]"  # source of the start and the page above in a manual

BETWEEN = " > "  # between the names of a section
MAX_CRUMBS = 20
MAX_NAME = 100  # characters of a name
MAX_LISTS = 10  # candidates for breadcrumbs by name
MAX_LINKS = 300  # links of a page searched for arrows between

_NAMED = re.compile(r"(?:^|[^a-z])bread[-_]?crumbs?(?:$|[^a-z]|nav|list|trail|container|wrapper)", re.IGNORECASE)
_INDEX = re.compile(r"(?:/index\.\w+|/)$")
_ARROWS = frozenset("»›>→")
_MARKS = re.compile(r"^[\s>/»›·|•→\\:«‹-]+|[\s>/»›·|•→\\:«‹-]+$")


class Crumb(NamedTuple):
    name: str
    url: str = ""


def breadcrumbs_of(tree: PageTree) -> tuple[tuple[Crumb, ...], str]:
    """Return the breadcrumbs of a page with their source, from the outermost on."""
    places: Sequence[tuple[str, Callable[[], Iterable[Crumb]]]] = (
        (JSON_LD, lambda: _of_lists(tree.nodes)),
        (MICRODATA, lambda: _of_lists(tree.things)),
        (SHOWN, lambda: _shown(tree.root)),
        (UP, lambda: _above(tree.root)),
    )
    for source, find in places:
        if crumbs := _clean(find(), tree.url):
            return crumbs, source
    return (), ""


def section_of(crumbs: Sequence[Crumb], tree: PageTree) -> tuple[str, str]:
    """Return the path of a page within the site, from breadcrumbs or folders of the address, with the source.

    The page itself and the home page are left out.
    """
    own, inner = _path_of(tree.url), list(crumbs)
    if inner and (_path_of(inner[-1].url) in ("", own) or (len(inner) > 1 and tree.title == inner[-1].name)):
        del inner[-1]
    if inner and _path_of(inner[0].url) == "/":
        del inner[0]
    if names := [crumb.name for crumb in inner]:
        return BETWEEN.join(names), SHOWN
    folders = [unquote(name) for name in own.split("/")[1:-1]]
    return BETWEEN.join(folders), URL


def _path_of(url: str) -> str:
    """Return the path of an address, without ``index.html`` and a slash at the end; "" for an empty address."""
    try:
        return (_INDEX.sub("", split_address(url).path) or "/") if url else ""
    except ValueError:
        return ""


def _clean(found: Iterable[Crumb], url: str) -> tuple[Crumb, ...]:
    crumbs: list[Crumb] = []
    for name, address in islice(found, MAX_CRUMBS):
        name = _MARKS.sub("", name[: 10 * MAX_NAME])[:MAX_NAME].strip()
        if name and (not crumbs or crumbs[-1].name != name):
            crumbs.append(Crumb(name, (safe_address(address, url) or "") if address else ""))
    return tuple(crumbs)


def _of_lists(nodes: Iterable[Mapping[str, Any]]) -> Iterator[Crumb]:
    """Yield the items of the longest list of breadcrumbs."""
    lists = (listed(node.get("itemListElement")) for node in nodes if "BreadcrumbList" in types_of(node))
    items = [each for each in max(lists, key=len, default=[]) if isinstance(each, dict)]
    for item in sorted(items[:MAX_CRUMBS], key=_position):
        thing = item.get("item")
        inner: Mapping[str, Any] = thing if isinstance(thing, dict) else {}
        name = value_text(item.get("name")) or value_text(inner.get("name"))
        address = thing if isinstance(thing, str) else inner.get("@id") or inner.get("url") or item.get("url")
        yield Crumb(name or "", address if isinstance(address, str) else "")


def _position(item: Mapping[str, Any]) -> int:
    text = value_text(item.get("position")) or ""
    return int(text) if text.isdecimal() and len(text) < 4 else MAX_CRUMBS


def _shown(root: etree._Element) -> list[Crumb]:
    """Return the links of the first element named after breadcrumbs, or else of the first links with arrows behind."""
    for around in _called(root):
        if crumbs := [crumb for link in islice(around.iter("a"), MAX_CRUMBS) if (crumb := _crumb(link)).name]:
            return crumbs
    links = islice(root.iter("a"), MAX_LINKS)
    rows = groupby(links, lambda link: (link.tail or "").strip()[:1] in _ARROWS)
    return next((row for is_row, links in rows if is_row and len(row := list(map(_crumb, links))) > 1), [])


def _crumb(link: etree._Element) -> Crumb:
    return Crumb(text_of(link), link.get("href", ""))


def _above(root: etree._Element) -> Iterator[Crumb]:
    """Yield the start and the page above in titles of links, as DocBook and Sphinx write them."""
    links, keys = _titled(root, "link", "rel"), _titled(root, "a", "accesskey")
    if keys.keys() & {"n", "p"}:  # next and previous, as in manuals only
        links = keys | links
    if above := links.get("up") or links.get("u"):
        yield from (next(filter(None, map(links.get, ("home", "start", "top", "h"))), above), above)


def _titled(root: etree._Element, tag: str, attribute: str) -> dict[str, Crumb]:
    """Return the links with a title, by an attribute."""
    links = (each for each in having(root, attribute, "", tag) if each.get("title"))
    return {
        each.get(attribute, "").lower(): Crumb(" ".join(each.get("title", "").split()), each.get("href", ""))
        for each in links
    }


def _called(root: etree._Element) -> Iterator[etree._Element]:
    for name in ("class", "id", "aria-label"):
        named = (element for element in having(root, name) if _NAMED.search(element.get(name, "")[:200]))
        yield from islice((element for element in named if element.tag != "body"), MAX_LISTS)

"""Metadata of a page: JSON-LD, ``meta`` elements, microdata and links in the head.

Each field of each source is a statement; ``reading`` chooses the statement to believe. Objects about other pages than
this one are no source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import chain, islice
from math import isfinite
from typing import Any, NamedTuple

from lxml import etree

from scrapy_stemmer.fields.dates import ASSUMED, dates_in, iso_date, order_of_region
from scrapy_stemmer.fields.names import TURNED, distinct, names_in
from scrapy_stemmer.fields.words import WORDS
from scrapy_stemmer.page.addresses import host_of, split_address
from scrapy_stemmer.page.elements import first_chars, having
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.scripts import json_in
from scrapy_stemmer.page.shown import NAMED_BY, Metadata, metadata_in

JSON_LD, MICRODATA = "json-ld", "microdata"
"""Sources of statements; ``meta`` elements are named by selectors, such as ``meta[name=author]``."""

MAX_JSON_LD = 1_000_000  # characters of JSON-LD read of a page
MAX_NODES = 20_000  # objects of JSON-LD visited
MAX_LISTED = 50  # values of a property


MAX_CALLED = 10_000  # characters read of a title
MAX_NAMES = 10_000  # characters read of a text with names of authors
MIN_SHARED = 0.6  # least share of a headline's words in the page's titles for its own headline
LONGER = 4  # least letters of a meaningful word
MOST_HEADINGS = 50  # headings that may name the page
MOST_OF_HEADING = 200  # pieces of text read of these headings


class Statement(NamedTuple):
    """Values of a field from a single source."""

    values: tuple[str, ...]  # names, a single date as ISO 8601, or texts
    source: str


ARTICLES = re.compile(
    r"(?:[A-Za-z]*Article|[A-Za-z]*Posting|Report|Review|Question|Recipe|Book|Chapter|Course|TechArticle|"
    r"PodcastEpisode|VideoObject|Event)"
)
"""Types of schema.org for pages; types in :data:`LAST` count only without others."""

LAST = frozenset({"CreativeWork", "WebPage", "ItemPage", "AboutPage", "VideoObject", "Review", "Event"})

META: Mapping[str, Sequence[str]] = {field: names.split() for field, names in WORDS["meta"].items()}
"""Names of ``meta`` elements by field, in lower case, most trusted first."""

_VAGUE = frozenset(WORDS["vague"].split())


def is_vague(source: str) -> bool:
    """Return True if a source may be a date of anything, with a date shown on the page as the better choice."""
    return source.lower().rstrip("]").partition("=")[2] in _VAGUE


_SEPARATOR = re.compile(r"[,;|、，]")
_LAST_FIRST = re.compile(r"([^\s,]+), ([^,]+)")  # a name in the form of libraries: ``Lee, Ann``

_DATES = frozenset({"published", "modified"})
_MANY = frozenset({"authors", "categories", "tags"})
_UPLOADED = re.compile(r"\w+:uploaded")  # a photo's date, under any prefix
_RANKS = {name: (field, rank) for field, names in META.items() for rank, name in enumerate(names)}


@dataclass(frozen=True)
class PageTree:
    """Tree of a page, unchanged, with derived data used in several places."""

    root: etree._Element
    url: str = ""  # used to find the page's own object in JSON-LD
    known: Metadata | None = None  # metadata already read

    def statements(self, field: str) -> Iterator[Statement]:
        found = (_from_json(self, field), _from_meta(self, field), _from_microdata(self, field))
        return (statement for statement in chain.from_iterable(found) if statement.values)

    @cached_property
    def metadata(self) -> Metadata:
        return metadata_in(self.root) if self.known is None else self.known

    @cached_property
    def heading(self) -> etree._Element | None:
        """The heading most like the title, or else the first main heading."""
        wanted = title_words(self.title)
        best, best_score = None, 0.0
        for number, heading in enumerate(islice(self.root.iter("h1", "h2", "h3"), MOST_HEADINGS)):
            of_heading = title_words(first_chars(heading.itertext(), MAX_CALLED, MOST_OF_HEADING))
            shared = len(of_heading & wanted) / max(len(of_heading), 0.6 * len(wanted), 1)
            is_main = heading.tag == "h1" and bool(of_heading)
            score = shared + 0.2 * is_main - number / 1000
            if score > best_score and (shared >= 0.3 or is_main):
                best, best_score = heading, score
                if score >= 1:
                    break  # later headings share at most as many words
        return best

    @cached_property
    def nodes(self) -> Sequence[_Object]:
        """The objects of JSON-LD in order."""
        return list(_objects(json_in((text for tag, _, text in self.metadata if tag == "script"), MAX_JSON_LD)))

    @cached_property
    def by_id(self) -> Mapping[str, _Object]:
        """The fullest object of JSON-LD of each identifier."""
        found: dict[str, _Object] = {}
        for node in self.nodes:
            if isinstance(name := node.get("@id"), str):
                found[name] = max(found.get(name, node), node, key=len)
        return found

    @cached_property
    def objects(self) -> Sequence[_Object]:
        return sorted(self.own_of(node for node in self.nodes if _kind(node) < _OTHER), key=_kind)

    def own_of(self, nodes: Iterable[_Object]) -> list[_Object]:
        """Return the objects about this page, beginning with objects with the page's address."""
        own = [node for node in nodes if not _is_of_another_page(node, self)]
        return sorted(own, key=lambda node: not _has_address(node, self.url))

    def is_titled(self, name: str) -> bool:
        """Return True if most words of a name are in the page's titles."""
        words = title_words(name)
        return len(words & self.names) >= MIN_SHARED * len(words)

    @cached_property
    def metas(self) -> _Metas:
        """The contents of ``meta`` elements by field and rank."""
        metas: _Metas = {}
        for names, content in ((names, content) for tag, names, content in self.metadata if tag == "meta" and content):
            for attribute, name in zip(NAMED_BY, map(str.strip, names), strict=False):
                known = _RANKS.get(_UPLOADED.sub("uploaded", name.lower()))
                if known is not None and (attribute != "itemprop" or names[-1] == "head"):
                    field, rank = known
                    source = f"meta[{attribute}={name}]"
                    metas.setdefault(field, {}).setdefault(rank, (source, []))[1].append(content)
                    break
        return metas

    @cached_property
    def things(self) -> Sequence[_Object]:
        """The things of microdata as objects of JSON-LD, those around the heading first, and properties of no thing."""
        things = _things(self.root)
        own = [scope for scope in things if scope is None or _NOT_OWN.isdisjoint(scope.get("itemprop", "").split())]
        return [things[scope] for scope in sorted(own, key=lambda scope: scope is None or scope not in self.trunk)]

    @cached_property
    def trunk(self) -> frozenset[etree._Element]:
        return frozenset() if self.heading is None else frozenset({self.heading, *self.heading.iterancestors()})

    @cached_property
    def title(self) -> str:
        named = (content for tag, names, content in self.metadata if tag == "meta" and names[0] == "og:title")
        return next((" ".join(name.split()) for name in (*named, *self.titles) if name), "")

    @property
    def titles(self) -> list[str]:
        return [text for tag, _, text in self.metadata if tag == "title"]

    @cached_property
    def names(self) -> frozenset[str]:
        headings = (first_chars(heading.itertext(), MAX_CALLED) for heading in self.root.iter("h1"))
        return title_words(" ".join((self.title, *self.titles, *headings)))

    @cached_property
    def canonical(self) -> str:
        hrefs = (href.strip() for tag, _, href in self.metadata if tag == "link")
        return next(filter(_PAGE.match, hrefs), "")

    @cached_property
    def order(self) -> str:
        """Return the order of day and month in numeric dates, by the page's country and language, or ""."""
        return order_of_region(self.language, self._countries)

    @property
    def _countries(self) -> Iterator[str]:
        locales = (content for tag, names, content in self.metadata if tag == "meta" and _LOCALES.intersection(names))
        for language in (self.root.get("lang") or self.root.get("xml:lang") or "", *locales):
            if region := _REGION.fullmatch(language.strip()):
                yield region[1].lower()
        if country := _COUNTRIES.get((host_of(self.url) or "").rpartition(".")[2]):
            yield country

    @cached_property
    def language(self) -> str:
        return (self.root.get("lang") or "").strip().partition("-")[0].lower()


_LOCALES = frozenset({"og:locale", "content-language", "Content-Language", "language", "dc.language", "DC.language"})
_REGION = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z]{4})?[-_]([A-Za-z]{2})(?:[-_.].*)?")
_COUNTRIES: Mapping[str, str] = WORDS["countries"]
"""The ends of hosts, and the countries where English is written that they are of."""

_Object = Mapping[str, Any]
_Metas = dict[str, dict[int, tuple[str, list[str]]]]  # (name of the ``meta`` element, contents) by field and rank

_WORD = re.compile(r"\w+")
_PAGE = re.compile(r"https?:|(?![a-z][a-z\d+.-]*:).", re.IGNORECASE)
"""Start of an address of a page, absolute or relative."""


def title_words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text[:MAX_CALLED].casefold()))


# meta elements


def _from_meta(tree: PageTree, field: str) -> Iterator[Statement]:
    for _, (source, texts) in sorted(tree.metas.get(field, {}).items()):
        yield Statement(_values(field, texts, tree), source)
    if field == "language":
        language = (tree.root.get("lang") or tree.root.get("xml:lang") or "").strip()
        yield Statement((language,) if language else (), "html")
    if field == "canonical_url" and tree.canonical:
        yield Statement((tree.canonical,), "link")


def _values(field: str, texts: Iterable[str], tree: PageTree) -> tuple[str, ...]:
    clean = [" ".join(unescape(text).split()) for text in texts]
    if field in _DATES:
        return tuple(date for text in clean[:1] if (date := _date_in(text, tree)))
    if field == "authors":
        in_turn = _LAST_FIRST.fullmatch if len(clean) > 1 else TURNED.fullmatch
        return distinct(name for text in clean for name in _names_of(text, in_turn))
    if field in _MANY:
        return _parts(clean)
    return tuple(text for text in clean[:1] if text)


def _date_in(text: str, tree: PageTree) -> str | None:
    """Return the first date in a text of metadata, or ``None`` if day and month cannot be told apart."""
    if day := iso_date(text):
        return day
    date = next(iter(dates_in(text, tree.order, tree.language)), None)
    return None if date is None or (date.order == ASSUMED and not tree.order) else date.value


def _parts(texts: Iterable[str]) -> tuple[str, ...]:
    return distinct(part.strip() for text in texts for part in _SEPARATOR.split(text) if part.strip())


def _names_of(text: str, in_turn: Callable[[str], re.Match[str] | None]) -> tuple[str, ...]:
    """Parse the names in a text; names matched by ``in_turn`` have the last name first."""
    text = unescape(text[:MAX_NAMES])  # some are escaped twice
    turned = in_turn(text)
    return names_in(text if turned is None else f"{turned[2]} {turned[1]}", is_whole=True)


# JSON-LD


def _from_json(tree: PageTree, field: str) -> Iterator[Statement]:
    return _first_of(tree.objects, field, JSON_LD, tree)


def _first_of(nodes: Iterable[_Object], field: str, source: str, tree: PageTree) -> Iterator[Statement]:
    """Yield the values of the first object with any."""
    found = (_values_of(node, field, tree) for node in nodes)
    if values := next(filter(None, found), ()):
        yield Statement(values, source)


def _values_of(node: _Object, field: str, tree: PageTree) -> tuple[str, ...]:
    if field == "authors":
        return _authors(node, tree.by_id)
    stated = [node.get(name) for name in _NAMES.get(field, ())]
    if field == "site_name":
        return next(filter(None, (tuple(_names(value, tree.by_id))[:1] for value in stated)), ())
    texts = [text for value in stated if (text := value_text(value))]
    if field in _DATES:
        texts = [date for text in texts if (date := _date_in(text, tree))]
    elif field in _MANY:
        every = map(value_text, chain.from_iterable(value[:100] for value in stated if isinstance(value, list)))
        return distinct(filter(None, every)) or _parts(texts)
    return tuple(texts[:1])


_NAMES = {
    "published": ("datePublished", "dateCreated", "uploadDate"),
    "modified": ("dateModified",),
    "description": ("description",),
    "image": ("image", "thumbnailUrl"),
    "site_name": ("publisher", "isPartOf"),
    "language": ("inLanguage",),
    "categories": ("articleSection",),
    "tags": ("keywords",),
}
"""Properties of schema.org by field, most trusted first."""

_OTHER = 2


def _kind(node: _Object) -> int:
    """Return the rank of an object: 0 for an article, 1 for further types of pages, and :data:`_OTHER`."""
    types = types_of(node)
    is_article = any(ARTICLES.fullmatch(name) and name not in LAST for name in types)
    return 0 if is_article else 1 if types & LAST else _OTHER


def _has_address(node: _Object, url: str) -> bool:
    return url != "" and url.rstrip("/") in [name.rstrip("/") for name in _addresses(node)]


def _addresses(node: _Object) -> list[str]:
    names = (value_text(node.get(name)) for name in ("url", "@id", "mainEntityOfPage"))
    return [address for name in names if name and (address := name.partition("#")[0])]


def _is_of_another_page(node: _Object, tree: PageTree) -> bool:
    name = value_text(node.get("headline")) or value_text(node.get("name")) or ""
    title = title_words(name)
    if not title or not tree.names or tree.is_titled(name):
        return False
    if "VideoObject" in types_of(node):
        return not any(len(word) >= LONGER for word in title & tree.names)
    others = [parts for name in _addresses(node) if (parts := _parts_of(name)) is not None]
    own = [parts for name in (tree.url, tree.canonical) if (parts := _parts_of(name)) is not None]
    pairs = [(one, other) for one in own for other in others]
    # two pages of a host, neither of which is the home page
    return bool(pairs) and all(
        host == host_of_other and one and other and one[-1] not in other and other[-1] not in one
        for (host, one), (host_of_other, other) in pairs
    )


def _parts_of(address: str) -> tuple[str, list[str]] | None:
    """Return the host of an address, and the path without suffixes; ``None`` without a host."""
    try:
        parts = split_address(address)
    except ValueError:
        return None
    host = (parts.hostname or "").removeprefix("www.")
    return (host, [part.partition(".")[0] for part in parts.path.split("/") if part]) if host else None


def types_of(node: _Object) -> set[str]:
    return {name.rpartition("/")[2] for name in listed(node.get("@type")) if isinstance(name, str)}


def _objects(values: Iterable[Any]) -> Iterator[_Object]:
    seen = 0
    for value in values:
        stack = [value]
        while stack and seen < MAX_NODES:
            node = stack.pop()
            seen += 1
            if isinstance(node, list):
                stack += reversed(node)
            elif isinstance(node, dict):
                if "@type" in node:
                    yield node
                inner = [(name, part) for name, part in node.items() if isinstance(part, list | dict)]
                stack += [part for name, part in reversed(inner) if name not in _NOT_OWN]


_NOT_OWN = frozenset(
    "comment comments suggestedAnswer acceptedAnswer isBasedOn itemListElement relatedLink citation mentions about "
    "review hasPart video isRelatedTo isSimilarTo".split()
)


def listed(value: Any) -> list[Any]:
    """Return the first values of a list, or a list of another value."""
    return value[:MAX_LISTED] if isinstance(value, list) else [value]


def value_text(value: Any) -> str | None:
    for _ in range(3):
        if isinstance(value, list):
            value = value[0] if value else None
        elif isinstance(value, dict):
            value = next((value[name] for name in ("@value", "url", "@id", "name") if name in value), None)
    is_number = isinstance(value, int) or (isinstance(value, float) and isfinite(value))  # no integer is infinite
    if is_number and not isinstance(value, bool):
        value = str(value)
    return " ".join(unescape(value).split()) or None if isinstance(value, str) else None


def _names(value: Any, by_id: Mapping[str, _Object], depth: int = 0) -> Iterator[str]:
    if depth > 4:
        return
    if isinstance(value, list):
        for part in value[:50]:
            yield from _names(part, by_id, depth + 1)
    elif isinstance(value, dict):
        name, identifier = value.get("name"), value.get("@id")
        known = by_id.get(identifier) if isinstance(identifier, str) else None
        if name is None and known is not None and known is not value:
            yield from _names(known, by_id, depth + 1)
        elif isinstance(name, list | str):
            yield from _names(name, by_id, depth + 1)
        elif name is None and ("givenName" in value or "familyName" in value):
            parts = (value_text(value.get("givenName")), value_text(value.get("familyName")))
            yield " ".join(filter(None, parts))
    elif isinstance(value, str):
        yield from _names_of(unescape(value), TURNED.fullmatch)


def _authors(node: _Object, by_id: Mapping[str, _Object]) -> tuple[str, ...]:
    if not ARTICLES.fullmatch("".join(sorted(types_of(node))[:1])) and "author" not in node:
        return ()
    for name in ("author", "creator", "authors", "contributor"):
        if names := distinct(_names(node.get(name), by_id)):
            return names
    return ()


# Microdata

MAX_PROPERTIES = 5_000  # elements read with a property of microdata
MAX_SHOWN = 2_000  # characters of a value that is shown

_PROPERTIES = {name.lower(): name for name in WORDS["properties"].split()}
_SHOWN = frozenset(WORDS["shown"].split())  # properties with values that are shown
_ADDRESSES = frozenset({"availability", "image", "item", "mainEntityOfPage", "url"})
_NOT_OF_PAGES = re.compile(
    r"comment|review|answer|event|product|offer|imageobject|breadcrumb|person|organization", re.IGNORECASE
)


class Shown(str):
    """Value of microdata as readers see it."""

    __slots__ = ()


def _from_microdata(tree: PageTree, field: str) -> Iterator[Statement]:
    is_said = field in _DATES or field in ("authors", "categories")
    able = (
        thing
        for thing in tree.things
        if _kind(thing) < _OTHER or (is_said and not any(map(_NOT_OF_PAGES.search, types_of(thing))))
    )
    return _first_of(sorted(tree.own_of(able), key=_kind), field, MICRODATA, tree)


def _things(root: etree._Element) -> Mapping[etree._Element | None, dict[str, Any]]:
    """Return the things of microdata by element, and the properties of no thing."""
    things: dict[etree._Element | None, dict[str, Any]] = {}
    scopes: dict[etree._Element, etree._Element | None] = {}
    for element in islice(having(root, "itemprop"), MAX_PROPERTIES):
        scope = _scope_of(element, scopes)
        outer = _put(things, scope)
        is_thing = element.get("itemscope") is not None and not element.get("content")
        for name in filter(None, map(_PROPERTIES.get, element.get("itemprop", "").lower().split())):
            value = _put(things, element) if is_thing else _said(element, name)
            if value and not (is_thing and scope is None):
                before = outer.get(name)
                outer[name] = value if before is None else [*listed(before), value]
    return things


def _put(things: dict[etree._Element | None, dict[str, Any]], scope: etree._Element | None) -> dict[str, Any]:
    if scope not in things:
        things[scope] = {} if scope is None else {"@type": scope.get("itemtype", "").split()}
        if scope is not None and (href := scope.get("href")):
            things[scope]["url"] = href
    return things[scope]


def _said(element: etree._Element, name: str) -> str:
    """Return the value of a property for programs, or as shown."""
    address = (element.get("src") or element.get("href") or "") if element.tag == "link" or name in _ADDRESSES else ""
    if value := element.get("content") or address:
        return value
    return Shown(first_chars(map(str, element.itertext()), MAX_SHOWN)) if name in _SHOWN else ""


def _scope_of(element: etree._Element, known: dict[etree._Element, etree._Element | None]) -> etree._Element | None:
    """Return the element of the thing that a property is of, noted for the elements around."""
    scope, line = None, []
    for outer in element.iterancestors():
        if outer in known:
            scope = known[outer]
            break
        line.append(outer)
        if outer.get("itemscope") is not None:
            scope = outer
            break
    known.update(dict.fromkeys(line, scope))
    return scope

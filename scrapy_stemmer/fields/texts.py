"""Texts of a page in order, with data on their elements; elements without fields are skipped."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from lxml import etree

from scrapy_stemmer.fields import words
from scrapy_stemmer.fields.dates import MAX_DATE_TEXT, iso_date
from scrapy_stemmer.fields.metadata import PageTree
from scrapy_stemmer.fields.names import SHORT
from scrapy_stemmer.fields.words import Sign, leads_to, signs_of
from scrapy_stemmer.page.elements import Names, element_key, inside
from scrapy_stemmer.page.lazily import cached_property, joined_length, short_cache

LEVELS = 4  # elements, innermost first, in the key of a place
FOOTER_DEPTH = 3  # greatest depth in the body of the page's footer; deeper footers belong to parts
MOST_OF_FOOTER = 100  # texts of a page's footer searched for a change
BYLINE_DISTANCE = 12  # texts from the title to a byline
JUST_BEHIND = 3  # texts after the title, always of the page
MAX_LINE_GAP = 6  # texts between a date and the name of an author in a line
MAX_PAGE_TEXTS = 1000  # texts to look at before the title, and behind the title

DATE_ATTRIBUTES = ("datetime", "content", "title", "data-timestamp", "data-date", "data-datetime")
"""Attributes for dates for programs."""

_MAY_HOLD_DATES = frozenset(DATE_ATTRIBUTES)
_OF_EMPTY = _MAY_HOLD_DATES - {"content", "title"}
SKIPPED_ELEMENTS = frozenset(
    "script style noscript template option select textarea button iframe svg head br hr img input link meta wbr".split()
)
_ASIDES = frozenset(("aside", "nav"))
_WRAPPERS = frozenset(("body", "div"))
_CODE_OF_PAGES = frozenset("code kbd samp tt pre".split())
_CODE = _CODE_OF_PAGES | {"var", "blockquote", "q"}
PICTURES = frozenset(("figcaption", "caption"))
FORMATS = frozenset("b strong em i u font mark big wbr".split())
_PASSING = re.compile(
    r"\d{2,}|\d[a-z]|[a-z]\d+[a-z]|^(?:js|is|has|type|format|status|category|tag|author|section|term)-", re.IGNORECASE
)
_INVISIBLE = re.compile("[\u200b-\u200f\ufeff\u00ad]")
_DIGIT = re.compile(r"\d")


class PlaceStep(NamedTuple):
    """Element in a place, with tag and lasting names."""

    tag: str
    names: tuple[str, ...]


class _Named(NamedTuple):
    """Meaning of an element's own attributes."""

    step: PlaceStep  # tag and lasting names
    signs: int  # meaning of class names and identifier
    by_tag: int  # meaning of tag and ``itemprop``
    by_rel: int  # meaning of ``rel``


@short_cache(4096, length=joined_length)
def _named(tag: str, classes: str, identifier: str, itemprop: str, rel: str) -> _Named:
    by_tag: int = signs_of(itemprop) if itemprop else Sign.NOTHING
    return _Named(
        PlaceStep(tag, _lasting(classes, identifier)),
        signs_of(f"{classes} {identifier}"),
        by_tag | (Sign.PICTURE if tag in PICTURES else Sign.CODE if tag in _CODE else Sign.NOTHING),
        signs_of(rel) & (Sign.AUTHOR | Sign.TAG | Sign.CATEGORY) if rel else Sign.NOTHING,
    )


class KnownElement:
    """Data on an element with text, or on several similar elements.

    :ivar of_site: meaning of its own and its parent's names without ``rel``, which readers may write.
    :ivar signs: meaning of its own names; ``outer`` of its parent's, ``around`` of parent's and grandparent's.
    :ivar is_foot: in the page's footer, which may hold the date of a change.
    :ivar is_aside: named as a part beside the page's text; ``is_perhaps_aside``: in a likely one.
    """

    def __init__(self, named: _Named, parent: KnownElement | None = None, *, is_trunk: bool) -> None:
        self.step, self.parent, self.is_trunk = named.step, parent, is_trunk
        self.tag = tag = named.step.tag
        signs = Sign.NOTHING if is_trunk else named.signs
        self._own: int = signs | named.by_tag
        self.signs: int = self._own | named.by_rel
        self.of_site: int = self._own | (parent._own if parent is not None else Sign.NOTHING)
        self.is_linked, self.is_foot, self.is_head, self.is_perhaps_aside = tag == "a", False, False, False
        self.depth, self.outer, self.around = 0, Sign.NOTHING, Sign.NOTHING
        if parent is not None:
            self.depth, self.outer, self.around = parent.depth + 1, parent.signs, parent.signs | parent.outer
            self.is_linked = self.is_linked or parent.tag == "a"
            self.is_foot, self.is_head, self.is_perhaps_aside = parent.is_foot, parent.is_head, parent.is_perhaps_aside
        is_pages = self.depth <= FOOTER_DEPTH  # not of a part of it
        is_footer = tag == "footer" and is_pages
        is_header = tag == "header" and is_pages and parent is not None and parent.tag in _WRAPPERS
        self.is_head = (self.is_head or is_header or signs & Sign.HEADER != 0) and not is_trunk
        self.is_foot = self.is_foot or is_footer or signs & Sign.FOOTER != 0
        self.is_code: bool = tag in _CODE_OF_PAGES or (parent is not None and parent.is_code)
        self.is_aside = not is_trunk and (tag in _ASIDES or is_footer or signs & Sign.ASIDE != 0)
        is_perhaps = self.is_perhaps_aside or self.is_aside or self.signs & Sign.PERHAPS_ASIDE != 0
        self.is_perhaps_aside = is_perhaps and not is_trunk
        self._within: dict[Hashable, KnownElement] = {}  # children, by all their names
        self._alike: dict[Hashable, KnownElement] = {}  # children, by their lasting names

    @cached_property
    def steps(self) -> tuple[PlaceStep, ...]:
        steps, known = [self.step], self.parent
        while known is not None and known.depth and len(steps) < LEVELS:
            steps.append(known.step)
            known = known.parent
        return tuple(steps)

    @cached_property
    def key(self) -> tuple[PlaceStep, ...]:
        named = next((number for number, step in enumerate(self.steps) if step.names), LEVELS)
        return self.steps[: named + 1]

    def is_in_line(self, other: KnownElement) -> bool:
        others = (other, other.parent)
        return any(one is not None and not one.is_trunk and one in others for one in (self, self.parent))

    @classmethod
    def outermost(cls) -> KnownElement:
        return cls(_named("", "", "", "", ""), is_trunk=True)

    def within(self, names: Names, *, is_trunk: bool) -> KnownElement:
        key = (names, self.is_trunk and is_trunk)
        known = self._within.get(key)
        if known is None:
            named = _named(*names)
            known = self._alike.get((named, key[1]))
            if known is None:
                known = self._alike[named, key[1]] = KnownElement(named, self, is_trunk=key[1])
            self._within[key] = known
        return known


class Text(NamedTuple):
    """Text of a page with its element."""

    text: str
    holder: etree._Element
    known: KnownElement

    @property
    def link(self) -> etree._Element | None:
        if not self.known.is_linked:
            return None
        return self.holder if self.known.tag == "a" else self.holder.getparent()


@dataclass(frozen=True)
class PageTexts:
    """Texts of a page in order."""

    tree: PageTree
    # data on elements, shared by the pages of a site to save time
    outside: KnownElement = field(default_factory=KnownElement.outermost, repr=False)
    most: int = MAX_PAGE_TEXTS  # texts after the title to look at

    @cached_property
    def texts(self) -> Sequence[Text]:
        """The texts of the page, and empty elements with a date for programs.

        Asides are skipped completely, except just after the title, as is the rest of a paragraph that begins with a
        sentence.
        """
        root, heading, trunk = self.tree.root, self.tree.heading, self.tree.trunk
        body = next(root.iter("body"), root)
        behind = JUST_BEHIND + 1  # texts since the heading
        texts: list[Text] = []
        most = self.most if heading is None else MAX_PAGE_TEXTS
        first = iter([(body, element_key(body))])
        around: list[tuple[Iterator[Any], etree._Element, KnownElement]] = [(first, body, self.outside)]
        while around and len(texts) < most:
            items, holder, known = around[-1]
            item = next(items, None)
            if item is None:
                around.pop()
                continue
            text = item if isinstance(item, str) else ""
            if not text:
                holder = item[0]
                known = known.within(item[1], is_trunk=holder in trunk)
                is_passed = known.is_aside and behind > JUST_BEHIND
                if is_passed and known.is_foot:  # may hold the date of a change
                    is_passed = not words.says_change(" ".join(islice(holder.itertext(), MOST_OF_FOOTER)))
                if is_passed:
                    continue
                if holder is heading:
                    behind, most = 0, len(texts) + self.most
                items = iter(inside(holder, SKIPPED_ELEMENTS))
                text = next(items)
                if whole := _whole_text(holder, known):
                    items, text = iter(()), whole
                if len(text) <= MAX_DATE_TEXT or known.tag != "p":
                    around.append((items, holder, known))
            text = clean_text(text) if text else ""
            if text or (
                not isinstance(item, str)
                and not len(holder)
                and any(map(holder.get, _OF_EMPTY.intersection(holder.keys())))
            ):
                behind += 1 if len(text) <= MAX_DATE_TEXT else JUST_BEHIND
                texts.append(Text(text, holder, known))
        return texts

    @cached_property
    def heading(self) -> int:
        """The index of the title: the heading's text, an equal text, or the first long text."""
        inside = set() if self.tree.heading is None else set(self.tree.heading.iter())
        wanted = self.tree.title.casefold()
        for number, (text, holder, _) in enumerate(self.texts):
            if holder in inside or (not inside and len(text) > 8 and wanted.startswith(text.casefold())):
                return number
        return next((number for number, one in enumerate(self.texts) if len(one.text) > MAX_DATE_TEXT), 0)

    def _distance(self, number: int) -> int:
        gap = number - self.heading
        return gap if gap >= 0 else -2 * gap

    def _is_aside(self, number: int) -> bool:
        known = self.texts[number].known
        near = JUST_BEHIND if known.is_foot else BYLINE_DISTANCE
        return known.is_perhaps_aside and not 0 < number - self.heading <= near

    def _before(self, number: int) -> str:
        before = self.texts[number - 1].text if number else ""
        return before if len(before) <= SHORT else ""


def _whole_text(element: etree._Element, known: KnownElement) -> str:
    """Return the text of an element with a single value, a name or a date, broken by elements; or ""."""
    if known.tag == "time" and len(element) and date_attribute(element):
        return " ".join(islice(element.itertext(), MAX_LINE_GAP))
    if not (known.is_linked and len(element)):
        return ""
    link = element if known.tag == "a" else element.getparent()
    is_named = (known.signs | known.outer) & (Sign.AUTHOR | Sign.TAG | Sign.CATEGORY) != 0
    is_of_field = is_named or leads_to_author(element, link) or (link is not None and field_of_link(link) != "")
    return unbroken_text(element) if is_of_field else ""


def unbroken_text(element: etree._Element) -> str:
    if not len(element):
        return ""
    for inner in element.iterdescendants(etree.Element):
        if not (inner.tag in FORMATS or (inner.tag == "span" and not inner.keys())):
            return ""
    texts = [text for one in element.iter(etree.Element) for text in (one.text, one.tail if one is not element else "")]
    if sum(1 for text in texts if text and not text.isspace()) < 2:
        return ""
    whole = clean_text(etree.tostring(element, method="text", encoding="unicode", with_tail=False))
    return whole if len(whole) <= SHORT else ""


def clean_text(text: str) -> str:
    return " ".join((text if text.isascii() else _INVISIBLE.sub("", text)).split())


def _lasting(classes: str, identifier: str) -> tuple[str, ...]:
    able = (name for name in classes.split() if name.isprintable() and not _PASSING.search(name))
    lasting = tuple(sorted({f".{name}" for name in able}))
    if identifier.isprintable() and not _DIGIT.search(identifier) and len(identifier.split()) == 1:
        lasting += (f"#{identifier.strip()}",)
    return lasting


def date_attribute(element: etree._Element) -> tuple[str, str] | None:
    if _MAY_HOLD_DATES.isdisjoint(element.keys()):
        return None
    for name in DATE_ATTRIBUTES:
        value = element.get(name)
        if value and _DIGIT.match(value.lstrip()) and (date := iso_date(value)):
            return name, date
    return None


def field_of_link(link: etree._Element) -> str:
    return _field_of(link.get("rel") or "", link.get("href") or "")


@short_cache(4096, length=joined_length)
def _field_of(rel: str, href: str) -> str:
    names = rel.lower().split()
    if "category" in names or leads_to("categories", href):
        return "categories"
    return "tags" if "tag" in names or leads_to("tags", href) else ""


def leads_to_author(holder: etree._Element, link: etree._Element | None) -> bool:
    if "author" in (holder.get("itemprop") or "").lower():
        return True
    return link is not None and _is_authors(link.get("rel") or "", link.get("href") or "")


@short_cache(4096, length=joined_length)
def _is_authors(rel: str, href: str) -> bool:
    return ("author" in rel.lower() or leads_to("authors", href)) and not words.OF_ACCOUNT.search(href)

"""Candidates for the fields of a page: dates, names and links of tags, each with a reason."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from typing import Any, NamedTuple

from lxml import etree

from scrapy_stemmer.fields import words
from scrapy_stemmer.fields.dates import LONGEST, dates_in, iso_date, month_of
from scrapy_stemmer.fields.metadata import PageTree
from scrapy_stemmer.fields.names import (
    SHORT,
    announces,
    by_in,
    distinct,
    goes_on,
    is_name,
    joins,
    looks_personal,
    names_in,
    names_in_link,
    of_another_role,
)
from scrapy_stemmer.fields.others import ForeignParts
from scrapy_stemmer.fields.words import Sign, label_in, signs_of
from scrapy_stemmer.page.elements import Names, inside, names_of

LEVELS = 4  # elements, innermost first, in the key of a place
FOOTER_DEPTH = 3  # depth in the body up to which a footer is the page's, not a part's
MOST_OF_FOOTER = 100  # texts of a page's footer searched for a change
BYLINE_DISTANCE = 12  # texts from the title to a byline
JUST_BEHIND = 3  # texts after the title that always belong to the page
MAX_AROUND_DATE = 5  # characters around a date that is alone in its text
MAX_LINE_GAP = 6  # texts between a date and the name of an author in one line
MAX_VALUE_GAP = 4  # texts between two values of one field
ENOUGH_MET = 4  # pages of a site on which every element is searched
ENOUGH_TOLD = 2  # pages among them with candidates that keep an element searched on others
MAX_PAGE_TEXTS = 1000  # texts to look at before the title, and after it

MAX_SITE_TEXTS = 60
"""Limit after the title on pages of a site that is being learned or is known: fields rarely stand farther away, and
rules find those."""

FOOTER_DISTANCE = MAX_PAGE_TEXTS  # distance assigned to candidates in a page's footer

DATE_ATTRIBUTES = ("datetime", "content", "title", "data-timestamp", "data-date", "data-datetime")
"""Attributes that may hold a date for programs."""

_MAY_HOLD_DATES = frozenset(DATE_ATTRIBUTES)
_OF_EMPTY = _MAY_HOLD_DATES - {"content", "title"}


class FieldReason(IntEnum):
    """Reason for a candidate to be the page's own, best first."""

    SAID = 0  # its markup or the words before it
    NAMED = 1  # a name of its element or of an ancestor
    LINED = 2  # its form, in the line of a date after the title
    SHAPED = 3  # its form, at a likely place
    OTHER = 4  # no evidence
    CHANGED = 5  # a date of a change


class PlaceStep(NamedTuple):
    """Element in a place: its tag and its lasting names, as in selectors."""

    tag: str
    names: tuple[str, ...]


class Place(NamedTuple):
    """Place on the pages of a site."""

    steps: tuple[PlaceStep, ...]  # elements, innermost first, up to one with a name
    attribute: str = ""  # attribute of the element; "" for its text
    after: str = ""  # identifying word before the value, if any


class Candidate(NamedTuple):
    """Value on a page that may belong to a field."""

    place: Place
    at: int  # index of its text on the page
    values: tuple[str, ...]  # a date, or names, or texts of links
    reason: FieldReason
    distance: int  # texts between it and the title
    order: str = ""  # order of day and month in a date; ``?`` if guessed


class _Named(NamedTuple):
    """Meaning of an element's own attributes."""

    step: PlaceStep  # tag and lasting names
    signs: int  # meaning of class names and identifier
    said: int  # meaning of tag, ``itemprop`` and ``rel``


@lru_cache(4096)
def _named(tag: str, classes: str, identifier: str, itemprop: str, rel: str) -> _Named:
    said: int = signs_of(itemprop) if itemprop else Sign.NOTHING
    said |= signs_of(rel) & (Sign.AUTHOR | Sign.TAG | Sign.CATEGORY) if rel else Sign.NOTHING
    return _Named(
        PlaceStep(tag, _lasting(classes, identifier)),
        signs_of(f"{classes} {identifier}"),
        said | (Sign.PICTURE if tag in _PICTURES else Sign.CODE if tag in _CODE else Sign.NOTHING),
    )


class KnownElement:
    """Data on an element with text, or on several similar elements.

    :ivar is_code: it is code, or in code.
    :ivar tag: tag name. :ivar parent: parent, one less in :attr:`depth`. :ivar is_trunk: it contains the title of the
    page. :ivar is_linked: it is a link or a child of one. :ivar signs: meaning of its own names; ``outer`` of its
    parent's, ``around`` of both parent's and grandparent's. :ivar is_foot: it is in the page's footer, which may hold
    the date of a change. :ivar is_head: it is in the page's header, which may have a clock. :ivar is_aside: its names
    mark a part beside the page's text; ``is_perhaps_aside``: it is in such a part, or in a likely one.
    """

    def __init__(self, named: _Named, parent: KnownElement | None = None, *, is_trunk: bool) -> None:
        self.step, self.parent, self.is_trunk = named.step, parent, is_trunk
        self.tag = tag = named.step.tag
        signs = Sign.NOTHING if is_trunk else named.signs
        self.signs: int = signs | named.said
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
        self._met, self._told = 0, ENOUGH_TOLD if is_trunk else 0  # pages
        self._last_met: object = None
        self._last_told: object = None

    @cached_property
    def steps(self) -> tuple[PlaceStep, ...]:
        """The element and its ancestors, innermost first."""
        steps, known = [self.step], self.parent
        while known is not None and known.depth and len(steps) < LEVELS:
            steps.append(known.step)
            known = known.parent
        return tuple(steps)

    @cached_property
    def key(self) -> tuple[PlaceStep, ...]:
        """The steps up to the first with a name, which identify a place."""
        named = next((number for number, step in enumerate(self.steps) if step.names), LEVELS)
        return self.steps[: named + 1]

    def meet(self, page: object) -> bool:
        """Return False once the first pages showed too few candidates in it."""
        if self._last_met is not page:
            self._last_met = page
            self._met += 1
        return self._met <= ENOUGH_MET or self._told >= ENOUGH_TOLD

    def tell(self, page: object) -> None:
        """Note that it contains a candidate on a page."""
        known: KnownElement | None = self
        while known is not None and known._last_told is not page:
            known._last_told = page
            known._told += 1
            known = known.parent

    def is_in_line(self, other: KnownElement) -> bool:
        """Return True if two elements share a parent that is no more than a line of the page."""
        others = (other, other.parent)
        return any(one is not None and not one.is_trunk and one in others for one in (self, self.parent))

    @classmethod
    def outermost(cls) -> KnownElement:
        """Return the root, outside of the body."""
        return cls(_named("", "", "", "", ""), is_trunk=True)

    def within(self, names: Names, *, is_trunk: bool) -> KnownElement:
        """Return the data on a child.

        :param is_trunk: the child contains the title of the page, and so is no aside, whatever its names.
        """
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
        """The link that is its parent or grandparent."""
        if not self.known.is_linked:
            return None
        return self.holder if self.known.tag == "a" else self.holder.getparent()


SKIPPED_ELEMENTS = frozenset(
    "script style noscript template option select textarea button iframe svg head br hr img input link meta wbr".split()
)
_ASIDES = frozenset(("aside", "nav"))
_WRAPPERS = frozenset(("body", "div"))
_CODE_OF_PAGES = frozenset("code kbd samp tt pre".split())
_CODE = _CODE_OF_PAGES | {"var", "blockquote", "q"}
_PICTURES = frozenset(("figcaption", "caption"))
_ICONS = frozenset("i span svg img em".split())
_FORMATS = frozenset("b strong em i u font mark big wbr".split())
_HEADINGS = frozenset("h1 h2 h3".split())
_PARAGRAPHS = frozenset({"p", "li", "div", "td", "blockquote"})
_PASSING = re.compile(
    r"\d{2,}|\d[a-z]|[a-z]\d+[a-z]|^(?:js|is|has|type|format|status|category|tag|author|section|term)-", re.IGNORECASE
)
_INVISIBLE = re.compile("[\u200b-\u200f\ufeff\u00ad]")
_EDGES = re.compile(r"^\W+|\W+$")
_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class ShownPage:
    """Texts of a page in order, with candidates for its fields."""

    tree: PageTree
    # data on elements, shared by the pages of a site to save time
    outside: KnownElement = field(default_factory=KnownElement.outermost, repr=False)
    most: int = MAX_PAGE_TEXTS  # texts after the title to look at
    # identity of the page for elements, without its tree
    _visit: object = field(default_factory=object, init=False, repr=False, compare=False)

    # Texts

    @cached_property
    def others(self) -> ForeignParts:
        """The detector of comments and teasers."""
        return ForeignParts(self.tree)

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
        first = iter([(body, names_of(body))])
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
                if is_passed or not known.meet(self._visit):
                    continue
                if holder is heading:
                    behind, most = 0, len(texts) + self.most
                items = iter(inside(holder, SKIPPED_ELEMENTS))
                text = next(items)
                if whole := _whole_text(holder, known):
                    items, text = iter(()), whole
                if len(text) <= LONGEST or known.tag != "p":
                    around.append((items, holder, known))
            text = _clean(text) if text else ""
            if text or (not isinstance(item, str) and not len(holder) and _has_date(holder)):
                behind += 1 if len(text) <= LONGEST else JUST_BEHIND
                texts.append(Text(text, holder, known))
        return texts

    @cached_property
    def heading(self) -> int:
        """The index of the title: the heading's text, or else an equal text, or else the first long text."""
        inside = set() if self.tree.heading is None else set(self.tree.heading.iter())
        wanted = self.tree.title.casefold()
        for number, (text, holder, _) in enumerate(self.texts):
            if holder in inside or (not inside and len(text) > 8 and wanted.startswith(text.casefold())):
                return number
        return next((number for number, one in enumerate(self.texts) if len(one.text) > LONGEST), 0)

    def _distance(self, number: int) -> int:
        """Return the distance of a text from the title; texts before it count double."""
        gap = number - self.heading
        return gap if gap >= 0 else -2 * gap

    def _is_aside(self, number: int) -> bool:
        """Return True if a text may be in an aside; just after the title none is."""
        known = self.texts[number].known
        near = JUST_BEHIND if known.is_foot else BYLINE_DISTANCE
        return known.is_perhaps_aside and not 0 < number - self.heading <= near

    def _before(self, number: int) -> str:
        """Return the text before another one, if it is short."""
        before = self.texts[number - 1].text if number else ""
        return before if len(before) <= SHORT else ""

    def tell(self, candidates: Iterable[Candidate]) -> None:
        """Note the elements of candidates and of the texts around, for later pages of the site."""
        near = {number for candidate in candidates for number in range(candidate.at - 2, candidate.at + 3)}
        for number in near:
            if number < len(self.texts):
                self.texts[max(0, number)].known.tell(self._visit)

    # Dates

    @cached_property
    def dates(self) -> Sequence[Candidate]:
        """The dates that may be the page's own, in order."""
        dates: list[Candidate] = []
        for number, (_, holder, known) in enumerate(self.texts):
            is_aside = known.is_perhaps_aside and self._is_aside(number)
            if is_aside and not known.is_foot:
                continue
            here = list(self._dates_at(number))
            if known.is_code:  # unlabelled dates in code are values of the program
                here = [date for date in here if date.reason <= FieldReason.NAMED]
            if is_aside:
                here = [date._replace(distance=FOOTER_DISTANCE) for date in here if date.reason is FieldReason.CHANGED]
            if here and not self.others.have(holder):
                dates += here
        return dates

    def _dates_at(self, number: int) -> Iterator[Candidate]:
        """Yield the dates of a text: the date for programs, or else those in the text."""
        text, holder, known = self.texts[number]
        attribute = _date_attribute(holder)
        if attribute is not None:
            name, value = attribute
            reason = self._reason(number, "", known)
            if reason is not None:
                reason = FieldReason.NAMED if reason in (FieldReason.OTHER, FieldReason.SHAPED) else reason
                place = Place(known.key, name, label_in(self._before(number)).word)
                yield Candidate(place, number, (value,), reason, self._distance(number))
            return
        if known.outer & (Sign.DATED | Sign.PUBLISHED) and month_of(text, self.tree.language):
            yield from self._date_around(number)
        if not _DIGIT.search(text, 0, 2 * SHORT):
            return
        dates = dates_in(text[: 2 * SHORT], language=self.tree.language)
        if any(words.RANGE.fullmatch(text, one.end, other.start) for one, other in pairwise(dates)):
            return
        for date in dates:
            label = text[max(0, date.start - SHORT) : date.start]
            reason = self._reason(number, label, known)
            beside = len(text) - (date.end - date.start)
            # Of a sentence only a date at its beginning or after a label counts.
            is_first = (
                date.start <= SHORT if reason is FieldReason.SAID else words.BEHIND_DATELINE.match(text, date.end)
            )
            is_in_sentence = beside > SHORT and not (is_first and (date.start == 0 or reason is FieldReason.SAID))
            is_of_picture = known.signs & Sign.PICTURE != 0 or any(step.tag in _PICTURES for step in known.steps)
            is_credit = beside > MAX_AROUND_DATE and is_of_picture and not 0 < number - self.heading <= JUST_BEHIND
            if reason is None or is_in_sentence or is_credit:
                continue
            place = Place(known.key, "", label_in(label if date.start else self._before(number)).word)
            yield Candidate(place, number, (date.value,), reason, self._distance(number), date.order)

    def _date_around(self, number: int) -> Iterator[Candidate]:
        """Yield a date written as on a calendar sheet: month, day and year are separate texts in one element."""
        _, holder, known = self.texts[number]
        if (outer := holder.getparent()) is not None and known.parent is not None:
            whole = " ".join(" ".join(islice(outer.itertext(), MAX_LINE_GAP)).split())
            for date in dates_in(whole[:SHORT], language=self.tree.language)[:1]:
                place = Place(known.parent.key)
                yield Candidate(place, number, (date.value,), FieldReason.NAMED, self._distance(number))

    def _reason(self, number: int, label: str, known: KnownElement) -> FieldReason | None:
        """Return the reason for a date, or ``None`` for dates of other things.

        :param label: text before the date.
        """
        label = label if label.strip(" \t|•·,-–—(") else self._before(number)
        signs = known.signs
        if label:
            kind = label_in(label).kind
            if kind == Sign.EVENT:
                return None
            if kind:
                return FieldReason.CHANGED if kind == Sign.CHANGED else FieldReason.SAID
        if signs & Sign.EVENT and not signs & Sign.PUBLISHED:
            return None
        if signs & Sign.CHANGED and not signs & Sign.PUBLISHED:
            return FieldReason.CHANGED
        if signs & Sign.PUBLISHED:
            return FieldReason.SAID
        if known.is_head:
            return None
        if (signs | known.around) & (Sign.DATED | Sign.PUBLISHED) or known.tag == "time":
            return FieldReason.NAMED
        return FieldReason.SHAPED if -BYLINE_DISTANCE <= number - self.heading <= BYLINE_DISTANCE else FieldReason.OTHER

    # Names

    def names(self, known_names: Iterable[str] = ()) -> Sequence[Candidate]:
        """Return the names that may be the page's authors, in order.

        :param known_names: authors in the metadata; equal texts are candidates at any place.
        """
        wanted = {name.casefold() for name in known_names}
        near_title = [date.at for date in self.dates if date.distance <= 2 * BYLINE_DISTANCE]
        beside = {near: at for at in near_title for near in range(at - MAX_LINE_GAP, at + MAX_LINE_GAP + 1)}
        candidates: list[Candidate] = []
        at, reason, after = -MAX_VALUE_GAP, None, ""  # of the last name
        keys: list[tuple[PlaceStep, ...]] = []
        for number, (text, holder, known) in enumerate(self.texts):
            if not text or len(text) > SHORT or (known.signs | known.around) & (Sign.PICTURE | Sign.CODE):
                continue
            is_joined = number == at + 1 and goes_on(text)
            is_next = is_joined or (number == at + 2 and joins(self.texts[number - 1].text))
            own = self._name_reason(number, wanted)
            reason = reason if own is None and is_next else own
            if reason is None and number in beside and known.tag not in _HEADINGS:
                reason = self._shape(number, beside[number])
            is_aside = self._is_aside(number) and (known.is_foot or by_in(text) is None)
            if reason is None or is_aside or of_another_role(self._before(number)) or self._is_in_prose(number):
                continue
            names = names_in(text) if self.texts[number].link is None else names_in_link(text)
            is_own = text.casefold() == self.tree.title.casefold()
            if not names or is_own or words.is_call(text) or self.others.have(holder):
                continue
            at, after = number, after if is_next else self._by_before(number)
            distance = self._distance(number)
            keys = keys if is_joined or (is_next and keys[-1][0].tag == known.tag) else self._keys_of_names(number)
            candidates += [Candidate(Place(key, "", after), number, names, reason, distance) for key in keys]
        return candidates

    def _shape(self, number: int, date: int) -> FieldReason | None:
        """Return the reason for an unlabelled text near a date to be an author's name.

        :param date: index of the text with the date.
        """
        text, _, known = each = self.texts[number]
        link = each.link
        has_handle = link is not None and words.HANDLE_LINK.search(link.get("href") or "")
        is_named = has_handle or words.AUTHOR_ICON.search(_icon_before(each))
        if not (is_named or " " in text) or not (names := names_in(text)):
            return None  # a single word is no name
        if is_named:
            return FieldReason.NAMED
        is_filed = (known.signs | known.outer) & (Sign.TAG | Sign.CATEGORY) or (
            link is not None and field_of_link(link)
        )
        if is_filed or not any(map(looks_personal, names)):
            return None
        is_behind = 0 < number - self.heading <= BYLINE_DISTANCE and len(names) == 1 and not text.isupper()
        if is_behind and known.is_in_line(self.texts[date].known):
            return FieldReason.LINED
        return FieldReason.SHAPED if abs(number - date) <= JUST_BEHIND else None

    def _by_before(self, number: int) -> str:
        """Return the word before a name that marks an author, if no element does."""
        text = self.texts[number]
        if (text.known.signs | text.known.around) & Sign.AUTHOR or leads_to_author(text.holder, text.link):
            return ""
        by = by_in(text.text)
        before = self._before(number) + (":" if text.text.startswith((":", "：")) else "")
        label = by.group() if by is not None else before if announces(before) else ""
        return next(iter(_WORD.findall(label.casefold())[::-1]), "")

    def _keys_of_names(self, number: int) -> list[tuple[PlaceStep, ...]]:
        """Return the keys of a name's place: with few elements if no other name stands there before, and with more."""
        known = self.texts[number].known
        if known.key == known.steps:
            return [known.steps]
        before = (text.text for text in self.texts[:number] if text.known.key == known.key and len(text.text) <= SHORT)
        return [known.steps] if any(map(names_in, before)) else [known.key, known.steps]

    def _name_reason(self, number: int, wanted: set[str]) -> FieldReason | None:
        """Return the reason for a text to be an author's name, if any."""
        each = self.texts[number]
        text, known, by, before = each.text, each.known, by_in(each.text), self._before(number)
        if by is not None and by.end() < len(text) and not text[by.end()].islower():
            is_first = not by.start() or number <= self.heading + 2 * BYLINE_DISTANCE
            return FieldReason.SAID if is_first else FieldReason.NAMED
        about = Sign.AUTHOR | Sign.ABOUT_AUTHOR
        if known.signs & about != Sign.ABOUT_AUTHOR:
            is_marked = (known.is_linked or known.signs) and leads_to_author(each.holder, each.link)
            if known.tag == "th":
                return None
            if is_marked or announces(before + ":" if text.startswith((":", "：")) else before):
                return FieldReason.SAID
            if known.signs & about == Sign.AUTHOR:
                return FieldReason.SAID if is_name(text) or any(map(looks_personal, names_in(text))) else None
            if known.tag == "address" and 0 < number - self.heading <= BYLINE_DISTANCE and looks_personal(text):
                return FieldReason.NAMED
            is_called_name = (known.signs | known.outer) & Sign.NAME
            if known.around & about == Sign.AUTHOR or (is_called_name and self._shows_dates and is_name(text)):
                return FieldReason.NAMED
        if not wanted:
            return None
        plain = text if text[0].isalnum() and text[-1].isalnum() else _EDGES.sub("", text)
        return FieldReason.NAMED if plain.casefold() in wanted else None

    @cached_property
    def _shows_dates(self) -> bool:
        """True if any date is marked as the page's own."""
        return any(date.reason <= FieldReason.NAMED for date in self.dates)

    def _is_in_prose(self, number: int) -> bool:
        """Return True if a text is part of running text, such as a link in it."""
        holder = self.texts[number].holder
        outer, beside = holder.getparent(), self.texts[max(0, number - BYLINE_DISTANCE) : number + BYLINE_DISTANCE]
        if outer is None or outer.tag not in _PARAGRAPHS or "author" in (holder.get("rel") or ""):
            return False
        behind, before = holder.getnext(), holder.getprevious()
        is_before_break = behind is not None and behind.tag == "br" and not (holder.tail or "").strip()
        is_after_break = before is None or (before.tag == "br" and not (before.tail or "").strip())
        if is_before_break and is_after_break:
            return False  # a line of its own
        return sum(len(text.text) for text in beside if text.holder is outer) > SHORT

    # Tags and categories

    @cached_property
    def links(self) -> Mapping[str, Sequence[Candidate]]:
        """The links that may name tags or categories, by field."""
        links: defaultdict[str, list[Candidate]] = defaultdict(list)
        for number, (text, _, known) in enumerate(self.texts):
            if not known.is_linked or not 0 < len(text) <= SHORT or self._is_aside(number):
                continue
            link, value = self.texts[number].link, tag_of(text)
            if link is None or not any(map(str.isalpha, value)) or words.is_call(value):
                continue
            if field := self._field_of_link(number, link, known):
                candidate = Candidate(Place(known.key), number, (value,), FieldReason.SAID, self._distance(number))
                links[field].append(candidate)
        return links

    def _field_of_link(self, number: int, link: etree._Element, known: KnownElement) -> str:
        """Return the field of a link by address, element and label, or ""."""
        if field := field_of_link(link):
            return field
        announced, signs = words.announced_by(self._before(number)), known.signs | known.outer
        if signs & Sign.TAG or announced == "tags":
            return "tags"
        return "categories" if signs & Sign.CATEGORY or announced == "categories" else ""


# Elements


def _whole_text(element: etree._Element, known: KnownElement) -> str:
    """Return the text of an element with a single value, a name or a date, that stands in several elements; or ""."""
    if known.tag == "time" and len(element) and _date_attribute(element):
        return " ".join(islice(element.itertext(), MAX_LINE_GAP))
    return unbroken_text(element) if _is_of_field(element, known) else ""


def _is_of_field(element: etree._Element, known: KnownElement) -> bool:
    """Return True if an element is a link of an author, tag or category, or a child of one."""
    if not (known.is_linked and len(element)):
        return False
    link = element if known.tag == "a" else element.getparent()
    is_named = (known.signs | known.outer) & (Sign.AUTHOR | Sign.TAG | Sign.CATEGORY) != 0
    return is_named or leads_to_author(element, link) or (link is not None and field_of_link(link) != "")


def unbroken_text(element: etree._Element) -> str:
    """Return the text of an element broken by formatting only, ``Ann <b>Lee</b>``, or ""."""
    if not len(element):
        return ""
    for inner in element.iterdescendants(etree.Element):
        if not (inner.tag in _FORMATS or (inner.tag == "span" and not inner.keys())):
            return ""
    texts = [text for one in element.iter(etree.Element) for text in (one.text, one.tail if one is not element else "")]
    if sum(1 for text in texts if text and not text.isspace()) < 2:
        return ""
    whole = _clean(etree.tostring(element, method="text", encoding="unicode", with_tail=False))
    return whole if len(whole) <= SHORT else ""


def _clean(text: str) -> str:
    """Collapse a text and remove invisible characters."""
    if not text:
        return ""
    return " ".join((text if text.isascii() else _INVISIBLE.sub("", text)).split())


@lru_cache(4096)
def _lasting(classes: str, identifier: str) -> tuple[str, ...]:
    """Return the names of an element that look like those of all pages."""
    lasting = tuple(sorted({f".{name}" for name in classes.split() if _is_lasting(name)}))
    if identifier and identifier.isprintable() and not _DIGIT.search(identifier) and len(identifier.split()) == 1:
        lasting += (f"#{identifier.strip()}",)
    return lasting


@lru_cache(4096)
def _is_lasting(name: str) -> bool:
    return name.isprintable() and not _PASSING.search(name)


def _icon_before(text: Text) -> str:
    """Return the class of the icon right before a text, or ""."""
    holder = text.holder
    is_first = bool(_clean(holder.text or ""))
    before = holder.getprevious() if is_first else next(iter(holder), None)
    if before is None or before.tag not in _ICONS:
        return ""
    has_text = _clean(before.text or "") or (is_first and _clean(before.tail or ""))
    return "" if has_text else before.get("class") or ""


def _has_date(element: etree._Element) -> bool:
    return any(map(element.get, _OF_EMPTY.intersection(element.keys())))


def _date_attribute(element: etree._Element) -> tuple[str, str] | None:
    """Return the attribute of an element with a date, and that date."""
    if _MAY_HOLD_DATES.isdisjoint(element.keys()):
        return None
    for name in DATE_ATTRIBUTES:
        value = element.get(name)
        if value and _DIGIT.match(value.lstrip()) and (date := iso_date(value)):
            return name, date
    return None


def field_of_link(link: etree._Element) -> str:
    """Return the field of a link by its attributes: ``tags``, ``categories``, or ""."""
    return _field_of(link.get("rel") or "", link.get("href") or "")


@lru_cache(4096)
def _field_of(rel: str, href: str) -> str:
    names = rel.lower().split()
    if "category" in names or words.is_of_category(href):
        return "categories"
    return "tags" if "tag" in names or words.is_of_tag(href) else ""


def leads_to_author(holder: etree._Element, link: etree._Element | None) -> bool:
    """Return True if an element or its link is marked as an author's."""
    if "author" in (holder.get("itemprop") or "").lower():
        return True
    return link is not None and _is_authors(link.get("rel") or "", link.get("href") or "")


@lru_cache(4096)
def _is_authors(rel: str, href: str) -> bool:
    is_able = "author" in rel.lower() or words.is_of_author(href)
    return is_able and not words.is_of_account(href)


def tag_of(text: str) -> str:
    """Return a tag or category without surrounding marks."""
    return text.strip(" ,;|·").lstrip("# ")


# Candidates at one place


def gathered(candidates: Sequence[Candidate]) -> Candidate:
    """Return the first candidate at a place, with the values of those close behind it: several authors or tags."""
    first, *others = candidates
    values, at = list(first.values), first.at
    for candidate in others:
        if candidate.at - at > MAX_VALUE_GAP:
            break
        values += candidate.values
        at = candidate.at
    return first._replace(values=distinct(values))


def at_places(candidates: Iterable[Candidate], *, has_many: bool) -> dict[Place, Candidate]:
    """Return the first candidate at each place, with further values for fields with ``has_many``."""
    by_place: defaultdict[Place, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_place[candidate.place].append(candidate)
    return {place: gathered(here) if has_many else here[0] for place, here in by_place.items()}

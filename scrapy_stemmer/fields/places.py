"""Candidates for the fields of a page: dates, names and links of tags, each with a reason."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.fields import words
from scrapy_stemmer.fields.dates import ASSUMED, MDY, TextDate, dates_in, swapped
from scrapy_stemmer.fields.names import (
    SHORT,
    announces,
    by_in,
    distinct,
    goes_on,
    is_name,
    is_signed,
    is_small,
    joins,
    looks_personal,
    names_in,
    of_another_role,
    unlabelled,
)
from scrapy_stemmer.fields.texts import (
    BYLINE_DISTANCE,
    FORMATS,
    JUST_BEHIND,
    MAX_LINE_GAP,
    MAX_PAGE_TEXTS,
    KnownElement,
    PageTexts,
    PlaceStep,
    Text,
    date_attribute,
    field_of_link,
    leads_to_author,
)
from scrapy_stemmer.fields.words import Sign, label_in
from scrapy_stemmer.page.lazily import cached_property

RUNNING_CHARS, RUNNING_SPACES = 30, 4  # least characters and spaces of running text
MAX_VALUE_GAP = 4  # texts between two values of a field

MAX_SITE_TEXTS = 60
"""Limit after the title on pages of a known site: fields rarely stand farther away, and rules find them there."""

FOOTER_DISTANCE = MAX_PAGE_TEXTS  # distance assigned to candidates in a page's footer


class FieldReason(IntEnum):
    """Reason for a candidate to be the page's own, best first."""

    SAID = 0  # markup, or the words before
    NAMED = 1  # a name of the element or of an ancestor
    LINED = 2  # form, in the line of a date after the title
    SHAPED = 3  # form, at a likely place
    OTHER = 4  # no evidence
    CHANGED = 5  # a date of a change


class Place(NamedTuple):
    """Place on the pages of a site."""

    steps: tuple[PlaceStep, ...]  # elements, innermost first, up to an element with a name
    attribute: str = ""  # attribute of the element; "" for the text
    after: str = ""  # identifying word before the value, if any


class Candidate(NamedTuple):
    """Value on a page that may belong to a field."""

    place: Place
    at: int  # index of the text on the page
    values: tuple[str, ...]  # a date, or names, or texts of links
    reason: FieldReason
    distance: int  # texts between the value and the title
    order: str = ""  # day and month of a date, see :class:`TextDate`

    def in_order(self, order: str) -> Candidate:
        is_kept = self.order != ASSUMED or order != MDY
        return self if is_kept else self._replace(values=(swapped(self.values[0]),))


_TELLING = Sign.DATED | Sign.PUBLISHED | Sign.CHANGED | Sign.AUTHOR
_HEADINGS = frozenset("h1 h2 h3".split())
_LINES = FORMATS | {"p", "a", "span", "time", "font"}  # elements of a line or a paragraph, not of a whole reply
_EDGES = re.compile(r"^\W+|\W+$")
_WORD = re.compile(r"\w+")


def _is_running(text: str) -> bool:
    return len(text) >= RUNNING_CHARS and text.count(" ") >= RUNNING_SPACES


def _containers(text: Text) -> Iterator[tuple[etree._Element, KnownElement]]:
    """Yield a text's own element unless of a line, and the elements around within the body, innermost first."""
    holder: etree._Element | None = text.holder
    known: KnownElement | None = text.known
    if text.known.tag in _LINES:
        holder, known = text.holder.getparent(), text.known.parent
    while holder is not None and known is not None and known.depth > 1:
        yield holder, known
        holder, known = holder.getparent(), known.parent


@dataclass(frozen=True)
class PageCandidates(PageTexts):
    """Candidates for the fields of a page, from the page's texts."""

    @cached_property
    def _written(self) -> frozenset[int]:
        """The texts in elements similar to earlier elements with running text, without telling names.

        Names and dates in the texts of paragraphs and posts are not names and dates of the page.
        """
        found, running = set[int](), Counter[KnownElement]()
        for number, (text, _, known) in enumerate(self.texts[self.heading + 1 :], start=self.heading + 1):
            around = known.parent if known.tag in FORMATS and not known.step.names else known
            around = around or known
            is_posted = number in self._posted
            if (known.of_site if is_posted else known.signs | known.outer) & _TELLING:
                continue
            if running[around] > 1 or is_posted:  # a single element may be the lead above a byline
                found.add(number)
            if _is_running(text) and by_in(text) is None:
                running[around] += 1
        return frozenset(found)

    @cached_property
    def _posted(self) -> frozenset[int]:
        """The texts in containers like an earlier sibling with running text: replies.

        The first of them is the page's own, except an item like others behind the text.
        """
        behind = range(self.heading + 1, len(self.texts))
        first: dict[etree._Element, int] = {}  # texts of items
        rows: defaultdict[tuple[etree._Element | None, KnownElement], list[etree._Element]] = defaultdict(list)
        replies = set[etree._Element]()
        for number in behind:
            text = self.texts[number]
            is_running = _is_running(text.text)
            for container, kind in _containers(text):
                row = rows[container.getparent(), kind]  # items with running text
                is_item = is_running and (container is not text.holder or kind.tag == "li")
                if container in first and container is not text.holder and (not is_item or container in row):
                    break  # the containers around are noted too
                if first.setdefault(container, number) == number and row:
                    replies.add(container)
                row += [container] if is_item else []
                if kind.tag == "li" and len(row) == 2 and first[row[0]] > self._end_of_head:
                    replies.add(row[0])
        if not replies:
            return frozenset()
        texts = ((number, self.texts[number]) for number in behind)
        return frozenset(
            number
            for number, text in texts
            if text.holder in replies or any(container in replies for container, _ in _containers(text))
        )

    @cached_property
    def _end_of_head(self) -> int:
        """The first running text behind the title, or the end of the page."""
        behind = range(self.heading + 1, len(self.texts))
        return next((number for number in behind if len(self.texts[number].text) > SHORT), len(self.texts))

    # Dates

    @cached_property
    def dates(self) -> Sequence[Candidate]:
        return [date for number in range(len(self.texts)) for date in self._dates_at(number)]

    def _dates_at(self, number: int) -> Iterator[Candidate]:
        """Yield the dates of a text: the date for programs, or else dates in words."""
        text, holder, known = self.texts[number]
        is_aside = self._is_aside(number)
        if (is_aside and not known.is_foot) or number in self._written:
            return
        is_behind = number > self._end_of_head and not (known.signs | known.outer) & _TELLING
        name, value = date_attribute(holder) or ("", "")
        found = [TextDate(0, 0, value)] if value else dates_in(text[: 2 * SHORT], language=self.tree.language)
        for date in found:
            label = text[max(0, date.start - SHORT) : date.start]
            reason = self._reason(number, label, known)
            if name:
                reason = FieldReason.NAMED if reason in (FieldReason.OTHER, FieldReason.SHAPED) else reason
            elif len(text) - (date.end - date.start) > SHORT and (reason != FieldReason.SAID or date.start > SHORT):
                continue  # a date in a sentence counts only after a label
            if reason is None or (is_aside and reason != FieldReason.CHANGED):
                continue
            reason = max(reason, FieldReason.SHAPED) if is_behind else reason
            if known.is_code and reason > FieldReason.NAMED:  # values of the program
                continue
            place = Place(known.key, name, label_in(label if date.start else self._before(number)).word)
            distance = FOOTER_DISTANCE if is_aside else self._distance(number)
            yield Candidate(place, number, (date.value,), reason, distance, date.order)

    def _reason(self, number: int, label: str, known: KnownElement) -> FieldReason | None:
        label = label if label.strip(" \t|•·,-–—(") else self._before(number)
        signs = known.signs
        kind = label_in(label).kind if label else Sign.NOTHING
        if kind and kind != Sign.EVENT:
            return FieldReason.CHANGED if kind == Sign.CHANGED else FieldReason.SAID
        if kind == Sign.EVENT or (signs & Sign.EVENT and not signs & Sign.PUBLISHED):
            return None
        if signs & (Sign.PUBLISHED | Sign.CHANGED):
            return FieldReason.SAID if signs & Sign.PUBLISHED else FieldReason.CHANGED
        if known.is_head:
            return None
        if (signs | known.around) & (Sign.DATED | Sign.PUBLISHED) or known.tag == "time":
            return FieldReason.NAMED
        return FieldReason.SHAPED if -BYLINE_DISTANCE <= number - self.heading <= BYLINE_DISTANCE else FieldReason.OTHER

    # Names

    def names(self, known_names: Iterable[str] = ()) -> Sequence[Candidate]:
        wanted = {name.casefold() for name in known_names}
        near_title = [date.at for date in self.dates if date.distance <= 2 * BYLINE_DISTANCE]
        beside = {near: at for at in near_title for near in range(at - MAX_LINE_GAP, at + MAX_LINE_GAP + 1)}
        candidates: list[Candidate] = []
        at, reason, after = -MAX_VALUE_GAP, None, ""  # of the last name
        keys: list[tuple[PlaceStep, ...]] = []
        for number, (text, _, known) in enumerate(self.texts):
            if (
                not text
                or len(text) > SHORT
                or number in self._written
                or (known.signs | known.around) & (Sign.PICTURE | Sign.CODE)
            ):
                continue
            is_joined = number == at + 1 and goes_on(text)
            is_next = is_joined or (number == at + 2 and joins(self.texts[number - 1].text))
            own = self._name_reason(number, wanted)
            reason = reason if own is None and is_next else own
            if reason is None and number in beside and known.tag not in _HEADINGS:
                reason = self._shape(number, beside[number])
            is_aside = self._is_aside(number) and (known.is_foot or by_in(text) is None)
            if reason is None or is_aside or of_another_role(self._before(number)):
                continue
            names = names_in(text)
            if not names and known.signs & Sign.AUTHOR:
                names = names_in(unlabelled(text))
            if not names or text.casefold() == self.tree.title.casefold():
                continue
            at, after = number, after if is_next else self._by_before(number)
            distance = self._distance(number)
            keys = keys if is_joined or (is_next and keys[-1][0].tag == known.tag) else self._keys_of_names(number)
            candidates += [Candidate(Place(key, "", after), number, names, reason, distance) for key in keys]
        return candidates

    def _shape(self, number: int, date: int) -> FieldReason | None:
        """Return the reason for an unlabelled text near a date to be an author's name."""
        text, _, known = each = self.texts[number]
        link = each.link
        has_handle = link is not None and words.HANDLE_LINK.search(link.get("href") or "")
        if not (has_handle or " " in text) or not (names := names_in(text)):
            return None  # a single word is no name
        if has_handle:
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
        text = self.texts[number]
        if (text.known.signs | text.known.around) & Sign.AUTHOR or leads_to_author(text.holder, text.link):
            return ""
        by = by_in(text.text)
        before = self._before(number) + (":" if text.text.startswith((":", "：")) else "")
        label = by.group() if by is not None else before if announces(before) else ""
        return next(iter(_WORD.findall(label.casefold())[::-1]), "")

    def _keys_of_names(self, number: int) -> list[tuple[PlaceStep, ...]]:
        """Return the keys of a name's place: with few elements for the first name of the place, and with more."""
        known = self.texts[number].known
        if known.key == known.steps:
            return [known.steps]
        before = (text.text for text in self.texts[:number] if text.known.key == known.key and len(text.text) <= SHORT)
        return [known.steps] if any(map(names_in, before)) else [known.key, known.steps]

    def _name_reason(self, number: int, wanted: set[str]) -> FieldReason | None:
        each = self.texts[number]
        text, known, by, before = each.text, each.known, by_in(each.text), self._before(number)
        if by is not None and by.end() < len(text) and not is_small(text[by.end()]):
            is_first = not by.start() or number <= self.heading + 2 * BYLINE_DISTANCE
            return FieldReason.SAID if is_first else FieldReason.NAMED
        if is_signed(text) and 0 < number - self.heading <= 2 * BYLINE_DISTANCE:
            return FieldReason.SAID
        about = Sign.AUTHOR | Sign.ABOUT_AUTHOR
        if known.signs & about != Sign.ABOUT_AUTHOR:
            is_marked = (known.is_linked or known.signs) and leads_to_author(each.holder, each.link)
            if known.tag == "th":
                return None
            if is_marked or announces(before + ":" if text.startswith((":", "：")) else before):
                return FieldReason.SAID
            if known.signs & about == Sign.AUTHOR:
                is_able = is_name(text) or any(map(looks_personal, names_in(unlabelled(text))))
                return FieldReason.SAID if is_able else None
            is_called_name = (known.signs | known.outer) & Sign.NAME
            if known.around & about == Sign.AUTHOR or (is_called_name and self._shows_dates and is_name(text)):
                return FieldReason.NAMED
        if not wanted:
            return None
        plain = text if text[0].isalnum() and text[-1].isalnum() else _EDGES.sub("", text)
        return FieldReason.NAMED if plain.casefold() in wanted else None

    @cached_property
    def _shows_dates(self) -> bool:
        return any(date.reason <= FieldReason.NAMED for date in self.dates)

    # Tags and categories

    @cached_property
    def links(self) -> Mapping[str, Sequence[Candidate]]:
        links: defaultdict[str, list[Candidate]] = defaultdict(list)
        for number, (text, _, known) in enumerate(self.texts):
            if not known.is_linked or not 0 < len(text) <= SHORT or self._is_aside(number) or number in self._posted:
                continue
            link, value = self.texts[number].link, tag_of(text)
            if link is None or not any(map(str.isalpha, value)):
                continue
            if field := self._field_of_link(number, link, known):
                candidate = Candidate(Place(known.key), number, (value,), FieldReason.SAID, self._distance(number))
                links[field].append(candidate)
        return links

    def _field_of_link(self, number: int, link: etree._Element, known: KnownElement) -> str:
        if field := field_of_link(link):
            return field
        announced, signs = words.announced_by(self._before(number)), known.signs | known.outer
        if signs & Sign.TAG or announced == "tags":
            return "tags"
        return "categories" if signs & Sign.CATEGORY or announced == "categories" else ""


def tag_of(text: str) -> str:
    return text.strip(" ,;|·").lstrip("# ")


def gathered(candidates: Sequence[Candidate]) -> Candidate:
    """Return the first candidate at a place, with the values close behind: several authors or tags."""
    first, *others = candidates
    values, at = list(first.values), first.at
    for candidate in others:
        if candidate.at - at > MAX_VALUE_GAP:
            break
        values += candidate.values
        at = candidate.at
    return first._replace(values=distinct(values))


def at_places(candidates: Iterable[Candidate], *, has_many: bool) -> dict[Place, Candidate]:
    by_place: defaultdict[Place, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_place[candidate.place].append(candidate)
    return {place: gathered(here) if has_many else here[0] for place, here in by_place.items()}

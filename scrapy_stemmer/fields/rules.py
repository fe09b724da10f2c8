"""Rules of fields: lines of a pattern file, and the values of selected elements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from lxml import etree

from scrapy_stemmer.fields.breadcrumbs import PLACE_FIELDS
from scrapy_stemmer.fields.dates import DMY, MDY, first_date
from scrapy_stemmer.fields.names import (
    by_in,
    distinct,
    goes_on,
    joins,
    names_in,
    of_another_role,
    unlabelled,
)
from scrapy_stemmer.fields.own import MAX_VALUES, behind, check_name, in_usual_form, is_xpath, text_of, xpath_finder
from scrapy_stemmer.fields.places import tag_of
from scrapy_stemmer.fields.products import PRODUCT_FIELDS
from scrapy_stemmer.fields.selecting import finder
from scrapy_stemmer.fields.texts import field_of_link, leads_to_author, unbroken_text
from scrapy_stemmer.page.elements import first_chars
from scrapy_stemmer.page.lazily import cached_property

DATE_FIELDS = ("published", "modified")
LIST_FIELDS = ("authors", "categories", "tags")
TEXT_FIELDS = ("description", "image", "language", "site_name", "canonical_url")
FIELDS = (*LIST_FIELDS[:1], *DATE_FIELDS, *TEXT_FIELDS, *LIST_FIELDS[1:])  # fields with rules

DATES, DISTRUST = "dates", "distrust"  # actions beside fields: order of day and month, and distrust of a source

RULE = "rule"  # source of values from learned rules, which a rule by hand may distrust
FIELD_ACTIONS = (*FIELDS, DATES, DISTRUST)
ALL_FIELDS = (*FIELDS, *PRODUCT_FIELDS, *PLACE_FIELDS)  # fields of a page, without the user's fields

_OF_ZYTE = {
    "published": "datePublished",
    "modified": "dateModified",
    "image": "mainImage",
    "language": "inLanguage",
    "site_name": "siteName",
    "canonical_url": "canonicalUrl",
    "rating": "aggregateRating",
}
PAGE_FIELDS: Mapping[str, str] = {name: _OF_ZYTE.get(name, name) for name in ALL_FIELDS}
"""Page fields with their names in zyte-common-items."""

MAX_RULE_ELEMENTS = 50  # elements of a rule to look at on a page
MAX_VALUE_TEXT = 300  # characters of an element's text read as a value
MAX_READ_TEXT = 5_000
"""Characters of a text, and texts of an element, to search for a value: nested elements share the rest of a page."""
LIST_LEVELS = 4  # ancestors of a value searched for the rest of a list

_ATTRIBUTE = re.compile(r"(?<!\s)\s++@([\w:.-]++)\s*+$")


@dataclass(frozen=True)
class FieldRule:
    """Rule of a field; raise ValueError for invalid values."""

    action: str  # a field, perhaps a user's field, ``dates`` or ``distrust``
    # the element's selector, perhaps with an attribute after ``@``; of ``dates`` the order, ``dmy`` or ``mdy``; of
    # ``distrust`` the source, such as ``meta[name=author]``
    target: str
    after: str = ""  # text required before the element; "" for any
    of: str = ""  # the field of ``distrust``
    sure: float = 1.0  # confidence of the learner, from 0 to 1
    is_users: bool = False  # written or changed by hand
    has_all: bool = False  # the value of a user's field is the list of all matches, not the first match

    def __post_init__(self) -> None:
        if self.is_own:
            check_name(self.action, FIELD_ACTIONS)
        if self.action == DATES and self.target not in (DMY, MDY):
            raise ValueError(f"must be {DMY} or {MDY}, not {self.target!r}")
        if self.action == DISTRUST and self.of not in FIELDS:
            raise ValueError(f"needs a field, one of {', '.join(FIELDS)}, in 'for'")
        if self.action not in (DATES, DISTRUST):
            (xpath_finder if self.is_own and is_xpath(self.selector) else finder)(self.selector)

    @property
    def is_own(self) -> bool:
        """True for a user's field or a product's field, read as written."""
        return self.action not in FIELD_ACTIONS

    @cached_property
    def selector(self) -> str:
        return _ATTRIBUTE.sub("", self.target)

    @cached_property
    def attribute(self) -> str:
        match = _ATTRIBUTE.search(self.target)
        return match[1] if match else ""

    @cached_property
    def told(self) -> set[str]:
        """The kinds of errors of the rule that the log has."""
        return set()

    @property
    def line(self) -> str:
        ends = (
            f"after {self.after}" if self.after else "",
            f"for {self.of}" if self.of else "",
            "(all)" if self.has_all else "",
        )
        return " ".join(filter(None, (self.action, self.target, *ends)))

    @property
    def subject(self) -> tuple[str, str, str]:
        return self.action, self.target if self.action != DATES else "", self.of


def own_fields(rules: Iterable[FieldRule] | None, *, has_all: bool = False) -> tuple[str, ...]:
    """Return the names of the user's fields, or only of fields with all their matches."""
    own = (rule.action for rule in rules or () if rule.is_own and (rule.has_all or not has_all))
    return tuple(dict.fromkeys(name for name in own if name not in ALL_FIELDS))


def values_of(rule: FieldRule, root: etree._Element, order: str = "", language: str = "") -> tuple[str, ...]:
    """Return the values at the place of a rule: names, a date as ISO 8601, or texts."""
    if rule.is_own:
        return own_values(rule, root)
    return _first_values(rule, list(islice(finder(rule.selector)(root), MAX_RULE_ELEMENTS)), order, language)


def own_values(rule: FieldRule, root: etree._Element) -> tuple[str, ...]:
    """Return the first value or all values of a user's field."""
    find: Callable[[etree._Element], Iterable[etree._Element | str]]
    find = xpath_finder(rule.selector) if is_xpath(rule.selector) else finder(rule.selector)
    texts = (text_of(found, rule.attribute) for found in islice(find(root), MAX_VALUES))
    cut = (behind(rule.after, text) if rule.after else text for text in texts)
    values = filter(None, (in_usual_form(rule.action, text) for text in cut))
    return tuple(values if rule.has_all else islice(values, 1))


def _first_values(rule: FieldRule, elements: Sequence[etree._Element], order: str, language: str) -> tuple[str, ...]:
    if rule.action == "authors" and not rule.is_users:
        elements = _but_of_other_roles(elements)
    every = enumerate(_values_at(rule, each, order, language) for each in elements)
    number, values = next((each for each in every if each[1]), (0, ()))
    if not values or rule.action not in LIST_FIELDS:
        return values
    group = _group(elements[number:])
    if rule.action == "authors":
        able = [one for one in group if not field_of_link(one)]
        group = [one for one in able if leads_to_author(one, _link_of(one))] or able or group
    elif not rule.is_users:
        group = [one for one in group if field_of_link(one) == rule.action] or group
    return distinct(value for one in group for value in _values_in_list(rule, one, order, language))


def _but_of_other_roles(elements: Sequence[etree._Element]) -> Sequence[etree._Element]:
    """Return elements without photographers and similar roles, and without names joined to them by ``and``."""
    left: list[etree._Element] = []
    is_other = False
    for element in elements:
        before = text_before(element)
        is_other = of_another_role(before) or (is_other and joins(before))
        left += [] if is_other else [element]
    return left


def _values_in_list(rule: FieldRule, element: etree._Element, order: str, language: str) -> Iterator[str]:
    is_next = rule.after and joins(text_before(element))
    yield from _values_at(replace(rule, after="") if is_next else rule, element, order, language)
    if rule.action == "authors":
        behind = (element.tail or "").strip()
        yield from names_in(behind) if goes_on(behind) else ()


def _group(elements: Sequence[etree._Element]) -> list[etree._Element]:
    """Return the first element, and the elements that stand with it inside a short element."""
    first, *others = elements
    outer = islice(first.iterancestors(), LIST_LEVELS) if others else ()
    short = takewhile(lambda each: each.tag not in ("body", "tr", "table") and not _is_long(each), outer)
    around = [first, *short][-1]
    return [first, *(one for one in others if around in islice(one.iterancestors(), LIST_LEVELS))]


def _is_long(element: etree._Element) -> bool:
    texts = islice(element.itertext(), MAX_VALUE_TEXT)
    return len(first_chars(map(str.strip, texts), MAX_VALUE_TEXT + 1)) > MAX_VALUE_TEXT


def _link_of(element: etree._Element) -> etree._Element | None:
    return next((one for one in (element, element.getparent()) if one is not None and one.tag == "a"), None)


def _values_at(rule: FieldRule, element: etree._Element, order: str, language: str) -> tuple[str, ...]:
    if rule.is_users and rule.action == "authors" and not (rule.attribute or rule.after):
        links = (one for one in islice(element.iter("a"), MAX_RULE_ELEMENTS) if not field_of_link(one))
        texts = [*map(_beginning_of, links), _beginning_of(element)]
        if names := distinct(name for text in texts for name in names_in(text)):
            return names
    texts = [element.get(rule.attribute) or ""] if rule.attribute else list(_texts_of(element))
    behind = (_behind(rule, text, element) if rule.after else text for text in texts)
    return next((values for text in behind if (values := _values_in(rule, text, order, language))), ())


def _values_in(rule: FieldRule, text: str, order: str, language: str) -> tuple[str, ...]:
    if rule.action in DATE_FIELDS:
        date = first_date(text, order, language)
        return (date,) if date else ()
    if rule.action == "authors":
        return names_in(text) or names_in(unlabelled(text))
    value = tag_of(text) if rule.action in LIST_FIELDS else text
    return (value,) if value and (rule.action in TEXT_FIELDS or any(map(str.isalpha, value))) else ()


def _behind(rule: FieldRule, text: str, element: etree._Element) -> str:
    """Return the text after the required label, or the whole text if the label stands before the element."""
    is_of_names = rule.action == "authors" and not rule.is_users
    if is_of_names and by_in(text) is not None:
        return text
    label = None if rule.attribute else _label(rule.after).search(text)
    if label and not (is_of_names and (label.start() or text[label.end() : label.end() + 1].isalnum())):
        return text[label.end() :].lstrip(" :：")  # else the label is within a sentence
    before = text_before(element)
    if rule.action == "authors" and not before.casefold().rstrip(":： ").endswith(rule.after.casefold()):
        return ""
    return text if _label(rule.after).search(before[-100:]) else ""


def _label(words: str) -> re.Pattern[str]:
    """Compile an expression for whole words: ``by`` is not in ``nearby``."""
    start, end = (r"(?<!\w)" if words[:1].isascii() else "", r"(?!\w)" if words[-1:].isascii() else "")
    return re.compile(start + re.escape(words) + end, re.IGNORECASE)


def _texts_of(element: etree._Element) -> Iterator[str]:
    if _link_of(element) is not None and (whole := unbroken_text(element)):
        yield whole
        return
    own = [element.text, *(child.tail for child in element)]
    for text in own:
        if text and (clean := " ".join(text[:MAX_READ_TEXT].split())):
            yield clean
    if len(element):
        whole = _beginning_of(element)
        if len(whole) <= MAX_VALUE_TEXT:
            yield whole


def _beginning_of(element: etree._Element) -> str:
    return " ".join(first_chars(element.itertext(), MAX_READ_TEXT, between=" ").split())


def text_before(element: etree._Element) -> str:
    """Return the end of the nearest text before an element."""
    while True:
        if (previous := element.getprevious()) is not None:
            text, element = (previous.tail or "").strip(), previous
            while not text and len(element):
                element = element[-1]
                text = (element.tail or "").strip()
            if not text and isinstance(element.tag, str):
                text = (element.text or "").strip()
        elif (outer := element.getparent()) is not None:
            text, element = (outer.text or "").strip(), outer
        else:
            return ""
        if text:
            return " ".join(text[-MAX_READ_TEXT:].split())

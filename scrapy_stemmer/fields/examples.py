"""Rules of a field from examples: selectors of exactly the given values, tried on further pages.

Each place of the value on the page of the first example gives selectors: of the element, within elements around, or
behind a label such as ``Code``. Selectors with the right values on all examples compete on further pages. Selectors
with names of classes come first, then selectors with values on more pages, then selectors of fewer elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from lxml import etree

from scrapy_stemmer.fields.own import in_usual_form, text_of
from scrapy_stemmer.fields.rules import FieldRule, own_values
from scrapy_stemmer.fields.selecting import SelectorError
from scrapy_stemmer.page.selectors import escaped, written

MAX_PLACES = 40  # elements and attributes with the value
MAX_INSIDE = 30  # elements within an element with the value
MAX_LEVELS = 8  # elements around with names to try
MAX_LABEL = 60  # characters of a label before a value
MAX_NUMBER = 12  # characters of an attribute with a price in a different form
MAX_TRIED = 150  # selectors tried on all pages
MOST = 0.5  # share of pages with a value above which a rule is usual
FEWEST = 2  # further pages with a value for a rule of a value that few pages have
NAMED_BY = "itemprop property name rel data-testid data-test data-qa".split()  # attributes with the name of a value

_NAMES = re.compile(r"[.#\[]")  # signs of classes, identifiers and attributes in a selector
_ATTRIBUTES = re.compile("content$|value$|datetime$|title$|alt$|href$|src$|aria-label$|data-")  # with values
_NO_PLACE = frozenset({"html", "head", "body", "script", "style"})

Values = tuple[str, ...]
Examples = Sequence[tuple[etree._Element, Values]]  # trees of pages, each with the value or all values of the field


@dataclass(frozen=True)
class Tried:
    """Rule with the right values on the examples.

    :param values: first values on further pages, "" for a page without values.
    :param elements: values found on all pages together.
    :param is_single: no page has several values.
    :param excess: characters around the value in the text of the element.
    """

    rule: FieldRule
    values: tuple[str, ...]
    elements: int
    excess: int
    is_single: bool

    @property
    def having(self) -> int:
        return sum(map(bool, self.values))

    @property
    def is_usual(self) -> bool:
        """True if most further pages have a value, or without further pages."""
        return self.having > MOST * len(self.values) or not self.values

    @property
    def is_telling(self) -> bool:
        """True for an element with a name of its own, which gives a single value on some further pages."""
        is_named = _NAMES.search(self.rule.selector.split(" ")[-1]) is not None
        return is_named and self.having >= FEWEST and self.is_single

    @property
    def rank(self) -> tuple[float, ...]:
        share = self.having / len(self.values) if self.values else 1.0
        plain = sum(not _NAMES.search(part) for part in (self.rule.selector, self.rule.selector.split(" ")[-1]))
        is_called = self.rule.action.lower() in self.rule.target.lower()
        best = (not self.is_usual, plain, -round(share, 1), self.elements, not is_called, self.excess)
        return *best, bool(self.rule.attribute), len(self.rule.target)


def rules_tried(name: str, examples: Examples, others: Sequence[etree._Element]) -> list[Tried]:
    """Return the rules that give exactly the values of all examples, the best first."""
    has_all = any(len(values) > 1 for _, values in examples)
    usual = [(page, tuple(in_usual_form(name, value) for value in values)) for page, values in examples]
    excess: dict[FieldRule, int] = {}
    root, (first, *_) = examples[0]
    for element, attribute, label, around in islice(_places(name, root, first), MAX_PLACES):
        for selector in _selectors(element):
            target = f"{selector} @{attribute}" if attribute else selector
            with suppress(ValueError):  # names beyond lxml's CSS
                rule = FieldRule(name, target, label, is_users=True, has_all=has_all)
                excess[rule] = min(around, excess.get(rule, around))
    right = [rule for rule in excess if all(_values_on(rule, page) == values for page, values in usual)]
    tried = (_tried(rule, excess[rule], usual, others) for rule in right[:MAX_TRIED])
    return sorted(tried, key=lambda each: each.rank)


def _tried(rule: FieldRule, excess: int, examples: Examples, others: Sequence[etree._Element]) -> Tried:
    every = replace(rule, has_all=True)
    found = [_values_on(every, page) for page in others]
    counts = [*map(len, found), *(len(_values_on(every, page)) for page, _ in examples)]
    firsts = tuple(next(iter(values), "") for values in found)
    return Tried(rule, firsts, sum(counts), excess, is_single=max(counts) <= 1)


def _values_on(rule: FieldRule, page: etree._Element) -> Values:
    with suppress(SelectorError):
        return own_values(rule, page)
    return ()


def near_texts(text: str, root: etree._Element) -> list[str]:
    """Return short texts of elements around a text, the shortest first."""
    texts = map(text_of, filter(_is_small, root.iter(etree.Element)))
    return sorted({whole for whole in texts if text in whole}, key=lambda whole: (len(whole), whole))


def _is_small(element: etree._Element) -> bool:
    return len(list(islice(element.iter(), MAX_INSIDE + 1))) <= MAX_INSIDE


def _places(name: str, root: etree._Element, text: str) -> Iterator[tuple[etree._Element, str, str, int]]:
    """Yield the places of a value: element, attribute or "", label before the value, and characters around it."""
    usual = in_usual_form(name, text)
    for element in root.iter(etree.Element):
        if element.tag not in _NO_PLACE and _is_small(element):
            whole = text_of(element)
            excess = abs(len(whole) - len(text))
            if whole == text or (0 < len(whole) <= MAX_LABEL and in_usual_form(name, whole) == usual):
                yield element, "", "", excess
            elif whole.endswith(text) and excess <= MAX_LABEL and not whole[-len(text) - 1].isalnum():
                yield element, "", whole[: -len(text)].strip(), excess
        for attribute, value in element.attrib.items():
            stated = text_of(str(value)) if _ATTRIBUTES.match(str(attribute)) else ""
            if stated == text or (0 < len(stated) <= MAX_NUMBER and in_usual_form(name, stated) == usual):
                yield element, str(attribute), "", 0


def _selectors(element: etree._Element) -> Iterator[str]:
    own = [*_named(element), escaped(str(element.tag))]
    yield from own
    yield from _behind_label(element)
    line = [each for each in islice(element.iterancestors(), MAX_LEVELS) if each.tag not in _NO_PLACE]
    for around in line:
        yield from (f"{outer} {inner}" for outer in _named(around) for inner in own)
    for around in line[:1]:
        yield from (f"{outer} > {inner}" for outer in (*_named(around), escaped(str(around.tag))) for inner in own)


def _named(element: etree._Element) -> Iterator[str]:
    """Yield selectors of a single element by its names."""
    tag = str(element.tag)
    names = [name for name in (element.get("class") or "").split() if not any(map(str.isdigit, name))]
    if (identifier := element.get("id")) and not any(map(str.isdigit, identifier)) and len(identifier.split()) == 1:
        yield written("", [f"#{identifier}"])
    for name in NAMED_BY:
        value = element.get(name)
        if isinstance(value, str) and value and '"' not in value and "\\" not in value:
            yield f'[{name}="{value}"]'
    yield from (written("", [f".{name}"]) for name in names)
    yield from (written(tag, [f".{name}"]) for name in names)
    if len(names) > 1:
        yield written(tag, [f".{name}" for name in names])


def _behind_label(element: etree._Element) -> Iterator[str]:
    """Yield XPath of an element behind a label, such as a cell behind the head of a row."""
    label = next(element.itersiblings("*", preceding=True), None)
    text = text_of(label) if label is not None else ""
    if label is not None and 1 < len(text) <= MAX_LABEL and '"' not in text:
        yield f'//{label.tag!s}[normalize-space()="{text}"]/following-sibling::{element.tag!s}[1]'

"""Hidden text that nothing on a page opens, as for machines only."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from lxml import etree

from scrapy_stemmer.learners.rules.decide.corrections.view import View
from scrapy_stemmer.learners.rules.site.columns import body_of, conceals, hides, is_true, unfolds
from scrapy_stemmer.learners.rules.site.reading import elements_at
from scrapy_stemmer.page.elements import HEADINGS
from scrapy_stemmer.page.lazily import cached_property

MAX_SHARE = 0.7  # share of the kept text in a hidden element; a script shows elements with more
AROUND = 2  # levels around a hidden element, searched for names and neighbours of opened elements
INSIDE = 12  # elements searched in a neighbour
MIN_REVEALED = 3  # elements with an equal style, for a script to reveal
MAX_VALUE = 300  # characters searched in an attribute for names of elements

_OPENED = re.compile(
    r"accordi|faq|question|answer|collaps|expand|toggle|disclosure|panel|tab(?:s|bed|le)?(?![a-z])|spoiler|details|fold|"
    r"drop-?_?down|slide|carousel|swiper|gallery|reveal|animat|fade|scroll|motion|(?:^|[-_ ])(?:wow|aos)(?![a-z])",
    re.IGNORECASE,
)
"""Names of parts that a script opens or moves."""

_SILENT = frozenset("id class style src name alt title content aria-labelledby aria-describedby".split())
"""Attributes that open nothing."""

_IN_SCRIPT = re.compile(r"#([\w-]+)|(?:getElementById|toggle\w*|show\w*|open\w*)\(\s*['\"]([\w:.-]+)", re.IGNORECASE)
_WORD = re.compile(r"[\w:.-]+")
_STATES = ("aria-expanded", "aria-controls", "onclick", "data-toggle", "data-bs-toggle")
_LINES = frozenset("p span li dt dd td th blockquote a".split())


def hidden(view: View) -> Iterable[int]:
    """Return the blocks of text in hidden elements that nothing on the page opens, and no script shows.

    Buttons, tabs, links to a part of the page and scripts open elements by identifiers. Further opened elements have
    names such as ``accordion``, or a button in front.
    """
    blocks = view.verdicts.concealed()
    if not blocks:
        return ()  # nearly all pages
    numbers, elements, body = view.columns.numbers, view.elements, body_of(view.page.shown.tree)
    places = {at: numbers[elements[at]] for at in blocks}
    found = elements_at(body, frozenset(places.values()))
    lines = {at: list(_concealed(found[place])) for at, place in places.items() if place in found}
    sizes: Counter[etree._Element] = Counter()
    for at, line in lines.items():
        sizes.update(dict.fromkeys(line, view.lengths[at]))
    most = MAX_SHARE * sum([view.lengths[at] for at in view.verdicts.kept])
    openers = _Openers(body)
    unopened = {element for element, size in sizes.items() if size <= most and not openers.open(element)}
    return [at for at, line in lines.items() if not unopened.isdisjoint(line)]


def _concealed(element: etree._Element) -> Iterator[etree._Element]:
    """Yield the hidden elements around a block, and the element itself."""
    around = chain([element], element.iterancestors())
    return (each for level, each in enumerate(around) if _is_concealed(each, level))


def _is_concealed(element: etree._Element, level: int = 0) -> bool:
    """Return True if an attribute conceals a text so many levels inside."""
    style = element.get("style") or ""
    if element.get("hidden") is not None or hides(style):
        return True
    if conceals(style):
        return level == 0 or "font-size" not in style.lower()  # elements inside may have a size of their own
    return level < AROUND and is_true(element.get("aria-hidden") or "")  # sighted people may see the text


class _Openers:
    """Evidence on a page for opening hidden elements."""

    def __init__(self, body: etree._Element) -> None:
        self._body = body

    def open(self, element: etree._Element) -> bool:
        """Return True for an element opened by the page, surely or likely; dialogs are no part of the text."""
        role = element.get("role") or ""
        if role in ("dialog", "alertdialog") or element.get("aria-modal") is not None:
            return False
        around = [element, *islice(element.iterancestors(), AROUND)]
        return (
            unfolds(role, element.get("hidden") or "", element.get("aria-labelledby") is not None)
            or any(map(_is_named_opened, around))
            or self._reveals(element)
            or any(map(_has_button_before, around[:AROUND]))
            or any(each.get("id") in self._named for each in (*around[:AROUND], *islice(element.iter("*"), AROUND)))
        )

    def _reveals(self, element: etree._Element) -> bool:
        """Return True for a named element that keeps its place while unseen, and is revealed when in view: a box, or a
        line with the style of several elements."""
        style = (element.get("style") or "").lower()
        if "none" in style or element.get("hidden") is not None or not ("opacity" in style or "visibility" in style):
            return False
        is_named = bool({*element.attrib} - {"style", "aria-hidden", "lang", "dir"})
        return is_named and (element.tag not in _LINES or self._styles[element.get("style")] >= MIN_REVEALED)

    @cached_property
    def _styles(self) -> Counter[str | None]:
        return Counter(each.get("style") for each in self._body.iter("*") if each.get("class") is not None)

    @cached_property
    def _named(self) -> frozenset[str]:
        """Possible names of elements in the attributes and scripts of the page."""
        found: set[str] = set()
        for element in self._body.getroottree().getroot().iter("*"):
            if element.tag == "script":
                found.update(chain.from_iterable(_IN_SCRIPT.findall(element.text or "")))
                continue
            for name, value in element.items():
                if name == "href" and not value.startswith("javascript:"):
                    found.add(value.partition("#")[2])
                elif name not in _SILENT:
                    found.update(_WORD.findall(value[:MAX_VALUE]))
        return frozenset(found - {""})


def _is_named_opened(element: etree._Element) -> bool:
    names = (element.get("class"), element.get("id"), *(name for name in element.attrib if name.startswith("data-")))
    return _OPENED.search(" ".join(filter(None, names))) is not None


def _has_button_before(element: etree._Element) -> bool:
    before = next(element.itersiblings("*", preceding=True), None)
    if before is None:
        return False
    is_label = before.tag in HEADINGS or before.tag == "dt"
    for each in islice(before.iter("*"), INSIDE):
        is_button = each.tag in ("button", "summary", "label", "input") or each.get("role") in ("button", "tab")
        is_link = each.tag == "a" and (each.get("href") or "#").startswith(("#", "javascript:"))
        has_icon = is_label and each.tag in ("svg", "i", "img")
        if is_button or is_link or has_icon or any(each.get(name) is not None for name in _STATES):
            return True
    return False

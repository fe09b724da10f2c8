"""Notices on a page alone: hints to pay, invitations to a newsletter, and labels of advertisements."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from lxml import etree

from scrapy_stemmer.learners.rules.decide.corrections.view import View
from scrapy_stemmer.learners.rules.site.columns import body_of
from scrapy_stemmer.learners.rules.site.sample_columns import elements_at
from scrapy_stemmer.page.elements import HEADINGS

VOCABULARY = Path(__file__).with_name("notices.json")  # expressions for sentences by language, and labels
MAX_NOTICE = 250  # characters of a notice
MAX_BOX = 500  # characters around a notice in a box with a form, and of a part for readers without access
MAX_SHARE = 0.4  # kept text in notices, as a share; a page with more may be about them

_SENTENCE = re.compile(r"[.!?…|·»>→]+(?:\s+|$)|[。！？]+")
_EDGES = " \u00a0-\u2013\u2014:;,.()[]*\u00ab\u2039<"
_QUOTED = frozenset("blockquote li dd dt td th pre code figcaption caption".split())
"""Elements whose lines may be examples of notices."""


def notices(view: View) -> list[int]:
    """Return the kept blocks that say nothing but to subscribe, or that an advertisement stands there.

    A heading goes with the box that it begins only. A form with a notice goes as a whole.
    """
    found = {at for at in view.verdicts.kept if view.lengths[at] <= MAX_NOTICE and _is_notice(view, at)}
    body = body_of(view.page.shown.tree)
    if found:
        found.update(_in_forms(view, body, found))
    if _is_amp(body):
        found.update(_without_access(view, body))
    is_text = view.is_text
    found = {at for at in found if is_text[at] and not (_is_heading(view, at) and _has_text_behind(view, at, found))}
    most = MAX_SHARE * sum([view.lengths[at] for at in view.verdicts.kept])
    return sorted(found) if sum([view.lengths[at] for at in found]) <= most else []


def is_notice(text: str) -> bool:
    """Return True if all sentences of a text are a notice, or go with one, such as ``Log in.``"""
    sentences = [each for each in (part.strip(_EDGES) for part in _SENTENCE.split(" ".join(text.split()))) if each]
    notice, beside, _ = _expressions()
    is_one = [notice.fullmatch(each) is not None for each in sentences]
    return any(is_one) and all(one or beside.fullmatch(each) for one, each in zip(is_one, sentences, strict=True))


def is_advertisement(text: str) -> bool:
    """Return True if a text says nothing but ``Advertisement``, in one of many languages."""
    return text.casefold().strip(" -\u2013\u2014:[]()|*") in _expressions()[2]


@cache
def _expressions() -> tuple[re.Pattern[str], re.Pattern[str], frozenset[str]]:
    """Return expressions for notices and for sentences beside, and labels of advertisements."""
    known = json.loads(VOCABULARY.read_bytes())
    notices = [each for expressions in known["notices"].values() for each in expressions]
    one, beside = (re.compile("|".join(each), re.IGNORECASE) for each in (notices, known["beside"]))
    return one, beside, frozenset(known["advertisements"])


def _is_notice(view: View, block: int) -> bool:
    text = view.columns.text(block)
    if not is_notice(text) and (not is_advertisement(text) or _is_heading(view, block)):
        return False
    return _QUOTED.isdisjoint(map(view.tag_of, view.around(block)))


def _is_heading(view: View, block: int) -> bool:
    return view.tag(block) in HEADINGS


def _has_text_behind(view: View, heading: int, found: Iterable[int]) -> bool:
    """Return True for the title of the page, and for a heading of text."""
    behind = next((at for at in view.verdicts.kept if at > heading), None)
    return view.tag(heading) == "h1" or (behind is not None and behind not in found and not _is_heading(view, behind))


def _in_forms(view: View, body: etree._Element, notices: Iterable[int]) -> Iterator[int]:
    """Yield the blocks of small boxes that a notice begins and that hold a field to fill in."""
    boxes: dict[int, int] = {}
    for at in notices:
        for element in view.around(at):
            blocks = view.within(element)
            if view.size(blocks) > MAX_BOX or next((each for each in blocks if view.is_text[each]), at) != at:
                break
            boxes[view.columns.numbers[element]] = element
    for number, found in elements_at(body, frozenset(boxes)).items():
        if any(each.get("type") in (None, "email", "text") for each in found.iter("input")):
            yield from view.within(boxes[number])


def _is_amp(body: etree._Element) -> bool:
    root = body.getroottree().getroot()
    return "amp" in root.attrib or "\u26a1" in root.attrib


def _without_access(view: View, body: etree._Element) -> Iterator[int]:
    """Yield the blocks in small parts of an AMP page that are for readers without access to it."""
    numbers, elements = view.columns.numbers, view.elements
    places = {at: numbers[elements[at]] for at in view.verdicts.kept}
    found = elements_at(body, frozenset(places.values()))
    parts: dict[etree._Element, list[int]] = {}
    for at, place in places.items():
        element = found.get(place)
        while element is not None and not _is_for_others(element):
            element = element.getparent()
        if element is not None:
            parts.setdefault(element, []).append(at)
    for blocks in parts.values():
        if sum([view.lengths[at] for at in blocks]) <= MAX_BOX:
            yield from blocks


def _is_for_others(element: etree._Element) -> bool:
    """Return True for a part that AMP shows to readers without access: see amp-subscriptions and amp-access."""
    access = (element.get("amp-access") or "").lower()
    return element.get("subscriptions-section") == "content-not-granted" or access.startswith(("not ", "not("))

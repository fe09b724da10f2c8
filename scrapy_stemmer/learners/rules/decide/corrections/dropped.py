"""Kept blocks that are no text: comments, boxes, notices, labels of links, repeated elements, numbers of lines."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import compress, count
from operator import ne
from pathlib import Path

from lxml import etree

from scrapy_stemmer.learners.rules.decide.corrections.view import View
from scrapy_stemmer.learners.rules.site.columns import body_of
from scrapy_stemmer.learners.rules.site.hints import APART, BOX, COMMENTS, CONSENT, FORUM, REVIEWS, SALE
from scrapy_stemmer.learners.rules.site.paths import Component
from scrapy_stemmer.learners.rules.site.reading import elements_at
from scrapy_stemmer.page.elements import HEADINGS
from scrapy_stemmer.page.shown import Metadata
from scrapy_stemmer.writing.code import is_named_gutter

LEAST_BESIDE_CONSENT, MIN_BESIDE_CONSENT = -4.0, 600  # log-odds of text beside consent, and its characters
MIN_ABOUT = 100  # characters of a product's page outside links and reviews
MIN_REVIEWS = 300  # characters of a list of reviews; quotations and sums of ratings are shorter
MIN_BEFORE = 250  # characters of kept text outside links before comments; with as many behind they are a section
MAX_BOX = 1_000  # characters of a box in the text about its author or a newsletter
MAX_BOX_SHARE = 0.25  # kept text in all boxes, as a share
MAX_LABEL = 60  # characters outside links of a line with a label and a link
_LABELS = HEADINGS | {"th", "dt", "caption", "summary"}

_FORUM_PARTS = frozenset(
    "board boards bbs community discuss discussion discussions issue issues question questions r t thread threads "
    "ticket tickets topic topics".split()
)
"""Names in front of the last part of a discussion's address."""

_PRODUCT = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"(?:Individual)?Product(?:Group|Model)?"')
_LISTED = re.compile(r'"@type"\s*:\s*"(?:ItemList|CollectionPage|SearchResultsPage)"')
_METAS = frozenset({"product:price:amount", "og:price:amount", "product:availability", "product:price.amount"})


def consent(view: View) -> Iterable[int]:
    """Return the blocks of consent managers beside other text; alone they may be a wall."""
    found = view.outermost(CONSENT)
    odds = view.odds if found else []
    beside = (at for at, each in enumerate(odds) if each > LEAST_BESIDE_CONSENT and at not in found)
    return found if found and sum([view.lengths[at] for at in beside]) >= MIN_BESIDE_CONSENT else ()


def reviews(view: View) -> Iterable[int]:
    """Return the blocks of lists of reviews on the page of a product with a description."""
    sizes: Counter[int] = Counter()
    for at, element in (found := view.outermost(REVIEWS)).items():
        sizes[element] += view.lengths[at]
    lists = {at for at, element in found.items() if sizes[element] >= MIN_REVIEWS}
    if not lists or not (says_product(view.page.shown.metadata) or view.has(SALE)):
        return ()
    about = (at for at, odds in enumerate(view.odds) if odds > 0 and at not in lists)
    return lists if view.plain(about) >= MIN_ABOUT else ()


def says_product(metadata: Metadata) -> bool:
    for tag, names, value in metadata:
        if tag == "meta" and (not _METAS.isdisjoint(names) or ("og:type" in names and "product" in value[:30].lower())):
            return "group" not in value
        if tag == "script" and len(_PRODUCT.findall(value)) == 1 and _LISTED.search(value) is None:
            return True
    return False


def comments(view: View) -> Iterable[int]:
    """Return the kept blocks of comments behind longer and surer text, except in forums.

    None where several elements have some, or where the text goes on behind the comments.
    """
    found, is_text = view.outermost(COMMENTS), view.is_text
    kept = [at for at in found if is_text[at]]
    if not kept or len({found[at] for at in kept}) > 1 or is_forum(view):
        return ()
    before = [at for at in range(kept[0]) if is_text[at] and at not in found]
    behind = (at for at in range(kept[-1] + 1, len(is_text)) if is_text[at] and at not in found)
    if view.plain(before) < MIN_BEFORE or view.plain(behind) >= MIN_BEFORE:
        return ()
    return filter(view.is_scored, kept) if view.mean(kept) <= view.mean(before) else ()


def is_forum(view: View) -> bool:
    """Return True if the address or a name in the page calls the page a discussion."""
    around = re.split("[./]", view.page.url.lower().partition("?")[0])[:-1]
    return any(part in _FORUM_PARTS or "forum" in part for part in around) or view.has(FORUM)


def boxes(view: View) -> Iterable[int]:
    """Return the kept blocks of scored boxes about the author, for a newsletter or for an advertisement."""
    by_box: defaultdict[int, list[int]] = defaultdict(list)
    is_text, lengths = view.is_text, view.lengths
    for at, box in view.outermost(BOX).items():
        if is_text[at]:
            by_box[box].append(at)
    sizes = {box: sum([lengths[at] for at in blocks]) for box, blocks in by_box.items()}
    if not by_box or sum(sizes.values()) > MAX_BOX_SHARE * sum([lengths[at] for at in view.verdicts.kept]):
        return []
    able = (blocks for box, blocks in by_box.items() if sizes[box] <= MAX_BOX and all(map(view.is_scored, blocks)))
    return [at for blocks in able for at in blocks]


def related(view: View) -> Iterator[int]:
    """Yield the lines of a label such as ``Read more:`` and a link."""
    for at in view.verdicts.linked_beside(MAX_LABEL):
        text = view.columns.text(at).lower()
        found = None if _PARTED.isdisjoint(text) else _label().match(text)
        if found is None or found.end() == len(text) or view.tag(at) in HEADINGS:
            continue  # nearly all
        said = len("".join(found[0].split()))
        if found[0].rstrip()[-1:] in _PARTED and view.lengths[at] - view.linked[at] <= said + 2:
            yield at


_PARTED = frozenset(":\uff1a>\u00bb|\u2192\u2013\u2014-")  # signs between a label and a link


@cache
def _label() -> re.Pattern[str]:
    """Return an expression for a label before a link to a related page, by `related.txt`, in lower case."""
    text = files("scrapy_stemmer.learners.rules.decide.corrections").joinpath("related.txt").read_text(encoding="utf-8")
    labels = [line for line in text.splitlines() if line and not line.startswith("#")]
    return re.compile(rf"\W*(?:{'|'.join(map(re.escape, sorted(labels, key=len, reverse=True)))})\W*")


VOCABULARY = Path(__file__).with_name("notices.json")  # expressions for sentences by language, and labels
MAX_NOTICE = 250  # characters of a notice
MAX_FORM = 500  # characters around a notice in a box with a form, and of a part for readers without access
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
    notice, beside, _ = _expressions()
    found = False
    for part in _SENTENCE.split(" ".join(text.lower().split())):
        if sentence := part.strip(_EDGES):
            is_one = notice.fullmatch(sentence) is not None
            if not is_one and beside.fullmatch(sentence) is None:
                return False  # nearly all texts
            found = found or is_one
    return found


def is_advertisement(text: str) -> bool:
    """Return True if a text says nothing but ``Advertisement``, in one of many languages."""
    return text.casefold().strip(" -\u2013\u2014:[]()|*") in _expressions()[2]


@cache
def _expressions() -> tuple[re.Pattern[str], re.Pattern[str], frozenset[str]]:
    """Return expressions for notices and for sentences beside, in lower case, and labels of advertisements."""
    known = json.loads(VOCABULARY.read_bytes())
    notices = [each for expressions in known["notices"].values() for each in expressions]
    one, beside = (re.compile("|".join(each)) for each in (notices, known["beside"]))
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
            if view.size(blocks) > MAX_FORM or next((each for each in blocks if view.is_text[each]), at) != at:
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
        if sum([view.lengths[at] for at in blocks]) <= MAX_FORM:
            yield from blocks


def _is_for_others(element: etree._Element) -> bool:
    """Return True for a part that AMP shows to readers without access: see amp-subscriptions and amp-access."""
    access = (element.get("amp-access") or "").lower()
    return element.get("subscriptions-section") == "content-not-granted" or access.startswith(("not ", "not("))


MIN_DOUBLE = 60  # characters of a repeated element, at least; fewer are a label or a price
CELLS = frozenset({"tr", "td", "th"})  # repeat texts on purpose
MIN_PULLED, MAX_PULLED = 25, 500  # characters of a quotation pulled from the text
NEAR = 20  # blocks between a quotation and the quoted sentence, at most
_WORDS = re.compile(r"\w+")
_STRIPE = re.compile(r"[^a-z](?:odd|even)(?![a-z])", re.IGNORECASE)


def repeated(view: View) -> list[int]:
    """Return the blocks of text repeated for a second screen, hidden or in a quote. Both places must be text."""
    if view.verdicts.said_again() < MIN_DOUBLE:
        return []  # nearly all pages
    first = dict(zip(reversed(view.texts), range(len(view.texts) - 1, -1, -1), strict=True))
    firsts = list(map(first.__getitem__, view.texts))
    seconds = set(_seconds(view, firsts))
    lengths = view.lengths
    left = [at for at in view.verdicts.kept if at not in seconds and lengths[at] >= MIN_DOUBLE]
    return [*sorted(seconds), *_copies(view, firsts, left)]


def _seconds(view: View, firsts: Sequence[int]) -> Iterator[int]:
    """Yield the blocks in the second of two elements for different screens.

    Both are siblings of equal tag and text, but different names: ``d-none d-md-block`` and ``d-md-none``,
    ``hero-mobile`` and ``hero``. Intended repetitions, as of a note in a manual, have equal names, but for the stripes
    of tables.

    :param firsts: the first block with the text of each block.
    """
    components, paths, parents, is_text = view.site.paths.components, view.page.paths, view.parents, view.is_text
    beside: dict[tuple[int, str, int, int, int], tuple[int, Component]] = {}
    twice = set(compress(firsts, map(ne, firsts, count())))
    is_twice = [*map(twice.__contains__, firsts), False]  # False behind the last block, for elements without blocks
    sizes, (starts, ends) = view.sizes, view.spans
    for element in compress(count(), map(is_twice.__getitem__, starts)):  # few elements
        if (length := sizes[ends[element]] - sizes[starts[element]]) < MIN_DOUBLE:
            continue
        blocks, own = view.within(element), components[paths[element]]
        if own.tag in CELLS:
            continue
        place = parents[element], own.tag, firsts[blocks.start], len(blocks), length
        start, other = beside.setdefault(place, (blocks.start, own))
        are_equal = firsts[start : start + len(blocks)] == firsts[blocks.start : blocks.stop]
        if start < blocks.start and _screens_differ(other, own) and are_equal:
            yield from (at for at in blocks if is_text[at] and is_text[start + at - blocks.start])


def _copies(view: View, firsts: Sequence[int], blocks: Sequence[int]) -> list[int]:
    """Return the hidden or quoted blocks that repeat a plain block, as replies in forums do."""
    if len({firsts[at] for at in blocks}) == len(blocks):
        return []
    hidden = {at for at in blocks if view.columns.site_path(at).is_hidden}
    plain = {firsts[at] for at in blocks if at not in hidden}
    return [at for at in blocks if at in hidden and firsts[at] in plain]


def pulled(view: View) -> list[int]:
    """Return the blocks of quotations pulled from the text: apart from the text, and a part of a block nearby."""
    apart = view.outermost(APART)
    kept = view.verdicts.kept if apart else []
    able = [at for at in kept if at in apart and MIN_PULLED <= view.lengths[at] <= MAX_PULLED]
    if not able or is_forum(view):
        return []
    plain = set(kept).difference(apart)
    near = {at: plain.intersection(range(at - NEAR, at + NEAR + 1)) for at in able}
    said = {each: _bare(view.texts[each]) for each in set().union(*near.values())}
    return [at for at in able if (own := _bare(view.texts[at])) and any(own in said[each] for each in near[at])]


def _bare(text: str) -> str:
    """Return the letters and digits of a text, with single spaces between words."""
    return " ".join(_WORDS.findall(text.casefold()))


def _screens_differ(one: Component, other: Component) -> bool:
    return one != other and not any(map(_STRIPE.search, set(one.names).symmetric_difference(other.names)))


MAX_LEVELS = 3  # elements around a block of numbers that may be named as line numbers


def numbers_of_lines(view: View) -> list[int]:
    """Return the blocks of numbers in elements named as the line numbers of a highlighter."""
    numbers = view.columns.numbers_alone()
    return [at for at in numbers if any(map(is_named_gutter, _names_around(view, at)))]


def _names_around(view: View, block: int) -> Iterator[str]:
    element = view.elements[block]
    for _ in range(MAX_LEVELS):
        if element > 0:
            yield view.signature(element).classes
            element = view.parents[element]


def is_of_code(view: View, block: int) -> bool:
    return view.columns.site_path(block).near_code > 0


def labels_alone(view: View, left_out: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield labels and heads with nothing kept behind, each with a block that is left out behind.

    :param left_out: kept blocks that will be left out.
    """
    kept, gone = view.verdicts.kept, set(left_out)
    block = behind = -1  # the next block, and the next that stays
    for label, before in zip(reversed(kept), reversed([-1, *kept[:-1]]), strict=True):
        if label not in gone and block in gone and _is_alone(view, label, block, before, behind):
            gone.add(label)
            yield label, block
        block, behind = label, behind if label in gone else label


def _is_alone(view: View, label: int, block: int, before: int, behind: int) -> bool:
    """Return True for a head of a table, or a known label of a box, section or entry, if no block of it stays.

    :param block: a block right behind the label that is left out.
    :param before: the kept block before the label; ``behind`` the next block that stays.
    """
    tag, paths = view.tag(label), view.columns.block_paths
    if view.verdicts.by_of(label) in view.site.users or _is_next_section(tag, view.tag(block)):
        return False
    if tag != "th" and not view.columns.is_repeated(label, 1):
        return False
    around = next(blocks for element in view.around(label) if block in (blocks := view.within(element)))
    if behind not in around:
        return tag in _LABELS or (before not in around and view.lengths[label] <= MAX_LABEL)
    return tag in _LABELS and (paths[behind] == paths[label] or _is_next_section(tag, view.tag(behind)))


def _is_next_section(heading: str, tag: str) -> bool:
    return heading in HEADINGS and "h1" <= tag <= heading

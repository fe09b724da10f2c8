"""Consent, comments and reviews beside the text, boxes in the text, and links to related pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

from scrapy_stemmer.learners.rules.decide.corrections.view import View
from scrapy_stemmer.learners.rules.site.traits import BOX, COMMENTS, CONSENT, FORUM, REVIEWS, SALE
from scrapy_stemmer.page.elements import HEADINGS
from scrapy_stemmer.page.shown import Metadata

LEAST_BESIDE_CONSENT, MIN_BESIDE_CONSENT = -4.0, 600  # log-odds of text beside consent, and its characters
MIN_ABOUT = 100  # characters of a product's page outside links and reviews
MIN_REVIEWS = 300  # characters of a list of reviews; quotations and sums of ratings are shorter
MIN_BEFORE = 250  # characters of kept text outside links before comments; with as many behind they are a section
MAX_BOX = 1_000  # characters of a box in the text about its author or a newsletter
MAX_BOX_SHARE = 0.25  # kept text in all boxes, as a share
MAX_LABEL = 60  # characters outside links of a line with a label and a link

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
        text = view.columns.text(at)
        found = _label().match(text)
        if found is None or found.end() == len(text) or view.tag(at) in HEADINGS:
            continue  # nearly all
        said = len("".join(found[0].split()))
        if found[0].rstrip()[-1:] in _PARTED and view.lengths[at] - view.linked[at] <= said + 2:
            yield at


_PARTED = frozenset(":\uff1a>\u00bb|\u2192\u2013\u2014-")  # signs between a label and a link


@cache
def _label() -> re.Pattern[str]:
    """Return an expression for a label before a link to a related page; `related.txt` has labels by language."""
    text = files("scrapy_stemmer.learners.rules.decide.corrections").joinpath("related.txt").read_text(encoding="utf-8")
    labels = [line for line in text.splitlines() if line and not line.startswith("#")]
    return re.compile(rf"\W*(?:{'|'.join(map(re.escape, sorted(labels, key=len, reverse=True)))})\W*", re.IGNORECASE)

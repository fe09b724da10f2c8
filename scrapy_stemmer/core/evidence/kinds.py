"""What a page is there for: its own content, links to other pages, an error, a question for consent.

Crawls meet all of them. What counts are links, amounts of text and numbers, so that it works in any language. Only the
page's own text is looked at: the blocks of its region that less than half of the other pages have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from scrapy_stemmer.core.evidence.decision import Verdict
from scrapy_stemmer.core.evidence.model import Reading
from scrapy_stemmer.core.evidence.names import CONSENT_NAME
from scrapy_stemmer.core.evidence.outline import Outline
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.core.evidence.prior import Evidence
from scrapy_stemmer.core.evidence.surroundings import HALF
from scrapy_stemmer.core.evidence.titles import parts_of
from scrapy_stemmer.core.evidence.weighing import COMMON_TEXT, MOSTLY_LINKS
from scrapy_stemmer.core.labels import PageKind

LINK_SHARE = 0.4
"""A page with this share of its own text in links is a list."""

ARTICLE_LINK_SHARE = 0.6
"""The same where metadata call the page an article."""

TEASER_SHARE = 0.7
"""So is one with this share of its text in teasers: links, and what stands right behind them."""

MIN_TEASERS = 3
"""But one or two links make no list: so many stand in elements of the same names."""

MIN_LINK_BLOCKS = 0.2
"""Of the blocks of a list at least so many are links."""

TEASER_REACH = 2
"""A teaser is a link and so many blocks behind it."""

LITTLE = 300
"""A page of errors or of consent has less text than this outside links; about fifty words."""

ERRORS = frozenset({403, 404, 410, 502, 503})
"""The states of HTTP that such pages name; others, such as 500, count where nothing stands beside them."""

# The same as numbers of C, where they are compiled.
_COMMON_TEXT, _MOSTLY_LINKS = COMMON_TEXT, MOSTLY_LINKS

_NUMBER = re.compile(r"^\W*(?:\w+\W+)?(\d{3})(?!\d)|(?<!\d)(\d{3})\W{0,3}$")
_ERROR_NAME = re.compile(r"error-?_?(?:404|page)|(?:404|page)-?_?error|page-?_?404|not-?_?found", re.IGNORECASE)


def kind_of(reading: Reading, verdict: Verdict) -> PageKind:
    """What a page is there for.

    :param verdict: what was decided on its blocks.
    """
    inside = _inside(verdict)
    own = _own(inside)
    is_article = reading.outline.head.is_article
    if _plain_weight(own) < LITTLE and not is_article:
        if _is_error(reading, verdict):
            return PageKind.ERROR
        if _is_consent(reading.outline, own):
            return PageKind.CONSENT
    return PageKind.LIST if _is_list(reading.paths, inside, own, is_article) else PageKind.CONTENT


def _inside(verdict: Verdict) -> list[Evidence]:
    """The blocks of a page's region."""
    inside: list[Evidence] = []
    for index, shared in enumerate(verdict.shared):
        if shared.standing.inside:
            inside.append(verdict.reading.evidence[index])
    return inside


def _own(inside: Sequence[Evidence]) -> list[Evidence]:
    """Those blocks that are not common to the site."""
    own: list[Evidence] = []
    for found in inside:
        if found.repeated_share < _COMMON_TEXT:
            own.append(found)  # noqa: PERF401
    return own


def _plain_weight(own: Sequence[Evidence]) -> int:
    """The weight of the text outside links."""
    weight = 0
    for found in own:
        weight += found.block.weight - found.block.anchor_weight
    return weight


def _is_error(reading: Reading, verdict: Verdict) -> bool:
    """Whether a page's title or headline names an error of HTTP, or the page's names tell of one."""
    title = reading.outline.head.title
    heads = [found.block.text for found in reading.evidence if _is_headline(found, verdict)]
    if any(_names_error(part) for text in (title, *heads) for part in parts_of(text)):
        return True
    regions = (
        shape
        for shape, place in zip(reading.outline.shapes, reading.places, strict=True)
        if place.path in reading.paths.line(verdict.around.regions[0])
    )
    return any(_ERROR_NAME.search(name) for shape in regions for name in (shape.id, *shape.classes))


def _is_headline(found: Evidence, verdict: Verdict) -> bool:
    return found.tag in ("h1", "h2") and verdict.around.standings.of(found.place).inside


def _names_error(part: str) -> bool:
    """Whether a part of a title begins or ends with the number of an error, maybe behind a word."""
    if part.isdecimal() and 400 <= int(part) < 600:
        return True
    found = _NUMBER.search(part)
    return found is not None and int(found[1] or found[2]) in ERRORS


def _is_consent(outline: Outline, own: Sequence[Evidence]) -> bool:
    """Whether most of a page's text stands in elements that ask for consent."""
    total = sum(found.block.weight for found in own)
    asked = sum(found.block.weight for found in own if _asks_consent(outline, found.block.node))
    return asked > HALF * total


def _asks_consent(outline: Outline, index: int) -> bool:
    """Whether an element, or one around it below the body, is named after consent."""
    while index > 0:
        shape = outline.shapes[index]
        if any(CONSENT_NAME.search(name) for name in (shape.id, *shape.classes)):
            return True
        index = outline.parents[index]
    return False


def _is_list(paths: PathTree, inside: Sequence[Evidence], own: Sequence[Evidence], is_article: bool) -> bool:
    """Whether a page is mostly links, or teasers: links with some text behind each.

    What stands behind a link is a teaser's text also where the link is not the page's own: other pages may have it
    too, as one of the articles that are read most.
    """
    total = linked = 0
    for found in own:
        total += found.block.weight
        linked += found.block.anchor_weight
    if not total:
        return False
    if linked >= (ARTICLE_LINK_SHARE if is_article else LINK_SHARE) * total:
        return True
    links = _links(own)
    if is_article or len(links) < MIN_LINK_BLOCKS * len(own):
        return False
    most = max(Counter([paths.row(found.place.path)[1] for found in links]).values(), default=0)
    return most >= MIN_TEASERS and _teaser_weight(inside) >= TEASER_SHARE * total


def _links(own: Sequence[Evidence]) -> list[Evidence]:
    """The blocks that are links."""
    links: list[Evidence] = []
    for found in own:
        if found.link > _MOSTLY_LINKS:
            links.append(found)  # noqa: PERF401
    return links


def _teaser_weight(inside: Sequence[Evidence]) -> int:
    """The weight of a page's own blocks that are links, or stand right behind one."""
    weight = reach = 0
    for found in inside:
        reach = TEASER_REACH + 1 if found.link > _MOSTLY_LINKS else reach - 1
        if reach > 0 and found.repeated_share < _COMMON_TEXT:
            weight += found.block.weight
    return weight

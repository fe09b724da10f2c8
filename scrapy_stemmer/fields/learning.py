"""Rules of fields from a sample of a site's pages, without labels.

A field stands at the same place on all pages of a layout. Which place that is, is told by

1. what the pages say of themselves in metadata: on the pages that do, the place agrees with them;
2. the date in their addresses;
3. markup and words: ``itemprop``, ``rel=author``, class names, ``Posted:``;
4. how the values vary: a date that many pages share is a clock or a build, a name that all of them share beside a place
   where names vary is the owner's;
5. how near the title it stands.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.selectors import Selector
from scrapy_stemmer.fields.dates import MDY, date_in_url, is_near, is_plausible, order_by, order_votes, swapped
from scrapy_stemmer.fields.metadata import Statement, language_of, names_said, statements_of, title_of
from scrapy_stemmer.fields.places import Candidate, Place, Reason, ShownPage, at_places
from scrapy_stemmer.fields.rules import DATE_FIELDS, DATES, DISTRUST, FieldRule
from scrapy_stemmer.fields.words import signs_of

MIN_PAGES = 2
"""A place that fewer pages have is no rule of the site."""

MIN_COVER = 0.2
"""The share of the pages that must have it too."""

MAX_RULES = 3
"""Pages of different layouts may have a field at different places."""

MIN_AGREED = 0.5
"""The share of the pages that say something of themselves on which a place must say the same."""

MAX_SAME = 0.5
"""A date that more than this share of the pages have, three at least, is none of theirs."""

MAX_NAMES = 3
"""Names by which a rule knows an element, at most."""

MIN_TO_DISTRUST = 4
"""So many pages must contradict a source, before it is distrusted."""

FAR = 60
"""Texts behind the title from which on links that are the same on all pages are a menu."""

Same = Callable[[Sequence[str], Sequence[str]], bool]


@dataclass(frozen=True)
class PageFields:
    """What a page of a sample may say of its fields.

    :param url: its address.
    :param said: what it says of itself.
    :param dates: its dates that may be its own; ``names``, and ``links`` by field.
    """

    url: str
    said: Sequence[Statement]
    dates: Sequence[Candidate]
    names: Sequence[Candidate]
    links: Mapping[str, Sequence[Candidate]]

    @property
    def known_dates(self) -> list[str]:
        """The dates that its metadata and its address have."""
        in_url = date_in_url(self.url) or ""
        return [*self.values("published"), *self.values("modified"), *([in_url] if len(in_url) == 10 else [])]

    def values(self, field: str, distrusted: Iterable[str] = ()) -> tuple[str, ...]:
        """What the most trustworthy source says of a field; nothing where none does."""
        return next((s.values for s in self.said if s.field == field and s.source not in distrusted), ())


def page_fields(root: etree._Element, url: str, latest: str) -> PageFields:
    """What a page may say of its fields.

    :param latest: the last day that it may have been published on.
    """
    said = [s for s in statements_of(root, url) if s.field not in DATE_FIELDS or is_plausible(s.values[0], latest)]
    shown = ShownPage(root, title_of(root), language_of(root))
    dates = [each for each in shown.dates if is_plausible(each.values[0], latest)]
    return PageFields(url, said, dates, shown.names(names_said(said)), shown.links)


class _Place(NamedTuple):
    """A place that holds a field, and how sure that is: the share of the pages that say it on which it agrees."""

    place: Place
    sure: float


def learned_rules(pages: Sequence[PageFields]) -> tuple[FieldRule, ...]:
    """The rules of the fields of a site, and what is known of its dates and metadata."""
    order = order_by(sum((order_votes(_orders(page), page.known_dates) for page in pages), Counter()))
    dates = [[ordered(each, order) for each in page.dates] for page in pages]
    unchanged = _with_lone_changes([[each for each in page if each.reason is not Reason.CHANGED] for page in dates], dates)
    shown = {
        "published": unchanged,
        "modified": [[each for each in page if each.reason is Reason.CHANGED] for page in dates],
        "authors": [page.names for page in pages],
        "categories": [page.links.get("categories", ()) for page in pages],
        "tags": [page.links.get("tags", ()) for page in pages],
    }
    rules: list[FieldRule] = []
    for field, candidates in shown.items():
        distrusted = _constant(pages, field) if field in DATE_FIELDS else frozenset()
        same = _same_day if field in DATE_FIELDS else _same_names
        found = _places(field, pages, candidates, distrusted, same)
        if field not in ("categories", "tags"):
            distrusted |= (wrong := _contradicted(pages, field, found, candidates, distrusted, same))
            found = _places(field, pages, candidates, distrusted, same) if wrong else found
        rules += [FieldRule(field, _target(place), place.after, sure=sure) for place, sure in found]
        rules += [FieldRule(DISTRUST, source, of=field) for source in sorted(distrusted)]
    if order:
        rules.append(FieldRule(DATES, order))
    return tuple({rule.subject: rule for rule in reversed(rules)}.values())[::-1]


def _orders(page: PageFields) -> list[tuple[str, str]]:
    return [(each.values[0], each.order) for each in page.dates]


def ordered(candidate: Candidate, order: str) -> Candidate:
    """A date that was read as day and month, as a site writes it."""
    if candidate.order != "?" or order != MDY:
        return candidate
    return candidate._replace(values=(swapped(candidate.values[0]),))


def _target(place: Place) -> str:
    """A place as rules have it."""
    selector = None
    for step in place.steps:
        one = Selector.of(step.tag, _chosen(step.names))
        selector = one if selector is None else selector.within(one, child=True)
    return f"{selector} @{place.attribute}" if place.attribute else str(selector)


def _chosen(names: Sequence[str]) -> list[str]:
    """The names of an element by which a rule knows it: those that say what it is, else the shortest."""
    telling = [name for name in names if signs_of(name[1:])]
    return sorted(sorted(telling or names, key=lambda name: (len(name), name))[:MAX_NAMES])


def _with_lone_changes(able: list[list[Candidate]], dates: Sequence[Sequence[Candidate]]) -> list[list[Candidate]]:
    """The dates of pages; those by the name of a change too where there are no others, since some name all so."""
    if any(any(each.reason <= Reason.NAMED for each in of_page) for of_page in able):
        return able
    return [[each._replace(reason=Reason.NAMED) if each.reason is Reason.CHANGED else each for each in of_page] for of_page in dates]


# Places


def _same_day(one: Sequence[str], other: Sequence[str]) -> bool:
    return bool(one and other) and is_near(one[0], other[0])


def _same_names(one: Sequence[str], other: Sequence[str]) -> bool:
    return {name.casefold() for name in one} == {name.casefold() for name in other}


def _shares_name(one: Sequence[str], other: Sequence[str]) -> bool:
    return not {name.casefold() for name in one}.isdisjoint(name.casefold() for name in other)


class _Score:
    """What speaks for a place, over the pages that have it."""

    def __init__(self, field: str, place: Place, pages: Sequence[PageFields], having: Mapping[int, Candidate], distrusted: Iterable[str], same: Same) -> None:
        said = {number: values for number in having if (values := pages[number].values(field, distrusted))}
        agreeing = [number for number, values in said.items() if same(having[number].values, values)]
        self.pages = frozenset(having)
        self.levels = len(place.steps)
        self.said = len(said)
        self.agreeing = len(agreeing)
        self.of_url = 0
        if field == "published":
            urls = {number: date_in_url(pages[number].url) for number in having}
            self.of_url = sum(having[number].values[0].startswith(url) for number, url in urls.items() if url)
        self.reason = min(Counter(each.reason for each in having.values()).most_common(), key=lambda item: (-item[1], item[0]))[0]
        self.distance = median(each.distance for each in having.values())
        counts = Counter(tuple(sorted(name.casefold() for name in each.values)) if field not in DATE_FIELDS else (each.values[0][:10],) for each in having.values())
        self.distinct = len(counts)
        self.same = max(counts.values())

    @property
    def agreed(self) -> float:
        return self.agreeing / self.said if self.said else 0.0


def _places(
    field: str, pages: Sequence[PageFields], candidates: Sequence[Sequence[Candidate]], distrusted: Iterable[str], same: Same
) -> list[_Place]:
    """The places of a field: the best for most pages, then for those that lack it."""
    having: defaultdict[Place, dict[int, Candidate]] = defaultdict(dict)
    for number, of_page in enumerate(candidates):
        for place, each in at_places(of_page, has_many=field not in DATE_FIELDS).items():
            having[place][number] = each
    least = max(min(MIN_PAGES, len(pages)), MIN_COVER * len(pages))
    scores = {
        place: _Score(field, place, pages, found, distrusted, same)
        for place, found in having.items()
        if len(found) >= least
    }
    scores = {place: score for place, score in scores.items() if _is_able(field, score, len(pages))}
    chosen: list[_Place] = []
    served: set[int] = set()
    while scores and len(chosen) < MAX_RULES:
        best = max(sorted(scores, key=str), key=lambda place: _rank(field, scores[place], served))
        score = scores.pop(best)
        if len(score.pages - served) < least and chosen:
            continue
        served |= score.pages
        chosen.append(_Place(best, round(score.agreed if score.said else len(score.pages) / len(pages), 2)))
    return chosen


def _is_able(field: str, score: _Score, pages: int) -> bool:
    """Whether a place may hold a field at all."""
    if score.said >= MIN_PAGES and score.agreed < MIN_AGREED and field in DATE_FIELDS:
        return False
    if field in DATE_FIELDS:
        return score.reason in (Reason.SAID, Reason.CHANGED) or not (
            len(score.pages) >= 3 and score.same > MAX_SAME * len(score.pages) and not score.agreeing
        )
    if field == "authors":
        if score.said >= MIN_PAGES and not score.agreeing and score.reason > Reason.SAID:
            return False
        # A text that merely looks like a name must vary as names do.
        return score.reason <= Reason.NAMED or bool(score.agreeing) or (score.distinct >= 2 and len(score.pages) >= MIN_AGREED * pages)
    is_constant = len(score.pages) >= MIN_TO_DISTRUST and score.distinct == 1 and not score.agreeing
    return not is_constant or (field == "categories" and score.distance <= FAR)


def _rank(field: str, score: _Score, served: set[int]) -> tuple[float, ...]:
    """By what of several places one is better, the higher."""
    new = len(score.pages - served)
    agrees = score.said >= 1 and score.agreed >= MIN_AGREED
    by_url = score.of_url > len(score.pages) / 2
    varies = field != "authors" or score.distinct > 1
    reason = -min(score.reason, Reason.SHAPED)
    return round(score.agreed, 1) if agrees and new else 0.0, by_url, reason, varies, new, -score.reason, -score.distance, -score.levels


# Metadata that is wrong


def _constant(pages: Sequence[PageFields], field: str) -> frozenset[str]:
    """The sources that have one date for most pages: a clock, or when the site was made."""
    days: defaultdict[str, list[str]] = defaultdict(list)
    for page in pages:
        for each in page.said:
            if each.field == field:
                days[each.source].append(each.values[0])
    return frozenset(
        source
        for source, found in days.items()
        if len(found) >= 5 and len(set(found)) == 1
    )


def _contradicted(
    pages: Sequence[PageFields],
    field: str,
    places: Sequence[_Place],
    candidates: Sequence[Sequence[Candidate]],
    distrusted: frozenset[str],
    same: Same,
) -> frozenset[str]:
    """The sources that most pages contradict where their best place varies."""
    if not places:
        return frozenset()
    shown = {}
    for number, of_page in enumerate(candidates):
        found = at_places(of_page, has_many=field not in DATE_FIELDS)
        if (each := next((found[p.place] for p in places if p.place in found), None)) is not None:
            shown[number] = each.values
    wrong: Counter[str] = Counter()
    total: Counter[str] = Counter()
    values: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for number, those in shown.items():
        for statement in pages[number].said:
            if statement.field == field and statement.source not in distrusted:
                total[statement.source] += 1
                values[statement.source].add(statement.values)
                agrees = same(those, statement.values) or (field == "authors" and _shares_name(those, statement.values))
                wrong[statement.source] += not agrees
    varies = len({tuple(each) for each in shown.values()}) > 1
    return frozenset(
        source
        for source, count in wrong.items()
        if varies and count >= MIN_TO_DISTRUST and count > MAX_SAME * total[source]
    )

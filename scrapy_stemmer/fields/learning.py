"""Learning of field rules from a sample of a site's pages, without labels.

A field has the same place on all pages of a layout. Evidence for a place is

1. agreement with the pages' metadata;
2. the date in addresses;
3. markup and words: ``itemprop``, ``rel=author``, class names, ``Posted:``;
4. variation: a date on many pages is a clock or a build, a name on all pages belongs to the owner;
5. distance from the title.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from scrapy_stemmer.fields.dates import ASSUMED, date_in_url, is_near, is_plausible, order_votes, winning_order
from scrapy_stemmer.fields.metadata import PageTree, Statement
from scrapy_stemmer.fields.places import (
    FOOTER_DISTANCE,
    MAX_SITE_TEXTS,
    MAX_VALUE_GAP,
    Candidate,
    FieldReason,
    PageCandidates,
    Place,
    at_places,
)
from scrapy_stemmer.fields.rules import DATE_FIELDS, DATES, DISTRUST, LIST_FIELDS, FieldRule
from scrapy_stemmer.fields.texts import KnownElement
from scrapy_stemmer.fields.words import signs_of
from scrapy_stemmer.page.selectors import Selector

MAX_FIELD_PAGES = 8
"""Most pages of a sample to look at for fields: more add little, and take as long as the rest of learning."""

ENOUGH_PAGES = 6  # pages to look at in any case; every second page of larger samples
MIN_PLACE_PAGES = 2  # least pages with a place of a rule, or with different evidence
MIN_COVER = 0.2  # least share of pages with the place
MAX_RULES = 3  # pages of different layouts may have a field at different places
MIN_METADATA_AGREED = 0.5  # least share of agreeing pages, among pages with metadata

MAX_SAME = 0.5  # greatest share of pages with a common date, if at least :data:`MIN_SAME`, unless marked as published

MIN_SAME = 3

MIN_BEHIND_WORD, MIN_SAME_WORD = 3, 0.8  # names behind a common word, and the word's share of pages
MIN_CLOCK = 5  # pages with equal times in metadata, to the second, as times of building

SURE = {
    FieldReason.SAID: 0.95,
    FieldReason.NAMED: 0.9,
    FieldReason.CHANGED: 0.9,
    FieldReason.LINED: 0.8,
    FieldReason.SHAPED: 0.7,
    FieldReason.OTHER: 0.5,
}
"""Confidence of a place without agreeing metadata, by reason."""

MAX_PLACE_NAMES = 3  # names of an element in a rule
MIN_TO_DISTRUST = 4  # pages in contradiction to a distrusted source
MENU_DISTANCE = 60  # texts after the title from which constant links are a menu


@dataclass(frozen=True)
class PageFields:
    """Evidence on the fields of a sample page."""

    url: str  # address
    statements: Mapping[str, Sequence[Statement]]  # metadata by field
    dates: Sequence[Candidate]  # candidates for dates; ``names`` likewise, and ``links`` by field
    names: Sequence[Candidate]
    links: Mapping[str, Sequence[Candidate]]
    unseen: frozenset[str] = frozenset()  # authors of the metadata missing in the text
    order: str = ""  # order of day and month by metadata, country and language

    @property
    def order_votes(self) -> Counter[str]:
        """Votes of the dates for an order of day and month, using metadata and address."""
        in_url = date_in_url(self.url) or ""
        known = [*self.values("published"), *self.values("modified"), *([in_url] if len(in_url) == 10 else [])]
        return order_votes(((date.values[0], date.order) for date in self.dates), known)

    def values(self, field: str, distrusted: Iterable[str] = ()) -> tuple[str, ...]:
        return next((each.values for each in self.statements[field] if each.source not in distrusted), ())


def pages_to_read(count: int) -> frozenset[int]:
    asked = min(count, max(ENOUGH_PAGES, min(count // 2, MAX_FIELD_PAGES))) if count >= MIN_PLACE_PAGES else 0
    return frozenset(number * count // asked for number in range(asked))


def page_fields(
    tree: PageTree, latest: str, outside: KnownElement | None = None, texts: Sequence[str] = ()
) -> PageFields:
    stated = {name: list(tree.statements(name)) for name in (*DATE_FIELDS, *LIST_FIELDS)}
    for name in DATE_FIELDS:
        stated[name] = [each for each in stated[name] if is_plausible(each.values[0], latest)]
    found = PageCandidates(tree, outside or KnownElement.outermost(), MAX_SITE_TEXTS)
    dates = [date for date in found.dates if is_plausible(date.values[0], latest)]
    wanted = [name for each in stated["authors"] for name in each.values]
    names = found.names(wanted)
    unseen = _unseen(wanted, [*(text.text for text in found.texts), *texts])
    order = tree.order if any(date.order == ASSUMED for date in dates) else ""
    return PageFields(tree.url, stated, dates, names, found.links, unseen, order)


def _unseen(names: Sequence[str], texts: Sequence[str]) -> frozenset[str]:
    unseen = [name for name in names if not any(name in text for text in texts)]
    whole = " ".join(texts).casefold() if unseen else ""
    return frozenset(name for name in unseen if name.casefold() not in whole)


@dataclass(frozen=True)
class _FieldSample:
    field: str
    pages: Sequence[PageFields]
    candidates: Sequence[Sequence[Candidate]]  # by page
    distrusted: frozenset[str] = frozenset()  # wrong sources of metadata

    @property
    def has_many(self) -> bool:
        return self.field not in DATE_FIELDS

    def are_same(self, one: Sequence[str], other: Sequence[str]) -> bool:
        if self.has_many:
            return {name.casefold() for name in one} == {name.casefold() for name in other}
        return bool(one and other) and is_near(one[0], other[0])


def learned_rules(pages: Sequence[PageFields]) -> tuple[FieldRule, ...]:
    """Learn the rules of a site for fields, order of dates and wrong metadata, from two or more pages."""
    if len(pages) < MIN_PLACE_PAGES:
        return ()
    votes = sum((page.order_votes for page in pages), Counter[str]())
    order = winning_order(votes) or winning_order(Counter(page.order for page in pages))
    dates = [[date.in_order(order) for date in page.dates] for page in pages]
    candidates_of: dict[str, Sequence[Sequence[Candidate]]] = {
        "published": _unchanged(dates),
        "modified": [[date for date in page if date.reason is FieldReason.CHANGED] for page in dates],
        "authors": [page.names for page in pages],
        "categories": [page.links.get("categories", ()) for page in pages],
        "tags": [page.links.get("tags", ()) for page in pages],
    }
    rules: dict[tuple[str, str, str], FieldRule] = {}
    for field, candidates in candidates_of.items():
        for rule in _rules_of(_FieldSample(field, pages, candidates)):
            rules.setdefault(rule.subject, rule)
    return (*rules.values(), *([FieldRule(DATES, order)] if order else []))


def _rules_of(sample: _FieldSample) -> list[FieldRule]:
    if sample.field in (*DATE_FIELDS, "authors"):
        sample = replace(sample, distrusted=_wrong_sources(sample))
    if sample.field == "authors":
        sample = replace(sample, candidates=_without_same_words(sample.candidates))
    rules = [FieldRule(sample.field, _target(place), place.after, sure=sure) for place, sure in _best_places(sample)]
    return [*rules, *(FieldRule(DISTRUST, source, of=sample.field) for source in sorted(sample.distrusted))]


def _without_same_words(candidates: Sequence[Sequence[Candidate]]) -> list[list[Candidate]]:
    """Return names without a common first word on most pages of a place, such as ``by`` in any language.

    The word becomes part of the place. The names behind the word must vary.
    """
    firsts: defaultdict[Place, list[tuple[str, str]]] = defaultdict(list)  # the first word of names, and the rest
    for page in candidates:
        for place, candidate in at_places(page, has_many=True).items():
            first, _, rest = candidate.values[0].partition(" ")
            firsts[place].append((first.casefold(), rest.casefold()))
    words: dict[Place, str] = {}
    for place, names in firsts.items():
        word, count = Counter(first for first, _ in names).most_common(1)[0]
        behind = {rest for first, rest in names if first == word and rest}
        if not place.after and len(behind) >= MIN_BEHIND_WORD and count >= MIN_SAME_WORD * len(names):
            words[place] = word
    return [[_behind_word(each, words.get(each.place, "")) for each in page] for page in candidates]


def _behind_word(candidate: Candidate, word: str) -> Candidate:
    first, _, rest = candidate.values[0].partition(" ")
    if not word or not rest or first.casefold() != word:
        return candidate
    return candidate._replace(place=candidate.place._replace(after=word), values=(rest, *candidate.values[1:]))


def _unchanged(dates: Sequence[Sequence[Candidate]]) -> list[list[Candidate]]:
    """Return the dates without dates of changes, or without sure dates left, the dates outside footers."""
    unchanged = [[date for date in page if date.reason is not FieldReason.CHANGED] for page in dates]
    if any(date.reason <= FieldReason.NAMED for page in unchanged for date in page):
        return unchanged
    named = {FieldReason.CHANGED: FieldReason.NAMED}
    shown = [[date for date in page if date.distance < FOOTER_DISTANCE] for page in dates]
    return [[date._replace(reason=named.get(date.reason, date.reason)) for date in page] for page in shown]


def _target(place: Place) -> str:
    selector: Selector | None = None
    for step in place.steps:
        one = Selector.of(step.tag, _chosen(step.names))
        selector = one if selector is None else selector.within(one, child=True)
    return f"{selector} @{place.attribute}" if place.attribute else str(selector)


def _chosen(names: Sequence[str]) -> list[str]:
    """Return the names of an element for use in rules: telling names, or else the shortest."""
    telling = [name for name in names if signs_of(name[1:])]
    return sorted(sorted(telling or names, key=lambda name: (len(name), name))[:MAX_PLACE_NAMES])


# Places


class _Evidence:
    """The evidence for a place on all pages that have it."""

    def __init__(self, sample: _FieldSample, place: Place, having: Mapping[int, Candidate]) -> None:
        self.field, self.place, self.pages = sample.field, place, frozenset(having)
        self.is_usual = len(having) >= MIN_METADATA_AGREED * len(sample.pages)
        values = {number: candidate.values for number, candidate in having.items()}
        stated = {number: sample.pages[number].values(sample.field, sample.distrusted) for number in having}
        self.stated = sum(map(bool, stated.values()))
        self.agreeing = sum(sample.are_same(values[number], found) for number, found in stated.items() if found)
        self.agreed = self.agreeing / max(self.stated, 1)
        gaps = (abs(date.at - each.at) for number, each in having.items() for date in sample.pages[number].dates)
        self.is_dated = any(gap <= MAX_VALUE_GAP for gap in gaps)
        reasons = Counter(candidate.reason for candidate in having.values())
        self.reason = min(reasons, key=lambda reason: (-reasons[reason], reason))
        self.distance = median(candidate.distance for candidate in having.values())
        many = sample.has_many
        counts = Counter(" ".join(sorted(found)).casefold() if many else found[0][:10] for found in values.values())
        self.distinct, self.same = len(counts), max(counts.values())
        in_urls = {number: date_in_url(sample.pages[number].url) for number in having} if not many else {}
        self.of_url = sum(values[number][0].startswith(date) for number, date in in_urls.items() if date)

    @property
    def sure(self) -> float:
        return round(self.agreed if self.stated else SURE[self.reason], 2)

    @property
    def is_able(self) -> bool:
        count, is_sure = len(self.pages), self.agreeing > 0
        if self.field in DATE_FIELDS:
            if self.stated >= MIN_PLACE_PAGES and self.agreed < MIN_METADATA_AGREED:
                return False
            is_clock = count >= MIN_SAME and self.same > MAX_SAME * count
            return is_sure or self.reason in (FieldReason.SAID, FieldReason.CHANGED) or not is_clock
        if self.field == "authors":
            if self.place.after and self.distinct == 1 and not (is_sure or self.is_dated):
                return count < MIN_SAME  # Sort by name, Made by
            # A text that merely looks like a name must vary as names do.
            is_byline = self.is_usual and (self.distinct > 1 or self.reason == FieldReason.LINED)
            return is_sure or self.reason <= FieldReason.NAMED or is_byline
        is_constant = count >= MIN_TO_DISTRUST and self.distinct == 1 and not is_sure
        return not is_constant or (self.field == "categories" and self.distance <= MENU_DISTANCE)

    def rank(self, served: set[int]) -> tuple[float, ...]:
        new = len(self.pages - served)
        return (
            round(self.agreed, 1) if self.agreed >= MIN_METADATA_AGREED and new else 0.0,
            self.of_url > len(self.pages) / 2,
            self.is_usual,
            -min(self.reason, FieldReason.SHAPED),
            self.field != "authors" or self.distinct > 1,
            new,
            -self.reason,
            -self.distance,
            -len(self.place.steps),
        )


def _best_places(sample: _FieldSample) -> list[tuple[Place, float]]:
    """Return the places of a field with confidences: the best for most pages, then for the remaining pages."""
    having: defaultdict[Place, dict[int, Candidate]] = defaultdict(dict)
    for number, candidates in enumerate(sample.candidates):
        for place, candidate in at_places(candidates, has_many=sample.has_many).items():
            having[place][number] = candidate
    least = max(min(MIN_PLACE_PAGES, len(sample.pages)), MIN_COVER * len(sample.pages))
    every = (_Evidence(sample, place, here) for place, here in sorted(having.items()) if len(here) >= least)
    able = [each for each in every if each.is_able and _is_found(sample, each.place, having[each.place])]
    chosen: list[tuple[Place, float]] = []
    served: set[int] = set()
    while able and len(chosen) < MAX_RULES:
        best = max(able, key=lambda each: each.rank(served))
        able.remove(best)
        if not chosen or len(best.pages - served) >= least:
            served |= best.pages
            chosen.append((best.place, best.sure))
    return chosen


def _is_found(sample: _FieldSample, place: Place, having: Mapping[int, Candidate]) -> bool:
    """Return True if a rule for a place finds the values of the place first."""
    wrong = 0
    for number, expected in having.items():
        able = (one for one in sample.candidates[number] if one is expected or _covers(place, one.place))
        first = next(able)
        wrong += first.at < expected.at and not sample.are_same(first.values, expected.values[: len(first.values)])
    return wrong <= MAX_SAME * len(having)


def _covers(place: Place, other: Place) -> bool:
    """Return True if a rule for a place also matches another place, as far as known."""
    if (place.attribute and place.attribute != other.attribute) or (place.after and place.after != other.after):
        return False
    return all(
        one.tag == two.tag and set(_chosen(one.names)) <= set(two.names)
        for one, two in zip(place.steps, other.steps, strict=False)
    )


def _wrong_sources(sample: _FieldSample) -> frozenset[str]:
    """Return the sources that give all pages one value: the date of a build, or an owner whom no page shows."""
    is_date = sample.field in DATE_FIELDS
    least = MIN_CLOCK if is_date else MIN_TO_DISTRUST
    values: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    shown = set[str]()
    for page in sample.pages:
        for stated, source in page.statements[sample.field]:
            values[source].append(stated)
            shown.update([] if is_date or page.unseen.issuperset(stated) else [source])
    same = (source for source, stated in values.items() if len(stated) >= least and len(set(stated)) == 1)
    return frozenset(same) - shown

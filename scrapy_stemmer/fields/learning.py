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

    def stated(self, number: int) -> tuple[str, ...]:
        return self.pages[number].values(self.field, self.distrusted)


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
    firsts: defaultdict[Place, list[str]] = defaultdict(list)
    for page in candidates:
        for place, candidate in at_places(page, has_many=True).items():
            firsts[place].append(candidate.values[0])
    words: dict[Place, str] = {}
    for place, names in firsts.items():
        parted = [name.partition(" ") for name in names]
        (word, count), *_ = Counter(first.casefold() for first, _, _ in parted).most_common(1)
        behind = {rest.casefold() for first, _, rest in parted if first.casefold() == word and rest}
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
    """Evidence for a place over its pages.

    :ivar has_label: only the word before identifies the place; ``is_dated``: a date is near.
    """

    def __init__(self, sample: _FieldSample, place: Place, having: Mapping[int, Candidate]) -> None:
        values = {number: candidate.values for number, candidate in having.items()}
        stated = {number: found for number in having if (found := sample.stated(number))}
        self.is_usual = len(having) >= MIN_METADATA_AGREED * len(sample.pages)
        self.pages, self.levels, self.stated = frozenset(having), len(place.steps), len(stated)
        self.agreeing = sum(sample.are_same(values[number], found) for number, found in stated.items())
        self.agreed = self.agreeing / len(stated) if stated else 0.0
        reasons = Counter(candidate.reason for candidate in having.values())
        self.has_label = bool(place.after)
        gaps = (abs(date.at - each.at) for number, each in having.items() for date in sample.pages[number].dates)
        self.is_dated = any(gap <= MAX_VALUE_GAP for gap in gaps)
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


def _best_places(sample: _FieldSample) -> list[tuple[Place, float]]:
    """Return the places of a field with confidences: the best for most pages, then for the remaining pages."""
    having: defaultdict[Place, dict[int, Candidate]] = defaultdict(dict)
    for number, candidates in enumerate(sample.candidates):
        for place, candidate in at_places(candidates, has_many=sample.has_many).items():
            having[place][number] = candidate
    count = len(sample.pages)
    least = max(min(MIN_PLACE_PAGES, count), MIN_COVER * count)
    able: dict[Place, _Evidence] = {}
    for place, here in having.items():
        evidence = _Evidence(sample, place, here) if len(here) >= least else None
        if evidence is not None and _is_able(sample.field, evidence, count) and _is_found(sample, place, here):
            able[place] = evidence
    chosen: list[tuple[Place, float]] = []
    served: set[int] = set()
    while able and len(chosen) < MAX_RULES:
        best = max(sorted(able), key=lambda place: _rank(sample.field, able[place], served))
        evidence = able.pop(best)
        if not chosen or len(evidence.pages - served) >= least:
            served |= evidence.pages
            chosen.append((best, evidence.sure))
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


def _is_able(field: str, evidence: _Evidence, pages: int) -> bool:
    if field in DATE_FIELDS:
        if evidence.stated >= MIN_PLACE_PAGES and evidence.agreed < MIN_METADATA_AGREED:
            return False
        is_clock = len(evidence.pages) >= MIN_SAME and evidence.same > MAX_SAME * len(evidence.pages)
        return evidence.reason in (FieldReason.SAID, FieldReason.CHANGED) or evidence.agreeing > 0 or not is_clock
    if field == "authors":
        # A text that merely looks like a name must vary as names do.
        varies = evidence.distinct >= 2 and len(evidence.pages) >= MIN_METADATA_AGREED * pages
        if evidence.has_label and evidence.distinct == 1 and not (evidence.agreeing or evidence.is_dated):
            return len(evidence.pages) < MIN_SAME  # Sort by name, Made by
        is_byline = evidence.is_usual and evidence.reason == FieldReason.LINED
        return evidence.reason <= FieldReason.NAMED or evidence.agreeing > 0 or varies or is_byline
    is_constant = len(evidence.pages) >= MIN_TO_DISTRUST and evidence.distinct == 1 and not evidence.agreeing
    return not is_constant or (field == "categories" and evidence.distance <= MENU_DISTANCE)


def _rank(field: str, evidence: _Evidence, served: set[int]) -> tuple[float, ...]:
    new = len(evidence.pages - served)
    return (
        round(evidence.agreed, 1) if evidence.agreed >= MIN_METADATA_AGREED and new else 0.0,
        evidence.of_url > len(evidence.pages) / 2,
        evidence.is_usual,
        -min(evidence.reason, FieldReason.SHAPED),
        field != "authors" or evidence.distinct > 1,
        new,
        -evidence.reason,
        -evidence.distance,
        -evidence.levels,
    )


def _wrong_sources(sample: _FieldSample) -> frozenset[str]:
    """Return sources with one value on all pages: dates of building or fetching, and owners that no page shows."""
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

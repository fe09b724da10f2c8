"""Fields of a page, from metadata, rules of the site, and guesses; the name of a site is no author.

Each field comes from the first source with a value:

1. a rule written by hand;
2. the page's metadata, without distrusted sources. Authors shown on the page win if they are more than those in the
   metadata, or if the metadata only name the site;
3. a learned rule;
4. for dates, the address;
5. the best candidate near the title, unless the site is known not to show the field.
"""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lxml import etree

from scrapy_stemmer.fields.breadcrumbs import PLACE_FIELDS, URL, Crumb, breadcrumbs_of, section_of
from scrapy_stemmer.fields.dates import (
    ASSUMED,
    date_in_url,
    is_before,
    is_near,
    is_plausible,
    iso_date,
    order_votes,
    winning_order,
)
from scrapy_stemmer.fields.metadata import MICRODATA, PageTree, Statement, is_vague
from scrapy_stemmer.fields.names import is_role, looks_personal
from scrapy_stemmer.fields.places import MAX_SITE_TEXTS, Candidate, FieldReason, PageCandidates, at_places
from scrapy_stemmer.fields.products import PRODUCT_FIELDS, statements_of_product
from scrapy_stemmer.fields.rules import (
    ALL_FIELDS,
    DATE_FIELDS,
    DATES,
    DISTRUST,
    FIELDS,
    LIST_FIELDS,
    RULE,
    FieldRule,
    own_fields,
    values_of,
)
from scrapy_stemmer.fields.selecting import SelectorError
from scrapy_stemmer.fields.texts import BYLINE_DISTANCE
from scrapy_stemmer.page.addresses import host_of, safe_address
from scrapy_stemmer.page.arguments import each_of
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.shown import Metadata
from scrapy_stemmer.page.text import writable

JUST_BELOW = 3  # texts from the title to a name with only a date below as evidence

GUESS = "guess"
"""Source in addition to :data:`RULE`, :data:`URL` and those of metadata (:mod:`scrapy_stemmer.fields.metadata`)."""


logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Fields:
    """Fields of a page; unknown fields are empty.

    :param authors: names of the authors.
    :param published: ISO 8601 date, with time and zone if known, as is ``modified``.
    :param image: address of the main image.
    :param language: language code, such as ``en``.
    :param price: number of the product's price, with a point before decimals.
    :param currency: code of three letters, such as ``EUR``.
    :param availability: name of schema.org, such as ``InStock``.
    :param breadcrumbs: names of the pages above this one, from the outermost on, often with that of this one.
    :param section: path of the page in its site, by breadcrumbs or address, such as ``Manual > Tools``.
    :param own: fields named by the user.
    :param sources: source of each known field: ``json-ld``, ``microdata``, ``meta[name=author]``, ``rule``, ``url``,
        ``guess``.
    :param confidence: share of right values of the source, from 0 to 1, for authors, dates, categories and tags.
    :param failed: names of fields with a rule that could not be tried on the page; the log says why.
    """

    authors: tuple[str, ...] = ()
    published: str | None = None
    modified: str | None = None
    description: str | None = None
    image: str | None = None
    language: str | None = None
    site_name: str | None = None
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    canonical_url: str | None = None
    price: str | None = None
    currency: str | None = None
    availability: str | None = None
    sku: str | None = None
    brand: str | None = None
    rating: str | None = None
    breadcrumbs: tuple[str, ...] = ()
    section: str | None = None
    own: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    confidence: Mapping[str, float] = field(default_factory=dict)
    failed: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the known fields by name, then ``sources`` and ``confidence``, as JSON values."""
        every = {**{name: self[name] for name in ALL_FIELDS}, **self.own}
        there = {name: list(value) if isinstance(value, tuple) else value for name, value in every.items() if value}
        return {**there, "sources": dict(self.sources), "confidence": dict(self.confidence)}

    def __getitem__(self, name: str) -> str | tuple[str, ...] | None:
        if name not in ALL_FIELDS:
            return self.own[name]
        value: str | tuple[str, ...] | None = getattr(self, name)
        return value


NO_FIELDS = Fields()

SOURCE_CONFIDENCE: Mapping[str, Mapping[str, float]] = {
    "json-ld": {"authors": 0.89, "published": 0.94, "tags": 0.56},
    "meta": {"authors": 0.67, "published": 0.93, "tags": 0.70},
    "microdata": {"published": 0.82},
    "rule": {"authors": 0.97, "published": 0.99, "modified": 0.99, "categories": 0.99, "tags": 0.99},
    "url": {"published": 0.95},
    "guess": {"authors": 0.74, "published": 0.95, "categories": 0.79, "tags": 0.53},
}
"""Share of right values by source: of rules on sites set aside for this measurement, of other sources on single pages;
see ``docs/fields.md``."""


def read_fields(
    root: etree._Element,
    url: str,
    latest: str,
    rules: Sequence[FieldRule] | None = None,
    names: Iterable[str] | None = None,
    metadata: Metadata | None = None,
) -> Fields:
    """Read the fields of a page, looking only at the required parts of the page.

    :param names: names of fields, by default all; unknown names are left out.
    """
    reader, own = _Reader(PageTree(root, url, metadata), latest, rules), own_fields(rules)
    wanted = {*ALL_FIELDS, *own} if names is None else set(names)
    found = ((name, reader.field(name)) for name in (*ALL_FIELDS, *own) if name in wanted)
    every = {name: (clean, source) for name, (values, source) in found if (clean := _writable(values))}
    if "modified" in every:
        published, _ = every.get("published", NOTHING) if "published" in wanted else reader.field("published")
        if published and is_before(every["modified"][0][0], published[0]):
            del every["modified"]
    many = {*LIST_FIELDS, "breadcrumbs", *own_fields(rules, has_all=True)}
    values = {name: values if name in many else values[0] for name, (values, _) in every.items()}
    sources = {name: source for name, (_, source) in every.items()}
    known = ((name, SOURCE_CONFIDENCE.get(source.partition("[")[0], {}).get(name)) for name, source in sources.items())
    confidence = {name: share for name, share in known if share is not None}
    users = {name: values.pop(name) for name in own if name in values}
    parts = {"own": users, "sources": sources, "confidence": confidence, "failed": tuple(reader.failed)}
    return Fields(**values, **parts)  # type: ignore[arg-type]


def _writable(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(writable, values)))


def checked_names(names: Iterable[str], own: Iterable[str] = ()) -> frozenset[str]:
    """Return names of fields as a set; ``own`` are the names of the user's fields.

    :raises TypeError: for a text in place of names.
    :raises ValueError: for an unknown name.
    """
    if isinstance(names, str | bytes):
        raise TypeError(f"The fields to read must be a list of names, such as ['authors'], not the text {names!r}")
    wanted = frozenset(each_of("names", names, str, "names of fields"))
    if unknown := wanted.difference(every := (*ALL_FIELDS, *own)):
        raise ValueError(f"{min(unknown)!r} is no field of a page; ask for some of {', '.join(every)}")
    return wanted


NOTHING = Statement((), "")
_PART_OF_TITLE = re.compile(r"\s[|·•»«–—:-]\s|[|｜]")
_PLAIN = re.compile(r"[\W_]")


class _Reader:
    """Page whose fields are being read; see :func:`read_fields`."""

    def __init__(self, tree: PageTree, latest: str, rules: Sequence[FieldRule] | None) -> None:
        self._tree, self._url, self._latest, self._is_known = tree, tree.url, latest, rules is not None
        self._rules: defaultdict[str, list[FieldRule]] = defaultdict(list)
        for rule in rules or ():
            self._rules[rule.action].append(rule)
        self._distrusted = {(rule.of, rule.target) for rule in self._rules[DISTRUST]}
        self.failed: dict[str, None] = {}  # fields of failed rules, in order

    def field(self, name: str) -> Statement:
        if users := self._by_rules(name, is_users=True):
            return Statement(users, RULE)
        if name in PLACE_FIELDS:
            return self._place(name)
        if name not in (*FIELDS, *PRODUCT_FIELDS):  # the user's own
            return NOTHING
        if name == "authors":
            return self._authors()
        stated = self._of_metadata(name)
        if stated.values and name not in LIST_FIELDS and not (name == "published" and is_vague(stated.source)):
            return stated
        if shown := self._by_rules(name):
            return Statement(shown, RULE)
        if name in LIST_FIELDS:
            return self._guessed_links(name, stated)
        if name in DATE_FIELDS:
            return self._guessed_date(name, stated)
        return self._currency_of_price() if name == "currency" else NOTHING

    def _statements(self, name: str) -> Iterator[Statement]:
        of_product = name in PRODUCT_FIELDS
        statements = statements_of_product(self._tree, name) if of_product else self._tree.statements(name)
        return (each for each in statements if each.values and (name, each.source) not in self._distrusted)

    def _of_metadata(self, name: str) -> Statement:
        stated = ((self._in_form(name, each.values), each.source) for each in self._statements(name))
        return next((Statement(values, source) for values, source in stated if values), NOTHING)

    def _in_form(self, name: str, values: tuple[str, ...]) -> tuple[str, ...]:
        """Return values in the usual form, without values that cannot be right."""
        texts = _writable(values)
        if name == "language":
            return tuple(text[:3].strip("-_").lower() for text in texts[:1] if _LANGUAGE.match(text))
        if name in DATE_FIELDS:
            dates = (iso_date(text) or text[: len("2024-05-01")] for text in texts[:1])
            return tuple(date for date in dates if is_plausible(date, self._latest))
        if name in ("image", "canonical_url"):
            return tuple(filter(None, (safe_address(text, self._url) for text in texts[:1])))
        return texts

    def _currency_of_price(self) -> Statement:
        """Return the currency in the text of a price that the user's rule finds."""
        rules = [replace(rule, action="currency", has_all=False) for rule in self._rules["price"] if rule.is_own]
        return Statement(next(filter(None, (self._found_by(rule, "") for rule in rules)), ()), RULE)

    @cached_property
    def _crumbs(self) -> tuple[tuple[Crumb, ...], str]:
        return breadcrumbs_of(self._tree)

    def _place(self, name: str) -> Statement:
        crumbs, source = self._crumbs
        if name == "breadcrumbs":
            return Statement(tuple(crumb.name for crumb in crumbs), source)
        section, where = section_of(crumbs, self._tree)
        return Statement((section,), where)

    def _is_shown(self, name: str) -> bool:
        return (name, RULE) not in self._distrusted

    @cached_property
    def _is_alone(self) -> bool:
        """True for a page of an unknown site, or of an unknown layout: no learned rule finds anything."""
        if not self._is_known:
            return True
        learned = [rule for name in FIELDS if self._is_shown(name) for rule in self._rules[name] if not rule.is_users]
        return bool(learned) and not any(self._found_by(rule, self._order_of_site) for rule in learned)

    def _by_rules(self, name: str, *, is_users: bool = False) -> tuple[str, ...]:
        """Return the values of the first rule with any; of learned rules the most confident is first."""
        rules = [rule for rule in self._rules[name] if rule.is_users == is_users and (is_users or self._is_shown(name))]
        found = (self._found_by(rule, self._order if name in DATE_FIELDS else "") for rule in rules)
        return next(filter(None, (self._in_form(name, values) for values in found)), ())

    def _found_by(self, rule: FieldRule, order: str) -> tuple[str, ...]:
        try:
            return values_of(rule, self._tree.root, order, self._tree.language)
        except Exception as error:
            if not (rule.is_own or isinstance(error, SelectorError)):
                raise
            self.failed[rule.action] = None
            if (kind := type(error).__name__) not in rule.told:
                rule.told.add(kind)
                logger.warning("The rule %r fails on %s (only told once): %s: %s", rule.line, self._url, kind, error)
            return ()

    # Authors

    def _authors(self) -> Statement:
        stated = self._of_metadata("authors")
        if stated.source == MICRODATA:
            stated = stated._replace(values=self._without_own(stated.values))
        names, is_shown = stated.values, self._is_shown("authors")
        shown = Statement(self._without_own(self._by_rules("authors")), RULE)
        is_wanting = bool(names) and (all(map(is_role, names)) or self._are_of_site(names))
        has_learned = not all(rule.is_users for rule in self._rules["authors"])
        may_guess = self._is_alone or is_wanting or (not names and has_learned)
        if not shown.values and is_shown and may_guess:
            shown = Statement(self._without_own(self._guessed_names), GUESS)
        return shown if shown.values and (not names or self._shows_better(shown.values, names)) else stated

    def _without_own(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return names without the site's: ``By Ann Lee, The Heron`` names an author and the site."""
        return (len(names) > 1 and tuple(name for name in names if not self._are_own([name]))) or names

    def _shows_better(self, shown: Sequence[str], stated: Sequence[str]) -> bool:
        here, there = {name.casefold() for name in shown}, {name.casefold() for name in stated}
        if here > there or all(map(is_role, stated)):
            return True
        if here & there or not all(map(looks_personal, shown)):
            return False
        if self._are_of_site(stated):
            return True
        shown_text = " ".join(text.text for text in self._candidates.texts).casefold()
        return not any(name in shown_text for name in there)

    def _are_own(self, names: Sequence[str]) -> bool:
        """Return True if all names are names of the site: stated, or the host."""
        return all(_PLAIN.sub("", name.casefold()) in self._own_names for name in names)

    def _are_of_site(self, stated: Sequence[str]) -> bool:
        """Return True if the metadata name the site as author: its name, a part of the title, or the link home."""
        if self._are_own(stated):
            return True
        names = {name.casefold() for name in stated}
        if names <= {part.strip().casefold() for title in self._tree.titles for part in _PART_OF_TITLE.split(title)}:
            return True
        above = (each for each in self._candidates.texts[: self._candidates.heading] if each.text.casefold() in names)
        return any(each.link is not None and _is_home(each.link.get("href") or "", self._url) for each in above)

    @cached_property
    def _own_names(self) -> set[str]:
        names = [value for statement in self._tree.statements("site_name") for value in statement.values]
        host = host_of(self._url) or ""
        return {_PLAIN.sub("", name.casefold()) for name in (*names, host.partition(".")[0], host)}

    @cached_property
    def _guessed_names(self) -> tuple[str, ...]:
        stated = [name for statement in self._statements("authors") for name in statement.values]
        places = at_places(self._candidates.names(stated), has_many=True).values()
        least = FieldReason.NAMED if self._is_alone else FieldReason.SAID
        able = [
            place for place in places if place.reason <= least and (self._is_alone or place.distance <= BYLINE_DISTANCE)
        ]
        if not able and self._is_alone:  # a bare name above a date, right behind the title
            dates = {date.at for date in self._candidates.dates}
            lined = (place for place in places if place.reason == FieldReason.LINED and place.distance <= JUST_BELOW)
            able = [place for place in lined if place.at + 1 in dates]
        best = min(able, key=_nearness, default=None)
        return () if best is None else best.values

    # Dates

    @cached_property
    def _candidates(self) -> PageCandidates:
        return PageCandidates(self._tree) if self._is_alone else PageCandidates(self._tree, most=MAX_SITE_TEXTS)

    @cached_property
    def _order(self) -> str:
        of_site = self._order_of_site
        dates = [(date.values[0], date.order) for date in self._candidates.dates] if self._is_alone else []
        sure = [stated.values[0] for name in DATE_FIELDS for stated in self._statements(name)] if dates else []
        return of_site or winning_order(order_votes(dates, sure)) or self._tree.order

    @property
    def _order_of_site(self) -> str:
        return next((rule.target for rule in self._rules[DATES]), "")

    @cached_property
    def _dates(self) -> list[Candidate]:
        dates = (date.in_order(self._order) for date in self._candidates.dates if date.order != ASSUMED or self._order)
        return [date for date in dates if is_plausible(date.values[0], self._latest)]

    def _guessed_date(self, name: str, stated: Statement) -> Statement:
        """Return the date that is shown or in the address; ``stated`` is a vague date, if any."""
        if name == "modified":
            changed = [date for date in self._dates if date.reason is FieldReason.CHANGED] if self._is_alone else []
            return Statement(min(changed, key=_nearness).values, GUESS) if changed else NOTHING
        is_able = not stated.values and ("published", URL) not in self._distrusted
        in_url = date_in_url(self._url) if is_able else None
        best = self._best_date(in_url)
        is_shown = in_url is not None and best is not None and best.values[0].startswith(in_url)
        if in_url and len(in_url) == len("2024-05-01") and not is_shown and is_plausible(in_url, self._latest):
            return Statement((in_url,), URL)
        is_sure = best is not None and best.reason <= FieldReason.NAMED and best.distance <= BYLINE_DISTANCE
        return Statement(best.values, GUESS) if best is not None and (is_sure or not stated.values) else stated

    def _best_date(self, in_url: str | None) -> Candidate | None:
        shown = self._dates if self._is_shown("published") else []
        able = [date for date in shown if date.reason is not FieldReason.CHANGED and not self._is_clock(date)]
        if not self._is_alone:  # On a site without shown dates, a date without further evidence is a clock or an event.
            able = [date for date in able if date.reason <= FieldReason.NAMED]
        elif in_url is None:
            first = {date.place: date for date in reversed(able)}
            able = [date for date in able if date.reason <= FieldReason.NAMED or date is first[date.place]]
        is_day = in_url is not None and len(in_url) == 10

        def rank(date: Candidate) -> tuple[bool, int, bool, int]:
            is_in_url = in_url is not None and date.values[0].startswith(in_url)
            return not (is_in_url and is_day), date.reason, not is_in_url, date.distance

        return min(able, key=rank, default=None)

    def _is_clock(self, date: Candidate) -> bool:
        """Return True for a possible date of the visit: today's, above the title, without further evidence."""
        is_above = date.at < self._candidates.heading and date.reason > FieldReason.NAMED
        return is_above and is_near(date.values[0], self._latest)

    # Tags and categories

    def _guessed_links(self, name: str, stated: Statement) -> Statement:
        is_wanted = self._is_alone and (name == "categories" or not stated.values or stated.source in _KEYWORDS)
        places = at_places(self._candidates.links.get(name, ()), has_many=True).values() if is_wanted else ()
        best = min(places, key=_nearness, default=None)
        return stated if best is None else Statement(best.values, GUESS)


def _is_home(href: str, url: str) -> bool:
    """Return True if a link leads to the home page of a page's site."""
    path = href.removeprefix("https://").removeprefix("http://").removeprefix(host_of(url) or "/")
    return path in ("", "/") and href != ""


def _nearness(candidate: Candidate) -> tuple[int, int]:
    return candidate.reason, candidate.distance


_KEYWORDS = frozenset(f"meta[name={name}]" for name in ("keywords", "Keywords", "KEYWORDS"))
"""Keywords for search engines, which often describe the site; links shown on the page are better."""

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:$|[-_])")

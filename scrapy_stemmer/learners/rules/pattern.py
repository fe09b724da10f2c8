"""The layout pattern of the rules learner: rules, written or changed by hand or learned, and knowledge of the site."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self
from zlib import crc32

from scrapy_stemmer.fields.own import ALL, AT, ATTRIBUTE, OWN, OWN_PARTS, check_name, is_xpath
from scrapy_stemmer.fields.products import PRODUCT_FIELDS
from scrapy_stemmer.fields.rules import DATES, DISTRUST, RULE, FieldRule
from scrapy_stemmer.fields.rules import FIELD_ACTIONS as FIELD_ACTIONS
from scrapy_stemmer.learners.rules.decide.page import RulesPage
from scrapy_stemmer.learners.rules.site.known_texts import MAX_RETURNING, RETURNS, ReturningText, returning_key
from scrapy_stemmer.learners.rules.site.paths import MASK, Selector, packed_keys, unpacked
from scrapy_stemmer.learners.rules.site.rules import DROP, KEEP, TITLE, Rule, rank
from scrapy_stemmer.learners.rules.site.site import Knowledge, Remembered, Site
from scrapy_stemmer.page.blocks import PageKind, Role
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.elements import SILENT_SVG, UNREAD
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.selectors import xpath_of, xpath_test
from scrapy_stemmer.patterns.base import LazyBlocks, PageCounter, PageMatch, Pattern
from scrapy_stemmer.patterns.record import Record

if TYPE_CHECKING:
    from scrapy_stemmer.learners.rules.decide.scorer import Scorer


MAX_FIELD_RULES = 1_000  # of a site
MAX_QUARTERS = 100  # quarters of log-odds from which the scorer overrules a rule, at most
MAX_SAMPLE_PAGES = 1_000_000_000  # larger numbers in a pattern file are mistakes
NO_PERMALINK = "[not(ancestor::a[starts-with(@href, '#')][translate(normalize-space(), '¶#§🔗⚓', '') = ''])]"
"""XPath condition on text nodes: exclude marks that link to a place on the page."""

AnyRule = Rule | FieldRule | ReturningText  # a line of a pattern file's rules

_ACTIONS = (KEEP, DROP, TITLE)
_WRITTEN_ACTIONS = (*_ACTIONS, *FIELD_ACTIONS, *PRODUCT_FIELDS, OWN, RETURNS)
_COUNT = re.compile(r"\d{1,10}")  # pages
_ON = re.compile(r"(\d{1,9}) of (\d{1,9})")  # pages with a returning text, of all sample pages
_KEYS = ("decided", "undecided", "parts", "ends", "names", "usual")  # names of key sets in files


@dataclass(frozen=True, slots=True)
class Selectors:
    """The rules of a site as CSS and XPath 1.0, for most text of most pages."""

    keep: tuple[str, ...]  # CSS of kept elements
    drop: tuple[str, ...]  # CSS of elements dropped inside; a kept element may be inside one of them
    title: tuple[str, ...]  # CSS of the title; the first match counts
    text_xpath: str  # XPath of text nodes kept by their nearest rule
    title_xpath: tuple[str, ...]  # XPath of titles
    body_xpath: str  # XPath of the outermost kept elements
    strip_xpath: str  # XPath of elements dropped from them as a whole
    # by field, XPath of elements or attributes with its values
    fields_xpath: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RulesPattern(Pattern):
    """The rules of a site, as a pattern for all pages."""

    kind: ClassVar[str] = "rules"
    lists: ClassVar[frozenset[str]] = frozenset({"rules"})

    rules: tuple[Rule, ...]  # keep and drop rules, then title rules
    knowledge: Knowledge
    field_rules: tuple[FieldRule, ...] = ()  # rules for authors, dates and other fields
    # scorer for undecided blocks, not written to files; by default the package's scorer
    scorer: Scorer | None = field(default=None, repr=False, compare=False)

    @property
    def left_out(self) -> Mapping[str, int]:
        return self.knowledge.left_out

    def match(self, document: Document) -> PageMatch | None:
        """Label any page with text; a page of unknown layout by default rules and the scorer.

        F1 of pages after a redesign: 93.3 instead of 89.5 by the rules; of unfit pages of small mixed sites: 78.2
        instead of 75.7.
        """
        placed = self._site.place(document)
        known = page = RulesPage(placed, scorer=self.scorer)
        if not page.has_text:
            return None
        if not known.fits and not known.decisions.is_remembered:
            page = known.relabelled([rule for rule in self.rules if rule.is_users], self._knowledge_of_texts)
        blocks, fits, share = LazyBlocks(page.blocks), known.fits, known.path_share
        # A single page is no evidence on the site, and is labelled as a page of an unknown site.
        of_fields = self.field_rules if self.field_rules or self.support > 1 else None
        return PageMatch(
            self.name, known.similarity, blocks, (), page, fits=fits, path_share=share, field_rules=of_fields
        )

    @cached_property
    def _knowledge_of_texts(self) -> Knowledge:
        known = self.knowledge
        return Knowledge(pages=known.pages, texts=known.texts, title_parts=known.title_parts, returning=known.returning)

    @property
    def all_rules(self) -> list[AnyRule]:
        return [*self.rules, *self.field_rules, *self.knowledge.returning]

    def corrected_by(self, earlier: Pattern) -> Pattern:
        if not isinstance(earlier, RulesPattern):
            return self
        users = [rule for rule in earlier.all_rules if rule.is_users]
        made = self.with_rules(users) if users else self
        dismissed = earlier.knowledge.dismissed
        return replace(made, knowledge=made.knowledge.without(dismissed)) if dismissed else made

    def counter(self) -> PageCounter:
        from scrapy_stemmer.learners.rules.returning.new_boxes import NewBoxes  # imports numpy

        return NewBoxes(self.knowledge)

    def with_counted(self, counter: PageCounter) -> Pattern:
        there = {line.subject for line in self.knowledge.returning}
        new = [line for line in counter.found if isinstance(line, ReturningText) and line.subject not in there]
        new = new[: max(0, MAX_RETURNING - len(self.knowledge.returning))]
        return self.with_rules(new) if new else self

    def with_rules(self, rules: Sequence[AnyRule]) -> Self:
        """Return this pattern with rules added, or replaced if they have a subject in common."""
        theirs = {rule.subject for rule in rules}
        texts = {returning_key(rule.text) for rule in rules if isinstance(rule, ReturningText)}
        kept = [rule for rule in self.all_rules if rule.subject not in theirs and not _is_replaced(rule, texts)]
        every = (*kept, *rules)
        return replace(
            self,
            rules=tuple(rule for rule in every if isinstance(rule, Rule)),
            field_rules=tuple(rule for rule in every if isinstance(rule, FieldRule)),
            knowledge=replace(
                self.knowledge, returning=tuple(rule for rule in every if isinstance(rule, ReturningText))
            ),
        )

    def to_selectors(self) -> Selectors:
        """Return the rules as CSS and XPath for plain spiders, without decisions made otherwise."""
        deciding = [rule for rule in self.rules if rule.action != TITLE]
        titles = [rule.selector for rule in self.rules if rule.action == TITLE] or [Selector.of("h1")]
        scope = _scope(deciding)
        ruled = scope + (" or ".join(dict.fromkeys(xpath_test(rule.selector) for rule in deciding)) or "false()")
        keeps = scope + _decides(deciding, KEEP)
        within = [rule for rule in deciding if rule.action == KEEP or str(rule.selector) != "body"]
        drops = scope + _decides(within, DROP)
        unread = " or ".join(f"self::{name}" for name in sorted(UNREAD | SILENT_SVG))
        return Selectors(
            keep=tuple(str(rule.selector) for rule in deciding if rule.action == KEEP),
            drop=tuple(str(rule.selector) for rule in deciding if rule.action == DROP),
            title=tuple(map(str, titles)),
            text_xpath=f"//body//text()[normalize-space()][not(ancestor::*[{unread}])]{NO_PERMALINK}"
            f"[ancestor::*[{ruled}][1][{keeps}]]",
            title_xpath=tuple(f"//*[{xpath_test(selector)}]" for selector in titles),
            body_xpath=f"//*[{keeps}][not(ancestor::*[{keeps}])]",
            fields_xpath=_fields_xpath(self.field_rules),
            strip_xpath=f"//*[{drops}][ancestor::*[{keeps}]][not(descendant::*[{keeps}])]",
        )

    @cached_property
    def _site(self) -> Site:
        return Site(self.rules, self.knowledge)

    def with_site(self, site: Site) -> Self:
        self.__dict__["_site"] = site
        return self

    @property
    def remembered_bytes(self) -> int:
        site: Site | None = self.__dict__.get("_site")
        return 0 if site is None else site.remembered_bytes

    def forget(self) -> None:
        """See :meth:`Pattern.forget`. Labelled pages keep their data."""
        self.__dict__.pop("_site", None)

    def to_record(self) -> dict[str, Any]:
        known = self.knowledge
        return {
            "rules": list(map(_written, self.all_rules)),
            "titles_share": sorted(known.title_parts),
            **{f"~{name}": packed_keys(getattr(known, name)) for name in _KEYS},
            **({"~contested": _by_count(known.contested)} if known.contested else {}),
            "~texts": _by_count(known.texts),
            **({"~returning": packed_keys(_learned_keys(known))} if known.returning or known.dismissed else {}),
            **({"left_out": known.left_out} if known.left_out else {}),
            **({"~placeholders": _by_kind(known.placeholders)} if known.placeholders else {}),
        }

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        pages = record.whole("support", least=1, most=MAX_SAMPLE_PAGES)
        known: dict[str, Any] = {name: _keys(record, f"~{name}") for name in _KEYS}
        texts, parts = _counts(record.record("~texts"), "pages", pages), frozenset(record.texts("titles_share"))
        contested = _counts(record.record("~contested"), "quarters", MAX_QUARTERS)
        left_out = record.record("left_out")
        rules = [_rule(each) for each in record.records("rules")]
        returning = tuple(rule for rule in rules if isinstance(rule, ReturningText))
        written = {returning_key(line.text) & MASK for line in returning if not line.is_users}
        knowledge = Knowledge(
            pages=pages,
            contested=contested,
            texts=texts,
            returning=returning,
            dismissed=_keys(record, "~returning") - written,
            title_parts=parts,
            placeholders=_placeholders(record.record("~placeholders")),
            left_out={why: left_out.whole(why, least=1, most=MAX_SAMPLE_PAGES) for why in left_out.keys()},  # noqa: SIM118
            **known,
        )
        of_text = tuple(rule for rule in rules if isinstance(rule, Rule))
        of_fields = tuple(rule for rule in rules if isinstance(rule, FieldRule))
        if len(of_fields) > MAX_FIELD_RULES:
            raise record.error("rules", too_many_field_rules(len(of_fields)))
        return cls(rules=of_text, field_rules=of_fields, knowledge=knowledge, **common)


def too_many_field_rules(count: int) -> str:
    """Return the error of a site with more than :data:`MAX_FIELD_RULES`."""
    return f"has {count:,} rules of fields, at most {MAX_FIELD_RULES:,}: each is searched for on every page"


def _is_replaced(rule: AnyRule, texts: Collection[int]) -> bool:
    """Return True for a learned rule replaced by a user's rule for the same text, by keys of texts."""
    return isinstance(rule, ReturningText) and not rule.is_users and returning_key(rule.text) in texts


def _learned_keys(known: Knowledge) -> set[int]:
    return {returning_key(line.text) & MASK for line in known.returning if not line.is_users} | known.dismissed


def _written_text(line: ReturningText) -> dict[str, Any]:
    within = {"in": line.within.text} if line.within else {}
    counted = {} if line.is_users else {"on": line.on, "check": _check(line.line, None)}
    return {RETURNS: line.text, **within, **counted}


def _written(rule: AnyRule) -> dict[str, Any]:
    if isinstance(rule, ReturningText):
        return _written_text(rule)
    if isinstance(rule, FieldRule) and rule.is_own:
        return written_field(rule)
    role = rule.role if isinstance(rule, Rule) else None
    fields = (
        {rule.action: rule.selector.text, "role": role and str(role)}
        if isinstance(rule, Rule)
        else {rule.action: rule.target, "after": rule.after, "for": rule.of}
    )
    written: dict[str, Any] = {name: value for name, value in fields.items() if value}
    return written if rule.is_users else {**written, "sure": rule.sure, "check": _check(rule.line, role)}


def written_field(rule: FieldRule) -> dict[str, Any]:
    """Return the line of a field named by the user."""
    written = {OWN: rule.action, AT: rule.selector, ATTRIBUTE: rule.attribute, "after": rule.after, ALL: rule.has_all}
    return {name: value for name, value in written.items() if value}


@dataclass(frozen=True)
class _OwnField:
    """Parts of the line of a field named by the user."""

    field: str
    at: str
    attribute: str | None = None
    after: str | None = None
    all: bool = False


def own_field(record: Record) -> FieldRule:
    """Read the line of a user's field.

    :raises PatternFileError: for a wrong part, named in the message.
    """
    parts = record.read(_OwnField)
    for name in record.keys():  # noqa: SIM118 - a record is no dictionary
        if name not in OWN_PARTS:
            raise record.error(name, f"is no part of a field: {', '.join(OWN_PARTS)}")
    part = OWN
    try:
        check_name(parts.field, FIELD_ACTIONS)
        part = AT
        target = f"{parts.at.strip()} @{parts.attribute}" if parts.attribute else parts.at.strip()
        return FieldRule(parts.field, target, parts.after or "", is_users=True, has_all=parts.all)
    except ValueError as error:
        raise record.error(part, str(error)) from error


def _check(line: str, role: Role | None) -> str:
    """Return a checksum of a learned rule, by which changes by hand are recognized."""
    return f"{crc32(f'{line} {role or str()}'.encode('utf-8', 'surrogatepass')) & 0xFFFF:04x}"


def _returning_text(record: Record) -> ReturningText:
    text, within = record.text(RETURNS), record.optional_text("in")
    if not text.strip():
        raise record.error(RETURNS, "must be a text")
    if within is not None and not within.strip():
        raise record.error("in", "must be a selector, or be left out")
    for name in record.keys():  # noqa: SIM118 - a record is no dictionary
        if name not in (RETURNS, "in", "on", "check"):
            raise record.error(name, f"is no part of a text that returns: {RETURNS}, in")
    try:
        line = ReturningText(text, Selector.parse(within) if within else None, is_users=True)
    except ValueError as error:
        raise record.error("in", str(error)) from error
    counts = _ON.fullmatch(record.optional_text("on") or "")
    if counts is None or record.optional_text("check") != _check(line.line, None):
        return line
    return replace(line, pages=int(counts[1]), of=int(counts[2]), is_users=False)


def _rule(record: Record) -> AnyRule:
    actions = [action for action in _WRITTEN_ACTIONS if action in record]
    if len(actions) != 1:
        raise record.error("", f"must have one of {', '.join(_WRITTEN_ACTIONS)}")
    if actions[0] == OWN:
        return own_field(record)
    if actions[0] == RETURNS:
        return _returning_text(record)
    action, text = actions[0], record.text(actions[0])
    after, of = record.optional_text("after") or "", record.optional_text("for") or ""
    rule: Rule | FieldRule
    try:
        if action not in _ACTIONS:
            rule = FieldRule(action, text, after, of, is_users=True)
            check = _check(rule.line, None)
        else:
            rule = Rule(action, Selector.parse(text), _role(record), is_users=True)
            check = _check(f"{action} {text}", rule.role)
    except ValueError as error:
        raise record.error(action, str(error)) from error
    if record.optional_text("check") != check:
        return rule
    return replace(rule, sure=record.number("sure", least=0.0, most=1.0), is_users=False)


def _role(record: Record) -> Role | None:
    given = record.optional_text("role")
    if given is not None and given not in set(Role):
        raise record.error("role", f"must be one of {', '.join(Role)}, not {given!r}")
    return None if given is None else Role(given)


def _keys(record: Record, field: str) -> frozenset[int]:
    try:
        return unpacked(record.optional_text(field) or "")
    except ValueError as error:
        raise record.error(field, f"is not a set of keys: {error}") from error


def _by_count(counts: Mapping[int, int]) -> dict[str, str]:
    numbers = sorted(set(counts.values()), reverse=True)
    return {str(number): packed_keys(key for key, count in counts.items() if count == number) for number in numbers}


def _counts(record: Record, what: str, most: int) -> dict[int, int]:
    counts: dict[int, int] = {}
    for count in record.keys():  # noqa: SIM118 - a record is no dictionary
        if _COUNT.fullmatch(count) is None or not 1 <= int(count) <= most:
            raise record.error(count, f"must be a number of {what}, from 1 to {most}")
        counts.update(dict.fromkeys(_keys(record, count), int(count)))
    return counts


def _by_kind(placeholders: Sequence[Remembered]) -> dict[str, list[str]]:
    kinds = dict.fromkeys(each.kind for each in placeholders)
    return {str(kind): [packed_keys(each.keys) for each in placeholders if each.kind is kind] for kind in kinds}


def _placeholders(record: Record) -> tuple[Remembered, ...]:
    placeholders: list[Remembered] = []
    for kind in record.keys():  # noqa: SIM118 - a record is no dictionary
        if kind not in (PageKind.ERROR, PageKind.CONSENT):
            raise record.error(kind, "is no kind of placeholders: error, consent")
        for text in record.texts(kind):
            try:
                placeholders.append(Remembered(PageKind(kind), unpacked(text)))
            except ValueError as error:
                raise record.error(kind, f"is not a list of sets of keys: {error}") from error
    return tuple(placeholders)


# Rules as XPath


def _fields_xpath(rules: Sequence[FieldRule]) -> dict[str, tuple[str, ...]]:
    by_field: dict[str, tuple[str, ...]] = {}
    wrong = {rule.of for rule in rules if (rule.action, rule.target) == (DISTRUST, RULE)}
    for rule in sorted(rules, key=lambda rule: not rule.is_users):
        if rule.action not in (DATES, DISTRUST) and (rule.is_users or rule.action not in wrong):
            by_field[rule.action] = (*by_field.get(rule.action, ()), _xpath_of(rule))
    return by_field


def _xpath_of(rule: FieldRule) -> str:
    if rule.is_own and is_xpath(rule.selector):
        return f"({rule.selector})/@{rule.attribute}" if rule.attribute else rule.selector
    return xpath_of(rule.selector, rule.attribute)


def _scope(rules: Sequence[Rule]) -> str:
    """Return an XPath condition on elements with rules: learned rules don't count inside elements of users' rules."""
    users = " or ".join(dict.fromkeys(xpath_test(rule.selector) for rule in rules if rule.overrules))
    return f"{users} or not(ancestor::*[{users}])][" if users else ""


def _decides(rules: list[Rule], action: str) -> str:
    """Return an XPath condition on an element with a rule: the winning rule has this action."""
    test = ""
    for rule in sorted(rules, key=rank):
        own = xpath_test(rule.selector)
        if rule.action == action:
            test = f"{own} or ({test})" if test else own
        elif test:
            test = f"not({own}) and ({test})"
    return test or "false()"

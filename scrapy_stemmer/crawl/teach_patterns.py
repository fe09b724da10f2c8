"""The sub-command ``teach``: corrections, from a report or written by hand, become rules of the user's."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy_stemmer.core.document import site_of
from scrapy_stemmer.crawl.stored_pages import counted
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.learners.rules.paths import Selector
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.rules import DROP, KEEP, TITLE, Rule
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patternset import PatternSet
from scrapy_stemmer.stores.base import Edit
from scrapy_stemmer.stores.by_uri import open_store

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

ACTIONS = (KEEP, DROP, TITLE)

FORM = '{"site": "news.example", "action": "drop", "selector": ".signup"}'
"""A correction, in errors."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What somebody has said of some elements of a site.

    :param place: where it stands, in errors.
    """

    site: str
    rule: Rule
    place: str


def teach(options: Namespace, _settings: BaseSettings | None) -> Iterator[str]:
    """Put the corrections of a file into a pattern file; all of them, or none if one can't be used."""
    by_site: defaultdict[str, list[Correction]] = defaultdict(list)
    for correction in read(Path(options.corrections)):
        by_site[correction.site].append(correction)
    sites = PatternSet.load(options.patterns).sites
    said: dict[str, list[str]] = {}
    edits = {
        site: Edit(partial(_edited, site, corrections, f"{options.patterns} has {', '.join(sites) or 'none'}", said))
        for site, corrections in sorted(by_site.items())
    }
    open_store(options.patterns).merge(edits)
    for lines in said.values():
        yield from lines
    rules = sum(len({correction.rule.subject for correction in of}) for of in by_site.values())
    yield f"{counted(rules, 'rule')} by hand of {counted(len(edits), 'site')} are now in {options.patterns}"


def _edited(
    site: str, corrections: Sequence[Correction], known: str, said: dict[str, list[str]], patterns: tuple[Pattern, ...]
) -> tuple[Pattern, ...]:
    """The patterns of a site with its corrections in all of them that have rules.

    :param known: which sites there are, in errors.
    :param said: is given what users are told of the site.
    """
    first = corrections[0].place
    if not patterns:
        raise StemmerError(f"{first}, field site: there is no site {site!r}: {known}. Learn it first, or correct it.")
    if not any(isinstance(pattern, RulesPattern) for pattern in patterns):
        raise StemmerError(
            f"{first}, field site: the patterns of {site} are of the kind {patterns[0].kind!r}, which has no rules. "
            "Learn it with STEMMER_LEARNER = 'rules'."
        )
    rules: dict[tuple[bool, Selector], Rule] = {}
    earlier = {
        rule.subject: rule
        for pattern in patterns
        if isinstance(pattern, RulesPattern)
        for rule in pattern.rules
        if rule.is_users
    }
    lines = []
    for correction in corrections:
        rule = correction.rule
        before = rules.pop(rule.subject, None) or earlier.get(rule.subject)
        rules[rule.subject] = rule
        took = "" if before is None else " (as before)" if before == rule else f" (in place of your {before.line!r})"
        lines.append(f"{site}: {rule.line}{took}")
    said[site] = lines
    return tuple(
        pattern.with_rules(list(rules.values())) if isinstance(pattern, RulesPattern) else pattern
        for pattern in patterns
    )


def read(path: Path) -> list[Correction]:
    """The corrections of a file: a JSON array of objects, or an object a line.

    :raises StemmerError: for what can't be used; names the file, the entry and the field.
    """
    try:
        text = path.read_text(encoding="utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise StemmerError(f"{path} is not UTF-8: {error}. Save it as UTF-8.") from error
    if text.startswith("["):
        entries = [(f"{path}, entry {number}", entry) for number, entry in enumerate(_json(text, str(path)), 1)]
    else:
        lines = [(f"{path}, line {number}", line.strip()) for number, line in enumerate(text.splitlines(), 1)]
        entries = [(place, _json(line.removesuffix(","), place)) for place, line in lines if line]
    if not entries:
        raise StemmerError(f"{path} has no corrections; one looks so: {FORM}")
    return [_correction(place, entry) for place, entry in entries]


def _json(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise StemmerError(f"{place}: not JSON ({error}). A correction looks so: {FORM}") from error


def _correction(place: str, entry: Any) -> Correction:
    if not isinstance(entry, dict):
        raise StemmerError(f"{place}: is no JSON object. A correction looks so: {FORM}")
    for field in ("site", "action", "selector"):
        if not isinstance(entry.get(field), str):
            raise StemmerError(f"{place}, field {field}: must be a text. A correction looks so: {FORM}")
    if entry["action"] not in ACTIONS:
        raise StemmerError(f"{place}, field action: must be one of {', '.join(ACTIONS)}, not {entry['action']!r}")
    try:
        selector = Selector.parse(entry["selector"])
    except ValueError as error:
        raise StemmerError(f"{place}, field selector: {error}") from error
    site = site_of(f"http://{entry['site'].strip()}/")
    return Correction(site, Rule(entry["action"], selector, is_users=True), place)

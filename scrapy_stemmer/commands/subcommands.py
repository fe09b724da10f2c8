"""Sub-commands of ``scrapy stemmer`` on pattern files, which yield their output lines."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import chain, starmap
from pathlib import Path
from textwrap import shorten
from typing import Any

from scrapy.settings import BaseSettings

from scrapy_stemmer.commands.outputs import replaced
from scrapy_stemmer.commands.sources.base import bounded_file
from scrapy_stemmer.commands.teach_fields import taught_by_examples
from scrapy_stemmer.exceptions import PatternFileError, StemmerError, place_of_errors
from scrapy_stemmer.fields.own import OWN
from scrapy_stemmer.fields.products import PRODUCT_FIELDS
from scrapy_stemmer.fields.rules import FIELD_ACTIONS, FieldRule
from scrapy_stemmer.learners.literature.layout import webstemmer
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern
from scrapy_stemmer.learners.rules.pattern import (
    MAX_FIELD_RULES,
    AnyRule,
    RulesPattern,
    own_field,
    too_many_field_rules,
)
from scrapy_stemmer.learners.rules.site.known_texts import ReturningText
from scrapy_stemmer.learners.rules.site.paths import Selector
from scrapy_stemmer.learners.rules.site.rules import DROP, KEEP, TITLE, Rule
from scrapy_stemmer.outputs import config_name, site_config
from scrapy_stemmer.page.document import site_of
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.patterns.base import Pattern, level_for
from scrapy_stemmer.patterns.record import Record
from scrapy_stemmer.patternset import PatternSet
from scrapy_stemmer.stores import open_store


def show(options: Namespace, _settings: BaseSettings) -> Iterator[str]:
    """Yield the sites of a file as a table, or with one site or ``--rules`` the patterns with their rules.

    :raises StemmerError: at the end, if sites are unreadable.
    """
    patterns = chosen(PatternSet.load(options.patterns), options.site, options.patterns)
    readable = ((site, known) for site in patterns.sites if (known := patterns.of_site(site)))
    if options.rules or len(patterns.sites) == 1:
        yield from chain.from_iterable(starmap(_patterns_of, readable))
    elif rows := list(starmap(_row, readable)):
        yield from table([("site", "layouts", "pages", "sure", "fits", "confidence", "by hand", "since"), *rows])
    if broken := patterns.broken:
        raise StemmerError(f"{counted(len(broken), 'site')} of {options.patterns} can't be read, as was said above")


def chosen(patterns: PatternSet, site: str | None, uri: str) -> PatternSet:
    if site is None:
        return patterns
    site = _key_of(site, patterns)
    of_site = patterns.of_site(site)
    if site in patterns.broken:
        raise patterns.broken[site]
    if not of_site:
        raise StemmerError(f"{uri} has no site {site!r}; it has {', '.join(patterns.sites) or 'none'}.")
    return PatternSet(of_site)


def _key_of(name: str, patterns: PatternSet) -> str:
    return name if name in patterns.sites or name in patterns.broken else _site_named(name)


def _site_named(name: str) -> str:
    return site_of(name if "//" in name else f"http://{name.strip()}/")


def _row(site: str, patterns: Sequence[Pattern]) -> tuple[str, ...]:
    rules = [rule for pattern in patterns if isinstance(pattern, RulesPattern) for rule in pattern.all_rules]
    learned = [rule.sure for rule in rules if not rule.is_users]
    level = level_for(patterns, None)
    since = min((pattern.learned for pattern in patterns if pattern.learned), default="-")
    return (
        site or "(no host)",
        str(len(patterns)),
        ", ".join(str(pattern.support) for pattern in patterns),
        f"{sum(learned) / len(learned):.2f}" if learned else "-",
        f"{level.fits:.0%}" if level else "-",
        f"{level.confidence:.2f}" if level and level.confidence is not None else "-",
        str(len(rules) - len(learned) or "-"),
        since.partition("T")[0],
    )


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (zip(row, widths, strict=True) for row in rows)
    return ["  ".join(f"{cell:{width}}" for cell, width in line if width).rstrip() for line in lines]


MAX_TEXT_SHOWN = 80  # characters of a returning text in a table


def rule_lines(rules: Sequence[AnyRule]) -> list[str]:
    return table([(rule.action, *_place_and_role(rule), _sureness(rule)) for rule in rules])


def _sureness(rule: AnyRule) -> str:
    """Return the certainty of a rule: a share, or the number of learned pages with a text."""
    if rule.is_users:
        return "by hand"
    return f"on {rule.on}" if isinstance(rule, ReturningText) else f"{rule.sure:.2f}"


def _place_and_role(rule: AnyRule) -> tuple[str, str]:
    if isinstance(rule, ReturningText):
        return shorten(rule.text, MAX_TEXT_SHOWN, placeholder="..."), f"in {rule.within}" if rule.within else ""
    if isinstance(rule, Rule):
        return str(rule.selector), rule.role or ""
    parts = (rule.after and f"after {rule.after}", rule.of and f"for {rule.of}", "(all)" if rule.has_all else "")
    return rule.target, " ".join(filter(None, parts))


def _patterns_of(site: str, patterns: Sequence[Pattern]) -> Iterator[str]:
    yield f"{site or '(no host)'}: {counted(len(patterns), 'pattern')}"
    for pattern in patterns:
        yield f"  {pattern.kind} {pattern.name}"
        facts = [counted(pattern.support, "page"), f"score {pattern.score:.1f}"]
        if isinstance(pattern, LayoutPattern):
            index = pattern.title
            facts.append(f"title in {'-' if index is None else pattern.features[index]}")
        if (level := pattern.level) and level.confidence is not None:
            facts.append(f"{level.fits:.0%} fit, nine in ten with a confidence of {level.confidence:.2f} or more")
        facts += [f"learned {pattern.learned}"] if pattern.learned else []
        yield f"    {', '.join(facts)}"
        yield from (f"    - {sample.title or '(no title)'}  {sample.url}" for sample in pattern.samples)
        if isinstance(pattern, RulesPattern):
            yield from (f"    {line}" for line in rule_lines(pattern.all_rules))


CORRECTION_ACTIONS = (KEEP, DROP, TITLE, *FIELD_ACTIONS, *PRODUCT_FIELDS)
CORRECTION_FIELDS = ("site", "action", "selector", "after", "for", "url")
MAX_FIELD = 10_000  # characters of a correction's field; the time to parse a selector grows with its length
CORRECTION = '{"site": "news.example", "action": "drop", "selector": ".signup"}'  # example in errors


def teach(options: Namespace, settings: BaseSettings) -> Iterator[str]:
    """Put the corrections of a file, and the fields of examples, into a pattern file, all or none."""
    if not (options.corrections or options.example):
        raise StemmerError("name a file of CORRECTIONS, or an example: --example URL FIELD VALUE")
    by_site: defaultdict[str, list[tuple[str, Rule | FieldRule]]] = defaultdict(list)
    for place, site, rule in read_corrections(Path(options.corrections)) if options.corrections else ():
        by_site[site].append((place, rule))
    for place, site, rule, description in taught_by_examples(options, settings) if options.example else ():
        by_site[site].append((place, rule))
        yield f"{rule.target} {description}"
    known = f"{options.patterns} has {', '.join(PatternSet.load(options.patterns).sites) or 'none'}"
    lines: dict[str, list[str]] = {}

    def edited(site: str, patterns: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
        where = f"{by_site[site][0][0]}, field site"
        with_rules = [pattern for pattern in patterns if isinstance(pattern, RulesPattern)]
        if not patterns:
            raise StemmerError(f"{where}: there is no site {site!r}: {known}. Learn it first, or correct it.")
        if not with_rules:
            raise StemmerError(
                f"{where}: the patterns of {site} are of the kind {patterns[0].kind!r}, which has no rules. "
                "Learn it with STEMMER_LEARNER = 'rules'."
            )
        earlier = {rule.subject: rule for pattern in with_rules for rule in pattern.all_rules if rule.is_users}
        rules: dict[object, Rule | FieldRule] = {}
        lines[site] = []
        for _, rule in by_site[site]:
            before = rules.pop(rule.subject, None) or earlier.get(rule.subject)
            rules[rule.subject] = rule
            took = (
                "" if before is None else " (as before)" if before == rule else f" (in place of your {before.line!r})"
            )
            lines[site].append(f"{site}: {rule.line}{took}")
        taught = list(rules.values())
        edited = tuple(each.with_rules(taught) if isinstance(each, RulesPattern) else each for each in patterns)
        if (most := max(len(each.field_rules) for each in edited if isinstance(each, RulesPattern))) > MAX_FIELD_RULES:
            raise StemmerError(f"{where}: {site} then {too_many_field_rules(most)}.")
        return edited

    open_store(options.patterns).merge({site: partial(edited, site) for site in sorted(by_site)})
    yield from chain.from_iterable(lines.values())
    rules = sum(len({rule.subject for _, rule in of_site}) for of_site in by_site.values())
    yield f"{counted(rules, 'rule')} by hand of {counted(len(by_site), 'site')} put into {options.patterns}"


def read_corrections(path: Path) -> Iterator[tuple[str, str, Rule | FieldRule]]:
    """Yield place, site and rule of each correction of a file, a JSON array or an object a line."""
    try:
        text = bounded_file(path).decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise StemmerError(f"{path} is not UTF-8: {error}. Save it as UTF-8.") from error
    if text.startswith("["):
        entries = [(f"{path}, entry {number}", entry) for number, entry in enumerate(_json(text, str(path)), 1)]
    else:
        lines = [(f"{path}, line {number}", line.strip()) for number, line in enumerate(text.split("\n"), 1)]
        entries = [(place, _json(line.removesuffix(","), place)) for place, line in lines if line]
    if not entries:
        raise StemmerError(f"{path} has no corrections; one looks so: {CORRECTION}")
    for place, entry in entries:
        rule = _correction(entry, place)
        yield place, _site_named(entry["site"]), rule


def _correction(entry: Any, place: str) -> Rule | FieldRule:
    if not isinstance(entry, dict):
        raise StemmerError(f"{place}: is no JSON object. A correction looks so: {CORRECTION}")
    return _own_field(entry, place) if OWN in entry else _rule_of(entry, place)


def _rule_of(entry: dict[str, Any], place: str) -> Rule | FieldRule:
    for field in ("site", "action", "selector"):
        if not isinstance(entry.get(field), str):
            raise StemmerError(f"{place}, field {field}: must be a text. A correction looks so: {CORRECTION}")
    if unknown := sorted(entry.keys() - CORRECTION_FIELDS):
        raise StemmerError(
            f"{place}, field {unknown[0]}: there is no such field; there are {', '.join(CORRECTION_FIELDS)}."
        )
    for field in filter(lambda field: len(str(entry[field])) > MAX_FIELD, entry):
        raise StemmerError(f"{place}, field {field}: has more than {MAX_FIELD:,} characters.")
    action, selector = entry["action"], entry["selector"]
    if action not in CORRECTION_ACTIONS:
        raise StemmerError(f"{place}, field action: must be one of {', '.join(CORRECTION_ACTIONS)}, not {action!r}")
    if action in (KEEP, DROP, TITLE) and (of_fields := [field for field in ("after", "for") if entry.get(field)]):
        raise StemmerError(f"{place}, field {of_fields[0]}: is for fields such as authors only, not for {action}")
    try:
        if action in (KEEP, DROP, TITLE):
            return Rule(action, Selector.parse(selector), is_users=True)
        return FieldRule(action, selector, str(entry.get("after") or ""), str(entry.get("for") or ""), is_users=True)
    except ValueError as error:
        raise StemmerError(f"{place}, field selector: {error}") from error


def _own_field(entry: dict[str, Any], place: str) -> FieldRule:
    if not isinstance(entry.get("site"), str):
        raise StemmerError(f"{place}, field site: must be a text, such as news.example")
    try:
        return own_field(Record({name: value for name, value in entry.items() if name not in ("site", "url")}))
    except PatternFileError as error:
        problem = error.message.removeprefix(f"{error.field!r} ").partition(". Correct it")[0]
        raise StemmerError(f"{place}, field {error.field}: {problem}") from error


def _json(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StemmerError(f"{place}: not JSON ({error}). A correction looks so: {CORRECTION}") from error


def import_(options: Namespace, _settings: BaseSettings) -> Iterator[str]:
    with place_of_errors(uri=options.webstemmer):
        text = bounded_file(Path(options.webstemmer)).decode("utf-8", "replace")
        imported = PatternSet(webstemmer.loads(text, options.site))
    imported.merge_into(options.output)
    yield f"{counted(len(imported), 'pattern')} of {', '.join(imported.sites) or 'no site'} now in {options.output}"


def export(options: Namespace, _settings: BaseSettings) -> Iterator[str]:
    patterns = chosen(PatternSet.load(options.patterns), options.site, options.patterns).patterns
    able = [name for name, kind in EXPORT_FORMATS.items() if any(isinstance(pattern, kind) for pattern in patterns)]
    form = options.format or next(iter(able), "selectors")
    written: list[Any] = [pattern for pattern in patterns if isinstance(pattern, EXPORT_FORMATS[form])]
    files: dict[Path, str] = {}
    if form == "selectors":
        rows = ({"site": pattern.site, **asdict(pattern.to_selectors())} for pattern in written)
        files[Path(options.output)] = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    elif form == "webstemmer":
        files[Path(options.output)] = webstemmer.dumps(written)
    else:
        # A file holds one layout: sorted by score, the best layout replaces the others.
        by_name = {config_name(p.site): p for p in sorted(written, key=lambda p: p.score)}
        written = list(by_name.values())
        files = {Path(options.output, name): site_config(pattern) for name, pattern in by_name.items()}
    if not written:
        instead = f"; try --format {' or '.join(able)}" if able else ""
        count = counted(len(patterns), "pattern")
        raise StemmerError(f"None of {count} in {options.patterns} can be written as {form}{instead}.")
    for path, text in files.items():
        with replaced(path) as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    left = len(patterns) - len(written)
    which = f"; {left} can't be written so" if left else ""
    yield f"{counted(len(written), 'pattern')} now in {options.output} ({form}){which}"


EXPORT_FORMATS: dict[str, type[Pattern]] = {"selectors": RulesPattern, "ftr": RulesPattern, "webstemmer": LayoutPattern}
"""Formats of other programs, with the kind of pattern that they can hold."""


def merge(options: Namespace, _settings: BaseSettings) -> Iterator[str]:
    """Merge pattern files; the last file wins for a site, with the rules by hand of all."""
    merged = PatternSet()
    is_there = open_store(options.output).exists()
    if is_there:
        PatternSet.load(options.output)  # refuses to replace a file of another kind
    for name in [name for name in options.patterns if is_there or name != options.output]:
        others = PatternSet.load(name)
        both = sorted({*merged.sites} & {*others.sites})
        of_both = [(PatternSet(others.of_site(site)), merged.of_site(site)) for site in both]
        # The last file also wins between two rules by hand for a selector.
        corrected = [last.corrected_by(earlier).corrected_by(last.patterns) for last, earlier in of_both]
        merged = merged.replace(others, *corrected)
    merged.save(options.output)
    yield f"{_counted_of(merged)} now in {options.output}"


def forget(options: Namespace, _settings: BaseSettings) -> Iterator[str]:
    """Remove sites from a pattern file, so that the next learning crawl learns the sites again."""
    patterns = PatternSet.load(options.patterns)
    sites = {_key_of(name, patterns): name for name in options.sites}
    for site, name in sites.items():
        if site not in patterns.broken:
            chosen(patterns, name, options.patterns)
    left = patterns.without(sites)
    open_store(options.patterns).merge(dict.fromkeys(sites, ()))
    forgotten = counted(len(sites), "site")
    yield f"{forgotten} forgotten; {_counted_of(left)} now in {options.patterns}"


def _counted_of(patterns: PatternSet) -> str:
    return f"{counted(len(patterns), 'pattern')} of {counted(len(patterns.sites), 'site')}"

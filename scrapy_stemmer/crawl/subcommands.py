"""The sub-commands of ``scrapy stemmer``: each yields the lines of its output. Those on pattern files are here."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy_stemmer.core.document import site_of
from scrapy_stemmer.crawl.check_examples import check
from scrapy_stemmer.crawl.learn_stored import learn_
from scrapy_stemmer.crawl.report_stored import report
from scrapy_stemmer.crawl.stored_pages import counted
from scrapy_stemmer.crawl.strip_stored import strip
from scrapy_stemmer.crawl.unreleased_items import recover
from scrapy_stemmer.exceptions import PatternFileError, StemmerError
from scrapy_stemmer.learners.layout import webstemmer
from scrapy_stemmer.learners.layout.pattern import LayoutPattern
from scrapy_stemmer.learners.rules.paths import Selector
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.rules import DROP, KEEP, TITLE, Rule
from scrapy_stemmer.outputs.selectors import file_name, site_config
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patternset import PatternSet
from scrapy_stemmer.stores import open_store
from scrapy_stemmer.stores.base import Change, Edit

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from scrapy_stemmer.learners.rules.rules import Rule


HEADS = ("site", "layouts", "pages", "sure", "by hand", "since", "samples")

SAMPLES = 2
"""Titles of sample pages in the table, at most."""

TITLE_CHARS = 40
"""Characters of a title in the table, at most."""


def show(options: Namespace, _settings: BaseSettings | None) -> Iterator[str]:
    """The sites of a file as a table; of one site, or with ``--rules``, the patterns with all their rules."""
    patterns = chosen(PatternSet.load(options.patterns), options.site, options.patterns)
    if options.rules or len(patterns.sites) == 1:
        for site in patterns.sites:
            yield from _patterns_of(site, patterns.of_site(site))
    else:
        yield from table([HEADS, *(_row(site, patterns.of_site(site)) for site in patterns.sites)])


def chosen(patterns: PatternSet, site: str | None, uri: str) -> PatternSet:
    """The patterns of one site, or all.

    :param uri: where they are from, in errors.
    :raises StemmerError: when there are none of the site.
    """
    if site is None:
        return patterns
    found = patterns.of_site(site)
    if not found:
        known: Iterable[str] = patterns.sites
        raise StemmerError(f"{uri} has no site {site!r}; it has {', '.join(known) or 'none'}.")
    return PatternSet(found)


def _row(site: str, patterns: Sequence[Pattern]) -> tuple[str, ...]:
    """A site in the table; its layouts' pages are separated by commas."""
    rules = [rule for pattern in patterns if isinstance(pattern, RulesPattern) for rule in pattern.rules]
    learned = [rule.sure for rule in rules if not rule.is_users]
    users = len(rules) - len(learned)
    titles = [sample.title for pattern in patterns for sample in pattern.samples if sample.title]
    since = min((pattern.learned for pattern in patterns if pattern.learned), default="")
    return (
        site or "(no host)",
        str(len(patterns)),
        ", ".join(str(pattern.support) for pattern in patterns),
        f"{sum(learned) / len(learned):.2f}" if learned else "-",
        str(users) if users else "-",
        since.partition("T")[0] or "-",
        " | ".join(_short(title) for title in titles[:SAMPLES]),
    )


def _short(title: str) -> str:
    return title if len(title) <= TITLE_CHARS else f"{title[: TITLE_CHARS - 1].rstrip()}…"


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with their columns side by side; columns that are empty throughout are left out."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (zip(row, widths, strict=True) for row in rows)
    return ["  ".join(f"{cell:{width}}" for cell, width in line if width).rstrip() for line in lines]


def rule_lines(rules: Sequence[Rule]) -> list[str]:
    """Rules as a table: what each does, where, with which role, and how sure it is or that somebody wrote it."""
    return table(
        [
            (rule.action, str(rule.selector), rule.role or "", "by hand" if rule.is_users else f"{rule.sure:.2f}")
            for rule in rules
        ]
    )


def _patterns_of(site: str, patterns: Sequence[Pattern]) -> Iterator[str]:
    yield f"{site or '(no host)'}: {counted(len(patterns), 'pattern')}"
    for pattern in patterns:
        yield f"  {pattern.kind} {pattern.name}"
        facts = [counted(pattern.support, "page"), f"score {pattern.score:.1f}"]
        if isinstance(pattern, LayoutPattern):
            index = pattern.title_index
            facts.append(f"title in {'-' if index is None else pattern.features[index]}")
        if pattern.noise_share is not None:
            facts.append(f"noise {pattern.noise_share:.0%}")
        if pattern.learned:
            facts.append(f"learned {pattern.learned}")
        if pattern.retired:
            facts.append(f"retired {pattern.retired}")
        yield f"    {', '.join(facts)}"
        for sample in pattern.samples:
            yield f"    - {sample.title or '(no title)'}  {sample.url}"
        if isinstance(pattern, RulesPattern):
            yield from (f"    {line}" for line in rule_lines(pattern.rules))


# The sub-command ``teach``: corrections, from a report or written by hand, become rules of the user's

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
    yield f"{counted(rules, 'rule')} by hand of {counted(len(edits), 'site')} now in {options.patterns}"


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


# Sub-commands on whole pattern files, and all of them


def import_(options: Namespace, _settings: BaseSettings | None) -> Iterator[str]:
    """Webstemmer's patterns, put into a pattern file; its other sites stay."""
    try:
        text = Path(options.webstemmer).read_text(encoding="utf-8", errors="replace")
        imported = PatternSet(webstemmer.loads(text, options.site))
    except PatternFileError as error:
        raise error.at(uri=options.webstemmer) from error
    imported.merge_into(options.output)
    yield f"{counted(len(imported), 'pattern')} of {', '.join(imported.sites) or 'no site'} now in {options.output}"


def export(options: Namespace, _settings: BaseSettings | None) -> Iterator[str]:
    """The patterns of a file, as other programs read them."""
    patterns = chosen(PatternSet.load(options.patterns), options.site, options.patterns)
    yield from {"webstemmer": _export_layouts, "selectors": _export_selectors, "ftr": _export_ftr}[options.format](
        patterns, options
    )


def _export_selectors(patterns: PatternSet, options: Namespace) -> Iterator[str]:
    """A line of JSON for each site that has rules."""
    rules = _with_rules(patterns)
    found = [{"site": pattern.site, **asdict(pattern.to_selectors())} for pattern in rules]
    lines = [json.dumps(each, ensure_ascii=False) for each in found]
    Path(options.output).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    yield _exported(rules, patterns, options.output)


def _export_ftr(patterns: PatternSet, options: Namespace) -> Iterator[str]:
    """A file for each site that has rules."""
    rules = _with_rules(patterns)
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    for pattern in rules:
        (folder / file_name(pattern.site)).write_text(site_config(pattern), encoding="utf-8")
    yield _exported(rules, patterns, options.output)


def _with_rules(patterns: PatternSet) -> list[RulesPattern]:
    return [pattern for pattern in patterns.patterns if isinstance(pattern, RulesPattern)]


def _exported(rules: Sequence[RulesPattern], patterns: PatternSet, output: str) -> str:
    return f"{len(rules)} of {len(patterns)} patterns now in {output}; only those with rules can be exported"


def _export_layouts(patterns: PatternSet, options: Namespace) -> Iterator[str]:
    """The layout patterns of a file, as Webstemmer reads them."""
    Path(options.output).write_text(webstemmer.dumps(patterns.patterns), encoding="utf-8")
    layouts = [pattern for pattern in patterns.patterns if isinstance(pattern, LayoutPattern)]
    yield f"{len(layouts)} of {len(patterns)} patterns now in {options.output}; only layout patterns can be exported"
    unlike = [pattern for pattern in layouts if webstemmer.unlike_original(pattern)]
    if unlike:
        reasons = sorted({reason for pattern in unlike for reason in webstemmer.unlike_original(pattern)})
        yield (
            f"extract.py will find few pages of {len(unlike)} of them: it has no {', no '.join(reasons)}. "
            "For patterns that it can use, learn with STEMMER_LEARNER = 'layout' and STEMMER_PRESET = 'original'."
        )


def merge(options: Namespace, _settings: BaseSettings | None) -> Iterator[str]:
    """Pattern files made one: of a site in several of them the last one's patterns, with the rules by hand of all."""
    merged = PatternSet()
    for name in options.patterns:
        others = PatternSet.load(name)
        both = sorted({*merged.sites} & {*others.sites})
        corrected = [PatternSet(others.of_site(site)).corrected_by(merged.of_site(site)) for site in both]
        merged = merged.replace(others, *corrected)
    merged.save(options.output)
    yield f"{_counted_of(merged)} now in {options.output}"


def forget(options: Namespace, _settings: BaseSettings | None) -> Iterator[str]:
    """A pattern file without some sites, which the next crawl that learns will learn again."""
    patterns = PatternSet.load(options.patterns)
    for site in options.sites:
        chosen(patterns, site, options.patterns)
    left = patterns.without(options.sites)
    open_store(options.patterns).merge({site: Change(()) for site in options.sites})
    forgotten = counted(len(patterns.sites) - len(left.sites), "site")
    yield f"{forgotten} forgotten; {_counted_of(left)} now in {options.patterns}"


def _counted_of(patterns: PatternSet) -> str:
    return f"{counted(len(patterns), 'pattern')} of {counted(len(patterns.sites), 'site')}"


Subcommand = Callable[[Namespace, "BaseSettings | None"], Iterator[str]]

SUBCOMMANDS: Mapping[str, Subcommand] = {
    "learn": learn_,
    "strip": strip,
    "show": show,
    "report": report,
    "check": check,
    "merge": merge,
    "forget": forget,
    "teach": teach,
    "import": import_,
    "export": export,
    "recover": recover,
}
"""The sub-commands."""

"""The sub-command ``show``: a table of the sites of a pattern file, or all that is known of one."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from scrapy_stemmer.crawl.stored_pages import counted
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.learners.layout.pattern import LayoutPattern
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patternset import PatternSet

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

"""The kinds of patterns, by the name that pattern files use."""

from __future__ import annotations

from importlib.metadata import entry_points

from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.dom_hash import DomHashPattern
from scrapy_stemmer.patterns.essential_path import EssentialPathPattern
from scrapy_stemmer.patterns.evidence import EvidencePattern
from scrapy_stemmer.patterns.layout import LayoutPattern
from scrapy_stemmer.patterns.record import Record
from scrapy_stemmer.patterns.regex_tree import RegexTreePattern
from scrapy_stemmer.patterns.selector_rule import SelectorRulePattern
from scrapy_stemmer.patterns.shingle import ShinglePattern

ENTRY_POINTS = "scrapy_stemmer.patterns"
"""Entry point group by which other packages add kinds: ``kind = module:Class``."""

BUILT_IN: dict[str, type[Pattern]] = {
    DomHashPattern.kind: DomHashPattern,
    EssentialPathPattern.kind: EssentialPathPattern,
    EvidencePattern.kind: EvidencePattern,
    LayoutPattern.kind: LayoutPattern,
    RegexTreePattern.kind: RegexTreePattern,
    SelectorRulePattern.kind: SelectorRulePattern,
    ShinglePattern.kind: ShinglePattern,
}
"""The kinds of this package."""


def kind_named(record: Record) -> type[Pattern]:
    """The class of a record's ``kind``.

    :raises PatternFileError: for a kind that neither this package nor an installed one has.
    """
    kind = record.text("kind")
    if kind in BUILT_IN:
        return BUILT_IN[kind]
    for point in entry_points(group=ENTRY_POINTS, name=kind):
        found: type[Pattern] = point.load()
        return found
    known = ", ".join(sorted({*BUILT_IN, *(point.name for point in entry_points(group=ENTRY_POINTS))}))
    raise record.error("kind", f"is {kind!r}, which is not known here; known are: {known}")

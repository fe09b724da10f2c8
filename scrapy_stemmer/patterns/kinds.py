"""The kinds of patterns, by the name that pattern files use."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy_stemmer.patterns.base import Pattern
    from scrapy_stemmer.patterns.record import Record

ENTRY_POINTS = "scrapy_stemmer.patterns"
"""Entry point group by which other packages add kinds: ``kind = module:Class``."""

BUILT_IN = {
    "dom_hash": "scrapy_stemmer.learners.repetition.pattern:DomHashPattern",
    "essential_path": "scrapy_stemmer.learners.text_mdl.pattern:EssentialPathPattern",
    "layout": "scrapy_stemmer.learners.layout.pattern:LayoutPattern",
    "regex_tree": "scrapy_stemmer.learners.regex_tree.pattern:RegexTreePattern",
    "rules": "scrapy_stemmer.learners.rules.pattern:RulesPattern",
    "selector_rule": "scrapy_stemmer.learners.visual.pattern:SelectorRulePattern",
    "shingle": "scrapy_stemmer.learners.repetition.pattern:ShinglePattern",
}
"""The kinds of this package, imported when a pattern is of them: some need numpy, which takes longer than all else."""

GONE = {"evidence": "which scrapy-stemmer 0.1.0 learned and this version no longer reads"}
"""Kinds of earlier versions, and what is to be said of them."""


def kind_named(record: Record) -> type[Pattern]:
    """The class of a record's ``kind``.

    :raises PatternFileError: for a kind that neither this package nor an installed one has.
    """
    kind = record.text("kind")
    if kind in GONE:
        raise record.error("kind", f"is {kind!r}, {GONE[kind]}")
    if kind in BUILT_IN:
        built_in: type[Pattern] = EntryPoint(kind, BUILT_IN[kind], ENTRY_POINTS).load()
        return built_in
    for point in entry_points(group=ENTRY_POINTS, name=kind):
        found: type[Pattern] = point.load()
        return found
    known = ", ".join(sorted({*BUILT_IN, *(point.name for point in entry_points(group=ENTRY_POINTS))}))
    raise record.error("kind", f"is {kind!r}, which is not known here; known are: {known}")

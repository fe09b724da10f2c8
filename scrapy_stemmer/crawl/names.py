"""The names that users meet: stats, meta keys, and why a page is left out. ``docs/`` explains each."""

from __future__ import annotations

from enum import StrEnum


class MetaKey(StrEnum):
    """Keys of ``Request.meta`` that are read; none is ever written."""

    STEMMER = "stemmer"


class SpiderAttribute(StrEnum):
    """Attributes of the spider that are read."""

    ENABLED = "stemmer_enabled"
    PATTERNS = "stemmer_patterns"


class Stat:
    """Names in Scrapy's stats; those that end in a slash are followed by a kind.

    Not an enum: Scrapy shows the keys of its stats with ``repr``.
    """

    COMPILED = "stemmer/compiled"
    PAGES_SAMPLED = "stemmer/pages/sampled"
    PAGES_TOO_LARGE = "stemmer/pages/too_large"
    PAGES_MARKED = "stemmer/pages/marked"
    PAGES_UNMARKED = "stemmer/pages/unmarked"
    DOMAINS_LOADED = "stemmer/domains/loaded"
    DOMAINS_LEARNED = "stemmer/domains/learned"
    DOMAINS_EMPTY = "stemmer/domains/empty"
    DOMAINS_FAILED = "stemmer/domains/failed"
    DOMAINS_UNLEARNED = "stemmer/domains/unlearned"
    PATTERNS_LOADED = "stemmer/patterns/loaded"
    PATTERNS_LEARNED = "stemmer/patterns/learned"
    NOISE = "stemmer/noise/"
    LEARNING_SECONDS = "stemmer/learning/seconds"
    ITEMS_STRIPPED = "stemmer/items/stripped"
    ITEMS_MATCHED = "stemmer/items/matched"
    ITEMS_UNMATCHED = "stemmer/items/unmatched"
    ITEMS_UNSURE = "stemmer/items/unsure"
    ITEMS_DROPPED = "stemmer/items/dropped"
    ITEMS_FALLBACK = "stemmer/items/fallback"
    KINDS = "stemmer/kinds/"
    CHARS_OUT = "stemmer/chars/out"
    HELD = "stemmer/held/total"
    HELD_MEMORY = "stemmer/held/memory"
    HELD_RELEASED = "stemmer/held/released"
    HELD_RESUMED = "stemmer/held/resumed"
    HELD_KEPT = "stemmer/held/kept"
    HELD_UNRELEASED = "stemmer/held/unreleased"
    NO_PAGE = "stemmer/no_page"
    SKIPPED = "stemmer/skipped/"
    ERRORS = "stemmer/errors/"


class Skip(StrEnum):
    """Why a page is neither learned from nor stripped."""

    OPTED_OUT = "opted_out"
    REJECTED = "rejected"
    NOT_HTML = "not_html"
    EMPTY = "empty"
    BINARY = "binary"
    FRAMES = "frames"
    NO_BODY = "no_body"

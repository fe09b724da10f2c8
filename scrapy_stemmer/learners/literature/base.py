"""Options, presets, names and common fields of the learners of the literature."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.base import Learner, Options
from scrapy_stemmer.patterns.base import Pattern, Sample

O = TypeVar("O", bound=Options)  # noqa: E741 - options
P = TypeVar("P", bound=Pattern)
T = TypeVar("T")

SITE_WIDE = "(all pages)"  # name of the pattern over all pages of a site
MAX_SAMPLES = 5  # pages listed as samples of a pattern
DIGITS = 6  # decimals of scores in patterns, to keep files readable and comparable


class LiteratureLearner(Learner, Generic[O]):
    """A learner with options, by default the defaults of its :attr:`options_class`."""

    def __init__(self, options: O | None = None) -> None:
        assert self.options_class is not None
        self.options: O = options or self.options_class()


def preset(options: type[O], name: str, **original: Any) -> O:
    """Return the options of a preset: ``default``, or ``original`` for the choices of the paper and its program."""
    if name not in ("default", "original"):
        raise LearnerError(f"There is no preset {name!r}; use 'default' or 'original'.")
    return options(**(original if name == "original" else {}))


def of_whole_site(site: str, urls: Sequence[str], score: float) -> dict[str, Any]:
    """Return the fields common to all patterns, for a pattern of a whole site learned from ``urls``."""
    samples = tuple(Sample(url) for url in urls[:MAX_SAMPLES])
    named = {"site": site, "name": SITE_WIDE, "site_wide": True}
    return named | {"support": len(urls), "score": score, "samples": samples}


def distinct(read: Iterable[tuple[str, Any, T]]) -> list[T]:
    """Return pages, given with URL and content, in the order of both, whatever their order; of copies only the
    first."""
    found: dict[Any, T] = {}
    for _, content, page in sorted(read, key=lambda each: each[:2]):
        found.setdefault(content, page)
    return list(found.values())


def with_own_names(patterns: Iterable[P]) -> list[P]:
    named: dict[str, P] = {}
    for number, pattern in enumerate(patterns, 1):
        name = pattern.name
        while name in named:
            name += f" ({number})"
        named[name] = replace(pattern, name=name)
    return list(named.values())

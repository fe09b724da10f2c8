"""What a learner is, and how one is found by its name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, ClassVar, Self

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.exceptions import LearnerError, UnknownLearner
from scrapy_stemmer.learners.teachers import TEACHER_PAGES, AskedTeacher, Teacher
from scrapy_stemmer.patterns.base import Pattern

ENTRY_POINTS = "scrapy_stemmer.learners"
"""Entry point group by which other packages add learners: ``name = module:Class``."""

BUILT_IN = {
    "dom_hash": "scrapy_stemmer.learners.repetition.dom_hash:DomHashLearner",
    "layout": "scrapy_stemmer.learners.layout.learner:LayoutLearner",
    "regex_tree": "scrapy_stemmer.learners.regex_tree.learner:RegexTreeLearner",
    "rules": "scrapy_stemmer.learners.rules.learner:RulesLearner",
    "shingle": "scrapy_stemmer.learners.repetition.shingle:ShingleLearner",
    "text_hash": "scrapy_stemmer.learners.text_mdl.learner:TextHashLearner",
    "text_mdl": "scrapy_stemmer.learners.text_mdl.learner:TextMdlLearner",
    "visual": "scrapy_stemmer.learners.visual.learner:VisualLearner",
}
"""The learners of this package."""

SITE_WIDE = "(all pages)"
"""Name of the pattern over all pages of a site."""

MAX_SAMPLES = 5
"""Pages that a pattern names as its samples."""


class Learner(ABC):
    """Learns one site's patterns from a sample of its pages, without labels.

    A learner holds nothing but its options, so that one can be used for many sites and from any thread.
    """

    name: ClassVar[str]
    teacher: AskedTeacher | None = None
    """What is asked about some pages, of learners that can make use of it."""
    options_class: ClassVar[type[Any] | None] = None
    """The dataclass of the options that the constructor takes, as its first argument; ``None`` for no options. With it
    the options can be set by ``STEMMER_LEARNER_OPTIONS``."""

    @abstractmethod
    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """The patterns of one site.

        :param pages: pages of the site, in any order; the result does not depend on it.
        :param seed: for whatever the learner draws at random.
        :returns: the patterns, best first; empty when nothing can be learned from so few pages.
        """

    def taught_by(self, teacher: Teacher, pages: int = TEACHER_PAGES) -> Self:
        """This learner with a teacher.

        :param teacher: knows the text of a page by its URL and HTML.
        :param pages: it is asked about so many pages of each layout, at most.
        :raises LearnerError: when it can't make use of one.
        """
        raise LearnerError(f"The learner {self.name!r} can't make use of a teacher; 'rules' can.")


def get_learner(name: str) -> type[Learner]:
    """The learner class of a name.

    :param name: a built-in learner (:data:`BUILT_IN`), one of another package's entry points
        (:data:`ENTRY_POINTS`), or the import path of a class, ``package.module:Class`` or
        ``package.module.Class``.
    :raises UnknownLearner: when there is none; the message lists those that there are.
    :raises LearnerError: when the name leads to something that is not a learner.
    """
    target = _target_of(name)
    module, _, attribute = target.partition(":") if ":" in target else target.rpartition(".")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownLearner(f"Learner {name!r} can't be imported from {target!r}: {error}") from error
    if not (isinstance(found, type) and issubclass(found, Learner)):
        raise LearnerError(f"Learner {name!r} leads to {target!r}, which is not a subclass of Learner.")
    return found


def learner_names() -> list[str]:
    """The names of all learners that are installed."""
    return sorted({*BUILT_IN, *(point.name for point in entry_points(group=ENTRY_POINTS))})


def _target_of(name: str) -> str:
    if name in BUILT_IN:
        return BUILT_IN[name]
    for point in entry_points(group=ENTRY_POINTS, name=name):
        return point.value
    if "." in name or ":" in name:
        return name
    raise UnknownLearner(
        f"There is no learner {name!r}. Use one of {', '.join(learner_names())}, or the import path of a class."
    )

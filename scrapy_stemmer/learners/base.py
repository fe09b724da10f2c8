"""Base class of learners, look-up by name, options, and teachers."""

from __future__ import annotations

import asyncio
import inspect
import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, fields
from difflib import get_close_matches
from importlib.metadata import entry_points
from pkgutil import resolve_name
from threading import Lock, Thread
from typing import Any, ClassVar, Self, cast, get_type_hints

from scrapy_stemmer.exceptions import LearnerError, UnknownLearner
from scrapy_stemmer.page.arguments import check
from scrapy_stemmer.page.document import Document, Page
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.record import Record, readers_of

Teacher = Callable[[str, str], "str | Awaitable[str | None] | None"]
"""Function of URL and HTML that returns the text of the page, or ``None`` if unknown; it may be a coroutine."""

TEACHER_PAGES = 3  # pages of each site to ask a teacher about
TEACHER_SECONDS = 600.0  # time limit of a teacher's answer

logger = logging.getLogger("scrapy_stemmer")


class AskedTeacher:
    """Wrapper of a teacher to log and keep errors instead of raising."""

    def __init__(self, teacher: Teacher) -> None:
        self._teacher = teacher
        self._lock = Lock()
        self._errors: list[Exception] = []  # since the last call of :meth:`taken`

    def __call__(self, url: str, html: str) -> str | None:
        """Return the text of a page; ``None`` if the teacher doesn't know it, "" if it fails."""
        try:
            answer = self._answer(url, html)
            if answer is not None and not isinstance(answer, str):
                raise TypeError(f"the teacher must give text or None, not {type(answer).__name__}")
            return None if answer is None else str.__str__(answer)  # plain str: a subclass may override anything
        except Exception as error:  # an error on a page must not end the learning of the site
            logger.error(
                "Error while asking the teacher about %s: %s: %s", url, type(error).__name__, error, exc_info=error
            )
            with self._lock:
                self._errors.append(error)
        return ""

    def _answer(self, url: str, html: str) -> Any:
        answer: Future[Any] = Future()

        def ask() -> None:
            try:
                found = self._teacher(url, html)
                answer.set_result(asyncio.run(asyncio.wait_for(found, None)) if inspect.isawaitable(found) else found)
            except Exception as error:  # raised by result()
                answer.set_exception(error)
            except BaseException as error:  # a library that calls sys.exit must not end the crawl
                answer.set_exception(RuntimeError(f"it raised {type(error).__name__}: {error}"))

        Thread(target=ask, daemon=True).start()
        try:
            return answer.result(TEACHER_SECONDS)
        except TimeoutError as error:
            if answer.done():
                raise
            raise TimeoutError(f"no answer within {TEACHER_SECONDS:g} seconds") from error

    def taken(self) -> list[Exception]:
        """Return the errors since the last call."""
        with self._lock:
            errors, self._errors = self._errors, []
        return errors

    def __reduce__(self) -> tuple[type[AskedTeacher], tuple[Teacher]]:
        return type(self), (self._teacher,)


LEARNER_ENTRY_POINTS = "scrapy_stemmer.learners"
"""Entry point group by which other packages add learners: ``name = module:Class``."""

LEARNER_CLASSES = {
    "dom_hash": "scrapy_stemmer.learners.literature.repetition.learner:DomHashLearner",
    "layout": "scrapy_stemmer.learners.literature.layout.learner:LayoutLearner",
    "regex_tree": "scrapy_stemmer.learners.literature.regex_tree.learner:RegexTreeLearner",
    "rules": "scrapy_stemmer.learners.rules.learner:RulesLearner",
    "shingle": "scrapy_stemmer.learners.literature.repetition.learner:ShingleLearner",
    "text_hash": "scrapy_stemmer.learners.literature.text_mdl.learner:TextHashLearner",
    "text_mdl": "scrapy_stemmer.learners.literature.text_mdl.learner:TextMdlLearner",
    "visual": "scrapy_stemmer.learners.literature.visual.learner:VisualLearner",
}
"""Learners of this package."""


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a learner, checked by the limits or allowed values in their ``Annotated`` types."""

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(type(self), include_extras=True).items():
            for allowed in getattr(kind, "__metadata__", ()):
                OptionRecord({}).checked(name, getattr(self, name), allowed)


class OptionRecord(Record):
    """Options by name, read as the fields of a pattern file are."""

    __slots__ = ()

    def error(self, field: str, problem: str) -> LearnerError:
        return LearnerError(f"{self.place(field)} {problem}.")


class Learner(ABC):
    """Base class for learning one site's patterns from a sample of its pages, without labels.

    A learner holds only its options, so that one instance serves many sites and threads.
    """

    name: ClassVar[str]
    max_work: ClassVar[float] = math.inf  # largest :func:`scrapy_stemmer.page.document.work_of` of a page to learn from
    teacher: AskedTeacher | None = None  # source of texts of some pages, for learners that can use it
    options_class: ClassVar[type[Any] | None] = None
    """Dataclass of the options, the first argument of the constructor; ``None`` for no options."""

    @abstractmethod
    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """Learn the patterns of one site.

        :param pages: pages of the site; their order doesn't change the result.
        :param seed: seed of random choices.
        :returns: patterns, best first; empty if the pages are too few.
        """

    def learn_from(self, documents: Sequence[Document], *, seed: int = 0) -> list[Pattern]:
        """Learn from pages to be stripped afterwards, so that a learner may keep their parsed form."""
        return self.learn([document.page for document in documents], seed=seed)

    def taught_by(self, teacher: Teacher, pages: int = TEACHER_PAGES) -> Self:
        """Return this learner with a teacher; raise LearnerError if the learner cannot use a teacher."""
        raise LearnerError(f"The learner {self.name!r} can't make use of a teacher; 'rules' can.")


def get_learner(name: str) -> type[Learner]:
    """Return the learner class with a name.

    :param name: a built-in learner (:data:`LEARNER_CLASSES`), an entry point of another package
        (:data:`LEARNER_ENTRY_POINTS`), or the import path of a class, ``package.module:Class`` or
        ``package.module.Class``.
    :raises UnknownLearner: for an unknown name, listing the known ones.
    :raises LearnerError: if the name leads to something else.
    """
    check("name", name, str, "the name of a learner")
    target = LEARNER_CLASSES.get(name) or next(
        (point.value for point in entry_points(group=LEARNER_ENTRY_POINTS, name=name)), name
    )
    if "." not in target and ":" not in target:
        raise UnknownLearner(
            f"There is no learner {name!r}. Use one of {', '.join(learner_names())}, or the import path of a class."
        )
    try:
        learner = resolve_name(target)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownLearner(f"Learner {name!r} can't be imported from {target!r}: {error}") from error
    if not (isinstance(learner, type) and issubclass(learner, Learner)):
        raise LearnerError(f"Learner {name!r} leads to {target!r}, which is not a subclass of Learner.")
    return learner


def learner_names() -> list[str]:
    return sorted({*LEARNER_CLASSES, *(point.name for point in entry_points(group=LEARNER_ENTRY_POINTS))})


def make_learner(learner: type[Learner], options: Mapping[str, Any]) -> Learner:
    """Create a learner with options by name, see :func:`options_of`, or with its defaults."""
    call = cast("Callable[..., Learner]", learner)
    if options:
        if not option_names(learner):
            raise LearnerError(f"The learner {learner.name!r} takes no options, but {_listed(options)} is given.")
        return call(options_of(learner.options_class, options))
    if not _can_be_called(call):
        raise LearnerError(f"The constructor of {learner.__qualname__} must do without arguments.")
    return call()


def option_names(learner: type[Learner]) -> list[str]:
    options = learner.options_class
    return [] if options is None or not _can_be_called(learner, None) else [field.name for field in fields(options)]


def options_of(kind: Any, values: Mapping[str, Any]) -> Any:
    """Return the options of a dataclass from values by field name, in the types of :class:`Record`.

    Lists stand for tuples and sets. Errors list all that is wrong.
    """
    record = OptionRecord({str(name): _plain(value) for name, value in values.items()})
    readers = {name: read for name, read, _ in readers_of(kind)}
    options: dict[str, Any] = {}
    wrong: list[str] = []
    for name in record.keys():  # noqa: SIM118 - a record is no dictionary
        try:
            if name not in readers:
                near = get_close_matches(name, readers, 1)
                hint = f" Did you mean {near[0]!r}?" if near else ""
                raise LearnerError(f"There is no option {name!r}.{hint} Options are {_listed(readers)}.")
            options[name] = readers[name](record, name)
        except LearnerError as error:
            wrong.append(str(error))
    if wrong:
        raise LearnerError(" ".join(wrong))
    return kind(**options)


def _can_be_called(call: Callable[..., object], *arguments: object) -> bool:
    try:
        inspect.signature(call).bind(*arguments)
    except TypeError:
        return False
    return True


def _plain(value: Any) -> Any:
    """Return a value in JSON types."""
    return list(map(_plain, value)) if isinstance(value, list | tuple | frozenset) else value


def _listed(names: Mapping[str, Any]) -> str:
    return ", ".join(repr(str(name)) for name in names)

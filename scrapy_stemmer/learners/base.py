"""What a learner is, how one is found by its name, how it is given its options, and the teacher that it may ask."""

from __future__ import annotations

import asyncio
import inspect
import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, fields, is_dataclass, replace
from difflib import get_close_matches
from importlib.metadata import entry_points
from pkgutil import resolve_name
from threading import Lock, Thread
from types import NoneType, UnionType
from typing import Any, ClassVar, Self, Union, cast, get_args, get_origin, get_type_hints

from scrapy_stemmer.core.document import Document, Page
from scrapy_stemmer.exceptions import LearnerError, UnknownLearner
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.record import Between

Teacher = Callable[[str, str], "str | Awaitable[str | None] | None"]
"""A function of URL and HTML that gives the text of the page, ``None`` where it can't say; it may be a coroutine."""

TEACHER_PAGES = 3  # pages of each site that a teacher is asked about
TEACHER_SECONDS = 600.0  # seconds that a teacher may take for a page

logger = logging.getLogger("scrapy_stemmer")


class AskedTeacher:
    """A teacher whose errors are logged and kept, and which raises none. May be asked by several threads.

    Each page is asked about in a thread of its own, so that one for which there is no answer costs itself.
    """

    def __init__(self, teacher: Teacher) -> None:
        self._teacher = teacher
        self._lock = Lock()
        self._told: list[Exception | None] = []  # of each time that it was asked, what went wrong

    def __call__(self, url: str, html: str) -> str | None:
        """The text of a page; ``None`` when the teacher doesn't know it, "" when it fails."""
        text: str | None = ""
        failure = None
        try:
            answer = self._answer(url, html)
            if answer is not None and not isinstance(answer, str):
                raise TypeError(f"the teacher must give text or None, not {type(answer).__name__}")
            text = None if answer is None else str.__str__(answer)  # of no class of its own, which does as it likes
        except Exception as error:  # a page that it can't do must not end the learning of its site
            logger.error(
                "Error while asking the teacher about %s: %s: %s", url, type(error).__name__, error, exc_info=error
            )
            failure = error
        with self._lock:
            self._told.append(failure)
        return text

    def _answer(self, url: str, html: str) -> Any:
        """What the teacher gives.

        :raises TimeoutError: when that is nothing for :data:`TEACHER_SECONDS`; its thread is left alone.
        """
        answer: Future[Any] = Future()

        def ask() -> None:
            try:
                found = self._teacher(url, html)
                answer.set_result(asyncio.run(asyncio.wait_for(found, None)) if inspect.isawaitable(found) else found)
            except Exception as error:  # is raised where it is waited for
                answer.set_exception(error)
            except BaseException as error:  # as of a library that calls sys.exit, which must not end the crawl
                answer.set_exception(RuntimeError(f"it raised {type(error).__name__}: {error}"))

        Thread(target=ask, daemon=True).start()
        try:
            return answer.result(TEACHER_SECONDS)
        except TimeoutError as error:
            if answer.done():
                raise
            raise TimeoutError(f"no answer within {TEACHER_SECONDS:g} seconds") from error

    def taken(self) -> tuple[int, list[Exception]]:
        """How often it was asked, and what went wrong, since this was called last."""
        with self._lock:
            told, self._told = self._told, []
        return len(told), [error for error in told if error is not None]

    def __reduce__(self) -> tuple[type[AskedTeacher], tuple[Teacher]]:
        return type(self), (self._teacher,)


ENTRY_POINTS = "scrapy_stemmer.learners"
"""Entry point group by which other packages add learners: ``name = module:Class``."""

BUILT_IN = {
    "dom_hash": "scrapy_stemmer.learners.literature.repetition.learner:DomHashLearner",
    "layout": "scrapy_stemmer.learners.literature.layout.learner:LayoutLearner",
    "regex_tree": "scrapy_stemmer.learners.literature.regex_tree.learner:RegexTreeLearner",
    "rules": "scrapy_stemmer.learners.rules.learner:RulesLearner",
    "shingle": "scrapy_stemmer.learners.literature.repetition.learner:ShingleLearner",
    "text_hash": "scrapy_stemmer.learners.literature.text_mdl.learner:TextHashLearner",
    "text_mdl": "scrapy_stemmer.learners.literature.text_mdl.learner:TextMdlLearner",
    "visual": "scrapy_stemmer.learners.literature.visual.learner:VisualLearner",
}
"""The learners of this package."""


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a learner, checked by what stands with their types in ``Annotated``: limits, or the values allowed.

    :raises LearnerError: naming the first one that is wrong.
    """

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(type(self), include_extras=True).items():
            value = getattr(self, name)
            for allowed in getattr(kind, "__metadata__", ()):
                if value is not None and value not in allowed:
                    if isinstance(allowed, Between):
                        raise LearnerError(f"{name} must be {allowed}, not {value!r}.")
                    raise LearnerError(f"There is no {name} {value!r}; use one of {', '.join(allowed)}.")


class Learner(ABC):
    """Learns one site's patterns from a sample of its pages, without labels.

    A learner holds nothing but its options, so that one can be used for many sites and from any thread.
    """

    name: ClassVar[str]
    max_work: ClassVar[float] = math.inf
    """Pages that take more, see :func:`scrapy_stemmer.core.document.work_of`, are not learned from."""
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

    def learn_from(self, documents: Sequence[Document], *, seed: int = 0) -> list[Pattern]:
        """The same of pages that will be stripped by what is learned; a learner may keep what it has read of them."""
        return self.learn([document.page for document in documents], seed=seed)

    def left_out(self, pages: Sequence[Page]) -> Mapping[str, int]:
        """How many pages of a sample count for nothing, by why: copies, or what stands in place of a page.

        It says why nothing was learned; of a sample of which something was, see :attr:`Pattern.left_out`.
        """
        return {}

    def taught_by(self, teacher: Teacher, pages: int = TEACHER_PAGES) -> Self:
        """This learner with a teacher.

        :param teacher: knows the text of a page by its URL and HTML.
        :param pages: pages of each site that it is asked about, at most.
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
    target = BUILT_IN.get(name) or next((point.value for point in entry_points(group=ENTRY_POINTS, name=name)), name)
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
    """The names of all learners that are installed."""
    return sorted({*BUILT_IN, *(point.name for point in entry_points(group=ENTRY_POINTS))})


ALLOWED = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a text",
    NoneType: "None",
    tuple: "a list of texts",
    frozenset: "a list of texts",
}
"""What is said of the types that options have."""


def make_learner(learner: type[Learner], options: Mapping[str, Any]) -> Learner:
    """A learner with options by name, see :func:`options_of`, which it must have; none for the learner's defaults."""
    call = cast("Callable[..., Learner]", learner)
    if options:
        if not option_names(learner):
            raise LearnerError(f"The learner {learner.name!r} takes no options, but {_listed(options)} is given.")
        return call(options_of(learner.options_class, options))
    if not _can_be_called(call):
        raise LearnerError(f"The constructor of {learner.__qualname__} must do without arguments.")
    return call()


def option_names(learner: type[Learner]) -> list[str]:
    """The names of a learner's options; none when its constructor doesn't take them."""
    options = learner.options_class
    return [] if options is None or not _can_be_called(learner, None) else [field.name for field in fields(options)]


def options_of(kind: Any, values: Mapping[str, Any]) -> Any:
    """The options of a dataclass, by field name in types that JSON has too: lists for tuples and sets, a dict for a
    dataclass within. ``preset`` names what the others are put over; it is the defaults otherwise. An error says of all
    that is wrong what is allowed."""
    names = dict(values)
    preset = names.pop("preset", None) if hasattr(kind, "preset") else None
    return _replaced(kind() if preset is None else kind.preset(preset), names, "")


def _can_be_called(call: Callable[..., object], *arguments: object) -> bool:
    try:
        inspect.signature(call).bind(*arguments)
    except TypeError:
        return False
    return True


def _replaced(options: Any, values: Mapping[str, Any], within: str) -> Any:
    """Options with some of their values replaced; ``within`` precedes their names in errors."""
    kinds = get_type_hints(type(options))
    new: dict[str, Any] = {}
    wrong: list[str] = []
    for name, value in values.items():
        before = getattr(options, str(name), None)
        try:
            if name not in kinds:
                near = get_close_matches(str(name), kinds, 1)
                hint = f" Did you mean {within + near[0]!r}?" if near else ""
                raise LearnerError(f"There is no option {within + str(name)!r}.{hint} Options are {_listed(kinds)}.")
            if is_dataclass(before) and isinstance(value, Mapping):
                new[name] = _replaced(before, value, f"{within}{name}.")
            else:
                new[name] = _in_kind(kinds[name], value, f"{within}{name}")
        except LearnerError as error:
            wrong.append(str(error))
    if wrong:
        raise LearnerError(" ".join(wrong))
    return replace(options, **new)


def _in_kind(kind: Any, value: Any, name: str) -> Any:
    """The value of an option in the first of its types that it fits."""
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    origins = [get_origin(each) or each for each in kinds]
    for origin in origins:
        if origin in (tuple, frozenset):
            if isinstance(value, list | tuple | origin) and all(isinstance(item, str) for item in value):
                return origin(value)
        elif isinstance(value, bool) and origin is not bool:
            continue
        elif origin is float and isinstance(value, int | float):
            if math.isfinite(value):
                return float(value)
        elif isinstance(value, origin):
            return value
    allowed = " or ".join(ALLOWED.get(origin, "a dict of options") for origin in origins)
    raise LearnerError(f"{name} must be {allowed}, not {value!r}.")


def _listed(names: Mapping[str, Any]) -> str:
    return ", ".join(repr(str(name)) for name in names)

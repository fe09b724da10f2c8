"""The errors that scrapy-stemmer raises, all below StemmerError; packages of extras, which may be missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any


class StemmerError(Exception):
    """Base of every error of this package."""


class PatternFileError(StemmerError):
    """A pattern file that can't be read or written as it is.

    :param message: what is wrong and what to do next.
    :param uri: the file or store; ``None`` while only its text is known.
    :param line: the line in the file, counted from 1; ``None`` when the whole file is meant.
    :param field: the dotted path of the field in that line, such as ``sections[3].diffscore``.
    """

    def __init__(
        self, message: str, *, uri: str | None = None, line: int | None = None, field: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.uri = uri
        self.line = line
        self.field = field

    def at(self, *, uri: str | None = None, line: int | None = None) -> PatternFileError:
        """The same error, with what only the caller knows of its place."""
        return type(self)(self.message, uri=self.uri or uri, line=self.line or line, field=self.field)

    def __str__(self) -> str:
        parts = (self.uri, self.line and f"line {self.line}", self.field and f"field {self.field}")
        where = ", ".join(part for part in parts if part)
        return f"{where}: {self.message}" if where else self.message


class StoreUnavailable(StemmerError):  # noqa: N818 - the name is part of the public API
    """A store of patterns that can't be reached now; crawls try again, and their items wait meanwhile.

    :param message: what is wrong and what to do next.
    :param uri: that of the store.
    """

    def __init__(self, message: str, *, uri: str) -> None:
        super().__init__(f"{uri}: {message}")
        self.message = message
        self.uri = uri


class SettingError(StemmerError, ValueError):
    """A setting with a value that can't be used; names the setting and what is allowed."""


class LearnerError(StemmerError):
    """A learner that can't work with what it was given."""


class UnknownLearner(LearnerError, LookupError):  # noqa: N818 - the name is part of the public API
    """No learner has this name; the message lists those that there are."""


class ScorerError(StemmerError):
    """A file of trained weights that can't be read or holds none; the message names it."""


class MissingExtra(StemmerError):  # noqa: N818 - the name is part of the public API
    """A package that only some uses need is not installed; the message says how to install it."""


EXTRAS: Mapping[str, tuple[str, ...]] = {
    "warc": ("FastWARC",),
    "zyte": ("zyte-common-items",),
    "poet": ("scrapy-poet", "zyte-common-items"),
    "redis": ("redis",),
    "fsspec": ("fsspec",),
    "spark": ("pyspark[sql]",),
    "datatrove": ("datatrove[io]",),
    "playwright": ("scrapy-playwright",),
    "visual": ("snowballstemmer",),
}
"""The packages of each extra. Messages name these: as long as scrapy-stemmer is not on PyPI, its name there may be that
of another package."""


def installing(extra: str) -> str:
    """Return the command that installs the packages of an extra."""
    return " ".join(["pip install", *(f"'{name}'" if "[" in name else name for name in EXTRAS[extra])])


@contextmanager
def place_of_errors(*, uri: str | None = None, line: int | None = None) -> Iterator[None]:
    """Add this place to each :class:`PatternFileError` raised within that names none."""
    try:
        yield
    except PatternFileError as error:
        # The same error in place of it, so that a traceback shows it once.
        raise error.at(uri=uri, line=line).with_traceback(error.__traceback__) from error.__cause__


def needed(module: str, extra: str, purpose: str) -> Any:
    """A module of an extra, for a purpose such as "to read a.warc".

    :raises MissingExtra: when it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingExtra(f"{package} is needed {purpose}: {installing(extra)} ({error}).") from error

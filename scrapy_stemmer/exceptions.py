"""Errors of scrapy-stemmer, all subclasses of StemmerError, and optional packages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

MAX_MESSAGE = 1_000  # characters of the beginning, and of the end, of a message


class StemmerError(Exception):
    """Base class of all errors of this package."""


class PatternFileError(StemmerError):
    """A pattern file or store cannot be read or written.

    :param message: the problem and the next step.
    :param uri: the file or store, if known.
    :param line: line in the file, from 1; ``None`` for the whole file.
    :param field: dotted path of the field in the line, such as ``sections[3].diffscore``.
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
        return type(self)(self.message, uri=self.uri or uri, line=self.line or line, field=self.field)

    def __str__(self) -> str:
        parts = (self.uri, self.line and f"line {self.line}", self.field and f"field {self.field}")
        where = ", ".join(part for part in parts if part)
        return f"{where}: {self.message}" if where else self.message


class StoreUnavailable(StemmerError):  # noqa: N818 - the name is part of the public API
    """A store of patterns is temporarily unreachable; crawls retry, and their items wait.

    :param message: the problem and the next step.
    :param uri: URI of the store.
    """

    def __init__(self, message: str, *, uri: str) -> None:
        super().__init__(f"{uri}: {message}")
        self.message = message
        self.uri = uri


class SettingError(StemmerError, ValueError):
    """A setting has an invalid value; the message names the setting and the allowed values.

    Values of any length leave the beginning and the end of a long message.
    """

    def __init__(self, message: str) -> None:
        begin, end = message[:MAX_MESSAGE], message[MAX_MESSAGE:]
        super().__init__(f"{begin} ... {end[-MAX_MESSAGE:]}" if len(end) > MAX_MESSAGE else message)


class LearnerError(StemmerError):
    """A learner cannot work with its input or options."""


class UnknownLearner(LearnerError, LookupError):  # noqa: N818 - the name is part of the public API
    """No learner has the given name; the message lists all names."""


class MissingExtra(StemmerError):  # noqa: N818 - the name is part of the public API
    """An optional package is not installed; the message has the command to install it."""


EXTRAS: Mapping[str, tuple[str, ...]] = {
    "warc": ("FastWARC",),
    "zyte": ("zyte-common-items",),
    "poet": ("scrapy-poet", "zyte-common-items"),
    "redis": ("redis",),
    "fsspec": ("fsspec",),
    "spark": ("pyspark[sql]",),
    "datatrove": ("datatrove[io]",),
    "playwright": ("scrapy-playwright",),
}
"""Packages of each extra. Messages name these packages because scrapy-stemmer is not on PyPI yet."""


def installing(extra: str) -> str:
    return " ".join(["pip install", *(f"'{name}'" if "[" in name else name for name in EXTRAS[extra])])


@contextmanager
def place_of_errors(*, uri: str | None = None, line: int | None = None) -> Iterator[None]:
    """Add this place to each :class:`PatternFileError` raised within the context without a place."""
    try:
        yield
    except PatternFileError as error:
        # Raised from the original cause, so that a traceback shows the error once.
        raise error.at(uri=uri, line=line).with_traceback(error.__traceback__) from error.__cause__


def needed(module: str, extra: str, purpose: str) -> Any:
    """Import a module of an extra, for a purpose such as "to read a.warc".

    :raises MissingExtra: if the extra is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingExtra(f"{package} is needed {purpose}: {installing(extra)} ({error}).") from error

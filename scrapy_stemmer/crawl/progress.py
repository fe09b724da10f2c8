"""Progress of work on stored pages: a bar where somebody sees it, and notes on the standard error output."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


def note(line: str) -> None:
    """Tell the user something that is not part of the output."""
    sys.stderr.write(f"{line}\n")


def counted(number: int, noun: str) -> str:
    """A number of something: ``1 page``, ``2 pages``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


class Progress:
    """Counts what is done, and shows it while it is being done.

    With the extra ``progress`` (tqdm) there is a bar, if the standard error output is a terminal.
    """

    def __init__(self) -> None:
        self._started = time.monotonic()
        self.pages = 0

    @property
    def rate(self) -> float:
        """Pages a second."""
        return self.pages / max(time.monotonic() - self._started, 1e-9)

    @property
    def summary(self) -> str:
        """How many pages in how long."""
        seconds = time.monotonic() - self._started
        return f"{counted(self.pages, 'page')} in {seconds:.1f} s, {self.rate:.0f} a second"

    def reading(self, pages: Iterable[T]) -> Iterator[T]:
        """Pages that are being read, of which nobody knows how many there are."""
        with _bar(desc="reading", unit=" pages") as bar:
            for page in pages:
                yield page
                self.pages += 1
                bar.update()

    def sites(
        self, results: Iterable[T], total: int, pages_of: Callable[[T], int], doing: str = "learning"
    ) -> Iterator[T]:
        """Sites on which something is being done: how many are left, and how many pages a second.

        :param total: how many there are.
        :param pages_of: gives the number of pages of one.
        :param doing: what is done.
        """
        done, started = 0, time.monotonic()
        with _bar(desc=doing, unit=" sites", total=total) as bar:
            for result in results:
                yield result
                done += pages_of(result)
                bar.set_postfix_str(f"{done / max(time.monotonic() - started, 1e-9):.0f} pages/s", refresh=False)
                bar.update()

    def stripping(self, results: Iterable[T], pages_of: Callable[[T], int]) -> Iterator[T]:
        """Pages that are being stripped, some at a time."""
        with _bar(desc="stripping", unit=" pages") as bar:
            for result in results:
                yield result
                self.pages += pages_of(result)
                bar.update(pages_of(result))


class _NoBar:
    """Stands for a bar that nobody would see."""

    def __enter__(self) -> _NoBar:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def update(self, count: int = 1) -> None:
        """Does nothing."""

    def set_postfix_str(self, text: str, refresh: bool = True) -> None:
        """Does nothing."""


def _bar(**options: Any) -> Any:
    if not sys.stderr.isatty():
        return _NoBar()
    try:
        from tqdm import tqdm
    except ImportError:
        return _NoBar()
    return tqdm(file=sys.stderr, dynamic_ncols=True, leave=False, **options)

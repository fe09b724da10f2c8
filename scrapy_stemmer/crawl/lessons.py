"""What the learner has read of the sites' samples while their pages came along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrapy_stemmer.core.page import Page

if TYPE_CHECKING:
    from scrapy_stemmer.learners.base import Lesson
    from scrapy_stemmer.patternset import PatternSet

LESSON_BYTES = 32_000_000
"""Pages of so many bytes together are read ahead, which take about as much memory; further ones when their site is
learned."""

PAGE_BYTES = 1_000_000
"""Larger pages are not read while the event loop waits."""


@dataclass(slots=True)
class Begun:
    """The lesson of a site.

    :param lesson: has read some of the site's pages.
    :param pages: their numbers in the spool.
    :param size: their bytes.
    """

    lesson: Lesson
    pages: set[int] = field(default_factory=set)
    size: int = 0


class Lessons:
    """Lessons by site. A page is read when its response comes, where it is parsed anyway.

    :param begin: begins a lesson; it gives ``None`` when the learner wants all pages at once.
    :param learn: gives the patterns of a lesson; called in a thread.
    :param most: see :data:`LESSON_BYTES`.
    """

    def __init__(
        self, begin: Callable[[], Lesson | None], learn: Callable[[Lesson], PatternSet], most: int = LESSON_BYTES
    ) -> None:
        self._begin = begin
        self.learn = learn
        self._most = most
        self._begun: dict[str, Begun] = {}
        self._bytes = 0

    def read(self, page: Page, site: str, number: int, size: int) -> None:
        """Have a page read, if there is room.

        :param page: with its tree, of which nothing is kept.
        :param number: the page's number in the spool.
        :param size: its bytes.
        """
        if size > PAGE_BYTES or self._bytes + size > self._most:
            return
        begun = self._begun.get(site) or self._new()
        if begun is None:
            return
        begun.lesson.read(page)
        self._begun[site] = begun
        begun.pages.add(number)
        begun.size += size
        self._bytes += size

    def take(self, site: str) -> Begun | None:
        """The lesson of a site, once; ``None`` when none of its pages was read."""
        begun = self._begun.pop(site, None)
        if begun is not None:
            self._bytes -= begun.size
        return begun

    def _new(self) -> Begun | None:
        lesson = self._begin()
        return None if lesson is None else Begun(lesson)

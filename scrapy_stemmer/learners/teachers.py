"""Teachers: functions that know the text of a page, such as another extractor, a language model or saved labels."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from threading import Lock

Teacher = Callable[[str, str], "str | Awaitable[str | None] | None"]
"""A function of URL and HTML that gives the text of the page, ``None`` where it can't say; it may be a coroutine."""

TEACHER_PAGES = 3
"""Pages of each layout that a teacher is asked about."""

logger = logging.getLogger("scrapy_stemmer")


class AskedTeacher:
    """A teacher whose errors are logged and kept, and which raises none. May be asked by several threads.

    :param teacher: may take its time, and may be a coroutine, which is run here: it is asked where no event loop runs.
    """

    def __init__(self, teacher: Teacher) -> None:
        self._teacher = teacher
        self._lock = Lock()
        self._asked = 0
        self._errors: list[Exception] = []

    def __call__(self, url: str, html: str) -> str | None:
        """The text of a page; ``None`` when the teacher doesn't know it, "" when it fails."""
        failed: Exception | None = None
        text: str | None = ""
        try:
            text = self._ask(url, html)
        except Exception as error:  # a page that it can't do must not end the learning of its site
            logger.error(
                "Error while asking the teacher about %s: %s: %s", url, type(error).__name__, error, exc_info=error
            )
            failed = error
        with self._lock:
            self._asked += 1
            self._errors += [failed] if failed else []
        return text

    def _ask(self, url: str, html: str) -> str | None:
        found = self._teacher(url, html)
        if inspect.isawaitable(found):
            found = asyncio.run(_awaited(found))
        if found is not None and not isinstance(found, str):
            raise TypeError(f"the teacher must give text or None, not {type(found).__name__}")
        return found

    def taken(self) -> tuple[int, list[Exception]]:
        """How often it was asked, and what went wrong, since this was called last."""
        with self._lock:
            taken = self._asked, self._errors
            self._asked, self._errors = 0, []
        return taken

    def __reduce__(self) -> tuple[type[AskedTeacher], tuple[Teacher]]:
        return type(self), (self._teacher,)


async def _awaited(found: Awaitable[str | None]) -> str | None:
    return await found

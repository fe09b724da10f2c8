"""What is written into the items of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scrapy_stemmer.crawl.compat import without_collection
from scrapy_stemmer.strip import Stripped

FLAGS = ("matched", "pattern", "similarity", "kind", "confidence")
"""Results that are always written."""

CONTENTS = ("title", "text", "sub_text", "html")
"""Results that are written for pages that match, and don't replace what the spider has found."""


class PageResults:
    """The results for a page, which serve all its items.

    Only those are made that are asked for. The page's blocks, from which they are made, are not kept.
    """

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def read(self, strip: Callable[[], Stripped], contents: Iterable[str], least: float) -> Mapping[str, Any]:
        """The flags of a page, and of a page that matches its text too; others made before may be there as well.

        :param strip: strips the page; called if something is missing.
        :param contents: which contents are wanted of a page that is sure.
        :param least: the confidence from which on it is.
        """
        if not self._values or any(name not in self._values for name in _wanted(self._values, contents, least)):
            with without_collection():
                stripped = strip()
                values: dict[str, Any] = {}
                for name in FLAGS:
                    values[name] = getattr(stripped, name)
                for name in _wanted(values, contents, least):
                    values[name] = getattr(stripped, name)
                self._values |= values
                # Here, while nothing looks at it.
                del stripped
        return self._values


def is_sure(results: Mapping[str, Any], least: float) -> bool:
    """Whether the confidence in a page is high enough, if there is one.

    :param least: the lowest that is.
    """
    confidence: float | None = results["confidence"]
    return confidence is None or confidence >= least


def _wanted(results: Mapping[str, Any], contents: Iterable[str], least: float) -> tuple[str, ...]:
    """The contents that are made of a page: the text, which is counted, and when it is sure, those that are wanted."""
    if not results["matched"]:
        return ()
    return ("text", *contents) if is_sure(results, least) else ("text",)

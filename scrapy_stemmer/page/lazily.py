"""Properties computed on first access."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:
    from scrapy_stemmer._engine import native

    cached_property = native("keys.cached_property")
    """A property computed once and kept in the instance.

    As in Python 3.12 there is no lock: two threads may compute a value at once, and one value is kept.
    """

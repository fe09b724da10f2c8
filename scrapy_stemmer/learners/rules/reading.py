"""The reader of pages that is used: the native one where it is built for this version of lxml, else the plain one."""

from __future__ import annotations

from scrapy_stemmer._native import is_pure_wanted

__all__ = ["measures_of", "read"]

try:
    if is_pure_wanted():
        raise ImportError("plain Python is asked for")
    from scrapy_stemmer._native.measure import measures_of
    from scrapy_stemmer._native.read import read
except (ImportError, TypeError, ValueError):
    from scrapy_stemmer.learners.rules.read_py import read
    from scrapy_stemmer.learners.rules.texts import measures_in_python as measures_of

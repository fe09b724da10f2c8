"""The maker of features that is used: the native one where it is built, else the plain one."""

from __future__ import annotations

from scrapy_stemmer._native import is_pure_wanted
from scrapy_stemmer.learners.rules.features_py import NAMES

__all__ = ["NAMES", "features"]

try:
    if is_pure_wanted():
        raise ImportError("plain Python is asked for")
    from scrapy_stemmer._native.features import features
except (ImportError, TypeError, ValueError):
    from scrapy_stemmer.learners.rules.features_py import features

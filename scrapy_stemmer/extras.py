"""The packages of extras, which are imported when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from scrapy_stemmer.exceptions import MissingExtra


def needed(module: str, extra: str, purpose: str) -> Any:
    """A module of an extra.

    :param module: its name.
    :param extra: the extra that brings it.
    :param purpose: what it is needed for, as in "to read a.warc".
    :raises MissingExtra: when it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingExtra(
            f"{package} is needed {purpose}: pip install 'scrapy-stemmer[{extra}]' ({error})."
        ) from error

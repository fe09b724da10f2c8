"""Labels of advertisements, in many languages; `advertisements.json` has them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

LABELS = Path(__file__).with_name("advertisements.json")


def is_advertisement(text: str) -> bool:
    """Return True if a text says nothing but ``Advertisement``, in one of many languages."""
    return text.casefold().strip(" -\u2013\u2014:[]()|*") in _advertisements()


@cache
def _advertisements() -> frozenset[str]:
    return frozenset(json.loads(LABELS.read_bytes()))

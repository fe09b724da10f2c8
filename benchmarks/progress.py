"""Signs of life on long work."""

from __future__ import annotations

import sys
import time

from scrapy_stemmer.page.text import visible


def say(text: str) -> None:
    """A line on standard error, with the time of day, so that tables on standard output stay clean."""
    print(visible(f"{time.strftime('%H:%M:%S')} {text}"), file=sys.stderr, flush=True)

"""Signs of life on long work."""

from __future__ import annotations

import sys
import time


def say(text: str) -> None:
    """A line on standard error, with the time of day, so that tables on standard output stay clean."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)

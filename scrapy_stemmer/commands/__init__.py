"""Command line: ``scrapy stemmer`` and its sub-commands.

``command`` has the options, ``subcommands`` the work on pattern files. ``learn_stored``, ``strip_stored`` and
``report_stored`` read pages of ``sources``. ``stored_pages`` keeps samples, spreads the work and reports progress;
``page_forms`` formats pages.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

FORMATS = ("text", "jsonl", "csv", "markdown", "webstemmer")  # formats of stripped pages
CRAWL_FORMATS = ("jsonl", "csv", "markdown")  # formats of crawled pages


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C until the end of this context.

    It protects the start of processes, which would never end unknown, and imports, in whose callbacks Python drops
    exceptions.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda *signalled: came.append(signalled))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if came:
        handler(*came[0])

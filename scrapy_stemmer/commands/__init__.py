"""The command line: ``scrapy stemmer`` and its sub-commands.

``command`` has its options, ``subcommands`` what it does with pattern files; ``learn_stored`` and ``strip_stored`` read
pages of ``sources``, ``report_stored`` makes a report of them; ``stored_pages`` keeps a sample of these, spreads the
work and tells how far it is; ``page_forms`` has the forms in which pages are written.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

FORMATS = ("text", "jsonl", "csv", "markdown", "webstemmer")  # in which stripped pages are written


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C waits for the end of what stands in this context: the start of a process, which nobody would know of and
    ever end, and imports, in whose callbacks Python drops what is raised: the interrupted command would go on."""
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

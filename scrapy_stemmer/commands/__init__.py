"""Command line: ``scrapy stemmer`` and its sub-commands.

``command`` has the options, ``subcommands`` the work on pattern files. ``learn_stored``, ``strip_stored`` and
``report_stored`` read pages of ``sources``. ``stored_pages`` keeps samples, spreads the work and reports progress;
``page_forms`` formats pages.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from scrapy_stemmer.page.text import visible

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


def end_as_by_ctrl_c() -> None:
    """Let SIGTERM, and SIGHUP of a closed terminal, end a command as Ctrl-C does, unless they are ignored.

    A terminal may send SIGHUP twice, and a second Ctrl-C would end a crawl at once.
    """

    def end(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)
        signal.raise_signal(signal.SIGINT)

    for name in ("SIGHUP", "SIGTERM"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        is_main = threading.current_thread() is threading.main_thread()
        if number is not None and is_main and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)


def note(line: str) -> None:
    """Print a line on standard error, if there is still somebody to read it."""
    with suppress(OSError):  # a closed terminal
        sys.stderr.write(f"{visible(line)}\n")

"""Ctrl-C during imports and the start of processes."""

from __future__ import annotations

import argparse
import signal
import weakref
from collections.abc import Iterator

import pytest
from scrapy.settings import Settings

from scrapy_stemmer.commands import command, uninterrupted
from scrapy_stemmer.commands.command import INTERRUPTED, StemmerCommand
from tests.commands.subcommand import parse


@pytest.fixture(autouse=True)
def _handler() -> Iterator[None]:
    """Restore Python's handler, which may be ignored in background processes."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_a_callback() -> None:
    """Interrupt a callback of a weak reference, as in imports, where Python drops exceptions."""

    class Lock:
        pass

    lock = Lock()
    seen = weakref.ref(lock, lambda _: signal.raise_signal(signal.SIGINT))
    del lock
    assert seen() is None


def test_ctrl_c_waits_for_the_end() -> None:
    done = []

    def work() -> None:
        with uninterrupted():
            interrupt_a_callback()
            done.append("all")
        done.append("more")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["all"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_that_is_ignored_stays_so() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with uninterrupted():
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_ctrl_c_during_an_import(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def loaded(path: str) -> object:
        interrupt_a_callback()
        return never

    def never(opts: argparse.Namespace, settings: Settings) -> Iterator[str]:
        yield "it went on"

    monkeypatch.setattr(command, "load_object", loaded)
    stemmer = StemmerCommand()
    stemmer.settings = Settings()
    stemmer.run([], parse("show", "patterns.jsonl"))
    assert stemmer.exitcode == INTERRUPTED
    assert capsys.readouterr() == ("", "scrapy stemmer show: interrupted\n")

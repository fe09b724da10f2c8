"""Work on all cores, and how far it is."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator

import pytest

from scrapy_stemmer import StemmerError
from scrapy_stemmer.crawl import workers
from scrapy_stemmer.crawl.progress import Progress
from scrapy_stemmer.crawl.workers import cores, in_order


def square(number: int) -> int:
    return number * number


def die(_: int) -> None:
    os._exit(1)


def own_process(_: int) -> int:
    return os.getpid()


@pytest.mark.parametrize("processes", [1, 2])
def test_results_are_in_the_order_of_tasks_that_are_taken_as_needed(processes: int) -> None:
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    results = in_order(square, tasks(), processes)
    assert next(results) == 0
    assert len(taken) <= workers.AHEAD * 2 + 2
    assert [0, *results] == [number * number for number in range(100)]


def test_one_task_needs_no_other_process() -> None:
    assert list(in_order(own_process, [1], 2)) == [os.getpid()]
    assert os.getpid() not in list(in_order(own_process, [1, 2], 2))
    assert list(in_order(own_process, [], 2)) == []


def test_a_process_that_dies_is_told() -> None:
    with pytest.raises(StemmerError, match="A process has died"):
        list(in_order(die, range(3), 2))


def test_there_is_a_core() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)


class Terminal(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def counted(error_output: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> Progress:
    monkeypatch.setattr(sys, "stderr", error_output)
    progress = Progress()
    assert list(progress.reading("abc")) == ["a", "b", "c"]
    assert list(progress.sites([2, 3], 2, int)) == [2, 3]
    return progress


def test_a_bar_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, file = Terminal(), io.StringIO()
    assert counted(terminal, monkeypatch).pages == 3
    assert "reading: " in terminal.getvalue()
    assert "/2 [" in terminal.getvalue()
    assert counted(file, monkeypatch).summary.startswith("3 pages in ")
    assert file.getvalue() == ""


def test_without_its_extra_there_is_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    terminal = Terminal()
    assert counted(terminal, monkeypatch).pages == 3
    assert terminal.getvalue() == ""

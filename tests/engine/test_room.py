"""Native modules that do not fit are refused with advice."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from scrapy_stemmer import _engine

ROOT = Path(__file__).parents[2]


def test_a_module_that_was_not_built_is_an_error_that_says_how_to_build_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_engine, "__path__", [])
    monkeypatch.delitem(sys.modules, "scrapy_stemmer._engine.read")
    with pytest.raises(
        ImportError, match=r"_engine\.read was not built\. Build it again.*pip install.*make clean-build"
    ):
        _engine.native("read.read_page")


def test_one_of_another_version_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scrapy_stemmer._engine.read", ModuleType("read"))
    with pytest.raises(ImportError, match=r"is of another version: it has no elements_at.*Build it again"):
        _engine.native("read.elements_at")


@pytest.mark.parametrize("error", [ValueError, TypeError, ImportError])
def test_one_for_another_lxml_is(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> ModuleType:
        raise error("lxml.etree._Document size changed")

    monkeypatch.setattr(_engine, "import_module", refuse)
    with pytest.raises(
        ImportError, match=r"another lxml or Python \(lxml.etree._Document size changed\).*Build it again"
    ):
        _engine.native("read.read_page")


def test_what_is_missing_besides_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> ModuleType:
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")

    monkeypatch.setattr(_engine, "import_module", refuse)
    with pytest.raises(ModuleNotFoundError, match="numpy"):
        _engine.native("score.fill")


def test_modules_that_read_nodes_wrongly_are_refused_when_they_are_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: Any) -> list[object]:
        return ["?"]

    _engine.check_modules()
    monkeypatch.setattr("scrapy_stemmer._engine.shown.inside", wrong)
    with pytest.raises(ImportError, match=r"do not fit lxml \d.*Build it again"):
        _engine.check_modules()


@pytest.mark.slow
def test_all_agree_on_which_modules_there_are() -> None:
    built = runpy.run_path(str(ROOT / "setup.py"))["MODULES"]
    assert built == _engine.MODULES
    assert built == tuple(sorted(path.stem for path in (ROOT / "scrapy_stemmer").rglob("*.pyx")))


def test_functions_that_are_asked_for_are_there() -> None:
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "scrapy_stemmer").rglob("*.py"))
    used = {name for source in sources for name in re.findall(r'native\("(\w+\.\w+)"', source)}
    assert len(used) > 9
    assert all(map(callable, map(_engine.native, used)))

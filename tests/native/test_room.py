"""Which of the native modules are used, and that they can be done without."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from scrapy_stemmer import _native

ROOT = Path(__file__).parents[2]

CHOICES = """
from scrapy_stemmer import _native
from scrapy_stemmer.core import pruned_html
from scrapy_stemmer.learners.rules import sample_pages
print(sample_pages.read.__module__)
print(pruned_html.pruned_html.__module__)
print(*_native.missing())
"""


def printed(pure: str) -> list[str]:
    """What a new process says of the choices made in it."""
    environment = {**os.environ, _native.PURE: pure}
    done = subprocess.run([sys.executable, "-c", CHOICES], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_plain_python_is_used_where_it_is_wanted() -> None:
    plain = "scrapy_stemmer.learners.rules.columns"
    assert printed("1") == [plain, "scrapy_stemmer.core.pruned_html", "prune read score shown"]


@pytest.mark.slow
@pytest.mark.skipif(bool(_native.missing()), reason="no native modules here: make build")
@pytest.mark.parametrize("pure", ["", "0"])
def test_native_modules_are_used_where_they_are(pure: str) -> None:
    assert printed(pure) == ["scrapy_stemmer._native.read", "scrapy_stemmer._native.prune", ""]


@pytest.fixture
def wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Native modules are wanted, however the tests are run."""
    monkeypatch.setenv(_native.PURE, "0")


@pytest.mark.usefixtures("wanted")
@pytest.mark.parametrize(
    ("module", "reason"),
    [
        (None, "it was not built"),
        (ModuleType("read"), "it was built from another version, and has no read, elements_at"),
    ],
)
def test_what_cannot_be_used_is_done_in_python_and_the_reason_is_kept(
    module: ModuleType | None, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "scrapy_stemmer._native.read", module)
    assert _native.missing()["read"] == reason
    assert _native.native("read.read", "plain") == "plain"


@pytest.mark.usefixtures("wanted")
def test_a_module_for_another_lxml_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> ModuleType:
        raise ValueError("lxml.etree._Document size changed")

    monkeypatch.setattr(_native, "import_module", refuse)
    reason = "it was built for another lxml or Python: lxml.etree._Document size changed"
    assert _native.missing() == dict.fromkeys(_native.MODULES, reason)


@pytest.mark.slow
def test_all_agree_on_which_modules_there_are() -> None:
    built = runpy.run_path(str(ROOT / "setup.py"))["MODULES"]
    assert built == tuple(_native.MODULES)
    assert built == tuple(sorted(path.stem for path in (ROOT / "scrapy_stemmer").rglob("*.pyx")))


def test_functions_that_modules_must_have_are_those_that_are_used() -> None:
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "scrapy_stemmer").rglob("*.py"))
    used = {name for source in sources for name in re.findall(r'native\("(\w+\.\w+)"', source)}
    assert used == {f"{module}.{function}" for module, functions in _native.MODULES.items() for function in functions}

"""Which of the native modules are used, and that they can be done without."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

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


def test_plain_python_is_used_where_it_is_wanted() -> None:
    plain = "scrapy_stemmer.learners.rules.columns"
    assert printed("1") == [plain, "scrapy_stemmer.core.pruned_html", "prune read score shown"]


@pytest.mark.slow
@pytest.mark.skipif(bool(_native.missing()), reason="no native modules here: make build")
@pytest.mark.parametrize("pure", ["", "0"])
def test_native_modules_are_used_where_they_are(pure: str) -> None:
    assert printed(pure) == ["scrapy_stemmer._native.read", "scrapy_stemmer._native.prune", ""]


def test_all_agree_on_which_modules_there_are() -> None:
    built = runpy.run_path(str(ROOT / "setup.py"))["MODULES"]
    assert built == _native.MODULES
    assert built == tuple(sorted(path.stem for path in (ROOT / "scrapy_stemmer").rglob("*.pyx")))

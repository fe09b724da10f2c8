"""Chromium for tests: Debian's, or the program named by CHROMIUM."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec

import pytest

EXECUTABLE = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync "
    "--no-first-run --disable-quic"
).split()

VIEWPORT = {"width": 1600, "height": 4000}
"""Window width of the paper's program."""


def why_no_browser() -> str | None:
    """Why tests with a browser can't be run here; ``None`` when they can."""
    if EXECUTABLE is None:
        return "there is no chromium (apt-get install chromium, or set CHROMIUM to its path)"
    if find_spec("scrapy_playwright") is None:
        return "scrapy-playwright is not installed (extra `playwright`)"
    return None


needs_browser = pytest.mark.skipif(why_no_browser() is not None, reason=why_no_browser() or "")

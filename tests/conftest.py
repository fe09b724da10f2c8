"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.buildstate import problem

# Before anything is imported that could be compiled.
if os.environ.get("SCRAPY_STEMMER_PURE", "") in ("", "0") and (
    fault := problem(Path(__file__).parents[1] / "scrapy_stemmer")
):
    pytest.exit(fault, returncode=pytest.ExitCode.USAGE_ERROR)

# No test may fail because a machine is slow.
settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than five seconds; leave out with -m 'not slow'")


def pytest_report_header() -> str:
    """Says which of the two is tested."""
    from scrapy_stemmer import compiled

    return f"scrapy_stemmer: {'pure Python' if compiled.missing() else 'compiled'}"

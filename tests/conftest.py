"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from scrapy_stemmer import _native

# No test may fail because a machine is slow.
settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than five seconds; leave out with -m 'not slow'")


def pytest_report_header() -> str:
    """Says which of the two is tested."""
    missing = ", ".join(_native.missing())
    return f"scrapy_stemmer: {f'plain Python for {missing}' if missing else 'with native modules'}"

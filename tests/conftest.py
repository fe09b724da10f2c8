"""Fixtures of all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import processes

# No test may fail because a machine is slow, nor by chance: only the thorough profile draws new examples.
settings.register_profile("thorough", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("project", settings.get_profile("thorough"), max_examples=40, derandomize=True)
settings.register_profile("quick", settings.get_profile("thorough"), max_examples=20, derandomize=True)
settings.load_profile("project")


STARTERS = frozenset({"crawl", "stemmer", "template", "reader", "redis", "_s3"})
"""Fixtures with which a test starts crawls, servers, builds or commands in new processes."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that use slow fixtures as slow."""
    for item in items:
        if item.path.name.endswith("_crawls.py") or STARTERS.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("slow")


@pytest.fixture
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what programs print, beside the folder of the test."""
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture(scope="session", autouse=True)
def _server(request: pytest.FixtureRequest) -> None:
    """Start the server of processes before any test, with the imports of crawls."""
    if any(item.get_closest_marker("slow") for item in request.session.items):
        processes.start_server()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes seconds, or starts processes; make test-quick leaves it out")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores, for many slow tests wait for a crawl, a server or a browser."""
    return (os.cpu_count() or 1) + (config.option.markexpr != "not slow")

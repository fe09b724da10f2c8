"""Fixtures and options of all tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from tests import groups, processes

# No test may fail because a machine is slow.
settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("project"), max_examples=20)
settings.load_profile("project")


STARTERS = frozenset({"crawl", "start", "stemmer", "template", "reader", "redis", "_s3", "website_of_killed"})
"""Fixtures with which a test starts crawls, servers, builds or commands in new processes."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--groups", choices=("all", "changed"), default="all", help="run all groups, or see tests/groups.py"
    )
    parser.addoption("--left-out", default="", help="groups to leave out, by name; --groups changed finds them itself")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that use slow fixtures as slow, and leave out groups of tests."""
    for item in items:
        if item.path.name.endswith("_crawls.py") or STARTERS.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("slow")
    left_out = config.getoption("left_out").split()
    beyond = [item for item in items if groups.group_of(item.nodeid) in left_out]
    if beyond:
        config.hook.pytest_deselected(items=beyond)
        items[:] = [item for item in items if item not in set(beyond)]


@pytest.fixture(scope="session", autouse=True)
def _server(request: pytest.FixtureRequest) -> None:
    """Start the server of processes before any test, with the imports of crawls."""
    if any(item.get_closest_marker("slow") for item in request.session.items):
        processes.start_server()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes seconds, or starts processes; make test-quick leaves it out")
    if config.getoption("groups") == "changed" and not hasattr(config, "workerinput"):  # once, for all processes
        changed = groups.changed_files()
        left_out = () if changed is None else groups.unchanged(changed, groups.project_imports())
        config.option.left_out = " ".join(sorted(left_out))


def pytest_report_header(config: pytest.Config) -> str:
    return _told(config)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    terminalreporter.write_line(_told(config))


def _told(config: pytest.Config) -> str:
    left_out = config.getoption("left_out").split()
    if not left_out:
        return "groups of tests: all"
    return f"groups of tests left out, as their sources are unchanged (tests/groups.py): {', '.join(left_out)}"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores, for many slow tests wait for a crawl, a server or a browser."""
    return (os.cpu_count() or 1) + (config.option.markexpr != "not slow")

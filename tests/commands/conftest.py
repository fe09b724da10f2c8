"""The websites that commands fetch pages from, as crawls do."""

from collections.abc import Iterator

import pytest

from tests.crawl.conftest import website
from tests.crawl.website import bundled_newspaper

__all__ = ["website"]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of the newspaper of the demo."""
    with bundled_newspaper() as port:
        yield port

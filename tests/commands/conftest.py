"""The website that commands fetch pages from, as crawls do."""

from tests.crawl.conftest import website

__all__ = ["website"]

"""Results of the golden pages, compared with the stored ones."""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice
from pathlib import Path

import pytest
from lxml import etree

from scrapy_stemmer import Page
from tests.golden.results import (
    PAGES,
    SITES,
    Results,
    found_in,
    of_page,
    of_site,
    page_in,
    results_of,
    stored,
)
from tests.strategies import without_implied_p

MOST_LINES = 40  # of a difference

pytestmark = without_implied_p


def compare(results: Results, folder: Path) -> None:
    """Fail with the first lines that differ."""
    before = stored(folder)
    found: list[str] = []
    for name in sorted({*before, *results}):
        old, new = before.get(name, "").split("\n"), results.get(name, "").split("\n")
        found += unified_diff(old, new, f"{folder.name}/{name}", "now", n=1, lineterm="")
    if found or before.keys() != results.keys():
        told = "\n".join(line[:200] for line in islice(found, MOST_LINES))
        pytest.fail(f"The results of {folder.name} differ. `make golden` writes them, if that is meant.\n{told}", False)


@pytest.mark.parametrize("folder", found_in(PAGES), ids=lambda folder: folder.name)
def test_page(folder: Path) -> None:
    compare(of_page(folder), folder)


@pytest.mark.parametrize("folder", found_in(SITES), ids=lambda folder: folder.name)
def test_site(folder: Path) -> None:
    compare(of_site(folder), folder)


@pytest.mark.parametrize("folder", found_in(PAGES), ids=lambda folder: folder.name)
def test_a_tree_with_comments_gives_the_same(folder: Path) -> None:
    """Scrapy's trees have comments, pages parsed from bytes have none: their elements have other numbers."""
    page = page_in(folder)
    if isinstance(page.html, bytes) and b"<" in page.html:
        tree = etree.HTML(page.html, etree.HTMLParser(encoding="utf-8", huge_tree=True))
        found, plain = results_of(Page(page.url, tree)), results_of(page)
        for name in sorted(plain.keys() - {"blocks.txt"}):
            assert found[name].split() == plain[name].split(), name

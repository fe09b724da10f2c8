"""Kinds of the bundled site's pages, compared with their layouts."""

from __future__ import annotations

import json
from collections import Counter, defaultdict

import pytest

from scrapy_stemmer import Page, PageKind, learn
from tests.example_project.conftest import PROJECT

SITE = PROJECT / "demo_site"


def pages() -> dict[str, list[tuple[Page, str]]]:
    """The pages of each host, with their layouts."""
    found = defaultdict(list)
    types = json.loads((SITE / "content_types.json").read_text(encoding="utf-8"))
    for line in (SITE / "gold.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        name = row["url"].removeprefix("http://")
        path = SITE / "pages" / (name + "index.html" if name.endswith("/") else name)
        charset = types.get(row["url"], "").partition("charset=")[2] or None
        found[name.partition("/")[0]].append((Page(row["url"], path.read_bytes(), charset=charset), row["layout"]))
    return dict(found)


@pytest.mark.parametrize("host", ["heron.example", "ja.heron.example"])
def test_nearly_all_index_pages_are_lists_all_others_content(host: str) -> None:
    found = pages()[host]
    patterns = learn([page for page, _ in found[::3]])
    kinds = Counter((layout == "index", patterns.strip(page).kind) for page, layout in found)
    assert kinds[False, PageKind.CONTENT] == sum(layout != "index" for _, layout in found)
    assert kinds[True, PageKind.LIST] >= sum(layout == "index" for _, layout in found) - 1

"""The benchmark of fields, on an invented site."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import fields
from tests.fields.pages import AUTHORS, TOPICS, day, html, url

BYLINE = "<div class=byline>By <span class=who>{author}</span> on <span class=when>{day}</span></div>"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a site; one page has no author."""
    numbers = range(len(TOPICS))
    rows = [{"site": "a.example", "id": TOPICS[n], "url": url(n), "html": html(n, BYLINE)} for n in numbers]
    (tmp_path / "sites.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    values = {TOPICS[n]: {"authors": [AUTHORS[n]], "published": day(n)} for n in numbers}
    values["winter"] = {"authors": [], "published": "2001-01-01"}
    site = {"set": "sites", "site": "a.example", "meta_only": [], "values": values}
    (tmp_path / "fields").mkdir()
    (tmp_path / "fields" / "a.json").write_text(json.dumps(site))
    return tmp_path


def test_what_is_right_is_counted(data: Path) -> None:
    cases = list(fields.whole_sites(data, bare_tested=False, bare_learned=False))
    assert sorted(page.url for _, page, _ in cases) == sorted(map(url, range(6)))
    assert all(known and page.url not in {each.url for each in known} for known, page, _ in cases)
    row = fields.row_of(iter(cases), fields.ours())
    assert row[:4] == ["6", "100.0", "0.0", "83.3"]


@pytest.mark.parametrize(
    ("field", "found", "wanted", "is_right"),
    [
        ("authors", ["Bo Ek", "ANN LEE"], ["Ann Lee", "Bo Ek"], True),
        ("authors", ["Ann Lee"], ["Ann Lee", "Bo Ek"], False),
        ("authors", None, [], True),
        ("published", "2024-05-04T23:00:00", "2024-05-05", True),
        ("published", "2024-05-03", ["2024-05-05", "2024-05-06"], False),
        ("published", None, "2024-05-05", False),
    ],
)
def test_what_is_right(field: str, found: object, wanted: object, is_right: bool) -> None:
    assert fields.are_right(field, found, wanted) is is_right

"""Native modules on real pages."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest

from scrapy_stemmer import Page
from scrapy_stemmer.page.document import root_of, weight_of
from tests.engine.promises import read_and_written
from tests.engine.test_text import right

DATA = Path(__file__).parents[3] / "shared" / "data"

SETS = sorted(DATA.glob("*.jsonl.gz")) or [DATA / "none.jsonl.gz"]

MAX_PAGES, STEP = 5, 41
"""Pages of each set, and the step between them; sites in a set are contiguous."""


@pytest.mark.slow
@pytest.mark.parametrize("path", SETS, ids=lambda path: path.name.partition(".")[0])
def test_of_sets_of_real_pages(path: Path) -> None:
    if not path.is_file():
        pytest.skip("there are no sets of real pages here")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in islice(lines, 0, MAX_PAGES * STEP, STEP)]
    for row in (row for row in rows if not weight_of(row["html"]).is_too_complex):
        root = root_of(Page(row["url"], row["html"]))
        read_and_written(root)
        right(root)

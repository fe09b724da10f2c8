"""Native modules on real pages, compared with the Python of ``tests/reference``."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest

from scrapy_stemmer import Page
from scrapy_stemmer.learners.rules import output
from scrapy_stemmer.learners.rules.columns import Signatures, body_of
from scrapy_stemmer.learners.rules.page import RulesPage
from scrapy_stemmer.learners.rules.sample_columns import read
from scrapy_stemmer.learners.rules.site import Site
from scrapy_stemmer.page.blocks import Role
from scrapy_stemmer.page.document import Document, weight_of
from scrapy_stemmer.writing.markdown import markdown_of
from scrapy_stemmer.writing.plain_text import plain_text
from scrapy_stemmer.writing.pruned_html import pruned_pieces
from tests.engine.test_text import in_python
from tests.reference.columns import read_in_python
from tests.reference.markdown import markdown_in_python
from tests.reference.pruned_html import pruned_pieces_in_python

DATA = Path(__file__).parents[3] / "shared" / "data"

SETS = sorted(DATA.glob("*.jsonl.gz")) or [DATA / "none.jsonl.gz"]

MAX_PAGES, STEP = 40, 7
"""Pages compared of each set, and the step between them; sites in a set are contiguous."""


@pytest.mark.slow
@pytest.mark.parametrize("path", SETS, ids=lambda path: path.name.partition(".")[0])
def test_of_sets_of_real_pages(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not path.is_file():
        pytest.skip("there are no sets of real pages here")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in islice(lines, 0, MAX_PAGES * STEP, STEP)]
    for row in (row for row in rows if not weight_of(row["html"]).is_too_complex):
        document = Document(Page(row["url"], row["html"]))
        root, body = document.root, body_of(document.root)
        columns = read(body, Signatures())
        assert columns == read_in_python(body, Signatures()), row["url"]
        kept = columns.pieces[:: 1 + len(row["url"]) % 3]
        html = pruned_pieces(root, body, kept, row["url"])
        assert html == pruned_pieces_in_python(root, body, kept, row["url"]), row["url"]
        assert markdown_of(html, row["url"]) == markdown_in_python(html, row["url"]), row["url"]
        labels = RulesPage(Site.of_page(document))
        texts = []
        for each in (plain_text, in_python):
            monkeypatch.setattr(output, "plain_text", each)
            texts.append(labels.text(frozenset(Role)) if labels.has_text else "")
        assert texts[0] == texts[1], row["url"]

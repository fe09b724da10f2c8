"""Feeds in JSON Lines."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from scrapy_stemmer import Page, StemmerError
from scrapy_stemmer.crawl.sources.base import LeftOut
from scrapy_stemmer.crawl.sources.opened import opened

HTML = "<title>A</title><p>Text"

LINES = "\n".join(json.dumps({"url": f"https://ex.com/{n}", "html": HTML}) for n in (2, 1)) + "\n"


def pages(feed: Path, fields: tuple[str, str] = ("url", "html")) -> list[Page]:
    (source,) = opened([str(feed)], LeftOut(), fields=fields)
    return list(source.pages())


@pytest.mark.parametrize("name", ["items.jsonl", "items.jl", "items.jsonl.gz"])
def test_a_page_a_line_plain_or_compressed(tmp_path: Path, name: str) -> None:
    content = LINES.encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert pages(tmp_path / name) == [Page("https://ex.com/2", HTML), Page("https://ex.com/1", HTML)]


def test_the_fields_may_have_other_names(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"link": "https://ex.com/", "body": "<p>"}\n')
    assert pages(tmp_path / "a.jsonl", ("link", "body")) == [Page("https://ex.com/", "<p>")]


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"url": "https://ex.com/", "html": null}'])
def test_a_line_that_is_no_page_is_named(tmp_path: Path, line: str) -> None:
    feed = tmp_path / "items.jsonl"
    feed.write_text(f"\n{line}\n")
    with pytest.raises(
        StemmerError, match=r"items.jsonl, line 2: must be a JSON object with texts in 'url' and 'html'"
    ):
        pages(feed)


def test_a_feed_that_is_cut_off_or_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(LINES.encode())[:-20])
    (tmp_path / "latin.jsonl").write_bytes(b'{"url": "\xe9"}\n')
    for name in ("cut.jsonl.gz", "latin.jsonl"):
        with pytest.raises(StemmerError, match=f"{name} can't be read behind line"):
            pages(tmp_path / name)

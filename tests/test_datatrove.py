"""The stripping step of a datatrove pipeline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrapy_stemmer import Page, learn
from tests.crawl.website import Article
from tests.documentation import run, the_block

pytest.importorskip("datatrove", reason="datatrove is not installed: make spark")


@pytest.fixture
def patterns(tmp_path: Path) -> str:
    path = str(tmp_path / "p.jsonl")
    learn([Page(f"http://a.example/{n}", Article(n).html()) for n in range(6)]).save(path)
    return path


def document(url: str, text: Any) -> Any:
    from datatrove.data import Document

    return Document(text, url, metadata={"url": url})


def test_text_takes_the_place_of_html(patterns: str) -> None:
    from scrapy_stemmer.datatrove import Stripper

    step = Stripper(patterns)
    documents = [document(f"http://a.example/{n}", Article(n).html()) for n in range(6, 9)]
    (first, *_), broken = documents, document("http://a.example/broken", None)
    stripped = list(step.run([*documents, broken, document("http://a.example/empty", "")]))
    assert stripped == documents
    assert first.text.splitlines()[-3:] == Article(6).body
    assert (first.metadata["title"], first.metadata["matched"]) == (Article(6).headline, True)
    counts = {name: stat.total for name, stat in step.stats.stats.items()}
    assert (counts["total"], counts["forwarded"], counts["dropped_empty"], counts["error_TypeError"]) == (5, 3, 1, 1)


def test_fields_and_markdown_where_they_are_asked_for(patterns: str) -> None:
    from scrapy_stemmer.datatrove import Stripper

    html = Article(6).html().replace("<head>", "<head><meta name=author content='Ann Lee'>")
    given = [document("http://a.example/6", html.replace("</p>", " <b>bold</b></p>", 1)) for _ in range(2)]
    (without,) = Stripper(patterns).run(given[:1])
    (with_them,) = Stripper(patterns, fields=True, markdown=True).run(given[1:])
    assert ("authors" in without.metadata, with_them.metadata["authors"]) == (False, ["Ann Lee"])
    assert ("**bold**" in without.text, "**bold**" in with_them.text) == (False, True)


def test_the_pipeline_of_the_how_to_page(patterns: str, tmp_path: Path) -> None:
    import json

    rows = [{"url": f"http://a.example/{n}", "html": Article(n).html(), "text": "Not this"} for n in range(4)]
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "0.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run(
        the_block("docs/howto/archives.md", "LocalPipelineExecutor"),
        pages=str(tmp_path / "pages"),
        patterns=patterns,
        texts=str(tmp_path / "texts"),
    )
    (written,) = (tmp_path / "texts").glob("*.jsonl")
    documents = list(map(json.loads, written.read_text().splitlines()))
    assert [document["metadata"]["title"] for document in documents] == [Article(n).headline for n in range(4)]
    assert [document["text"].splitlines()[-1] for document in documents] == [Article(n).body[-1] for n in range(4)]


def test_what_is_no_page_is_told_once_and_counted(patterns: str) -> None:
    from datatrove.utils.logging import logger

    from scrapy_stemmer.datatrove import Stripper

    told: list[str] = []
    logger.add(told.append)
    step, without_url = Stripper(patterns), document("http://a.example/1", Article(6).html())
    without_url.metadata.clear()
    texts = [document(f"http://a.example/{n}", "The text of a page.") for n in range(2)]
    assert list(step.run([*texts, without_url])) == []
    counts = {name: stat.total for name, stat in step.stats.stats.items()}
    assert (counts["dropped_not_html"], counts["dropped_no_url"]) == (2, 1)
    assert "JsonlReader(..., text_key='html')" in told[0]
    assert "have no url" in told[1]
    assert len(told) == 2


def test_wrong_options_are_named() -> None:
    from scrapy_stemmer.datatrove import Stripper

    with pytest.raises(TypeError, match="options must be StripOptions"):
        Stripper("patterns.jsonl", options={})  # type: ignore[arg-type]

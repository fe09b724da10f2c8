"""The guide to chunks: pages split by its code, by hand and for langchain, which need not be installed."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_stemmer.commands.page_forms import asked_fields, form_of
from scrapy_stemmer.settings import StemmerConfig
from tests.commands.subcommand import parse
from tests.commands.subcommand import run as run_command
from tests.documentation import blocks, is_settings, run, the_block

GUIDE = "docs/howto/chunks.md"

PAGE = """<html lang=en><head><title>Hammers | Manual</title></head><body>
<nav class=breadcrumb><a href=/>Home</a> <a href=/tools/>Tools</a> Hammers</nav><main>
<h1 id=top>Hammers</h1><p>A hammer drives nails into wood, and it pulls them out again, if it is held so.</p>
<h3 id=care>Care</h3><p>Keep a hammer dry, and away from children, who like it as well as you do.</p>
<section id=use><h2>Use of <a href=/h><code>hammer</code></a></h2><p>Hold it at the end of its handle, and strike:</p>
<pre># comment of a shell
hammer --nail</pre><p>The nail goes in by one or two strokes, if the wood is soft enough for that.</p></section>
</main></body></html>"""


@pytest.fixture
def line(tmp_path: Path) -> dict[str, Any]:
    """Return the line of a page as the guide's command writes it."""
    command = shlex.split(blocks(GUIDE, "sh")[0])
    options = parse(*command[2:])
    assert form_of(options.output[1], options.format).is_folder
    assert asked_fields(options.fields, form_of(options.output[0], options.format), ())
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    given = ("--format", options.format, "--fields", options.fields, "-o", tmp_path / "pages.jsonl")
    run_command("strip", "--alone", tmp_path / "page.html", "--site", "docs.example", *given)
    written: dict[str, Any] = json.loads((tmp_path / "pages.jsonl").read_text(encoding="utf-8"))
    return {**written, **written.pop("fields")}


@pytest.fixture
def names() -> dict[str, Any]:
    return run(the_block(GUIDE, "def chunks"))


USE = "http://docs.example/page.html#use"


def test_a_chunk_has_the_headings_above_and_the_address_of_its_place(
    line: dict[str, Any], names: dict[str, Any]
) -> None:
    found = list(names["chunks"](line["url"], line["markdown"], line["headings"]))
    url = "http://docs.example/page.html"
    assert [(chunk["headings"], chunk["url"]) for chunk in found] == [
        (["Hammers"], f"{url}#top"),
        (["Hammers", "Care"], f"{url}#care"),
        (["Hammers", "Use of hammer"], USE),
    ]
    assert found[1]["text"].startswith("Keep a hammer dry")
    assert "# comment of a shell" in found[2]["text"]
    assert (line["section"], line["breadcrumbs"]) == ("Tools", ["Home", "Tools"])


@pytest.mark.parametrize(
    "code", ["```\n~~~~\n# no heading\n```", "~~~~ sh\n~~~\n# no heading\n~~~~~", "```\n# left open"]
)
def test_a_fence_is_closed_by_its_own_sign_and_no_line_is_lost(names: dict[str, Any], code: str) -> None:
    markdown = f"Before.\n\n# One\n\n```x``` is code\n\n{code}"
    assert [chunk["text"] for chunk in names["chunks"]("u", markdown, [])] == ["Before.", f"```x``` is code\n\n{code}"]
    if "open" not in code:
        after = [*names["chunks"]("u", f"{markdown}\n# Two\nend", [])]
        assert [(chunk["headings"], chunk["text"]) for chunk in after][2:] == [(["Two"], "end")]


def test_the_chunks_are_documents_of_langchain(
    line: dict[str, Any], names: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    stub = SimpleNamespace(Document=SimpleNamespace)
    monkeypatch.setitem(sys.modules, "langchain_core", SimpleNamespace(documents=stub))
    monkeypatch.setitem(sys.modules, "langchain_core.documents", stub)
    documents = run(the_block(GUIDE, "langchain_core"), **names)["documents"](line)
    assert documents[2].page_content.startswith("Hold it at the end")
    about = {"title": "Hammers", "section": "Tools", "headings": ["Hammers", "Use of hammer"], "url": USE}
    assert documents[2].metadata == about


def test_the_lines_of_the_file_are_read(
    line: dict[str, Any], names: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    (tmp_path / "pages.jsonl").write_text(json.dumps(line), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run(the_block(GUIDE, "with open"), **names)
    assert capsys.readouterr().out.splitlines()[0].startswith("Tools ['Hammers'] http://docs.example/page.html#top")


def test_the_setting_names_results_that_there_are() -> None:
    (block,) = filter(is_settings, blocks(GUIDE, "python"))
    given = {name: value for name, value in run(block).items() if name.isupper()}
    assert StemmerConfig.from_settings(Settings(given), "news").own_fields == set()

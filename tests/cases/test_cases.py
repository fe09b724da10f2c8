"""Golden sites, a directory each: learn from all pages, strip each page, compare the role of every block.

``case.json`` says what the case is about, the URL of its directory, and options that are not the defaults;
``pages/`` holds the pages as a server would send them; ``expected.json`` has for each page the pattern and, in
order, ``[role, text]`` of its blocks. When a change is meant, run with ``GOLDEN=write`` in the environment, which
writes ``expected.json`` anew, and read the difference before committing it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from scrapy_stemmer import Page, learn
from scrapy_stemmer.learners.base import options_of
from scrapy_stemmer.learners.literature.layout.learner import LayoutLearner, LayoutOptions

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/case.json"))


def pages_of(case: Path, url: str) -> dict[str, Page]:
    return {path.name: Page(url + path.name, path.read_bytes()) for path in sorted((case / "pages").iterdir())}


def write(path: Path, found: dict[str, Any]) -> None:
    """A block a line, for the sake of differences."""
    pages = []
    for name, page in found.items():
        blocks = ",\n".join("   " + json.dumps(block, ensure_ascii=False) for block in page["blocks"])
        head = f' {json.dumps(name)}: {{\n  "pattern": {json.dumps(page["pattern"])},\n  "blocks": [\n'
        pages.append(f"{head}{blocks}\n  ]}}")
    path.write_text("{\n" + ",\n".join(pages) + "\n}\n", encoding="utf-8")


@pytest.mark.parametrize("case", [pytest.param(path, id=path.name) for path in CASES])
def test_case(case: Path) -> None:
    setup = json.loads((case / "case.json").read_text(encoding="utf-8"))
    pages = pages_of(case, setup["url"])
    patterns = learn(pages.values(), LayoutLearner(options_of(LayoutOptions, setup["learner"])))
    found = {}
    for name, page in pages.items():
        stripped = patterns.strip(page)
        blocks = [[str(block.role), block.text] for block in stripped.blocks]
        found[name] = {"pattern": stripped.pattern, "blocks": blocks}
    if os.environ.get("GOLDEN") == "write":
        write(case / "expected.json", found)
    assert found == json.loads((case / "expected.json").read_text(encoding="utf-8"))

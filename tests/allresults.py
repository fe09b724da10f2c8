"""Prints all that is learned and stripped of the bundled site, as JSON, to be compared with that of another process."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.sets import bundled_set
from scrapy_stemmer import Page, Stripped, learn

SAMPLE = 10
"""Pages that are learned from, of each host."""


def described(stripped: Stripped) -> dict[str, Any]:
    """Everything about a stripped page."""
    return {
        "pattern": stripped.pattern,
        "similarity": stripped.similarity,
        "kind": stripped.kind,
        "confidence": stripped.confidence,
        "title": stripped.title,
        "text": stripped.text,
        "sub_text": stripped.sub_text,
        "html": stripped.html,
        "blocks": [repr(block) for block in stripped.blocks],
    }


def main() -> None:
    """Learn some pages of each host, strip all."""
    sites = bundled_set().sites.values()
    pages = [[Page(page.url, page.html) for page in site] for site in sites]
    patterns = learn([page for site in pages for page in site[:SAMPLE]])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "patterns.jsonl")
        patterns.save(str(file))
        lines = file.read_text(encoding="utf-8")
    found = {page.url: described(patterns.strip(page)) for site in pages for page in site}
    json.dump({"patterns": lines, "pages": found}, sys.stdout)


if __name__ == "__main__":
    main()

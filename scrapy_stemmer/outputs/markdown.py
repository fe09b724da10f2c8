"""Pages as Markdown, with front matter."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from scrapy_stemmer.core.markdown import markdown_of as markdown_of
from scrapy_stemmer.fields.rules import FIELDS
from scrapy_stemmer.patternset import Stripped

HEAD = ("title", "url", "matched", "kind", "confidence")  # what the front matter of a page begins with


def markdown_page(url: str, stripped: Stripped) -> str:
    """A page as Markdown: URL, title and more as front matter between lines of hyphens, the title as heading, the text.

    The front matter has the fields of the page too, those that it has.
    """
    told: dict[str, Any] = {name: url if name == "url" else getattr(stripped, name) for name in HEAD}
    told |= {name: value for name, value in stripped.fields.as_dict().items() if value and name in FIELDS}
    return markdown_file(told, stripped.markdown)


def markdown_file(told: Mapping[str, Any], markdown: str) -> str:
    """Return the text of a file with front matter, whose ``title`` becomes a heading, and Markdown below."""
    # JSON is YAML.
    lines = ["---", *(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in told.items()), "---", ""]
    if told.get("title") and not markdown.startswith("# "):
        lines += [f"# {told['title']}", ""]
    return "\n".join([*lines, markdown, ""])

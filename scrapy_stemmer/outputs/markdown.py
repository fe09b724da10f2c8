"""Markdown of stripped pages, with front matter: URL, title, and what else is known of a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from scrapy_stemmer.core.markdown import markdown_of as markdown_of
from scrapy_stemmer.patternset import Stripped

HEAD = ("title", "url", "matched", "kind", "confidence")
"""What front matter begins with."""


def markdown_page(url: str, stripped: Stripped, fields: Mapping[str, Any] | None = None) -> str:
    """A page as Markdown: URL, title and more as front matter between lines of hyphens, the title as heading, the text.

    :param fields: further lines of the front matter; empty ones are left out.
    """
    told = {"url": url, **{name: getattr(stripped, name) for name in HEAD if name != "url"}}
    head = {**{name: told[name] for name in HEAD}, **{name: value for name, value in (fields or {}).items() if value}}
    # JSON is YAML.
    lines = ["---", *(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items()), "---", ""]
    if stripped.title and not stripped.markdown.startswith("# "):
        lines += [f"# {stripped.title}", ""]
    return "\n".join([*lines, stripped.markdown, ""])

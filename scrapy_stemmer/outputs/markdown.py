"""Markdown of stripped pages: headings, lists, tables, code and links. Needs the extra ``markdown``."""

from __future__ import annotations

import json

from scrapy_stemmer.exceptions import needed
from scrapy_stemmer.fields.rules import FIELDS
from scrapy_stemmer.patternset import Stripped


def markdown_of(html: str, url: str | None = None) -> str:
    """HTML, such as that of :attr:`Stripped.html`, as Markdown.

    :param url: that of the page; links are relative to it, and become absolute. ``None`` leaves them as they are.
    :raises MissingExtra: without the extra ``markdown``.
    """
    library = needed("html_to_markdown", "markdown", "for Markdown")
    options = library.ConversionOptions(
        bullets="-", compact_tables=True, autolinks=False, extract_metadata=False, default_title=False, base_url=url
    )
    content: str | None = library.convert(html, options).content
    return (content or "").strip()


def markdown_page(url: str, stripped: Stripped, *, with_fields: bool = False) -> str:
    """A page as Markdown: URL and title as front matter between lines of hyphens, the title as heading, the text.

    :param with_fields: whether the front matter has the fields of the page too.
    :raises MissingExtra: without the extra ``markdown``.
    """
    text = markdown_of(stripped.html, url)
    head = {"url": url, "title": stripped.title, "matched": stripped.matched}
    if with_fields:
        head |= {name: value for name, value in stripped.fields.as_dict().items() if name in FIELDS}
    lines = ["---", *(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items()), "---", ""]
    if stripped.title and not text.startswith("# "):
        lines += [f"# {stripped.title}", ""]
    return "\n".join([*lines, text, ""])

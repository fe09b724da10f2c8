"""HTML as Markdown: CommonMark with the tables, deleted text and footnotes of GitHub, and formulas as TeX."""

from __future__ import annotations

from collections.abc import Callable

from scrapy_stemmer._native import native


def markdown_of(html: str, url: str | None = None, *, links: bool = True, images: bool = True) -> str:
    """HTML, such as that of :attr:`Stripped.html`, as Markdown.

    Code always stands at the margin, as it is, also that of a list, a quote or a definition; those go on behind it.

    :param url: that of the page; links are relative to it, and become absolute. ``None`` leaves them as they are.
    :param links: whether links are written; else only their texts. Footnotes stay.
    :param images: whether images are written; those of formulas are always.
    """
    return _markdown_of(html, url or "", links, images) if html.strip() else ""


_markdown_of: Callable[[str, str, bool, bool], str] = native("markdown.markdown_of")

heading_line: Callable[[str], str] = native("markdown.heading_line")
"""A text as a heading of the first level; "" for one without text."""

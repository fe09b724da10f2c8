"""HTML as Markdown: CommonMark with the tables, deleted text and footnotes of GitHub, and formulas as TeX."""

from __future__ import annotations

from collections.abc import Callable

from scrapy_stemmer._engine import native
from scrapy_stemmer.page.arguments import check


def markdown_of(html: str, url: str | None = None, *, links: bool = True, images: bool = True) -> str:
    """Return HTML, such as :attr:`Stripped.html`, as Markdown.

    Code always stands at the margin, unchanged. Lists, quotes and definitions go on behind code.

    :param url: URL of the page, to make links absolute; ``None`` leaves links unchanged.
    :param links: write links, instead of only their texts. Footnotes stay.
    :param images: write images; images of formulas are always written.
    :raises TypeError: for a value of a wrong type.
    """
    check("html", html, str, "a str")
    check("url", url, str | None, "a str or None")
    check("links", links, bool, "True or False")
    check("images", images, bool, "True or False")
    return _markdown_of(html, url or "", links, images) if html.strip() else ""


_markdown_of: Callable[[str, str, bool, bool], str] = native("markdown.markdown_of")

markdown_of_pieces: Callable[..., str] = native("markdown.markdown_of_pieces")
"""Return the Markdown of kept pieces: ``markdown_of_pieces(root, pieces, url, links, images, body, has_formulas)``; see
:data:`scrapy_stemmer.writing.pruned_html.pruned_html`.
"""

heading_line: Callable[[str], str] = native("markdown.heading_line")
"""Return a text as a heading of the first level; "" for an empty text."""

"""Faults of markup on real pages: each function returns a page with a kind of fault."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

MAIN = re.compile(r"<main\b.*</main>|<div class=\"l-main\".*<!-- /l-main -->", re.S)


def in_main(page: str, change: Callable[[str], str]) -> str:
    """Changes the main column only."""
    return MAIN.sub(lambda found: change(found.group()), page, count=1)


def unclosed_p(page: str) -> str:
    """No paragraph of the main column is closed."""
    return in_main(page, lambda main: main.replace("</p>", ""))


def unclosed_li(page: str) -> str:
    """No list item is closed."""
    return page.replace("</li>", "")


def misnested(page: str) -> str:
    """``<strong><em></strong></em>``."""
    return page.replace("</em></strong>", "</strong></em>")


def stray_end_tags(page: str) -> str:
    """End tags of elements that were never opened, in the text and before the footer."""
    page = in_main(page, lambda main: main.replace("</p>\n<p>", "</span></p></font>\n<p>", 2))
    return page.replace("<footer", "</div></center>\n<footer", 1)


def duplicate_attribute(page: str) -> str:
    """Elements with two class attributes; parsers keep the first."""
    return in_main(page, lambda main: re.sub(r'(<(?:div|ul|article)\b[^>]*class="[^"]*")', r'\1 class="legacy"', main))


def bare_ampersand(page: str) -> str:
    """Write ``&`` in place of ``&amp;``, in text and addresses."""
    return page.replace("&amp;", "&")


def no_doctype(page: str) -> str:
    """Neither doctype nor html, head and body tags."""
    return re.sub(r"</?(?:!doctype|html|head|body)\b[^>]*>\n?", "", page, flags=re.I)


FAULTS: Mapping[str, Callable[[str], str]] = {
    "unclosed-p": unclosed_p,
    "unclosed-li": unclosed_li,
    "misnested": misnested,
    "stray-end-tags": stray_end_tags,
    "duplicate-attribute": duplicate_attribute,
    "bare-ampersand": bare_ampersand,
    "no-doctype": no_doctype,
}


def spoil(page: str, fault: str) -> str:
    """The page with the named fault.

    :raises ValueError: when the fault is unknown or leaves the page as it was.
    """
    if fault not in FAULTS:
        raise ValueError(f"unknown fault {fault!r}; known: {', '.join(FAULTS)}")
    spoiled = FAULTS[fault](page)
    if spoiled == page:
        raise ValueError(f"the fault {fault!r} has nothing to act on in this page; give it to another one")
    return spoiled

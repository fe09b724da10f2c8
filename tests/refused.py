"""Scripts and foreign markup that written HTML and Markdown must not have."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from markdown_it import MarkdownIt

SCRIPT_SCHEMES = ("javascript:", "vbscript:", "data:text")

OURS = frozenset(
    "p a h1 h2 h3 h4 h5 h6 em strong code pre img ul ol li blockquote hr br sub sup table "
    "thead tbody tr th td s".split()
)
"""Elements in HTML rendered from Markdown."""

OWN_STYLES = ("white-space: pre", "white-space: pre-line", "white-space: pre-wrap", "white-space: break-spaces")
"""Styles that HTML written here may have."""

COMMENT = "<!-- -->"  # between two lists


def refuse_markup(text: str) -> None:
    """Raise for Markdown rendered to foreign elements or scripts, where HTML may stand."""
    for preset in ("commonmark", "gfm-like"):
        rendered = MarkdownIt(preset, {"html": True, "linkify": False})
        rendered.validateLink = lambda url: True  # type: ignore[method-assign]
        html = rendered.render(text)
        refuse_scripts(html)
        finder = ScriptFinder()
        finder.feed(html.replace(COMMENT, ""))
        finder.close()
        if finder.names - OURS or finder.odd:
            raise AssertionError(f"Markdown holds {sorted(finder.names - OURS)}{finder.odd}: {text!r}")


class ScriptFinder(HTMLParser):
    """Finder of scripts that a browser would run in HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.names: set[str] = set()
        self.odd: list[str] = []

    def handle_comment(self, data: str) -> None:
        self.odd.append(data)

    def handle_decl(self, decl: str) -> None:
        self.odd.append(decl)

    def unknown_decl(self, data: str) -> None:
        self.odd.append(data)

    def handle_pi(self, data: str) -> None:
        self.odd.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        if tag == "script":
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            address = re.sub(r"[\x00-\x20]", "", value or "").lower()
            is_styled = name == "style" and value not in OWN_STYLES
            if name.startswith("on") or is_styled or address.startswith(SCRIPT_SCHEMES):
                self.found.append(f"<{tag} {name}={value!r}>")


def refuse_scripts(html: str) -> None:
    """Raise for HTML with a script, an event handler or a script's address."""
    finder = ScriptFinder()
    finder.feed(html)
    finder.close()
    if finder.found:
        raise AssertionError(f"written HTML runs {finder.found}: {html!r}")

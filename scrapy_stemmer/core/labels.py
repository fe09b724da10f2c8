"""The names for what blocks and pages are; every system uses the same."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What a block is on its page."""

    TITLE = "title"
    SUBTITLE = "subtitle"
    MAIN = "main"
    TABLE = "table"
    CODE = "code"
    CAPTION = "caption"
    BYLINE = "byline"
    COMMENT = "comment"
    RELATED = "related"
    SUB = "sub"
    TEMPLATE = "template"


MAIN_ROLES = frozenset({Role.MAIN, Role.SUBTITLE, Role.TABLE, Role.CODE})
"""The main text: running text, and what belongs to it."""

SUB_ROLES = frozenset({Role.SUB, Role.CAPTION, Role.BYLINE, Role.COMMENT, Role.RELATED})
"""What varies from page to page and is not main text; :attr:`Role.SUB` is what has no name of its own."""


class PageKind(StrEnum):
    """What a page is there for."""

    CONTENT = "content"
    LIST = "list"
    ERROR = "error"
    CONSENT = "consent"

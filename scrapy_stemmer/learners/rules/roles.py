"""What a block is on its page: which kind of text, or why it is none.

Elements tell in any language; names only where sites use the common ones. They never decide whether a block is text.
"""

from __future__ import annotations

from collections.abc import Iterable

from scrapy_stemmer.core.labels import Role
from scrapy_stemmer.learners.rules.names import GROUPS, hints_of
from scrapy_stemmer.learners.rules.sample import Paths

LONG = 100
"""Characters of a block that is no byline."""

MOSTLY_LINKS = 0.9
"""A block with this share of its text in links is a link."""

OFTEN = 0.5
"""Text on this share of the other pages is template, whatever it is called."""

_HINT = {group: 1 << number for number, group in enumerate(GROUPS)}

_ROLES_BY_NAME = (
    (_HINT["comment"], Role.COMMENT),
    (_HINT["caption"], Role.CAPTION),
    (_HINT["related"] | _HINT["item"], Role.RELATED),
    (_HINT["byline"], Role.BYLINE),
)
"""What blocks that are no text are by the names of the elements around them; the first that holds."""

_TELLING = frozenset({"figure", "figcaption", "nav", "footer", "aside", "form", "pre"})
"""Elements that tell what a block in them is there for."""

_CHROME = _HINT["navigation"] | _HINT["footer"] | _HINT["sidebar"] | _HINT["social"] | _HINT["popup"]


def role_of_names(names: Iterable[str]) -> Role | None:
    """The role of dropped text by the names of one element; ``None`` where they hint at none.

    :param names: as ``#id`` and ``.class``.
    """
    hints = 0
    for name in names:
        hints |= hints_of(name[1:])
    if hints & _CHROME:
        return None
    return next((role for bits, role in _ROLES_BY_NAME if hints & bits), None)


class PathRoles:
    """The roles that blocks have by the paths that they stand on; worked out when first asked for.

    :param paths: of a site; they may grow.
    """

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._of_text: dict[int, Role] = {}
        self._of_other: dict[tuple[int, bool, bool, bool], Role] = {}
        self._hints: dict[int, int] = {-1: 0}
        self._tags: dict[int, frozenset[str]] = {-1: frozenset()}

    def of_text(self, path: int) -> Role:
        """The role of text on a path: main text, subtitle, a table's cell or code."""
        found = self._of_text.get(path)
        if found is None:
            found = self._of_text[path] = self._text_role(path)
        return found

    def of_other(self, path: int, *, is_short: bool, is_link: bool, is_inside: bool) -> Role:
        """The role of a block that is no text.

        :param is_short: whether it is short enough for a byline.
        :param is_link: whether it is a link as a whole.
        :param is_inside: whether it stands between blocks of text.
        """
        key = (path, is_short, is_link, is_inside)
        found = self._of_other.get(key)
        if found is None:
            found = self._of_other[key] = self._other_role(path, is_short, is_link, is_inside)
        return found

    def _other_role(self, path: int, is_short: bool, is_link: bool, is_inside: bool) -> Role:
        hints = self._hints_of(path)
        tags = self._tags_of(path)
        if hints & _ROLES_BY_NAME[0][0] and not is_link:
            return Role.COMMENT
        if tags & {"figure", "figcaption"}:
            return Role.CAPTION
        for bits, role in _ROLES_BY_NAME[1:]:
            if hints & bits and not (role is Role.BYLINE and not is_short) and not hints & _CHROME:
                return role
        if tags & {"nav", "footer", "aside", "form"} or hints & _CHROME:
            return Role.TEMPLATE
        if is_inside:
            return Role.RELATED if is_link else Role.SUB
        return Role.TEMPLATE

    def _text_role(self, path: int) -> Role:
        tag = self._paths.components[path].tag
        if "pre" in self._tags_of(path):
            return Role.CODE
        if tag in ("td", "th", "caption"):
            return Role.TABLE
        if self._hints_of(path) & _HINT["subtitle"] and tag in ("h2", "h3", "p", "div"):
            return Role.SUBTITLE if _HINT["subtitle"] & self._own_hints(path) else Role.MAIN
        return Role.MAIN

    def _hints_of(self, path: int) -> int:
        new = []
        while path not in self._hints:
            new.append(path)
            path = self._paths.parents[path]
        found = self._hints[path]
        for each in reversed(new):
            found = self._hints[each] = found | self._own_hints(each)
        return found

    def _own_hints(self, path: int) -> int:
        bits = 0
        for name in self._paths.components[path].names:
            found = hints_of(name[1:])
            # ``related`` hints at both, and says what it is.
            bits |= found & ~_HINT["sidebar"] if found & _HINT["related"] else found
        return bits

    def _tags_of(self, path: int) -> frozenset[str]:
        """Those of :data:`_TELLING` that a path leads through."""
        new = []
        while path not in self._tags:
            new.append(path)
            path = self._paths.parents[path]
        found = self._tags[path]
        for each in reversed(new):
            tag = self._paths.components[each].tag
            found = self._tags[each] = found | {tag} if tag in _TELLING else found
        return found

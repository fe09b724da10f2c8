"""Roles of blocks, and kinds of pages: content or list.

Links, lengths, numbers and elements tell in any language; names only on sites that use common names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from scrapy_stemmer.learners.rules.site.columns import MOSTLY_LINKS
from scrapy_stemmer.learners.rules.site.hints import GROUPS, hints_of
from scrapy_stemmer.learners.rules.site.paths import Paths
from scrapy_stemmer.page.blocks import PageKind, Role
from scrapy_stemmer.page.elements import SHAPED
from scrapy_stemmer.page.shown import Head

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

# Kinds of pages

LINK_SHARE = 0.4  # share of a list's text in links,
ARTICLE_LINK_SHARE = 0.6  # or if metadata call the page an article;
TEASER_SHARE = 0.7  # or share of text in teasers: links, with blocks behind
TEASER_REACH = 2  # blocks behind each link
MIN_TEASERS = 3  # links in a list, at least
MIN_TEASER_LINKED = 0.05  # and share of text in links; lists have .09 or more, terms with definitions less
MIN_LINK_BLOCKS = 0.2  # share of link blocks in a list, at least


def page_kind(page: ReadPage, text: Sequence[int], often: float, head: Head) -> PageKind:
    """Return the kind of a regular page. A list is mostly links, or teasers: links with text behind each.

    A page with the data of a product is content.

    :param text: the blocks of text; of a page without text all blocks.
    :param often: number of learned pages whose common texts are not the page's own.
    """
    lengths, in_links, is_article = page.lengths, page.linked, head.is_article
    if head.is_product or all(in_links[at] < LINK_SHARE * lengths[at] for at in text):
        return PageKind.CONTENT  # repeated or not
    total = linked = blocks = links = teasers = reach = 0
    for at in text:
        is_link = page.is_link(at, MOSTLY_LINKS)
        reach = TEASER_REACH + 1 if is_link else reach - 1
        if not page.is_repeated(at, often):
            total, linked = total + lengths[at], linked + in_links[at]
            blocks, links = blocks + 1, links + is_link
            teasers += lengths[at] if reach > 0 else 0
    if total and linked >= (ARTICLE_LINK_SHARE if is_article else LINK_SHARE) * total:
        return PageKind.LIST
    if is_article or links < max(MIN_TEASERS, MIN_LINK_BLOCKS * blocks) or linked < MIN_TEASER_LINKED * total:
        return PageKind.CONTENT
    return PageKind.LIST if teasers >= TEASER_SHARE * total else PageKind.CONTENT


# Roles of blocks

BYLINE_LENGTH = 100  # a byline has fewer characters
TEMPLATE_SHARE = 0.5  # text on this share of pages is template in any element
_HINT = {group: 1 << number for number, group in enumerate(GROUPS)}
# Roles of dropped blocks by names of the elements around; the first match counts.
_ROLES_BY_NAME = (
    (_HINT["comment"], Role.COMMENT),
    (_HINT["caption"], Role.CAPTION),
    (_HINT["related"] | _HINT["item"], Role.RELATED),
    (_HINT["byline"], Role.BYLINE),
)
_TELLING = SHAPED | {"figure", "figcaption", "nav", "footer", "aside", "form"}  # tags with a hint for their content
_CHROME = _HINT["navigation"] | _HINT["footer"] | _HINT["sidebar"] | _HINT["social"] | _HINT["popup"]


def role_of_names(names: Iterable[str]) -> Role | None:
    """Return the role of dropped text by the names ``#id`` and ``.class`` of an element; ``None`` without a hint."""
    hints = reduce(or_, (hints_of(name[1:]) for name in names), 0)
    return None if hints & _CHROME else next((role for bits, role in _ROLES_BY_NAME if hints & bits), None)


class PathRoles:
    """Roles of blocks by paths of a site. The paths may grow."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._known: dict[int, tuple[int, frozenset[str]]] = {}  # hints of names, and tags of _TELLING, along each path
        self._others: dict[tuple[int, bool, bool, bool], Role] = {}  # answers of :meth:`of_other`

    def of_text(self, path: int) -> Role:
        """Return the role of text on a path: main text, subtitle, table or code."""
        tag = self._paths.components[path].tag
        hints, tags = self._around(path)
        if "pre" in tags:
            return Role.CODE
        if tag in ("td", "th", "caption"):
            return Role.TABLE
        may_be = hints & _HINT["subtitle"] and tag in ("h2", "h3", "p", "div")
        return Role.SUBTITLE if may_be and self._own_hints(path) & _HINT["subtitle"] else Role.MAIN

    def of_other(self, path: int, *, is_short: bool, is_link: bool, is_inside: bool) -> Role:
        key = path, is_short, is_link, is_inside
        role = self._others.get(key)
        if role is None:
            role = self._others[key] = self._of_other(path, is_short=is_short, is_link=is_link, is_inside=is_inside)
        return role

    def _of_other(self, path: int, *, is_short: bool, is_link: bool, is_inside: bool) -> Role:
        hints, tags = self._around(path)
        if hints & _HINT["comment"] and not is_link:
            return Role.COMMENT
        if tags & {"figure", "figcaption"}:
            return Role.CAPTION
        if hints & _CHROME:
            return Role.TEMPLATE
        for bits, role in _ROLES_BY_NAME[1:]:
            if hints & bits and (role is not Role.BYLINE or is_short):
                return role
        if tags & {"nav", "footer", "aside", "form"} or not is_inside:
            return Role.TEMPLATE
        return Role.RELATED if is_link else Role.SUB

    def _around(self, path: int) -> tuple[int, frozenset[str]]:
        if path < 0:
            return 0, frozenset()
        if path not in self._known:
            hints, tags = self._around(self._paths.parents[path])
            self._known[path] = hints | self._own_hints(path), tags | (_TELLING & {self._paths.components[path].tag})
        return self._known[path]

    def _own_hints(self, path: int) -> int:
        bits = 0
        for name in self._paths.components[path].names:
            found = hints_of(name[1:])
            # ``related`` is a hint of a sidebar too, but more telling.
            bits |= found & ~_HINT["sidebar"] if found & _HINT["related"] else found
        return bits

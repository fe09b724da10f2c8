"""Checks of a page before it is read."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from scrapy_stemmer.page.scripts import LD_JSON, is_of_mathjax
from scrapy_stemmer.page.shown import NAMED_BY, Metadata, _is_shadow, _may_be_code, _measured, _templates


def look_in_python(root: etree._Element, body: etree._Element | None, few: int) -> tuple[bool, Metadata]:
    """Return True if nothing remains to be done: enough text, no template that browsers might replace, and no field
    that may show code. Also return the page's metadata.

    :param body: the element of the tree that is shown; ``None`` for none.
    :param few: fewer characters in it are not enough.
    """
    return body is None or _is_plain(body, few), list(_metadata_in(root))


def _is_plain(body: etree._Element, few: int) -> bool:
    is_built = any(_is_shadow(each) or ":" in (each.get("id") or "") for each in _templates(body))
    return not is_built and not any(map(_may_be_code, body.iter("textarea", "div"))) and _measured(body, few)[0] >= few


def _metadata_in(root: etree._Element) -> Iterator[tuple[str, tuple[str, ...], str]]:
    space = root.tag[: root.tag.index("}") + 1] if isinstance(root.tag, str) and root.tag.startswith("{") else ""
    moved: etree._Element | None = None  # the body in which misplaced head content was met
    for element in root.iter(*(f"{space}{name}" for name in "title meta script link math input ruby".split())):
        tag, outer = str(element.tag).removeprefix(space), element.getparent()
        if tag in ("meta", "title") and outer is not None and outer.tag == f"{space}body":
            moved = outer
        if tag == "meta":
            yield tag, _names_of(element, space), element.get("content", "")
        elif tag == "link":
            if _is_canonical(element, space, moved):
                yield tag, (), element.get("href", "")
        elif tag == "script" and is_of_mathjax(element):
            yield "math", (), ""
        elif _is_said(element, tag, space):
            yield tag, (), (element.text or "") if tag in ("title", "script") else ""


def _is_said(element: etree._Element, tag: str, space: str) -> bool:
    kind = element.get("type", "").lower()
    if tag == "title":  # an svg in the body may have a title: an icon's
        return bool(element.text) and next(element.iterancestors(f"{space}svg"), None) is None
    return kind == "checkbox" if tag == "input" else LD_JSON in kind if tag == "script" else True


def _names_of(meta: etree._Element, space: str) -> tuple[str, ...]:
    outer = meta.getparent()
    around = "" if outer is None or not isinstance(outer.tag, str) else outer.tag.removeprefix(space)
    return (*(meta.get(name, "") for name in NAMED_BY), around)


def _is_canonical(link: etree._Element, space: str, moved: etree._Element | None) -> bool:
    """Return True for a canonical link, in the head, or in the body behind misplaced head content moved by parsers.

    :param moved: the body in which that content was met before the link.
    """
    outer = link.getparent()
    if "canonical" not in link.get("rel", "").lower().split() or outer is None:
        return False
    return outer.tag == f"{space}head" or (outer is moved and outer.tag == f"{space}body")

"""Pages as a browser draws them, made harmless, with marked blocks, for a sandboxed frame.

Three measures stop hostile pages: only elements and attributes for drawing are written, without addresses; the
document's Content-Security-Policy allows no script, form or request; and its frame is sandboxed without scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from lxml import etree

from scrapy_stemmer.learners.rules.site.columns import body_of
from scrapy_stemmer.page.addresses import IMAGE_DATA, safe_address
from scrapy_stemmer.page.elements import CONTROLS, NAME, RAW, WITHOUT_TEXT
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.patterns.base import LabelledBlock
from scrapy_stemmer.writing.pruned_html import holders_of

MARK = "stemmer-block"  # element around each piece of a block's text, unknown to style sheets of pages

UNDRAWN = frozenset(
    "script noscript template iframe frame frameset object embed applet audio video canvas base link meta title "
    "portal fencedframe param source track foreignobject animate set animatetransform animatemotion".split()
)
"""Elements that draw nothing, or that load, run or animate something."""

FOCUSED = CONTROLS | {"summary"}  # elements reached by keyboard in a page, but not here

DRAWING = frozenset(
    "class id style lang dir hidden alt width height align valign colspan rowspan start value reversed open bgcolor "
    "color face size border cellpadding cellspacing nowrap span type placeholder "
    "viewbox d fill stroke stroke-width stroke-linecap stroke-linejoin points x y x1 y1 x2 y2 cx cy r rx ry transform "
    "preserveaspectratio opacity fill-rule clip-rule fill-opacity stroke-opacity".split()
)
"""Attributes that only affect drawing."""

_DATA_ATTRIBUTE = re.compile(r"data-(?!stemmer)[a-z0-9-]+")
_IMPORT = re.compile(r"@import[^;]*;?", re.IGNORECASE)
# An unclosed address ends with the sheet.
_URL = re.compile(
    r"""(?:url|src)\(\s*+(?!["']?data:)(?:"[^"]*+"\)|'[^']*+'\)|[^)]*+(?:\)|\Z))|image-set\([^)]*+(?:\)|\Z)""",
    re.IGNORECASE,
)

_NO_TEXT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_TEMPLATES = Environment(
    loader=PackageLoader(__package__, ""),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.filters["counted"] = counted
_TEMPLATES.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}


def clean(text: str) -> str:
    return _NO_TEXT.sub("\ufffd", text)


def rendered(template: str, **values: Any) -> str:
    return clean(_TEMPLATES.get_template(template).render(values))


def frame_of(root: etree._Element, blocks: Sequence[LabelledBlock], groups: Sequence[str], base: str | None) -> str:
    """Return the document of a page's frame."""
    # Marks are elements of HTML, which SVG and MathML cannot hold.
    drawings = {element for drawing in root.iter("svg", "math") for element in drawing.iter()}
    pieces = [[piece for piece in block.block.pieces if piece.element not in drawings] for block in blocks]
    kept = [group in ("title", "text") for group in groups]
    text = holders_of([piece for own, is_text in zip(pieces, kept, strict=True) if is_text for piece in own])
    body = body_of(root)
    off = [element for element in body.iterdescendants("*") if _is_off(element, text)]
    for element in body.iter(MARK):
        element.tag = "span"  # otherwise taken for a mark, which is not cleaned
    for number, own in enumerate(pieces):
        style = f"--s:{abs(2 * blocks[number].noise_confidence - 1):.2f}"
        marks = {"data-stemmer-block": str(number), "data-stemmer-role": groups[number], "style": style}
        if not kept[number]:
            marks["data-stemmer-off"] = ""
        for element, is_tail in own:
            mark = etree.Element(MARK, marks)
            mark.text = clean((element.tail if is_tail else element.text) or "")
            if is_tail:
                element.tail = None
                element.addnext(mark)
            else:
                element.text = None
                element.insert(0, mark)
    has_head = root is not body
    styles = list(_styles(root, body, base)) if has_head else []
    attributes = _attributes_of(root, base) if has_head else {}
    _clean_tree(body, base)
    for element in off:
        element.set("data-stemmer-off", "")
    body.tag = "body"
    written = etree.tostring(body, method="html", encoding="unicode", with_tail=False)
    return rendered("frame.html", attributes=attributes, base=base, styles=styles, body=written)


def _is_off(element: etree._Element, text: tuple[set[etree._Element], set[etree._Element]]) -> bool:
    """Return True if an element holds no kept text, but the parent does."""
    parent, (with_text, holders) = element.getparent(), text
    if element in holders or (parent not in holders and holders):
        return False
    return not (element.tag in WITHOUT_TEXT and parent in with_text)


def _clean_tree(body: etree._Element, base: str | None) -> None:
    for element in list(body.iter()):
        name = element.tag if isinstance(element.tag, str) else ""
        if name == "style":
            css = clean_css(element.text or "", base)
            element.clear(keep_tail=True)
            element.text = css
        elif not name or name in UNDRAWN:
            element.clear(keep_tail=True)
            if name:
                element.tag = MARK
        elif name in RAW or not NAME.fullmatch(name):
            element.tag = "span"
        if name and name != MARK:
            attributes = _attributes_of(element, base)
            element.attrib.clear()
            element.attrib.update({**attributes, "tabindex": "-1"} if name in FOCUSED else attributes)


def _attributes_of(element: etree._Element, base: str | None) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for key, value in element.items():
        if key == "style":
            attributes[key] = clean_css(value, base)
        elif key in DRAWING or _DATA_ATTRIBUTE.fullmatch(key):
            attributes[key] = clean(value)
        elif key == "src" and element.tag == "img":
            if IMAGE_DATA.match(value):
                attributes[key] = clean(value)
            elif base is not None and (url := _web_url(base, value)):
                attributes[key] = url
    return attributes


def clean_css(css: str, base: str | None) -> str:
    """Return style rules without requests, unless the page may load style sheets, and without an end of the element."""
    if base is None:
        css = _URL.sub("none", _IMPORT.sub("", css))
    return clean(css).replace("</", "<\\/")


def _styles(root: etree._Element, body: etree._Element, base: str | None) -> Iterator[tuple[str, str | None]]:
    """Yield the style sheets outside a page's body in order, as (rules, address)."""
    for element in root.iter("style", "link"):
        if element.tag == "style" and body not in element.iterancestors():
            yield clean_css(element.text or "", base), None
        url = base and element.tag == "link" and _web_url(base, element.get("href") or "")
        if url and "stylesheet" in (element.get("rel") or "").lower().split():
            yield "", url


def _web_url(base: str, address: str) -> str | None:
    url = clean(safe_address(address, base) or "")
    return url if url.startswith(("http://", "https://")) else None

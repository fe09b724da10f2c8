"""What a browser knows of a page's texts, noted down in the page itself: the script that writes it, and its reader.

After Zhou & Sun, section 3.1, and their program. In the browser each text belongs to the first element
around it that has a width and a height of its own; inline elements have none. The script writes what it finds into
attributes, so that the elements are found again when the page's HTML is parsed, whatever parser reads it:

- ``data-stemmer-block="690 3"`` on an element that texts belong to: its width in pixels, and the number of its
  style;
- ``data-stemmer-hidden=""`` on an element whose own text has no area on the screen;
- ``data-stemmer-styles`` on the body: the styles of the page, each the CSS that differs from the body's own;
- ``data-stemmer-box="449 1882 690 96"`` on every element of the body that has an area: left, top, width and height in
  pixels, for learners that go by areas.

``without_marks`` takes them out of the HTML again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from string import Template
from typing import NamedTuple

from lxml import etree

BLOCK = "data-stemmer-block"
HIDDEN = "data-stemmer-hidden"
STYLES = "data-stemmer-styles"
BOX = "data-stemmer-box"

UNRENDERED = frozenset({"script", "style", "noscript", "template"})  # elements whose text is never on the screen

SCRIPT = Template(
    """
() => {
  const [BLOCK, HIDDEN, STYLES, BOX] = $names;
  const unrendered = new Set($unrendered);
  // CSS that follows from how much text a block holds, and would put each into a group of its own. The program left out
  // the first six, and all names that begin with a hyphen; the others have lost their hyphen or came later.
  const ignored = new Set(("width height top left right bottom perspective-origin transform-origin " +
    "grid-template-columns grid-template-rows").split(" "));
  // Names such as inline-size, inset-block-start or margin-inline-end: what they say, the names for horizontal and
  // vertical say already, and those of sizes are size-dependent as well.
  const alias = /(^|-)(block|inline)(-|$$)/;
  const body = document.body;
  if (!body) return {blocks: 0, styles: 0};
  for (const name of [BLOCK, HIDDEN, STYLES, BOX])
    for (const element of document.querySelectorAll("[" + name + "]")) element.removeAttribute(name);

  const usual = {};
  const initial = getComputedStyle(body);
  for (const name of Array.from(initial))
    if (!name.startsWith("-") && !alias.test(name) && !ignored.has(name))
      usual[name] = initial.getPropertyValue(name);
  const names = Object.keys(usual).sort();

  const numbers = new Map(), styles = [];
  const numberOf = (computed) => {
    const style = {};
    for (const name of names) {
      const value = computed.getPropertyValue(name);
      if (value !== usual[name]) style[name] = value;
    }
    const key = JSON.stringify(style);
    if (!numbers.has(key)) {
      numbers.set(key, styles.length);
      styles.push(style);
    }
    return numbers.get(key);
  };

  const sized = (computed) => parseInt(computed.width) * parseInt(computed.height) > 0;
  const visible = (element) => {
    const bound = element.getBoundingClientRect();
    return bound.width * bound.height > 0;
  };

  // All is read before anything is written, since writing makes the browser work out the styles again.
  const blocks = new Map(), hidden = new Set();
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const holder = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || unrendered.has(holder.localName)) continue;
    if (!visible(holder)) {
      hidden.add(holder);
      continue;
    }
    for (let element = holder; element && body.contains(element); element = element.parentElement) {
      if (blocks.has(element)) break;
      const computed = getComputedStyle(element);
      if (!sized(computed)) continue;
      blocks.set(element, Math.round(element.getBoundingClientRect().width) + " " + numberOf(computed));
      break;
    }
  }
  const boxes = [];
  for (const element of body.querySelectorAll("*")) {
    const {left, top, width, height} = element.getBoundingClientRect();
    const box = [left + scrollX, top + scrollY, width, height].map(Math.round);
    if (box[2] * box[3] > 0) boxes.push([element, box.join(" ")]);
  }
  for (const [element, value] of boxes) element.setAttribute(BOX, value);
  for (const [element, value] of blocks) element.setAttribute(BLOCK, value);
  for (const element of hidden) element.setAttribute(HIDDEN, "");
  body.setAttribute(STYLES, JSON.stringify(styles));
  return {blocks: blocks.size, styles: styles.length};
}
"""
).substitute(names=json.dumps([BLOCK, HIDDEN, STYLES, BOX]), unrendered=json.dumps(sorted(UNRENDERED)))
"""JavaScript: a function that marks the page it runs in, and gives the numbers of blocks and styles."""

_BLOCK_VALUE = re.compile(r"(\d{1,9}) (\d{1,9})")
_MARK = re.compile(rf'\s(?:{BLOCK}="\d+ \d+"|{BOX}="[-\d ]+"|{HIDDEN}=""|{STYLES}="[^"]*")')
_ATTRIBUTES = r'(?:\s[^\s=<>]++(?:="[^"]*")?)*+\s?/?>'
_RAW = "script|style|noscript|template|textarea|title|iframe|xmp|noembed|noframes"
_TAG_OR_RAW = re.compile(
    rf"(?P<skipped><!--.*?(?:-->|\Z))"
    rf"|(?P<raw><(?P<name>{_RAW})(?=[\s/>]){_ATTRIBUTES})(?P<content>.*?(?=</(?P=name)>|\Z))"
    rf"|<[a-zA-Z][^\s/<>]*+{_ATTRIBUTES}",
    re.DOTALL,
)


class Look(NamedTuple):
    """How a block looks: the CSS that differs from the body's, as ``name: value; …`` by name, and its width in px."""

    style: str
    width: int


class Rendering:
    """The marks of a page, given its root; those that are not ours, whoever has written them, are none."""

    def __init__(self, root: etree._Element) -> None:
        body = root.find("body")
        try:
            found = json.loads("" if body is None else body.get(STYLES, ""))
        except (ValueError, RecursionError):
            found = None
        are_ours = isinstance(found, list) and all(isinstance(style, dict) for style in found)
        self._styles = [style_text(style) for style in found] if are_ours else []

    def __bool__(self) -> bool:
        """Whether the page has been rendered."""
        return bool(self._styles)

    def look(self, element: etree._Element) -> Look | None:
        """How an element that texts belong to looks; ``None`` for any other element."""
        match = _BLOCK_VALUE.fullmatch(element.get(BLOCK, ""))
        if match is None or int(match[2]) >= len(self._styles):
            return None
        return Look(self._styles[int(match[2])], min(int(match[1]), 1_000_000))

    def hides(self, element: etree._Element) -> bool:
        """Whether an element's own text can't be seen."""
        return HIDDEN in element.attrib


def style_text(style: Mapping[str, object]) -> str:
    """A style in one line, by name of property."""
    return "; ".join(f"{name}: {value}" for name, value in sorted(style.items()))


def is_marked(html: str) -> bool:
    """Whether HTML may hold marks."""
    return STYLES in html


def without_marks(html: str) -> str:
    """HTML, as a browser writes it, without the attributes of :data:`SCRIPT`; all else stays as it is."""

    def unmarked(part: re.Match[str]) -> str:
        """A start tag; with it comes the content of an element in which there are no tags."""
        if "data-stemmer-" not in part[0] or part["skipped"]:
            return part[0]
        return _MARK.sub("", part["raw"] or part[0]) + (part["content"] or "")

    return _TAG_OR_RAW.sub(unmarked, html)

"""Marks, lines and notes shown by a style in browsers: put into a tree as text and elements."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import islice, takewhile
from pathlib import Path

from lxml import etree

from scrapy_stemmer.page.elements import BLOCK_LEVEL, HEADINGS

_QUOTES = json.loads(Path(__file__).with_name("quotes.json").read_bytes())
MARKS = {language: each["marks"] for key, each in _QUOTES.items() for language in (key, *each["like"].split())}
"""Quotation marks by language: the outer pair, then the inner pair."""

PARTING = BLOCK_LEVEL | {"br"}  # elements between texts

MAX_TEXTS = 20  # texts read of a line, white space too

AROUND = 32  # elements read around a quotation

_LINE = re.compile(r"display\s*:\s*block(?![-\w])", re.IGNORECASE)
_NOTE = re.compile(r"(?:^|\s)(?:side|margin)-?note(?:$|\s)", re.IGNORECASE)
_POST = re.compile(r"(?:^|\s)(?:tweet|twitter-embed|twitter-tweet)(?:$|\s)", re.IGNORECASE)
_TOGGLE = re.compile(r"(?:^|\s)margin-?toggle(?:$|\s)", re.IGNORECASE)
_QUOTED = re.compile("[\"'\u2018-\u201f\u00ab\u00bb\u2039\u203a\u300c-\u300f]")


def is_styled(element: etree._Element) -> bool:
    """Return True for a quotation, a line by its style, a note beside the text, and a linked post from elsewhere."""
    if element.tag == "q":
        return True
    if element.tag == "div":
        return _POST.search(element.get("class") or "") is not None and element.find("a") is not None
    if _is_note(element):
        return True
    return _is_line(element) and any(map(str.strip, islice(map(str, element.itertext()), MAX_TEXTS)))


def _is_note(element: etree._Element) -> bool:
    return _NOTE.search(element.get("class") or "") is not None


def _is_line(element: etree._Element) -> bool:
    return _LINE.search(element.get("style") or "") is not None


def show_styled(elements: Iterable[etree._Element]) -> None:
    """Put the marks of quotations and the breaks of lines into a tree, notes behind the paragraph; quote posts.

    Each step looks at few elements around.
    """
    for element in elements:
        if element.tag == "q":
            _quote(element)
        elif element.tag == "div":
            _unlink(element)
        elif _is_note(element):
            _move(element)
        else:
            _break_lines(element)


def _quote(element: etree._Element) -> None:
    around = list(islice(element.iterancestors(), AROUND))
    language = next(filter(None, (each.get("lang") for each in (element, *around))), "").lower().partition("-")[0]
    marks = MARKS.get(language, MARKS[""])
    depth = sum(each.get("class") == "q" and each.tag == "span" for each in around)
    opening, closing = marks[2 * (depth % 2)], marks[2 * (depth % 2) + 1]
    element.tag = "span"
    element.set("class", "q")
    if _QUOTED.match((element.text or "").lstrip()[:1]):
        return
    element.text = opening + (element.text or "")
    if len(element):
        element[-1].tail = (element[-1].tail or "") + closing
    else:
        element.text += closing


def _unlink(post: etree._Element) -> None:
    """Make a linked post from elsewhere a quotation; a link around sentences is not read."""
    post.tag = "blockquote"
    for link in post.findall("a"):
        link.tag = "div"
        link.attrib.pop("href", None)


def _move(note: etree._Element) -> None:
    """Put a note beside the text behind its paragraph, without its button."""
    holder = next((each for each in islice(note.iterancestors(), AROUND) if each.tag in BLOCK_LEVEL), None)
    if holder is None:
        return
    for before in list(islice(note.itersiblings(preceding=True), 2)):
        if before.tag == "label" and _TOGGLE.search(before.get("class") or ""):
            before.text = None
    _cut(note)
    note.tag = "p" if holder.tag == "p" or holder.tag in HEADINGS else "div"
    if note.tag == "p":
        *_, last = holder, *takewhile(lambda each: each.tag == "p" and _is_note(each), holder.itersiblings())
        note.tail, last.tail = last.tail, None
        last.addnext(note)
    else:
        holder.append(note)


def _cut(element: etree._Element) -> None:
    """Take an element out of its tree; the text behind stays."""
    parent, before, tail = element.getparent(), element.getprevious(), element.tail
    assert parent is not None
    if tail and before is not None:
        before.tail = (before.tail or "") + tail
    elif tail:
        parent.text = (parent.text or "") + tail
    element.tail = None
    parent.remove(element)


def _break_lines(line: etree._Element) -> None:
    """Part a line by its style from the text before and behind."""
    behind, before = line.getnext(), line.getprevious()
    parent = line.getparent()
    if parent is None:
        return
    text = (parent.text if before is None else before.tail) or ""
    if text.strip() or (before is not None and before.tag not in PARTING):
        line.addprevious(etree.Element("br"))
    if (line.tail or "").strip() or (behind is not None and not _is_line(behind) and behind.tag not in PARTING):
        made = etree.Element("br")
        made.tail, line.tail = line.tail, None
        line.addnext(made)

"""The tree of a page as browsers show it: what they build, unfold or fall back on, in its place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from enum import StrEnum
from html import escape, unescape
from itertools import islice
from typing import Any, NamedTuple

from lxml import etree

from scrapy_stemmer._native import native
from scrapy_stemmer.core import formulas
from scrapy_stemmer.core.elements import HEADINGS

FEW = 600
"""A body with fewer characters, white space left out, has next to no text of its own: a shell, or an open button."""

TIMES = 3
"""What is read in its place has this many times as much text.

Of 1,677 real pages 10 have it there: 20 times as much at least, beside 162 characters at most. Of 2,502 others none.
"""

LEAST = 200
"""Characters of a ``noscript`` or a button that may be text of the page: requests to enable JavaScript have fewer. A
page with as many outside has a text of its own, and what scripts hold is not asked for."""

UNMEASURED = frozenset("script style template iframe select textarea svg".split())
"""Elements that hold no text, or none that is measured here."""

CODE_NAMES = frozenset({"fragment", "crayon-pre"})
"""Class attributes of a ``div`` that is code, if it has lines that are called so."""

OPENED = frozenset({"noscript", "button"})  # elements that are read where a page has next to no other text

MAX_SEGMENTS = 2_000  # segments of a page that are placed, the first ones: each may end up within all others
MAX_MOVED = 100_000  # elements that are moved into slots; those in further ones stay behind the shadow root

_PLACE = re.compile(r"([^:\s]*)[BP]:([0-9a-f]+)")
_segments = etree.XPath('.//*[contains(@id, "S:")]')


LD_JSON = "ld+json"  # what the types of scripts that are JSON-LD have


class Source(StrEnum):
    """Where the text of a page stands."""

    PAGE = "page"
    NOSCRIPT = "noscript"
    SCRIPT = "script"


Said = list[tuple[str, tuple[str, ...], str]]
"""What elements that are not shown say of a page, wherever they stand: ``title``, ``meta``, ``script`` of JSON-LD, the
canonical ``link`` of a head; ``math``, which stands for scripts of formulas too, ``ruby``, and ``input``, which stands
for a box that tasks have. Each with its name, of a ``meta`` element the values of :data:`NAMED_BY` and the name of the
element around, and what it says."""

NAMED_BY = ("property", "name", "itemprop", "http-equiv")  # attributes that name what a ``meta`` element says


class Shown(NamedTuple):
    """A tree to be read."""

    root: etree._Element
    said: Said  # what it says of itself
    source: Source = Source.PAGE  # ``noscript`` or ``script`` where next to all of its text comes from there
    is_refused: bool = False  # whether the page was too complex to be parsed; then the tree is empty


def shown(root: etree._Element, parse: Callable[[str], etree._Element], *, is_own: bool) -> Shown:
    """The tree as browsers show it. Nearly always nothing is to be done, which :func:`look` tells first.

    Streamed segments of React and declarative shadow roots are put where browsers put them. Where the page has next to
    no other text, ``noscript`` and open buttons are read, or else what scripts have as JSON. Fields of several lines
    that nobody may change, or that a script shows as code, are read as that, as is the code of Doxygen; scripts of
    MathJax as formulas.

    :param parse: makes a tree of HTML.
    :param is_own: whether the tree may be changed; else a copy is, where there is something to change.
    """
    body = next(root.iterchildren("body"), None) if root.tag == "html" else root
    is_plain, said = look(root, body, FEW)
    if body is None or not isinstance(root.tag, str):
        return Shown(root, said)
    has_formulas = ("math", (), "") in said
    scripts = list(filter(formulas.is_of_mathjax, body.iter("script"))) if has_formulas else []
    labels = list(filter(labels_part, body.iter("button")))
    if is_plain and not scripts and not labels:
        return Shown(root, said)
    code = [each for each in body.iter("textarea", "div") if _may_be_code(each) and _has_lines(each)]
    if scripts or code or labels or any(_segment_of(each) or _is_shadow(each) for each in _templates(body)):
        if not is_own:
            return shown(deepcopy(root), parse, is_own=True)
        _rename(scripts, code, labels)
        if is_plain and not scripts and not code:
            return Shown(root, said)
        _place_segments(body)
        _fill_shadow_roots(body)
    return _with_hidden_text(root, body, parse, is_own=is_own)


def _rename(scripts: list[etree._Element], code: list[etree._Element], labels: list[etree._Element]) -> None:
    """Make formulas of scripts, ``pre`` of code, and text of buttons that label a part of the page."""
    for each in scripts:
        formulas.show_formula(each)
    for each in code:
        each.tag = "pre"
    for each in labels:
        each.tag = "span" if _names_part_around(each) else "div"


def _with_hidden_text(
    root: etree._Element, body: etree._Element, parse: Callable[[str], etree._Element], *, is_own: bool
) -> Shown:
    """Return the tree with the text of ``noscript``, open buttons or scripts where the body has next to none."""
    if next(root.iter("script", *OPENED), None) is None:
        return Shown(root, said_in(root))
    outside, opened = _measured(body)
    if opened:
        return _with_opened(opened, root) if is_own else shown(deepcopy(root), parse, is_own=True)
    html = None if outside >= LEAST or body is root else html_in(root.iter("script"), max(LEAST, TIMES * outside))
    if html is None:
        return Shown(root, said_in(root))
    return _with_text(root if is_own else deepcopy(root), parse(f"<body><article>{html}"))


look: Callable[[etree._Element, etree._Element | None, int], tuple[bool, Said]] = native("shown.look")
"""Whether a tree is read as it stands, and what the page says of itself.

It is where there is enough text in its body, and nothing to be put in its place.

The last argument is how many characters of text, white space left out, are enough.
"""


def said_in(root: etree._Element) -> Said:
    """What a page says of itself."""
    said: Said = look(root, None, 0)[1]
    return said


def _templates(body: etree._Element) -> list[etree._Element]:
    """All of them. lxml searches the ancestors of an element that is let go for one that is in use: these may be."""
    return list(body.iter("template"))


def _may_be_code(element: etree._Element) -> bool:
    """Whether a field or a ``div`` is called code, as Doxygen or Crayon call it, or nobody may change the field."""
    if element.tag == "div":
        return element.get("class") in CODE_NAMES
    return element.get("readonly") is not None or element.get("name") == "code"


def _has_lines(code: etree._Element) -> bool:
    if code.tag == "div":
        return any(code.find(f".//div[@class='{name}']") is not None for name in ("line", "crayon-line"))
    return "\n" in (code.text or "").strip() and "crayon-plain" not in (code.get("class") or "")  # which it shows too


# Buttons that name what they open: a question and its answer, a part of an accordion, a tab

LABELLED = HEADINGS | {"dt", "th", "legend"}  # elements that name what follows: with a button alone they are one
MAX_AROUND = 6  # elements around a button that are looked at
MIN_OPENED = 20  # characters of what a button opens, at least
MAX_OPENED = 200  # pieces of text of it that are looked at
_OPENING = re.compile(
    r"accordion|faq|question|collaps|expand|toggle|disclosure|panel|tab(?![a-z])|spoiler|details|fold", re.IGNORECASE
)
_MENUS = frozenset({"nav", "header", "footer", "form", "select", "aside", "menu"})
_DOING = re.compile(
    r"\W*(?:(?:share|subscribe|copy|copied|menu|search|close|open|more|less|show|hide|view|see|read|load|expand|collapse|"
    r"filters?|sort|login|log in|sign (?:in|up)|follow|print|save|reply|edit|download|play|pause|next|previous|add|buy|"
    r"teilen|kopieren|men\u00fc|suchen?|schlie\u00dfen|mehr|weniger|alle|anmelden|abonnieren|drucken|merken|partager|copier|"
    r"s'abonner|plus|moins|fermer|rechercher|compartir|copiar|suscribir\w*|m\u00e1s|menos|cerrar|buscar|condividi|copia|"
    r"chiudi|cerca|delen|kopi\u00ebren|sluiten|zoeken|\u043f\u043e\u0434\u0435\u043b\u0438\u0442\u044c\u0441\u044f|"
    r"\u043c\u0435\u043d\u044e|\u043f\u043e\u0438\u0441\u043a|\u5206\u4eab|\u590d\u5236|\u83dc\u5355|\u641c\u7d22)\b\W*"
    r"(?:[^\W\d_]+\W*){0,2})",
    re.IGNORECASE,
)
"""What buttons say that do something: such a word, and two others at most."""


def labels_part(button: etree._Element) -> bool:
    """Whether a button names what it opens, as a question does its answer; others do something, as to share a page."""
    text = " ".join("".join(map(str, islice(button.itertext(), MAX_OPENED))).split())
    if not any(map(str.isalpha, text)) or button.get("aria-haspopup") or button.get("type") in ("submit", "reset"):
        return False
    around = list(islice(button.iterancestors(), MAX_AROUND))
    holder = next((each for each in around if each.tag in LABELLED), None)
    if holder is not None:
        whole = "".join(map(str, islice(holder.itertext(), MAX_OPENED)))
        return " ".join(whole.split()) == text and not any(each.tag in _MENUS for each in around)
    if any(each.tag in _MENUS for each in button.iterancestors()):
        return False
    if button.get("role") == "tab":
        return True
    if button.get("itemprop") == "name":
        return True
    names = " ".join(button.get(name, "") for name in ("class", "id", "data-toggle", "data-bs-toggle", "data-action"))
    around_names = " ".join(each.get("class", "") for each in around[:3])
    if button.get("aria-expanded") is None and _OPENING.search(names) is None:
        return False
    is_called = _OPENING.search(f"{names} {around_names}") is not None
    return (is_called or button.get("aria-controls") is not None) and _DOING.fullmatch(text) is None and _opens(button)


def _opens(button: etree._Element) -> bool:
    """Whether text follows a button, or one of the elements that hold it alone, in an element of its own."""
    each: etree._Element | None = button
    for _ in range(3):
        if each is None:
            return False
        behind = each.getnext()
        if behind is not None:
            size = sum(map(len, islice(behind.itertext(), MAX_OPENED)))
            is_button = behind.tag == "button" or (not size and next(behind.iter("button"), None) is not None)
            return size >= MIN_OPENED and not is_button
        if (each.tail or "").strip():
            return False
        each = each.getparent()
    return False


def _names_part_around(button: etree._Element) -> bool:
    """Whether a button is within a line of its own, as in a heading."""
    return any(each.tag in LABELLED for each in islice(button.iterancestors(), MAX_AROUND))


# React's streamed segments: a template stands where the server was not ready, what belongs there follows later


def _segment_of(template: etree._Element) -> str | None:
    """The identifier of the segment that scripts put in place of a template."""
    place = _PLACE.fullmatch(template.get("id") or "")
    return f"{place[1]}S:{place[2]}" if place else None


def _place_segments(body: etree._Element) -> None:
    """Put each segment before its template. As a ``span``, since browsers show only what it holds.

    Segments are taken out innermost first and put in outermost first, so that none is moved within another one.
    """
    wanted = set(filter(None, map(_segment_of, _templates(body))))
    found = [each for each in _segments(body) if each.get("id") in wanted] if wanted else []
    segments: dict[str | None, etree._Element] = {}
    for each in found[:MAX_SEGMENTS]:
        segments.setdefault(each.get("id"), each)
    for each in reversed(segments.values()):
        if (parent := each.getparent()) is not None:
            parent.remove(each)
    tops = [body]
    for top in tops:
        for template in _templates(top):
            segment = segments.pop(_segment_of(template), None)
            if segment is not None:
                segment.attrib.pop("hidden", None)
                if segment.tag == "div":
                    segment.tag = "span"
                template.addprevious(segment)
                tops.append(segment)
    body.extend(segments.values())  # those whose templates are in each other


# Declarative shadow roots


def _is_shadow(template: etree._Element) -> bool:
    return template.get("shadowrootmode") is not None or template.get("shadowroot") is not None


def _fill_shadow_roots(body: etree._Element) -> None:
    """Read shadow roots, with the children of their hosts in their slots; children without a slot stay behind."""
    slots: dict[etree._Element, dict[str, etree._Element]] = {}
    open_: list[etree._Element] = []
    for event, element in etree.iterwalk(body, events=("start", "end"), tag=("template", "slot")):
        if element.tag == "template" and event == "start":
            open_.append(element)
            if _is_shadow(element):
                slots[element] = {}
        elif element.tag == "template":
            open_.pop()
        elif event == "start" and open_ and open_[-1] in slots:
            slots[open_[-1]].setdefault(element.get("name") or "", element)
    left = MAX_MOVED
    for template, named in slots.items():
        host = template.getparent()
        for child in list(host) if host is not None and named else []:
            slot = named.get(child.get("slot") or "")
            if slot is not None and child.tag != "template" and left > 0:
                left -= 1 + sum(1 for _ in child.iterdescendants())  # of comments none
                slot.addprevious(child)
                slot.tag = "template"  # what it holds stands for children that are missing
        template.tag = "span"


# What is read where a page has next to no other text


def _measured(body: etree._Element, few: int = FEW) -> tuple[int, list[etree._Element]]:
    """The characters of text that are read anyway, up to those that are enough, and the elements to be opened too."""
    sizes: dict[etree._Element, int] = {}
    open_: list[etree._Element] = []
    outside = inside = 0
    walker = etree.iterwalk(body, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        text = None if element is body else element.tail
        if event == "start":
            if element.tag in UNMEASURED:
                walker.skip_subtree()
                continue
            if element.tag in OPENED:
                open_.append(element)
                sizes[element] = 0
            text = element.text if isinstance(element.tag, str) else None  # entities have their name as text
        elif element.tag in OPENED:
            size = sizes[open_.pop()]
            if open_:
                sizes[open_[-1]] += size
            elif size >= LEAST:
                inside += size
        size = sum(map(len, text.split())) if text else 0
        if open_:
            sizes[open_[-1]] += size
        else:
            outside += size
            if outside >= few:
                break
    is_enough = outside < few and inside >= TIMES * outside
    return outside, [element for element, size in sizes.items() if size >= LEAST] if is_enough else []


def _with_opened(elements: Iterable[etree._Element], root: etree._Element) -> Shown:
    """The tree with elements that are read: ``noscript`` as a block, buttons within lines."""
    source = Source.PAGE
    for element in elements:
        if element.tag == "noscript":
            source = Source.NOSCRIPT
        element.tag = "div" if element.tag == "noscript" else "span"
    return Shown(root, said_in(root), source)


def _with_text(root: etree._Element, text: etree._Element) -> Shown:
    """The tree with the body of another one; its own becomes a template, in which scripts are found and no text."""
    body, new = root.find("body"), text.find("body")
    if body is None or new is None:
        return Shown(root, said_in(root))
    body.addprevious(new)
    body.tag = "template"
    new.append(body)
    return Shown(root, said_in(root), Source.SCRIPT)


# The text of a page that is in its scripts alone: as JSON-LD, or as the JSON that a script makes the page from

TYPES = (LD_JSON, "application/json")  # what the types of scripts that are JSON have

KEYS = frozenset("articlebody body bodyhtml bodytext content contenthtml html rendered text".split())
"""Keys of texts, in lower case and without ``_`` and ``-``."""

BEST = "articlebody"  # the key that says for certain that this is the page's text

ASIDE = frozenset(
    "comment comments consent cookie cookies i18n legal locale messages recommended related settings "
    "translations".split()
)
"""Keys of objects that hold other texts than the page's own; they are not looked into."""

MAX_CHARS = 5_000_000  # characters of JSON that are read of a page; further scripts are not
MAX_DEPTH = 50  # levels of it
MIN_LETTERS = 0.6  # a text has this share of letters: style sheets, addresses and data have fewer
MAX_WORD = 30  # characters of its words in the mean, but in scripts that write none apart: data in base64 has no words

_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")
_MARKUP = re.compile(r"<(?:p|div|br|h[1-6]|ul|ol|li|section|article|figure|blockquote|table|span|a)\b[^<>]*>", re.I)
_ESCAPED_MARKUP = re.compile(r"&lt;(?:p|div|br|h[1-6])\b", re.I)
_TRAILING = re.compile(r",(\s*[}\]])")


def json_in(texts: Iterable[str], most: int) -> Iterator[Any]:
    """The values of texts that are JSON, also where that stands in a comment or has a comma too many; broken ones are
    left out, and so is what is nested deeper than Python reads.

    :param most: characters that are read; the first text that has more of them is the end.
    """
    for text in texts:
        most -= len(text)
        if most < 0:
            return
        value = _parsed(text)
        if value is not None:
            yield value


def _parsed(text: str) -> Any:
    """The value of JSON; ``None`` for what is none."""
    for mend in (str, _mended):
        try:
            return json.loads(mend(text), strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _mended(text: str) -> str:
    text = text.strip()
    for start in ("//", "<!--", "<![CDATA["):
        text = text.removeprefix(start).lstrip()
    for end in (";", "-->", "]]>", "//", ";"):
        text = text.removesuffix(end).rstrip()
    return _TRAILING.sub(r"\1", text)


def html_in(scripts: Iterable[etree._Element], least: int) -> str | None:
    """The text of a page as HTML: of all texts under one key, in whatever list, the one with the most letters.

    :param scripts: any; those that are not JSON, or broken, are left out.
    :param least: characters that it must have, white space left out.
    """
    best, most = None, (False, least - 1)
    for texts, is_best in _groups(scripts):
        plain = [_TAG.sub(" ", text) for text in texts]
        size = (is_best, sum(sum(map(len, text.split())) for text in plain))
        if size[1] >= least and size > most and _is_prose(" ".join(plain)):
            best, most = texts, size
    return None if best is None else "".join(map(_as_html, best))


def _groups(scripts: Iterable[etree._Element]) -> Iterator[tuple[Sequence[str], bool]]:
    """Texts that are under the same keys, with only their places in lists different, and whether their key is
    :data:`BEST`."""
    able = (script for script in scripts if any(kind in script.get("type", "").lower() for kind in TYPES))
    for data in json_in((script.text or "" for script in able), MAX_CHARS):
        by_key: dict[tuple[int, str], list[str]] = {}
        for path, key, found in _texts(data):
            by_key.setdefault((path, key), []).append(found)
        for (_, key), texts in by_key.items():
            yield list(dict.fromkeys(texts)), key == BEST


def _texts(data: object) -> Iterator[tuple[int, str, str]]:
    """The texts under :data:`KEYS` in document order, each with the number of the path of its object."""
    numbers: dict[tuple[int, str], int] = {}
    # Nuxt writes a list of all values, in which objects hold the numbers of theirs.
    values = data if isinstance(data, list) else []
    stack: list[tuple[object, int, int]] = [(data, 0, 0)]
    while stack:
        node, path, depth = stack.pop()
        if depth > MAX_DEPTH:
            continue
        if isinstance(node, list):
            stack += [(each, path, depth + 1) for each in reversed(node) if isinstance(each, list | dict)]
        elif isinstance(node, dict):
            for key, value in node.items():
                name = key.lower().replace("_", "").replace("-", "")
                if isinstance(value, int) and 0 <= value < len(values):
                    value = values[value]
                if name in KEYS and isinstance(value, str):
                    yield path, name, value
            inner = [
                (key, each) for key, each in node.items() if isinstance(each, list | dict) and key.lower() not in ASIDE
            ]
            for key, each in reversed(inner):
                stack.append((each, numbers.setdefault((path, key), len(numbers) + 1), depth + 1))


def _is_prose(text: str) -> bool:
    """Whether a text is written in a language."""
    words = text.split()
    size = sum(map(len, words))
    has_words = size <= MAX_WORD * len(words) or not text.isascii()
    return has_words and sum(map(str.isalpha, text)) >= MIN_LETTERS * size


def _as_html(text: str) -> str:
    """A text as it stands in JSON as HTML: it is that, or has it escaped once more, or has a paragraph a line."""
    if _MARKUP.search(text):
        return text
    if _ESCAPED_MARKUP.search(text):
        return unescape(text)
    return "".join(f"<p>{escape(unescape(line))}</p>" for line in text.splitlines() if line.strip())

"""Formulas of a page: as MathML with TeX, and on a line, as TeX or text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from html import escape
from itertools import islice
from typing import Literal

from lxml import etree

from scrapy_stemmer.page.scripts import is_of_mathjax
from scrapy_stemmer.page.text import SOFT_HYPHEN, UNWANTED, collapse

MATHML = frozenset(
    "mi mn mo mtext ms mspace mrow mfrac msqrt mroot mstyle mpadded mphantom msup msub msubsup munder mover munderover "
    "mmultiscripts mprescripts none mtable mtr mtd".split()
)
"""Presentation elements of formulas, without elements that may hold HTML."""

MAX_FORMULA_DEPTH = 40  # depth of elements written in a formula; deeper elements become text
TEX = "application/x-tex"

NEAR_FORMULA = 3  # elements searched for repetitions on either side of a formula
AROUND_FORMULA = 3  # levels around a formula with neighbours to search
LEVELS_OF_FORMULA = 12  # levels around a formula searched for :data:`_OF_FORMULAS`

_TWIN = re.compile(r"(?:^|\s)(?:katex-html|mwe-math-fallback-image\S*|MathJax_Preview)(?:$|\s)")
_MATHJAX = frozenset({"MathJax", "MathJax_Display", "mjx-chtml"})
_OF_FORMULAS = frozenset({"span", "mjx-assistive-mml", "mjx-container"})  # elements around a formula and repetitions
_INVISIBLE = dict.fromkeys(range(0x2061, 0x2065))
_TEX_SPECIAL = re.compile(r"[#$%&_{}\\]")
_TO_SCRIPT = re.compile(r"\\(?:mmltoken|csname|(?:href|url)(?!\s*\{\s*https?:))(?![a-zA-Z])", re.IGNORECASE)
_IN_MARKDOWN = re.compile(r"<(?=\S)|\](?=[\[(:])|`")  # markup of Markdown in TeX
_TEX = re.compile(
    r"\\\(((?:(?!\\\().){1,500}?)\\\)|"
    r"(\\\[(?:(?!\\\[).){1,1000}?\\\]|\$\$(?=\w+\$|[^$]*[\\^_={}<>+]).{1,1000}?\$\$)",
    re.DOTALL,
)
_TEX_IN_DOLLARS = re.compile(rf"{_TEX.pattern}|\$(?!\s)([^$]{{1,500}})(?<!\s)\$(?!\d)", re.DOTALL)
_SAYS_TEX = re.compile(r"\\[a-zA-Z]|\^|_\{|_\w\b")


def tex_of(math: etree._Element) -> str:
    notes = (note.text for note in math.iter("annotation") if TEX in (note.get("encoding") or ""))
    return collapse(math.get("alttext") or next(filter(None, notes), ""))


# Formulas as HTML


def formula(math: etree._Element) -> str:
    """Return a formula as MathML, with TeX."""
    tex = tex_of(math)
    kind = ' display="block"' if math.get("display") == "block" else ""
    attribute = f' alttext="{escape(UNWANTED.sub("", tex))}"' if tex else ""
    return f"<math{kind}{attribute}>{''.join(_mathml(math))}</math>"


def _mathml(math: etree._Element) -> Iterator[str]:
    walker = etree.iterwalk(math, events=("start", "end"))
    for event, element in walker:
        name = _name_of(element)
        if event == "start" and name.startswith("annotation"):
            walker.skip_subtree()
        elif event == "start":
            text = escape(UNWANTED.sub("", element.text or "").strip(), quote=False)
            yield f"<{name}>{text}" if name in MATHML else text
        elif name in MATHML:
            yield f"</{name}>"


# Formulas on a line

Form = Literal[0, 1]  # TeX or text
TEX_FORM: Form = 0
TEXT_FORM: Form = 1

_PARTS = {
    **dict.fromkeys(("msup", "mover"), ("{}^{}", "{}^{}")),
    **dict.fromkeys(("msub", "munder"), ("{}_{}", "{}_{}")),
    **dict.fromkeys(("msubsup", "munderover"), ("{}_{}^{}", "{}_{}^{}")),
    "mfrac": (r"\frac {} {}", "{}/{}"),
    "mroot": (r"\sqrt[{1}] {0}", "{1}√{0}"),
    "msqrt": (r"\sqrt {}", "√{}"),
}
"""Notations of elements with as many parts as placeholders, as TeX and as text."""

_BETWEEN = {"mtr": (" & ", ", "), "mtable": (r" \\ ", "; ")}  # separators of parts
_GROUP = ("{{{}}}", "({})")  # notation of a part of several signs


def tex_from(math: etree._Element) -> str:
    r"""Return the TeX of a formula: the source, or a translation of the MathML, as ``\frac a b``."""
    return tex_of(math) or _line_of(math, TEX_FORM)


def formula_line(math: etree._Element) -> str:
    return _line_of(math, TEXT_FORM)


def _line_of(element: etree._Element, form: Form, depth: int = 0) -> str:
    name = _name_of(element)
    if name.startswith("annotation") or name == "mphantom":
        return ""
    loose = "".join(text or "" for text in (element.text, *(child.tail for child in element)))
    if depth >= MAX_FORMULA_DEPTH or not len(element) or loose.strip():
        text = collapse("".join(element.itertext()).translate(_INVISIBLE))
        return text if form == TEXT_FORM else _tex_token(name, text)
    parts = [_line_of(child, form, depth + 1) for child in element if isinstance(child.tag, str)]
    if name == "msqrt":
        parts = [_glued(parts)]
    if name in _PARTS and _PARTS[name][form].count("{") == len(parts):
        return _PARTS[name][form].format(*(part if len(part) == 1 else _GROUP[form].format(part) for part in parts))
    line = _BETWEEN[name][form].join(parts) if name in _BETWEEN else _glued(parts)
    return rf"\begin{{matrix}} {line} \end{{matrix}}" if name == "mtable" and form == TEX_FORM else line


def _glued(parts: Iterable[str]) -> str:
    """Return parts side by side, with a space between words."""
    line = ""
    for part in parts:
        is_word = line[-1:].isalpha() and part[:1].isalpha()
        line += f" {part}" if is_word else part
    return line


def _tex_token(name: str, text: str) -> str:
    escaped = _TEX_SPECIAL.sub(lambda sign: r"\backslash " if sign[0] == "\\" else f"\\{sign[0]}", text)
    kind = {"mtext": "text", "ms": "text", "mi": "mathrm"}.get(name)
    return f"\\{kind}{{{escaped}}}" if kind and len(text) > 1 else escaped


def _name_of(element: etree._Element) -> str:
    return str(element.tag).rpartition(":")[2].lower()


# Formulas in texts


def has_tex_in_dollars(texts: Iterable[str]) -> bool:
    """Return True if text between dollars is TeX, by commands in any text."""
    inside = (formula[3] for text in texts for formula in _TEX_IN_DOLLARS.finditer(text))
    return any(map(_SAYS_TEX.search, filter(None, inside)))


def tex_parts(text: str, *, has_dollars: bool) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text without soft hyphens, each with a flag for TeX for Markdown."""
    text, start = text.replace(SOFT_HYPHEN, ""), 0
    for formula in (_TEX_IN_DOLLARS if has_dollars else _TEX).finditer(text):
        yield text[start : formula.start()], False
        inner = safe_tex(collapse(formula[2][2:-2] if formula[2] else formula[formula.lastindex or 1]))
        yield f"$${inner}$$" if formula[2] else f"${inner}$", True
        start = formula.end()
    yield text[start:], False


def safe_tex(tex: str) -> str:
    """Return TeX without HTML, links and code of Markdown, by means of spaces invisible in TeX.

    Links of TeX that may lead to a script become text.
    """
    return _IN_MARKDOWN.sub(lambda sign: r"\lq " if sign[0] == "`" else f"{sign[0]} ", _TO_SCRIPT.sub(r"\\text", tex))


# Repeated formulas


def twins_of_formulas(root: etree._Element, is_kept: Callable[[etree._Element], bool]) -> frozenset[etree._Element]:
    """Return the elements that repeat a formula beside kept MathML or TeX."""
    twins: set[etree._Element] = set()
    # To free an element, lxml climbs to the next one in memory: up to the root of a deep tree.
    held: set[etree._Element] = set()
    done: set[tuple[etree._Element, bool]] = set()
    for math in filter(is_kept, root.iter("math")):
        is_script = is_of_mathjax(math)
        levels = list(islice(math.iterancestors(), LEVELS_OF_FORMULA))
        held.update(levels)
        outer = [each for each in levels if each.tag in _OF_FORMULAS]
        for around in (math, *outer[:AROUND_FORMULA]):
            if (around, is_script) not in done:
                done.add((around, is_script))
                twins.update(_twins_beside(around, is_script=is_script))
    return frozenset(twins)


def _twins_beside(around: etree._Element, *, is_script: bool) -> list[etree._Element]:
    sides = (around.itersiblings(preceding=is_before) for is_before in (False, True))
    beside = [near for side in sides for near in islice(side, NEAR_FORMULA)]
    if around.tag == "mjx-assistive-mml" or "MJX_Assistive_MathML" in (around.get("class") or ""):
        return beside
    return [element for element in beside if _is_twin(element, is_script=is_script)]


def _is_twin(element: etree._Element, *, is_script: bool) -> bool:
    names = element.get("class") or "" if isinstance(element.tag, str) else ""
    return bool(_TWIN.search(names)) or (is_script and not _MATHJAX.isdisjoint(names.split()))

"""Pages as Markdown, with front matter."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

from scrapy_stemmer.fields.breadcrumbs import PLACE_FIELDS
from scrapy_stemmer.patternset import Stripped
from scrapy_stemmer.writing.markdown import heading_line
from scrapy_stemmer.writing.markdown import markdown_of as markdown_of

EARLY = 8  # lines at the beginning of a text that may repeat the title
NO_PARAGRAPH = ("    ", "```", "|", ">", "- ", ": ")

_IMAGE_OR_ADDRESS = re.compile(r"!\[[^\[\]]*+\]\([^()]*+\)|(?<=\])\([^()]*+\)|</?\w++>")
_NO_LETTER = re.compile(r"[\W_]+")

HEAD = ("title", "url", "matched", "kind", "confidence")  # first fields of the front matter

_PLAIN_NAME = re.compile(r"[A-Za-z_][\w-]*")  # names of other fields are quoted: items may have any
_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")  # valid in JSON but not in YAML


def yaml_of(value: object) -> str:
    """Return a value of the front matter as YAML."""
    return _NOT_IN_YAML.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(value, ensure_ascii=False))


def markdown_page(url: str, stripped: Stripped) -> str:
    """Return a page as Markdown with front matter: URL, title, other results and the page's fields."""
    front_matter: dict[str, Any] = {name: url if name == "url" else getattr(stripped, name) for name in HEAD}
    left_out = {*PLACE_FIELDS, "sources", "confidence"}
    front_matter |= {name: value for name, value in stripped.fields.as_dict().items() if name not in left_out}
    return markdown_file(front_matter, stripped.markdown)


def markdown_file(front_matter: Mapping[str, Any], markdown: str) -> str:
    """Return Markdown with front matter; see :func:`titled` for the title."""
    names = {name: name if _PLAIN_NAME.fullmatch(name) else yaml_of(name) for name in front_matter}
    lines = ["---", *(f"{names[name]}: {yaml_of(value)}" for name, value in front_matter.items()), "---", ""]
    return "\n".join([*lines, titled(front_matter.get("title"), markdown), ""])


def titled(title: str | None, markdown: str) -> str:
    """Return Markdown with the title as a heading, once.

    A heading with the title among the first lines is kept at any level. A paragraph equal to the title becomes a
    heading. Otherwise the title is put on top, unless the text begins with a heading of the first level.
    """
    wanted = _letters_of(title or "")
    if not wanted:
        return markdown
    lines = markdown.split("\n")
    for number in islice((number for number, line in enumerate(lines) if line.strip()), EARLY):
        line, around = lines[number], lines[max(number - 1, 0) : number] + lines[number + 1 : number + 2]
        if _letters_of(line) != wanted:
            continue
        if line.startswith("#"):
            return markdown
        if not any(each.strip() for each in around) and not line.startswith(NO_PARAGRAPH):
            return "\n".join([*lines[:number], f"# {line}", *lines[number + 1 :]])
    heading = heading_line(title or "")
    return markdown if markdown.startswith("# ") or not heading else f"{heading}\n\n{markdown}"


def _letters_of(line: str) -> str:
    return _NO_LETTER.sub("", _IMAGE_OR_ADDRESS.sub("", line)).casefold()

"""Pages as Markdown, with front matter."""

from __future__ import annotations

import json
import re
from typing import Any

from scrapy_stemmer.core.markdown import heading_line
from scrapy_stemmer.core.markdown import markdown_of as markdown_of
from scrapy_stemmer.fields.rules import FIELDS
from scrapy_stemmer.patternset import Stripped

HEAD = ("title", "url", "matched", "kind", "confidence")  # what the front matter of a page begins with

_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")  # but JSON holds them


def _yaml(value: object) -> str:
    """A value as JSON that is YAML too."""
    return _NOT_IN_YAML.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(value, ensure_ascii=False))


def markdown_page(url: str, stripped: Stripped) -> str:
    """A page as Markdown: URL, title and more as front matter between lines of hyphens, the title as heading, the text.

    The front matter has the fields of the page too, those that it has.
    """
    told: dict[str, Any] = {name: url if name == "url" else getattr(stripped, name) for name in HEAD}
    told |= {name: value for name, value in stripped.fields.as_dict().items() if value and name in FIELDS}
    lines = ["---", *(f"{name}: {_yaml(value)}" for name, value in told.items()), "---", ""]
    if not stripped.markdown.startswith("# ") and (heading := heading_line([stripped.title or ""])):
        lines += [heading, ""]
    return "\n".join([*lines, stripped.markdown, ""])

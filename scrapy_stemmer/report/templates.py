"""The templates of the report, files of HTML beside this module; whatever text is put into them stays text."""

from __future__ import annotations

import re
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from scrapy_stemmer.core.text import counted

_NO_TEXT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """A text without the characters that no document may hold."""
    return _NO_TEXT.sub("\ufffd", text)


def rendered(template: str, **values: Any) -> str:
    """The document that a template makes of some values.

    :param template: the name of its file.
    :raises jinja2.UndefinedError: when it asks for a value that there isn't.
    """
    return clean(_TEMPLATES.get_template(template).render(values))


_TEMPLATES = Environment(
    loader=PackageLoader(__package__, ""),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.filters["counted"] = counted
_TEMPLATES.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}

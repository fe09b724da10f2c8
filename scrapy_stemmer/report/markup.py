"""Elements and documents of the report; whatever text is put into them stays text."""

from __future__ import annotations

import re

from lxml import etree

_NO_TEXT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_LOADS = "style-src 'unsafe-inline'{own}{web}; img-src data:{web}; font-src data:{web}; form-action 'none'"


def policy(is_online: bool, own: str = "") -> str:
    """A Content-Security-Policy. What is in a frame is also under that of the page around it.

    :param is_online: whether images, style sheets and fonts of the web may be loaded.
    :param own: the sources of the page's own style sheets and scripts; without them it has neither.
    """
    scripts = f"script-src{own}; " if own else ""
    return f"default-src 'none'; {scripts}{_LOADS.format(own=own, web=' http: https:' if is_online else '')}"


def clean(text: str) -> str:
    """A text without the characters that no document may hold."""
    return _NO_TEXT.sub("\ufffd", text)


def element(tag: str, *content: str | int | etree._Element | None, **attributes: str | int | None) -> etree._Element:
    """An element.

    :param content: texts and elements; ``None`` is left out.
    :param attributes: by name, with ``_`` for ``-`` and one behind names that Python has; ``None`` is left out.
    """
    made = etree.Element(tag)
    for name, value in attributes.items():
        if value is not None:
            made.set(name.rstrip("_").replace("_", "-"), clean(str(value)))
    last: etree._Element | None = None
    for each in content:
        if isinstance(each, etree._Element):
            made.append(each)
            last = each
        elif each is not None and last is None:
            made.text = (made.text or "") + clean(str(each))
        elif each is not None and last is not None:
            last.tail = (last.tail or "") + clean(str(each))
    return made


def written(html: etree._Element) -> str:
    """A document as text."""
    return "<!DOCTYPE html>\n" + etree.tostring(html, method="html", encoding="unicode")


def document(title: str, *content: etree._Element, up: str = "", page_kind: str, is_online: bool = False) -> str:
    """A page of the report.

    :param content: its body.
    :param up: the way to the folder of the index, such as ``../``.
    :param page_kind: the class of its body.
    :param is_online: whether frames in it may load images and style sheets.
    """
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy(is_online, " 'self' file:")),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("link", rel="icon", href="data:,"),
        element("link", rel="stylesheet", href=f"{up}report.css"),
        element("script", src=f"{up}report.js", defer=""),
    )
    return written(element("html", head, element("body", *content, class_=page_kind), lang="en"))

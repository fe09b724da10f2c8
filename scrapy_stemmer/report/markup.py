"""Elements and documents of the report; whatever text is put into them stays text."""

from __future__ import annotations

import re
from importlib.resources import files

from lxml import etree

Content = str | int | etree._Element | None

_NO_TEXT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_LOADS = "style-src 'unsafe-inline'{own}{web}; img-src data:{web}; font-src data:{web}; form-action 'none'"


def policy(is_online: bool, own: str = "") -> str:
    """A Content-Security-Policy. What is in a frame is also under that of the page around it.

    :param is_online: whether images, style sheets and fonts of the web may be loaded.
    :param own: the sources of the page's own style sheets and scripts; without them it has neither.
    """
    scripts = f"script-src{own}; " if own else ""
    return f"default-src 'none'; {scripts}{_LOADS.format(own=own, web=' http: https:' if is_online else '')}"


def own_file(name: str) -> str:
    """The text of a file that lies beside this module."""
    return files(__package__).joinpath(name).read_text("utf-8")


def clean(text: str) -> str:
    """A text without the characters that no document may hold."""
    return _NO_TEXT.sub("\ufffd", text)


def element(tag: str, *content: Content, **attributes: str | int | None) -> etree._Element:
    """An element; see :func:`fill`."""
    made = etree.Element(tag)
    fill(made, *content, **attributes)
    return made


def fill(element: etree._Element, *content: Content, **attributes: str | int | None) -> None:
    """Put something into an element, behind what is there.

    :param content: texts and elements; ``None`` is left out.
    :param attributes: by name, with ``_`` for ``-`` and one behind names that Python has; ``None`` is left out.
    """
    for name, value in attributes.items():
        if value is not None:
            element.set(name.rstrip("_").replace("_", "-"), clean(str(value)))
    for each in content:
        if isinstance(each, etree._Element):
            element.append(each)
        elif each is not None and len(element):
            element[-1].tail = (element[-1].tail or "") + clean(str(each))
        elif each is not None:
            element.text = (element.text or "") + clean(str(each))


def written(html: etree._Element) -> str:
    """A document as text."""
    return "<!DOCTYPE html>\n" + etree.tostring(html, method="html", encoding="unicode")


class Template:
    """A page of the report, whose elements are filled by their ids.

    :param kind: the name of its file, and the class of its body.
    :param title: its title.
    :param key: under which the browser keeps corrections.
    :param up: the way to the folder of the index.
    :param is_online: whether frames in it may load images and style sheets.
    """

    def __init__(self, kind: str, title: str, key: str, *, up: str = "../", is_online: bool = False) -> None:
        text = own_file("report.html").replace("<!-- content -->", own_file(f"{kind}.html"))
        self._root = etree.fromstring(text, etree.HTMLParser(remove_blank_text=True, remove_comments=True))
        self._ids = {str(each.get("id")): each for each in self._root.iter("*") if each.get("id")}
        self.fill("policy", content=policy(is_online, " 'self' file:"))
        self.fill("title", title)
        self.fill("css", href=f"{up}report.css")
        self.fill("script", src=f"{up}report.js")
        self.fill("body", class_=kind)
        self.fill("basket", data_key=key)

    def fill(self, name: str, *content: Content, **attributes: str | int | None) -> None:
        """Put something into the element with an id; see :func:`fill`."""
        fill(self._ids[name], *content, **attributes)

    def drop(self, name: str, *, unless: object) -> None:
        """Leave out the element with an id, unless there is something to be put into it."""
        each = self._ids[name]
        parent = each.getparent()
        if not unless and parent is not None:
            parent.remove(each)

    def __str__(self) -> str:
        return written(self._root)

"""The report's page for a sample page: the page itself, a list of its blocks, and what corrects them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from lxml import etree

from scrapy_stemmer.patterns.base import LabelledBlock
from scrapy_stemmer.report.documents import SiteRow, basket, button, counted, fact, figure, percent
from scrapy_stemmer.report.markup import document
from scrapy_stemmer.report.markup import element as h
from scrapy_stemmer.report.reading import GROUPS, SamplePage
from scrapy_stemmer.report.selecting import Offer

TEXT_CHARS = 160
"""Characters of a block in the list of blocks."""

SANDBOX = "allow-same-origin"
"""What the frame of a page may do. Without scripts of its own the same origin serves only the report's script, which
listens to clicks in the frame."""

GROUP_NAMES = {"title": "title", "text": "text", "sub": "beside the text", "template": "template"}

ACTIONS = {"keep": "Keep", "drop": "Drop", "title": "Is the title"}


def sample_document(row: SiteRow, pages: Sequence[SamplePage], files: Sequence[str], number: int, online: bool) -> str:
    """A sample page: as a browser draws it, with its blocks tinted by role.

    :param pages: the sample pages of the site.
    :param files: the names of their files.
    :param number: which of the pages it is.
    :param online: whether it may load its images and style sheets.
    """
    page = pages[number]
    figures = page.figures
    facts = [fact("confidence", figure(figures.confidence)), fact("matched", "yes" if figures.matched else "no")]
    facts += [fact("kind", page.kind)] if page.kind else []
    facts += [fact("removed", percent(1 - figures.kept / figures.chars if figures.chars else None))]
    layout = row.layouts.index(figures.layout) + 1 if figures.layout in row.layouts else 1
    links = [("All domains", "../index.html"), (row.name, f"layout-{layout}.html")]
    links += [("‹ previous", files[number - 1])] if number else []
    links += [("next ›", files[number + 1])] if number + 1 < len(pages) else []
    is_web = figures.url.startswith(("http://", "https://"))
    address = h("a", figures.url, href=figures.url, rel="noreferrer noopener") if is_web else figures.url
    head = h("header", h("h1", page.title), h("p", address, class_="url"), h("dl", *facts, class_="facts"))
    frame = h("iframe", title="The page", sandbox=SANDBOX, srcdoc=page.frame, id="frame", tabindex=-1)
    data = h("script", _script_safe(_data_of(row.site, page)), type="application/json", id="data")
    return document(
        f"{page.title}: {row.name}",
        h("nav", *(h("a", text, href=href) for text, href in links), class_="crumbs"),
        head,
        h("main", h("div", _toolbar(page), frame, class_="view"), h("aside", _inspector(page), _blocks(page))),
        basket(row.key),
        data,
        h("div", id="tip", hidden="", aria_hidden="true"),
        up="../",
        page_kind="page",
        is_online=online,
    )


def _toolbar(page: SamplePage) -> etree._Element:
    """The switch between the views, and what the colours mean."""
    views = [
        button(view.title(), data_view=view, aria_pressed="true" if view == "both" else "false")
        for view in ("original", "both", "stripped")
    ]
    counts = Counter(page.groups)
    legend = [h("li", GROUP_NAMES[group], f" {counts[group]}", class_=group) for group in GROUPS if counts[group]]
    switch = h("div", *views, role="group", aria_label="View", class_="views")
    return h("div", switch, h("ul", *legend, class_="legend"), class_="toolbar")


def _inspector(page: SamplePage) -> etree._Element:
    """What is known of the chosen block, and what corrects it; filled by the script."""
    actions = [
        h("button", said, type="button", data_action=name, aria_pressed="false") for name, said in ACTIONS.items()
    ]
    narrower = h("button", "‹ narrower", type="button", id="narrower")
    wider = h("button", "wider ›", type="button", id="wider")
    line = h("div", h("code", id="line"), h("button", "Copy", type="button", id="copy"), class_="line")
    correct = h(
        "div",
        h("div", *actions, role="group", aria_label="Correct it", class_="actions"),
        h("div", narrower, h("code", id="selector"), wider, class_="selector"),
        h("p", id="takes", class_="dim"),
        button("Add the correction", id="add", class_="primary"),
        line,
        id="correct",
        hidden="",
    )
    hint = "Point at a block, or go through the list with ↑ and ↓, to see why it was kept or dropped."
    if any(offers.around for offers in page.offers):
        hint += " A click, or the keys k, d and t, correct it."
    about = h("div", h("p", hint, class_="note"), id="about", aria_live="polite")
    return h("section", about, correct, id="inspector", aria_label="The chosen block")


def _blocks(page: SamplePage) -> etree._Element:
    items = [_block(number, block, page.groups[number]) for number, block in enumerate(page.blocks)]
    options = h("ol", *items, role="listbox", aria_label="Blocks", id="blocks", tabindex=0)
    return h("section", h("h2", counted(len(items), "block")), options)


def _block(number: int, block: LabelledBlock, group: str) -> etree._Element:
    text = block.text if len(block.text) <= TEXT_CHARS else f"{block.text[: TEXT_CHARS - 1].rstrip()}…"
    sure = max(block.noise_confidence, 1 - block.noise_confidence)
    what = h("span", h("b", str(block.role)), f" {sure:.0%}", class_="what")
    return h("li", what, h("span", text), role="option", id=f"block-{number}", class_=group, aria_selected="false")


def _data_of(site: str, page: SamplePage) -> dict[str, Any]:
    """What the script knows of a page."""
    table: dict[Offer, int] = {}
    places: dict[int, int] = {}
    paths: list[dict[str, Any]] = []
    for offers in page.offers:
        if places.setdefault(id(offers), len(paths)) == len(paths):
            both = (offers.around, offers.own)
            around, own = ([table.setdefault(each, len(table)) for each in some] for some in both)
            paths.append({"path": offers.path, "around": around, "start": offers.start, "own": own})
    blocks = [
        {"path": places[id(offers)], "why": why_in_words(block.evidence)}
        for block, offers in zip(page.blocks, page.offers, strict=True)
    ]
    offered = [[each.selector, _runs(each.here), each.blocks, each.pages] for each in table]
    return {"site": site, "url": page.figures.url, "offers": offered, "paths": paths, "blocks": blocks}


def _runs(numbers: Sequence[int]) -> list[int]:
    """Rising numbers as the beginnings and ends of the runs of them, one after the other."""
    found: list[int] = []
    for number in numbers:
        if found and found[-1] == number:
            found[-1] = number + 1
        else:
            found += (number, number + 1)
    return found


def why_in_words(evidence: Sequence[str]) -> str:
    """What decided on a block, as it is read."""
    reason = evidence[0] if evidence else ""
    if reason.startswith("scored "):
        return f"no rule here; the scorer gave {reason.removeprefix('scored ')} (above 0 is text)"
    return f"rule: {reason}" if reason else "not told by this learner"


def _script_safe(data: object) -> str:
    """JSON that never ends the element that it stands in."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")

"""The documents of the report: the index, a page for each layout, and one for each sample page."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from scrapy_stemmer.core.text import stable_hash
from scrapy_stemmer.learners.rules.paths import Step
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.rules import DROP, KEEP, Rule
from scrapy_stemmer.patterns.base import LabelledBlock, Pattern
from scrapy_stemmer.report.figures import GROUPS, SamplePage, SiteFigures, decided
from scrapy_stemmer.report.markup import document
from scrapy_stemmer.report.markup import element as h
from scrapy_stemmer.report.selecting import Offer

LEAST = 12
"""Steps that a drawing has room for, at least: a few pages are not drawn as wide as many."""


@dataclass(frozen=True, slots=True)
class SiteRow:
    """A site of the report.

    :param layouts: names of its patterns; ``None`` among them stands for pages of none.
    :param key: of the corrections that a browser keeps for this report.
    """

    site: str
    figures: SiteFigures
    layouts: tuple[str | None, ...]
    key: str

    @property
    def folder(self) -> str:
        """The folder of its pages: its name, as far as every file system takes it."""
        plain = re.sub(r"[^a-z0-9.-]", "_", self.site)[:80].strip(".") or "_"
        return plain if plain == self.site else f"{plain}-{stable_hash(self.site):016x}"

    @property
    def name(self) -> str:
        """What people call it."""
        return self.site or "(no host)"


def percent(share: float | None) -> str:
    """A share as people read it."""
    return "–" if share is None else f"{share:.0%}"


def figure(value: float | None) -> str:
    """A confidence as people read it."""
    return "–" if value is None else f"{value:.2f}"


# The index


def index_document(rows: Sequence[SiteRow], source: str, unlearned: Mapping[str, int], unseen: Sequence[str]) -> str:
    """The index: each domain with how its pages are stripped.

    :param source: what pages and patterns are from, in words.
    :param unlearned: domains of the pages that have no patterns, with the number of their pages.
    :param unseen: domains that have patterns, and no pages.
    """
    heads = {
        "Domain": None,
        "Pages": "pages in the source",
        "Matched": "pages of a learned layout",
        "Confidence": "how sure it is that the text of a page is right, in the mean",
        "Removed": "share of all characters",
        "Drift": "whether pages are still like those that were learned",
    }
    cells = [h("th", button(head), scope="col", title=title) for head, title in heads.items()]
    cells.append(h("th", "Confidence over time", scope="col"))
    table = h("table", h("thead", h("tr", *cells)), h("tbody", *map(_index_row, rows)), class_="sites")
    pages = sum(len(row.figures.pages) for row in rows)
    notes = [h("p", f"{counted(len(rows), 'domain')}, {counted(pages, 'page')}. {source}", class_="lead")]
    if unlearned:
        named = ", ".join(f"{site or '(no host)'} ({count})" for site, count in unlearned.items())
        notes.append(h("p", h("strong", "Not learned: "), named, class_="note"))
    if unseen:
        notes.append(h("p", h("strong", "Learned, but without pages here: "), ", ".join(unseen), class_="note"))
    time = (
        "Time runs from left to right, page by page, or several pages a step: by the time of fetching where the source "
        "has it for all pages of a domain (WARC, WACZ, HTTP cache), else in the order of the source. The line is the "
        "confidence, from 0 to 1. Grey marks are pages that match no layout, red ones are unusual pages; a red line "
        "across is where a change was found."
    )
    main = h("main", h("h1", "What was learned"), *notes, h("div", table, class_="wide"), h("p", time, class_="note"))
    return document("scrapy-stemmer report", main, basket(rows[0].key if rows else ""), page_kind="index")


def _index_row(row: SiteRow) -> etree._Element:
    site = row.figures
    layouts: list[etree._Element | str] = [h("a", row.name, href=f"{row.folder}/layout-1.html")]
    if len(row.layouts) > 1:
        layouts.append(h("span", f" {len(row.layouts)} layouts", class_="dim"))
    dates = " – ".join(dict.fromkeys(site.dates)) if site.dates else ""
    return h(
        "tr",
        h("th", *layouts, scope="row"),
        _cell("Pages", len(site.pages), len(site.pages)),
        _cell("Matched", percent(site.matched), site.matched),
        _cell("Confidence", figure(site.confidence), site.confidence),
        _cell("Removed", percent(site.removed), site.removed),
        _cell("Drift", said(site), site.unusual, class_="changed" if site.drifted_at else "words"),
        h("td", chart(site, 180, 32, 60), h("span", dates, class_="dim") if dates else None, class_="over"),
    )


def _cell(head: str, value: str | int, sort: float | None, class_: str = "number") -> etree._Element:
    return h("td", value, data_head=head, data_sort=-1 if sort is None else f"{sort:.6f}", class_=class_)


# A layout


def layout_document(row: SiteRow, pattern: Pattern | None, pages: Sequence[SamplePage], files: Sequence[str]) -> str:
    """A layout: its figures, its rules in words, its sample pages.

    :param pattern: ``None`` for the pages of no layout.
    :param pages: the sample pages of the site, of all layouts.
    :param files: the names of their files.
    """
    name = pattern.name if pattern is not None else None
    site = row.figures.of_layout(name) if len(row.layouts) > 1 else row.figures
    content = [h("h1", row.name), h("dl", *_facts(site, pattern), class_="facts")]
    if site.pages:
        dates = site.dates or ("page 1", f"page {len(site.pages)}")
        axis = h("p", h("span", dates[0]), h("span", dates[1]), class_="axis")
        caption = h("figcaption", "Confidence over time, page by page")
        content.append(h("figure", chart(site, 720, 90, 240), axis, caption))
    content += _rules(pattern, pages) if pattern is not None else []
    content += [h("h2", "Sample pages"), _sample_list(pages, files, name)]
    return document(
        f"{row.name}: {name or 'no layout'}",
        h("nav", h("a", "All domains", href="../index.html"), *_tabs(row, name), class_="crumbs"),
        h("main", *content),
        basket(row.key),
        up="../",
        page_kind="layout",
    )


def _tabs(row: SiteRow, current: str | None) -> Iterator[etree._Element]:
    if len(row.layouts) > 1:
        for number, name in enumerate(row.layouts, 1):
            here = "page" if name == current else None
            yield h("a", name or "no layout", href=f"layout-{number}.html", aria_current=here)


def _facts(site: SiteFigures, pattern: Pattern | None) -> Iterator[etree._Element]:
    yield fact("pages", len(site.pages))
    yield fact("matched", percent(site.matched) if site.pages else "–")
    yield fact("confidence", figure(site.confidence))
    yield fact("removed", percent(site.removed))
    yield fact("drift", said(site))
    if pattern is not None:
        yield fact("learned from", counted(pattern.support, "page"))
        yield fact("learned", (pattern.learned or "–").partition("T")[0])
        if pattern.retired:
            yield fact("retired", pattern.retired.partition("T")[0])


def _rules(pattern: Pattern, pages: Sequence[SamplePage]) -> list[etree._Element]:
    """What decides on the texts of a layout, with how much of the sample pages' text each rule has decided."""
    if not isinstance(pattern, RulesPattern):
        note = f"Patterns of the learner {pattern.kind} have no rules; what decided is told with each block of a page."
        return [h("h2", "Rules"), h("p", note, class_="note")]
    chars = decided(pages, pattern.name)
    total = max(1, sum(chars.values()))
    rows = [_rule_row(rule, chars.get(rule.line, 0) / total) for rule in pattern.rules]
    scored = h("td", "Where no rule was learned the scorer decides, by looking at the text itself", colspan=3)
    rows.append(
        h(
            "tr",
            h("td", h("span", "score", class_="tag")),
            scored,
            h("td", percent(chars.get("scored", 0) / total), class_="number"),
        )
    )
    heads = h("tr", *(h("th", head, scope="col") for head in ("Rule", "In words", "Selector", "Sure", "Decides")))
    note = "“Decides” is the share of the sample pages’ text. Of several rules the one nearest around a text counts."
    table = h("table", h("thead", heads), h("tbody", *rows), class_="rules")
    return [h("h2", "Rules"), h("div", table, class_="wide"), h("p", note, class_="note")]


def _rule_row(rule: Rule, share: float) -> etree._Element:
    return h(
        "tr",
        h("td", h("span", rule.action, class_=f"tag {rule.action}")),
        h("td", in_words(rule)),
        h("td", h("code", str(rule.selector))),
        h("td", "by hand" if rule.is_users else figure(rule.sure), class_="number"),
        h("td", percent(share) if rule.action in (KEEP, DROP) else "", class_="number"),
    )


def in_words(rule: Rule) -> str:
    """A rule as a sentence."""
    *outer, last = rule.selector.steps
    if not outer and last.tag == "body":
        return f"{rule.action.capitalize()} all text that no other rule is for"
    text, inner = _step_in_words(last), last
    for step in reversed(outer):
        text += f" {'directly' if inner.child else 'somewhere'} in {_step_in_words(step)}"
        inner = step
    begin = {KEEP: "Keep the text in", DROP: "Drop the text in"}.get(rule.action, "The title is the text of")
    return f"{begin} {text}{f': {rule.role}' if rule.role else ''}"


def _step_in_words(step: Step) -> str:
    ids = " and ".join(sorted(name[1:] for name in step.names if name.startswith("#")))
    classes = " and ".join(sorted(name[1:] for name in step.names if name.startswith(".")))
    named = [f"with the id {ids}"] if ids else []
    named += [f"of class {classes}"] if classes else []
    return " ".join([f"{step.tag} elements" if step.tag else "elements", " and ".join(named)]).strip()


def _sample_list(pages: Sequence[SamplePage], files: Sequence[str], layout: str | None) -> etree._Element:
    items = []
    for page, file in zip(pages, files, strict=True):
        if page.figures.layout == layout:
            says = [figure(page.figures.confidence), page.kind or "", "" if page.figures.matched else "not matched"]
            facts = " · ".join(filter(None, [*says, f"{counted(len(page.blocks), 'block')}"]))
            link = h("a", page.title, href=file)
            items.append(h("li", link, h("span", facts, class_="dim"), h("span", page.figures.url, class_="url")))
    return h("ul", *items, class_="samples") if items else h("p", "None in the source.", class_="note")


# What several pages have


def chart(site: SiteFigures, width: int, height: int, most: int) -> etree._Element:
    """The confidence of the pages as a line of steps, in the order of time, with marks below it for what is unusual.

    Pages without a confidence count as sure if they match.

    :param width: in pixels, as the height is.
    :param most: steps, at most; each is the mean of equally many pages in a row.
    """
    pages, top = site.pages, height - 5
    size = -(-len(pages) // most) or 1
    steps = [pages[start : start + size] for start in range(0, len(pages), size)]
    wide = width / max(len(steps), LEAST)
    svg = h("svg", viewBox=f"0 0 {width} {height}", class_="chart", role="img", preserveAspectRatio="none")
    svg.set("aria-label", f"Confidence of {len(pages)} pages in the order of time. Drift: {said(site)}.")
    line, marks = "", []
    for number, step in enumerate(steps):
        sure = sum(float(page.matched) if page.confidence is None else page.confidence for page in step) / len(step)
        x, y = f"{number * wide:.1f}", f"{1.5 + (1 - sure) * (top - 1.5):.1f}"
        line += f"{'V' if line else f'M{x} '}{y}H{(number + 1) * wide:.1f}"
        kind = "unusual" if any(page.unusual for page in step) else "unmatched"
        if kind == "unusual" or not all(page.matched for page in step):
            marks.append(h("rect", x=x, y=height - 3, width=f"{max(1.0, wide - 1):.1f}", height=3, class_=kind))
    svg.append(h("path", d=f"{line}V{top}H0Z", class_="area"))
    svg.append(h("path", d=line, class_="line"))
    svg.extend(marks)
    if site.drifted_at:
        x = f"{site.drifted_at / size * wide:.1f}"
        svg.append(h("line", x1=x, x2=x, y1=0, y2=height, class_="drift"))
    return svg


def said(site: SiteFigures) -> str:
    """What is known of drift, in words."""
    if site.unusual is None:
        return "not watched"
    if site.drifted_at:
        return f"changed by page {site.drifted_at}"
    return f"{site.unusual} unusual" if site.unusual else "none"


def button(text: str, **attributes: str | None) -> etree._Element:
    """A button, for the script."""
    return h("button", text, type="button", **attributes)


def fact(name: str, value: str | int) -> etree._Element:
    """A figure with its name."""
    return h("div", h("dt", name), h("dd", value))


def basket(key: str) -> etree._Element:
    """Where the corrections are collected, filled by the script.

    :param key: under which the browser keeps them.
    """
    download = button("Download corrections.json", id="download", class_="primary")
    buttons = h("p", download, button("Clear", id="clear"), class_="buttons")
    teach = h("p", "Then: ", h("code", "scrapy stemmer teach PATTERNS corrections.json"), class_="note")
    return h(
        "section",
        h("ul", id="corrections"),
        buttons,
        teach,
        id="basket",
        aria_label="Corrections",
        data_key=key,
        hidden="",
    )


def counted(number: int, noun: str) -> str:
    """A number of something: ``1 page``, ``2 pages``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


# The report's page for a sample page: the page itself, a list of its blocks, and what corrects them

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

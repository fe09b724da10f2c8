"""The index of the report, and its page for each layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lxml import etree

from scrapy_stemmer.core.text import stable_hash
from scrapy_stemmer.learners.rules.paths import Step
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.rules import DROP, KEEP, Rule
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.report.figures import SiteFigures
from scrapy_stemmer.report.markup import document
from scrapy_stemmer.report.markup import element as h
from scrapy_stemmer.report.reading import SamplePage, decided

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

"""The documents of the report: the index, a page for each layout, and one for each sample page.

What is always the same in them stands in the files of HTML beside this module.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from scrapy_stemmer.core.text import counted, stable_hash
from scrapy_stemmer.learners.rules.paths import Step
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.rules import DROP, KEEP, Rule
from scrapy_stemmer.patterns.base import LabelledBlock, Pattern
from scrapy_stemmer.report.figures import GROUPS, SamplePage, SiteFigures, decided
from scrapy_stemmer.report.markup import Template
from scrapy_stemmer.report.markup import element as h
from scrapy_stemmer.report.selecting import Offer

LEAST = 12
"""Steps that a drawing has room for, at least: a few pages are not drawn as wide as many."""

TEXT_CHARS = 160
"""Characters of a block in the list of blocks."""

GROUP_NAMES = {"title": "title", "text": "text", "sub": "beside the text", "template": "template"}


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


def facts(values: Mapping[str, str | int | None]) -> list[etree._Element]:
    """Figures with their names, but for those that are ``None``."""
    return [h("div", h("dt", name), h("dd", value)) for name, value in values.items() if value is not None]


def index_document(rows: Sequence[SiteRow], source: str, unlearned: Mapping[str, int], unseen: Sequence[str]) -> str:
    """The index: each domain with how its pages are stripped.

    :param source: what pages and patterns are from, in words.
    :param unlearned: domains of the pages that have no patterns, with the number of their pages.
    :param unseen: domains that have patterns, and no pages.
    """
    index = Template("index", "scrapy-stemmer report", rows[0].key if rows else "", up="")
    pages = sum(len(row.figures.pages) for row in rows)
    index.fill("lead", f"{counted(len(rows), 'domain', ',')}, {counted(pages, 'page', ',')}. {source}")
    index.fill("unlearned", ", ".join(f"{site or '(no host)'} ({count})" for site, count in unlearned.items()))
    index.drop("unlearned", unless=unlearned)
    index.fill("unseen", ", ".join(unseen))
    index.drop("unseen", unless=unseen)
    index.fill("sites", *map(_index_row, rows))
    return str(index)


def _index_row(row: SiteRow) -> etree._Element:
    site = row.figures
    layouts = h("span", f" {len(row.layouts)} layouts", class_="dim") if len(row.layouts) > 1 else None
    dates = h("span", " – ".join(dict.fromkeys(site.dates)), class_="dim") if site.dates else None
    return h(
        "tr",
        h("th", h("a", row.name, href=f"{row.folder}/layout-1.html"), layouts, scope="row"),
        _cell("Pages", len(site.pages), len(site.pages)),
        _cell("Matched", percent(site.matched), site.matched),
        _cell("Confidence", figure(site.confidence), site.confidence),
        _cell("Removed", percent(site.removed), site.removed),
        _cell("Drift", said(site), site.unusual, class_="changed" if site.drifted_at else "words"),
        h("td", chart(site, 180, 32, 60), dates, class_="over"),
    )


def _cell(head: str, value: str | int, sort: float | None, class_: str = "number") -> etree._Element:
    return h("td", value, data_head=head, data_sort=-1 if sort is None else f"{sort:.6f}", class_=class_)


def layout_document(row: SiteRow, pattern: Pattern | None, pages: Sequence[SamplePage], files: Sequence[str]) -> str:
    """A layout: its figures, its rules in words, its sample pages.

    :param pattern: ``None`` for the pages of no layout.
    :param pages: the sample pages of the site, of all layouts.
    :param files: the names of their files.
    """
    name = pattern.name if pattern is not None else None
    rules = pattern if isinstance(pattern, RulesPattern) else None
    site = row.figures.of_layout(name) if len(row.layouts) > 1 else row.figures
    made = Template("layout", f"{row.name}: {name or 'no layout'}", row.key)
    for number, layout in enumerate(row.layouts if len(row.layouts) > 1 else (), 1):
        here = "page" if layout == name else None
        made.fill("crumbs", h("a", layout or "no layout", href=f"layout-{number}.html", aria_current=here))
    made.fill("name", row.name)
    figures: dict[str, str | int | None] = {
        "pages": len(site.pages),
        "matched": percent(site.matched if site.pages else None),
        "confidence": figure(site.confidence),
        "removed": percent(site.removed),
        "drift": said(site),
    }
    if pattern is not None:
        figures["learned from"] = counted(pattern.support, "page", ",")
        figures["learned"] = (pattern.learned or "–").partition("T")[0]
        figures["retired"] = pattern.retired.partition("T")[0] if pattern.retired else None
        made.fill("kind", pattern.kind)
    made.fill("facts", *facts(figures))
    made.fill("chart", chart(site, 720, 90, 240))
    first, last = site.dates or ("page 1", f"page {len(site.pages)}")
    made.fill("first", first)
    made.fill("last", last)
    made.drop("figure", unless=site.pages)
    made.fill("rows", *(() if rules is None else _rule_rows(rules, pages)))
    made.drop("rules", unless=pattern is not None)
    made.drop("table", unless=rules is not None)
    made.drop("no-rules", unless=pattern is not None and rules is None)
    samples = [_sample(page, file) for page, file in zip(pages, files, strict=True) if page.figures.layout == name]
    made.fill("samples", *samples)
    made.drop("samples", unless=samples)
    made.drop("no-samples", unless=not samples)
    return str(made)


def _rule_rows(pattern: RulesPattern, pages: Sequence[SamplePage]) -> Iterator[etree._Element]:
    """What decides on the texts of a layout, with how much of the sample pages' text each rule has decided."""
    chars = decided(pages, pattern.name)
    total = max(1, chars.total())
    for rule in pattern.rules:
        share = percent(chars[rule.line] / total) if rule.action in (KEEP, DROP) else ""
        yield h(
            "tr",
            h("td", h("span", rule.action, class_=f"tag {rule.action}")),
            h("td", in_words(rule)),
            h("td", h("code", str(rule.selector))),
            h("td", "by hand" if rule.is_users else figure(rule.sure), class_="number"),
            h("td", share, class_="number"),
        )
    scored = h("td", "Where no rule was learned the scorer decides, by looking at the text itself", colspan=3)
    share = percent(chars["scored"] / total)
    yield h("tr", h("td", h("span", "score", class_="tag")), scored, h("td", share, class_="number"))


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


def _sample(page: SamplePage, file: str) -> etree._Element:
    """A sample page in the list of a layout."""
    says = [figure(page.figures.confidence), page.kind, "" if page.figures.matched else "not matched"]
    known = " · ".join(filter(None, [*says, counted(len(page.blocks), "block", ",")]))
    url = h("span", page.figures.url, class_="url")
    return h("li", h("a", page.title, href=file), h("span", known, class_="dim"), url)


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


def sample_document(row: SiteRow, pages: Sequence[SamplePage], files: Sequence[str], number: int, online: bool) -> str:
    """A sample page: as a browser draws it, with its blocks tinted by role.

    :param pages: the sample pages of the site.
    :param files: the names of their files.
    :param number: which of the pages it is.
    :param online: whether it may load its images and style sheets.
    """
    page, figures = pages[number], pages[number].figures
    made = Template("page", f"{page.title}: {row.name}", row.key, is_online=online)
    layout = row.layouts.index(figures.layout) + 1 if figures.layout in row.layouts else 1
    made.fill("crumbs", h("a", row.name, href=f"layout-{layout}.html"))
    made.fill("crumbs", h("a", "‹ previous", href=files[number - 1]) if number else None)
    made.fill("crumbs", h("a", "next ›", href=files[number + 1]) if number + 1 < len(pages) else None)
    made.fill("name", page.title)
    is_web = figures.url.startswith(("http://", "https://"))
    url = figures.url
    made.fill("address", h("a", url, href=url, rel="noreferrer noopener") if is_web else url)
    removed = percent(1 - figures.kept / figures.chars if figures.chars else None)
    known = {"confidence": figure(figures.confidence), "matched": "yes" if figures.matched else "no"}
    made.fill("facts", *facts({**known, "kind": page.kind, "removed": removed}))
    counts = Counter(page.groups)
    groups = [group for group in GROUPS if counts[group]]
    made.fill("legend", *(h("li", GROUP_NAMES[group], f" {counts[group]}", class_=group) for group in groups))
    made.fill("frame", srcdoc=page.frame)
    made.drop("hint", unless=any(offers.around for offers in page.offers))
    made.fill("count", counted(len(page.blocks), "block", ","))
    made.fill("blocks", *map(_block, range(len(page.blocks)), page.blocks, page.groups))
    # It must not end the element that it stands in.
    data = json.dumps(_data_of(row.site, page), ensure_ascii=False, separators=(",", ":"))
    made.fill("data", data.replace("<", "\\u003c"))
    return str(made)


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

"""The drawings over time, as SVG: how sure the pages of a site were stripped, one after the other."""

from __future__ import annotations

from lxml import etree

from scrapy_stemmer.report.figures import SiteFigures
from scrapy_stemmer.report.markup import element

LEAST = 12
"""Steps that a drawing has room for, at least: a few pages are not drawn as wide as many."""


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
    svg = element("svg", viewBox=f"0 0 {width} {height}", class_="chart", role="img", preserveAspectRatio="none")
    svg.set("aria-label", f"Confidence of {len(pages)} pages in the order of time. Drift: {said(site)}.")
    line, marks = "", []
    for number, step in enumerate(steps):
        sure = sum(float(page.matched) if page.confidence is None else page.confidence for page in step) / len(step)
        x, y = f"{number * wide:.1f}", f"{1.5 + (1 - sure) * (top - 1.5):.1f}"
        line += f"{'V' if line else f'M{x} '}{y}H{(number + 1) * wide:.1f}"
        kind = "unusual" if any(page.unusual for page in step) else "unmatched"
        if kind == "unusual" or not all(page.matched for page in step):
            marks.append(element("rect", x=x, y=height - 3, width=f"{max(1.0, wide - 1):.1f}", height=3, class_=kind))
    svg.append(element("path", d=f"{line}V{top}H0Z", class_="area"))
    svg.append(element("path", d=line, class_="line"))
    svg.extend(marks)
    if site.drifted_at:
        x = f"{site.drifted_at / size * wide:.1f}"
        svg.append(element("line", x1=x, x2=x, y1=0, y2=height, class_="drift"))
    return svg


def said(site: SiteFigures) -> str:
    """What is known of drift, in words."""
    if site.unusual is None:
        return "not watched"
    if site.drifted_at:
        return f"changed by page {site.drifted_at}"
    return f"{site.unusual} unusual" if site.unusual else "none"

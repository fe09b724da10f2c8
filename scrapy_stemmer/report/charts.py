"""The drawings over time, as SVG: how sure the pages of a site were stripped, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from scrapy_stemmer.report.figures import PageFigures, SiteFigures
from scrapy_stemmer.report.markup import element


@dataclass(frozen=True, slots=True)
class Bin:
    """Some pages in a row, drawn as one bar.

    :param confidence: their mean confidence; that pages match where the learner gives none.
    :param unmatched: how many match no layout.
    :param unusual: how many are unlike the learned pages.
    """

    pages: int
    confidence: float
    unmatched: int
    unusual: int

    @classmethod
    def of(cls, pages: Sequence[PageFigures]) -> Bin:
        """Some pages in a row."""
        sure = [float(page.matched) if page.confidence is None else page.confidence for page in pages]
        unmatched = sum(not page.matched for page in pages)
        return cls(len(pages), sum(sure) / len(sure), unmatched, sum(bool(page.unusual) for page in pages))

    @property
    def label(self) -> str:
        """What the bar says in words."""
        more = f", {self.unmatched} unmatched" if self.unmatched else ""
        more += f", {self.unusual} unusual" if self.unusual else ""
        return f"{self.pages} page{'s' * (self.pages > 1)}, confidence {self.confidence:.2f}{more}"


def bins(pages: Sequence[PageFigures], most: int) -> list[Bin]:
    """Pages in the order of time as bars of equally many pages.

    :param most: bars, at most.
    """
    size = -(-len(pages) // most) or 1
    return [Bin.of(pages[start : start + size]) for start in range(0, len(pages), size)]


def chart(site: SiteFigures, width: int, height: int, most: int) -> etree._Element:
    """Confidence as bars over the pages in the order of time; below it a mark for those with unusual pages.

    :param width: in pixels, as the height is.
    :param most: bars, at most.
    """
    found = bins(site.pages, most)
    step = width / max(len(found), 12)
    top = height - 5
    svg = element("svg", viewBox=f"0 0 {width} {height}", class_="chart", role="img", preserveAspectRatio="none")
    svg.set("aria-label", f"Confidence of {len(site.pages)} pages in the order of time. {said(site)}.")
    for number, bar in enumerate(found):
        x, high = f"{number * step:.2f}", max(1.0, bar.confidence * top)
        wide = f"{max(0.5, step - (1 if step > 3 else 0.25)):.2f}"
        kind = "unmatched" if bar.unmatched * 2 > bar.pages else "matched"
        rect = element("rect", element("title", bar.label), x=x, y=f"{top - high:.1f}", width=wide, class_=kind)
        rect.set("height", f"{high:.1f}")
        svg.append(rect)
        if bar.unusual:
            svg.append(element("rect", x=x, y=height - 3, width=wide, height=3, class_="unusual"))
    if site.drifted_at:
        x = f"{site.drifted_at / len(site.pages) * len(found) * step:.2f}"
        svg.append(element("line", x1=x, x2=x, y1=0, y2=height, class_="drift"))
    return svg


def said(site: SiteFigures) -> str:
    """What is known of drift, in words."""
    if site.unusual is None:
        return "not watched"
    if site.drifted_at:
        return f"changed: found at page {site.drifted_at}"
    return f"{site.unusual} unusual" if site.unusual else "none"

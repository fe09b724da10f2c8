"""A site as the evidence learner learns it, and what is said of a page of it."""

from __future__ import annotations

from lxml import etree

from scrapy_stemmer import MatchOptions, Page, Stripped
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.core.evidence.model import SiteModel
from scrapy_stemmer.patterns.base import PageMatch
from scrapy_stemmer.patterns.evidence import EvidencePattern
from scrapy_stemmer.strip import strip
from tests.core.evidence.made import site, story


def pattern(model: SiteModel) -> EvidencePattern:
    return EvidencePattern(
        site="news.example", name="(all pages)", support=model.pages, score=9.5, site_wide=True, model=model
    )


def learned(sample: list[str]) -> EvidencePattern:
    return pattern(site(sample))


def strip_(html: str | etree._Element, found: EvidencePattern) -> Stripped:
    return strip([found], Document(Page("https://news.example/new", html)), MatchOptions(site_threshold=0.0))


def said(stripped: Stripped) -> tuple[object, ...]:
    """All that is said of a page."""
    return (
        (stripped.matched, stripped.similarity, stripped.title, stripped.text, stripped.sub_text, stripped.html),
        [(block.text, block.path, block.role, block.noise_confidence, block.evidence) for block in stripped.blocks],
    )


LEARNED = pattern(site())
ONE_PAGE = pattern(site([story("storm")]))


def match(html: str, found: EvidencePattern = LEARNED, threshold: float = 0.0) -> PageMatch | None:
    document = Document(Page("https://news.example/new", html))
    return found.match(document, MatchOptions(site_threshold=threshold))


def matched(html: str, found: EvidencePattern = LEARNED, threshold: float = 0.0) -> PageMatch:
    result = match(html, found, threshold)
    assert result is not None
    return result

"""Documents of the report: what decided, escaped texts, packed parts."""

from __future__ import annotations

import gzip
import json
from base64 import b64decode

from lxml import html as lxml_html

from scrapy_stemmer.report.documents import packed_of, why_in_words
from scrapy_stemmer.report.drawing import rendered
from scrapy_stemmer.report.figures import PageFigures, SiteFigures


def test_what_decided_is_told_in_words() -> None:
    assert why_in_words(("drop .nav",)) == "rule: drop .nav"
    assert why_in_words(("scored +1.3",)) == "no rule here; the scorer gave +1.3 (above 0 is text)"
    assert why_in_words(("drop .nav",), {("drop", ".nav")}) == "your rule: drop .nav"
    assert why_in_words(()) == "not told by this learner"


PAGE = PageFigures("http://a.example/0", "site", True, 0.9, 100, 80, False, 0.15, "2026-01-02T00:00:00Z")


def figures_of(site: str, *pages: PageFigures, drifted_at: int | None = None) -> SiteFigures:
    return SiteFigures(pages, drifted_at, site, ("site",))


def index(*sites: SiteFigures, unlearned: dict[str, int], unseen: list[str]) -> str:
    names = {"uri": "p.jsonl", "sources": ["pages.jsonl"]}
    total = SiteFigures(tuple(page for site in sites for page in site.pages))
    worst = [(page, "javascript:pwn()") for page in total.pages]
    values = {"key": "key", "taught": [("a", "drop", "'\"<b>")], "total": total, "worst": worst, **names}
    return rendered("index.html", sites=sites, unlearned=unlearned, unseen=unseen, **values)


def test_the_index_tells_time_and_change_and_its_texts_stay_texts() -> None:
    hostile = "</title><script>x{{ 7 * 7 }}\x0b"
    site = figures_of(hostile, PAGE, PAGE, drifted_at=2)
    tree = lxml_html.fromstring(index(site, unlearned={hostile: 3}, unseen=[hostile, hostile]))
    assert len(tree.findall(".//script")) == 1
    text = " ".join(tree.itertext())
    assert text.count(hostile.replace("\x0b", "\ufffd")) == 4
    for shown in ("changed by page 2", "2026-01-02", "0.90", "20%"):
        assert shown in text
    assert tree.find(".//svg/line") is not None
    assert json.loads(tree.get_element_by_id("basket").get("data-taught")) == [["a", "drop", "'\"<b>"]]
    empty = " ".join(" ".join(lxml_html.fromstring(index(unlearned={}, unseen=[])).itertext()).split())
    assert "domains 0 pages 0" in empty


def test_parts_are_packed_and_unpacked_again() -> None:
    parts = {"frame": "<p>é</p>" * 1000, "data": {"blocks": [1]}, "blocks": ""}
    packed = packed_of(parts)
    assert len(packed) < 300
    assert json.loads(gzip.decompress(b64decode(packed))) == parts
    assert packed_of(parts) == packed

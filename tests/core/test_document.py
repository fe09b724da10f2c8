"""A page is parsed once, and cut into blocks once for each way of cutting."""

from __future__ import annotations

from lxml import etree

from scrapy_stemmer import BlockOptions, Page
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.core.dom import PageParser, parse

PAGE = Page("https://news.example/1", b"<p>Rain fell.<p>\xe4 and more rain")


def test_it_is_parsed_once_when_it_is_asked_for() -> None:
    parsed: list[str] = []

    class Counting(PageParser):
        def root_of(self, page: Page, default_charset: str = "") -> etree._Element:
            parsed.append(default_charset)
            return super().root_of(page, default_charset)

    document = Document(PAGE, "latin-1", Counting())
    assert (document.page, parsed) == (PAGE, [])
    assert document.root is document.root
    assert parsed == ["latin-1"]
    assert document.root.findtext(".//p[2]") == "\xe4 and more rain"


def test_a_tree_of_the_user_s_is_taken_as_it_is() -> None:
    root = parse("<p>Rain fell.")
    assert Document(Page("https://news.example/1", root)).root is root


def test_blocks_are_made_once_for_each_way_of_cutting() -> None:
    document, ways = Document(PAGE, "latin-1"), (BlockOptions(), BlockOptions(invisible=False))
    first, second = map(document.blocks, ways)
    assert [block.text for block in first] == ["Rain fell.", "\xe4 and more rain"]
    assert document.blocks(ways[0]) is first
    assert first is not second

"""A page while it is being read: parsed once, cut into blocks once for each way of cutting."""

from __future__ import annotations

from lxml import etree

from scrapy_stemmer.core.blocks import BlockOptions, LayoutBlock, blocks_of
from scrapy_stemmer.core.dom import DEFAULT_CHARSET, PageParser, as_html
from scrapy_stemmer.core.page import Page


class Document:
    """A page with its tree and its layout blocks, which are made when they are first asked for.

    :param page: the page; a tree that it holds is read and never changed.
    :param default_charset: for bytes that declare no charset.
    :param parser: parses it; one of its own when ``None``.
    """

    __slots__ = ("_blocks", "_default_charset", "_parser", "_root", "page")

    def __init__(self, page: Page, default_charset: str = DEFAULT_CHARSET, parser: PageParser | None = None) -> None:
        self.page = page
        self._root: etree._Element | None = None
        self._default_charset = default_charset
        self._parser = parser
        self._blocks: dict[BlockOptions, list[LayoutBlock]] = {}

    @property
    def root(self) -> etree._Element:
        """The root element."""
        if self._root is None:
            html = self.page.html
            if isinstance(html, etree._Element):
                # As in a crawl: asked here, since a parser is not needed then.
                self._root = as_html(html)
            else:
                self._root = (self._parser or PageParser()).root_of(self.page, self._default_charset)
        return self._root

    def blocks(self, options: BlockOptions) -> list[LayoutBlock]:
        """The layout blocks under these options."""
        if options not in self._blocks:
            self._blocks[options] = blocks_of(self.root, options)
        return self._blocks[options]

"""Outputs for stripped pages and patterns: Markdown, items of zyte-common-items, and files of ftr-site-config."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_stemmer.outputs.markdown import HEAD as HEAD
from scrapy_stemmer.outputs.markdown import markdown_file as markdown_file
from scrapy_stemmer.outputs.markdown import markdown_of as markdown_of
from scrapy_stemmer.outputs.markdown import markdown_page as markdown_page
from scrapy_stemmer.outputs.zyte import article_list_of as article_list_of
from scrapy_stemmer.outputs.zyte import article_navigation_of as article_navigation_of
from scrapy_stemmer.outputs.zyte import article_of as article_of
from scrapy_stemmer.outputs.zyte import article_values as article_values
from scrapy_stemmer.outputs.zyte import product_of as product_of
from scrapy_stemmer.page.text import file_name

if TYPE_CHECKING:
    from scrapy_stemmer.learners.rules.pattern import RulesPattern

MAX_TEST_URLS = 3  # in a file of ftr-site-config


# Files of ftr-site-config for programs such as Full-Text RSS and wallabag


def config_name(site: str) -> str:
    return f"{file_name(site.partition(':')[0])}.txt"


def site_config(pattern: RulesPattern) -> str:
    """Return the text of a site's file: rules for title, text and removals, and test pages."""
    found = pattern.to_selectors()
    lines = [
        *(f"title: {xpath}" for xpath in found.title_xpath),
        *(f"author: {xpath}" for xpath in found.fields_xpath.get("authors", ())),
        *(f"date: {xpath}" for xpath in found.fields_xpath.get("published", ())),
        f"body: {found.body_xpath}",
        *([f"strip: {found.strip_xpath}"] if set(found.drop) - {"body"} else []),
        "prune: no",
        "tidy: no",
        *(f"test_url: {sample.url}" for sample in pattern.samples[:MAX_TEST_URLS]),
    ]
    return "".join(f"{line}\n" for line in lines)

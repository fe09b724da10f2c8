"""Rules of a site as a file of ftr-site-config, which Full-Text RSS, wallabag and others read."""

from __future__ import annotations

from scrapy_stemmer.core.text import file_name
from scrapy_stemmer.learners.rules.pattern import RulesPattern

MAX_TEST_URLS = 3


def config_name(site: str) -> str:
    """The name of a site's file; a port is no part of it."""
    return f"{file_name(site.partition(':')[0])}.txt"


def site_config(pattern: RulesPattern) -> str:
    """The text of the file: where title and text are, what in the text is no part of it, and pages to test it on."""
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

"""Imports and caches of most crawls, loaded once in the server that forks processes. No reactor is installed,
and module-level state consists of caches, so each fork behaves like a new process."""

from __future__ import annotations

import gc
import re
import warnings
from contextlib import suppress
from importlib import import_module

from scrapy.exceptions import ScrapyDeprecationWarning
from scrapy.settings import default_settings
from scrapy.utils.misc import load_object

LIBRARIES = (
    "aiohttp.web attrs concurrent.futures.thread encodings.charmap itemadapter lxml.html numpy numpy.typing "
    "platformdirs.unix queuelib rapidfuzz.distance rapidfuzz.fuzz rapidfuzz.process "
    "scrapy.cmdline scrapy.crawler scrapy.downloadermiddlewares.httpcache scrapy.extensions.feedexport "
    "scrapy.linkextractors scrapy.pipelines scrapy.spiders sqlite3 tldextract twisted.internet.asyncioreactor "
    "twisted.web.client"
).split()

PACKAGE = (
    "scrapy_stemmer scrapy_stemmer.commands.command scrapy_stemmer.commands.crawl_site scrapy_stemmer.crawl.addon "
    "scrapy_stemmer.crawl.downloadermiddleware scrapy_stemmer.crawl.session.session "
    "scrapy_stemmer.crawl.pipeline scrapy_stemmer.crawl.spidermiddleware "
    "scrapy_stemmer.learners.literature.layout.learner "
    "scrapy_stemmer.learners.rules.learner tests.crawl.run_crawl tests.crawl.spiders"
).split()


def load_defaults() -> None:
    """Import all modules named by Scrapy's own settings."""
    values = [value for name, value in vars(default_settings).items() if name.isupper()]
    for path in set(re.findall(r"'(scrapy(?:\.\w+)+)'", str(values))):
        if ".ftp." not in path:  # in Scrapy 2.13 it installs a reactor
            load_object(path)


def use_package() -> None:
    """Learn and strip a few pages."""
    from scrapy_stemmer import Page, learn, strip
    from tests.crawl.website import Article, links_to

    links = links_to({f"/{number}": f"More {number}" for number in range(5)})
    pages = [Page(f"https://a.example/{number}", Article(number).html(links)) for number in range(5)]
    for stripped in (learn(pages).strip(pages[0]), learn(pages, "layout").strip(pages[0]), strip(pages[1])):
        _ = stripped.text, stripped.html, stripped.markdown, stripped.fields


for name in LIBRARIES:
    import_module(name)
load_defaults()

# A warning caused by the package is an error, here as in crawls.
with warnings.catch_warnings():
    warnings.simplefilter("error", ScrapyDeprecationWarning)
    for name in PACKAGE:
        import_module(name)
    # Tests that use the package see its errors.
    with suppress(Exception):
        use_package()

# Nothing loaded here becomes garbage, so no fork looks through it.
gc.collect()
gc.freeze()

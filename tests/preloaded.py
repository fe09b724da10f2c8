"""What most crawls import: a process that is forked from one that has imported it need not do so.

Nothing of it installs a reactor, and the package has no state at module level, so that each process is as if new.
"""

from __future__ import annotations

import gc
import warnings
from importlib import import_module

from scrapy.exceptions import ScrapyDeprecationWarning

LIBRARIES = (
    "aiohttp.web attrs itemadapter lxml.html numpy numpy.typing pydantic.types queuelib rapidfuzz.distance "
    "rapidfuzz.fuzz rapidfuzz.process scrapy.cmdline scrapy.crawler scrapy.core.downloader.handlers.datauri "
    "scrapy.core.downloader.handlers.file scrapy.core.downloader.handlers.http11 scrapy.core.engine "
    "scrapy.core.scraper scrapy.downloadermiddlewares.cookies scrapy.downloadermiddlewares.httpcache "
    "scrapy.downloadermiddlewares.httpcompression scrapy.extensions.feedexport scrapy.extensions.telnet "
    "scrapy.linkextractors scrapy.pipelines scrapy.pqueues scrapy.spidermiddlewares.referer scrapy.spiders "
    "scrapy.squeues sqlite3 tldextract twisted.internet.asyncioreactor twisted.web.client"
).split()

PACKAGE = (
    "scrapy_stemmer scrapy_stemmer.commands.command scrapy_stemmer.crawl.addon "
    "scrapy_stemmer.crawl.downloadermiddleware scrapy_stemmer.crawl.learning_session scrapy_stemmer.crawl.pipeline "
    "scrapy_stemmer.crawl.spidermiddleware scrapy_stemmer.learners.literature.layout.learner "
    "scrapy_stemmer.learners.rules.learner"
).split()

for name in LIBRARIES:
    import_module(name)

# A warning that the package causes is an error, here as in crawls.
with warnings.catch_warnings():
    warnings.simplefilter("error", ScrapyDeprecationWarning)
    for name in PACKAGE:
        import_module(name)

# Of what is here nothing becomes garbage, so that no fork looks through it.
gc.collect()
gc.freeze()

"""The add-on: one line in ADDONS enables all components."""

from __future__ import annotations

import math

from scrapy.settings import BaseSettings

PIPELINE_ORDER = 100  # order of our pipeline, unless the project has pipelines at or before this order


class Addon:
    """Add-on for our components; the user's settings take precedence."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Enable the components, except those with an entry of the user's: an order, or None (off)."""
        from scrapy_stemmer.crawl.downloadermiddleware import StemmerDownloaderMiddleware
        from scrapy_stemmer.crawl.feeds import EXPORTERS, STORAGES
        from scrapy_stemmer.crawl.pipeline import StemmerPipeline
        from scrapy_stemmer.crawl.spidermiddleware import StemmerSpiderMiddleware

        # Outside HttpCompression (590), to see text; inside the project's middlewares and MetaRefresh (580), which
        # raises
        # for pages with unknown charsets.
        settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", StemmerDownloaderMiddleware, 585)
        # Behind HttpError (50), which drops failed responses; before Referer, UrlLength and Depth (700 to 900).
        settings.setdefault_in_component_priority_dict("SPIDER_MIDDLEWARES", StemmerSpiderMiddleware, 543)
        # Before the project's own pipelines, which then see stripped items.
        orders = (order for order in settings.getdict("ITEM_PIPELINES").values() if isinstance(order, int | float))
        first = min((math.floor(order) - 1 for order in orders), default=PIPELINE_ORDER)
        settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", StemmerPipeline, min(first, PIPELINE_ORDER))
        for name, added in (("FEED_EXPORTERS", EXPORTERS), ("FEED_STORAGES", STORAGES)):
            settings.set(name, {**added, **settings.getdict(name)}, settings.getpriority(name) or 0)

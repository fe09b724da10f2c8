"""The add-on: one line in ADDONS switches everything on."""

from __future__ import annotations

import math

from scrapy.settings import BaseSettings

PIPELINE_ORDER = 100
"""The place of our pipeline, unless the project has pipelines there or before it."""


class Addon:
    """Enables our components, where the user's settings don't say otherwise."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Called by Scrapy. An entry of the user's for a component stays, with another order or as None (off)."""
        from scrapy_stemmer.crawl.downloadermiddleware import StemmerDownloaderMiddleware
        from scrapy_stemmer.crawl.pipeline import StemmerPipeline
        from scrapy_stemmer.crawl.spidermiddleware import StemmerSpiderMiddleware

        # Outside HttpCompression (590), so that it sees text, and inside everything that a project is likely to add and
        # MetaRefresh (580), which raises for pages of charsets that are none.
        settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", StemmerDownloaderMiddleware, 585)
        # Behind HttpError (50), which keeps failed responses away; before Referer, UrlLength and Depth (700 to 900).
        settings.setdefault_in_component_priority_dict("SPIDER_MIDDLEWARES", StemmerSpiderMiddleware, 543)
        # Before the project's own pipelines, so that these see stripped items.
        orders = (order for order in settings.getdict("ITEM_PIPELINES").values() if isinstance(order, int | float))
        first = min((math.floor(order) - 1 for order in orders), default=PIPELINE_ORDER)
        settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", StemmerPipeline, min(first, PIPELINE_ORDER))

"""Scrapy signals of this package.

Connect to one as to Scrapy's own: ``crawler.signals.connect(handler, signal=signals.layout_drift)``.
"""

layout_drift = object()
"""Sent when the pages of a domain are no longer like those that were learned, once for each time that this is found.

The handler gets ``spider`` and ``drift``, a :class:`~scrapy_stemmer.drift.LayoutDrift`.
"""

"""Scrapy signals of this package, with their data.

Connect handlers as usual: ``crawler.signals.connect(handler, signal=signals.layout_drift)``.
"""

from __future__ import annotations

from dataclasses import dataclass

layout_drift = object()
"""Signal sent when the pages of a site have become unlike the learned pages.

The handler gets ``spider`` and ``drift``, a :class:`LayoutDrift`.
"""


@dataclass(frozen=True, slots=True)
class LayoutDrift:
    """A site with changed pages.

    :param site: site key, such as ``news.example.com``.
    :param pages: pages seen since the probable beginning of the change.
    :param unusual: unusual pages among them.
    """

    site: str
    pages: int
    unusual: int

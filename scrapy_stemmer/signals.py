"""Scrapy signals of this package and their data.

Connect to them as to Scrapy's own: ``crawler.signals.connect(handler, signal=signals.layout_drift)``.
"""

from __future__ import annotations

from dataclasses import dataclass

layout_drift = object()
"""Sent when the pages of a domain have become unlike the learned pages.

The handler gets ``spider`` and ``drift``, a :class:`LayoutDrift`.
"""


@dataclass(frozen=True, slots=True)
class LayoutDrift:
    """A domain with changed pages.

    :param domain: site key, such as ``news.example.com``.
    :param pages: pages seen since the probable beginning of the change.
    :param unusual: unusual pages among them.
    """

    domain: str
    pages: int
    unusual: int

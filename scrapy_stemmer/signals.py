"""Scrapy signals of this package, and what they bring.

Connect to one as to Scrapy's own: ``crawler.signals.connect(handler, signal=signals.layout_drift)``.
"""

from __future__ import annotations

from dataclasses import dataclass

layout_drift = object()
"""Sent when the pages of a domain are no longer like those that were learned, once for each time that this is found.

The handler gets ``spider`` and ``drift``, a :class:`LayoutDrift`.
"""


@dataclass(frozen=True, slots=True)
class LayoutDrift:
    """A domain whose pages are no longer like those that it was learned from.

    :param domain: its site key, such as ``news.example.com``.
    :param pages: pages that it took to find this, since the change is likely to have begun.
    :param unusual: those of them that are unlike the learned ones.
    """

    domain: str
    pages: int
    unusual: int

"""Trees of pages whose items wait, so that they are not parsed again when the items go."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

TREE_BYTES = 8_000_000
"""The trees of pages of so many bytes together are kept; they take several times as much memory."""


class Trees:
    """Trees by the number of the page in the spool, as long as there is room; only the crawl's own thread has them.

    :param most: see :data:`TREE_BYTES`.
    """

    def __init__(self, most: int = TREE_BYTES) -> None:
        self._most = most
        self._kept: dict[int, tuple[etree._Element, int]] = {}
        self._bytes = 0

    def keep(self, page: int, root: etree._Element, size: int) -> None:
        """Keep the tree of a page, if there is room.

        :param size: bytes of the page.
        """
        if page not in self._kept and self._bytes + size <= self._most:
            self._kept[page] = (root, size)
            self._bytes += size

    def take(self, page: int | None) -> etree._Element | None:
        """The tree of a page, once; ``None`` when it is not there."""
        if page not in self._kept:
            return None
        root, size = self._kept.pop(page)
        self._bytes -= size
        return root

    def __len__(self) -> int:
        return len(self._kept)

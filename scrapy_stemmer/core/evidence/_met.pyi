"""What the compiled walk remembers from page to page."""

from collections.abc import Set
from typing import Self

from scrapy_stemmer.core.evidence.outline import Shape

class Met:
    def __init__(self, most: int = ..., telling: int = ...) -> None: ...
    def __len__(self) -> int: ...
    def knowing(self, shapes: Set[Shape]) -> Self: ...

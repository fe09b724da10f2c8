"""The texts of a site's sample in a table of C."""

from collections.abc import Mapping

class Texts:
    def __init__(self, told: Mapping[int, int]) -> None: ...
    def told(self, text: int) -> int: ...

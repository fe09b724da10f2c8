from collections.abc import Iterable

from lxml import etree

def pruned_html(root: etree._Element, pieces: Iterable[tuple[etree._Element, bool]]) -> str: ...

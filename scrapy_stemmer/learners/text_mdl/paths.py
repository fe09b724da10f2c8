"""The paths of a page's tree, as numbers: from the root to an element, or to a text.

A path is the names of the elements from the root on, without attributes; a text's path has the text as its last
component (Kim & Shim 2011). Paths are kept as 64-bit hashes, made from the hash of the parent's path, so that a
tree of any depth costs the same per node.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np
import numpy.typing as npt
from lxml import etree

from scrapy_stemmer.core.blocks import IGNORED, INVISIBLE
from scrapy_stemmer.core.text import collapse, stable_hash

UNSEEN = IGNORED | INVISIBLE
"""Elements that are left out with all that they hold."""

ROOT = 0
"""The path above the root element."""

EXAMPLE_TAGS = 3
"""Innermost elements that stand for a path where people read it."""

Paths = npt.NDArray[np.uint64]
"""A document as the sorted, distinct hashes of its paths."""


def element_paths(root: etree._Element) -> dict[etree._Element, int]:
    """The path of every element, in document order, those of :data:`UNSEEN` left out."""
    known: dict[tuple[int, str], int] = {}
    paths: dict[etree._Element, int] = {}
    walker = etree.iterwalk(root, events=("start",))
    for _, element in walker:
        if element.tag in UNSEEN:
            walker.skip_subtree()
            continue
        parent = element.getparent()
        step = ROOT if parent is None else paths.get(parent, ROOT), str(element.tag)
        if step not in known:
            known[step] = stable_hash(f"{step[0]:016x}/", step[1])
        paths[element] = known[step]
    return paths


def text_path(parent: int, text: str) -> int:
    """The path of a text within the element of the path ``parent``.

    :param text: with white space collapsed.
    """
    return stable_hash(f"{parent:016x}=", text)


def text_paths(paths: dict[etree._Element, int]) -> dict[int, str]:
    """The texts of a page that are more than white space by their paths, with white space collapsed.

    :param paths: from :func:`element_paths`.
    """
    texts = (
        (path, collapse(text))
        for element, path in paths.items()
        for text in (element.text, *(child.tail for child in element))
        if text and not text.isspace()
    )
    return {text_path(*found): found[1] for found in dict.fromkeys(texts)}


def example_of(element: etree._Element) -> str:
    """The innermost elements of a path, for readers: ``ul/li/a``."""
    names = [str(element.tag), *(str(above.tag) for above in islice(element.iterancestors(), EXAMPLE_TAGS - 1))]
    return "/".join(reversed(names))


def as_paths(hashes: Iterable[int]) -> Paths:
    """Hashes as a document."""
    return np.array(sorted(set(hashes)), dtype=np.uint64)

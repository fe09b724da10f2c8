"""The room of the compiled modules, written in Cython over lxml's C interface.

========  =====================================================  ==============================================
module    what it does                                           the same in plain Python
========  =====================================================  ==============================================
`read`    reads a tree into columns of numbers and texts         :mod:`scrapy_stemmer.learners.rules.read_py`
========  =====================================================  ==============================================

Each takes and gives plain data, so that no other module knows whether it is there. Headers (``.pxd``) are shared by
the modules: ``nodes`` for reading the nodes of libxml2, ``buffer`` for growing arrays of bytes.
"""

from __future__ import annotations

import os

PURE = "SCRAPY_STEMMER_PURE"
"""The environment variable that keeps compiled modules from being used; not with ``0``."""


def is_pure_wanted() -> bool:
    """Whether the user has asked for plain Python."""
    return os.environ.get(PURE, "") not in ("", "0")

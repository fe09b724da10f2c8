"""The native modules, written in Cython over lxml's C interface.

==========  =====================================================  ==============================================
module      what it does                                           the same in plain Python
==========  =====================================================  ==============================================
`features`  what the scorer looks at, for the blocks of a page    :mod:`scrapy_stemmer.learners.rules.features_py`
`measure`   measures a text                                        :mod:`scrapy_stemmer.learners.rules.read_py`
`read`      reads a tree into columns of numbers and texts         :mod:`scrapy_stemmer.learners.rules.read_py`
`prune`     writes the kept part of a tree as HTML                 :func:`scrapy_stemmer.core.document.pruned_in_python`
`score`     adds up the trees of the scorer for many blocks        :mod:`scrapy_stemmer.learners.rules.scorer`
==========  =====================================================  ==============================================

Each takes and gives plain data, and gives what its twin gives, so that only the module that chooses between the two
knows which it is: :mod:`scrapy_stemmer.learners.rules.reading`, :mod:`scrapy_stemmer.learners.rules.scorer` and
:mod:`scrapy_stemmer.core.document`. Headers are shared: `nodes.pxd` reads the nodes of libxml2, `buffer.pxd` has
growing arrays of bytes. ``setup.py`` lists the modules to build; see ``docs/compiled.md``.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec

PURE = "SCRAPY_STEMMER_PURE"
"""The environment variable that keeps native modules from being built, and from being used; not with ``0``."""

MODULES = ("features", "measure", "prune", "read", "score")

ON_LXML = ("prune", "read")
"""Those that look into the trees of lxml, which another version may build otherwise."""


def is_pure_wanted() -> bool:
    """Whether the user has asked for plain Python."""
    return os.environ.get(PURE, "") not in ("", "0")


def missing() -> tuple[str, ...]:
    """Names of the native modules that are not in use; none when all is as fast as can be."""
    return tuple(name for name in MODULES if is_pure_wanted() or not _is_usable(name))


def _is_usable(name: str) -> bool:
    """Whether a module was built, and those on lxml for the version that is installed."""
    if name not in ON_LXML:
        # Others need numpy, which takes longer to import than all else, and most crawls do without it.
        return find_spec(f"{__name__}.{name}") is not None
    try:
        import_module(f"{__name__}.{name}")
    except (ImportError, TypeError, ValueError):
        return False
    return True

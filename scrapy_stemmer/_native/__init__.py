"""The native modules, written in Cython over lxml's C interface.

==========  =====================================================  ==============================================
module      what it does                                           the same in plain Python
==========  =====================================================  ==============================================
`read`      reads a tree into columns of numbers and texts         :mod:`scrapy_stemmer.learners.rules.columns`
`prune`     writes the kept part of a tree as HTML                 :mod:`scrapy_stemmer.core.pruned_html`
`score`     makes the features of blocks, and adds up the trees    :mod:`scrapy_stemmer.learners.rules.features`,
            of the scorer for them                                 :mod:`scrapy_stemmer.learners.rules.scorer`
`shown`     looks for tags of too many attributes, for what of a   :mod:`scrapy_stemmer.core.document`,
            tree is not read as it stands, and for what it says    :mod:`scrapy_stemmer.core.shown`,
            of itself; for elements, and for what is in them       :mod:`scrapy_stemmer.core.elements`
==========  =====================================================  ==============================================

Each takes and gives plain data, and gives what its twin gives: only the module that chooses between the two, by
:func:`native`, knows which it is. ``setup.py`` lists the modules to build; see ``docs/compiled.md``.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType
from typing import TypeVar

Function = TypeVar("Function")

PURE = "SCRAPY_STEMMER_PURE"
"""The environment variable that keeps native modules from being built, and from being used; not with ``0``."""

MODULES = ("prune", "read", "score", "shown")


def is_pure_wanted() -> bool:
    """Whether the user has asked for plain Python."""
    return os.environ.get(PURE, "") not in ("", "0")


def native(name: str, plain: Function) -> Function:
    """A function of a native module; its plain twin where that is wanted, or the module can't be used.

    :param name: of the module and the function, such as ``read.read``.
    """
    module, _, function = name.partition(".")
    found = _module(module)
    return plain if found is None else getattr(found, function)


def missing() -> tuple[str, ...]:
    """Names of the native modules that are not in use; none when all is as fast as can be."""
    return tuple(name for name in MODULES if _module(name) is None)


def turn() -> None:
    """Do nothing, as Python does it: the interpreter goes to another thread first, if one has asked for it.

    Native code that only lets go of the interpreter, and takes it back, would wake those who wait for it too late to
    get it, and so often that they never come to ask for it.
    """


def _module(name: str) -> ModuleType | None:
    """A native module; ``None`` where plain Python is wanted, and where it was not built, or for another lxml."""
    if is_pure_wanted():
        return None
    try:
        return import_module(f"{__name__}.{name}")
    except (ImportError, TypeError, ValueError):
        return None

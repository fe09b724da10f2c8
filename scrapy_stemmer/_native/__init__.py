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
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import TypeVar

Function = TypeVar("Function")

PURE = "SCRAPY_STEMMER_PURE"
"""The environment variable that keeps native modules from being built, and from being used; not with ``0``."""

MODULES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "prune": ("pruned_html", "pruned_pieces"),
        "read": ("read", "elements_at"),
        "score": ("measures_of", "fill", "add_odds"),
        "shown": ("copied", "look", "having", "inside", "compared_attributes"),
    }
)
"""The native modules, and the functions that each must have; one of an older build may lack some."""


def is_pure_wanted() -> bool:
    """Whether the user has asked for plain Python."""
    return os.environ.get(PURE, "") not in ("", "0")


def native(name: str, plain: Function) -> Function:
    """A function of a native module; its plain twin where that is wanted, or the module can't be used.

    :param name: of the module and the function, such as ``read.read``.
    """
    module, _, function = name.partition(".")
    try:
        found: Function = getattr(_module(module), function)
    except ImportError:
        return plain
    return found


def missing() -> dict[str, str]:
    """The native modules that are not in use, and why; none when all is as fast as can be."""
    reasons = {}
    for name in MODULES:
        try:
            _module(name)
        except ImportError as error:
            reasons[name] = str(error)
    return reasons


def turn() -> None:
    """Do nothing, as Python does it: the interpreter goes to another thread first, if one has asked for it.

    Native code that only lets go of the interpreter, and takes it back, would wake those who wait for it too late to
    get it, and so often that they never come to ask for it.
    """


def _module(name: str) -> ModuleType:
    """A native module.

    :raises ImportError: where plain Python is wanted, and where it was not built, or for another lxml or version.
    """
    if is_pure_wanted():
        raise ImportError(f"{PURE} is set")
    try:
        module = import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        raise ImportError("it was not built" if error.name == f"{__name__}.{name}" else str(error)) from error
    except (ImportError, TypeError, ValueError) as error:
        raise ImportError(f"it was built for another lxml or Python: {error}") from error
    lacking = [function for function in MODULES[name] if not hasattr(module, function)]
    if lacking:
        raise ImportError(f"it was built from another version, and has no {', '.join(lacking)}")
    return module

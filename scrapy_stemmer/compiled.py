"""Which modules are compiled, and how to do without: the same in pure Python.

A module with a ``.pxd`` file beside it is compiled where the package is installed with a C compiler; a ``.pyx`` file
becomes a compiled module that stands in for a part of such a one. The results are the same. See ``docs/compiled.md``.

The package imports this module first, so that ``SCRAPY_STEMMER_PURE=1`` reaches all others.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

PACKAGE = "scrapy_stemmer"

PURE = "SCRAPY_STEMMER_PURE"
"""The environment variable that keeps compiled modules from being built, and from being used; not with ``0``."""


class PureFinder(MetaPathFinder):
    """Finds the Python source of this package's modules where Python would take the compiled module beside it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module's source; ``None`` leaves it to Python.

        :raises ModuleNotFoundError: for a module that is there only in compiled form.
        """
        if not fullname.startswith(f"{PACKAGE}."):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or not isinstance(spec.loader, ExtensionFileLoader):
            return spec
        source = Path(str(spec.origin)).with_name(fullname.rpartition(".")[2] + ".py")
        if not source.exists():
            raise ModuleNotFoundError(f"{fullname} is a compiled module, and {PURE} is set", name=fullname)
        return spec_from_file_location(fullname, source)


def is_pure_wanted() -> bool:
    """Whether the user has asked for pure Python."""
    return os.environ.get(PURE, "") not in ("", "0")


def obey() -> None:
    """Let no compiled module be imported from now on, if the user has asked for that."""
    if is_pure_wanted() and not any(isinstance(finder, PureFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, PureFinder())


def modules(package: Path = Path(__file__).parent) -> tuple[str, ...]:
    """The names of the modules that are compiled where they can be, sorted.

    :param package: the folder of the package.
    """
    typed = (path for path in package.rglob("*.pxd") if path.with_suffix(".py").exists() and path.stem != "__init__")
    found = {path.relative_to(package).with_suffix("") for path in (*typed, *package.rglob("*.pyx"))}
    return tuple(sorted(".".join((PACKAGE, *path.parts)) for path in found))


def missing() -> tuple[str, ...]:
    """Those of them that are not compiled here, or not used in this process; none when all is as fast as can be."""
    return tuple(name for name in modules() if not is_compiled(name))


def is_compiled(name: str) -> bool:
    """Whether a module is a compiled one, or would be if it were imported."""
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:
        return False
    return spec is not None and isinstance(spec.loader, ExtensionFileLoader)


obey()

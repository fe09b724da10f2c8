"""Whether the compiled modules are those of the sources.

Python takes a compiled module where there is one, whatever the source beside it says; tests would pass or fail for
what was there before the last change.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

WHAT_TO_DO = "Run `make build`, or `make clean-build` for pure Python."


def sources(package: Path) -> Iterator[Path]:
    """The sources of compiled modules: Python with a ``.pxd`` file beside it, and ``.pyx`` files."""
    typed = (path.with_suffix(".py") for path in package.rglob("*.pxd") if path.stem != "__init__")
    yield from (path for path in typed if path.exists())
    yield from package.rglob("*.pyx")


def compiled_of(source: Path) -> Path | None:
    """The compiled module of a source that this Python would take."""
    candidates = (source.with_name(source.stem + suffix) for suffix in EXTENSION_SUFFIXES)
    return next((path for path in candidates if path.exists()), None)


def problem(package: Path) -> str | None:
    """What is wrong with the compiled modules of a package, and what to do; ``None`` when nothing is.

    A change of any ``.pxd`` file makes all of them old: it may be about the layout of a class that others use.

    :param package: its folder.
    """
    modules = {source: compiled_of(source) for source in sources(package)}
    if not any(modules.values()):
        return None
    types = max((path.stat().st_mtime for path in package.rglob("*.pxd")), default=0.0)
    faults = []
    for source, compiled in sorted(modules.items()):
        name = source.relative_to(package.parent)
        if compiled is None:
            faults.append(f"{name} is not compiled, but others are")
        elif compiled.stat().st_mtime < max(source.stat().st_mtime, types):
            faults.append(f"{compiled.name} is older than {name} or a .pxd file")
    return "\n".join([*faults, WHAT_TO_DO]) if faults else None

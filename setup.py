"""Builds the native modules; everything else about the package stands in setup.cfg.

They are optional: where they can't be compiled, an installation goes on without them, and the same is done in plain
Python. The environment variable ``SCRAPY_STEMMER_PURE`` says otherwise: ``1`` builds none, ``0`` all or fails.
"""

from __future__ import annotations

import os
from pathlib import Path

from setuptools import Extension, setup

ROOM = Path("scrapy_stemmer", "_native")

MODULES = ("prune", "read", "score", "shown")

WANTED = os.environ.get("SCRAPY_STEMMER_PURE", "")


def extensions() -> list[Extension]:
    """The native modules, translated to C; none where they are not wanted or can't be translated."""
    if WANTED not in ("", "0"):
        return []
    try:
        import lxml
        from Cython.Build import cythonize
    except ImportError:
        if WANTED == "0":
            raise
        return []
    found = [
        Extension(
            ".".join((*ROOM.parts, name)),
            [str(ROOM / f"{name}.pyx")],
            include_dirs=lxml.get_include(),  # type: ignore[attr-defined]
        )
        for name in MODULES
    ]
    translated: list[Extension] = cythonize(  # type: ignore[no-untyped-call]
        found, build_dir=str(Path("build", "cython")), compiler_directives={"language_level": 3}, quiet=True
    )
    for extension in translated:
        extension.optional = WANTED != "0"
    return translated


if __name__ == "__main__":
    setup(ext_modules=extensions())

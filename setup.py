"""Builds the compiled modules; everything else about the package stands in setup.cfg.

A module with a ``.pxd`` file beside it is plain Python, and works as such; where a C compiler is at hand it is compiled
with the types that the file declares. A ``.pyx`` file stands in for a part of such a module that Python can't do fast.
``SCRAPY_STEMMER_PURE=1`` leaves all of this out.
"""

from __future__ import annotations

import os
from pathlib import Path

from setuptools import Extension, setup

PACKAGE = Path("scrapy_stemmer")

DIRECTIVES = {"language_level": 3, "annotation_typing": False, "embedsignature": False}


def sources() -> list[Path]:
    """The modules to compile: each with a ``.pxd`` file beside it, and each ``.pyx`` file."""
    typed = [path.with_suffix(".py") for path in PACKAGE.rglob("*.pxd") if path.stem != "__init__"]
    return sorted([path for path in typed if path.exists()] + list(PACKAGE.rglob("*.pyx")))


def extensions() -> list[Extension]:
    """What is to be built; nothing where the user, or the machine, can't have it."""
    if os.environ.get("SCRAPY_STEMMER_PURE", "0") not in ("", "0"):
        return []
    import lxml
    from Cython.Build import cythonize

    found = [
        Extension(
            ".".join(path.with_suffix("").parts),
            [str(path)],
            include_dirs=lxml.get_include() if path.suffix == ".pyx" else [],
            optional=True,
        )
        for path in sources()
    ]
    return cythonize(found, compiler_directives=DIRECTIVES)


setup(ext_modules=extensions())

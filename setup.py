"""Builds the native modules, and the readme as PyPI shows it; all else about the package is in setup.cfg.

They are optional: where they can't be compiled, an installation goes on without them, and the same is done in plain
Python. The environment variable ``SCRAPY_STEMMER_PURE`` says otherwise: ``1`` builds none, ``0`` all or fails.

``SCRAPY_STEMMER_REPOSITORY`` is the public address of the repository, for PyPI. No file has it: whatever service
builds a release knows where the repository is.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from setuptools import Extension, setup

ROOM = Path("scrapy_stemmer", "_native")

MODULES = ("prune", "read", "score", "shown", "text", "tree")

WANTED = os.environ.get("SCRAPY_STEMMER_PURE", "")

REPOSITORY = os.environ.get("SCRAPY_STEMMER_REPOSITORY", "").rstrip("/")


def readme() -> str:
    """The readme, of which the links into the repository lead there from anywhere, or are plain text."""

    def leading(link: re.Match[str]) -> str:
        return f"[{link[1]}]({REPOSITORY}/blob/main/{link[2]})" if REPOSITORY else link[1]

    text = Path("README.md").read_text(encoding="utf-8")
    return re.sub(r"\[([^\]]+)\]\((?!https?://|#)([^)]+)\)", leading, text)


def urls() -> dict[str, str]:
    """What PyPI shows beside the readme."""
    pages = {
        "Source": "",
        "Documentation": "/tree/main/docs",
        "Issues": "/issues",
        "Changelog": "/blob/main/CHANGELOG.md",
    }
    return {name: REPOSITORY + path for name, path in pages.items() if REPOSITORY}


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
    setup(
        ext_modules=extensions(),
        long_description=readme(),
        long_description_content_type="text/markdown",
        project_urls=urls(),
    )

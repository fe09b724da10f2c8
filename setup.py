"""Builds the native modules, and the readme as PyPI shows it; all else about the package is in setup.cfg.

They are compiled with the C compiler that is there, else with that of the package ``ziglang``, for which
``build_backend.py`` asks.

``SCRAPY_STEMMER_REPOSITORY`` is the public address of the repository, for PyPI. No file has it: whatever service
builds a release knows where the repository is.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

from setuptools import Extension, setup

sys.path.insert(0, str(Path(__file__).parent))

from build_backend import compiler

ROOM = Path("scrapy_stemmer", "_engine")

MODULES = ("lines", "markdown", "markup", "page", "prune", "read", "score", "shown", "site", "text", "tree")

FLAGS = ["-O2", "-g0"]
"""Behind those of Python: ``-O3`` makes no page faster, and half of the time of compiling goes into that and ``-g``."""

REPOSITORY = os.environ.get("SCRAPY_STEMMER_REPOSITORY", "").rstrip("/")

BUILDS = ("build", "build_ext", "bdist_wheel", "bdist_egg", "install", "develop", "editable_wheel")
"""The commands that compile."""


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
    """Return the native modules, translated to C for commands that compile."""
    if not set(BUILDS) & set(sys.argv):
        return [Extension(".".join((*ROOM.parts, name)), [str(ROOM / f"{name}.pyx")]) for name in MODULES]
    import lxml
    from Cython.Build import cythonize

    choose_compiler()
    found = [
        Extension(
            ".".join((*ROOM.parts, name)),
            [str(ROOM / f"{name}.pyx")],
            include_dirs=lxml.get_include(),  # type: ignore[attr-defined]
            extra_compile_args=[] if sys.platform == "win32" else FLAGS,
        )
        for name in MODULES
    ]
    translated: list[Extension] = cythonize(  # type: ignore[no-untyped-call]
        found, build_dir=str(Path("build", "cython")), compiler_directives={"language_level": 3}, quiet=True
    )
    return translated


def choose_compiler() -> None:
    """Set the C compiler that is used.

    :raises SystemExit: where there is none, or the headers of Python are missing.
    """
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        sys.exit(
            f"scrapy-stemmer can't be built: the headers of Python {sysconfig.get_python_version()} are missing. "
            "Install python3-dev (Debian, Ubuntu) or python3-devel (Fedora)."
        )
    if sys.platform == "win32":
        return
    command = compiler()
    if command is None and find_spec("ziglang") is not None:
        command = f"{sys.executable} -m ziglang cc"
    if command is None:
        sys.exit(
            "scrapy-stemmer can't be built: there is no C compiler. Install gcc or clang, or ziglang from PyPI: "
            "pip does that by itself without --no-build-isolation."
        )
    os.environ["CC"] = command


if __name__ == "__main__":
    setup(
        ext_modules=extensions(),
        options={"build_ext": {"parallel": str(os.cpu_count() or 1)}},
        long_description=readme(),
        long_description_content_type="text/markdown",
        project_urls=urls(),
    )

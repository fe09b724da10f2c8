"""Builds the compiled modules; everything else about the package stands in setup.cfg.

A module with a ``.pxd`` file beside it is plain Python, and works as such; where a C compiler is at hand it is compiled
too, with the types that the file declares. A ``.pyx`` file stands in for a part of such a module that Python can't do
fast. Either all of them are compiled or none, since they know the layout of each other's classes.

The environment variable ``SCRAPY_STEMMER_PURE`` says what is wanted: ``1`` none, ``0`` all or an error. Without it an
installation goes on without them where they can't be had, and ``build_ext --inplace``, the command of those who work
on them (``make build``), does so only where there is no C compiler for this Python.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from importlib.metadata import version
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

PACKAGE = Path("scrapy_stemmer")

WANTED = os.environ.get("SCRAPY_STEMMER_PURE", "")

DIRECTIVES = {"language_level": 3, "annotation_typing": False, "embedsignature": False}

CLASSES = {"no_gc": True, "freelist": 64}
"""Directives for each compiled class; those of a class whose methods are Python can't be given in its ``.pxd``.

``no_gc`` hides what is made for each element and each block from Python's garbage collector, which took a third as long
as all else that is done with a page. So no object of a compiled class may lead back to itself. ``freelist`` keeps the
memory of that many objects of each class, which are let go with each page, for those of the next: 4 % of a small page.
"""

FLAGS = ["-O2", "-g0", "-Wno-unused-function", "-ffp-contract=off", "-falign-functions=64", "-fno-plt"]
"""Where ``CFLAGS`` doesn't say otherwise. -O3, the choice of many Pythons, takes longer and makes nothing faster.
Python rounds after each operation; so must compiled modules, also on processors that can add and multiply in one.
Between two pages all else that a crawl does takes the code out of the processor's nearest memory, so that it counts how
much of that is touched: functions that begin where a line of it does, and calls without a stub, are 11 % less of it."""

WITHOUT = """
scrapy-stemmer is installed without its compiled modules: {why}
It does the same in pure Python, but pages take longer. To compile them, install a C compiler and Python's headers
(Debian: gcc python3-dev) and install again: pip install --force-reinstall --no-deps --no-cache-dir scrapy-stemmer
"""


class NotCompiledError(Exception):
    """Why there are no compiled modules."""


def sources() -> list[Path]:
    """The modules to compile: each with a ``.pxd`` file beside it, and each ``.pyx`` file."""
    typed = [path.with_suffix(".py") for path in PACKAGE.rglob("*.pxd") if path.stem != "__init__"]
    return sorted([path for path in typed if path.exists()] + list(PACKAGE.rglob("*.pyx")))


def extensions() -> list[Extension]:
    """What is to be built. The sources are C only after :meth:`Compile.translate`."""
    if WANTED not in ("", "0"):
        return []
    return [Extension(".".join(path.with_suffix("").parts), [str(path)]) for path in sources()]


def age(path: str | Path) -> float:
    """When a file was written, in seconds; of one that isn't there, the beginning of time."""
    return Path(path).stat().st_mtime if Path(path).exists() else 0.0


class Compile(build_ext):
    """Compiles all modules or none."""

    def finalize_options(self) -> None:
        """As many at once as there are processors, unless ``--parallel`` says otherwise."""
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count()

    def build_extensions(self) -> None:
        """Compile; where that fails, go on without or not, see the module."""
        by_developer = self.inplace_wanted and not self.editable_mode
        try:
            self.try_compiler()
        except NotCompiledError as error:
            if WANTED == "0":
                raise
            self.leave_out(error)
            return
        try:
            self.translate()
            super().build_extensions()
        except Exception as error:
            if WANTED == "0" or by_developer:
                raise
            self.leave_out(error)

    def run(self) -> None:
        """Remember whether the modules go beside their sources, which setuptools hides while it builds."""
        self.inplace_wanted = bool(self.inplace)
        super().run()

    def try_compiler(self) -> None:
        """Compile nothing but Python's headers.

        :raises NotCompiledError: when that fails.
        """
        with tempfile.TemporaryDirectory() as folder:
            trial = Path(folder, "trial.c")
            trial.write_text("#include <Python.h>\n", encoding="ascii")
            try:
                self.compiler.compile([str(trial)], output_dir=folder, include_dirs=self.include_dirs)
            except Exception as error:
                raise NotCompiledError(f"there is no working C compiler for this Python ({error})") from error

    def translate(self) -> None:
        """Write the C sources, where they are older than what they are made of, into the folder ``build``."""
        try:
            import lxml
            from Cython.Build import cythonize
            from Cython.Compiler.Options import get_directive_defaults
        except ImportError as error:
            raise NotCompiledError(f"{error}; it is needed to compile them") from error
        get_directive_defaults().update(CLASSES)  # type: ignore[no-untyped-call]
        # More than one process only where they are forked: else each would run this file.
        jobs = int(self.parallel or 1) if multiprocessing.get_start_method() == "fork" else 1
        for extension in self.extensions:
            extension.include_dirs = lxml.get_include()  # type: ignore[attr-defined]
            if self.compiler.compiler_type == "unix" and "CFLAGS" not in os.environ:
                extension.extra_compile_args = FLAGS
        folder = Path("build", f"cython-{version('cython')}")
        results = [folder / Path(extension.sources[0]).with_suffix(".c") for extension in self.extensions]
        translated = cythonize(  # type: ignore[no-untyped-call]
            self.extensions,
            nthreads=jobs if jobs > 1 else 0,
            build_dir=str(folder),
            compiler_directives=DIRECTIVES,
            force=self.force or min(map(age, results)) < age("setup.py"),
        )
        for extension, result in zip(self.extensions, translated, strict=True):
            extension.sources = result.sources
            extension.depends = ["setup.py"]

    def build_extension(self, ext: Extension) -> None:
        """Compile one module, unless its C source is older than the last time. An old result is marked as checked.

        So each compiled module is younger than all ``.pxd`` files, and tests can tell whether any is out of date.
        """
        super().build_extension(ext)
        os.utime(self.get_ext_fullpath(ext.name))

    def leave_out(self, why: Exception) -> None:
        """Go on without compiled modules, and tell."""
        for extension in self.extensions:
            Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            if self.inplace_wanted:
                beside = self.get_ext_filename(extension.name)  # type: ignore[no-untyped-call]
                Path(beside).unlink(missing_ok=True)
            # Now setuptools doesn't miss them.
            extension.optional = True
        self.warn(WITHOUT.format(why=why))


if __name__ == "__main__":
    setup(ext_modules=extensions(), cmdclass={"build_ext": Compile})

"""What ``setup.py`` builds, and that it never stands in the way of an installation; a small package stands for ours."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from scrapy_stemmer.compiled import PURE

ROOT = Path(__file__).parents[1]

FILES = {
    "__init__.py": "__version__ = '1.0'\n",
    "__init__.pxd": "",
    "py.typed": "",
    "typed.py": "class Point:\n    def __init__(self, x):\n        self.x = x\n",
    "typed.pxd": "cdef class Point:\n    cdef readonly int x\n",
    "clevel.pyx": (
        "from lxml.includes.etreepublic cimport _Element, import_lxml__etree\n"
        "import_lxml__etree()\n"
        "def is_empty(_Element element):\n    return element._c_node.children is NULL\n"
    ),
    "clevel.pyi": "from lxml import etree\ndef is_empty(element: etree._Element) -> bool: ...\n",
}

BROKEN = 'cdef extern from "no such header.h":\n    int nothing\nprint(nothing)\n'
"""What Cython translates and no compiler compiles."""

FLAGS = "-Og"
"""Quick, but drops what isn't used: lxml's headers have a function that refers to libxml2, which nothing links to."""

NONE = "false"
"""A compiler that can't be had."""

Build = Callable[..., subprocess.CompletedProcess[str]]


def run(tree: Path, *command: str, compiler: str | None = None, pure: str = "") -> subprocess.CompletedProcess[str]:
    """Run ``setup.py`` in a tree."""
    environment = {**os.environ, "CFLAGS": FLAGS, PURE: pure}
    environment.pop("CC", None)
    if compiler:
        environment["CC"] = compiler
    program = [sys.executable, "setup.py", "--quiet", *command]
    return subprocess.run(program, cwd=tree, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree with the small package, compiled where there is a compiler."""
    folder = tmp_path_factory.mktemp("template")
    for name in ("setup.py", "setup.cfg", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    package = folder / "scrapy_stemmer"
    package.mkdir()
    for name, text in FILES.items():
        (package / name).write_text(text, encoding="utf-8")
    run(folder, "build_ext", "--inplace")
    return folder


@pytest.fixture
def tree(template: Path, tmp_path: Path) -> Path:
    """A copy of it, with the times of its files."""
    return Path(shutil.copytree(template, tmp_path / "tree"))


@pytest.fixture
def build(tree: Path) -> Build:
    """Runs ``setup.py``, and checks whether that goes well."""

    def checked(*command: str, ok: bool = True, **how: str) -> subprocess.CompletedProcess[str]:
        done = run(tree, *command, **how)
        assert (done.returncode == 0) is ok, done.stdout + done.stderr
        return done

    return checked


@pytest.fixture
def needs_compiler(template: Path) -> None:
    """Skips the test where nothing can be compiled."""
    if not compiled(template):
        pytest.skip("no C compiler for this Python")


def compiled(tree: Path) -> list[str]:
    """The compiled modules beside their sources."""
    return sorted(path.name.partition(".")[0] for path in (tree / "scrapy_stemmer").glob("*.so"))


def wheel(tree: Path) -> tuple[str, list[str]]:
    """The tag of the wheel that was built, and the kinds of the package's files in it."""
    (path,) = (tree / "dist").glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        names = [Path(name).name for name in archive.namelist() if name.startswith("scrapy_stemmer/")]
    tag = path.stem.partition("-1.0-")[2]
    return tag, sorted(f"{name.split('.')[0]}.{name.rpartition('.')[2]}" for name in names)


WITHOUT = sorted(FILES)
"""What a wheel without compiled modules holds."""


@pytest.mark.usefixtures("needs_compiler")
def test_wheel_holds_sources_types_and_compiled_modules(build: Build, tree: Path) -> None:
    build("bdist_wheel")
    tag, files = wheel(tree)
    assert tag.startswith(f"cp{sys.version_info[0]}{sys.version_info[1]}-")
    assert files == sorted([*FILES, "clevel.so", "typed.so"])


@pytest.mark.usefixtures("needs_compiler")
def test_what_was_compiled_works(tree: Path) -> None:
    program = (
        "from lxml import etree\n"
        "from scrapy_stemmer import clevel, typed\n"
        "print(typed.Point(3).x, clevel.is_empty(etree.XML('<a/>')), clevel.is_empty(etree.XML('<a>b</a>')))\n"
        "print(typed.__file__)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    results, place = done.stdout.splitlines()
    assert results == "3 True False"
    assert place.endswith(".so")


@pytest.mark.usefixtures("needs_compiler")
def test_what_is_up_to_date_is_not_compiled_again_but_marked(build: Build, tree: Path) -> None:
    (path,) = (tree / "scrapy_stemmer").glob("typed.*.so")
    before = path.read_bytes()
    (tree / "scrapy_stemmer" / "unused.pxd").write_text("cdef class Other:\n    pass\n", encoding="ascii")
    assert "Cythonizing" not in build("build_ext", "--inplace").stdout
    assert path.read_bytes() == before
    assert path.stat().st_mtime >= (tree / "scrapy_stemmer" / "unused.pxd").stat().st_mtime


@pytest.mark.usefixtures("needs_compiler")
def test_either_all_are_compiled_or_none(build: Build, tree: Path) -> None:
    """Those that were compiled before go too."""
    (tree / "scrapy_stemmer" / "clevel.pyx").write_text(BROKEN, encoding="ascii")
    done = build("bdist_wheel")
    assert "without its compiled modules" in done.stderr
    assert wheel(tree)[1] == WITHOUT


@pytest.mark.usefixtures("needs_compiler")
def test_who_works_on_them_sees_what_is_wrong(build: Build, tree: Path) -> None:
    (tree / "scrapy_stemmer" / "clevel.pyx").write_text(BROKEN, encoding="ascii")
    assert "no such header" in build("build_ext", "--inplace", ok=False).stderr


def test_no_compiler_no_compiled_modules(build: Build, tree: Path) -> None:
    done = build("bdist_wheel", compiler=NONE)
    assert "there is no working C compiler for this Python" in done.stderr
    assert wheel(tree)[1] == WITHOUT


@pytest.mark.usefixtures("needs_compiler")
def test_old_compiled_modules_do_not_stay_beside_sources(build: Build, tree: Path) -> None:
    build("build_ext", "--inplace", compiler=NONE)
    assert compiled(tree) == []


def test_they_can_be_declined(build: Build, tree: Path) -> None:
    done = build("bdist_wheel", pure="1")
    assert "compiled modules" not in done.stderr
    tag, files = wheel(tree)
    assert tag == "py3-none-any"
    assert files == WITHOUT


def test_they_can_be_insisted_on(build: Build) -> None:
    build("bdist_wheel", compiler=NONE, pure="0", ok=False)


def test_source_distribution(build: Build, tree: Path) -> None:
    """What is needed to compile, and nothing that was compiled."""
    build("build_ext", "--inplace")
    build("sdist")
    (path,) = (tree / "dist").glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names >= {f"scrapy_stemmer/{name}" for name in FILES}
    assert names >= {"setup.py", "setup.cfg", "pyproject.toml"}
    assert not [name for name in names if name.endswith((".c", ".so", ".o"))]

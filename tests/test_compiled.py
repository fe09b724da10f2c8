"""Compiled modules: which there are, that they can be done without, and that nothing but speed depends on them."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from scrapy_stemmer import compiled
from tests import buildstate

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "scrapy_stemmer"


def run(program: str, *arguments: str, pure: bool) -> str:
    """What a new process prints, in the root of the project."""
    environment = {**os.environ, compiled.PURE: "1" if pure else "0", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, *(["-m"] if program.startswith("tests.") else ["-c"]), program, *arguments]
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


ANY = {name.name for name in map(buildstate.compiled_of, buildstate.sources(PACKAGE)) if name}
"""The compiled modules of this tree."""

needs_compiled = pytest.mark.skipif(not ANY, reason="no compiled modules here: make build")


def test_all_agree_on_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The build, the package and the guard of the tests, none of which can import another."""
    monkeypatch.chdir(ROOT)
    built = runpy.run_path("setup.py")["sources"]()
    assert compiled.modules() == tuple(".".join(path.with_suffix("").parts) for path in built)
    assert sorted(buildstate.sources(PACKAGE)) == [ROOT / path for path in built]
    assert compiled.modules()


COLLECTED = 1 << 14
"""Py_TPFLAGS_HAVE_GC of CPython: the garbage collector looks at objects of the class."""


@needs_compiled
def test_compiled_objects_are_no_matter_of_the_garbage_collector() -> None:
    """Of a crawl's pages thousands of them stay, and were looked at again and again."""
    program = (
        "import importlib\n"
        "from scrapy_stemmer import compiled\n"
        "for name in compiled.modules():\n"
        "    module = importlib.import_module(name)\n"
        "    for found in vars(module).values():\n"
        "        if isinstance(found, type) and found.__module__ == name and not found.__flags__ & (1 << 9):\n"
        f"            print(found.__name__, bool(found.__flags__ & {COLLECTED}))\n"
    )
    found = dict(line.split() for line in run(program, pure=False).splitlines())
    assert {"TextBlock", "Place", "Places", "Namer", "Reading", "Verdict", "PlaceScore"} <= found.keys()
    assert {name for name, collected in found.items() if collected == "True"} == set()


def test_all_works_without() -> None:
    """Each ``.pxd`` file stands beside plain Python: all of the package can be imported in pure Python."""
    program = (
        "import importlib, pkgutil, scrapy_stemmer, sys\n"
        "from scrapy_stemmer import compiled\n"
        "names = [found.name for found in pkgutil.walk_packages(scrapy_stemmer.__path__, 'scrapy_stemmer.')]\n"
        "for name in names:\n"
        "    if not name.rpartition('.')[2].startswith('_'):\n"
        "        importlib.import_module(name)\n"
        "assert compiled.missing() == compiled.modules(), compiled.missing()\n"
        "ours = [module for name, module in sys.modules.items() if name.startswith('scrapy_stemmer')]\n"
        "print(*{module.__file__.rpartition('.')[2] for module in ours})\n"
    )
    assert run(program, pure=True).split() == ["py"]


@needs_compiled
def test_compiled_modules_are_used_where_they_are() -> None:
    assert run("from scrapy_stemmer import compiled; print(compiled.missing())", pure=False).strip() == "()"


@needs_compiled
def test_nothing_but_speed_depends_on_them() -> None:
    """Patterns and what is stripped of the bundled site, to the last byte."""
    pure, fast = (json.loads(run("tests.allresults", pure=pure)) for pure in (True, False))
    assert pure["patterns"] == fast["patterns"]
    assert pure["pages"].keys() == fast["pages"].keys()
    for url, page in pure["pages"].items():
        assert page == fast["pages"][url], url


class TestFinder:
    """On a package of its own that has what is needed for the tests."""

    @pytest.fixture
    def package(self, tmp_path: Path) -> Path:
        for name in ("both.py", "both" + EXTENSION_SUFFIXES[0], "only" + EXTENSION_SUFFIXES[0], "plain.py"):
            (tmp_path / name).touch()
        return tmp_path

    def test_source_is_taken_where_there_is_a_compiled_module_too(self, package: Path) -> None:
        spec = compiled.PureFinder().find_spec("scrapy_stemmer.both", [str(package)])
        assert spec is not None
        assert spec.origin == str(package / "both.py")

    def test_a_module_without_source_is_not_there(self, package: Path) -> None:
        with pytest.raises(ModuleNotFoundError, match="only is a compiled module") as caught:
            compiled.PureFinder().find_spec("scrapy_stemmer.only", [str(package)])
        assert caught.value.name == "scrapy_stemmer.only"

    def test_others_are_left_to_python(self, package: Path) -> None:
        finder = compiled.PureFinder()
        spec = finder.find_spec("scrapy_stemmer.plain", [str(package)])
        assert spec is not None
        assert spec.origin == str(package / "plain.py")
        assert finder.find_spec("scrapy_stemmer.none", [str(package)]) is None
        assert finder.find_spec("other.both", [str(package)]) is None

    @pytest.mark.parametrize(("value", "wanted"), [("", False), ("0", False), ("1", True), ("yes", True)])
    def test_the_environment_decides(self, monkeypatch: pytest.MonkeyPatch, value: str, wanted: bool) -> None:
        monkeypatch.setattr(sys, "meta_path", [])
        monkeypatch.setenv(compiled.PURE, value)
        compiled.obey()
        compiled.obey()
        assert len(sys.meta_path) == int(wanted)


class TestGuard:
    """A tree in which one module of two is compiled."""

    @pytest.fixture
    def tree(self, tmp_path: Path) -> Path:
        package = tmp_path / "package"
        (package / "inner").mkdir(parents=True)
        for name in ("__init__.py", "__init__.pxd", "typed.py", "typed.pxd", "inner/c.pyx", "inner/shared.pxd"):
            self.write(package / name, 100)
        return package

    def write(self, path: Path, time: float) -> None:
        path.touch()
        os.utime(path, (time, time))

    def compile(self, tree: Path, time: float, *names: str) -> None:
        for name in names or ("typed", "inner/c"):
            self.write(tree / f"{name}{EXTENSION_SUFFIXES[0]}", time)

    def test_nothing_compiled_is_well(self, tree: Path) -> None:
        assert buildstate.problem(tree) is None

    def test_all_compiled_is_well(self, tree: Path) -> None:
        self.compile(tree, 200)
        assert buildstate.problem(tree) is None

    @pytest.mark.parametrize("name", ["typed.py", "typed.pxd", "inner/c.pyx", "inner/shared.pxd"])
    def test_a_change_since_is_not(self, tree: Path, name: str) -> None:
        self.compile(tree, 200)
        self.write(tree / name, 300)
        assert "make build" in str(buildstate.problem(tree))

    def test_plain_modules_may_change(self, tree: Path) -> None:
        self.compile(tree, 200)
        self.write(tree / "plain.py", 300)
        assert buildstate.problem(tree) is None

    def test_one_of_two_is_not_well(self, tree: Path) -> None:
        """The one would look for the layout of classes in the other."""
        self.compile(tree, 200, "typed")
        assert "c.pyx is not compiled, but others are" in str(buildstate.problem(tree))

"""Groups of tests that run only if their sources have changed, for ``make test``; ``make test-all`` runs all groups.

The sources of a group are the files in its folders, and the files that these import. Changed are the files that differ
from the last commit in common with the main branch. Without such a commit, or without any change, each group runs.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from os import environ
from pathlib import Path

ROOT = Path(__file__).parents[1]

GROUPS: Mapping[str, tuple[str, ...]] = {
    "literature": ("tests/learners/literature", "scrapy_stemmer/learners/literature"),
    "benchmarks": ("tests/benchmarks", "benchmarks"),
    "training": ("tests/training", "training"),
    "soak": ("tests/soak", "scrapy_stemmer/crawl", "scrapy_stemmer/stores"),
    "fuzz": ("tests/fuzz", "scrapy_stemmer/_engine", "scrapy_stemmer/page"),
}
"""Folders of each group; the first one has its tests."""

FOR_ALL = (
    "Makefile",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "build_backend.py",
    "tests/conftest.py",
    "tests/groups.py",
)
"""Files on which all groups depend."""

PARTS = ("scrapy_stemmer", "tests", "benchmarks", "training", "example_project", "docs")
"""Folders with modules of this project."""

Imports = Mapping[str, Iterable[str]]  # imported files of each file, as paths below the root


def group_of(path: str) -> str | None:
    return next((name for name, (tests, *_) in GROUPS.items() if path.startswith(f"{tests}/")), None)


def sources_of(folders: Iterable[str], imports: Imports) -> set[str]:
    """Return the files in folders, and the files that they import."""
    beginnings = tuple(f"{folder}/" for folder in folders)
    own = [path for path in imports if path.startswith(beginnings)]
    return {*own, *chain.from_iterable(imports[path] for path in own)}


def unchanged(changed: Iterable[str], imports: Imports) -> set[str]:
    """Return the groups none of whose sources are among changed files.

    A file that is no module, such as a table of words or a page, is a source of the modules in its folder.
    """
    changed = {*changed}
    if changed.intersection(FOR_ALL):
        return set()
    others = {str(Path(path).parent) for path in changed if not path.endswith(".py")}
    left = set[str]()
    for name, folders in GROUPS.items():
        sources = sources_of(folders, imports)
        beside = {str(Path(path).parent) for path in sources}
        is_within = any(path.startswith(f"{folder}/") for path in changed for folder in folders)
        if not is_within and changed.isdisjoint(sources) and others.isdisjoint(beside):
            left.add(name)
    return left


# What is read of the project


NATIVE = "scrapy_stemmer._engine"
"""The package of native modules, which are looked up by name: who imports one depends on all of its files."""


def _file_of(module: str) -> str | None:
    base = ROOT.joinpath(*module.split("."))
    found = (path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file())
    return next((str(path.relative_to(ROOT)) for path in found), None)


@cache
def _exported(package: str) -> Mapping[str, str]:
    """Return the module of each name that a package's ``__init__`` imports."""
    path = ROOT.joinpath(*package.split("."), "__init__.py")
    return {name: module for module, name in _named(path) if name} if path.is_file() else {}


def _named(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the imported modules of a file, each with an imported name."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)


def imports_of(path: Path) -> set[str]:
    """Return the files of this project that a file imports, also those behind names of a package."""
    found = set[str | None]()
    for module, name in _named(path):
        if module.startswith(NATIVE):
            found.update(str(each.relative_to(ROOT)) for each in ROOT.joinpath(*NATIVE.split(".")).glob("*.p*"))
        elif module.split(".")[0] in PARTS:
            found.add(_file_of(_exported(module).get(name) or f"{module}.{name}") or _file_of(module))
    return {each for each in found if each}


def project_imports() -> Imports:
    paths = [path for part in PARTS for path in ROOT.joinpath(part).rglob("*.py")]
    return {str(path.relative_to(ROOT)): imports_of(path) for path in paths}


def _git(*arguments: str) -> list[str] | None:
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.splitlines() if done.returncode == 0 else None


def changed_files() -> set[str] | None:
    """Return the files that differ from the main branch, committed or not; ``None`` if nothing can be compared.

    The environment variable ``BASE`` names another commit than ``origin/main`` or ``main``.
    """
    for branch in filter(None, [environ.get("BASE"), "origin/main", "main"]):
        for base in _git("merge-base", "HEAD", branch) or ():
            parts = _git("diff", "--name-only", base), _git("ls-files", "--others", "--exclude-standard")
            if all(part is not None for part in parts) and (changed := {*(parts[0] or ()), *(parts[1] or ())}):
                return changed
    return None

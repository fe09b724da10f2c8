"""Imports point one way: exceptions, core, patterns, then learners and strip, stores, and the Scrapy edge."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import scrapy_stemmer
from tests.processes import printed

PACKAGE = Path(scrapy_stemmer.__file__).parent

ALLOWED = {
    "exceptions": set(),
    "_native": set(),
    "core": {"exceptions", "_native"},
    "patterns": {"exceptions", "core"},
    "learners": {"exceptions", "_native", "core", "patterns"},
    "stores": {"exceptions", "core", "patterns"},
    "strip": {"exceptions", "core", "patterns"},
    "patternset": {"exceptions", "core", "patterns", "stores", "strip"},
    "learning": {"exceptions", "core", "patterns", "learners", "patternset"},
    "crawl": {*"exceptions _native core patterns learners stores strip patternset learning".split(), ""},
    "": {"exceptions", "core", "patterns", "learning", "patternset", "strip"},
}
"""For each part of the package the parts that it may import; ``""`` is the package's own ``__init__``."""

LAZY = {("", "crawl")}
"""Imports that are made only when something is asked for."""

EDGE = {"scrapy", "twisted", "itemadapter"}
"""What only the Scrapy edge may import."""

INSIDE = ["", ".core", ".patterns", ".learners", ".strip", ".patternset", ".learning", ".stores", ".exceptions"]


def part_of(module: str) -> str:
    """``core`` for ``scrapy_stemmer.core.blocks``."""
    return [*module.split("."), ""][1]


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), path


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


MODULES = [pytest.param(name, path, id=name) for name, path in modules()]


@pytest.mark.parametrize(("name", "path"), MODULES)
def test_a_module_imports_only_what_lies_below_it(name: str, path: Path) -> None:
    part = part_of(name)
    ours = {part_of(module) for module in imported(path) if module.split(".")[0] == "scrapy_stemmer"}
    beyond = {other for other in ours - {part} - ALLOWED[part] if (part, other) not in LAZY}
    assert not beyond, f"{name} imports {beyond}"


@pytest.mark.parametrize(("name", "path"), MODULES)
def test_only_the_edge_imports_scrapy(name: str, path: Path) -> None:
    others = {module.split(".")[0] for module in imported(path)}
    assert part_of(name) == "crawl" or not others & EDGE


@pytest.mark.parametrize(("name", "path"), MODULES)
def test_nothing_installs_a_reactor(name: str, path: Path) -> None:
    """``twisted.internet.reactor`` at the top of a module would choose the reactor before Scrapy can."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert not any("twisted.internet.reactor" in ast.unparse(node) for node in top)
    assert not any("from twisted.internet import reactor" in ast.unparse(node) for node in top)


@pytest.mark.parametrize(("name", "path"), MODULES)
def test_no_eval_exec_or_pickle(name: str, path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & {"eval", "exec"}
    assert not {module.split(".")[0] for module in imported(path)} & {"pickle", "marshal", "shelve"}


def loaded_by(module: str) -> set[str]:
    """The modules that a new process has loaded after importing one."""
    program = f"import {module}, sys; print(*sys.modules)"
    return set(printed(program).split())


@pytest.mark.parametrize("inside", INSIDE)
def test_importing_the_inside_loads_no_scrapy(inside: str) -> None:
    loaded = loaded_by(f"scrapy_stemmer{inside}")
    assert not loaded & EDGE
    assert not any(module.startswith("scrapy_stemmer.crawl") for module in loaded)


def test_importing_strip_does_not_load_the_learners() -> None:
    """``scrapy_stemmer`` itself offers ``learn``, so the package's ``__init__`` is left out here."""
    program = (
        "import sys, types\n"
        "package = types.ModuleType('scrapy_stemmer')\n"
        f"package.__path__ = [{str(PACKAGE)!r}]\n"
        "sys.modules['scrapy_stemmer'] = package\n"
        "import scrapy_stemmer.strip, scrapy_stemmer.patternset\n"
        "print(*sys.modules)\n"
    )
    loaded = printed(program).split()
    assert "scrapy_stemmer.strip" in loaded
    assert not [module for module in loaded if module.startswith("scrapy_stemmer.learn")]


def test_public_names_are_there() -> None:
    assert all(hasattr(scrapy_stemmer, name) for name in scrapy_stemmer.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Magic'"):
        scrapy_stemmer.Magic  # noqa: B018

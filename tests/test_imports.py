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


def test_a_module_imports_only_what_lies_below_it() -> None:
    for name, path in modules():
        part = part_of(name)
        ours = {part_of(module) for module in imported(path) if module.split(".")[0] == "scrapy_stemmer"}
        beyond = {other for other in ours - {part} - ALLOWED[part] if (part, other) not in LAZY}
        assert not beyond, f"{name} imports {beyond}"


def test_only_the_edge_imports_scrapy() -> None:
    for name, path in modules():
        others = {module.split(".")[0] for module in imported(path)}
        assert part_of(name) == "crawl" or not others & EDGE, name


def test_nothing_installs_a_reactor() -> None:
    """``twisted.internet.reactor`` at the top of a module would choose the reactor before Scrapy can."""
    for name, path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        assert not any("twisted.internet.reactor" in ast.unparse(node) for node in top), name
        assert not any("from twisted.internet import reactor" in ast.unparse(node) for node in top), name


def test_no_eval_exec_or_pickle() -> None:
    for name, path in modules():
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
        assert not called & {"eval", "exec"}, name
        assert not {module.split(".")[0] for module in imported(path)} & {"pickle", "marshal", "shelve"}, name


def test_importing_the_inside_loads_no_scrapy() -> None:
    program = "".join(f"import scrapy_stemmer{inside}\n" for inside in INSIDE) + "import sys\nprint(*sys.modules)"
    loaded = printed(program).split()
    assert "scrapy_stemmer.core" in loaded
    assert not EDGE & set(loaded)
    assert not [module for module in loaded if module.startswith("scrapy_stemmer.crawl")]


WITHOUT_INIT = (
    "import sys, types\n"
    "package = types.ModuleType('scrapy_stemmer')\n"
    f"package.__path__ = [{str(PACKAGE)!r}]\n"
    "sys.modules['scrapy_stemmer'] = package\n"
)
"""``scrapy_stemmer`` itself offers ``learn``, so that importing it shows nothing of its parts."""


def test_importing_strip_and_patterns_loads_no_learner() -> None:
    program = (
        f"{WITHOUT_INIT}"
        "import scrapy_stemmer.strip, scrapy_stemmer.patternset, scrapy_stemmer.patterns.kinds\n"
        "print(*sys.modules)\n"
    )
    loaded = printed(program).split()
    assert "scrapy_stemmer.patterns.kinds" in loaded
    assert not [module for module in loaded if module.startswith("scrapy_stemmer.learn")]


DECIDED = """
from scrapy_stemmer import Page, PatternSet
from scrapy_stemmer.crawl import addon, collector, desk, pipeline, spidermiddleware
patterns = PatternSet.load({file!r})
stripped = patterns.strip(Page("http://a.example/4", "<div class=a><h1>4</h1><p>Text of page 4</p></div>"))
assert stripped.text, stripped
print(*(stripped.title, stripped.html, stripped.kind, stripped.confidence, stripped.blocks)[:0], sep="")
print(*__import__("sys").modules)
"""


def test_stripping_a_page_whose_paths_are_all_decided_needs_neither_numpy_nor_the_learner(tmp_path: Path) -> None:
    """Numpy takes longer to be imported than all else; what a user's rule says is decided."""
    file = tmp_path / "p.jsonl"
    head = '{"format": "scrapy-stemmer patterns", "version": 1}'
    rules = '"rules": [\n  {"keep": "body"}\n ]'
    pattern = f'{{"site": "a.example", "score": 1, "name": "site", "kind": "rules", {rules}, "support": 1}}'
    file.write_text(f"{head}\n{pattern}\n", encoding="utf-8")
    loaded = printed(DECIDED.format(file=str(file))).split()
    assert "scrapy_stemmer.learners.rules.pattern" in loaded
    assert not {"numpy", "scrapy_stemmer.learners.rules.learner"} & set(loaded)


def test_public_names_are_there() -> None:
    assert all(hasattr(scrapy_stemmer, name) for name in scrapy_stemmer.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Magic'"):
        scrapy_stemmer.Magic  # noqa: B018

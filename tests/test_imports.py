"""Structure of the package: imports in one direction, Scrapy only at the edge, short functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

import scrapy_stemmer
from scrapy_stemmer import StemmerError, exceptions
from tests.processes import printed

PACKAGE = Path(scrapy_stemmer.__file__).parent

ALLOWED = {
    "exceptions": set(),
    "_engine": set(),
    "page": {"exceptions", "_engine"},
    "writing": {"exceptions", "_engine", "page"},
    "fields": {"page"},
    "patterns": {"exceptions", "page", "fields"},
    "learners": {"exceptions", "_engine", "page", "writing", "fields", "patterns"},
    "signals": set(),
    "stores": {"exceptions", "page", "patterns"},
    "patternset": {"exceptions", "page", "writing", "fields", "patterns", "learners", "stores"},
    "learning": {"exceptions", "page", "patterns", "learners", "patternset", "drift"},
    "settings": {"exceptions", "page", "fields", "patterns", "learners", "patternset", "learning"},
    "drift": {"page", "patterns", "patternset"},
    "outputs": {"exceptions", "page", "writing", "fields", "patterns", "learners", "patternset"},
    "report": {"page", "writing", "fields", "patterns", "learners", "patternset"},
    "crawl": {
        *"exceptions _engine page writing fields patterns learners stores patternset learning outputs report".split(),
        *("drift", "settings", "signals", ""),
    },
    "commands": {
        *"exceptions _engine page writing fields patterns learners stores patternset learning outputs report".split(),
        *("crawl", "drift", "settings", "signals", ""),
    },
    "spark": {"exceptions", "page", "patterns", "learners", "learning", "settings", "stores", "patternset", "commands"},
    "poet": {"exceptions", "page", "outputs", "patternset", "crawl"},
    "datatrove": {"exceptions", "page", "patterns", "patternset"},
    "": {"exceptions", "page", "fields", "patterns", "learners", "learning", "patternset"},
}
"""Allowed imports of each part of the package; ``""`` is the package's ``__init__``."""

ROOMS = ("learner", "learn", "pattern", "returning", "decide", "site")
"""Parts of the rules learner; each imports only parts after it."""

NATIVE = {
    **dict.fromkeys(("shown",), "page"),
    **dict.fromkeys(("lines", "markdown", "markup", "page", "prune", "text", "tree"), "writing"),
    **dict.fromkeys(("read", "score", "site"), "learners"),
}
"""Part of the package that each native module belongs to; the file ``nodes`` is for all native modules."""

LAZY = {("", "crawl")}
"""Imports made only on demand."""

EDGE = {"scrapy", "twisted", "itemadapter"}
"""Packages that only the Scrapy edge may import."""


def part_of(module: str) -> str:
    """``page`` for ``scrapy_stemmer.page.blocks``."""
    return [*module.split("."), ""][1]


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), path


@cache
def parsed(path: Path) -> ast.Module:
    """A module, parsed once for all tests."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Return all nodes of a module, cached for all tests."""
    return list(ast.walk(parsed(path)))


@cache
def imported(path: Path) -> list[str]:
    """Return the modules imported anywhere in a file."""
    found: list[str] = []
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found += (f"{node.module}.{alias.name}" for alias in node.names)
    return found


def test_a_module_imports_only_what_lies_below_it() -> None:
    for name, path in modules():
        part = part_of(name)
        ours = {part_of(module) for module in imported(path) if module.split(".")[0] == "scrapy_stemmer"}
        beyond = {other for other in ours - {part} - ALLOWED[part] if (part, other) not in LAZY}
        assert not beyond, f"{name} imports {beyond}"


def test_rooms_of_the_rules_learner_import_downwards() -> None:
    rules = "scrapy_stemmer.learners.rules."
    for name, path in modules():
        if name.startswith(rules):
            room = ROOMS.index(name.removeprefix(rules).split(".")[0])
            others = {each.removeprefix(rules).split(".")[0] for each in imported(path) if each.startswith(rules)}
            assert not others & set(ROOMS[:room]), f"{name} imports {others & set(ROOMS[:room])}"


NATIVE_IMPORT = re.compile(r"^(?:from (scrapy_stemmer[\w.]*)|import (scrapy_stemmer[\w.]*))(.*)", re.MULTILINE)


def natively_imported(path: Path) -> Iterator[str]:
    """Yield the parts of the package imported by a native module, including further native modules."""
    for match in NATIVE_IMPORT.finditer(path.read_text(encoding="utf-8")):
        module = match[1] or match[2]
        name = module.removeprefix("scrapy_stemmer._engine").strip(".")
        if module.startswith("scrapy_stemmer._engine"):
            yield NATIVE[name] if name not in ("", "nodes") else "_engine"
        else:
            names = re.findall(r"\w+", match[3])
            yield part_of(f"{module}.{names[1]}" if module == "scrapy_stemmer" else module)


def test_a_native_module_imports_only_what_its_part_may() -> None:
    paths = sorted(PACKAGE.glob("_engine/*.pyx"))
    assert [path.stem for path in paths] == sorted(NATIVE)
    for path in (*paths, *PACKAGE.glob("_engine/*.pxd")):
        home = NATIVE.get(path.stem, "_engine")
        beyond = set(natively_imported(path)) - {home, "_engine"} - ALLOWED[home]
        assert not beyond, f"{path.name}, a part of {home}, imports {beyond}"


def test_only_the_edge_imports_scrapy() -> None:
    for name, path in modules():
        others = {module.split(".")[0] for module in imported(path)}
        assert part_of(name) in {"commands", "crawl", "poet", "settings", "spark"} or not others & EDGE, name


def test_cached_properties_have_no_lock_of_their_class() -> None:
    """A process forked while another thread holds the lock of Python 3.11 would wait for ever."""
    own = PACKAGE / "page" / "lazily.py"
    using = [name for name, path in modules() if path != own and "functools.cached_property" in imported_names(path)]
    assert not using


def imported_names(path: Path) -> set[str]:
    nodes = (node for node in nodes_of(path) if isinstance(node, ast.ImportFrom))
    return {f"{node.module}.{alias.name}" for node in nodes for alias in node.names}


def test_nothing_installs_a_reactor() -> None:
    """``twisted.internet.reactor`` at the top of a module would choose the reactor before Scrapy can."""
    for name, path in modules():
        top = [node for node in parsed(path).body if isinstance(node, ast.Import | ast.ImportFrom)]
        assert not any("twisted.internet.reactor" in ast.unparse(node) for node in top), name
        assert not any("from twisted.internet import reactor" in ast.unparse(node) for node in top), name


def test_no_eval_exec_or_pickle() -> None:
    for name, path in modules():
        nodes = nodes_of(path)
        called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
        assert not called & {"eval", "exec"}, name
        assert not {module.split(".")[0] for module in imported(path)} & {"pickle", "marshal", "shelve"}, name


STRIPPING = """
from scrapy_stemmer import Page, PatternSet, strip
from scrapy_stemmer.crawl import addon, pipeline, spidermiddleware
from scrapy_stemmer.crawl.session import session as learning_session
from scrapy_stemmer.learners.base import get_learner
get_learner("rules")()
patterns = PatternSet.load({file!r})
stripped = patterns.strip(Page("http://a.example/4", "<div class=a><h1>4</h1><p>Text of page 4</p></div>"))
alone = strip(Page("http://b.example/", "<article><h1>News</h1><p>A text of some length, with a comma.</p></article>"))
assert stripped.text and alone.text, (stripped, alone)
for each in (stripped, alone):
    print(*(each.title, each.html, each.kind, each.confidence, each.blocks)[:0], sep="")
print(*__import__("sys").modules)
"""


@pytest.mark.slow
def test_stripping_pages_needs_no_numpy(tmp_path: Path) -> None:
    """Importing numpy takes longer than everything besides."""
    file = tmp_path / "p.jsonl"
    head = '{"format": "scrapy-stemmer patterns", "version": 1}'
    rules = '"rules": [\n  {"keep": "body"}\n ]'
    pattern = f'{{"site": "a.example", "score": 1, "name": "site", "kind": "rules", {rules}, "support": 1}}'
    file.write_text(f"{head}\n{pattern}\n", encoding="utf-8")
    loaded = printed(STRIPPING.format(file=str(file))).split()
    assert "scrapy_stemmer.learners.rules.pattern" in loaded
    assert "numpy" not in loaded


def named_in_docs(section: str) -> list[str]:
    """The names of a section of docs/api.md, in order."""
    text = (PACKAGE.parent / "docs" / "api.md").read_text(encoding="utf-8")
    own = text.split(f"## {section}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^\.\. auto\w+:: scrapy_stemmer\.(\w+)$", own, re.MULTILINE)


def test_the_page_of_the_api_has_the_public_names() -> None:
    by_section = [named_in_docs(section) for section in ("Use it", "Extend it", "Errors")]
    assert sorted(chain(*by_section)) == sorted(scrapy_stemmer.__all__)
    errors = [
        name for name, value in vars(exceptions).items() if isinstance(value, type) and issubclass(value, StemmerError)
    ]
    assert by_section[2] == errors

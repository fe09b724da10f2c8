"""Choice of the groups of tests that ``make test`` runs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import groups
from tests.groups import FOR_ALL, GROUPS, ROOT, changed_files, group_of, project_imports, sources_of, unchanged

IMPORTS = {
    "tests/learners/literature/test_blocks.py": {"tests/strategies.py", "scrapy_stemmer/page/text.py"},
    "scrapy_stemmer/learners/literature/blocks.py": {"scrapy_stemmer/page/elements.py"},
    "tests/training/test_fit.py": {"training/fit.py"},
    "training/fit.py": {"scrapy_stemmer/learners/rules/scorer.py"},
    "tests/soak/test_soak.py": {"tests/soak/kills.py"},
    "tests/fuzz/test_targets.py": set(),
    "benchmarks/speed.py": {"scrapy_stemmer/fields/words.py"},
    "scrapy_stemmer/page/elements.py": {"scrapy_stemmer/page/text.py"},
}


def run_for(*changed: str) -> set[str]:
    return {*GROUPS} - unchanged(changed, IMPORTS)


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        ("tests/learners/literature/test_blocks.py", {"literature"}),
        ("scrapy_stemmer/learners/literature/blocks.py", {"literature"}),
        ("scrapy_stemmer/learners/literature/rendering.js", {"literature"}),
        ("scrapy_stemmer/learners/literature/new.py", {"literature"}),
        ("scrapy_stemmer/page/elements.py", {"literature", "fuzz"}),
        ("tests/strategies.py", {"literature"}),
        ("scrapy_stemmer/learners/rules/scorer.py", {"training"}),
        ("scrapy_stemmer/learners/rules/scorer.json", {"training"}),
        ("tests/fuzz/corpus/pages/new", {"fuzz"}),
        ("scrapy_stemmer/_engine/read.pyx", {"fuzz"}),
        ("scrapy_stemmer/fields/words.py", {"benchmarks"}),
        ("benchmarks/results/speed.md", {"benchmarks"}),
        ("scrapy_stemmer/crawl/pages.py", {"soak"}),
        ("README.md", set()),
        ("tests/crawl/test_pages.py", set()),
    ],
)
def test_a_group_runs_if_its_folder_or_a_direct_import_has_changed(changed: str, names: set[str]) -> None:
    assert run_for("README.md", changed) == names


@pytest.mark.parametrize("path", FOR_ALL)
def test_a_change_to_the_build_or_to_all_tests_runs_each_group(path: str) -> None:
    assert (ROOT / path).is_file()
    assert run_for(path) == {*GROUPS}


def test_each_group_has_folders_with_tests() -> None:
    for name, folders in GROUPS.items():
        assert all((ROOT / folder).is_dir() for folder in folders)
        assert any(group_of(str(path.relative_to(ROOT))) == name for path in (ROOT / folders[0]).rglob("test_*.py"))
    assert group_of("tests/page/test_text.py") is None


def test_imports_are_those_of_the_files_behind_names_of_packages() -> None:
    imports = project_imports()
    literature = sources_of(GROUPS["literature"], imports)
    assert {"scrapy_stemmer/page/document.py", "scrapy_stemmer/learners/base.py", "tests/strategies.py"} <= literature
    assert "scrapy_stemmer/__init__.py" not in literature, "Page comes from page/document.py"
    assert "scrapy_stemmer/crawl/pages.py" not in literature
    assert "scrapy_stemmer/_engine/shown.pyx" in imports["scrapy_stemmer/page/shown.py"]


Git = Callable[..., None]


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Make a repository with a commit on its branch main, and return a function that runs Git there."""
    monkeypatch.setattr(groups, "ROOT", tmp_path)
    monkeypatch.delenv("BASE", raising=False)

    def run(*arguments: str) -> None:
        names = ("-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *names, *arguments], cwd=tmp_path, check=True, capture_output=True)

    (tmp_path / "a.py").touch()
    run("init", "--initial-branch", "main")
    run("add", ".")
    run("commit", "--message", "a")
    return run


def test_changed_are_files_of_a_branch_and_of_the_working_tree(git: Git, tmp_path: Path) -> None:
    git("checkout", "-b", "other")
    (tmp_path / "b.py").touch()
    git("add", ".")
    git("commit", "--message", "b")
    (tmp_path / "a.py").write_text("a")
    (tmp_path / "c.py").touch()
    assert changed_files() == {"a.py", "b.py", "c.py"}


def test_without_a_change_or_a_commit_to_compare_with_nothing_is_left_out(
    git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert changed_files() is None
    (tmp_path / "a.py").write_text("a")
    assert changed_files() == {"a.py"}
    git("branch", "--move", "main", "work")
    assert changed_files() is None
    monkeypatch.setenv("BASE", "work")
    assert changed_files() == {"a.py"}
    monkeypatch.setenv("PATH", "")
    assert changed_files() is None


@pytest.mark.slow
def test_a_group_that_is_left_out_is_named() -> None:
    run = [sys.executable, "-m", "pytest", "-n", "0", "--collect-only", "--quiet", "-p", "no:cacheprovider"]
    tests = "tests/soak/test_growth.py", "tests/test_groups.py"
    done = subprocess.run([*run, "--left-out", "soak", *tests], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "groups of tests left out, as their sources are unchanged (tests/groups.py): soak\n" in done.stdout
    assert "tests/soak" not in done.stdout
    assert "tests/test_groups.py::" in done.stdout

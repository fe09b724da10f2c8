"""Built archives, and obstacles to an installation."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Iterable
from configparser import ConfigParser
from pathlib import Path

import pytest

from scrapy_stemmer._engine import MODULES
from scrapy_stemmer.exceptions import EXTRAS, installing

ROOT = Path(__file__).parents[1]

ROOM = "scrapy_stemmer/_engine"

SOURCES = {f"{ROOM}/{name}.pyx" for name in MODULES} | {f"{ROOM}/{path.name}" for path in (ROOT / ROOM).glob("*.pxd")}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packaged files, built if there is a compiler."""
    folder = tmp_path_factory.mktemp("template")
    for name in ("setup.py", "build_backend.py", "setup.cfg", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    unwanted = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(ROOT / "scrapy_stemmer", folder / "scrapy_stemmer", ignore=unwanted)
    # `make build` has translated and compiled the modules; only newer sources are built again.
    for made in (*ROOT.glob(f"build/cython/{ROOM}/*"), *ROOT.glob(f"build/lib.*/{ROOM}/*")):
        copy = folder / made.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(made, copy)
    run(folder, "build_ext", "--inplace")
    return folder


@pytest.fixture(scope="module")
def wheel_tree(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the tree with a built wheel, not to be changed."""
    tree = Path(shutil.copytree(template, tmp_path_factory.mktemp("wheel") / "tree"))
    done = run(tree, "bdist_wheel")
    assert done.returncode == 0, done.stdout + done.stderr
    return tree


def run(tree: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run ``setup.py`` in a tree."""
    # How fast the modules are is no matter here.
    environment = {**os.environ, "CFLAGS": "-O1"}
    program = [sys.executable, "setup.py", "--quiet", *command]
    return subprocess.run(program, cwd=tree, env=environment, capture_output=True, text=True, check=False)


def compiled(names: Iterable[str]) -> list[str]:
    """The names of the compiled modules among files."""
    return sorted(Path(name).name.partition(".")[0] for name in names if name.endswith((".so", ".pyd")))


def wheel(tree: Path) -> tuple[str, set[str]]:
    """Return the tag of the built wheel, and its files of the package."""
    (path,) = (tree / "dist").glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        names = {name for name in archive.namelist() if name.startswith("scrapy_stemmer/")}
    return path.stem.split("-", 2)[2], names


def tool(name: str, *arguments: str) -> None:
    """Run a tool that checks archives, and fail with its output."""
    command = [sys.executable, "-m", name, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def package(tree: Path) -> set[str]:
    """The files of the package that are not built."""
    files = {path.relative_to(tree).as_posix() for path in (tree / "scrapy_stemmer").rglob("*") if path.is_file()}
    return {name for name in files if not name.endswith((".so", ".pyd", ".pyc"))}


def test_wheel_holds_sources_types_and_native_modules_and_nothing_else(wheel_tree: Path) -> None:
    tag, files = wheel(wheel_tree)
    assert tag.startswith(f"cp{sys.version_info[0]}{sys.version_info[1]}-")
    assert compiled(files) == list(MODULES)
    assert {name for name in files if not name.endswith((".so", ".pyd"))} == package(wheel_tree)
    assert files >= {*SOURCES, "scrapy_stemmer/py.typed", "scrapy_stemmer/__init__.py"}
    (path,) = (wheel_tree / "dist").glob("*.whl")
    tool("check_wheel_contents", "--config", str(wheel_tree / "pyproject.toml"), str(path))
    tool("twine", "check", "--strict", str(path))


def test_a_wheel_works_where_there_is_no_compiler(wheel_tree: Path, tmp_path: Path) -> None:
    """The environment has only the dependencies of the package."""
    (path,) = (wheel_tree / "dist").glob("*.whl")
    empty = venv.EnvBuilder().ensure_directories(tmp_path / "empty")
    venv.create(tmp_path / "empty")
    installed = sysconfig.get_path("purelib", vars={"base": empty.env_dir})
    # Pth files found through a pth file are not read: the test's own installation is not imported.
    Path(installed, "needed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    # pip sees the installation, though.
    install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--no-compile",
        "--ignore-installed",
        str(path),
    ]
    without = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PATH": ""}
    for arguments in (install, [str(ROOT / "tests" / "installed.py"), "--brief"]):
        program = [empty.env_exe, *arguments]
        done = subprocess.run(program, cwd=tmp_path, env=without, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert str(empty.env_dir) in done.stdout


def test_a_compiler_is_asked_for_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """pip installs the compiler requested by the build backend, and prints the reason with ``-v``."""
    backend = runpy.run_path(str(ROOT / "build_backend.py"))
    monkeypatch.chdir(ROOT)
    assert "ziglang" not in backend["get_requires_for_build_wheel"]()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert backend["get_requires_for_build_wheel"]()[-1] == "ziglang"
    assert backend["get_requires_for_build_editable"]()[-1] == "ziglang"
    assert "no C compiler" in capsys.readouterr().out


def test_missing_headers_end_in_a_sentence_that_names_their_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    setup = runpy.run_path(str(ROOT / "setup.py"))
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    with pytest.raises(SystemExit, match=r"headers of Python .* are missing. Install python3-dev"):
        setup["choose_compiler"]()


@pytest.mark.slow
def test_source_distribution(tmp_path: Path) -> None:
    """The archive holds all files of git, except files for services of this repository, and nothing built."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git repository")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tracked = {name for name in listed.split("\0") if (ROOT / name).is_file()}
    run(ROOT, "egg_info", "--egg-base", str(tmp_path), "sdist", "--dist-dir", str(tmp_path))
    (path,) = tmp_path.glob("*.tar.gz")
    tool("twine", "check", "--strict", str(path))
    with tarfile.open(path) as archive:
        names = {entry.name.partition("/")[2] for entry in archive.getmembers() if entry.isfile()}
    made = {name for name in names if name == "PKG-INFO" or "egg-info/" in name}
    assert tracked - names == {".ci/run", ".gitignore"}
    # New files are not in git yet; built files have these endings.
    assert not [name for name in names - tracked - made if name.endswith((".c", ".so", ".pyd", ".o", ".pyc", ".jsonl"))]
    assert names >= {*SOURCES, "setup.py", "setup.cfg", "pyproject.toml", "scrapy_stemmer/py.typed"}


def test_the_readme_on_pypi_has_no_link_that_leads_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links into the repository are plain text, unless its address is given."""
    monkeypatch.delenv("SCRAPY_STEMMER_REPOSITORY", raising=False)
    setup = runpy.run_path(str(ROOT / "setup.py"))
    assert "](docs/" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\((\w+:)?", setup["readme"]())) <= {"https:"}
    assert setup["urls"]() == {}
    monkeypatch.setenv("SCRAPY_STEMMER_REPOSITORY", "https://code.example/stemmer/")
    setup = runpy.run_path(str(ROOT / "setup.py"))
    assert "[tutorial](https://code.example/stemmer/blob/main/docs/tutorial.md)" in setup["readme"]()
    assert setup["urls"]()["Issues"] == "https://code.example/stemmer/issues"


def test_errors_and_the_documentation_name_the_packages_of_each_extra() -> None:
    config = ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    declared = {
        extra: tuple(line.partition(">=")[0] for line in lines.strip().splitlines())
        for extra, lines in config["options.extras_require"].items()
    }
    assert declared == EXTRAS
    page = (ROOT / "docs" / "extras.md").read_text(encoding="utf-8")
    for extra in EXTRAS:
        assert re.search(rf"\| `{re.escape(installing(extra))}`[^|]*\| `{extra}` \|", page), extra

"""Trial of an installed package without test dependencies: learn, strip, and unless ``--brief`` crawl and report. Run
``python tests/installed.py`` in any environment."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import scrapy_stemmer
from scrapy_stemmer import Page, learn

ROOT = Path(__file__).resolve().parents[1]
PROJECT = ROOT / "example_project"

TOWN = PROJECT / "demo_site" / "pages" / "heron.example" / "town"


def check_stripping() -> None:
    """Learn from a few pages, and strip a page."""
    pages = [Page(f"http://heron.example/town/{path.name}", path.read_bytes()) for path in sorted(TOWN.glob("*.html"))]
    (bus,) = [page for page in pages if page.url.endswith("night-bus-trial.html")]
    stripped = learn(pages).strip(bus)
    assert stripped.matched, stripped
    assert stripped.title == "Night bus to the coast becomes permanent", stripped
    assert "Advertisement" not in stripped.text, stripped


def check_demo() -> None:
    """Check that the newspaper served by the command ``demo`` is in the package."""
    from scrapy_stemmer.commands.demo import bundled_pages

    assert len(bundled_pages()) == 36


def check_crawl(folder: Path) -> None:
    """Crawl the bundled site, learn it, and report on it."""
    unwanted = shutil.ignore_patterns("__pycache__", "patterns", "items.jsonl")
    project = shutil.copytree(PROJECT, folder / "project", ignore=unwanted)
    command = [sys.executable, "-m", "scrapy", "crawl", "news", "-s", "STEMMER_LEARN=1"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    items = [json.loads(line) for line in (project / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(items) == 64, done.stderr
    assert sum(item["stemmer_matched"] for item in items) > 60, done.stderr
    assert (project / "patterns" / "news.jsonl").is_file(), done.stderr
    report = "stemmer report patterns/news.jsonl --pages demo_site/pages -o report".split()
    made = subprocess.run([*command[:3], *report], cwd=project, capture_output=True, text=True, check=False)
    assert (project / "report" / "report.js").is_file(), made.stderr


def main() -> None:
    where = Path(scrapy_stemmer.__file__).resolve()
    assert not where.is_relative_to(ROOT / "scrapy_stemmer"), f"{where} is the source, not an installation"
    check_stripping()
    check_demo()
    if sys.argv[1:] != ["--brief"]:
        with tempfile.TemporaryDirectory() as folder:
            check_crawl(Path(folder))
    print(f"{where.parent} works")


if __name__ == "__main__":
    main()

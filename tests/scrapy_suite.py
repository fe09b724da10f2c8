"""Scrapy's own tests with the add-on switched on: a test that fails only then is a fault of the add-on.

``python -m tests.scrapy_suite`` with the source distribution of the installed Scrapy, which is downloaded unless its
folder is given; further arguments go to pytest. The tests run three times: without the add-on; with it and no
written result, where nothing more may fail; and with the default results, where a test may fail that compares an item
as a whole, which has four fields more.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]

FILES = """
    addons closespider command_crawl command_parse core_scraper crawl engine* feedexport* logformatter pipeline_crawl
    pipelines request_attribute_binding request_cb_kwargs request_left signals spider_crawl spider_sitemap spider_start
    spidermiddleware*
""".split()
"""Tests that crawl, or that concern components added by the add-on."""

ADDON = '\nADDONS = {"scrapy_stemmer.Addon": 500}\n'
NO_FIELDS = '\nSTEMMER_FIELDS = {"title": None, "text": None, "confidence": None, "reason": None}\n'

COMPARES = ("AssertionError", "assert ")
"""Beginning of the message of a test that compares a whole item."""

KNOWN = frozenset({"test_integration_no_async_not_subclass"})
"""Tests with a pipeline manager of their own that makes pipelines without a crawler."""


def downloaded(folder: Path) -> Path:
    """Download and unpack the source distribution of the installed Scrapy; return its folder."""
    wanted = f"scrapy=={version('scrapy')}"
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", "scrapy", "-d", str(folder), wanted]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        files.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    return folder / archive.name.removesuffix(".tar.gz")


def failures(source: Path, settings: str, arguments: Sequence[str]) -> Mapping[str, str]:
    """Run the tests of a copy of Scrapy with lines added to its default settings; return the messages of failures."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(source, Path(folder, "scrapy-suite"))
        with (copy / "scrapy" / "settings" / "default_settings.py").open("a", encoding="utf-8") as file:
            file.write(settings)
        paths = sorted(str(path.relative_to(copy)) for name in FILES for path in copy.glob(f"tests/test_{name}.py"))
        found = os.pathsep.join((str(copy), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])))
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=told.xml", *arguments]
        environment = {**os.environ, "PYTHONPATH": found}
        subprocess.run([*command, *paths], cwd=copy, env=environment, check=False, stdout=subprocess.DEVNULL)
        told = ElementTree.parse(copy / "told.xml").getroot()
    cases = {f"{case.get('classname')}::{case.get('name')}": case for case in told.iter("testcase")}
    messages = {
        name: "".join(each.get("message", "?") for each in case.iter("failure")) for name, case in cases.items()
    }
    if not cases:
        raise SystemExit(f"no test of {source} was run")
    print(f"{len(cases)} tests, {sum(map(bool, messages.values()))} failed")
    return {name: message for name, message in messages.items() if message}


def faults(before: Mapping[str, str], bare: Mapping[str, str], by_default: Mapping[str, str]) -> list[str]:
    """Return the failures caused by this package: with no field written, or by default outside comparisons of items."""
    new = {name for name in bare if name not in before}
    new |= {name for name, message in by_default.items() if name not in before and not message.startswith(COMPARES)}
    return sorted(name for name in new if name.rpartition("::")[2] not in KNOWN)


def main() -> int:
    """Print the faults; return 1 if any."""
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--source", type=Path, help="the source distribution of Scrapy, unpacked")
    given, arguments = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        source = given.source or downloaded(Path(folder))
        runs = [failures(source, settings, arguments) for settings in ("", ADDON + NO_FIELDS, ADDON)]
    found = faults(*runs)
    print("\n".join(found) or "nothing fails but what compares items as a whole")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

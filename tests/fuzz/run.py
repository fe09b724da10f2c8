"""Fuzzes one target, guided by the coverage of the package's Python: ``python -m tests.fuzz.run pages``.

Needs ``pip install atheris``. Further arguments go to libFuzzer, such as ``-max_total_time=3600``; new inputs go into
the first folder named. An input that breaks a promise is written to ``crash-*``: move the file into ``corpus/``, run by
the tests. The native modules are not instrumented: ``asan.py`` mutates the inputs found here for them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris  # type: ignore[import-not-found]

with atheris.instrument_imports(include=["scrapy_stemmer"]):
    from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).parent / "corpus"


def main(arguments: list[str]) -> None:
    """Fuzz until libFuzzer stops."""
    name, *options = arguments
    folders = [option for option in options if not option.startswith("-")]
    options = [option for option in options if option.startswith("-")]
    atheris.Setup([sys.argv[0], *options, *folders, str(CORPUS / name)], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])

"""Sub-commands of ``scrapy stemmer`` in this process, parsed as on the command line."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scrapy.settings import Settings

from scrapy_stemmer.commands.command import StemmerCommand


def parse(*arguments: object) -> argparse.Namespace:
    """Return the options of a sub-command."""
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command = StemmerCommand()
    command.settings = Settings()
    command.add_options(parser)
    return parser.parse_args([str(argument) for argument in arguments])


def run(*arguments: object, **settings: Any) -> list[str]:
    """Return the lines printed by a sub-command.

    :param settings: settings of the project.
    """
    command = StemmerCommand()
    command.settings = Settings(settings)
    return list(command.lines(parse(*arguments)))


def feed_of(path: Path, htmls: Mapping[str, str]) -> Path:
    """Write pages as JSON Lines, by URL."""
    lines = (json.dumps({"url": url, "html": html}) for url, html in htmls.items())
    path.write_text("\n".join(lines), encoding="utf-8")
    return path

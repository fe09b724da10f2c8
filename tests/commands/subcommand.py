"""Sub-commands of ``scrapy stemmer`` in this process: parsed as on the command line, without Scrapy around them."""

from __future__ import annotations

import argparse
from typing import Any

from scrapy.settings import Settings

from scrapy_stemmer.commands.command import StemmerCommand


def run(*arguments: object, **settings: Any) -> list[str]:
    """The lines that a sub-command prints.

    :param settings: those of the project.
    """
    command = StemmerCommand()
    command.settings = Settings(settings)
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    options = parser.parse_args([str(argument) for argument in arguments])
    return list(command.lines(options))

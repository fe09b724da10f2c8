"""Command ``scrapy stemmer``. Sub-commands are imported on use, since ``scrapy list`` loads this module too."""

from __future__ import annotations

import argparse
import logging
import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.utils.misc import load_object

from scrapy_stemmer.commands import CRAWL_FORMATS, FORMATS, end_as_by_ctrl_c, note, uninterrupted
from scrapy_stemmer.commands.checked_settings import CheckedSettings
from scrapy_stemmer.commands.sources.base import SOURCES
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.page.text import visible

ALONE, FIELDS = "--alone", "--fields"
INTERRUPTED = 130  # exit status after Ctrl-C, as in shells

SUBCOMMANDS = {
    "demo": ("commands.demo.demo", "learn a small newspaper that comes with the package, show that, and serve it"),
    "crawl": ("commands.crawl_site.crawl", "crawl sites, learn them, and write their pages as CSV, JSON or Markdown"),
    "learn": ("commands.learn_stored.learn_", "learn stored pages without a crawl"),
    "strip": ("commands.strip_stored.strip", "strip pages with the patterns of a file, or each alone"),
    "show": ("commands.subcommands.show", "list the sites of a pattern file, or the patterns of one with their rules"),
    "report": ("commands.report_stored.report", "make a static site: what was learned and how pages are stripped"),
    "check": ("commands.strip_stored.check", "strip saved examples and compare; exit status 1 for any difference"),
    "merge": ("commands.subcommands.merge", "make several pattern files one; of a site in several the last one wins"),
    "forget": ("commands.subcommands.forget", "remove sites from a pattern file"),
    "teach": ("commands.subcommands.teach", "add corrections to a pattern file as rules"),
    "import": ("commands.subcommands.import_", "read a pattern file of Webstemmer"),
    "export": ("commands.subcommands.export", "write patterns for other programs"),
    "recover": ("commands.recover.recover", "write the items that a killed crawl has left waiting"),
}
"""Sub-commands with function, which yields output lines, and description."""


def _argument(actions: str, *names: str, **options: Any) -> tuple[list[str], tuple[str, ...], dict[str, Any]]:
    return actions.split(), names, options


def _number(least: int, most: float = math.inf) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.strip().lstrip("-").isdigit() or not least <= int(text) <= most:
            bounds = f"at least {least}" if most == math.inf else f"from {least} to {most}"
            raise argparse.ArgumentTypeError(f"must be a number, {bounds}, not {text!r}")
        return int(text)

    return number


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a date such as 2025-03-04, not {text!r}") from None


class SubParser(argparse.ArgumentParser):
    _words: tuple[str, ...] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Insert an empty name of a pattern file for ``strip --alone``; called by argparse."""
        self._words = tuple(args or ())
        args = list(_with_names(self._words))
        if self.prog.endswith(" strip") and ALONE in self._words:
            args = ["", *(word for word in args if word != ALONE)]
            namespace = argparse.Namespace(alone=True)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Exit with a message, naming ``--alone`` if a pattern file is missing; called by argparse."""
        if self.prog.endswith(" strip") and message.endswith(": SOURCE"):
            from scrapy_stemmer.commands.sources.files import address_of

            page = next((word for word in self._words if not word.startswith("-")), "SOURCE")
            message += f". To strip a page by itself, without patterns: {self.prog} {ALONE} {address_of(page) or page}"
        super().error(message)


def _with_names(words: Sequence[str]) -> Iterator[str]:
    """Yield words of a command; join names of fields to ``--fields`` before them, but not the name of a file."""
    left = pairwise((*words, ""))
    for word, following in left:
        is_names = word == FIELDS and re.fullmatch(r"\w+(?:,\w+)*", following) and not Path(following).exists()
        yield f"{FIELDS}={following if is_names else ''}" if word == FIELDS else word
        if is_names:
            next(left, None)


_FORMS = "x.jsonl, x.csv or x.md, also with .gz, or a folder for Markdown"
_FILE, _SOURCES = {"metavar": "PATTERNFILE"}, {"metavar": "SOURCE", "nargs": "+", "help": SOURCES}
_OUTPUT, _SWITCH = ("-o", "--output"), {"action": "store_true"}
_SOME, _ANY, _PORT = ({"metavar": "N", "type": _number(*bounds)} for bounds in ((1,), (0,), (0, 65535)))
_NAMES = {"metavar": "NAMES", "nargs": "?", "const": ""}
_EXAMPLE = {"metavar": ("URL", "FIELD VALUE"), "nargs": "+", "action": "append", "default": []}
_EXPORTS = ("selectors", "ftr", "webstemmer")

ARGUMENTS = (
    _argument("strip show report check forget teach export", "patterns", **_FILE),
    _argument("merge", "patterns", **_FILE, nargs="+"),
    _argument("crawl", "urls", metavar="URL", nargs="+", help="such as https://example.com/"),
    _argument("learn strip", "pages", **_SOURCES),
    _argument("report", "--pages", **_SOURCES, required=True),
    _argument("check", "examples", metavar="EXAMPLES", nargs="?", help="JSON Lines with url, html, title and text"),
    _argument("forget", "sites", metavar="SITE", nargs="+", help="such as news.example.com"),
    _argument("teach", "corrections", metavar="CORRECTIONS", nargs="?", help="JSON with site, action and selector"),
    _argument("teach", "--example", **_EXAMPLE, help="find the selector of your own field by its values on a page"),
    _argument("teach", "--pages", metavar="SOURCE", nargs="+", help="pages to try it on; default: those of the sample"),
    _argument("import", "webstemmer", metavar="WEBSTEMMERFILE"),
    _argument("recover", "spools", metavar="SPOOL", nargs="*", help="default: all in STEMMER_STATE_DIR"),
    _argument("learn import", *_OUTPUT, **_FILE, required=True, help="its other sites stay as they are"),
    _argument("merge", *_OUTPUT, **_FILE, required=True, help="may be one of them"),
    _argument("strip", *_OUTPUT, metavar="OUTPUT", help=f"{_FORMS}, or x.txt; default: print the pages"),
    _argument("crawl", *_OUTPUT, metavar="OUTPUT", action="append", required=True, help=f"{_FORMS}; or several"),
    _argument("crawl", "--left-out", metavar="FILE", help="write the addresses of pages left out there, as CSV"),
    _argument("report", *_OUTPUT, metavar="FOLDER", required=True, help="open index.html in it"),
    _argument("export", *_OUTPUT, metavar="OUTPUT", required=True, help="a file; a folder for ftr"),
    _argument("recover", *_OUTPUT, metavar="FILE", help="a new feed, .jsonl or .jsonl.gz; default: print them"),
    _argument("learn check strip report teach", "--site", help="the site of files whose names hold none"),
    _argument("show export", "--site", help="only this site, such as news.example.com"),
    _argument("import", "--site", help="the site of the patterns; by default that of each pattern's pages"),
    _argument("learn", "--linkinfo", metavar="FILE", help="texts of links, as textcrawler.py writes them"),
    _argument("learn", "--write-linkinfo", metavar="FILE", help="write the texts of links to the pages"),
    _argument("learn", "--teacher", metavar="FUNCTION", help="STEMMER_TEACHER: an import path; knows texts of pages"),
    _argument("strip", ALONE, **_SWITCH, help="each page by itself; PATTERNFILE is left out"),
    _argument("crawl", "--format", choices=CRAWL_FORMATS, help="default: by the name of the output"),
    _argument("crawl", "--max-pages", **_SOME, help="stop after so many (CLOSESPIDER_PAGECOUNT); default: all"),
    _argument("crawl", "--new", **_SWITCH, help="add to OUTPUT what no earlier crawl with --new has written"),
    _argument("crawl", "--changed", **_SWITCH, help="as --new, and add written pages again that have changed"),
    _argument("crawl", "--since", metavar="DATE", type=_day, help="no pages of earlier days, such as 2025-03-04"),
    _argument("crawl", "--depth", **_SOME, help="follow so many links in a row (DEPTH_LIMIT); default: any number"),
    _argument("crawl", "--no-sitemaps", **_SWITCH, help="follow links alone, not sitemaps and feeds"),
    _argument("strip", "--format", choices=FORMATS, help="default: by the name of the output, else text to read"),
    _argument("crawl strip", FIELDS, **_NAMES, help="add all other fields, or those that are named, as in price,stock"),
    _argument("crawl strip", "--no-links", **_SWITCH, help="Markdown without links (STEMMER_MARKDOWN)"),
    _argument("crawl strip", "--no-images", **_SWITCH, help="Markdown without images"),
    _argument("crawl strip", "--csv-formulas", **_SWITCH, help="leave formulas of pages in CSV as they are"),
    _argument("show", "--rules", **_SWITCH, help="the patterns and rules of all sites"),
    _argument("report", "--samples", **_ANY, help="pages of each site to show, 0: all; default: all of 200, else 6"),
    _argument("report", "--online", **_SWITCH, help="shown pages load images and style sheets; else nothing"),
    _argument("check", "--update", **_SWITCH, help="write what is found now into EXAMPLES"),
    _argument("check", "--add", metavar="SOURCE", action="append", help="with --update: add pages of it to EXAMPLES"),
    _argument("check", "--pages", **_SOME, default=3, help="pages of each site to add; default: 3"),
    _argument("export", "--format", choices=_EXPORTS, help="default: the first that they can be written in"),
    _argument("recover", "--html", metavar="FIELD", help="add the HTML of each item's page in this field"),
    _argument("recover", "--delete", **_SWITCH, help="delete each SPOOL when its items are written"),
    _argument("demo", "--port", **_PORT, default=8033, help="where to serve it; 0: any that is free; default: 8033"),
    _argument("learn strip report", "--processes", **_SOME, default=0, help="default: one for each core"),
)


class StemmerCommand(ScrapyCommand):
    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "COMMAND [options]"

    def short_desc(self) -> str:
        return "Learn stored pages, strip them, report, show, check and edit patterns"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add sub-commands with Scrapy's own options, or ``-s`` after them would be ignored silently."""
        super().add_options(parser)
        self._subparsers: dict[str, argparse.ArgumentParser] = {}
        subparsers = parser.add_subparsers(
            dest="action", metavar="COMMAND", prog="scrapy stemmer", parser_class=SubParser
        )
        for action, (_, what) in SUBCOMMANDS.items():
            self._subparsers[action] = subparser = subparsers.add_parser(action, help=what)
            for actions, names, options in ARGUMENTS:
                if action in actions:
                    subparser.add_argument(*names, **options)
            known = set(subparser._actions)
            super().add_options(subparser)
            for own in set(subparser._actions) - known:
                own.default = argparse.SUPPRESS  # keeps values given before the sub-command

    def lines(self, opts: argparse.Namespace) -> Iterator[str]:
        with uninterrupted():
            from scrapy_stemmer.commands.outputs import refuse_inputs

            action = load_object(f"scrapy_stemmer.{SUBCOMMANDS[opts.action][0]}")
        refuse_inputs(opts)
        yield from action(opts, self.settings)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.action is None:
            commands = "\n".join(f"  {name:8} {what}" for name, (_, what) in SUBCOMMANDS.items())
            raise UsageError(f"name what to do, one of\n{commands}", print_help=False)
        if args:
            self._subparsers[opts.action].error(f"unrecognized arguments: {' '.join(args)}")
        warnings = logging.StreamHandler(sys.stderr)  # Scrapy's log is off
        warnings.setFormatter(_Visible())
        warnings.setLevel(logging.INFO)
        warnings.addFilter(lambda record: record.levelno > logging.INFO or record.module != "held")
        end_as_by_ctrl_c()
        try:
            settings = CheckedSettings(self.settings)
            if not (opts.action == "crawl" and settings.getbool("LOG_ENABLED")):
                logging.getLogger("scrapy_stemmer").addHandler(warnings)
            with uninterrupted():
                from scrapy_stemmer.settings import warn_of_unknown

            warn_of_unknown(settings)
            for line in self.lines(opts):
                sys.stdout.write(visible(line) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader, such as ``head``, has enough; further output goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except KeyboardInterrupt as interrupt:
            if not interrupt.args:
                note(f"scrapy stemmer {opts.action}: interrupted")
            self.exitcode = INTERRUPTED
        except (OSError, StemmerError) as error:
            note(f"scrapy stemmer {opts.action}: {error_message(error)}")
            self.exitcode = 1
        finally:
            logging.getLogger("scrapy_stemmer").removeHandler(warnings)


class _Visible(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


def error_message(error: Exception) -> str:
    """Format an error; for an OSError put the file name first."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)

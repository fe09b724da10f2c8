"""The command ``scrapy stemmer``. Its sub-commands are imported when it runs: ``scrapy list`` loads this module too."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

NAMES = "show|strip|learn|import|export|recover"
"""The sub-commands."""


class StemmerCommand(ScrapyCommand):
    """Learns, shows, uses, imports and exports pattern files; recovers items of killed crawls."""

    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Shown by Scrapy's help."""
        return f"<{NAMES}> [options]"

    def short_desc(self) -> str:
        """Shown by Scrapy's list of commands."""
        return "Learn, show, apply, import or export patterns; recover items"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Each sub-command takes Scrapy's own options as well; without them it would ignore ``-s`` silently."""
        super().add_options(parser)
        subparsers = parser.add_subparsers(dest="action", metavar=f"<{NAMES}>")
        for add in (_add_show, _add_strip, _add_learn, _add_import, _add_export, _add_recover):
            subparser = add(subparsers)
            known = set(subparser._actions)
            super().add_options(subparser)
            for action in set(subparser._actions) - known:
                action.default = argparse.SUPPRESS  # or it would undo what stands before the sub-command

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Called by Scrapy.

        :raises UsageError: without a sub-command, or with arguments that there aren't.
        """
        if args:
            raise UsageError(f"unrecognized arguments: {' '.join(args)}", print_help=False)
        if opts.action is None:
            raise UsageError("name what to do: show, strip, learn, import, export or recover", print_help=False)
        from scrapy_stemmer.crawl.subcommands import SUBCOMMANDS
        from scrapy_stemmer.exceptions import StemmerError

        try:
            for line in SUBCOMMANDS[opts.action](opts, self.settings):
                sys.stdout.write(line + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            # Who reads it has read enough, as ``head`` does; what is still to be written goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (OSError, StemmerError) as error:
            sys.stderr.write(f"scrapy stemmer {opts.action}: {error}\n")
            self.exitcode = 1


def _add_show(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "show", help="list the patterns of a file, with their rules"
    )
    parser.add_argument("patterns", metavar="PATTERNFILE")
    parser.add_argument("--site", help="only this site, such as news.example.com")
    return parser


def _add_strip(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser("strip", help="strip pages with the patterns of a file")
    parser.add_argument("patterns", metavar="PATTERNFILE")
    parser.add_argument("pages", metavar="PAGE", nargs="+", help="an HTML file, or a URL to be fetched")
    parser.add_argument("--site", help="the site of HTML files; not needed when PATTERNFILE has but one")
    parser.add_argument("--json", action="store_true", help="one JSON object a page")
    return parser


def _add_learn(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser("learn", help="learn stored pages without a crawl")
    parser.add_argument(
        "pages",
        metavar="PAGES",
        nargs="+",
        help="a folder or .zip archive of files named [BASEID/]HOST/PATH, a feed (.jsonl), a list of such (.list), or "
        "an HTML file",
    )
    parser.add_argument("-o", "--output", metavar="PATTERNFILE", required=True, help="learned sites are replaced there")
    parser.add_argument("--site", help="the site of files whose names hold none")
    parser.add_argument("--linkinfo", metavar="FILE", help="texts of links, as textcrawler.py writes them")
    parser.add_argument("--write-linkinfo", metavar="FILE", help="write the texts of links to the pages")
    return parser


def _add_import(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser("import", help="read a pattern file of Webstemmer")
    parser.add_argument("webstemmer", metavar="WEBSTEMMERFILE")
    parser.add_argument("-o", "--output", metavar="PATTERNFILE", required=True, help="its sites are replaced there")
    parser.add_argument("--site", help="the site of the patterns; by default that of each pattern's pages")
    return parser


def _add_export(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser("export", help="write a pattern file for Webstemmer 0.6")
    parser.add_argument("patterns", metavar="PATTERNFILE")
    parser.add_argument("-o", "--output", metavar="WEBSTEMMERFILE", required=True)
    parser.add_argument("--site", help="only this site")
    return parser


def _add_recover(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "recover", help="write the items that a killed crawl has left waiting"
    )
    parser.add_argument(
        "spools", metavar="SPOOL", nargs="*", help="a file that the log has named; by default all in STEMMER_STATE_DIR"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="a feed (.jsonl); by default they are printed")
    parser.add_argument("--html", metavar="FIELD", help="add the HTML of each item's page in this field")
    parser.add_argument("--delete", action="store_true", help="delete each SPOOL when its items are written")
    return parser

"""The command ``scrapy stemmer``. Its sub-commands are imported when it runs: ``scrapy list`` loads this module too."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError


class StemmerCommand(ScrapyCommand):
    """Learns and strips stored pages, reports on them, looks after pattern files, recovers items of killed crawls."""

    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Shown by Scrapy's help."""
        return f"<{'|'.join(ACTIONS)}> [options]"

    def short_desc(self) -> str:
        """Shown by Scrapy's list of commands."""
        return "Learn stored pages, strip them, report, show, check and edit patterns"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Each sub-command takes Scrapy's own options as well; without them it would ignore ``-s`` silently."""
        super().add_options(parser)
        subparsers = parser.add_subparsers(dest="action", metavar=f"<{'|'.join(ACTIONS)}>")
        for name in ACTIONS:
            subparser = ADDERS[name](subparsers)
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
            raise UsageError(f"name what to do: {', '.join(ACTIONS)}", print_help=False)
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


SOURCES = (
    "a folder of HTML files or an HTTP cache of Scrapy, a feed (.jsonl, .jsonl.gz), a WARC file or a WACZ archive, a "
    ".zip archive of Webstemmer, an HTML file, a URL, or a list of such (.list)"
)


def _add_learn(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser("learn", help="learn stored pages without a crawl")
    parser.add_argument("pages", metavar="SOURCE", nargs="+", help=SOURCES)
    parser.add_argument("-o", "--output", metavar="PATTERNFILE", required=True, help="learned sites are replaced there")
    parser.add_argument("--site", help="the site of files whose names hold none")
    parser.add_argument("--linkinfo", metavar="FILE", help="texts of links, as textcrawler.py writes them")
    parser.add_argument("--write-linkinfo", metavar="FILE", help="write the texts of links to the pages")
    parser.add_argument(
        "--teacher", metavar="FUNCTION", help="STEMMER_TEACHER: knows the text of a page; its import path"
    )
    _add_processes(parser)
    return parser


def _add_strip(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser("strip", help="strip pages with the patterns of a file")
    parser.add_argument("patterns", metavar="PATTERNFILE")
    parser.add_argument("pages", metavar="SOURCE", nargs="+", help=SOURCES)
    parser.add_argument("--site", help="the site of files whose names hold none; not needed if PATTERNFILE has but one")
    parser.add_argument("--format", choices=("text", "jsonl", "markdown"), default="text", help="default: text")
    parser.add_argument("--json", action="store_true", help="the same as --format jsonl")
    parser.add_argument("-o", "--output", metavar="FILE", help="compressed if it ends in .gz; default: print it")
    _add_processes(parser)
    return parser


def _add_processes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--processes", type=int, default=0, metavar="N", help="default: one for each core")


def _add_show(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "show", help="list the sites of a pattern file; of one site the patterns with their rules"
    )
    parser.add_argument("patterns", metavar="PATTERNFILE")
    parser.add_argument("--site", help="only this site, such as news.example.com")
    parser.add_argument("--rules", action="store_true", help="the patterns and rules of all sites")
    return parser


def _add_report(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "report", help="make a static site that shows what was learned and how pages are stripped"
    )
    parser.add_argument("patterns", metavar="PATTERNFILE")
    parser.add_argument("--pages", metavar="SOURCE", nargs="+", required=True, help=SOURCES)
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help="open index.html in it")
    parser.add_argument("--samples", type=int, default=6, metavar="N", help="pages of each site to show; default: 6")
    parser.add_argument(
        "--online", action="store_true", help="shown pages load images and style sheets; by default nothing is loaded"
    )
    parser.add_argument("--site", help="the site of files whose names hold none; not needed if PATTERNFILE has but one")
    _add_processes(parser)
    return parser


def _add_check(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "check", help="strip saved examples and compare; the exit status is 1 if some differ"
    )
    parser.add_argument("patterns", metavar="PATTERNFILE")
    parser.add_argument("examples", metavar="EXAMPLES", help="JSON Lines with url, html, title and text")
    parser.add_argument("--update", action="store_true", help="write what is found now into EXAMPLES")
    parser.add_argument(
        "--add", metavar="SOURCE", action="append", help="with --update: add pages of a source to EXAMPLES"
    )
    parser.add_argument("--pages", type=int, default=3, metavar="N", help="pages of each site to add; default: 3")
    parser.add_argument("--site", help="the site of files whose names hold none")
    return parser


def _add_merge(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "merge", help="make several pattern files one; of a site in several the last one wins"
    )
    parser.add_argument("patterns", metavar="PATTERNFILE", nargs="+")
    parser.add_argument("-o", "--output", metavar="PATTERNFILE", required=True, help="may be one of them")
    return parser


def _add_forget(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser("forget", help="remove sites from a pattern file")
    parser.add_argument("patterns", metavar="PATTERNFILE")
    parser.add_argument("sites", metavar="SITE", nargs="+", help="such as news.example.com")
    return parser


def _add_teach(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser("teach", help="add corrections to a pattern file as rules")
    parser.add_argument("patterns", metavar="PATTERNFILE")
    parser.add_argument(
        "corrections", metavar="CORRECTIONS", help="JSON with site, action and selector, as written by report"
    )
    return parser


def _add_import(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser("import", help="read a pattern file of Webstemmer")
    parser.add_argument("webstemmer", metavar="WEBSTEMMERFILE")
    parser.add_argument("-o", "--output", metavar="PATTERNFILE", required=True, help="its sites are replaced there")
    parser.add_argument("--site", help="the site of the patterns; by default that of each pattern's pages")
    return parser


def _add_export(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser("export", help="write patterns for other programs")
    parser.add_argument("patterns", metavar="PATTERNFILE")
    parser.add_argument("-o", "--output", metavar="OUTPUT", required=True, help="a file; a folder for ftr")
    parser.add_argument("--site", help="only this site")
    parser.add_argument(
        "--format",
        choices=("webstemmer", "selectors", "ftr"),
        default="webstemmer",
        help="a pattern file of Webstemmer 0.6 (the default), CSS and XPath as JSON Lines, or files of ftr-site-config",
    )
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


ADDERS = {
    "learn": _add_learn,
    "strip": _add_strip,
    "show": _add_show,
    "report": _add_report,
    "check": _add_check,
    "merge": _add_merge,
    "forget": _add_forget,
    "teach": _add_teach,
    "import": _add_import,
    "export": _add_export,
    "recover": _add_recover,
}
"""Adds each sub-command's parser."""

ACTIONS = tuple(ADDERS)
"""The sub-commands."""

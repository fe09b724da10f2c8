"""Files of pages: a folder with a file for each page, and cells of tables that spreadsheets show as text."""

from __future__ import annotations

import errno
import re
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.outputs.markdown import HEAD, yaml_of
from scrapy_stemmer.page.text import file_name

MAX_PATH = 600  # bytes of a page's path below a folder: systems allow 1,024 and more for both
MAX_FRONT_MATTER = 20_000  # characters read at the beginning of a file
OF_ALL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)  # errors of the whole folder, not of a page

_FORMULA = re.compile(r"[\t\r\n]|\s*[=+\-@＝＋－＠]")  # spreadsheets take wide signs as well
_BREAK = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"  # characters that end a line for str.splitlines, some also in YAML
_FRONT_MATTER = re.compile(rf"(?<![^{_BREAK}])(?=---[^\S{_BREAK}]*(?:[{_BREAK}]|\Z))")


def text_cell(value: Any) -> Any:
    """Return a cell of a table, with an apostrophe before text that a spreadsheet would take for a formula."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def without_front_matter(markdown: str) -> str:
    """Return Markdown for a file of several pages, in which lines of three hyphens begin and end the front matter.

    A line of three hyphens in the page itself gets a space in front, without a change of meaning in Markdown.
    """
    return _FRONT_MATTER.sub(" ", markdown)


class PageFolder:
    """Folder with a file for each page, named after the page's URL."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._used: Counter[str] = Counter()

    def write(self, url: str, text: str) -> None:
        """Write the file of a page.

        :raises OSError: for a failure of the whole folder, such as a full disk.
        :raises StemmerError: for a failure of this page alone, such as a subfolder without write permission.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        name = unused = file_path_of(url)
        while self._used[unused.lower()] or not _is_free(self._folder / f"{unused}.md", url):
            self._used[name.lower()] += 1
            unused = f"{name}-{self._used[name.lower()]}"
        self._used[unused.lower()] += 1
        path = self._folder / f"{unused}.md"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            if error.errno in OF_ALL:
                raise
            raise StemmerError(f"{url}: not written: {error.strerror or error}") from error

    def close(self) -> None:
        """Do nothing, since :meth:`write` closes each file; called by Scrapy."""


def _is_free(path: Path, url: str) -> bool:
    """Return True unless a file has a page of a different address, written by an earlier crawl."""
    if not path.is_file():
        return True
    with suppress(OSError), path.open(encoding="utf-8", errors="replace") as file:
        lines = file.read(MAX_FRONT_MATTER).split("\n")
        urls = [line.removeprefix("url: ") for line in lines[: len(HEAD) + 1] if line.startswith("url: ")]
        return not urls or urls[0] == yaml_of(url)
    return True


def file_path_of(url: str) -> str:
    """Return the path of a page's file below a folder, without suffix, valid on all systems."""
    try:
        parts = urlsplit(url)
    except ValueError:  # an invalid host
        return f"pages/{file_name(url)}"
    names = [parts.netloc or "pages", *(name for name in parts.path.split("/") if name.strip("."))]
    names[-1:] = [names[-1].removesuffix(".html").removesuffix(".htm")] if len(names) > 1 else [names[-1], "index"]
    if parts.query:
        names[-1] += f"-{parts.query}"
    *folders, name = map(file_name, names)
    # Keeps folders and page files apart.
    host, *inner = (f"{each}_" if each.lower().endswith(".md") else each for each in folders)
    path = "/".join((host, *inner, name))
    return path if len(path.encode()) <= MAX_PATH else f"{host}/{file_name('/'.join(names[1:]))}"

"""Files that sub-commands write: none that they read, and each as a whole or not at all."""

from __future__ import annotations

import gzip
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from scrapy_stemmer.commands.sources.base import LeftOut
from scrapy_stemmer.commands.sources.files import named
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.stores.file import FileStore, file_beside, put_in_place

READ = ("patterns", "pages", "examples", "corrections", "webstemmer", "spools", "linkinfo", "add")
"""Options that name what is read, one or a list; ``--pages`` of ``check`` is a number."""

WRITTEN = ("output", "write_linkinfo")  # options that name what is written


def refuse_inputs(options: Namespace) -> None:
    """See, before anything is opened, that no output of a sub-command is one of its inputs, or another output."""
    read: list[str] = []
    for option in READ:
        value = getattr(options, option, None)
        if option == "patterns" and options.action == "merge":
            continue  # which are all read before one of them is replaced
        read += [value] if isinstance(value, str) else value if isinstance(value, list) else []
    with suppress(OSError):  # of a list that can't be read, which is told when it is
        read += named(list(read), LeftOut())
    for output in filter(None, (getattr(options, option, None) for option in WRITTEN)):
        for name in read:
            if _is_same(output, name):
                raise StemmerError(f"{output} would be overwritten, but it is read: name another output.")
        read.append(output)


def _is_same(one: str, other: str) -> bool:
    """Whether two names, or URIs of pattern files, are those of one file."""
    paths = [FileStore(name).path for name in (one, other)]
    try:
        return paths[0].samefile(paths[1])
    except (OSError, ValueError):  # one of them is not there, or no name
        return paths[0].absolute() == paths[1].absolute()


def written_lines(lines: Iterable[str], name: str) -> bytes:
    """Lines of JSON as a file has them, compressed if its name ends in ``.gz``. A lone surrogate becomes the escape
    of it that JSON has."""
    content = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    return gzip.compress(content, mtime=0) if name.endswith(".gz") else content


@contextmanager
def replaced(name: str | Path) -> Iterator[IO[bytes]]:
    """A file to be written, beside the one that it replaces at the end; whatever ends it before, that one stays. What
    is no file, such as ``/dev/stdout``, is written to as it is."""
    path = Path(name).resolve()
    if path.exists() and not path.is_file():
        with path.open("wb") as device:
            yield device
        return
    with ExitStack() as stack:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = stack.enter_context(file_beside(path))
        except OSError as error:
            raise StemmerError(f"{name} can't be written: {error.strerror}") from error
        yield file
        put_in_place(file, path)

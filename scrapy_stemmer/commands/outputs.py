"""Output files of sub-commands: inputs are refused, and files written completely or not at all."""

from __future__ import annotations

import gzip
import os
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import IO

from filelock import FileLock, Timeout

from scrapy_stemmer.commands.sources.base import LeftOut
from scrapy_stemmer.commands.sources.files import named
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.settings import DIRECTORY
from scrapy_stemmer.stores.file import FileStore, file_beside, lock_of, put_in_place

READ = ("patterns", "pages", "examples", "corrections", "webstemmer", "spools", "linkinfo", "add")
"""Options naming an input or a list of inputs; ``--pages`` of ``check`` is a number."""

WRITTEN = ("output", "write_linkinfo", "left_out")  # options naming an output or a list of outputs


def refuse_inputs(options: Namespace) -> None:
    """Raise StemmerError if an output of a sub-command is also an input or a second output."""
    read: list[str] = []
    for option in READ:
        value = getattr(options, option, None)
        if option == "patterns" and options.action == "merge":
            continue  # merge reads all files before it replaces the output
        read += [value] if value and isinstance(value, str) else value if isinstance(value, list) else []
    with suppress(OSError):  # reading the list later reports the error
        read += named(list(read), LeftOut())
    named_here = (getattr(options, option, None) for option in WRITTEN)
    outputs = chain.from_iterable(each if isinstance(each, list) else [each] for each in named_here if each)
    for output in outputs:
        refuse_same(output, read)
        read.append(output)


def refuse_same(output: str, read: Iterable[str]) -> None:
    """Raise StemmerError if an output is a file in use."""
    if any(_is_same(output, name) for name in read):
        raise StemmerError(f"{output} would be overwritten, but it is in use already: name another output.")


def _is_same(one: str, other: str) -> bool:
    paths = [FileStore(name).path for name in (one, other)]
    try:
        return paths[0].samefile(paths[1])
    except OSError:  # a missing file
        return os.path.realpath(paths[0]) == os.path.realpath(paths[1])
    except ValueError:  # an invalid name
        return False


@contextmanager
def held(outputs: Iterable[str]) -> Iterator[None]:
    """Lock files within the context, so that no other crawl writes them.

    :raises StemmerError: for a file held by another crawl.
    """
    with ExitStack() as stack:
        for output in outputs:
            path = Path(output).resolve()
            if path.exists() and not path.is_file():  # a device
                continue
            lock = lock_of(path)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                stack.enter_context(FileLock(lock, timeout=0))
            except Timeout:
                raise StemmerError(
                    f"{output} is in use: another crawl is writing it. Name another output, or wait until it has ended."
                ) from None
            except (OSError, NotImplementedError):  # a file system without locks; writing reports other errors
                continue
            stack.callback(_delete, lock)
        yield


def _delete(path: Path) -> None:
    with suppress(OSError):  # a system that deletes no open files
        path.unlink()


def check_folder(folder: Path) -> None:
    """Raise StemmerError for a folder that can't be made or written into."""
    try:
        DIRECTORY(folder)
    except ValueError as error:
        raise StemmerError(f"{folder}: must be {error}.") from None


def written_lines(lines: Iterable[str], *, is_compressed: bool) -> bytes:
    """Return lines as a part of a file, in UTF-8 with escapes for lone surrogates; a gzip file may have several
    parts."""
    content = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    return gzip.compress(content, 6, mtime=0) if content and is_compressed else content


@contextmanager
def replaced(name: str | Path) -> Iterator[IO[bytes]]:
    """Open a temporary file that replaces a file at the end, unless an error occurs.

    Devices such as ``/dev/stdout`` are written directly.
    """
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

"""The HTTP cache of a Scrapy project, as both of Scrapy's storages keep it."""

from __future__ import annotations

import ast
import dbm
import pickletools
from collections.abc import Generator, Iterable, Iterator
from copy import copy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scrapy.http import Headers
from w3lib.encoding import http_content_type_encoding
from w3lib.http import headers_raw_to_dict

from scrapy_stemmer.commands.sources.base import LeftOut, bounded_file, decoded, expanded
from scrapy_stemmer.core.document import Page

META, HEADERS, BODY = "meta", "response_headers", "response_body"
"""Files of an entry of ``FilesystemCacheStorage``."""

DATABASE, ADDED = ".db", ("", ".db", ".dat", ".dir", ".bak", ".pag", "-wal", "-shm")
"""How ``DbmCacheStorage`` ends the name of a spider's database, and what kinds of databases add to it."""

DATA, TIME = b"_data", b"_time"
"""How the keys of responses end, and of the times at which they were stored."""


def pages_among(folder: Path, names: Iterable[str], left_out: LeftOut) -> Generator[Page, None, list[str]]:
    """The pages of the caches among the files of a folder: of one cached response, or of the databases of spiders.

    :returns: the names of the files that belong to none, sorted.
    """
    if {META, HEADERS, BODY} <= {*names}:
        yield from _pages_of_entry(folder, left_out)
        return []
    # Databases as Scrapy opens them: ``news.db`` for ``news.db.dat``.
    stems = {name.partition(DATABASE)[0] + DATABASE for name in names if DATABASE in name}
    databases = [stem for stem in sorted(stems) if dbm.whichdb(str(folder / stem))]
    for name in databases:
        yield from _pages_of_database(folder / name, left_out)
    return sorted({*names} - {name + added for name in databases for added in ADDED})


def _pages_of_entry(folder: Path, left_out: LeftOut) -> Iterator[Page]:
    """The page of a cached response, if it is one."""
    try:
        files = [bounded_file(folder / name) for name in (META, HEADERS, BODY)]
        if files[0].startswith(b"\x1f\x8b"):  # as HTTPCACHE_GZIP has it
            files = [expanded(file, "gzip") for file in files]
        meta = ast.literal_eval(files[0].decode("utf-8"))
        headers = Headers(headers_raw_to_dict(files[1]) or {})
        yield from _page(meta["response_url"], meta["status"], headers, files[2], meta.get("timestamp"), left_out)
    except (ValueError, SyntaxError, KeyError, TypeError) as error:
        left_out.add_error(error, str(folder))


def _pages_of_database(path: Path, left_out: LeftOut) -> Iterator[Page]:
    """The pages of a spider's database, in the order of keys."""
    with dbm.open(str(path), "r") as database:
        keys = database.keys()
        for key in sorted(key for key in keys if isinstance(key, bytes) and key.endswith(DATA)):
            try:
                found = plain_value(database[key])
                time = database.get(key.removesuffix(DATA) + TIME)
                headers = Headers(found["headers"])
                yield from _page(found["url"], found["status"], headers, found["body"], time, left_out)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                left_out.add_error(error, f"{path}, {key.decode('latin-1')}")


def _page(url: str, status: int, headers: Headers, body: bytes, time: Any, left_out: LeftOut) -> Iterator[Page]:
    """A page, if a response is one.

    :param time: when it was stored, in seconds since 1970, if the cache says so.
    :raises ValueError: when the body can't be expanded.
    """
    content_type = (headers.get("Content-Type") or b"").decode("latin-1")
    if not left_out.takes(url, status, content_type):
        return
    body = decoded(body, b",".join(headers.getlist("Content-Encoding")).decode("latin-1"))
    try:
        fetched = datetime.fromtimestamp(float(time), UTC).isoformat(timespec="seconds")
    except (TypeError, ValueError, OverflowError, OSError):
        fetched = None
    yield Page(url, body, charset=http_content_type_encoding(content_type), fetched=fetched)


# A pickle is read and never run: data from elsewhere could run anything

_NEW: dict[str, Any] = {"EMPTY_DICT": {}, "EMPTY_LIST": [], "MARK": ...}

_VALUES = frozenset(
    "BININT BININT1 BININT2 LONG1 SHORT_BINUNICODE BINUNICODE BINUNICODE8 SHORT_BINBYTES BINBYTES BINBYTES8".split()
)


def plain_value(data: bytes) -> Any:
    """The value of a pickle of protocol 4: dictionaries, lists, texts, bytes and integers.

    Objects in it are not made; ``None`` stands in their place, and in that of all other values.

    :raises ValueError: for what is none.
    """
    stack: list[Any] = []
    memo: list[Any] = []
    try:
        for opcode, argument, _ in pickletools.genops(data):
            if opcode.name in _VALUES:
                stack.append(argument)
            elif opcode.name in _NEW:
                stack.append(copy(_NEW[opcode.name]))
            elif opcode.name == "MEMOIZE":
                memo.append(stack[-1])
            elif opcode.name in ("BINGET", "LONG_BINGET"):
                stack.append(memo[int(argument or 0)])
            elif opcode.name != "STOP":
                _take(opcode, stack)
        (value,) = stack
    except (ValueError, IndexError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"it can't be read as a pickle: {error}") from error
    return value


def _take(opcode: pickletools.OpcodeInfo, stack: list[Any]) -> None:
    """Put the last values into the collection before them, or ``None`` in the place of all that an operation takes."""
    taken, number = list[Any](), len(opcode.stack_before)
    if pickletools.markobject in opcode.stack_before:
        number = opcode.stack_before.index(pickletools.markobject)
        while (value := stack.pop()) is not _NEW["MARK"]:
            taken.append(value)
    taken += [stack.pop() for _ in range(number)]
    first, *values = reversed(taken or [None])
    if opcode.name.startswith("APPEND"):
        first.extend(values)
    elif opcode.name.startswith("SETITEM"):
        first.update(zip(values[::2], values[1::2], strict=True))
    else:
        first = None
    stack.extend(first for _ in opcode.stack_after)

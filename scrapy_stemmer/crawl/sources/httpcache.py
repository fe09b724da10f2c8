"""The HTTP cache of a Scrapy project, as both of Scrapy's storages keep it."""

from __future__ import annotations

import ast
import dbm
import pickletools
from collections.abc import Collection, Iterable, Iterator
from copy import copy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scrapy.http import Headers
from w3lib.encoding import http_content_type_encoding
from w3lib.http import headers_raw_to_dict

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.crawl.sources.base import UNREADABLE, LeftOut, expanded

META, HEADERS, BODY = "meta", "response_headers", "response_body"
"""Files of an entry of ``FilesystemCacheStorage``."""

GZIP = b"\x1f\x8b"
"""How files begin that ``HTTPCACHE_GZIP`` has compressed."""

DATABASE = ".db"
"""How ``DbmCacheStorage`` ends the name of a spider's database; kinds of databases add to it."""

ADDED = ("", ".db", ".dat", ".dir", ".bak", ".pag", "-wal", "-shm")
"""What they add."""

DATA, TIME = b"_data", b"_time"
"""How the keys of responses end, and of the times at which they were stored."""


def is_entry(names: Collection[str]) -> bool:
    """Whether these are the files of one cached response."""
    return {META, HEADERS, BODY} <= set(names)


def databases_among(folder: Path, names: Iterable[str]) -> list[Path]:
    """The databases that files of a folder belong to, as Scrapy opens them: ``news.db`` for ``news.db.dat``."""
    stems = {name.partition(DATABASE)[0] + DATABASE for name in names if DATABASE in name}
    return [folder / stem for stem in sorted(stems) if dbm.whichdb(str(folder / stem))]


def is_of_database(name: str, databases: Iterable[Path]) -> bool:
    """Whether a file belongs to one of some databases."""
    return any(name == database.name + added for database in databases for added in ADDED)


def pages_of_entry(folder: Path, left_out: LeftOut) -> Iterator[Page]:
    """The page of a cached response, if it is one."""
    try:
        files = [(folder / name).read_bytes() for name in (META, HEADERS, BODY)]
        if files[0].startswith(GZIP):
            files = [expanded(file, "gzip") for file in files]
        meta = ast.literal_eval(files[0].decode("utf-8"))
        headers = Headers(headers_raw_to_dict(files[1]) or {})
        yield from _page(meta["response_url"], meta["status"], headers, files[2], meta.get("timestamp"), left_out)
    except (ValueError, SyntaxError, KeyError, TypeError) as error:
        left_out.add(UNREADABLE, f"{folder} ({error})")


def pages_of_database(path: Path, left_out: LeftOut) -> Iterator[Page]:
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
                left_out.add(UNREADABLE, f"{path}, {key.decode('latin-1')} ({error})")


def _page(url: str, status: int, headers: Headers, body: bytes, time: Any, left_out: LeftOut) -> Iterator[Page]:
    """A page, if a response is one.

    :param time: when it was stored, in seconds since 1970, if the cache says so.
    :raises ValueError: when the body can't be expanded.
    """
    content_type = (headers.get("Content-Type") or b"").decode("latin-1")
    if not left_out.takes(url, status, content_type):
        return
    encodings = b",".join(headers.getlist("Content-Encoding")).decode("latin-1").lower().split(",")
    for encoding in map(str.strip, reversed(encodings)):
        if encoding not in ("", "identity"):
            body = expanded(body, encoding)
    try:
        fetched = datetime.fromtimestamp(float(time), UTC).isoformat(timespec="seconds")
    except (TypeError, ValueError, OverflowError, OSError):
        fetched = None
    yield Page(url, body, charset=http_content_type_encoding(content_type), fetched=fetched)


# A pickle is read and never run: data from elsewhere could run anything

_MARK = ...

_NEW: dict[str, Any] = {
    "NONE": None,
    "NEWTRUE": True,
    "NEWFALSE": False,
    "EMPTY_TUPLE": (),
    "EMPTY_LIST": [],
    "EMPTY_DICT": {},
    "MARK": _MARK,
}

_VALUES = frozenset(
    "BININT BININT1 BININT2 LONG1 BINFLOAT SHORT_BINUNICODE BINUNICODE BINUNICODE8 SHORT_BINBYTES BINBYTES "
    "BINBYTES8".split()
)

_TAKEN = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3, "APPEND": 1, "SETITEM": 2, "BUILD": 1} | dict.fromkeys(
    ("STACK_GLOBAL", "NEWOBJ", "REDUCE"), 2
)
"""How many values an operation takes off the stack; ``TUPLE``, ``APPENDS`` and ``SETITEMS`` take all since a mark."""


def plain_value(data: bytes) -> Any:
    """The value of a pickle of protocol 4: dictionaries, lists, tuples, texts, bytes and numbers.

    Objects in it are not made; ``None`` stands in their place.

    :raises ValueError: for a pickle of an older protocol, and for what is none.
    """
    stack: list[Any] = []
    memo: list[Any] = []
    try:
        for opcode, argument, _ in pickletools.genops(data):
            name = opcode.name
            if name in _VALUES:
                stack.append(argument)
            elif name in _NEW:
                stack.append(copy(_NEW[name]))
            elif name == "MEMOIZE":
                memo.append(stack[-1])
            elif name in ("BINGET", "LONG_BINGET") and argument is not None:
                stack.append(memo[argument])
            elif name not in ("PROTO", "FRAME", "STOP"):
                _collect(name, stack)
        (value,) = stack
    except (ValueError, IndexError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"it can't be read as a pickle: {error}") from error
    return value


def _collect(name: str, stack: list[Any]) -> None:
    """Put the last values into a collection, or leave out the object that they would make."""
    if name not in (*_TAKEN, "TUPLE", "APPENDS", "SETITEMS"):
        raise ValueError(f"unknown operation {name}")
    values: list[Any] = []
    while len(values) != _TAKEN.get(name) and (value := stack.pop()) is not _MARK:
        values.append(value)
    values.reverse()
    if name.startswith("TUPLE"):
        stack.append(tuple(values))
    elif name.startswith("APPEND"):
        stack[-1].extend(values)
    elif name.startswith("SETITEM"):
        stack[-1].update(zip(values[::2], values[1::2], strict=True))
    elif name != "BUILD":
        stack.append(None)

"""The HTTP cache of a Scrapy project, as both of Scrapy's storages keep it."""

from __future__ import annotations

import ast
import dbm
import pickletools
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from scrapy.http import Headers
from w3lib.encoding import http_content_type_encoding
from w3lib.http import headers_raw_to_dict

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.crawl.sources.base import GZIP, NO_HTML, NO_SUCCESS, UNREADABLE, LeftOut, expanded, is_html

META, HEADERS, BODY = "meta", "response_headers", "response_body"
"""Files of an entry of ``FilesystemCacheStorage``."""

DATABASE = ".db"
"""How the files of ``DbmCacheStorage`` end, before what the kind of database adds."""

PARTS_OF_DATABASES = ("", ".db", ".dat", ".dir", ".bak", ".pag", "-wal", "-shm")
"""What kinds of databases add to the name."""

DATA, TIME = b"_data", b"_time"
"""How the keys of responses end, and of the times at which they were stored."""

OK = 200


def is_entry(names: Collection[str]) -> bool:
    """Whether these are the files of one cached response."""
    return {META, HEADERS, BODY} <= set(names)


def is_database(path: Path) -> bool:
    """Whether a file is the cache of a spider, or the first part of one."""
    name = path.name.removesuffix(".dat").removesuffix(".pag")
    return name.endswith(DATABASE) and bool(dbm.whichdb(str(path.with_name(_stem(path.name)))))


def _stem(name: str) -> str:
    """The name of a database as Scrapy opens it: ``news.db`` for ``news.db.dat``."""
    return name.partition(DATABASE)[0] + DATABASE


def is_of_database(name: str, databases: Collection[str]) -> bool:
    """Whether a file belongs to one of some databases."""
    return any(name == _stem(database) + part for database in databases for part in PARTS_OF_DATABASES)


def pages_of_entry(folder: Path, left_out: LeftOut) -> Iterator[Page]:
    """The page of a cached response, if it is one."""
    try:
        files = [(folder / name).read_bytes() for name in (META, HEADERS, BODY)]
        if files[0].startswith(GZIP):  # HTTPCACHE_GZIP compresses all of them
            files = [expanded(file, "gzip") for file in files]
        meta = ast.literal_eval(files[0].decode("utf-8"))
        headers = Headers(headers_raw_to_dict(files[1]) or {})
        yield from _page(
            meta["response_url"], meta["status"], headers, files[2], left_out, _time(meta.get("timestamp"))
        )
    except (ValueError, SyntaxError, KeyError, TypeError) as error:
        left_out.add(UNREADABLE, f"{folder} ({error})")


def pages_of_database(path: Path, left_out: LeftOut) -> Iterator[Page]:
    """The pages of a spider's database, in the order of keys."""
    with dbm.open(str(path.with_name(_stem(path.name))), "r") as database:
        keys = database.keys()
        for key in sorted(key for key in keys if isinstance(key, bytes) and key.endswith(DATA)):
            try:
                found = plain_value(database[key])
                time = _time(database.get(key.removesuffix(DATA) + TIME))
                yield from _page(
                    found["url"], found["status"], Headers(found["headers"]), found["body"], left_out, time
                )
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                left_out.add(UNREADABLE, f"{path}, {key.decode('latin-1')} ({error})")


def _page(
    url: str, status: int, headers: Headers, body: bytes, left_out: LeftOut, fetched: str | None
) -> Iterator[Page]:
    """A page, if a response is one."""
    content_type = (headers.get("Content-Type") or b"").decode("latin-1")
    if status != OK:
        left_out.add(NO_SUCCESS, url)
    elif not is_html(content_type):
        left_out.add(NO_HTML, url)
    else:
        html = _decompressed(body, headers)
        yield Page(url, html, charset=http_content_type_encoding(content_type), fetched=fetched)


def _time(seconds: object) -> str | None:
    """A number of seconds since 1970, as a cache has it, in ISO 8601; ``None`` for anything else."""
    try:
        number = float(seconds)  # type: ignore[arg-type]
        return datetime.fromtimestamp(number, UTC).isoformat(timespec="seconds")
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def _decompressed(body: bytes, headers: Headers) -> bytes:
    """A body as it was before the server has compressed it.

    :raises ValueError: when it can't be expanded.
    """
    named = b",".join(headers.getlist("Content-Encoding")).decode("latin-1").lower()
    encodings = [name.strip() for name in named.split(",") if name.strip() not in ("", "identity")]
    for encoding in reversed(encodings):
        body = expanded(body, encoding)
    return body


# Plain values out of a pickle, which is read and never run: data from elsewhere could run anything

_MARK = object()

_VALUES = frozenset(
    "BININT BININT1 BININT2 LONG1 BINFLOAT SHORT_BINUNICODE BINUNICODE BINUNICODE8 SHORT_BINBYTES BINBYTES BINBYTES8 "
    "NONE NEWTRUE NEWFALSE".split()
)
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_EMPTY: Mapping[str, Callable[[], Any]] = {"EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_TUPLE": tuple}
_IGNORED = frozenset({"PROTO", "FRAME", "STOP"})
_OBJECTS = {"STACK_GLOBAL": 2, "NEWOBJ": 2, "REDUCE": 2}
"""What makes an object, with how many values it takes for that."""


def plain_value(data: bytes) -> Any:
    """The value of a pickle of protocol 4: dictionaries, lists, tuples, texts, bytes and numbers.

    Objects in it are not made; ``None`` stands in their place.

    :raises ValueError: for a pickle of an older protocol, and for what is none.
    """
    reader = _Reader()
    try:
        for opcode, argument, _ in pickletools.genops(data):
            reader.take(opcode.name, argument)
        (value,) = reader.stack
    except (ValueError, IndexError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"it can't be read as a pickle: {error}") from error
    return value


class _Reader:
    """The stack and the memo of a pickle that is being read."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self._memo: list[Any] = []

    def take(self, name: str, argument: Any) -> None:
        """Take one operation."""
        stack = self.stack
        if name in _VALUES:
            stack.append(_CONSTANTS.get(name, argument))
        elif name in _EMPTY:
            stack.append(_EMPTY[name]())
        elif name == "MARK":
            stack.append(_MARK)
        elif name == "MEMOIZE":
            self._memo.append(stack[-1])
        elif name in ("BINGET", "LONG_BINGET"):
            stack.append(self._memo[argument])
        elif name in _OBJECTS:
            stack[-_OBJECTS[name] :] = [None]
        elif name == "BUILD":
            stack.pop()
        elif name not in _IGNORED:
            self._collect(name)

    def _collect(self, name: str) -> None:
        """Take an operation that puts values into a collection."""
        stack = self.stack
        if name in ("APPENDS", "SETITEMS", "TUPLE"):
            values = self._marked()
        elif name in ("APPEND", "SETITEM", "TUPLE1", "TUPLE2", "TUPLE3"):
            count = {"APPEND": 1, "SETITEM": 2}.get(name) or int(name[-1])
            values = [stack.pop() for _ in range(count)][::-1]
        else:
            raise ValueError(f"unknown operation {name}")
        if name.startswith("TUPLE"):
            stack.append(tuple(values))
        elif name.startswith("APPEND"):
            stack[-1].extend(values)
        else:
            stack[-1].update(list(pairwise(values))[::2])

    def _marked(self) -> list[Any]:
        values: list[Any] = []
        while (value := self.stack.pop()) is not _MARK:
            values.append(value)
        return values[::-1]

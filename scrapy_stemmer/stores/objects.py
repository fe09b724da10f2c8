"""Patterns in an object store, by way of fsspec: a folder a site, in which each version is an object of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from threading import Lock
from urllib.parse import quote, unquote

from scrapy_stemmer.exceptions import MissingExtra, PatternFileError, StoreUnavailable, needed
from scrapy_stemmer.stores.shared import PATTERNS, SharedStore

_IN_MEMORY = Lock()  # held while ``memory:`` is used: it is not made for threads


class ObjectStore(SharedStore):
    """A folder of any file system of fsspec whose objects appear as a whole, such as ``s3://bucket/news``.

    It is safe with nothing but two things of the service: an object can be made on condition that there is none of its
    name, and a listing has all that was made before. A writer makes the version after the one that it knows, and looks
    whether another one has appeared meanwhile; if so, it takes its own back.

    :param uri: the folder.
    :raises MissingExtra: when fsspec, or the package for the URI's scheme, is not installed.
    :raises PatternFileError: for a scheme that fsspec doesn't know either.
    """

    def __init__(self, uri: str) -> None:
        super().__init__(uri)
        core = needed("fsspec.core", "fsspec", f"for {uri}")
        try:
            self._files, root = core.url_to_fs(uri)
        except ImportError as error:
            raise MissingExtra(f"{uri} needs another package: {error}.") from error
        except ValueError as error:
            raise PatternFileError(
                f"There is no store for this: {error}. Use a file's path, such as patterns/news.jsonl, redis: or what "
                "fsspec knows.",
                uri=uri,
            ) from error
        self._root = root.rstrip("/")

    def changes(self, since: int = 0) -> Mapping[str, int]:
        """See :meth:`SharedStore.changes`: all sites, since each counts its own versions."""
        versions: dict[str, int] = {}
        with self._reached():
            self._files.invalidate_cache()
            for path in self._files.find(self._root):
                folder, _, name = path[len(self._root) :].strip("/").rpartition("/")
                number, _, end = name.partition(".")
                if end == PATTERNS and number.isdecimal() and "/" not in folder:
                    site = unquote(folder.replace("!", "%"))
                    versions[site] = max(int(number), versions.get(site, 0))
        return versions

    def get(self, site: str, kind: str = PATTERNS) -> tuple[int, bytes]:
        with self._reached():
            while number := max(self._numbers(site, kind), default=0):
                with suppress(FileNotFoundError):  # a newer one may have taken its place since
                    return number, self._files.cat_file(self._path(site, number, kind))
            return 0, b""

    def put(self, site: str, text: bytes, after: int, kind: str = PATTERNS) -> bool:
        with self._reached():
            return self._write(site, kind, text, after)

    def _write(self, site: str, end: str, text: bytes, after: int) -> bool:
        """Make the version after one, unless there is another one, or remove that; whether nobody else was quicker."""
        before, own = self._numbers(site, end), after + 1
        if max(before, default=0) != after:
            return False
        is_first = True
        if text:
            try:
                self._files.pipe_file(self._path(site, own, end), text, mode="create")
            except FileExistsError:
                return False
            except OSError:  # as some services say it; or it was made, and the answer was lost
                if own not in self._numbers(site, end):
                    raise
                return False
            # Several may have been quicker, and the first of them is gone.
            is_first = max(self._numbers(site, end), default=0) <= own
        for number in before if is_first else {own}:
            with suppress(FileNotFoundError):
                self._files.rm_file(self._path(site, number, end))
        return is_first

    def _numbers(self, site: str, end: str) -> set[int]:
        """The versions of a site that are there."""
        folder = self._path(site)
        self._files.invalidate_cache(folder)
        try:
            names = [path.rpartition("/")[2].partition(".") for path in self._files.ls(folder, detail=False)]
        except FileNotFoundError:
            return set()
        return {int(number) for number, _, its in names if its == end and number.isdecimal()}

    def _path(self, site: str, number: int | None = None, end: str = "") -> str:
        """The object of a version, or the folder of a site, in characters that any service takes."""
        name = quote(site, safe="").replace("%", "!")
        if not name.strip("."):
            name = name.replace(".", "!2E")
        return f"{self._root}/{name}" if number is None else f"{self._root}/{name}/{number:09d}.{end}"

    @contextmanager
    def _reached(self) -> Iterator[None]:
        try:
            with _IN_MEMORY if self._files.protocol == "memory" else nullcontext():
                yield
        except Exception as error:  # each file system has its own
            message = f"The store can't be used: {type(error).__name__}: {str(error).rstrip('.')}."
            raise StoreUnavailable(message, uri=self.uri) from error
